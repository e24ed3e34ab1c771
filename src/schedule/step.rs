use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::{CaseId, StepId};
use crate::plan::{Access, EngineKind, Extent, SpanOfArea, name_in_label};
use crate::text::Span;
use crate::units::{BlockSize, ByteCount, QueueDepth, ReadShare, RunTime, Threads};

/// What a run will do, in order. The same plan and the same drive give the same schedule, byte for byte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The plan's name.
    pub plan: String,
    /// The plan's title.
    pub title: Option<String>,
    /// The plan's revision.
    pub revision: Option<u64>,
    /// How I/O is issued.
    pub engine: EngineKind,
    /// Root of every random sequence.
    pub seed: u64,
    /// The size of the area that the steps work on, once a drive is known: aligned down to its block.
    #[serde(rename = "area_bytes")]
    pub area: Option<ByteCount>,
    /// The steps.
    pub steps: Vec<ScheduledStep>,
}

impl Schedule {
    /// Time and bytes of the whole run.
    pub fn estimate(&self) -> Estimate {
        self.steps.iter().fold(Estimate::nothing(), |mut sum, step| {
            sum += &step.estimate;
            sum
        })
    }

    /// All cases that are measured.
    pub fn measured_cases(&self) -> usize {
        let cases = |step: &ScheduledStep| match &step.action {
            Action::Measure(cases) => cases.len(),
            _ => 0,
        };
        self.steps.iter().map(cases).sum()
    }

    /// True where some step writes to the target.
    pub fn has_writes(&self) -> bool {
        self.steps.iter().any(|step| match &step.action {
            Action::Fill(_) => true,
            Action::Idle(_) => false,
            Action::Precondition(case) => case.read.has_writes(),
            Action::Measure(cases) => cases.iter().any(|case| case.read.has_writes()),
        })
    }

    /// The step of this name.
    pub fn step(&self, id: &StepId) -> Option<&ScheduledStep> {
        self.steps.iter().find(|step| step.id == *id)
    }
}

/// One step of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledStep {
    /// Its name.
    pub id: StepId,
    /// `setup`, `before-each` or the test's name, with `#2` for its second repetition.
    pub section: String,
    /// The step's label within its section.
    pub label: String,
    /// The names of the `for-each` around with their values as shown, the outermost first; the label ends with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<(String, String)>,
    /// What is done.
    pub action: Action,
    /// How long, and how much is written.
    pub estimate: Estimate,
    /// The step's place in the plan's text.
    pub place: Span,
}

impl ScheduledStep {
    /// The label without the values of the `for-each` around: `recovered` of `recovered pause=30s`.
    pub fn name(&self) -> &str {
        name_in_label(&self.label, &self.variant)
    }
}

/// What a scheduled step does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Sequential writes from the start of the area.
    Fill(ScheduledFill),
    /// No command at all, this long.
    #[serde(rename = "idle_ns")]
    Idle(RunTime),
    /// A load that brings the drive into a state.
    Precondition(Box<Case>),
    /// Loads whose figures are the results.
    Measure(Vec<Case>),
}

impl Action {
    /// As the plan spells it.
    pub const fn name(&self) -> &'static str {
        match self {
            Action::Fill(_) => "fill",
            Action::Idle(_) => "idle",
            Action::Precondition(_) => "precondition",
            Action::Measure(_) => "measure",
        }
    }

    /// The cases of a load; none for other steps.
    pub fn cases(&self) -> &[Case] {
        match self {
            Action::Precondition(case) => std::slice::from_ref(case),
            Action::Measure(cases) => cases,
            Action::Fill(_) | Action::Idle(_) => &[],
        }
    }
}

/// A `fill` in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledFill {
    /// Bytes or share of the area that one pass writes.
    pub extent: Extent,
    /// How often.
    pub passes: u32,
    /// Size of one write.
    #[serde(rename = "block_size_bytes")]
    pub block_size: BlockSize,
    /// Threads.
    pub threads: Threads,
    /// Depth of each thread.
    pub queue_depth: QueueDepth,
    /// Seed of the data that is written.
    pub seed: u64,
}

/// One cell: a load with every value closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Its name within the step.
    pub id: CaseId,
    /// The workload's name.
    pub workload: String,
    /// Order of offsets.
    pub access: Access,
    /// Size of one I/O.
    #[serde(rename = "block_size_bytes")]
    pub block_size: BlockSize,
    /// Share of reads.
    #[serde(rename = "read_millionths")]
    pub read: ReadShare,
    /// Part of the area.
    pub span: SpanOfArea,
    /// Threads.
    pub threads: Threads,
    /// Depth of each thread.
    pub queue_depth: QueueDepth,
    /// Time at full pace before the window.
    #[serde(rename = "ramp_ns")]
    pub ramp: RunTime,
    /// The window's limits.
    pub limits: CaseLimits,
    /// Length of an interval.
    #[serde(rename = "sample_ns")]
    pub sample: RunTime,
    /// Seed of the case's random sequences (semantics S16).
    pub seed: u64,
    /// How long, and how much is written.
    pub estimate: Estimate,
}

/// When a case ends: the first limit that is reached. At least one is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseLimits {
    /// Length of the window.
    #[serde(rename = "time_ns")]
    pub time: Option<RunTime>,
    /// Bytes written in the window.
    #[serde(rename = "written_bytes")]
    pub written: Option<ByteCount>,
    /// Bytes moved in the window, as a multiple of the load's span.
    pub passes: Option<u32>,
}
