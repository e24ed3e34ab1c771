//! What happens to the drive.

use serde::{Deserialize, Serialize};

use super::{Access, AxisValue, Data, Extent, Given, Load, Provenance, Rate, SecureErase, SteadyState};
use crate::text::Span;
use crate::units::{BlockSize, Metric, QueueDepth, RunTime, Threads};

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What names the step in ids and tables: `as`, else the workload's name, else the node's name.
    /// In a `for-each` its value stands behind that: `recovered pause=30s`.
    /// Unique within its test (or within `setup`, `before-each`), steps inside of steps included.
    pub label: String,
    /// The names of the `for-each` around with their values as shown, the outermost first.
    pub variant: Vec<(String, String)>,
    /// What is to be done.
    pub kind: StepKind,
    /// The provenance of the step itself.
    pub provenance: Provenance,
    /// The node's name in the text, for diagnostics.
    pub span: Span,
}

impl Step {
    /// The label without the values of the `for-each` around: what the text calls the step.
    pub fn name(&self) -> &str {
        name_in_label(&self.label, &self.variant)
    }
}

/// What a label has behind the step's own name: ` size=4KiB depth=8`.
pub(in crate::plan) fn label_suffix(variant: &[(String, String)]) -> String {
    variant.iter().map(|(name, value)| format!(" {name}={value}")).collect()
}

/// A label without the values of the `for-each` around.
pub(crate) fn name_in_label<'l>(label: &'l str, variant: &[(String, String)]) -> &'l str {
    label.strip_suffix(label_suffix(variant).as_str()).unwrap_or(label)
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// Purges the drive.
    SecureErase(SecureErase),
    /// Makes a partition, which is the area from here on.
    Partition(Partition),
    /// Limits the area to a part of the device, without a partition.
    LimitTo(Given<Extent>),
    /// Writes the area from its start.
    Fill(Fill),
    /// Trims this part of the area, from its start.
    Trim(Given<Extent>),
    /// Sets the drive's write cache: true is on.
    WriteCache(Given<bool>),
    /// Sets something else of the drive or its queue.
    Set(DriveSetting),
    /// No command at all, this long.
    Idle(Given<RunTime>),
    /// Waits until the drive is this cool.
    CoolDown(CoolDown),
    /// A load whose results are not published as the drive's figures.
    Precondition(Load),
    /// A load whose cases are measured.
    Measure(Load),
    /// Steps that are repeated.
    Rounds(Rounds),
    /// The operations of a recorded trace.
    Replay(Replay),
    /// Reads back what was written.
    Verify(Given<VerifyTarget>),
    /// A real application on the drive.
    Application(Given<String>),
    /// Chooses a case by its result.
    Pick(Pick),
}

impl StepKind {
    /// As the plan spells it.
    pub const fn name(&self) -> &'static str {
        match self {
            StepKind::SecureErase(_) => "secure-erase",
            StepKind::Partition(_) => "partition",
            StepKind::LimitTo(_) => "limit-to",
            StepKind::Fill(_) => "fill",
            StepKind::Trim(_) => "trim",
            StepKind::WriteCache(_) => "write-cache",
            StepKind::Set(_) => "setting",
            StepKind::Idle(_) => "idle",
            StepKind::CoolDown(_) => "cool-down",
            StepKind::Precondition(_) => "precondition",
            StepKind::Measure(_) => "measure",
            StepKind::Rounds(_) => "rounds",
            StepKind::Replay(_) => "replay",
            StepKind::Verify(_) => "verify",
            StepKind::Application(_) => "application",
            StepKind::Pick(_) => "pick",
        }
    }

    /// The load, where the step is one.
    pub const fn load(&self) -> Option<&Load> {
        match self {
            StepKind::Precondition(load) | StepKind::Measure(load) => Some(load),
            _ => None,
        }
    }

    /// The steps inside of this one: of rounds, and between the cases of a load.
    pub fn inner(&self) -> &[Step] {
        match self {
            StepKind::Rounds(rounds) => &rounds.steps,
            StepKind::Precondition(load) | StepKind::Measure(load) => &load.between_cases,
            _ => &[],
        }
    }
}

/// A `partition` step.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Its size, a share being of the device.
    pub size: Given<Extent>,
    /// False: it is removed at the end.
    pub keep: Given<bool>,
}

/// A `fill` step.
#[derive(Debug, Clone, PartialEq)]
pub struct Fill {
    /// How much is written.
    pub amount: Given<FillAmount>,
    /// True for `on="device"`: the whole device, around partition and limit.
    pub on_device: Given<bool>,
    /// Size of one write; the last one may be shorter so that no hole is left.
    pub block_size: Given<BlockSize>,
    /// Threads.
    pub threads: Given<Threads>,
    /// Depth of each thread.
    pub queue_depth: Given<QueueDepth>,
    /// The order of the writes: sequential, or random with every block once.
    pub access: Given<Access>,
    /// What is written.
    pub data: Given<Data>,
    /// Bytes or operations per second; none: as fast as possible.
    pub rate: Option<Given<Rate>>,
}

/// How much a fill writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FillAmount {
    /// So many times the whole area, at least 1.
    Passes(u32),
    /// Bytes or a share of the area, from its start; at most the whole.
    Extent(Extent),
}

/// A `setting` step.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveSetting {
    /// What is set: `scheduler`, `nomerges`, `power-state` …
    pub name: Given<String>,
    /// To what, as written.
    pub value: Given<String>,
}

/// A `cool-down` step.
#[derive(Debug, Clone, PartialEq)]
pub struct CoolDown {
    /// The temperature in degrees Celsius.
    pub to_celsius: Given<f64>,
    /// The longest wait.
    pub at_most: Given<RunTime>,
}

/// A `rounds` step.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounds {
    /// How many, or the most of them.
    pub count: Given<RoundCount>,
    /// What ends them, where `max` stands.
    pub steady_state: Option<SteadyState>,
    /// The steps of a round.
    pub steps: Vec<Step>,
}

/// How many rounds there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundCount {
    /// Exactly so many.
    Exactly(u32),
    /// At most so many; a steady state ends them.
    AtMost(u32),
}

/// A `replay` step.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The trace file, relative to the plan.
    pub trace: Given<String>,
    /// Times the speed of the trace.
    pub speed: Given<f64>,
    /// The longest pause that is kept; none: all of them.
    pub idle_cap: Option<Given<RunTime>>,
    /// Threads.
    pub threads: Given<Threads>,
    /// Depth of each thread.
    pub queue_depth: Given<QueueDepth>,
    /// Only operations of this kind; none: all.
    pub only: Option<Given<super::Side>>,
    /// How the trace's offsets fall on the area.
    pub map: Given<ReplayMap>,
}

/// How the offsets of a trace fall on the area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayMap {
    /// As they are; one beyond the area is refused.
    Exact,
    /// Shrunk or stretched in proportion.
    Scale,
    /// Beyond the end from the start again.
    Wrap,
}

impl ReplayMap {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            ReplayMap::Exact => "exact",
            ReplayMap::Scale => "scale",
            ReplayMap::Wrap => "wrap",
        }
    }
}

/// What is read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerifyTarget {
    /// What this workload has written.
    Workload(String),
    /// All that was written of the area.
    Area,
}

/// A `pick` step.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// Its name.
    pub name: Given<String>,
    /// The step whose cases are chosen from.
    pub from: Given<String>,
    /// Which case.
    pub choice: PickChoice,
    /// Only cases whose metric keeps these limits.
    pub conditions: Vec<super::Expect>,
}

/// Which case a pick takes.
#[derive(Debug, Clone, PartialEq)]
pub enum PickChoice {
    /// The one with the highest value.
    Highest(Given<Metric>),
    /// The one with the lowest value.
    Lowest(Given<Metric>),
    /// The one nearest the middle of two others.
    Nearest {
        /// Of what.
        metric: Given<Metric>,
        /// One pick.
        between: Given<String>,
        /// Another.
        and: Given<String>,
    },
    /// The one with these axis values.
    At(Vec<Given<AxisValue>>),
}
