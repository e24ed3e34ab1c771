use serde::{Deserialize, Serialize};

use super::estimate::{self, Estimate};
use super::{Case, Conditions, StepId};
use crate::plan::{
    Access, Data, EngineKind, Extent, NotBefore, PurgeAction, PurgeMethod, Rate, ReplayMap, RoundCount, Side,
    SteadyWindow, VerifyTarget, name_in_label,
};
use crate::text::{Fingerprint, Span};
use crate::units::{BlockSize, ByteCount, Percent, QueueDepth, RunTime, Threads};

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
    /// What stands for the plan's method; none in journals of versions without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Fingerprint>,
    /// What binding to a target has settled; none without a target, and in journals of versions without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// The steps.
    pub steps: Vec<ScheduledStep>,
}

impl Schedule {
    /// Time and bytes of the whole run.
    pub fn estimate(&self) -> Estimate {
        estimate::sum_of(self.steps.iter().map(|step| &step.estimate))
    }

    /// All cases that are measured.
    pub fn measured_cases(&self) -> usize {
        self.steps.iter().map(|step| step.action.measured_cases()).sum()
    }

    /// True where some step writes to the target.
    pub fn has_writes(&self) -> bool {
        self.steps.iter().any(|step| step.action.has_writes())
    }

    /// Bytes of the area during a step, once a drive is known.
    pub fn area_of(&self, step: &ScheduledStep) -> Option<ByteCount> {
        step.area_bytes.or(self.area)
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
    /// Steps between two cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between_cases: Vec<ScheduledStep>,
    /// The rule of steadiness that is judged, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady_state: Option<ScheduledSteadyState>,
    /// How long, and how much is written.
    pub estimate: Estimate,
    /// The part of the device that is the area during the step; none: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Extent>,
    /// The same in bytes, aligned down to the drive's block, once a drive is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_bytes: Option<ByteCount>,
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
    /// Purges the drive.
    SecureErase(ScheduledPurge),
    /// Makes a partition of this part of the device; it is the area from here on.
    Partition {
        /// Bytes or a share of the device.
        size: Extent,
        /// False: it is removed at the end.
        keep: bool,
    },
    /// Limits the area to this part of the device.
    LimitTo(Extent),
    /// Writes of the area from its start.
    Fill(ScheduledFill),
    /// Trims this part of the area, from its start.
    Trim(Extent),
    /// Sets the drive's write cache: true is on.
    WriteCache(bool),
    /// Sets something else of the drive.
    Setting {
        /// What.
        name: String,
        /// To what.
        value: String,
    },
    /// No command at all, this long.
    #[serde(rename = "idle_ns")]
    Idle(RunTime),
    /// Waits until the drive is cool.
    CoolDown {
        /// Degrees Celsius.
        to_celsius: f64,
        /// The longest wait.
        #[serde(rename = "at_most_ns")]
        at_most: RunTime,
    },
    /// A load that brings the drive into a state.
    Precondition(Box<Case>),
    /// Loads whose figures are the results.
    Measure(Vec<Case>),
    /// Steps that are repeated.
    Rounds(ScheduledRounds),
    /// The operations of a recorded trace.
    Replay(ScheduledReplay),
    /// Reads back what was written.
    Verify(VerifyTarget),
    /// A real application.
    Application(String),
    /// Chooses a case by its result.
    Pick(ScheduledPick),
}

impl Action {
    /// As the plan spells it.
    pub const fn name(&self) -> &'static str {
        match self {
            Action::SecureErase(_) => "secure-erase",
            Action::Partition { .. } => "partition",
            Action::LimitTo(_) => "limit-to",
            Action::Fill(_) => "fill",
            Action::Trim(_) => "trim",
            Action::WriteCache(_) => "write-cache",
            Action::Setting { .. } => "setting",
            Action::Idle(_) => "idle",
            Action::CoolDown { .. } => "cool-down",
            Action::Precondition(_) => "precondition",
            Action::Measure(_) => "measure",
            Action::Rounds(_) => "rounds",
            Action::Replay(_) => "replay",
            Action::Verify(_) => "verify",
            Action::Application(_) => "application",
            Action::Pick(_) => "pick",
        }
    }

    /// The cases of a load; none for other steps.
    pub fn cases(&self) -> &[Case] {
        match self {
            Action::Precondition(case) => std::slice::from_ref(case),
            Action::Measure(cases) => cases,
            _ => &[],
        }
    }

    /// The steps inside of this one.
    pub fn inner(&self) -> &[ScheduledStep] {
        match self {
            Action::Rounds(rounds) => &rounds.steps,
            _ => &[],
        }
    }

    /// How many cases are measured; of rounds, those of one round.
    pub fn measured_cases(&self) -> usize {
        match self {
            Action::Measure(cases) => cases.len(),
            other => other.inner().iter().map(|step| step.action.measured_cases()).sum(),
        }
    }

    /// True where the step writes to the target, or takes away what is on it.
    pub fn has_writes(&self) -> bool {
        match self {
            Action::SecureErase(_) | Action::Partition { .. } | Action::Fill(_) | Action::Trim(_) => true,
            Action::Application(_) => true,
            Action::Replay(replay) => replay.only != Some(Side::Read),
            Action::Precondition(_) | Action::Measure(_) => self.cases().iter().any(Case::has_writes),
            Action::Rounds(rounds) => rounds.steps.iter().any(|step| step.action.has_writes()),
            Action::LimitTo(_)
            | Action::WriteCache(_)
            | Action::Setting { .. }
            | Action::Idle(_)
            | Action::CoolDown { .. }
            | Action::Verify(_)
            | Action::Pick(_) => false,
        }
    }
}

/// A rule of steadiness in a schedule (semantics S21).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledSteadyState {
    /// The address of what is judged.
    pub metric: String,
    /// How much is judged at a time.
    pub window: SteadyWindow,
    /// Largest minus smallest value, of the mean.
    #[serde(rename = "range_millionths")]
    pub range: Percent,
    /// Rise of the fitted line over the window, of the mean.
    #[serde(rename = "slope_millionths")]
    pub slope: Percent,
    /// What must have been written before the first judgement.
    pub not_before: Option<NotBefore>,
    /// The case that is judged, as the plan writes it: `mixed read=0% block-size=4KiB`.
    pub at: Option<String>,
    /// True where a steady state ends the step.
    pub ends: bool,
}

/// A `secure-erase` in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledPurge {
    /// How.
    pub method: PurgeMethod,
    /// The kind within the method; none: the method's own choice.
    pub action: Option<PurgeAction>,
    /// The weakest method that will do; none: any.
    pub at_least: Option<PurgeMethod>,
    /// How long it may take; none: as long as the drive says.
    #[serde(rename = "timeout_ns")]
    pub timeout: Option<RunTime>,
    /// The logical block size to format with.
    #[serde(rename = "lba_format_bytes")]
    pub lba_format: Option<BlockSize>,
}

/// A `fill` in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledFill {
    /// Bytes or share of the area that one pass writes.
    pub extent: Extent,
    /// How often.
    pub passes: u32,
    /// True where the whole device is written, around partition and limit.
    #[serde(default, skip_serializing_if = "is_false")]
    pub on_device: bool,
    /// The order of the writes.
    #[serde(default = "sequential", skip_serializing_if = "is_sequential")]
    pub access: Access,
    /// What is written.
    #[serde(default = "incompressible", skip_serializing_if = "is_incompressible")]
    pub data: Data,
    /// What is asked for per second; none: as fast as possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references over")]
const fn is_false(value: &bool) -> bool {
    !*value
}

const fn sequential() -> Access {
    Access::SequentialShared
}

fn is_sequential(access: &Access) -> bool {
    *access == sequential()
}

pub(super) const fn incompressible() -> Data {
    Data::Incompressible
}

pub(super) fn is_incompressible(data: &Data) -> bool {
    *data == incompressible()
}

/// A `rounds` in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledRounds {
    /// How many there are.
    pub count: RoundCount,
    /// Rounds that are done at least, where a steady state ends them: those of its window.
    pub least: u32,
    /// The steps of one round.
    pub steps: Vec<ScheduledStep>,
}

impl ScheduledRounds {
    /// Rounds at most.
    pub const fn most(&self) -> u32 {
        match self.count {
            RoundCount::Exactly(rounds) | RoundCount::AtMost(rounds) => rounds,
        }
    }
}

/// A `replay` in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledReplay {
    /// The trace file, relative to the plan.
    pub trace: String,
    /// Times the speed of the trace.
    pub speed: f64,
    /// The longest pause that is kept; none: all of them.
    #[serde(rename = "idle_cap_ns")]
    pub idle_cap: Option<RunTime>,
    /// Threads.
    pub threads: Threads,
    /// Depth of each thread.
    pub queue_depth: QueueDepth,
    /// Only operations of this kind; none: all.
    pub only: Option<Side>,
    /// How the trace's offsets fall on the area.
    pub map: ReplayMap,
}

/// A `pick` in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduledPick {
    /// Its name.
    pub name: String,
    /// The step whose cases are chosen from.
    pub from: String,
    /// Which case, in the words of the plan: `highest iops where latency.mean below 5ms`.
    pub choice: String,
}
