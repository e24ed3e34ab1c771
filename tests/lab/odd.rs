//! Drives that may not be written, or whose serial number does not tell which they are.

use shakedown::device::{Listed, Verdict};

use crate::drive::{Bus, Drive, Space};
use crate::stand::{Check, Stand, arguments, run_checks};

const FILL: &str = r#"
plan "fill" { revision 1; }
setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 1; } }
"#;

#[test]
fn odd_drives_are_told_apart_or_refused() {
    let drives = [
        Drive::new("zoned", Bus::Nvme, Space::mib(16, 4096)).zoned(),
        Drive::new("read-only", Bus::Virtio, Space::mib(17, 512)).read_only(),
        Drive::new("twin-a", Bus::Scsi, Space::mib(18, 512)).serial_is("LAB-twin"),
        Drive::new("twin-b", Bus::Scsi, Space::mib(19, 512)).serial_is("LAB-twin"),
        Drive::new("blank", Bus::Scsi, Space::mib(20, 512)).serial_is("00000000"),
    ];
    let checks = [
        Check { name: "zoned", writes: &[], run: |stand| refused(stand, "zoned", "device/zoned") },
        Check { name: "read-only", writes: &[], run: |stand| refused(stand, "read-only", "device/read-only") },
        Check { name: "twins", writes: &["twin-b"], run: twins },
        Check { name: "blank-serial", writes: &["blank"], run: blank_serial },
    ];
    run_checks("odd", &drives, &[], |_| (), &checks);
}

fn refused(stand: &mut Stand, image: &str, code: &str) {
    stand.plan(FILL);
    let Listed { facts, verdict } = stand.listed_as(image);
    assert!(matches!(&verdict, Verdict::Refused(refusal) if refusal.code() == code), "{verdict:?}");
    for consent in [format!("LAB-{image}"), format!("{}={}", facts.path, facts.capacity_bytes.get())] {
        let said = stand.call(&arguments(&facts.path, &consent)).exits(3);
        assert!(said.stderr.contains(code), "{}", said.stderr);
    }
}

/// Two drives that both say to be `LAB-twin`: only path and size tell which is meant.
fn twins(stand: &mut Stand) {
    stand.plan(FILL);
    let [a, b] = ["twin-a", "twin-b"].map(|image| stand.listed_as(image).facts);
    for facts in [&a, &b] {
        let said = stand.call(&arguments(&facts.path, "LAB-twin")).exits(3);
        for word in ["device/no-consent", "which another disk of this machine has too"] {
            assert!(said.stderr.contains(word), "{word} in\n{}", said.stderr);
        }
    }
    let of_the_other = format!("{}={}", a.path, a.capacity_bytes.get());
    stand.call(&arguments(&b.path, &of_the_other)).exits(3);
    stand.call(&arguments(&b.path, &format!("{}={}", b.path, b.capacity_bytes.get()))).exits(0);
}

/// A serial of zeroes names no drive, so it is consented to as one without.
fn blank_serial(stand: &mut Stand) {
    stand.plan(FILL);
    let listed = stand.listed();
    let blank = listed.iter().find(|listed| listed.facts.capacity_bytes.get() == 20 << 20).expect("it is listed");
    assert_eq!(blank.facts.serial, None);
    let path = &blank.facts.path;
    stand.call(&arguments(path, "00000000")).exits(3);
    stand.call(&arguments(path, &format!("{path}={}", 20 << 20))).exits(0);
}
