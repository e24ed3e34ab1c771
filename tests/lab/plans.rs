//! Whole plans on emulated drives: every byte goes where the plan says, the kernel counts the same, and no other drive
//! is touched. And what is refused there.

use shakedown::event::{EventKind, RunEnd};

use crate::drive::{Bus, Drive, Space};
use crate::recorded::{events_in, finished};
use crate::stand::{Check, Stand, arguments, run_checks};

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
    measure "mix" { matrix { threads 1 2; queue-depth 1 2; }; ramp "100ms"; run "500ms"; sample "100ms"; }
}
test "sequential" {
    measure "seq-write" { threads 1; queue-depth 4; run written="4MiB"; }
    measure "seq-read" { threads 1; queue-depth 4; run "300ms"; sample "100ms"; }
    measure "lanes" { threads 2; queue-depth 2; run passes=2; }
}
"#;

/// Writes all over whatever it is let loose on.
const WRITES: &str = r#"
plan "writes" { revision 1; }
device "dut" { }
host { engine "sync"; }
workload "mix" { access "random"; block-size "8KiB"; read "0%"; }
setup { fill passes=1 { block-size "64KiB"; threads 1; queue-depth 1; } }
test "t" { measure "mix" { threads 1; run written="1MiB"; }; }
"#;

#[test]
fn plans_run_on_drives_of_every_kind_and_on_nothing_else() {
    let drives = [
        Drive::new("sata", Bus::Sata, Space::mib(8, 512)),
        Drive::new("nvme", Bus::Nvme, Space::mib(9, 512)).namespace(Space::mib(12, 4096)),
        Drive::new("nvme4k", Bus::Nvme, Space::mib(10, 4096)),
        Drive::new("scsi", Bus::Scsi, Space::mib(11, 512)),
        Drive::new("scsi4k", Bus::Scsi, Space::mib(13, 4096)),
        Drive::new("virtio", Bus::Virtio, Space::mib(14, 512)),
    ];
    let checks = [
        Check { name: "without-consent", writes: &[], run: without_consent },
        Check { name: "small-blocks", writes: &["nvme"], run: small_blocks },
        Check { name: "whole-on-nvme", writes: &["nvme"], run: |stand| whole_plan_on(stand, "nvme") },
        Check { name: "whole-on-namespace", writes: &["nvme-2"], run: |stand| whole_plan_on(stand, "nvme-2") },
        Check { name: "whole-on-nvme4k", writes: &["nvme4k"], run: |stand| whole_plan_on(stand, "nvme4k") },
        Check { name: "whole-on-sata", writes: &["sata"], run: |stand| whole_plan_on(stand, "sata") },
        Check { name: "whole-on-scsi", writes: &["scsi"], run: |stand| whole_plan_on(stand, "scsi") },
        Check { name: "whole-on-scsi4k", writes: &["scsi4k"], run: |stand| whole_plan_on(stand, "scsi4k") },
        Check { name: "whole-on-virtio", writes: &["virtio"], run: |stand| whole_plan_on(stand, "virtio") },
        Check { name: "namespace-in-use", writes: &["nvme", "nvme-2"], run: namespace_in_use },
    ];
    run_checks("plans", &drives, &[], |_| (), &checks);
}

fn whole_plan_on(stand: &mut Stand, image: &str) {
    stand.plan(WHOLE);
    let bytes = stand.listed_as(image).facts.capacity_bytes.get();
    let arguments = stand.run_on(image);
    let said = stand.call(&arguments).exits(0);
    let events = events_in(&stand.result());
    assert!(matches!(events.last().map(|event| &event.kind), Some(EventKind::RunFinished { end: RunEnd::Complete })));
    let cases = finished(&events);
    assert_eq!(cases.len(), 9, "a fill, a precondition, four and three cases");
    for (case, block) in cases.iter().zip([128, 8, 8, 8, 8, 8, 64, 64, 16]) {
        let moved = case.totals.moved;
        let operations = moved.read_operations + moved.write_operations;
        assert!(case.totals.errors == 0 && operations > 0, "{case:?}");
        assert_eq!(moved.bytes_read + moved.bytes_written, operations * block * 1024, "{}", case.case);
        let kernel = case.kernel.unwrap_or_else(|| panic!("the kernel counts on {image}"));
        assert_eq!((kernel.bytes_read, kernel.bytes_written), (moved.bytes_read, moved.bytes_written), "{}", case.case);
        let counted = kernel.reads_completed + kernel.reads_merged + kernel.writes_completed + kernel.writes_merged;
        assert_eq!(counted, operations, "{}", case.case);
    }
    let area = bytes / 16384 * 16384;
    let written = [0, 6, 8].map(|case: usize| cases[case].totals.moved.bytes_written);
    assert_eq!(written, [bytes, 4 << 20, 2 * area], "limits in bytes and passes are kept to the byte");
    assert_eq!(stand.report().exits(0).stdout, said.stdout);
    let row = said.stdout.lines().find(|line| line.starts_with("seq-read ")).expect("a row for each case");
    assert!(row.split_whitespace().filter(|cell| cell.starts_with(|sign: char| sign.is_ascii_digit())).count() >= 5);
}

fn without_consent(stand: &mut Stand) {
    stand.plan(WRITES);
    for image in ["sata", "nvme", "nvme-2", "nvme4k", "scsi", "virtio"] {
        let [.., right] = stand.run_on(image);
        let facts = stand.listed_as(image).facts;
        let bytes = facts.capacity_bytes.get();
        // The serial of a neighbour, a shared serial, a size beside the right one: none of them names this drive.
        let mut wrong = vec!["LAB-other".to_owned(), format!("{}={}", facts.path, bytes - 512), format!("{right}x")];
        wrong.extend(["LAB-sata", "LAB-nvme", "LAB-scsi"].map(str::to_owned).into_iter().filter(|text| *text != right));
        if !right.contains('=') {
            wrong.push(format!("{}={bytes}", facts.path));
        }
        for consent in wrong {
            let said = stand.call(&arguments(&facts.path, &consent)).exits(3);
            for word in ["device/no-consent", &format!("--destroy {right}")] {
                assert!(said.stderr.contains(word), "{word} in\n{}", said.stderr);
            }
        }
    }
}

fn small_blocks(stand: &mut Stand) {
    stand.plan(&WRITES.replace("\"8KiB\"", "\"512B\""));
    for image in ["nvme4k", "nvme-2", "scsi4k"] {
        let arguments = stand.run_on(image);
        let said = stand.call(&arguments).exits(1);
        for word in ["device/block-size", "512", "4096", "plan.kdl:5:"] {
            assert!(said.stderr.contains(word), "{word} in\n{}", said.stderr);
        }
    }
    let arguments = stand.run_on("nvme");
    stand.call(&arguments).exits(0);
}

/// A namespace may be written while another of the same controller is mounted, and that one keeps its files.
fn namespace_in_use(stand: &mut Stand) {
    stand.plan(WRITES);
    let path = stand.listed_as("nvme-2").facts.path;
    let sums = stand.machine.must(&format!(
        "mkfs.ext4 -q -F {path}\n\
         mkdir -p /mnt/beside\n\
         mount {path} /mnt/beside\n\
         head -c 3000000 /dev/urandom >/mnt/beside/file\n\
         sync\n\
         sha256sum /mnt/beside/file"
    ));
    let refused = stand.call(&arguments(&path, &format!("{path}={}", 12 << 20))).exits(3);
    for word in ["device/mounted", "/mnt/beside"] {
        assert!(refused.stderr.contains(word), "{word} in\n{}", refused.stderr);
    }
    let arguments = stand.run_on("nvme");
    stand.call(&arguments).exits(0);
    let after = stand.machine.must(&format!(
        "umount /mnt/beside\n\
         e2fsck -fn {path} >&2\n\
         mount {path} /mnt/beside\n\
         sha256sum /mnt/beside/file\n\
         umount /mnt/beside"
    ));
    assert_eq!(after, sums);
}
