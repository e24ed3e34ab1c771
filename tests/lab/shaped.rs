//! Drives with a known speed: what is measured is what they can do. Speeds of an emulated machine mean nothing, so only
//! limits that lie far below them are looked at.

use serde_json::json;
use shakedown::event::{Event, EventKind};

use crate::drive::{Bus, Drive, Space};
use crate::recorded::{events_in, finished};
use crate::stand::{Check, Stand, run_checks};

const MIB: u64 = 1 << 20;

#[test]
fn drives_with_a_known_speed_are_measured_as_they_are() {
    let cached = json!({ "bps-write": 2 * MIB, "bps-write-max": 16 * MIB, "bps-write-max-length": 2 });
    let drives = [
        Drive::new("slow", Bus::Nvme, Space::mib(32, 512)).limited(json!({ "iops-read": 200 })),
        Drive::new("cached", Bus::Nvme, Space::mib(64, 512)).limited(cached),
    ];
    let checks =
        [Check { name: "slow", writes: &[], run: slow }, Check { name: "cached", writes: &["cached"], run: cliff }];
    run_checks("shaped", &drives, &[], |_| (), &checks);
}

fn slow(stand: &mut Stand) {
    stand.plan(
        r#"
        plan "slow" { revision 1; }
        host { engine "sync"; }
        workload "read" { access "random"; block-size "4KiB"; read "100%"; }
        test "t" {
            allow "unwritten-reads" because="only the speed matters here"
            measure "read" { threads 4; ramp "1s"; run "5s"; sample "500ms"; }
        }
        "#,
    );
    let arguments = stand.run_on("slow");
    stand.call(&arguments).exits(0);
    let events = events_in(&stand.result());
    let read = &finished(&events)[0].totals.sides.read.moments;
    // 200 a second for five seconds; the bucket may hold a tenth of a second's worth at the start.
    assert!((700..=1040).contains(&read.count), "{read:?}");
    // Four wait for one another, so each takes the time of four.
    let mean_ns = read.sum_ns / read.count;
    assert!((15_000_000..30_000_000).contains(&mean_ns), "{read:?}");
}

/// Bytes written in each interval, in order.
fn written(events: &[Event]) -> Vec<u64> {
    let sampled = events.iter().filter_map(|event| match &event.kind {
        EventKind::IntervalSampled(sampled) => Some(sampled.interval.sides.write.bytes),
        _ => None,
    });
    sampled.collect()
}

/// Fast until its cache is full, and then at a fraction of that: the intervals show when, and how far it falls.
fn cliff(stand: &mut Stand) {
    stand.plan(
        r#"
        plan "cliff" { revision 1; }
        host { engine "sync"; }
        workload "write" { access "sequential" cursor="shared"; block-size "64KiB"; read "0%"; }
        test "t" { measure "write" { threads 1; run "10s"; sample "1s"; }; }
        "#,
    );
    let arguments = stand.run_on("cached");
    stand.call(&arguments).exits(0);
    let events = events_in(&stand.result());
    let written = written(&events);
    assert_eq!(written.len(), 10, "{written:?}");
    let late = &written[6..];
    assert!(late.iter().all(|bytes| (MIB..=3 * MIB).contains(bytes)), "2 MiB a second at the end: {written:?}");
    assert!(written[0] > 4 * late[0], "and many times that at the start: {written:?}");
    let total: u64 = written.iter().sum();
    // What the cache takes, and ten seconds at the rate behind it.
    assert!((40 * MIB..=56 * MIB).contains(&total), "{written:?}");
}
