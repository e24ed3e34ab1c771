//! Workloads as written.

use super::Leaf;
use crate::plan::model::{Data, Given, Sizes, SpanOfArea, Spread, ThinkTime};
use crate::units::{Percent, ReadShare};

/// A `workload` node.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Workload {
    pub(in crate::plan) name: Given<String>,
    /// What it says of its operations; of all its streams where it has several.
    pub(in crate::plan) parts: Parts,
    pub(in crate::plan) streams: Vec<Stream>,
    /// Something in it was refused, or is not known: what is missing may be that.
    pub(in crate::plan) is_partial: bool,
}

/// A `stream` node.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Stream {
    pub(in crate::plan) name: Given<String>,
    /// `"rest"` is put in.
    pub(in crate::plan) share: Given<Percent>,
    pub(in crate::plan) parts: Parts,
}

/// What an operation is; stands in a workload, in a stream and in a load.
#[derive(Debug, Clone, Default)]
pub(in crate::plan) struct Parts {
    pub(in crate::plan) access: Leaf<Access>,
    pub(in crate::plan) block_size: Leaf<Sizes>,
    pub(in crate::plan) read: Leaf<ReadShare>,
    pub(in crate::plan) trim: Leaf<Percent>,
    pub(in crate::plan) span: Leaf<SpanOfArea>,
    pub(in crate::plan) data: Leaf<Data>,
    pub(in crate::plan) flush_every: Leaf<u32>,
    pub(in crate::plan) think_time: Leaf<ThinkTime>,
}

/// The order of offsets, before the threads are known.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::plan) enum Access {
    /// With how the offsets fall.
    Random(Spread),
    /// With its cursor, where one is named.
    Sequential(Option<Cursor>),
}

/// How threads divide sequential access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::plan) enum Cursor {
    Shared,
    Lanes,
}
