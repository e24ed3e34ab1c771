//! Whole loads without hardware or time.

use std::collections::BTreeMap;

use super::testing::{read, slots, spec};
use super::*;
use crate::clock::{Clock, SimulatedClock};
use crate::measure::{Direction, Ended, IoCause, LoadOutcome, Moments, Percentile, SideHistograms, Sides};

/// Runs a load and answers its outcome and its intervals.
fn run(spec: &LoadSpec, target: impl SimulatedTarget) -> (LoadOutcome, Vec<Interval>) {
    let mut engine = SimulatedEngine::new(target, SimulatedClock::default());
    let mut intervals = Vec::new();
    let outcome =
        engine.run_load(spec, &StopFlag::new(), &mut |interval| intervals.push(*interval)).expect("a sound load");
    (outcome, intervals)
}

fn served(request: &Request, latency_ns: u64) -> Response {
    Response { latency_ns, result: Ok(request.length_bytes) }
}

fn sum(intervals: &[Interval]) -> Sides {
    let mut sides = Sides::default();
    intervals.iter().for_each(|interval| sides.add(&interval.sides));
    sides
}

#[test]
fn a_known_latency_comes_out_exactly() {
    let (outcome, intervals) = run(&spec(4096), ConstantLatency { read_ns: 100_000, write_ns: 1 });
    // 10 ms at 100 us: completions at 0.1 ms ... 9.9 ms count, the one at 10 ms lies outside [t0, t1).
    let totals = &outcome.totals;
    assert_eq!((outcome.ended, totals.sides.operations(), totals.length_ns), (Ended::Time, 99, 10_000_000));
    assert_eq!(totals.iops(), Some(9_900.0));
    let reads = totals.sides.read.moments;
    assert_eq!((reads.mean_ns(), reads.deviation_ns(), reads.max_ns), (Some(100_000.0), Some(0.0), 100_000));
    assert_eq!(totals.percentile_ns(Percentile::P99_99), Some(100_000));
    assert_eq!((totals.in_flight.operations, totals.in_flight.longest_ns), (1, 100_000));
    let counts: Vec<u64> = intervals.iter().map(|interval| interval.sides.operations()).collect();
    assert_eq!(counts, [9, 10, 10, 10, 10, 10, 10, 10, 10, 10]);
    assert!(intervals.iter().all(|interval| !interval.is_partial && interval.length_ns == 1_000_000));
}

#[test]
fn a_distribution_over_256_slots_comes_out_exactly() {
    let mut load = spec(4096);
    slots(&mut load, 16, 16);
    load.read = read(70);
    load.limits.time_ns = Some(50_000_000);
    let mut expected = (Vec::new(), SideHistograms::default());
    // Latencies by rank of serving: 1 % are twenty times as long; writes take longer.
    let (outcome, intervals) = run(&load, |request: &Request| {
        let base = if request.direction == Direction::Read { 80_000 } else { 95_000 };
        let latency_ns = (base + request.served % 977) * if request.served.is_multiple_of(100) { 20 } else { 1 };
        if request.submitted_ns + latency_ns < 50_000_000 {
            expected.0.push((request.direction, latency_ns));
            match request.direction {
                Direction::Read => expected.1.read.record(latency_ns),
                Direction::Write => expected.1.write.record(latency_ns),
            }
        }
        served(request, latency_ns)
    });
    let totals = &outcome.totals;
    assert!(expected.0.len() > 100_000);
    assert_eq!(totals.histograms, expected.1);
    for (direction, side) in [(Direction::Read, totals.sides.read), (Direction::Write, totals.sides.write)] {
        let mut moments = Moments::default();
        expected.0.iter().filter(|of| of.0 == direction).for_each(|of| moments.record(of.1));
        assert_eq!((side.moments, side.bytes), (moments, moments.count * 4096));
    }
    assert_eq!(sum(&intervals), totals.sides);
    assert_eq!((totals.in_flight.operations, totals.late_records), (256, 0));
    let mut latencies: Vec<u64> = expected.0.iter().map(|of| of.1).collect();
    latencies.sort_unstable();
    for percentile in [Percentile::P50, Percentile::P99, Percentile::P99_9, Percentile::P99_99] {
        let exact = latencies[percentile.rank(latencies.len() as u64) as usize - 1];
        let printed = totals.percentile_ns(percentile).expect("has operations");
        assert!(printed >= exact && printed - exact <= exact / 1_000, "{percentile}: {printed} for {exact}");
    }
    let share = totals.sides.read_share().expect("has operations");
    assert!((share - 0.7).abs() < 0.02, "{share}");
}

#[test]
fn intervals_sum_to_the_total_and_only_the_last_is_partial() {
    let mut load = spec(512);
    load.limits.time_ns = Some(10_300_000);
    slots(&mut load, 1, 3);
    let (outcome, intervals) = run(&load, |request: &Request| served(request, 7_000 + request.served % 13 * 900));
    assert_eq!(sum(&intervals), outcome.totals.sides);
    let last = intervals.last().expect("there are some");
    assert_eq!((intervals.len(), last.is_partial, last.length_ns, last.start_ns), (11, true, 300_000, 10_000_000));
    assert!(intervals[..10].iter().all(|interval| !interval.is_partial));
    assert!(intervals.iter().enumerate().all(|(index, interval)| interval.index == index as u64));
}

#[test]
fn an_interval_without_an_operation_is_told_as_well() {
    let mut load = spec(512);
    load.limits.time_ns = Some(30_000_000);
    let stall = |request: &Request| served(request, if request.served == 5 { 20_000_000 } else { 100_000 });
    let (outcome, intervals) = run(&load, stall);
    assert_eq!(intervals.len(), 30);
    assert!(intervals[1..20].iter().all(|interval| interval.sides.operations() == 0 && interval.iops() == 0.0));
    assert_eq!(outcome.totals.sides.read.moments.max_ns, 20_000_000);
    assert_eq!((sum(&intervals), outcome.totals.late_records), (outcome.totals.sides, 0));
}

#[test]
fn an_operation_begun_in_the_ramp_counts_where_it_completes_with_its_full_latency() {
    let mut load = spec(512);
    load.ramp_ns = 1_000_000;
    load.limits.time_ns = Some(1_000_000);
    // Completions at 0.4, 0.8, 1.2, 1.6 and 2.0 ms; the window is [1 ms, 2 ms).
    let (outcome, _) = run(&load, ConstantLatency { read_ns: 400_000, write_ns: 1 });
    let totals = outcome.totals;
    assert_eq!((totals.ramp_ns, totals.length_ns), (1_000_000, 1_000_000));
    assert_eq!((totals.ramp.read_operations, totals.sides.operations(), totals.in_flight.operations), (2, 2, 1));
    assert_eq!((totals.sides.read.moments.min_ns, totals.moved.read_operations), (400_000, 5));
}

#[test]
fn the_window_waits_for_the_slowest_slots_first_operation() {
    let mut load = spec(512);
    slots(&mut load, 2, 1);
    load.ramp_ns = 1_000_000;
    load.limits.time_ns = Some(10_000_000);
    let (outcome, intervals) = run(&load, |request: &Request| {
        served(request, if request.slot == 1 && request.submitted_ns == 0 { 5_500_000 } else { 1_000_000 })
    });
    // t0 lies 1 ns after the operation that was waited for.
    let totals = &outcome.totals;
    assert_eq!((totals.ramp_ns, totals.length_ns), (5_500_001, 10_000_000));
    assert_eq!((totals.ramp.read_operations, totals.sides.operations()), (6, 20));
    assert_eq!(sum(&intervals), totals.sides);
}

#[test]
fn a_stall_across_the_end_is_not_lost() {
    let mut load = spec(512);
    let stall = |request: &Request| served(request, if request.served == 50 { 900_000_000 } else { 100_000 });
    let (outcome, _) = run(&load, stall);
    let maximum = outcome.totals.maximum().expect("has operations");
    assert_eq!((maximum.latency_ns, maximum.is_lower_bound), (900_000_000, true));
    assert_eq!((outcome.ended, outcome.totals.in_flight.unfinished), (Ended::Time, 0));
    assert_eq!(outcome.totals.sides.read.moments.max_ns, 100_000);
    assert_eq!(outcome.totals.moved.read_operations, 51);

    // Beyond the deadline it is given up: age when waiting ended, and the load has failed.
    load.drain_deadline_ns = 500_000_000;
    let (outcome, intervals) = run(&load, stall);
    let in_flight = outcome.totals.in_flight;
    assert_eq!((in_flight.operations, in_flight.unfinished, in_flight.longest_ns), (1, 1, 505_000_000));
    assert_eq!(outcome.ended, Ended::Failed);
    let failure = outcome.failure.expect("a silent operation is a failure");
    assert_eq!((failure.cause, failure.length_bytes), (IoCause::Silent { age_ns: 505_000_000 }, 512));
    assert_eq!((outcome.totals.length_ns, intervals.len()), (10_000_000, 10));
}

#[test]
fn a_slot_that_hangs_in_the_ramp_ends_the_load() {
    let mut load = spec(512);
    load.drain_deadline_ns = 1_000_000_000;
    slots(&mut load, 2, 1);
    load.ramp_ns = 1_000_000;
    let (outcome, intervals) =
        run(&load, |request: &Request| served(request, if request.slot == 1 { u64::MAX / 2 } else { 100_000 }));
    assert_eq!((outcome.ended, outcome.totals.sides.operations(), intervals.len()), (Ended::Failed, 0, 0));
    assert!(matches!(outcome.failure.expect("told").cause, IoCause::Silent { age_ns: 1_001_000_000 }));
}

#[test]
fn byte_limits_are_exact_to_the_operation() {
    for (threads, access, limit, expected) in [
        (1, AccessOrder::UniformRandom, 40_960, 10),
        (16, AccessOrder::UniformRandom, 40_959, 9),
        (16, AccessOrder::SequentialShared, 45_055, 10),
        (16, AccessOrder::UniformRandom, 4_096, 1),
        (4, AccessOrder::UniformRandom, 4_095, 0),
    ] {
        let mut load = spec(4096);
        slots(&mut load, threads, 1);
        load.read = read(0);
        load.access = access;
        load.limits = Limits { written_bytes: Some(limit), ..Limits::default() };
        let mut issued = 0;
        let (outcome, intervals) = run(&load, |request: &Request| {
            issued += 1;
            served(request, 100_000 + request.slot)
        });
        assert_eq!((issued, outcome.totals.sides.operations()), (expected, expected), "limit {limit}");
        assert_eq!((outcome.ended, outcome.totals.in_flight.operations), (Ended::Written, 0));
        assert_eq!(sum(&intervals), outcome.totals.sides);
    }
}

#[test]
fn a_limit_on_what_is_written_ends_a_mix_at_the_last_write() {
    let mut load = spec(4096);
    slots(&mut load, 8, 1);
    load.read = read(50);
    load.limits = Limits { written_bytes: Some(100 * 4096), ..Limits::default() };
    let mut writes = 0;
    let mut last_write_ns = 0;
    let (outcome, _) = run(&load, |request: &Request| {
        let latency_ns = 50_000 + request.served % 7 * 1_000;
        if request.direction == Direction::Write {
            writes += 1;
            last_write_ns = last_write_ns.max(request.submitted_ns + latency_ns);
        }
        served(request, latency_ns)
    });
    let totals = &outcome.totals;
    assert_eq!((outcome.ended, writes, totals.sides.write.moments.count), (Ended::Written, 100, 100));
    assert_eq!(totals.length_ns, last_write_ns);
    assert!(totals.sides.read.moments.count > 50);
}

#[test]
fn a_window_ended_by_bytes_has_the_length_up_to_the_last_completion() {
    let mut load = spec(4096);
    load.limits = Limits { moved_bytes: Some(25 * 4096), ..Limits::default() };
    let (outcome, intervals) = run(&load, ConstantLatency { read_ns: 100_000, write_ns: 1 });
    assert_eq!((outcome.ended, outcome.totals.length_ns), (Ended::Passes, 2_500_000));
    assert_eq!((outcome.totals.sides.operations(), outcome.totals.iops()), (25, Some(10_000.0)));
    let last = intervals.last().expect("there are some");
    assert_eq!((intervals.len(), last.is_partial, last.length_ns), (3, true, 500_000));
}

#[test]
fn limits_count_from_the_window_on_but_the_budget_counts_the_ramp() {
    let mut load = spec(4096);
    slots(&mut load, 4, 1);
    load.read = read(0);
    load.ramp_ns = 10_000_000;
    load.limits = Limits { written_bytes: Some(100 * 4096), ..Limits::default() };
    let (outcome, _) = run(&load, ConstantLatency { read_ns: 1, write_ns: 300_000 });
    let totals = outcome.totals;
    assert_eq!((outcome.ended, totals.sides.write.moments.count), (Ended::Written, 100));
    assert_eq!(totals.ramp.write_operations, 33 * 4);
    assert_eq!(totals.moved.bytes_written, (100 + 132) * 4096);
}

#[test]
fn a_fill_writes_each_block_once_a_pass_with_its_tail_whatever_the_order_of_completion() {
    for access in [AccessOrder::SequentialShared, AccessOrder::SequentialLanes] {
        let mut load = spec(4096);
        slots(&mut load, 4, 4);
        load.read = read(0);
        load.access = access;
        load.includes_tail = true;
        load.region = Region { start_bytes: 65_536, length_bytes: 1_001 * 4096 + 1_536 };
        load.limits = Limits { moved_bytes: Some(2 * load.region.length_bytes), ..Limits::default() };
        let mut written: BTreeMap<u64, (u64, u32)> = BTreeMap::new();
        let (outcome, _) = run(&load, |request: &Request| {
            let entry = written.entry(request.offset_bytes).or_insert((request.length_bytes, 0));
            entry.1 += 1;
            // The first lane is ten times slower than the last.
            served(request, 10_000 * (20 - request.slot) + request.served % 3)
        });
        let expected = (0..1_001).map(|block| (65_536 + block * 4096, (4096, 2)));
        assert!(written.into_iter().eq(expected.chain([(65_536 + 1_001 * 4096, (1_536, 2))])), "{access:?}");
        assert_eq!((outcome.ended, outcome.totals.sides.bytes()), (Ended::Passes, 2 * load.region.length_bytes));
    }
}

#[test]
fn a_failure_ends_the_load_and_is_kept_whole() {
    let mut load = spec(4096);
    slots(&mut load, 4, 1);
    load.access = AccessOrder::SequentialShared;
    for (result, cause) in
        [(Err(5), IoCause::Os(5)), (Ok(512), IoCause::Short { moved_bytes: 512 }), (Ok(0), IoCause::Zero)]
    {
        let inner = ConstantLatency { read_ns: 100_000, write_ns: 1 };
        let (outcome, intervals) = run(&load, FaultyTarget { inner, fault: Fault::AtByte(40 * 4096 + 700), result });
        let failure = outcome.failure.expect("the target fails");
        assert_eq!((outcome.ended, failure.cause, failure.direction), (Ended::Failed, cause, Direction::Read));
        assert_eq!((failure.offset_bytes, failure.length_bytes, failure.at_ns), (40 * 4096, 4096, 1_100_000));
        // 40 operations completed before it; those beside it complete at the same moment, which is the end.
        assert_eq!((outcome.totals.sides.operations(), outcome.totals.errors), (40, 1));
        assert_eq!((outcome.totals.length_ns, sum(&intervals)), (1_100_000, outcome.totals.sides));
        assert_eq!(outcome.totals.in_flight.operations, 3);
    }
}

#[test]
fn a_target_that_fails_for_good_is_counted_once_for_each_slot() {
    let mut load = spec(4096);
    slots(&mut load, 2, 2);
    let inner = ConstantLatency { read_ns: 100_000, write_ns: 1 };
    let target = FaultyTarget { inner, fault: Fault::AfterOperations(9), result: Err(19) };
    let (outcome, _) = run(&load, target);
    assert_eq!((outcome.totals.errors, outcome.ended), (4, Ended::Failed));
    assert_eq!(outcome.totals.sides.operations(), 9);
}

#[test]
fn a_failure_in_the_ramp_leaves_an_empty_window() {
    let mut load = spec(4096);
    load.ramp_ns = 5_000_000;
    let inner = ConstantLatency { read_ns: 100_000, write_ns: 1 };
    let (outcome, intervals) = run(&load, FaultyTarget { inner, fault: Fault::AfterOperations(9), result: Err(5) });
    let totals = outcome.totals;
    assert_eq!((outcome.ended, totals.length_ns, totals.sides.operations()), (Ended::Failed, 0, 0));
    assert_eq!((totals.ramp.read_operations, totals.ramp_ns, totals.iops()), (9, 1_000_000, None));
    assert!(intervals.is_empty());
}

#[test]
fn a_stop_keeps_what_was_measured() {
    let load = spec(4096);
    let stop = StopFlag::new();
    let clock = SimulatedClock::default();
    let raiser = stop.clone();
    let target = |request: &Request| {
        if request.submitted_ns >= 4_200_000 {
            raiser.raise();
        }
        served(request, 100_000)
    };
    let mut engine = SimulatedEngine::new(target, clock.clone());
    let mut intervals = Vec::new();
    let outcome = engine.run_load(&load, &stop, &mut |interval| intervals.push(*interval)).expect("a sound load");
    assert_eq!((outcome.ended, clock.now_ns()), (Ended::Stopped, 4_300_000));
    assert_eq!((outcome.totals.length_ns, outcome.totals.sides.operations()), (4_300_000, 42));
    assert_eq!((sum(&intervals), intervals.len()), (outcome.totals.sides, 5));
    // Asked again with the flag still raised nothing is issued.
    let outcome = engine.run_load(&load, &stop, &mut |_| {}).expect("a sound load");
    assert_eq!((outcome.ended, outcome.totals.moved.read_operations), (Ended::Stopped, 0));
    assert!(!engine.idle_until(u64::MAX, &stop));
}

#[test]
fn the_same_seed_gives_the_same_sequence_and_another_seed_another() {
    let trace = |seed| {
        let mut load = spec(4096);
        slots(&mut load, 4, 2);
        load.read = read(60);
        load.seed = seed;
        let mut trace = Vec::new();
        let outcome = run(&load, |request: &Request| {
            trace.push((request.slot, request.direction, request.offset_bytes));
            served(request, 50_000 + request.slot)
        });
        (trace, outcome)
    };
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1).0, trace(2).0);
}

#[test]
fn loads_follow_each_other_on_one_clock() {
    let mut engine =
        SimulatedEngine::new(ConstantLatency { read_ns: 100_000, write_ns: 1 }, SimulatedClock::new(1_000_000));
    let first = engine.run_load(&spec(512), &StopFlag::new(), &mut |_| {}).expect("a sound load");
    assert!(engine.idle_until(20_000_000, &StopFlag::new()));
    let second = engine.run_load(&spec(512), &StopFlag::new(), &mut |_| {}).expect("a sound load");
    assert_eq!(first, second);
    assert_eq!((engine.now_ns(), engine.wall_ns()), (30_000_000, 31_000_000));
}

#[test]
fn contradictions_are_refused() {
    let refused = |change: &dyn Fn(&mut LoadSpec)| {
        let mut load = spec(4096);
        change(&mut load);
        let mut engine = SimulatedEngine::new(ConstantLatency { read_ns: 1, write_ns: 1 }, SimulatedClock::default());
        matches!(engine.run_load(&load, &StopFlag::new(), &mut |_| {}), Err(EngineError::Contradiction(_)))
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|load| load.limits = Limits::default()));
    assert!(refused(&|load| load.sample_ns = 0));
    assert!(refused(&|load| load.region.length_bytes = 4095));
    assert!(refused(&|load| load.region.start_bytes = u64::MAX));
    assert!(refused(&|load| load.includes_tail = true));
    assert!(refused(&|load| slots(load, 65_536, 1)));
    assert!(refused(&|load| {
        load.access = AccessOrder::SequentialLanes;
        slots(load, 1_001, 1);
    }));
}
