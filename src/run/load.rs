//! From a scheduled case to the engine's terms: bytes and nanoseconds.

use super::DRAIN_DEADLINE;
use crate::engine::{AccessOrder, Limits, LoadSpec, Region};
use crate::plan::{Access, Data};
use crate::schedule::{self, Case, CaseId, Ground, ScheduledFill};
use crate::units::{NANOS_PER_SECOND, ReadShare};

/// A fill has one load, named by its slots as a case is.
pub(super) fn fill_case_id(fill: &ScheduledFill) -> CaseId {
    CaseId::new(format!("{}T/{}Q", fill.threads, fill.queue_depth))
}

/// Sequential writes by one cursor, every byte of the region, so many times over; none where the fill is of another
/// kind, which no engine carries out yet.
pub(super) fn of_fill(fill: &ScheduledFill, ground: &Ground, alignment_bytes: usize) -> Option<LoadSpec> {
    if fill.access != Access::SequentialShared || fill.data != Data::Incompressible || fill.rate.is_some() {
        return None;
    }
    let region = region(ground.fill_region(fill));
    let bytes = region.length_bytes.saturating_mul(u64::from(fill.passes));
    Some(LoadSpec {
        threads: fill.threads,
        queue_depth: fill.queue_depth,
        region,
        block_size: fill.block_size,
        read: ReadShare::NONE,
        access: AccessOrder::SequentialShared,
        includes_tail: true,
        ramp_ns: 0,
        limits: Limits { time_ns: None, written_bytes: Some(bytes), moved_bytes: None },
        sample_ns: NANOS_PER_SECOND,
        seed: fill.seed,
        drain_deadline_ns: DRAIN_DEADLINE.as_nanos(),
        alignment_bytes,
    })
}

/// A case as it stands, where it is of the kind that the engines carry out. One pass is as many bytes as the span has in
/// whole blocks (semantics S14).
pub(super) fn of_case(case: &Case, ground: &Ground, alignment_bytes: usize) -> Option<LoadSpec> {
    let plain = case.plain()?;
    let region = region(ground.stream_region(case.streams().next()?));
    Some(LoadSpec {
        threads: plain.threads,
        queue_depth: plain.queue_depth,
        region,
        block_size: plain.block_size,
        read: plain.read,
        access: match plain.access {
            Access::Random => AccessOrder::UniformRandom,
            Access::SequentialShared => AccessOrder::SequentialShared,
            Access::SequentialLanes => AccessOrder::SequentialLanes,
        },
        includes_tail: false,
        ramp_ns: case.ramp.as_nanos(),
        limits: Limits {
            time_ns: case.limits.time.map(|time| time.as_nanos()),
            written_bytes: case.limits.written.map(|bytes| bytes.get()),
            moved_bytes: case.limits.passes.map(|passes| region.length_bytes.saturating_mul(u64::from(passes))),
        },
        sample_ns: case.sample.as_nanos(),
        seed: case.seed,
        drain_deadline_ns: DRAIN_DEADLINE.as_nanos(),
        alignment_bytes,
    })
}

fn region(region: schedule::Region) -> Region {
    Region { start_bytes: region.start, length_bytes: region.length }
}
