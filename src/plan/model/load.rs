//! Loads: who issues operations, and over which axes.

use serde::{Deserialize, Serialize};

use super::{
    Arrivals, Burst, Curve, Expect, Extent, Given, NamedWindow, Rate, RunLimits, SpanOfArea, Start, SteadyState, Step,
    Stream,
};
use crate::units::{BlockSize, Percent, QueueDepth, ReadShare, RunTime, Threads};

/// A value of a load: the same for all its cases, one of the axes of its matrix, or one that a pick chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting<T> {
    /// One value for all cases.
    Fixed(Given<T>),
    /// The matrix has an axis of this kind.
    Axis,
    /// `load-of` takes it from a result.
    Picked,
}

impl<T> Setting<T> {
    /// The one value, where there is one.
    pub const fn fixed(&self) -> Option<&Given<T>> {
        match self {
            Setting::Fixed(given) => Some(given),
            Setting::Axis | Setting::Picked => None,
        }
    }
}

/// A load: one workload, or several at the same time, and a length; or a matrix or a curve of such.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// The workloads that run at the same time, each with slots of its own; nearly always one.
    pub parts: Vec<LoadPart>,
    /// The axes in the order in which they are written; the last one varies fastest. Empty: one case.
    pub axes: Vec<Axis>,
    /// What is left out of the matrix where the drive cannot do it.
    pub skips: Vec<Given<Skip>>,
    /// Rates in shares of a measured maximum, if the load is a curve. A curve has no axes.
    pub curve: Option<Curve>,
    /// The pick that gives what is [`Setting::Picked`].
    pub load_of: Option<Given<String>>,
    /// Time at full pace before the window, for every case.
    pub ramp: Given<RunTime>,
    /// When a case ends: the first limit that is reached; at least one is there.
    pub run: RunLimits,
    /// Length of an interval.
    pub sample: Given<RunTime>,
    /// Time between polls of the drive's health; none: no polling inside the load.
    pub health_every: Option<Given<RunTime>>,
    /// Named parts of the run.
    pub windows: Vec<NamedWindow>,
    /// The rule of steadiness, if one is judged.
    pub steady_state: Option<SteadyState>,
    /// Steps between two cases.
    pub between_cases: Vec<Step>,
    /// Limits that the results must meet.
    pub expects: Vec<Expect>,
    /// What an I/O error does.
    pub on_error: Given<OnError>,
    /// What a resumed run does with the load.
    pub on_interruption: Given<OnInterruption>,
}

/// One of the workloads of a load with its slots and its pace.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadPart {
    /// `as` of a `load`; none where it says nothing or the load is the step itself.
    pub name: Option<Given<String>>,
    /// The workload's name.
    pub workload: Given<String>,
    /// The streams, at least one; their shares sum to 100 %.
    pub streams: Vec<Stream>,
    /// Threads.
    pub threads: Setting<Threads>,
    /// Depth of each thread.
    pub queue_depth: Setting<QueueDepth>,
    /// What is asked for per second; none: as fast as possible.
    pub rate: Option<Setting<Rate>>,
    /// How the operations of a rated load are spaced.
    pub arrivals: Given<Arrivals>,
    /// Load and pause in turn.
    pub burst: Option<Burst>,
    /// Where a sequential load begins.
    pub start: Given<Start>,
}

impl LoadPart {
    /// What it is called among the loads of a step: `as`, else its workload's name.
    pub fn label(&self) -> &str {
        self.name.as_ref().map_or(&self.workload.value, |name| &name.value)
    }
}

/// An axis of a matrix: a kind of value and at least one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// Threads.
    Threads(Vec<Given<Threads>>),
    /// Queue depths.
    QueueDepth(Vec<Given<QueueDepth>>),
    /// Block sizes.
    BlockSize(Vec<Given<BlockSize>>),
    /// Shares of reads.
    Read(Vec<Given<ReadShare>>),
    /// Shares of trims.
    Trim(Vec<Given<Percent>>),
    /// Rates.
    Rate(Vec<Given<Rate>>),
    /// Parts of the area.
    Span(Vec<Given<SpanOfArea>>),
}

impl Axis {
    /// As the plan spells it.
    pub const fn name(&self) -> &'static str {
        match self {
            Axis::Threads(_) => "threads",
            Axis::QueueDepth(_) => "queue-depth",
            Axis::BlockSize(_) => "block-size",
            Axis::Read(_) => "read",
            Axis::Trim(_) => "trim",
            Axis::Rate(_) => "rate",
            Axis::Span(_) => "span",
        }
    }

    /// How many values it has.
    pub fn len(&self) -> usize {
        match self {
            Axis::Threads(values) => values.len(),
            Axis::QueueDepth(values) => values.len(),
            Axis::BlockSize(values) => values.len(),
            Axis::Read(values) => values.len(),
            Axis::Trim(values) => values.len(),
            Axis::Rate(values) => values.len(),
            Axis::Span(values) => values.len(),
        }
    }

    /// An axis always has values; this is here because `len` is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A value of an axis, as `at` names a case of a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AxisValue {
    /// Threads.
    Threads(Threads),
    /// A queue depth.
    QueueDepth(QueueDepth),
    /// A block size.
    BlockSize(BlockSize),
    /// A share of reads.
    Read(ReadShare),
    /// A share of trims.
    Trim(Percent),
    /// A rate.
    Rate(Rate),
    /// A part of the area.
    Span(Extent),
}

impl AxisValue {
    /// The axis it is a value of, as the plan spells it.
    pub const fn axis(&self) -> &'static str {
        match self {
            AxisValue::Threads(_) => "threads",
            AxisValue::QueueDepth(_) => "queue-depth",
            AxisValue::BlockSize(_) => "block-size",
            AxisValue::Read(_) => "read",
            AxisValue::Trim(_) => "trim",
            AxisValue::Rate(_) => "rate",
            AxisValue::Span(_) => "span",
        }
    }
}

/// What a matrix may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skip {
    /// Block sizes that are no multiple of the drive's logical block.
    UnsupportedBlockSize,
}

impl Skip {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Skip::UnsupportedBlockSize => "unsupported-block-size",
        }
    }
}

/// What an I/O error does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// Ends the step.
    Fail,
    /// Is counted, up to so many.
    Continue {
        /// The most errors.
        max: u32,
    },
}

/// What a resumed run does with a load that was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnInterruption {
    /// Does it again.
    Repeat,
    /// Goes on.
    Continue,
}

impl OnInterruption {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            OnInterruption::Repeat => "repeat",
            OnInterruption::Continue => "continue",
        }
    }
}
