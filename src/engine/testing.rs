//! Loads for the tests of this folder.

use super::{AccessOrder, Limits, LoadSpec, Region};
use crate::units::{BlockSize, Percent, QueueDepth, ReadShare, Threads};

/// One thread, depth 1, random reads over 1,000 blocks for 10 ms.
pub(super) fn spec(block_bytes: u64) -> LoadSpec {
    LoadSpec {
        threads: Threads::ONE,
        queue_depth: QueueDepth::ONE,
        region: Region { start_bytes: 0, length_bytes: 1_000 * block_bytes },
        block_size: BlockSize::new(block_bytes).expect("positive"),
        read: ReadShare::ALL,
        access: AccessOrder::UniformRandom,
        includes_tail: false,
        ramp_ns: 0,
        limits: Limits { time_ns: Some(10_000_000), ..Limits::default() },
        sample_ns: 1_000_000,
        seed: 1,
        // Long, for real threads on a busy machine are slow to be seen out; a test of hanging ones sets its own.
        drain_deadline_ns: 600_000_000_000,
        alignment_bytes: 4096,
    }
}

/// A read share in whole percent.
pub(super) fn read(percent: u32) -> ReadShare {
    ReadShare::new(Percent::from_parts_per_million(percent * 10_000)).expect("at most 100 %")
}

/// So many threads at such a depth.
pub(super) fn slots(spec: &mut LoadSpec, threads: u32, queue_depth: u32) {
    spec.threads = Threads::new(threads).expect("positive");
    spec.queue_depth = QueueDepth::new(queue_depth).expect("positive");
}
