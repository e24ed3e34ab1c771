//! Runs that are ended from outside, or held up, on a real device.

use shakedown::event::{EventKind, RunEnd};

use crate::program::{Background, LONG, events, finished, on, report};
use crate::support::{Frozen, LoopDevice, Mount, Need, folder, turn};
use crate::trial::Trial;

const BYTES: u64 = 16 << 20;

#[test]
fn signals_end_a_run_on_a_device_cleanly() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    for (name, reason) in [("-INT", "SIGINT (Ctrl-C)"), ("-TERM", "SIGTERM")] {
        let trial = Trial::new().plan(LONG);
        let mut run = Background::endless(&trial, &device.path, BYTES);
        run.signal(name);
        let said = run.ends().exits(130);
        assert!(said.stderr.contains(reason) && said.stderr.contains("incomplete"), "{}", said.stderr);
        let events = events(&trial);
        assert!(matches!(
            events.last().map(|event| &event.kind),
            Some(EventKind::RunFinished { end: RunEnd::Stopped })
        ));
        assert!(
            events.iter().any(|event| matches!(&event.kind, EventKind::StopRequested { reason: r } if r == reason))
        );
        assert_eq!(finished(&events).len(), 3, "the step after it is not begun");
        assert_eq!(report(&trial).exits(0).stdout, said.stdout);
        assert!(said.stdout.contains("INCOMPLETE") && said.stdout.contains("\nshort "), "{}", said.stdout);
    }
}

#[test]
fn a_killed_run_lets_go_of_the_device_and_is_reported() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let trial = Trial::new().plan(LONG);
    let mut run = Background::endless(&trial, &device.path, BYTES);
    run.signal("-KILL");
    assert_eq!(run.ends().code, None);
    let said = report(&trial).exits(0);
    assert!(
        said.stdout.contains("INCOMPLETE: cut off in t/endless") && said.stdout.contains("\nshort "),
        "{}",
        said.stdout
    );
    // Nothing is left that would keep a second run from the device.
    let again = Trial::new().plan(&LONG.replace("\"1h\"", "\"50ms\""));
    again.call(on(&device.path, BYTES)).exits(0);
}

#[test]
fn a_second_signal_ends_a_run_that_hangs_in_the_kernel() {
    let needs = [Need::LoopDevices, Need::Program("mkfs.ext4"), Need::FileSystem("ext4"), Need::Program("fsfreeze")];
    let Some(_turn) = turn(&needs) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), 64 << 20, 512);
    let mount = Mount::ext4(&disk.path, folder.path().join("mnt"));
    let path = mount.point.join("target");
    std::fs::write(&path, vec![0xa5; BYTES as usize]).expect("room for it");
    let trial = Trial::new().plan(LONG);
    let mut run = Background::endless(&trial, &path.display().to_string(), BYTES);
    let frozen = Frozen::new(&mount.point);
    run.signal("-INT");
    // Said at once, while the write still hangs.
    run.wait_for_words("stopping: SIGINT");
    run.signal("-INT");
    run.wait_for_words("SIGINT (Ctrl-C) again: ended at once");
    // The kernel ends the process only once it lets the writes through.
    drop(frozen);
    let said = run.ends().exits(130);
    assert!(said.stdout.is_empty(), "it ends at once, without tables: {}", said.stdout);
    let events = events(&trial);
    assert!(!events.iter().any(|event| matches!(event.kind, EventKind::RunFinished { .. })));
    assert!(report(&trial).exits(0).stdout.contains("INCOMPLETE: cut off in t/endless"));
}

#[test]
fn a_run_that_was_held_up_stays_consistent() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let plan = LONG.replace("run \"1h\"; sample \"10ms\"", "run \"1500ms\"; sample \"10ms\"").replace("1h", "50ms");
    let trial = Trial::new().plan(&plan);
    let mut held = Background::endless(&trial, &device.path, BYTES);
    for _ in 0..3 {
        held.signal("-STOP");
        std::thread::sleep(std::time::Duration::from_millis(150));
        held.signal("-CONT");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let said = held.ends().exits(0);
    let events = events(&trial);
    let mut rows = 0;
    let mut operations = 0;
    for event in &events {
        let EventKind::IntervalSampled(sampled) = &event.kind else { continue };
        if sampled.step.as_str() == "t/endless" {
            let interval = &sampled.interval;
            assert_eq!((interval.index, interval.start_ns, interval.length_ns), (rows, rows * 10_000_000, 10_000_000));
            operations += interval.sides.operations();
            rows += 1;
        }
    }
    assert_eq!(rows, 150, "an interval is a row, also where nothing happened in it");
    let cases = finished(&events);
    let case = cases.iter().find(|case| case.step.as_str() == "t/endless").expect("it ended");
    assert_eq!(operations + case.totals.late_records, case.totals.sides.operations());
    assert_eq!(case.totals.length_ns, 1_500_000_000);
    assert_eq!(report(&trial).exits(0).stdout, said.stdout);
}
