use serde::{Deserialize, Serialize};

use super::FormatVersion;
use crate::device::{Facts, HostFacts, IoCounters};
use crate::measure::{Interval, WindowTotals};
use crate::schedule::{CaseId, Schedule, StepId};

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Counts from 0 without a gap.
    pub sequence: u64,
    /// Monotonic time since the run's start.
    pub at_ns: u64,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum EventKind {
    /// The first event: all that is known before anything is done.
    RunStarted(Box<RunStarted>),
    /// A step begins.
    StepStarted {
        /// The step.
        step: StepId,
    },
    /// A case (or the load of a precondition, or a fill) begins.
    CaseStarted {
        /// Its step.
        step: StepId,
        /// The case.
        case: CaseId,
    },
    /// An interval of a load is complete.
    IntervalSampled(IntervalSampled),
    /// A case ended; its figures.
    CaseFinished(Box<CaseFinished>),
    /// A step ended.
    StepFinished(StepFinished),
    /// A step could not go on. What was measured before is kept.
    StepFailed {
        /// The step.
        step: StepId,
        /// Why, and where.
        failure: Failure,
    },
    /// Somebody asked for the end.
    StopRequested {
        /// `SIGINT`, `SIGTERM`, or what else asked.
        reason: String,
    },
    /// The last event. A journal without it belongs to a run that was cut off.
    RunFinished {
        /// How it ended.
        end: RunEnd,
    },
}

/// All that is known before anything is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// Version of the journal's format.
    pub format: FormatVersion,
    /// Version of the program.
    pub tool_version: String,
    /// The run's name, as its folder is called.
    pub run_id: String,
    /// Wall time, RFC 3339 in UTC.
    pub started_at: String,
    /// SHA-256 of the plan's text, in hex.
    pub plan_sha256: String,
    /// `--set` values that differ from the plan's own, as `name=value`.
    pub changed_params: Vec<String>,
    /// The role that the target plays.
    pub role: String,
    /// The target.
    pub target: Facts,
    /// True where I/O goes around the page cache. False only by an explicit opt-out; such figures are marked.
    pub is_direct: bool,
    /// True where the target is a file that the run made for itself.
    pub is_scratch: bool,
    /// True where the run was simulated and no drive was touched.
    pub is_simulated: bool,
    /// The machine.
    pub host: HostFacts,
    /// The CPUs that slots are dealt over.
    pub cpus: Vec<usize>,
    /// Cost of one reading of the clock.
    pub clock_read_ns: u64,
    /// What is done.
    pub schedule: Schedule,
    /// Warnings and remarks of the checks, one line each, and reasons given by `allow`.
    pub remarks: Vec<String>,
    /// Provenance footnotes: what the plan marks as published, inferred, modelled or imported.
    pub provenance: Vec<String>,
}

/// An interval of a load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IntervalSampled {
    /// The step.
    pub step: StepId,
    /// The case.
    pub case: CaseId,
    /// The figures.
    pub interval: Interval,
}

/// The end of a case, with its figures. A case that a failure or a stop cut short is here too, with what it had.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseFinished {
    /// The step.
    pub step: StepId,
    /// The case.
    pub case: CaseId,
    /// How it ended.
    pub end: StepEnd,
    /// The figures of the window.
    pub totals: WindowTotals,
    /// What the kernel counted on the whole device from before the load to after it; none where it keeps no count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<IoCounters>,
}

/// The end of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepFinished {
    /// The step.
    pub step: StepId,
    /// How it ended.
    pub end: StepEnd,
    /// From its start, with all cases and gaps.
    pub elapsed_ns: u64,
    /// Bytes written, ramps included.
    pub bytes_written: u64,
    /// Bytes read, ramps included.
    pub bytes_read: u64,
}

/// How a case or a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepEnd {
    /// All was done; for a load, its time was over.
    Complete,
    /// The limit on bytes written was reached.
    Written,
    /// The number of passes was reached.
    Passes,
    /// Somebody asked for the end before that.
    Stopped,
    /// It could not go on.
    Failed,
}

impl StepEnd {
    /// True where the figures are those of the whole window that the plan asked for.
    pub const fn is_whole(self) -> bool {
        matches!(self, StepEnd::Complete | StepEnd::Written | StepEnd::Passes)
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEnd {
    /// Every step was done.
    Complete,
    /// Somebody asked for the end.
    Stopped,
    /// A step failed.
    Failed,
}

/// Why a step could not go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// One sentence fragment for people.
    pub message: String,
    /// The cause, for programs.
    pub cause: Cause,
    /// The operation that met it.
    pub operation: Option<String>,
    /// Where on the target, in bytes.
    pub offset_bytes: Option<u64>,
    /// The same in logical blocks.
    pub lba: Option<u64>,
    /// How long the operation was.
    pub length_bytes: Option<u64>,
    /// The step's place in the plan's text.
    pub place: Place,
}

impl Failure {
    /// A failure that no single operation met.
    pub fn new(message: impl Into<String>, cause: Cause, place: Place) -> Self {
        let message = message.into();
        Self { message, cause, operation: None, offset_bytes: None, lba: None, length_bytes: None, place }
    }
}

/// A cause of a failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The operating system's error number.
    Errno(i32),
    /// A transfer moved fewer bytes than asked.
    ShortTransfer {
        /// Bytes that were moved; 0 where nothing was.
        moved_bytes: u64,
    },
    /// The machine could not give what the load needs.
    Resources,
    /// The target is not the one that was approved any more, or is gone.
    Target,
    /// The journal could not be written.
    Journal,
    /// This version cannot carry the step out.
    NotBuilt,
}

/// A place in the plan's text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
}
