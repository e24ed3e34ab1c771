//! What is judged of a load: windows, steadiness, limits on results.

use serde::{Deserialize, Serialize};

use super::{AxisValue, Given};
use crate::text::Span;
use crate::units::{ByteCount, Metric, Percent, RunTime};

/// A named part of a run that numbers are taken from.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedWindow {
    /// Its name, unique in the load.
    pub name: Given<String>,
    /// Which part.
    pub part: WindowPart,
}

/// The part of a run that a named window covers.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowPart {
    /// The end of the run, this long.
    Last(Given<Mark>),
    /// From one mark to another, counted from the start of the window.
    Between {
        /// Its start.
        from: Given<Mark>,
        /// Its end.
        to: Given<Mark>,
    },
}

/// A place in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Mark {
    /// By time.
    Time(RunTime),
    /// By bytes written.
    Written(ByteCount),
}

/// The rule of steadiness (semantics S21).
#[derive(Debug, Clone, PartialEq)]
pub struct SteadyState {
    /// What is judged.
    pub metric: Given<Metric>,
    /// How much is judged at a time.
    pub window: Given<SteadyWindow>,
    /// Largest minus smallest value, of the mean.
    pub range: Given<Percent>,
    /// Rise of the fitted line over the window, of the mean.
    pub slope: Given<Percent>,
    /// What must have been written before the first judgement; none in rounds.
    pub not_before: Option<Given<NotBefore>>,
    /// The case that is judged, where there are several.
    pub at: Option<TrackedCase>,
    /// The node's name.
    pub span: Span,
}

/// How much a rule of steadiness looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SteadyWindow {
    /// So many rounds.
    Rounds(u32),
    /// So much time.
    #[serde(rename = "time_ns")]
    Time(RunTime),
}

/// What must have happened before steadiness is judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotBefore {
    /// So many times the bytes of the load's span.
    Passes(f64),
    /// So many bytes.
    Bytes(ByteCount),
    /// So many times the capacity of the device.
    DriveWrites(f64),
    /// So much time.
    #[serde(rename = "time_ns")]
    Time(RunTime),
}

/// A case of a step by its axis values.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackedCase {
    /// The step.
    pub step: Given<String>,
    /// The values of its axes, in the order in which they are written.
    pub values: Vec<Given<AxisValue>>,
}

/// A limit that a result must meet (semantics S22).
#[derive(Debug, Clone, PartialEq)]
pub struct Expect {
    /// What is held against the limits.
    pub metric: Given<Metric>,
    /// The limits, at least one.
    pub limits: Vec<(Bound, Given<MetricValue>)>,
    /// The capacity that the limits are for; none: for any drive.
    pub per: Option<Given<ByteCount>>,
    /// A named window; none: the whole.
    pub window: Option<Given<String>>,
}

/// How a limit is held against a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// More than.
    Above,
    /// Less than.
    Below,
    /// Not less than.
    AtLeast,
    /// Not more than.
    AtMost,
}

impl Bound {
    /// All, in the order of the reference.
    pub const ALL: [Bound; 4] = [Bound::Above, Bound::Below, Bound::AtLeast, Bound::AtMost];

    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Bound::Above => "above",
            Bound::Below => "below",
            Bound::AtLeast => "at-least",
            Bound::AtMost => "at-most",
        }
    }
}

/// A value to hold a result against.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum MetricValue {
    /// Operations per second.
    Iops(f64),
    /// Bytes per second.
    Throughput(f64),
    /// A latency.
    Time(RunTime),
    /// Bytes.
    Bytes(ByteCount),
    /// A share.
    Percent(Percent),
    /// Degrees Celsius.
    Celsius(f64),
    /// A bare number.
    Number(f64),
}
