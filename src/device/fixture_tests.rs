//! The facts and the guard over the small machines of `tests/fixtures/sysfs`.

use std::fs;
use std::path::{Path, PathBuf};

use super::holders::Survey;
use super::{
    Consent, DeviceNumber, Facts, KernelRoot, Refusal, RefusalReason, Role, TargetIdentity, Transport, Verdict,
    approve, judge, list, sysfs,
};

/// A machine unpacked into a folder of its own.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn unpack(name: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sysfs").join(format!("{name}.txt"));
        let text = fs::read_to_string(&source).expect("the machine's description");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("every path has a folder")).expect("a folder");
            path
        };
        let mut block: Option<(PathBuf, String)> = None;
        for line in text.lines().chain([""]) {
            if let Some((_, content)) = &mut block
                && let Some(line) = line.strip_prefix("    ")
            {
                content.push_str(line);
                content.push('\n');
                continue;
            }
            if let Some((path, content)) = block.take() {
                fs::write(path, content).expect("a file");
            }
            if let Some((path, target)) = line.split_once(" -> ") {
                std::os::unix::fs::symlink(target, place(path)).expect("a link");
            } else if let Some((path, value)) = line.split_once(" =") {
                let mut bytes = unescape(value.strip_prefix(' ').unwrap_or(value));
                bytes.push(b'\n');
                fs::write(place(path), bytes).expect("a file");
            } else if let Some(path) = line.strip_suffix(':') {
                block = Some((place(path), String::new()));
            } else {
                assert_eq!(line, "", "a line of {name} that is none of the three kinds");
            }
        }
        Self { folder }
    }

    fn root(&self) -> KernelRoot {
        KernelRoot::below(self.folder.path())
    }

    fn facts(&self, number: &str) -> Facts {
        let root = self.root();
        let number: DeviceNumber = number.parse().expect("a device number");
        sysfs::read_block_facts(&root, &Survey::read(&root), number, "/dev/given", "/dev/resolved")
            .expect("a known device")
    }

    fn refusal(&self, number: &str) -> Refusal {
        *judge(&self.facts(number)).expect_err("this device is to be refused")
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

/// Consent whose paths are resolved by a table instead of the machine.
fn consent(arguments: &[&str], paths: &[(&str, &str)]) -> Consent {
    Consent::resolve(arguments, &|path| {
        let number = paths.iter().find(|(name, _)| Path::new(name) == path)?.1;
        Some(TargetIdentity::BlockDevice(number.parse().expect("a device number")))
    })
}

#[test]
fn an_nvme_drive_is_described() {
    let facts = Machine::unpack("nvme-512").facts("259:0");
    assert_eq!(facts.summary(), "Samsung SSD 980 PRO 1TB, serial S5GXNF0R123456, 1.00 TB");
    assert_eq!(facts.capacity_bytes.get(), 1_953_525_168 * 512);
    assert_eq!((facts.logical_block_bytes, facts.physical_block_bytes, facts.optimal_io_bytes), (512, 4096, None));
    assert_eq!(facts.transport, Transport::Nvme);
    assert_eq!(facts.firmware.as_deref(), Some("5B2QGXA7"));
    assert_eq!(facts.wwn.as_deref(), Some("eui.0025385b91500001"));
    assert_eq!(facts.scheduler.as_deref(), Some("none"));
    assert_eq!(facts.write_cache.as_deref(), Some("write back"));
    assert_eq!((facts.numa_node, facts.disk_sequence, facts.zoned), (Some(0), Some(1), None));
    assert!(facts.base_disks.is_empty() && facts.unread.is_empty(), "{:?}", facts.unread);
}

#[test]
fn sectors_of_sysfs_are_512_bytes_whatever_the_logical_block() {
    let facts = Machine::unpack("nvme-4kn").facts("259:1");
    assert_eq!((facts.logical_block_bytes, facts.capacity_bytes.get()), (4096, 1_953_525_168 * 512));
    assert_eq!(facts.numa_node, None, "-1 is no node");
}

#[test]
fn a_sata_drive_tells_its_serial_on_a_page() {
    let facts = Machine::unpack("sata").facts("8:0");
    assert_eq!(facts.serial.as_deref(), Some("S3610-0042"));
    assert_eq!(facts.model.as_deref(), Some("INTEL SSDSC2BX01"));
    assert_eq!((facts.transport, facts.firmware.as_deref()), (Transport::Sata, Some("0150")));
    assert_eq!(facts.wwn.as_deref(), Some("naa.55cd2e404b4e0042"));
}

#[test]
fn facts_survive_being_written_down() {
    let facts = Machine::unpack("system-disk").facts("259:0");
    let text = serde_json::to_string(&facts).expect("plain data");
    assert_eq!(serde_json::from_str::<Facts>(&text).expect("what was written"), facts);
}

#[test]
fn an_idle_drive_may_be_written_with_its_serial_and_nothing_else() {
    let machine = Machine::unpack("nvme-512");
    let facts = machine.facts("259:0");
    let permit = approve(&facts, &consent(&["S5GXNF0R123456"], &[])).expect("consent by serial");
    assert_eq!((permit.serial(), permit.capacity_bytes()), (Some("S5GXNF0R123456"), facts.capacity_bytes.get()));
    let size = facts.capacity_bytes.get();
    let by_path = format!("/dev/given={size}");
    for wrong in ["", "S5GXNF0R12345", "S5GXNF0R1234567", "s5gxnf0r123456", "S5GXNF0R123456 ", "SYSTEM-DISK", &by_path]
    {
        let refusal = approve(&facts, &consent(&[wrong], &[("/dev/given", "259:0")])).expect_err(wrong);
        let RefusalReason::NoConsent { wanted, .. } = &refusal.reason else { panic!("{refusal}") };
        assert_eq!((wanted.as_str(), refusal.code()), ("S5GXNF0R123456", "device/no-consent"));
    }
    let refusal = approve(&facts, &Consent::none()).expect_err("no consent");
    assert!(refusal.to_string().contains("add `--destroy S5GXNF0R123456`"), "{refusal}");
}

#[test]
fn a_drive_without_a_serial_wants_path_and_exact_size() {
    let machine = Machine::unpack("odd-drives");
    for number in ["253:0", "8:48"] {
        let facts = machine.facts(number);
        assert_eq!(facts.serial, None, "{number}: none, or zeroes, which name nothing");
        let size = facts.capacity_bytes.get();
        let paths = [("/dev/link", number), ("/dev/other", "259:7")];
        let good = format!("/dev/link={size}");
        approve(&facts, &consent(&[&good], &paths)).expect("path by any name, and size");
        approve(&facts, &consent(&["X", &good], &paths)).expect("repeatable");
        for wrong in [
            format!("/dev/link={}", size + 1),
            format!("/dev/other={size}"),
            format!("/dev/missing={size}"),
            format!("/dev/link={size}B"),
            format!("/dev/link=+{size}"),
            "/dev/link=".to_owned(),
            "/dev/link".to_owned(),
            "000000000000".to_owned(),
            size.to_string(),
        ] {
            let refusal = approve(&facts, &consent(&[&wrong], &paths)).expect_err(&wrong);
            assert_eq!(refusal.code(), "device/no-consent", "{wrong}");
        }
        let refusal = approve(&facts, &consent(&[&format!("/dev/link={}", size + 1)], &paths)).expect_err("wrong size");
        assert!(refusal.to_string().contains("right path with the wrong size"), "{refusal}");
    }
}

#[test]
fn names_that_begin_alike_are_two_drives() {
    let machine = Machine::unpack("nvme-names");
    judge(&machine.facts("259:0")).expect("nvme0n1 is idle");
    assert_eq!(machine.refusal("259:10").code(), "device/mounted");
}

#[test]
fn a_disk_is_refused_for_one_mounted_partition_and_its_other_partition_is_not() {
    let machine = Machine::unpack("mounted-partition");
    let refusal = machine.refusal("8:16");
    assert_eq!(refusal.code(), "device/mounted");
    assert_eq!(
        refusal.to_string(),
        "/dev/given is mounted\n  INTEL SSDSC2BX01, serial MOUNTED-1, 1.00 TB\n  └─ sdb2  mounted on /srv/my data\n\
         unmount it first; there is no option that overrides this"
    );
    assert_eq!(machine.refusal("8:18").code(), "device/mounted");
    let idle = machine.facts("8:17");
    approve(&idle, &consent(&["MOUNTED-1"], &[])).expect("an idle partition, by its disk's serial");
    assert_eq!((idle.capacity_bytes.get(), idle.base_disks.len()), (512_000_000, 1));
}

#[test]
fn the_system_disk_is_refused_with_the_whole_chain() {
    let machine = Machine::unpack("system-disk");
    let refusal = machine.refusal("259:0");
    assert_eq!(refusal.code(), "device/system-disk");
    let expected = "\
/dev/given holds the running system
  Samsung SSD 980 PRO 1TB, serial S5GXNF0R123456, 1.00 TB
  ├─ nvme0n1p1  mounted on /boot/efi
  └─ nvme0n1p2
     └─ dm-0  CRYPT luks-root
        ├─ dm-1  LVM vg0-root, mounted on /
        ├─ dm-2  LVM vg0-swap, swap in use (/dev/dm-2)
        └─ dm-3  LVM vg0-scratch
there is no option that overrides this";
    assert_eq!(refusal.to_string(), expected);
}

#[test]
fn every_part_of_the_system_disk_is_refused_even_with_its_serial() {
    let machine = Machine::unpack("system-disk");
    for number in ["259:0", "259:1", "259:2", "259:3", "254:0", "254:1", "254:2", "254:3"] {
        let facts = machine.facts(number);
        let given = consent(&["S5GXNF0R123456", &format!("/x={}", facts.capacity_bytes.get())], &[("/x", number)]);
        assert_eq!(approve(&facts, &given).expect_err(number).code(), "device/system-disk", "{number}");
    }
}

#[test]
fn members_of_a_raid_are_held() {
    let machine = Machine::unpack("md-member");
    for number in ["8:32", "8:33", "8:48"] {
        let refusal = machine.refusal(number);
        assert_eq!(refusal.code(), "device/held", "{number}");
        assert!(refusal.to_string().contains("md127  software RAID (raid1)"), "{refusal}");
    }
    let raid = machine.facts("9:127");
    judge(&raid).expect("the RAID itself is not in use");
    assert_eq!((raid.transport, raid.base_disks.len()), (Transport::Raid, 2));
}

#[test]
fn drives_under_a_mounted_volume_are_refused() {
    let machine = Machine::unpack("lvm-data");
    for number in ["8:32", "8:48", "254:0"] {
        let refusal = machine.refusal(number);
        assert_eq!(refusal.code(), "device/mounted", "{number}");
        assert!(refusal.to_string().contains("LVM vg1-data, mounted on /mnt/data"), "{refusal}");
    }
}

#[test]
fn swap_makes_a_disk_the_systems() {
    let machine = Machine::unpack("swap");
    for (number, text) in [("8:64", "/dev/sde1"), ("8:65", "/dev/sde1"), ("8:80", "/mnt/swap/file")] {
        let refusal = machine.refusal(number);
        assert_eq!(refusal.code(), "device/system-disk", "{number}");
        assert!(refusal.to_string().contains(&format!("swap in use ({text})")), "{refusal}");
    }
}

#[test]
fn loop_devices_are_followed_both_ways() {
    let machine = Machine::unpack("loop");
    let under = machine.refusal("8:80");
    assert_eq!(under.reason, RefusalReason::LoopBacking { devices: vec!["loop0".to_owned()] });
    let through = machine.refusal("7:0");
    let number = "8:80".parse().expect("a device number");
    assert_eq!(through.reason, RefusalReason::PassesThrough { backing: "/dev/sdf".to_owned(), number });
    let holds_file = machine.refusal("8:96");
    assert_eq!(holds_file.code(), "device/mounted");
    assert!(holds_file.to_string().contains("loop1 sits on its file /images/disk.img"), "{holds_file}");
    let on_file = machine.facts("7:1");
    judge(&on_file).expect("a loop device on a file is its own");
    let chain = on_file.chain.expect("a known chain");
    assert_eq!(chain.role, Role::Loop { backing_file: "/images/disk.img".to_owned() });
}

#[test]
fn every_member_of_a_mounted_btrfs_is_refused() {
    let machine = Machine::unpack("btrfs");
    for number in ["8:32", "8:48"] {
        let refusal = machine.refusal(number);
        assert_eq!(refusal.code(), "device/mounted", "{number}");
        assert!(refusal.to_string().contains("mounted on /mnt/pool"), "{refusal}");
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let machine = Machine::unpack("odd-drives");
    for (number, code) in [("8:0", "device/zoned"), ("8:16", "device/read-only"), ("8:32", "device/empty")] {
        assert_eq!(machine.refusal(number).code(), code, "{number}");
    }
    let bridge = machine.facts("8:48");
    assert_eq!((bridge.transport, bridge.is_removable), (Transport::Usb, true));
    assert_eq!(bridge.model.as_deref(), Some("Generic Flash Disk"));
    let virtio = machine.facts("254:16");
    assert_eq!((virtio.transport, virtio.serial.as_deref()), (Transport::Virtio, Some("overlay")));
}

#[test]
fn what_is_not_known_is_not_assumed_to_be_free() {
    let machine = Machine::unpack("nvme-512");
    fs::remove_file(machine.folder.path().join("proc/self/mountinfo")).expect("it was unpacked");
    let refusal = machine.refusal("259:0");
    assert_eq!(refusal.code(), "device/unknown-use");
    assert!(refusal.to_string().contains("/proc/self/mountinfo could not be read"), "{refusal}");

    let machine = Machine::unpack("md-member");
    fs::remove_file(machine.folder.path().join("sys/dev/block/9:127")).expect("it was unpacked");
    assert_eq!(machine.refusal("8:33").code(), "device/unknown-use", "its holder cannot be followed");
}

#[test]
fn a_serial_that_two_disks_share_consents_to_neither() {
    let machine = Machine::unpack("nvme-names");
    let facts = machine.facts("259:0");
    assert!(facts.is_serial_shared, "two namespaces of one drive have one serial");
    let serial = facts.serial.clone().expect("a serial");
    let refusal = approve(&facts, &consent(&[&serial], &[])).expect_err("which of the two?");
    assert!(refusal.to_string().contains("which another disk of this machine has too"), "{refusal}");
    let sized = format!("/dev/x={}", facts.capacity_bytes.get());
    approve(&facts, &consent(&[&sized], &[("/dev/x", "259:0")])).expect("this one, by path and size");
    approve(&facts, &consent(&[&sized], &[("/dev/x", "259:10")])).expect_err("the other one");
}

#[test]
fn a_device_that_a_program_writes_is_refused() {
    let mut facts = Machine::unpack("nvme-512").facts("259:0");
    facts.writers = vec!["qemu-system-x86 (process 4711)".to_owned()];
    let refusal = judge(&facts).expect_err("a machine runs on it");
    assert_eq!(refusal.message(), "/dev/given is open for writing by qemu-system-x86 (process 4711)");
}

#[test]
fn a_device_held_exclusively_is_refused() {
    let mut facts = Machine::unpack("nvme-512").facts("259:0");
    facts.is_held_exclusively = Some(true);
    assert_eq!(judge(&facts).expect_err("busy").code(), "device/busy");
}

#[test]
fn a_chain_of_another_device_proves_nothing() {
    let machine = Machine::unpack("nvme-names");
    let mut facts = machine.facts("259:10");
    facts.chain = machine.facts("259:0").chain;
    assert_eq!(judge(&facts).expect_err("not its chain").code(), "device/unknown-use");
}

#[test]
fn a_permit_notices_every_change_of_identity() {
    let machine = Machine::unpack("nvme-512");
    let facts = machine.facts("259:0");
    let permit = approve(&facts, &consent(&["S5GXNF0R123456"], &[])).expect("consent by serial");
    permit.check(&facts).expect("nothing changed");
    type Change = fn(&mut Facts);
    let changes: [(&str, Change); 5] = [
        ("device number", |facts| facts.number.minor += 1),
        ("serial", |facts| facts.serial = Some("OTHER".to_owned())),
        ("serial", |facts| facts.serial = None),
        ("size in bytes", |facts| facts.capacity_bytes = crate::units::ByteCount::new(512)),
        ("disk sequence number", |facts| facts.disk_sequence = Some(2)),
    ];
    for (what, change) in changes {
        let mut now = facts.clone();
        change(&mut now);
        let error = permit.check(&now).expect_err(what);
        assert!(error.to_string().contains(&format!("is not what was approved: {what} was")), "{error}");
    }
    let mut mounted = facts.clone();
    mounted.chain.as_mut().expect("a known chain").uses.push(super::Use::Swap { path: "/dev/x".to_owned() });
    assert_eq!(permit.check(&mounted).expect_err("in use since").code(), "device/system-disk");
}

#[test]
fn the_list_has_a_verdict_for_every_disk() {
    let listed = list(&Machine::unpack("odd-drives").root()).expect("a list");
    let seen: Vec<(String, &str)> = listed
        .iter()
        .map(|entry| {
            let verdict = match &entry.verdict {
                Verdict::Usable { .. } => "usable",
                Verdict::UsableWithConsent { .. } => "consent",
                Verdict::Refused(refusal) => refusal.code(),
            };
            (entry.facts.path.clone(), verdict)
        })
        .collect();
    let expected = [
        ("/dev/sda", "device/zoned"),
        ("/dev/sdb", "device/read-only"),
        ("/dev/sdd", "consent"),
        ("/dev/sdz", "device/system-disk"),
        ("/dev/vda", "consent"),
        ("/dev/zram0", "consent"),
    ];
    assert_eq!(seen, expected.map(|(path, verdict)| (path.to_owned(), verdict)));
}

#[test]
fn counters_come_from_the_device_of_that_number() {
    let machine = Machine::unpack("sata");
    let counters = sysfs::read_counters(&machine.root(), "8:0".parse().expect("a device number")).expect("a stat file");
    assert_eq!((counters.reads_completed, counters.bytes_read), (13966, 3_880_810 * 512));
}

#[test]
fn a_drive_without_size_or_without_folder_is_there_no_more() {
    let machine = Machine::unpack("nvme-512");
    let number: DeviceNumber = "259:0".parse().expect("a device number");
    assert!(sysfs::is_there(&machine.root(), number));
    assert!(!sysfs::is_there(&machine.root(), "259:99".parse().expect("a device number")));
    let folder = super::holders::folder_of(&machine.root(), number).expect("its folder");
    fs::write(folder.join("size"), "0\n").expect("a file of our own");
    assert!(!sysfs::is_there(&machine.root(), number));
}
