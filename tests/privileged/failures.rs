//! Targets and disks that fail while a plan runs: the place, the block and the cause are said, and what was measured
//! before is kept.

use std::fs;
use std::path::Path;

use shakedown::event::{Cause, Place};

use crate::program::{Background, LONG, content, events, events_in, failure, finished, foreign_bytes, on, report};
use crate::support::{LoopDevice, Mount, Need, ZramDevice, folder, run, turn};
use crate::trial::{Said, Trial};

const BYTES: u64 = 16 << 20;

/// What holds after every failure in the endless step of [`LONG`].
fn failed_in_endless(trial: &Trial, said: Said, target_bytes: u64) -> Cause {
    let said = said.exits(4);
    let events = events(trial);
    let failure = failure(&events);
    assert_eq!(failure.place, Place { line: 8, column: 5 }, "the endless step's place in the plan");
    for part in [&failure.message, "plan.kdl:8:5", "what was measured before is kept"] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
    let offset = failure.offset_bytes.expect("an operation met it");
    assert!(offset < target_bytes && offset.is_multiple_of(4096) && failure.length_bytes == Some(4096), "{failure:?}");
    let lba = failure.lba.expect("its block");
    assert!([offset / 512, offset / 4096].contains(&lba), "{failure:?}");
    assert!(failure.message.contains(&format!("LBA {lba}")), "{failure:?}");
    let cases = finished(&events);
    assert_eq!(cases.len(), 3, "the fill, the short case, and the endless one with what it had");
    assert!(cases[1].end.is_whole() && !cases[2].end.is_whole());
    assert!(cases[2].totals.errors >= 1);
    // The same again from the journal alone, the short case among it.
    let again = report(trial).exits(0);
    assert_eq!(again.stdout, said.stdout);
    assert!(
        again.stdout.contains("INCOMPLETE: failed in t/endless") && again.stdout.contains("\nshort "),
        "{}",
        again.stdout
    );
    failure.cause.clone()
}

#[test]
fn a_loop_device_whose_file_is_cut_short_fails_with_its_error() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    for sector_bytes in [512, 4096] {
        let device = LoopDevice::new(folder.path(), BYTES, sector_bytes);
        let trial = Trial::new().plan(LONG);
        let mut run = Background::endless(&trial, &device.path, BYTES);
        device.backing().set_len(BYTES / 2).expect("shorter");
        let cause = failed_in_endless(&trial, run.ends(), BYTES);
        assert_eq!(cause, Cause::Errno(libc::EIO));
    }
}

#[test]
fn a_file_that_is_cut_short_is_noticed_where_it_ends() {
    let Some(_turn) = turn(&[]) else { return };
    let trial = Trial::new().plan(LONG).file("drive.img", &foreign_bytes(BYTES));
    let mut run = Background::endless(&trial, "drive.img", BYTES);
    fs::File::options().write(true).open(trial.path("drive.img")).and_then(|file| file.set_len(8192)).expect("shorter");
    let cause = failed_in_endless(&trial, run.ends(), BYTES);
    // A write of ours may have made it longer again, and then a read finds zeroes; sooner or later one finds the end.
    assert!(matches!(cause, Cause::ShortTransfer { .. }), "{cause:?}");
}

#[test]
fn a_memory_disk_that_takes_no_more_fails_at_the_block() {
    let Some(_turn) = turn(&[Need::Zram]) else { return };
    let device = ZramDevice::new(BYTES);
    let trial = Trial::new().plan(LONG);
    let mut run = Background::endless(&trial, &device.path, BYTES);
    device.limit_memory(1 << 20);
    let cause = failed_in_endless(&trial, run.ends(), BYTES);
    assert!(matches!(cause, Cause::Errno(libc::EIO | libc::ENOMEM | libc::ENOSPC)), "{cause:?}");
}

#[test]
fn a_fill_that_fails_says_where_and_nothing_is_measured() {
    let Some(_turn) = turn(&[Need::Zram]) else { return };
    let device = ZramDevice::new(BYTES);
    device.limit_memory(1 << 20);
    let trial = Trial::new().plan(LONG);
    let said = trial.call(on(&device.path, BYTES)).exits(4);
    let events = events(&trial);
    let failure = failure(&events);
    assert_eq!((failure.operation.as_deref(), failure.length_bytes), (Some("write"), Some(128 << 10)));
    assert!(said.stderr.contains("plan.kdl:5:9") && said.stderr.contains("LBA"), "{}", said.stderr);
    assert_eq!(report(&trial).exits(0).stdout, said.stdout);
}

#[test]
fn a_detached_loop_device_goes_on_until_the_run_lets_go_of_it() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let trial = Trial::new().plan(LONG);
    let mut background = Background::endless(&trial, &device.path, BYTES);
    let backing = || fs::read_to_string(format!("/sys/block/{}/loop/backing_file", device.name()));
    run("losetup", &["--detach", &device.path]).expect("losetup runs");
    assert!(backing().is_ok(), "the kernel keeps it as long as it is open");
    // Partitions cannot be read anew under an exclusive holder, or there are none: either way nothing happens.
    run("blockdev", &["--rereadpt", &device.path]).expect("blockdev runs");
    background.wait_for_intervals_of("t/endless", 20);
    background.signal("-INT");
    background.ends().exits(130);
    assert!(backing().is_err(), "it is detached once the run is over");
    let cases = finished(&events(&trial)).iter().map(|case| case.totals.errors).sum::<u64>();
    assert_eq!(cases, 0);
}

#[test]
fn a_failing_device_under_the_device_mapper_is_told_as_it_is() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::DeviceMapper]) else { return };
    let folder = folder();
    let below = LoopDevice::new(folder.path(), BYTES, 512);
    let mapped = crate::support::Mapped::over(&below.path, BYTES / 512);
    let trial = Trial::new().plan(LONG);
    let mut run = Background::endless(&trial, &mapped.path(), BYTES);
    mapped.fail_from_now_on(BYTES / 512);
    assert_eq!(failed_in_endless(&trial, run.ends(), BYTES), Cause::Errno(libc::EIO));
}

#[test]
fn a_file_system_that_fills_up_under_a_target_is_named() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkfs.ext4"), Need::FileSystem("ext4")]) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), BYTES, 512);
    let mount = Mount::ext4(&disk.path, folder.path().join("mnt"));
    let file = mount.point.join("sparse.img");
    fs::File::create(&file).and_then(|file| file.set_len(4 * BYTES)).expect("holes take no room");
    let trial = Trial::new().plan(LONG);
    let said = trial.call(on(&file.display().to_string(), 4 * BYTES)).exits(4);
    let events = events(&trial);
    let failure = failure(&events);
    // A write may be cut short at the last free block, or be refused whole.
    assert!(matches!(failure.cause, Cause::Errno(libc::ENOSPC) | Cause::ShortTransfer { .. }), "{failure:?}");
    assert!(said.stderr.contains("plan.kdl:5:9"), "{}", said.stderr);
}

#[test]
fn a_disk_without_room_for_a_scratch_file_is_said_and_left_as_it_was() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkfs.ext4"), Need::FileSystem("ext4")]) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), BYTES, 512);
    let mount = Mount::ext4(&disk.path, folder.path().join("mnt"));
    let trial = Trial::new().plan(LONG);
    let results = mount.point.join("results").display().to_string();
    for scratch in [&["--scratch", "64MiB"][..], &[]] {
        let said = trial.call(["run", "plan.kdl", "--results", &results].iter().chain(scratch)).exits(3);
        assert!(said.stderr.contains("device/no-space"), "{}", said.stderr);
        assert_eq!(fs::read_dir(&results).expect("a folder").count(), 0, "nothing is left behind");
    }
}

fn runs_out_of_room(results: &Path) {
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let trial = Trial::new().plan(LONG);
    let mut arguments = on(&device.path, BYTES);
    arguments.extend(["--results".to_owned(), results.display().to_string()]);
    let mut run = Background::start(&trial, &arguments, results.to_owned());
    // Everything but a little is taken from it while the run goes on, since 10 ms a line would take its time.
    run.wait_for_intervals_of("t/endless", 2);
    let stuffing = results.join("stuffing");
    let stuffed = fs::write(&stuffing, vec![1; BYTES as usize]);
    assert_eq!(stuffed.expect_err("it is full").raw_os_error(), Some(libc::ENOSPC));
    let said = run.ends().exits(4);
    for part in ["the journal could not be written", "is not whole: No space left on device", "plan.kdl:8:5"] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
    fs::remove_file(stuffing).expect("ours");
    let kept = fs::read_dir(results)
        .expect("results")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.join("journal.jsonl").exists());
    let kept = kept.expect("the run's folder");
    let again = trial.call(["report".as_ref(), kept.as_os_str()]).exits(0);
    assert!(again.stdout.contains("INCOMPLETE") && again.stdout.contains("\nshort "), "{}", again.stdout);
    assert!(finished(&events_in(&kept)).iter().any(|case| case.step.as_str() == "t/short"));
}

#[test]
fn a_full_memory_file_system_under_the_results_is_no_success() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let mount = Mount::memory(2 << 20, folder.path().join("mnt"));
    runs_out_of_room(&mount.point);
}

#[test]
fn a_full_disk_under_the_results_is_no_success() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkfs.ext4"), Need::FileSystem("ext4")]) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), 2 << 20, 512);
    let mount = Mount::ext4(&disk.path, folder.path().join("mnt"));
    runs_out_of_room(&mount.point);
}

#[test]
fn a_disk_that_is_full_from_the_start_leaves_the_target_alone() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let mount = Mount::memory(1 << 20, folder.path().join("mnt"));
    let _ = fs::write(mount.point.join("stuffing"), vec![1; 2 << 20]);
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let before = foreign_bytes(BYTES);
    fs::write(&device.path, &before).expect("our own device");
    let trial = Trial::new().plan(LONG);
    let mut arguments = on(&device.path, BYTES);
    arguments.extend(["--results".to_owned(), mount.point.display().to_string()]);
    let said = trial.call(&arguments).exits(4);
    assert!(said.stderr.contains("result/io") && said.stderr.contains("No space left"), "{}", said.stderr);
    assert!(said.stderr.contains("--results"), "the remedy: {}", said.stderr);
    assert!(content(&device.path) == before, "no run, no write");
    let left = fs::read_dir(&mount.point).expect("a folder").count();
    assert_eq!(left, 1, "the folder of a run that never began is not kept");
}
