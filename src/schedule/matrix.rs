//! A load's axes multiplied out into cases.

use super::{Case, CaseId, CaseLimits, Estimate};
use crate::plan::{Axis, Load, Setting};
use crate::units::{BlockSize, QueueDepth, ReadShare, Threads};

/// The values that one case takes from the axes; what no axis gives is the load's own.
#[derive(Clone, Copy, Default)]
struct Point {
    threads: Option<Threads>,
    queue_depth: Option<QueueDepth>,
    block_size: Option<BlockSize>,
    read: Option<ReadShare>,
}

/// All cases of a load in the order in which they run: axes as written, the last one fastest.
///
/// `seed_root` is what the cases' seeds are derived from: the plan's seed, the test, its repetition and the step (semantics S16).
/// A case's seed depends on its own name and not on its place, so that an edit of one axis leaves the other cases' sequences alone.
pub(super) fn cases(load: &Load, seed_root: &str) -> Vec<Case> {
    let mut points = vec![Point::default()];
    for axis in &load.axes {
        points = points.into_iter().flat_map(|point| along(axis, point)).collect();
    }
    points.into_iter().map(|point| close(load, point, seed_root)).collect()
}

fn along(axis: &Axis, point: Point) -> Vec<Point> {
    match axis {
        Axis::Threads(values) => values.iter().map(|v| Point { threads: Some(v.value), ..point }).collect(),
        Axis::QueueDepth(values) => values.iter().map(|v| Point { queue_depth: Some(v.value), ..point }).collect(),
        Axis::BlockSize(values) => values.iter().map(|v| Point { block_size: Some(v.value), ..point }).collect(),
        Axis::Read(values) => values.iter().map(|v| Point { read: Some(v.value), ..point }).collect(),
    }
}

/// The load's own value, or the axis's. The checker has seen to it that exactly one of them is there.
fn closed<T: Copy>(setting: &Setting<T>, from_axis: Option<T>, name: &str) -> T {
    match (setting, from_axis) {
        (Setting::Fixed(given), _) => given.value,
        (Setting::Axis, Some(value)) => value,
        (Setting::Axis, None) => unreachable!("the checker lets no load pass whose {name} nothing closes"),
    }
}

fn close(load: &Load, point: Point, seed_root: &str) -> Case {
    let threads = closed(&load.threads, point.threads, "threads");
    let queue_depth = closed(&load.queue_depth, point.queue_depth, "queue-depth");
    let block_size = closed(&load.block_size, point.block_size, "block-size");
    let read = closed(&load.read, point.read, "read");
    let mut name = format!("{threads}T/{queue_depth}Q");
    for axis in &load.axes {
        match axis {
            Axis::BlockSize(_) => name.push_str(&format!(" {block_size}")),
            Axis::Read(_) => name.push_str(&format!(" {read}")),
            Axis::Threads(_) | Axis::QueueDepth(_) => {}
        }
    }
    let seed = seed_of(&format!("{seed_root}/{name}"));
    Case {
        id: CaseId::new(name),
        workload: load.workload.value.clone(),
        access: load.access.value,
        block_size,
        read,
        span: load.span.value,
        threads,
        queue_depth,
        ramp: load.ramp.value,
        limits: CaseLimits {
            time: load.run.time.map(|given| given.value),
            written: load.run.written.map(|given| given.value),
            passes: load.run.passes.map(|given| given.value),
        },
        sample: load.sample.value,
        seed,
        estimate: Estimate::nothing(),
    }
}

/// 64 bits from a name: FNV-1a, finished by a mix so that near names give far seeds.
pub(super) fn seed_of(name: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
