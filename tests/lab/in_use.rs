//! Drives that are in use: the system's own disk, swap, members of RAIDs and volume groups. Each is refused with the
//! chain that leads to its use, and stays as it is.

use shakedown::device::{Refusal, Verdict};

use crate::drive::{Bus, Drive, Space};
use crate::stand::{Check, Stand, arguments, run_checks};

#[test]
fn drives_in_use_are_refused_with_the_chain_to_their_use() {
    let drives = [
        Drive::new("system", Bus::Virtio, Space::mib(48, 512)),
        Drive::new("swap", Bus::Scsi, Space::mib(17, 4096)),
        Drive::new("raid-a", Bus::Nvme, Space::mib(18, 512)),
        Drive::new("raid-b", Bus::Nvme, Space::mib(18, 4096)),
        Drive::new("volume", Bus::Sata, Space::mib(32, 512)),
        Drive::new("free", Bus::Nvme, Space::mib(19, 512)),
    ];
    let programs = [
        ("sfdisk", "fdisk"),
        ("mkswap", "util-linux"),
        ("mdadm", "mdadm"),
        ("vgcreate", "lvm2"),
        ("chroot", "coreutils"),
    ];
    let checks = [
        Check { name: "each-refused", writes: &[], run: each_refused },
        Check { name: "from-inside", writes: &["system"], run: from_inside },
    ];
    run_checks("in-use", &drives, &programs, put_in_use, &checks);
}

/// The system's disk with two partitions, the second of them mounted as a system's root would be; swap; a RAID of two
/// drives; a volume group with one volume. All of it is left at rest, so that whoever writes to it is noticed.
fn put_in_use(stand: &mut Stand) {
    let [system, swap, a, b, volume] =
        ["system", "swap", "raid-a", "raid-b", "volume"].map(|image| stand.listed_as(image).facts.path);
    stand.machine.must(&format!(
        "printf 'label: gpt\\nsize=8M, type=uefi\\ntype=linux\\n' | sfdisk --quiet --wipe always {system} >&2\n\
         mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 {system}2\n\
         mkdir -p /mnt/system\n\
         mount {system}2 /mnt/system\n\
         cd /mnt/system\n\
         mkdir usr proc sys dev lab program\n\
         for folder in bin sbin lib lib64; do ln -s usr/$folder $folder; done\n\
         cd /\n\
         mount -o remount,ro /mnt/system"
    ));
    stand.machine.must(&format!("mkswap {swap} >&2; swapon {swap}"));
    stand.machine.must(&format!(
        "modprobe -a md_mod raid1\n\
         export MDADM_NO_UDEV=1\n\
         mdadm --create /dev/md0 --run --assume-clean --metadata 1.2 --level 1 --raid-devices 2 {a} {b} </dev/null >&2"
    ));
    let lvm = "devices{use_devicesfile=0} activation{udev_sync=0 udev_rules=0 monitoring=0} backup{backup=0 archive=0}";
    stand.machine.must(&format!(
        "modprobe dm-mod\n\
         mkdir -p /run/lvm /run/lock/lvm\n\
         pvcreate --config '{lvm}' -qq {volume} -ff -y >&2\n\
         vgcreate --config '{lvm}' -qq lab {volume} >&2\n\
         lvcreate --config '{lvm}' -qq -y -Wn -Zn -L 8M -n data lab >&2\n\
         sync; sleep 2"
    ));
}

/// The refusal of the drive behind an image.
fn refusal(stand: &mut Stand, image: &str) -> Refusal {
    match stand.listed_as(image).verdict {
        Verdict::Refused(refusal) => *refusal,
        other => panic!("{image}: {other:?}"),
    }
}

fn each_refused(stand: &mut Stand) {
    let plan = r#"plan "fill" { revision 1; }
        setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 1; } }"#;
    stand.plan(plan);
    let expected: [(&str, &str, &[&str]); 5] = [
        ("system", "device/mounted", &["2  ext2/3/4, mounted on /mnt/system"]),
        ("swap", "device/system-disk", &["swap area, swap in use (/dev/"]),
        ("raid-a", "device/held", &["RAID member", "md0  software RAID (raid1)"]),
        ("raid-b", "device/held", &["RAID member", "md0  software RAID (raid1)"]),
        ("volume", "device/held", &["LVM2 member", "dm-0  LVM lab-data"]),
    ];
    let table = stand.call(&["devices"]).exits(0).stdout;
    for (image, code, words) in expected {
        let refusal = refusal(stand, image);
        assert_eq!(refusal.code(), code, "{image}");
        // Whatever is consented to, by serial or by path and size.
        let path = stand.listed_as(image).facts.path;
        let bytes = stand.listed_as(image).facts.capacity_bytes.get();
        for consent in [format!("LAB-{image}"), format!("{path}={bytes}")] {
            let said = stand.call(&arguments(&path, &consent)).exits(3);
            for word in words.iter().chain([&code]) {
                assert!(said.stderr.contains(word), "{word} in\n{}", said.stderr);
            }
        }
        for word in words {
            assert!(refusal.to_string().contains(word) && table.contains(word), "{word} in\n{refusal}\n{table}");
        }
    }
    assert!(matches!(stand.listed_as("free").verdict, Verdict::UsableWithConsent { .. }));
}

/// As seen from a system whose root is on the disk, the disk and all its partitions are the system's.
fn from_inside(stand: &mut Stand) {
    stand.machine.must(
        "for folder in usr proc sys dev lab program; do mount --rbind /$folder /mnt/system/$folder; done\n\
         for folder in tmp run; do mount -o remount,rw /mnt/system; mkdir -p /mnt/system/$folder; done",
    );
    let plan = r#"plan "fill" { revision 1; }
        setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 1; } }"#;
    stand.plan(plan);
    let path = stand.listed_as("system").facts.path;
    for (target, consent) in
        [(path.clone(), "LAB-system"), (format!("{path}1"), "LAB-system"), (format!("{path}2"), "x")]
    {
        let words = arguments(&target, consent).join(" ");
        let said = stand.machine.run(&format!(
            "exec chroot /mnt/system sh -c 'cd {} && exec /program/shakedown {words}'",
            stand.guest_path("")
        ));
        let said = said.exits(3);
        for word in ["device/system-disk", "mounted on /"] {
            assert!(said.stderr.contains(word), "{word} in\n{}", said.stderr);
        }
    }
}
