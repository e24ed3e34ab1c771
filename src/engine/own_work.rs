//! What the engine itself costs for each operation, apart from the clock and the target.

use std::hint::black_box;

use super::lane::Lane;
use super::shared::SharedLoad;
use super::{EngineError, LoadSpec};
use crate::clock::{Clock, RealClock};

/// The cost of choosing, accounting and recording operations on a target that takes no time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OwnWork {
    /// Operations that were issued.
    pub operations: u64,
    /// Our own work for each, with full metrics and without a clock read, in nanoseconds.
    pub work_ns: f64,
    /// The same with the two clock reads that a real operation has.
    pub work_and_clock_ns: f64,
}

/// Measures one slot of `spec` over so many operations (at least 1) on a null target; filling buffers is not part of it.
///
/// # Errors
///
/// As for any load.
pub fn measure_own_work(spec: &LoadSpec, operations: u64) -> Result<OwnWork, EngineError> {
    let operations = operations.max(1);
    // Latencies like a drive's: 80 us and a tail, so that histogram and intervals are used as in earnest.
    let mut time_ns = 1;
    let mut calls = 0_u64;
    let stepping = || {
        calls += 1;
        time_ns += if calls.is_multiple_of(200) { 1_000_000 } else { 70_000 + (calls & 0x3fff) };
        time_ns
    };
    let work_ns = time_null_target(spec, operations, stepping)?;
    let clock = RealClock;
    let work_and_clock_ns = time_null_target(spec, operations, || clock.now_ns())?;
    Ok(OwnWork { operations, work_ns, work_and_clock_ns })
}

fn time_null_target(spec: &LoadSpec, operations: u64, mut now_ns: impl FnMut() -> u64) -> Result<f64, EngineError> {
    let shared = SharedLoad::new(spec, 1)?;
    shared.open_barrier(now_ns());
    let mut lane = Lane::new(&shared, 0);
    lane.begin();
    let clock = RealClock;
    let begun_ns = clock.now_ns();
    let mut done = 0;
    while done < operations
        && let Some(operation) = lane.next()
    {
        let submitted_ns = now_ns();
        if !lane.submit(&operation, submitted_ns) {
            break;
        }
        let result = black_box(Ok(operation.length_bytes));
        let done_ns = now_ns();
        if !lane.complete(&operation, submitted_ns, done_ns, result) {
            break;
        }
        done += 1;
    }
    Ok((clock.now_ns() - begun_ns) as f64 / done.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::spec;

    #[test]
    fn it_costs_something() {
        let mut load = spec(4096);
        load.limits.time_ns = Some(u64::MAX / 2);
        let work = measure_own_work(&load, 1_000).expect("a sound load");
        assert!(work.operations == 1_000 && work.work_ns > 0.0 && work.work_and_clock_ns > 0.0);
    }
}
