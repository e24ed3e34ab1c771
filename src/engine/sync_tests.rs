//! Loads with real threads on real files; nothing here depends on how long anything takes.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

use super::testing::{read, slots, spec};
use super::*;
use crate::measure::{Direction, Ended, IoCause, LoadOutcome};

/// A scratch file of random-looking bytes below the build directory, opened past the page cache where that works.
struct Scratch {
    file: tempfile::NamedTempFile,
}

impl Scratch {
    fn new(length_bytes: usize) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp");
        std::fs::create_dir_all(folder).expect("the build directory can be written");
        let mut file = tempfile::NamedTempFile::new_in(folder).expect("a scratch file");
        file.write_all(&vec![0xa5; length_bytes]).expect("room for it");
        file.as_file().sync_all().expect("written");
        Self { file }
    }

    fn open(&self, write: bool) -> File {
        let mut options = OpenOptions::new();
        options.read(true).write(write);
        let direct = options.clone().custom_flags(libc::O_DIRECT).open(self.file.path());
        direct.or_else(|_| options.open(self.file.path())).expect("it opens without O_DIRECT at least")
    }

    fn writable(&self) -> SyncEngine {
        SyncEngine::new(SyncTarget::read_write(self.open(false), self.open(true)), allowed())
    }

    fn read_only(&self) -> SyncEngine {
        SyncEngine::new(SyncTarget::read_only(self.open(false)), allowed())
    }

    fn content(&self) -> Vec<u8> {
        std::fs::read(self.file.path()).expect("readable")
    }
}

fn allowed() -> Vec<usize> {
    let set = sched_getaffinity(Pid::from_raw(0)).expect("readable");
    (0..CpuSet::count()).filter(|&processor| set.is_set(processor).unwrap_or(false)).collect()
}

fn run(engine: &mut SyncEngine, spec: &LoadSpec) -> (LoadOutcome, Vec<Interval>) {
    let mut intervals = Vec::new();
    let outcome =
        engine.run_load(spec, &StopFlag::new(), &mut |interval| intervals.push(*interval)).expect("a sound load");
    (outcome, intervals)
}

fn agrees(outcome: &LoadOutcome, intervals: &[Interval]) {
    let totals = &outcome.totals;
    let of_intervals: u64 = intervals.iter().map(|interval| interval.sides.operations()).sum();
    assert_eq!(of_intervals + totals.late_records, totals.sides.operations());
    assert_eq!(totals.histograms.read.count(), totals.sides.read.moments.count);
    assert_eq!(totals.histograms.write.count(), totals.sides.write.moments.count);
    assert_eq!(intervals.iter().map(|interval| interval.length_ns).sum::<u64>(), totals.length_ns);
}

#[test]
fn a_fill_puts_stamped_data_in_its_region_and_nowhere_else() {
    let scratch = Scratch::new(300 * 4096);
    let mut load = spec(8192);
    slots(&mut load, 4, 4);
    load.read = read(0);
    load.access = AccessOrder::SequentialShared;
    load.includes_tail = true;
    load.region = Region { start_bytes: 20 * 4096, length_bytes: 201 * 4096 };
    load.limits = Limits { moved_bytes: Some(load.region.length_bytes), ..Limits::default() };
    let (outcome, intervals) = run(&mut scratch.writable(), &load);
    assert_eq!((outcome.ended, outcome.failure), (Ended::Passes, None));
    assert_eq!(outcome.totals.moved.bytes_written, load.region.length_bytes);
    agrees(&outcome, &intervals);
    for (block, bytes) in scratch.content().chunks(4096).enumerate() {
        let offset_bytes = block as u64 * 4096;
        if (20..221).contains(&block) {
            let stamp = Stamp::read(bytes).expect("long enough");
            assert_eq!(stamp.offset_bytes, offset_bytes);
            assert!(stamp.generation >> 40 < 16 && stamp.generation & 0xff >= 1, "{stamp:?}");
        } else {
            assert!(bytes.iter().all(|&byte| byte == 0xa5), "block {block} lies outside");
        }
    }
}

#[test]
fn a_mix_over_many_slots_counts_consistently_and_stays_inside() {
    let scratch = Scratch::new(256 * 4096);
    let mut load = spec(4096);
    slots(&mut load, 8, 4);
    load.read = read(50);
    load.region = Region { start_bytes: 64 * 4096, length_bytes: 128 * 4096 };
    load.limits = Limits { moved_bytes: Some(2_000 * 4096), ..Limits::default() };
    let (outcome, intervals) = run(&mut scratch.writable(), &load);
    assert_eq!((outcome.ended, outcome.totals.sides.bytes()), (Ended::Passes, 2_000 * 4096));
    agrees(&outcome, &intervals);
    let share = outcome.totals.sides.read_share().expect("has operations");
    // Each slot's blocks of 100 are exact; what 32 slots have begun of theirs stays open.
    assert!((0.3..0.7).contains(&share), "{share}");
    let content = scratch.content();
    let untouched = |blocks: std::ops::Range<usize>| {
        content[blocks.start * 4096..blocks.end * 4096].iter().all(|&byte| byte == 0xa5)
    };
    assert!(untouched(0..64) && untouched(192..256) && !untouched(64..192));
    assert_eq!(outcome.totals.generator.workers, 32);
}

#[test]
fn a_timed_load_with_a_ramp_has_the_window_it_asked_for() {
    let scratch = Scratch::new(256 * 4096);
    let mut load = spec(4096);
    slots(&mut load, 2, 2);
    load.region.length_bytes = 256 * 4096;
    load.ramp_ns = 5_000_000;
    load.limits = Limits { time_ns: Some(25_000_000), ..Limits::default() };
    load.sample_ns = 10_000_000;
    let (outcome, intervals) = run(&mut scratch.read_only(), &load);
    assert_eq!((outcome.ended, outcome.totals.length_ns, intervals.len()), (Ended::Time, 25_000_000, 3));
    assert!(outcome.totals.ramp_ns >= 5_000_000 && outcome.totals.ramp.read_operations >= 4);
    assert!(outcome.totals.in_flight.operations <= 4 && outcome.totals.in_flight.unfinished == 0);
    agrees(&outcome, &intervals);
    let all = outcome.totals.moved.read_operations;
    let parts = outcome.totals.ramp.read_operations + outcome.totals.sides.operations();
    assert_eq!(all, parts + outcome.totals.in_flight.operations);
}

#[test]
fn writing_needs_a_target_that_can_be_written() {
    let scratch = Scratch::new(1_000 * 512);
    let mut load = spec(512);
    load.read = read(50);
    let refused = scratch.read_only().run_load(&load, &StopFlag::new(), &mut |_| {});
    assert!(matches!(refused, Err(EngineError::ReadOnlyTarget)));
    // A descriptor that claims to be writable and is not: the kernel says so at the first write.
    load.read = read(0);
    let target = SyncTarget::read_write(scratch.open(false), scratch.open(false));
    let (outcome, _) = run(&mut SyncEngine::new(target, Vec::new()), &load);
    let failure = outcome.failure.expect("the write fails");
    assert_eq!(
        (outcome.ended, failure.cause, failure.direction),
        (Ended::Failed, IoCause::Os(libc::EBADF), Direction::Write)
    );
    assert!(scratch.content().iter().all(|&byte| byte == 0xa5));
}

#[test]
fn the_end_of_a_file_that_shrank_is_an_error() {
    let scratch = Scratch::new(100 * 4096);
    scratch.file.as_file().set_len(10 * 4096 + 512).expect("shrinks");
    let mut load = spec(4096);
    load.access = AccessOrder::SequentialShared;
    load.region.length_bytes = 100 * 4096;
    let (outcome, _) = run(&mut scratch.read_only(), &load);
    let failure = outcome.failure.expect("block 10 is short");
    assert_eq!((failure.offset_bytes, failure.cause), (10 * 4096, IoCause::Short { moved_bytes: 512 }));
    assert_eq!((outcome.ended, outcome.totals.sides.operations()), (Ended::Failed, 10));

    load.region.start_bytes = 50 * 4096;
    load.region.length_bytes = 50 * 4096;
    let (outcome, _) = run(&mut scratch.read_only(), &load);
    assert_eq!(outcome.failure.expect("nothing there").cause, IoCause::Zero);
}

#[test]
fn a_stop_ends_a_load_that_has_no_other_end_in_sight() {
    let scratch = Scratch::new(256 * 4096);
    let mut load = spec(4096);
    slots(&mut load, 2, 2);
    load.region.length_bytes = 256 * 4096;
    load.limits = Limits { time_ns: Some(u64::MAX / 2), ..Limits::default() };
    let stop = StopFlag::new();
    let mut told = 0;
    let outcome = scratch
        .read_only()
        .run_load(&load, &stop, &mut |_| {
            told += 1;
            if told == 2 {
                stop.raise();
            }
        })
        .expect("a sound load");
    assert_eq!((outcome.ended, outcome.failure), (Ended::Stopped, None));
    assert!(outcome.totals.sides.operations() > 0 && outcome.totals.length_ns >= 2_000_000);
}

#[test]
fn a_processor_that_is_not_there_is_an_error() {
    let scratch = Scratch::new(1_000 * 512);
    for processor in [1_023, usize::MAX] {
        let mut engine = SyncEngine::new(SyncTarget::read_only(scratch.open(false)), vec![processor]);
        let refused = engine.run_load(&spec(512), &StopFlag::new(), &mut |_| {});
        assert!(matches!(refused, Err(EngineError::Affinity { processor: named, .. }) if named == processor));
    }
}

#[test]
fn buffers_that_no_machine_has_are_an_error() {
    let scratch = Scratch::new(4096);
    let mut load = spec(4096);
    load.block_size = crate::units::BlockSize::new(1 << 60).expect("positive");
    load.region.length_bytes = 1 << 60;
    let refused = scratch.read_only().run_load(&load, &StopFlag::new(), &mut |_| {});
    assert!(matches!(refused, Err(EngineError::Memory { .. })));
}

#[test]
fn four_thousand_slots_work_or_are_refused() {
    let scratch = Scratch::new(1_000 * 512);
    let mut load = spec(512);
    slots(&mut load, 125, 32);
    load.limits = Limits { moved_bytes: Some(8_000 * 512), ..Limits::default() };
    let mut engine = scratch.read_only();
    match engine.run_load(&load, &StopFlag::new(), &mut |_| {}) {
        Ok(outcome) => assert_eq!((outcome.ended, outcome.totals.sides.operations()), (Ended::Passes, 8_000)),
        Err(EngineError::Threads { wanted, started, .. }) => assert!(wanted == 4_000 && started < 4_000),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn workers_take_no_signals_and_the_callers_mask_stays() {
    let scratch = Scratch::new(1_000 * 512);
    let before = nix::sys::signal::SigSet::thread_get_mask().expect("readable");
    let mut seen = String::new();
    let mut load = spec(512);
    load.limits = Limits { time_ns: Some(u64::MAX / 2), ..Limits::default() };
    let stop = StopFlag::new();
    let outcome = scratch.read_only().run_load(&load, &stop, &mut |_| {
        for task in std::fs::read_dir("/proc/self/task").expect("readable").flatten() {
            let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            if name.starts_with("slot-") && seen.is_empty() {
                seen = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
            }
        }
        stop.raise();
    });
    outcome.expect("a sound load");
    let blocked = seen.lines().find_map(|line| line.strip_prefix("SigBlk:")).expect("a worker was seen").trim();
    let bits = u64::from_str_radix(blocked, 16).expect("hexadecimal");
    for signal in [libc::SIGINT, libc::SIGTERM] {
        assert_eq!(bits >> (signal - 1) & 1, 1, "{blocked}");
    }
    assert_eq!(nix::sys::signal::SigSet::thread_get_mask().expect("readable"), before);
}
