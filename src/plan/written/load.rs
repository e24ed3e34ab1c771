//! Loads as written.

use crate::plan::model::{self, Given};
use crate::text::Span;
use crate::units::{ByteCount, QueueDepth, RunTime, Threads};

use super::{Leaf, Parts};

/// A load.
#[derive(Debug, Clone, Default)]
pub(in crate::plan) struct Load {
    /// What runs at the same time: each `load`, or what the step itself says where it names its workload.
    pub(in crate::plan) parts: Vec<LoadPart>,
    pub(in crate::plan) axes: Vec<Axis>,
    /// Some axis was refused: what is missing may be that one.
    pub(in crate::plan) has_faulty_axes: bool,
    pub(in crate::plan) ramp: Leaf<RunTime>,
    pub(in crate::plan) run: Option<Run>,
    pub(in crate::plan) sample: Leaf<RunTime>,
    /// Words in it that are not carried out yet and may set what is missing (`apply`, `load-of`).
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
    pub(in crate::plan) written: Leaf<ByteCount>,
    pub(in crate::plan) passes: Leaf<u32>,
}

/// An axis of a matrix with the place of its name.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Axis {
    pub(in crate::plan) axis: model::Axis,
    pub(in crate::plan) span: Span,
}
