//! `shakedown devices` on a machine with drives of every kind.

use shakedown::device::{Listed, Transport, Verdict};

use crate::drive::{Bus, Drive, Space};
use crate::stand::{Check, Stand, run_checks};

#[test]
fn drives_of_every_kind_are_listed_as_what_they_are() {
    let drives = [
        Drive::new("sata", Bus::Sata, Space::mib(24, 512)),
        Drive::new("nvme", Bus::Nvme, Space::mib(32, 512)).namespace(Space::mib(16, 4096)),
        Drive::new("nvme4k", Bus::Nvme, Space::mib(40, 4096)),
        Drive::new("scsi", Bus::Scsi, Space::mib(48, 512)),
        Drive::new("virtio", Bus::Virtio, Space::mib(56, 512)),
    ];
    let checks = [Check { name: "every-drive", writes: &[], run: every_drive }];
    run_checks("listing", &drives, &[], |_| (), &checks);
}

fn every_drive(stand: &mut Stand) {
    let expected = [
        ("sata", Transport::Sata, Some("QEMU HARDDISK"), 512),
        ("nvme", Transport::Nvme, Some("QEMU NVMe Ctrl"), 512),
        ("nvme-2", Transport::Nvme, Some("QEMU NVMe Ctrl"), 4096),
        ("nvme4k", Transport::Nvme, Some("QEMU NVMe Ctrl"), 4096),
        ("scsi", Transport::Scsi, Some("QEMU QEMU HARDDISK"), 512),
        ("virtio", Transport::Virtio, None, 512),
    ];
    assert_eq!(stand.listed().len(), expected.len());
    for (image, transport, model, block) in expected {
        let Listed { facts, verdict } = stand.listed_as(image);
        assert_eq!((&facts.transport, facts.model.as_deref()), (&transport, model), "{image}");
        assert_eq!((facts.logical_block_bytes, facts.physical_block_bytes), (block, block), "{image}");
        assert_eq!((facts.unread.len(), facts.is_held_exclusively), (0, Some(false)), "{image}: {facts:#?}");
        let has_namespaces = image.starts_with("nvme") && !image.ends_with("4k");
        let consent = if has_namespaces {
            format!("{}={}", facts.path, facts.capacity_bytes.get())
        } else {
            format!("LAB-{image}")
        };
        // Bytes are on it that no signature explains.
        assert_eq!(verdict, Verdict::UsableWithConsent { consent }, "{image}");
    }
    let table = stand.call(&["devices"]).exits(0).stdout;
    for serial in ["LAB-sata", "LAB-nvme", "LAB-nvme4k", "LAB-scsi", "LAB-virtio"] {
        assert!(table.contains(serial), "{serial} in\n{table}");
    }
}
