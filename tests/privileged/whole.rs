//! Whole plans on real block devices: every byte goes where the plan says, and the kernel counts the same.

use shakedown::engine::{DATA_STRIPE_BYTES, Stamp};
use shakedown::event::{EventKind, RunEnd};
use shakedown::units::ByteCount;

use crate::program::{KernelCount, content, events, finished, foreign_bytes, on, report};
use crate::support::{LoopDevice, Need, Partition, ZramDevice, folder, turn};
use crate::trial::Trial;

/// Every kind of step and access that there is, small.
const WHOLE: &str = r#"
plan "whole" { revision 1; }
device "dut" { }
host { engine "sync"; }
workload "mix" { access "random"; block-size "8KiB"; read "70%"; }
workload "seq-write" { access "sequential" cursor="shared"; block-size "64KiB"; read "0%"; }
workload "seq-read" { access "sequential" cursor="shared"; block-size "64KiB"; read "100%"; }
workload "lanes" { access "sequential" cursor="lanes"; block-size "16KiB"; read "0%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 2; } }
test "mixed" {
    precondition "mix" as="condition" { threads 2; queue-depth 2; run passes=1; }
    measure "mix" { matrix { threads 1 2; queue-depth 1 2; }; ramp "20ms"; run "100ms"; sample "20ms"; }
}
test "sequential" {
    measure "seq-write" { threads 1; queue-depth 4; run written="4MiB"; }
    measure "seq-read" { threads 1; queue-depth 4; run "50ms"; sample "10ms"; }
    measure "lanes" { threads 2; queue-depth 2; run passes=2; }
}
"#;

const FILL: &str = r#"
plan "fill" { revision 1; }
host { engine "sync"; }
setup { fill passes=1 { block-size "128KiB"; threads 2; queue-depth 2; } }
"#;

/// More than the looks at the first and last blocks before the start can read, with the kernel's read-ahead.
const MOST_READ_BESIDE: u64 = 8 << 20;

fn whole_plan_on(path: &str, bytes: u64) {
    let trial = Trial::new().plan(WHOLE);
    let name = path.trim_start_matches("/dev/");
    let before = KernelCount::of(name);
    let said = trial.call(on(path, bytes)).exits(0);
    let counted = KernelCount::of(name).since(before);
    let events = events(&trial);
    assert!(matches!(events.last().map(|event| &event.kind), Some(EventKind::RunFinished { end: RunEnd::Complete })));
    let cases = finished(&events);
    assert_eq!(cases.len(), 9, "a fill, a precondition, four and three cases");
    let read: u64 = cases.iter().map(|case| case.totals.moved.bytes_read).sum();
    let written: u64 = cases.iter().map(|case| case.totals.moved.bytes_written).sum();
    assert_eq!(counted.bytes_written, written, "not one byte is written that no case counts");
    // The guard looks for what lies on the drive before the start, through the page cache; that is in no case.
    let beside = counted.bytes_read.checked_sub(read).expect("every read that is counted took place");
    assert!(beside <= MOST_READ_BESIDE, "{beside} bytes were read that no case counts");
    for (case, block) in cases.iter().skip(1).zip([8, 8, 8, 8, 8, 64, 64, 16]) {
        let moved = case.totals.moved;
        let blocks = moved.read_operations + moved.write_operations;
        assert_eq!((case.totals.errors, moved.bytes_read + moved.bytes_written), (0, blocks * block * 1024));
    }
    let area = bytes / 16384 * 16384;
    let limits: Vec<u64> =
        [0, 7, 8].map(|case: usize| cases[if case == 7 { 6 } else { case }].totals.moved.bytes_written).into();
    assert_eq!(limits, [bytes, 4 << 20, 2 * area], "limits in bytes and passes are kept to the byte");
    assert_eq!(report(&trial).exits(0).stdout, said.stdout);
}

#[test]
fn a_whole_plan_on_loop_devices_of_both_sector_sizes() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    for (sector_bytes, bytes) in [(512, (33 << 20) - 3 * 512), (4096, (33 << 20) - 3 * 4096)] {
        let device = LoopDevice::new(folder.path(), bytes, sector_bytes);
        whole_plan_on(&device.path, bytes);
    }
}

#[test]
fn a_whole_plan_on_zram() {
    let Some(_turn) = turn(&[Need::Zram]) else { return };
    let bytes = (33 << 20) - 4096;
    let device = ZramDevice::new(bytes);
    whole_plan_on(&device.path, bytes);
}

/// Where each 4 KiB says that it belongs and which slot wrote it; `None` where it was not written.
fn stamps(content: &[u8]) -> Vec<Option<(u64, u64)>> {
    let stamp = |(index, stripe): (usize, &[u8])| {
        let stamp = Stamp::read(stripe).expect("sixteen bytes");
        let belongs = stamp.offset_bytes == (index * DATA_STRIPE_BYTES) as u64;
        (belongs && stamp.generation != 0).then_some((stamp.generation >> 40, stamp.generation & ((1 << 40) - 1)))
    };
    content.chunks(DATA_STRIPE_BYTES).enumerate().map(stamp).collect()
}

#[test]
fn a_fill_writes_every_block_once_and_the_tail_of_an_odd_device() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Zram]) else { return };
    let folder = folder();
    let odd = (8 << 20) + 5 * 512;
    let loop_device = LoopDevice::new(folder.path(), odd, 512);
    let loop_device_4kn = LoopDevice::new(folder.path(), (8 << 20) + 5 * 4096, 4096);
    let zram = ZramDevice::new((8 << 20) + 4096);
    let targets =
        [(&loop_device.path, odd), (&loop_device_4kn.path, (8 << 20) + 5 * 4096), (&zram.path, (8 << 20) + 4096)];
    for (path, bytes) in targets {
        let trial = Trial::new().plan(FILL);
        trial.call(on(path, bytes)).exits(0);
        let content = content(path);
        assert_eq!(content.len() as u64, bytes);
        let stamps = stamps(&content);
        let blocks: Vec<_> = stamps.chunks((128 << 10) / DATA_STRIPE_BYTES).collect();
        assert!(stamps.iter().all(Option::is_some), "{path}: a block was never written, or lies at another's place");
        assert!(blocks.iter().all(|block| block.iter().all(|stamp| stamp == &block[0])), "{path}: one write a block");
        let mut writes: Vec<_> = blocks.iter().map(|block| block[0]).collect();
        writes.sort_unstable();
        writes.dedup();
        assert_eq!(writes.len(), blocks.len(), "{path}: each block by a write of its own");
        let operations = finished(&events(&trial))[0].totals.moved.write_operations;
        assert_eq!(operations, blocks.len() as u64, "{path}: and no block twice");
        assert!(content[content.len() - 512..].iter().any(|&byte| byte != 0), "{path}: its last sector");
    }
}

#[test]
fn nothing_outside_a_span_is_touched() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let (bytes, start, length) = (24 << 20, 5 << 20, 7 << 20);
    let plan = r#"
        plan "span" { revision 1; }
        host { engine "sync"; }
        workload "random" { access "random"; block-size "8KiB"; read "30%"; span "7MiB" offset="5MiB"; }
        workload "shared" { access "sequential" cursor="shared"; block-size "24KiB"; read "0%"; span "7MiB" offset="5MiB"; }
        workload "lanes" { access "sequential" cursor="lanes"; block-size "40KiB"; read "0%"; span "7MiB" offset="5MiB"; }
        test "t" {
            allow "unwritten-reads" because="only the places matter here"
            precondition "random" as="condition" { threads 2; queue-depth 4; run passes=3; }
            measure "random" { threads 4; queue-depth 4; ramp "20ms"; run "100ms"; sample "20ms"; }
            measure "shared" { threads 2; queue-depth 3; run passes=2; }
            measure "lanes" { threads 3; queue-depth 2; run passes=2; }
        }
    "#;
    let device = LoopDevice::new(folder.path(), bytes, 512);
    let before = foreign_bytes(bytes);
    std::fs::write(&device.path, &before).expect("our own device");
    let trial = Trial::new().plan(plan);
    trial.call(on(&device.path, bytes)).exits(0);
    let after = content(&device.path);
    let outside = |content: &[u8]| [&content[..start], &content[start + length..]].concat();
    assert!(outside(&after) == outside(&before), "a byte outside the span has changed");
    // No block size divides the span, so what is over at its end is left alone; all else was written.
    let whole = length / DATA_STRIPE_BYTES - (40 << 10) / DATA_STRIPE_BYTES;
    let inside = stamps(&after).split_off(start / DATA_STRIPE_BYTES);
    assert!(inside[..whole].iter().all(Option::is_some), "a block of the span was not written");
}

#[test]
fn a_partition_is_filled_and_nothing_around_it() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("addpart")]) else { return };
    let folder = folder();
    let (disk_bytes, start, end) = (8 << 20, 1 << 20, 5 << 20);
    let disk = LoopDevice::new(folder.path(), disk_bytes, 512);
    let before = foreign_bytes(disk_bytes);
    std::fs::write(&disk.path, &before).expect("our own device");
    let partition = Partition::on(&disk.path, end as u64);
    let bytes = (end - start) as u64;
    let trial = Trial::new().plan(FILL);
    // The whole disk is not what was consented to.
    trial.call(on(&partition.path, disk_bytes)).exits(3);
    assert!(content(&disk.path) == before);
    trial.call(on(&partition.path, bytes)).exits(0);
    assert!(stamps(&content(&partition.path)).iter().all(Option::is_some), "all of the partition is written");
    let after = content(&disk.path);
    assert!(after[..start] == before[..start] && after[end..] == before[end..], "and nothing else");
}

#[test]
fn lanes_are_disjoint_and_cover_the_area() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let (bytes, threads, queue_depth) = (12 << 20, 3, 2);
    let plan = r#"
        plan "lanes" { revision 1; }
        host { engine "sync"; }
        workload "lanes" { access "sequential" cursor="lanes"; block-size "16KiB"; read "0%"; }
        test "t" { measure "lanes" { threads 3; queue-depth 2; run passes=1; }; }
    "#;
    let device = LoopDevice::new(folder.path(), bytes, 4096);
    let trial = Trial::new().plan(plan);
    trial.call(on(&device.path, bytes)).exits(0);
    let stamps = stamps(&content(&device.path));
    for (stripe, stamp) in stamps.iter().enumerate() {
        let (slot, _) = stamp.unwrap_or_else(|| panic!("stripe {stripe} was not written"));
        let blocks = bytes / (16 << 10);
        let block = (stripe * DATA_STRIPE_BYTES) as u64 / (16 << 10);
        let lane = slot / queue_depth;
        assert!(
            (blocks * lane / threads..blocks * (lane + 1) / threads).contains(&block),
            "block {block} was written by slot {slot}"
        );
    }
    let moved = ByteCount::new(finished(&events(&trial))[0].totals.moved.bytes_written);
    assert_eq!(moved, ByteCount::new(bytes), "each block once");
}
