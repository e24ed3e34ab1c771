//! Loads as written.

use crate::plan::model::{
    self, Arrivals, Burst, Curve, Expect, Given, NamedWindow, OnError, OnInterruption, Rate, Skip, Start, SteadyState,
    WrittenLimit,
};
use crate::text::Span;
use crate::units::{QueueDepth, RunTime, Threads};

use super::{Leaf, Parts, Steps};

/// A load.
#[derive(Debug, Clone, Default)]
pub(in crate::plan) struct Load {
    /// What runs at the same time: each `load`, or what the step itself says where it names its workload.
    pub(in crate::plan) parts: Vec<LoadPart>,
    pub(in crate::plan) axes: Vec<Axis>,
    /// Some axis was refused: what is missing may be that one.
    pub(in crate::plan) has_faulty_axes: bool,
    pub(in crate::plan) skips: Vec<Given<Skip>>,
    /// Its place is the node's name.
    pub(in crate::plan) curve: Leaf<Curve>,
    /// The pick that gives threads, queue depth and the values of the axes that it chooses from.
    pub(in crate::plan) load_of: Leaf<String>,
    pub(in crate::plan) ramp: Leaf<RunTime>,
    pub(in crate::plan) run: Option<Run>,
    pub(in crate::plan) sample: Leaf<RunTime>,
    pub(in crate::plan) health_every: Leaf<RunTime>,
    pub(in crate::plan) windows: Vec<NamedWindow>,
    /// Some window was refused: a name that is missing may be its.
    pub(in crate::plan) has_faulty_windows: bool,
    pub(in crate::plan) steady_state: Leaf<SteadyState>,
    /// The steps between two cases.
    pub(in crate::plan) between_cases: Steps,
    pub(in crate::plan) expects: Vec<Expect>,
    pub(in crate::plan) on_error: Leaf<OnError>,
    pub(in crate::plan) on_interruption: Leaf<OnInterruption>,
    /// Words in it that are not carried out yet and may set what is missing (`apply`).
    pub(in crate::plan) is_partial: bool,
}

/// One of the workloads of a load with its slots.
#[derive(Debug, Clone, Default)]
pub(in crate::plan) struct LoadPart {
    /// `as` of a `load`.
    pub(in crate::plan) name: Option<Given<String>>,
    pub(in crate::plan) workload: Leaf<String>,
    pub(in crate::plan) parts: Parts,
    pub(in crate::plan) threads: Leaf<Threads>,
    pub(in crate::plan) queue_depth: Leaf<QueueDepth>,
    pub(in crate::plan) rate: Leaf<Rate>,
    pub(in crate::plan) arrivals: Leaf<Arrivals>,
    pub(in crate::plan) burst: Leaf<Burst>,
    pub(in crate::plan) start: Leaf<Start>,
    /// The node's name in the text.
    pub(in crate::plan) span: Span,
    /// From the node's name to its last value.
    pub(in crate::plan) head: Span,
    /// Words in it that may set what is missing were refused.
    pub(in crate::plan) is_partial: bool,
}

/// `run`: limits.
#[derive(Debug, Clone, Default)]
pub(in crate::plan) struct Run {
    pub(in crate::plan) time: Leaf<RunTime>,
    pub(in crate::plan) written: Leaf<WrittenLimit>,
    pub(in crate::plan) passes: Leaf<u32>,
    pub(in crate::plan) steady: Leaf<bool>,
}

/// An axis of a matrix with the place of its name.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Axis {
    pub(in crate::plan) axis: model::Axis,
    pub(in crate::plan) span: Span,
}

impl LoadPart {
    /// What it is called among the loads of a step: `as`, else its workload's name, where it can be read.
    pub(in crate::plan) fn label(&self) -> Option<&str> {
        let name = self.name.as_ref().or(self.workload.given())?;
        Some(&name.value)
    }
}
