//! At which pace a load goes, and how long.

use serde::{Deserialize, Serialize};

use super::Given;
use crate::units::{ByteCount, Percent, RunTime};

/// What is asked for per second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// How much.
    pub amount: RateAmount,
    /// The capacity that it is for: a drive twice as large gets twice the rate. None: for any drive.
    #[serde(rename = "per_bytes")]
    pub per: Option<ByteCount>,
}

/// An amount per second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateAmount {
    /// Operations.
    #[serde(rename = "iops")]
    Operations(f64),
    /// Bytes.
    #[serde(rename = "bytes_per_second")]
    Bytes(f64),
}

/// How the operations of a rated load are spaced (semantics S9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// Evenly.
    Fixed,
    /// As independent arrivals.
    Poisson,
}

impl Arrivals {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Arrivals::Fixed => "fixed",
            Arrivals::Poisson => "poisson",
        }
    }
}

/// Load and pause in turn, beginning with the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Burst {
    /// Length of the load.
    pub on: Given<RunTime>,
    /// Length of the pause.
    pub off: Given<RunTime>,
}

/// Where a sequential load begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// At the start of the span.
    Beginning,
    /// Where the last load of the same workload ended.
    Continue,
}

impl Start {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Start::Beginning => "beginning",
            Start::Continue => "continue",
        }
    }
}

/// A load curve: a closed loop that gives the maximum, then rates in shares of it (semantics S8).
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// How the points are written.
    pub points: CurvePoints,
    /// How often the maximum is measured; its median counts.
    pub repeat_max: Given<u32>,
    /// The mean latency above which no further point is done.
    pub stop_above: Option<Given<RunTime>>,
}

/// The points of a curve, rising.
#[derive(Debug, Clone, PartialEq)]
pub enum CurvePoints {
    /// From the first to the last in steps; the last one is there even where the steps do not meet it.
    Steps {
        /// The first point.
        from: Given<Percent>,
        /// The last point.
        to: Given<Percent>,
        /// Between points.
        step: Given<Percent>,
    },
    /// One by one.
    Listed(Vec<Given<Percent>>),
}

impl CurvePoints {
    /// The shares of the maximum, rising.
    pub fn shares(&self) -> Vec<Percent> {
        match self {
            CurvePoints::Listed(points) => points.iter().map(|point| point.value).collect(),
            CurvePoints::Steps { from, to, step } => {
                let (from, to) = (from.value.parts_per_million(), to.value.parts_per_million());
                let step = step.value.parts_per_million().max(1);
                let mut points: Vec<u32> = (from..=to).step_by(step as usize).collect();
                if points.last().is_some_and(|last| *last < to) {
                    points.push(to);
                }
                points.into_iter().map(Percent::from_parts_per_million).collect()
            }
        }
    }
}

/// The limits of `run`, counted from the start of the window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunLimits {
    /// Length of the window.
    pub time: Option<Given<RunTime>>,
    /// Bytes written.
    pub written: Option<Given<WrittenLimit>>,
    /// Bytes moved, as a multiple of the load's span.
    pub passes: Option<Given<u32>>,
    /// `steady=#true`: a steady state ends it.
    pub steady: Option<Given<bool>>,
}

impl RunLimits {
    /// True where `steady=#true` stands.
    pub fn ends_when_steady(&self) -> bool {
        self.steady.is_some_and(|steady| steady.value)
    }
}

/// An amount of written bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenLimit {
    /// So many bytes.
    Bytes(ByteCount),
    /// Times the capacity of the device.
    DriveWrites(f64),
}
