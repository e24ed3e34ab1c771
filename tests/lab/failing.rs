//! Drives that fail, stall or are pulled out while a plan runs: the place, the block and the cause are said, and what
//! was measured before is kept.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use shakedown::device::Verdict;
use shakedown::event::{Cause, EventKind, Place};

use crate::drive::{Broken, Bus, Drive, Space};
use crate::machine::{ENDS_WITHIN, Started};
use crate::recorded::{events_in, failure, finished};
use crate::said::Said;
use crate::stand::{Check, Stand, arguments, run_checks};

/// A step of hours, after one that is over at once and kept whatever happens next.
const LONG: &str = r#"
plan "long" { revision 1; }
host { engine "sync"; }
workload "mix" { access "random"; block-size "4KiB"; read "50%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 2; } }
test "t" {
    measure "mix" as="short" { threads 1; run "200ms"; sample "50ms"; }
    measure "mix" as="endless" { threads 2; run "1h"; sample "50ms"; }
    measure "mix" as="never" { threads 1; run "1h"; sample "10ms"; }
}
"#;

const EIO: i32 = 5;
const ENXIO: i32 = 6;
const ENODEV: i32 = 19;
const ENOSPC: i32 = 28;
const ENODATA: i32 = 61;

#[test]
fn failing_drives_are_told_as_what_they_are() {
    let sector = 8 << 11;
    let drives = [
        Drive::new("sata-bad", Bus::Sata, Space::mib(16, 512)).broken_at(Broken::Write, sector),
        Drive::new("nvme-bad", Bus::Nvme, Space::mib(17, 512)).broken_at(Broken::Write, sector),
        Drive::new("nvme4k-bad", Bus::Nvme, Space::mib(18, 4096)).broken_at(Broken::Read, sector),
        Drive::new("scsi-bad", Bus::Scsi, Space::mib(19, 512)).broken_at(Broken::Read, sector),
        Drive::new("virtio-bad", Bus::Virtio, Space::mib(20, 512)).broken_at(Broken::Write, sector),
        Drive::new("under", Bus::Virtio, Space::mib(16, 512)),
    ];
    let checks = [
        Check { name: "write-error-sata", writes: &["sata-bad"], run: |stand| write_error(stand, "sata-bad", EIO) },
        Check { name: "write-error-nvme", writes: &["nvme-bad"], run: |stand| write_error(stand, "nvme-bad", ENODATA) },
        Check {
            name: "write-error-virtio",
            writes: &["virtio-bad"],
            run: |stand| write_error(stand, "virtio-bad", EIO),
        },
        Check { name: "read-error-nvme4k", writes: &["nvme4k-bad"], run: |stand| read_error(stand, "nvme4k-bad") },
        Check { name: "read-error-scsi", writes: &["scsi-bad"], run: |stand| read_error(stand, "scsi-bad") },
        Check { name: "mapper-bad-range", writes: &["under"], run: mapper_bad_range },
        Check { name: "mapper-fails", writes: &["under"], run: mapper_fails },
        Check { name: "mapper-stalls", writes: &["under"], run: mapper_stalls },
        Check { name: "mapper-delays", writes: &["under"], run: mapper_delays },
        Check { name: "mapper-flickers", writes: &["under"], run: mapper_flickers },
        Check { name: "null-block-off", writes: &[], run: null_block_off },
        Check { name: "medium-error", writes: &[], run: medium_error },
        Check { name: "mapper-never-answers", writes: &["under"], run: mapper_never_answers },
    ];
    run_checks("failing", &drives, &[], |_| (), &checks);
}

#[test]
fn drives_that_are_pulled_out_end_the_run_and_keep_what_was_measured() {
    let drives = [
        Drive::new("nvme", Bus::Nvme, Space::mib(16, 512)),
        Drive::new("nvme-stays", Bus::Nvme, Space::mib(17, 512)),
        Drive::new("scsi", Bus::Scsi, Space::mib(18, 512)),
        Drive::new("virtio", Bus::Virtio, Space::mib(19, 512)),
        Drive::new("scsi-let-go", Bus::Scsi, Space::mib(20, 512)),
    ];
    let checks = [
        Check { name: "scsi-let-go", writes: &["scsi-let-go"], run: scsi_let_go },
        Check { name: "scsi-pulled", writes: &["scsi"], run: |stand| pulled_out(stand, "scsi") },
        Check { name: "nvme-pulled", writes: &["nvme"], run: |stand| pulled_out(stand, "nvme") },
        Check { name: "virtio-pulled", writes: &["virtio"], run: |stand| pulled_out(stand, "virtio") },
    ];
    run_checks("pulled", &drives, &[], |_| (), &checks);
}

/// A failed fill: the operation and its block, and the same again from the journal.
fn failed_in_fill(stand: &mut Stand, said: Said, sector: u64, blocks: [u64; 2]) -> Cause {
    let said = said.exits(4);
    let events = events_in(&stand.result());
    let failure = failure(&events);
    let (offset, length) = (failure.offset_bytes.expect("its place"), failure.length_bytes.expect("its length"));
    assert!((offset..offset + length).contains(&(sector * 512)), "{failure:?}");
    assert_eq!((failure.operation.as_deref(), failure.place), (Some("write"), Place { line: 5, column: 9 }));
    let lba = failure.lba.expect("its block");
    assert!(blocks.map(|block| offset / block).contains(&lba), "{failure:?}");
    for part in [&failure.message, "plan.kdl:5:9", &format!("LBA {lba}")] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
    assert_eq!(stand.report().exits(0).stdout, said.stdout);
    failure.cause.clone()
}

fn write_error(stand: &mut Stand, image: &str, errno: i32) {
    stand.plan(LONG);
    let arguments = stand.run_on(image);
    let said = stand.call(&arguments);
    assert_eq!(failed_in_fill(stand, said, 8 << 11, [512, 512]), Cause::Errno(errno));
}

/// A block that can be written and not read back.
fn read_error(stand: &mut Stand, image: &str) {
    stand.plan(LONG);
    let arguments = stand.run_on(image);
    let started = stand.start(&arguments);
    let said = stand.machine.ends(started, ENDS_WITHIN).exits(4);
    let events = events_in(&stand.result());
    let failure = failure(&events);
    let (offset, length) = (failure.offset_bytes.expect("its place"), failure.length_bytes.expect("its length"));
    assert_eq!((failure.operation.as_deref(), offset, length), (Some("read"), 8 << 20, 4096));
    assert!(said.stderr.contains("LBA"), "{}", said.stderr);
    assert!(matches!(failure.cause, Cause::Errno(EIO | ENODATA)), "{failure:?}");
    assert_eq!(stand.report().exits(0).stdout, said.stdout);
}

/// Makes a device-mapper device over all of a drive; gives its path and the consent for it.
fn mapped(stand: &mut Stand, table: &str) -> (String, String) {
    let path = stand.listed_as("under").facts.path;
    let table = table.replace("DRIVE", &path);
    stand.machine.must(&format!("modprobe -a dm-mod dm-delay\nprintf '{table}' | dmsetup create lab"));
    let bytes = stand.machine.must("blockdev --getsize64 /dev/mapper/lab");
    ("/dev/mapper/lab".to_owned(), format!("/dev/mapper/lab={bytes}"))
}

/// What holds after every failure in the endless step of [`LONG`].
fn failed_in_endless(stand: &mut Stand, said: Said, target_bytes: u64) -> Cause {
    let said = said.exits(4);
    let events = events_in(&stand.result());
    let failure = failure(&events);
    assert_eq!(failure.place, Place { line: 8, column: 5 }, "the endless step's place in the plan");
    for part in [&failure.message, "plan.kdl:8:5", "what was measured before is kept"] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
    let offset = failure.offset_bytes.expect("an operation met it");
    assert!(offset < target_bytes && offset.is_multiple_of(4096) && failure.length_bytes == Some(4096), "{failure:?}");
    let cases = finished(&events);
    assert_eq!(cases.len(), 3, "the fill, the short case, and the endless one with what it had");
    assert!(cases[1].end.is_whole() && !cases[2].end.is_whole() && cases[2].totals.errors >= 1);
    let again = stand.report().exits(0);
    assert_eq!(again.stdout, said.stdout);
    for part in ["INCOMPLETE: failed in t/endless", "\nshort ", "1 of 3 cases measured", "not measured: never"] {
        assert!(again.stdout.contains(part), "{part} in\n{}", again.stdout);
    }
    failure.cause.clone()
}

/// What the check's runs have written so far.
fn journals(stand: &Stand) -> String {
    let folders = fs::read_dir(stand.path("results")).into_iter().flatten().flatten().map(|entry| entry.path());
    folders.filter_map(|folder| fs::read_to_string(folder.join("journal.jsonl")).ok()).collect()
}

/// Begins a run of [`LONG`], up to where its endless step has told its first intervals.
fn endless(stand: &mut Stand, arguments: &[String]) -> Started {
    stand.plan(LONG);
    let started = stand.start(arguments);
    let begun = Instant::now();
    let is_one = |line: &&str| line.contains("\"interval-sampled\"") && line.contains("\"t/endless\"");
    while journals(stand).lines().filter(is_one).count() < 2 {
        if stand.machine.has_ended(started) {
            panic!("the run ended early: {:?}", stand.machine.ends(started, ENDS_WITHIN));
        }
        assert!(begun.elapsed() < ENDS_WITHIN, "waited in vain until the step is measured");
        std::thread::sleep(Duration::from_millis(50));
    }
    started
}

fn mapper_bad_range(stand: &mut Stand) {
    stand.plan(LONG);
    // A megabyte in the middle fails; what lies before and behind does not.
    let table = "0 16384 linear DRIVE 0\\n16384 2048 error\\n18432 14336 linear DRIVE 18432\\n";
    let (path, consent) = mapped(stand, table);
    let said = stand.call(&arguments(&path, &consent));
    assert_eq!(failed_in_fill(stand, said, 16384, [512, 512]), Cause::Errno(EIO));
    stand.machine.must("dmsetup remove lab");
}

fn mapper_fails(stand: &mut Stand) {
    let (path, consent) = mapped(stand, "0 32768 linear DRIVE 0\\n");
    match stand.listed_as("under").verdict {
        Verdict::Refused(held) => {
            assert!(held.code() == "device/held" && held.to_string().contains("device-mapper lab"))
        }
        other => panic!("what lies below may be used: {other:?}"),
    }
    let started = endless(stand, &arguments(&path, &consent));
    stand.machine.must("dmsetup suspend lab; printf '0 32768 error\\n' | dmsetup load lab; dmsetup resume lab");
    let said = stand.machine.ends(started, ENDS_WITHIN);
    assert_eq!(failed_in_endless(stand, said, 16 << 20), Cause::Errno(EIO));
    stand.machine.must("dmsetup remove lab");
}

/// A drive that fails for a second of every four: the first failure ends the run.
fn mapper_flickers(stand: &mut Stand) {
    let (path, consent) = mapped(stand, "0 32768 linear DRIVE 0\\n");
    let started = endless(stand, &arguments(&path, &consent));
    let below = stand.machine.must("dmsetup deps -o devname lab | sed 's/.*(\\(.*\\))/\\1/'");
    stand.machine.must(&format!(
        "modprobe dm-flakey\n\
         dmsetup suspend lab; printf '0 32768 flakey /dev/{below} 0 3 1\\n' | dmsetup load lab; dmsetup resume lab"
    ));
    let said = stand.machine.ends(started, ENDS_WITHIN);
    assert_eq!(failed_in_endless(stand, said, 16 << 20), Cause::Errno(EIO));
    stand.machine.must("dmsetup remove lab");
}

/// A drive of the guest's kernel that is turned off under the run.
fn null_block_off(stand: &mut Stand) {
    stand.machine.must(
        "modprobe null_blk nr_devices=0\n\
         cd /sys/kernel/config/nullb\n\
         mkdir nullb7\n\
         echo 16 >nullb7/size; echo 4096 >nullb7/blocksize; echo 1 >nullb7/memory_backed; echo 1 >nullb7/power",
    );
    let started = endless(stand, &arguments("/dev/nullb7", &format!("/dev/nullb7={}", 16 << 20)));
    stand.machine.must("echo 0 >/sys/kernel/config/nullb/nullb7/power");
    let said = stand.machine.ends(started, ENDS_WITHIN);
    failed_in_endless(stand, said, 16 << 20);
    assert!(failure(&events_in(&stand.result())).message.contains("the device is gone ("));
    stand.machine.must("rmdir /sys/kernel/config/nullb/nullb7; rmmod null_blk");
}

/// A drive that answers nothing for three seconds: the window has that latency, and no interval is left out.
fn mapper_stalls(stand: &mut Stand) {
    stand.plan(
        r#"
        plan "stall" { revision 1; }
        host { engine "sync"; }
        workload "read" { access "random"; block-size "4KiB"; read "100%"; }
        test "t" {
            allow "unwritten-reads" because="only the time matters here"
            measure "read" { threads 1; run "8s"; sample "500ms"; }
        }
        "#,
    );
    let (path, consent) = mapped(stand, "0 32768 linear DRIVE 0\\n");
    let started = stand.start(&arguments(&path, &consent));
    stand.machine.must("sleep 3; dmsetup suspend --noflush lab; sleep 3; dmsetup resume lab");
    stand.machine.ends(started, ENDS_WITHIN).exits(0);
    let events = events_in(&stand.result());
    let case = &finished(&events)[0].totals;
    let longest_ns = case.sides.read.moments.max_ns;
    assert!((2_900_000_000..6_000_000_000).contains(&longest_ns), "{longest_ns} ns");
    let counts: Vec<u64> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::IntervalSampled(sampled) => Some(sampled.interval.sides.read.moments.count),
            _ => None,
        })
        .collect();
    assert_eq!(counts.len(), 16, "every interval of the window is there: {counts:?}");
    assert!(counts.iter().filter(|count| **count == 0).count() >= 4, "{counts:?}");
    assert_eq!(counts.iter().sum::<u64>(), case.sides.read.moments.count);
    stand.machine.must("dmsetup remove lab");
}

/// A drive that stops answering for good: the run waits two minutes for what is in flight, says so, and is failed. Only
/// the process has to stay until the kernel lets go of it.
fn mapper_never_answers(stand: &mut Stand) {
    stand.plan(
        r#"
        plan "never" { revision 1; }
        host { engine "sync"; }
        workload "read" { access "random"; block-size "4KiB"; read "100%"; }
        test "t" {
            allow "unwritten-reads" because="only the time matters here"
            measure "read" { threads 2; run "4s"; sample "500ms"; }
            measure "read" as="after" { threads 2; run "4s"; sample "500ms"; }
        }
        "#,
    );
    let (path, consent) = mapped(stand, "0 32768 linear DRIVE 0\\n");
    let started = stand.start(&arguments(&path, &consent));
    // The journal is closed while the drive still hangs, so a machine that is then turned off by hand loses nothing.
    stand.machine.must("sleep 3; dmsetup suspend --noflush lab");
    let begun = Instant::now();
    while !journals(stand).contains("\"run-finished\"") {
        assert!(begun.elapsed() < Duration::from_secs(240), "the run goes on without end");
        std::thread::sleep(Duration::from_millis(200));
    }
    stand.machine.must("dmsetup resume lab");
    let said = stand.machine.ends(started, ENDS_WITHIN).exits(4);
    let events = events_in(&stand.result());
    assert!(failure(&events).message.contains("not back after 12"), "{:?}", failure(&events));
    let in_flight = "operations that did not come back while they were waited for: 2";
    for part in ["INCOMPLETE: failed in t/read", "0 of 2 cases measured", in_flight, "not measured: after"] {
        assert!(said.stdout.contains(part), "{part} in\n{}", said.stdout);
    }
    assert_eq!(stand.report().exits(0).stdout, said.stdout);
    stand.machine.must("dmsetup remove lab");
}

/// Every read takes 50 ms longer, and the table says so.
fn mapper_delays(stand: &mut Stand) {
    stand.plan(
        r#"
        plan "delay" { revision 1; }
        host { engine "sync"; }
        workload "read" { access "random"; block-size "4KiB"; read "100%"; }
        test "t" {
            allow "unwritten-reads" because="only the time matters here"
            measure "read" { threads 2; run "3s"; sample "500ms"; }
        }
        "#,
    );
    let (path, consent) = mapped(stand, "0 32768 delay DRIVE 0 50\\n");
    stand.call(&arguments(&path, &consent)).exits(0);
    let events = events_in(&stand.result());
    let read = &finished(&events)[0].totals.sides.read.moments;
    assert!(read.min_ns >= 50_000_000, "{read:?}");
    // Two operations at a time, each of 50 ms or more, for three seconds.
    assert!((10..=120).contains(&read.count), "{read:?}");
    stand.machine.must("dmsetup remove lab");
}

/// A drive of the guest's kernel, which cannot read the ten blocks from 0x1234 any more once it is told so.
fn medium_error(stand: &mut Stand) {
    stand.machine.must(
        "modprobe scsi_debug dev_size_mb=16\n\
         for try in $(seq 100); do grep -qs scsi_debug /sys/block/sd*/device/model && break; sleep 0.1; done",
    );
    let listed = stand.listed();
    let is_it = |model: &str| model.contains("scsi_debug");
    let debug = listed.iter().find(|listed| listed.facts.model.as_deref().is_some_and(is_it));
    let facts = &debug.unwrap_or_else(|| panic!("no such drive: {listed:#?}")).facts;
    let serial = facts.serial.clone().unwrap_or_else(|| panic!("it has a serial: {facts:#?}"));
    let started = endless(stand, &arguments(&facts.path, &serial));
    stand.machine.must("echo 2 >/sys/bus/pseudo/drivers/scsi_debug/opts");
    let said = stand.machine.ends(started, ENDS_WITHIN);
    let cause = failed_in_endless(stand, said, 16 << 20);
    assert_eq!(cause, Cause::Errno(ENODATA));
    let events = events_in(&stand.result());
    let (failure, bad) = (failure(&events), 0x1234 * 512..0x123e * 512);
    let offset = failure.offset_bytes.expect("its place");
    assert!(
        offset < bad.end && offset + 4096 > bad.start && failure.operation.as_deref() == Some("read"),
        "{failure:?}"
    );
    assert!(failure.message.contains("medium error"), "{failure:?}");
    stand.machine.must("rmmod scsi_debug");
}

fn scsi_let_go(stand: &mut Stand) {
    let arguments = stand.run_on("scsi-let-go");
    let name = arguments[3].rsplit('/').next().expect("a name").to_owned();
    let started = endless(stand, &arguments);
    stand.machine.must(&format!("echo 1 >/sys/block/{name}/device/delete"));
    let said = stand.machine.ends(started, ENDS_WITHIN);
    let cause = failed_in_endless(stand, said, 20 << 20);
    assert!(matches!(cause, Cause::Errno(EIO | ENXIO | ENODEV)), "{cause:?}");
    assert_eq!(stand.listed().len(), 4, "it is listed no more");
}

fn pulled_out(stand: &mut Stand, image: &str) {
    let arguments = stand.run_on(image);
    let before = stand.listed().len();
    let started = endless(stand, &arguments);
    stand.machine.qmp.call("device_del", &json!({ "id": image }));
    stand.machine.qmp.wait_for("DEVICE_DELETED", image);
    let said = stand.machine.ends(started, ENDS_WITHIN);
    let cause = failed_in_endless(stand, said, 64 << 20);
    // Once the kernel has set its size to 0, a write lies behind its end, and a read finds nothing.
    let is_gone =
        matches!(cause, Cause::Errno(EIO | ENXIO | ENODEV | ENOSPC) | Cause::ShortTransfer { moved_bytes: 0 });
    assert!(is_gone, "{cause:?}");
    assert!(failure(&events_in(&stand.result())).message.contains("the device is gone ("));
    assert_eq!(stand.listed().len(), before - 1, "it is listed no more");
}
