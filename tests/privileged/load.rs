//! The engine on devices and file systems that misbehave.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use shakedown::engine::{AccessOrder, Engine, Limits, LoadSpec, Region, StopFlag, SyncEngine, SyncTarget};
use shakedown::measure::{Direction, Ended, IoCause};
use shakedown::units::{BlockSize, QueueDepth, ReadShare, Threads};

use crate::support::{Frozen, LoopDevice, Mount, Need, folder, must, run, turn};

const BYTES: u64 = 16 << 20;

fn direct(path: &Path) -> File {
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_DIRECT).open(path).expect("direct I/O")
}

fn writes(block_bytes: u64) -> LoadSpec {
    LoadSpec {
        threads: Threads::new(2).expect("positive"),
        queue_depth: QueueDepth::new(2).expect("positive"),
        region: Region { start_bytes: 0, length_bytes: 1 << 20 },
        block_size: BlockSize::new(block_bytes).expect("positive"),
        read: ReadShare::NONE,
        access: AccessOrder::UniformRandom,
        includes_tail: false,
        ramp_ns: 0,
        limits: Limits { time_ns: Some(100_000_000), ..Limits::default() },
        sample_ns: 10_000_000,
        seed: 1,
        drain_deadline_ns: 200_000_000,
        alignment_bytes: 4096,
    }
}

#[test]
fn writes_that_never_come_back_end_the_load_and_not_the_program() {
    let needs = [Need::LoopDevices, Need::Program("mkfs.ext4"), Need::FileSystem("ext4"), Need::Program("fsfreeze")];
    let Some(_turn) = turn(&needs) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), 64 << 20, 512);
    let mount = Mount::ext4(&disk.path, folder.path().join("mounted"));
    let path = mount.point.join("target");
    std::fs::write(&path, vec![0xa5; BYTES as usize]).expect("room for it");
    let file = direct(&path);
    must("sync", &[]);
    let frozen = Frozen::new(&mount.point);
    for ramp_ns in [0, 50_000_000] {
        let handles = |file: &File| file.try_clone().expect("a duplicate");
        let mut engine = SyncEngine::new(SyncTarget::read_write(handles(&file), handles(&file)), Vec::new());
        let mut intervals = 0;
        let load = LoadSpec { ramp_ns, ..writes(4096) };
        let outcome = engine.run_load(&load, &StopFlag::new(), &mut |_| intervals += 1).expect("it begins");
        let in_flight = outcome.totals.in_flight;
        assert_eq!((outcome.ended, in_flight.operations, in_flight.unfinished), (Ended::Failed, 4, 4));
        let failure = outcome.failure.expect("silence is a failure");
        assert!(matches!(failure.cause, IoCause::Silent { age_ns } if age_ns == in_flight.longest_ns));
        assert_eq!((failure.direction, failure.length_bytes), (Direction::Write, 4096));
        assert!(in_flight.longest_ns >= 200_000_000);
        assert_eq!(outcome.totals.sides.operations(), 0);
        // Ten intervals of a window without an operation; without a first operation there is no window.
        assert_eq!(intervals, if ramp_ns == 0 { 10 } else { 0 });
        assert_eq!(outcome.totals.generator.silent_workers, 4);
    }
    drop(frozen);
    // The writers that were left behind let go of the file once their writes are through.
    drop(file);
    let point = mount.point.display().to_string();
    while !run("umount", &[&point]).is_ok_and(|output| output.status.success()) {
        std::thread::yield_now();
    }
}

#[test]
fn a_block_that_is_no_multiple_of_the_sector_is_the_kernels_to_refuse() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), BYTES, 4096);
    let file = direct(Path::new(&disk.path));
    let target = SyncTarget::read_write(file.try_clone().expect("a duplicate"), file);
    let outcome =
        SyncEngine::new(target, Vec::new()).run_load(&writes(512), &StopFlag::new(), &mut |_| {}).expect("it begins");
    let failure = outcome.failure.expect("the kernel refuses");
    assert_eq!((outcome.ended, failure.cause), (Ended::Failed, IoCause::Os(libc::EINVAL)));
    assert_eq!((outcome.totals.moved.bytes_written, outcome.totals.sides.operations()), (0, 0));
}
