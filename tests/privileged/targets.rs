//! Facts and opening on real devices.

use std::os::unix::fs::FileExt;
use std::path::Path;

use shakedown::device::{
    Consent, DeviceError, FileIo, FileTarget, KernelRoot, Role, ScratchRequest, Signature, Transport, Verdict, approve,
    find, list,
};
use shakedown::units::ByteCount;

use crate::support::{LoopDevice, Mount, Need, ZramDevice, device, folder, turn};

const BYTES: u64 = 16 << 20;

/// Reads or writes through a buffer that direct I/O takes.
fn aligned<T>(length: usize, use_it: impl FnOnce(&mut [u8]) -> T) -> T {
    let mut memory = vec![0; length + 4096];
    let start = memory.as_ptr().align_offset(4096);
    use_it(&mut memory[start..start + length])
}

#[test]
fn a_loop_device_is_described() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    for sector_bytes in [512, 4096] {
        let loop_device = LoopDevice::new(folder.path(), BYTES, sector_bytes);
        let device = device(&loop_device.path);
        let facts = device.facts();
        assert_eq!((facts.capacity_bytes.get(), facts.logical_block_bytes), (BYTES, sector_bytes));
        assert_eq!(facts.direct_io.offset_alignment_bytes, sector_bytes);
        assert_eq!((&facts.transport, &facts.serial, facts.is_read_only), (&Transport::Loop, &None, false));
        assert_eq!(facts.contents.as_deref(), Some(&[][..]));
        assert_eq!(facts.is_held_exclusively, Some(false));
        assert!(facts.disk_sequence.is_some() || !Path::new("/sys/block/loop0/diskseq").exists());
        let backing = facts.loop_backing.as_ref().expect("a backing file");
        assert!(backing.path.starts_with(&folder.path().display().to_string()) && backing.block_device.is_none());
        assert!(matches!(facts.chain.as_ref().expect("a chain").role, Role::Loop { .. }));
        assert_eq!(Verdict::of(facts), Verdict::Usable { consent: format!("{}={BYTES}", loop_device.path) });
        assert_eq!(facts.unread, [""; 0]);
    }
}

#[test]
fn a_zram_device_is_described_and_written() {
    let Some(_turn) = turn(&[Need::Zram]) else { return };
    let zram = ZramDevice::new(BYTES);
    let device = device(&zram.path);
    let facts = device.facts();
    assert_eq!((facts.capacity_bytes.get(), facts.logical_block_bytes), (BYTES, 4096));
    assert_eq!((&facts.transport, &facts.serial), (&Transport::Zram, &None));
    let permit = approve(facts, &Consent::from_arguments(&[format!("{}={BYTES}", zram.path)])).expect("consent");
    let before = device.counters().expect("zram has statistics");
    let open = device.open_for_write(&permit).expect("its permit");
    aligned(4096, |block| {
        block.fill(0xa5);
        open.file().write_all_at(block, BYTES - 4096).expect("the last block");
    });
    let counted = device.counters().expect("zram has statistics").since(&before);
    assert_eq!((counted.writes_completed, counted.bytes_written), (1, 4096));
}

#[test]
fn consent_by_path_and_exact_size_opens_a_loop_device() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    for sector_bytes in [512, 4096] {
        let loop_device = LoopDevice::new(folder.path(), BYTES, sector_bytes);
        let other = LoopDevice::new(folder.path(), BYTES, sector_bytes);
        let link = folder.path().join(format!("link-{sector_bytes}"));
        std::os::unix::fs::symlink(&loop_device.path, &link).expect("a link");
        let device = device(&link);
        for wrong in [
            format!("{}={}", loop_device.path, BYTES - 1),
            format!("{}={BYTES}", other.path),
            loop_device.path.clone(),
            BYTES.to_string(),
        ] {
            let refusal = approve(device.facts(), &Consent::from_arguments(&[&wrong])).expect_err(&wrong);
            assert_eq!(refusal.code(), "device/no-consent", "{wrong}");
        }
        let consent = Consent::from_arguments(&[format!("{}={BYTES}", loop_device.path)]);
        let permit = approve(device.facts(), &consent).expect("the same device by another name");
        let open = device.open_for_write(&permit).expect("its permit");
        assert!(open.is_direct() && open.is_writable());
        aligned(sector_bytes as usize, |block| {
            block.fill(7);
            open.file().write_all_at(block, 0).expect("the first block");
        });
        let again = device.open_for_write(&permit).expect_err("it is open exclusively, by us");
        assert!(matches!(again, DeviceError::Busy { .. }), "{again}");
        let reader = device.open_for_read().expect("reading is free");
        aligned(sector_bytes as usize, |block| {
            assert_eq!(reader.file().read_at(block, 0).expect("the first block"), block.len());
            assert!(block.iter().all(|byte| *byte == 7));
            reader.file().write_at(block, 0).expect_err("opened for reading only");
        });
        let foreign = crate::support::device(&other.path).open_for_write(&permit).expect_err("another device's permit");
        assert_eq!(foreign.code(), "device/changed");
    }
}

#[test]
fn a_loop_device_that_was_set_up_anew_is_not_what_was_approved() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let first = LoopDevice::new(folder.path(), BYTES, 512);
    let path = first.path.clone();
    let before = device(&path);
    let permit = approve(before.facts(), &Consent::from_arguments(&[format!("{path}={BYTES}")])).expect("consent");
    drop(first);
    // Not every system gives the number again at once; then there is nothing to compare.
    let second = LoopDevice::new(folder.path(), BYTES, 512);
    if second.path == path && before.facts().disk_sequence.is_some() {
        let error = before.open_for_write(&permit).expect_err("another backing file");
        assert!(error.to_string().contains("disk sequence number"), "{error}");
    } else {
        let error = before.open_for_write(&permit).expect_err("nothing is attached");
        assert!(["device/changed", "device/no-such-device"].contains(&error.code()), "{error}");
    }
}

#[test]
fn a_missing_node_is_never_created() {
    let Some(_turn) = turn(&[]) else { return };
    let folder = folder();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/dev/shakedown-none", &link).expect("a link");
    for path in [Path::new("/dev/shakedown-none"), Path::new("/dev/nvme99n9"), &link] {
        for file_io in [FileIo::Direct, FileIo::BufferedIfNeeded] {
            let error = find(path, file_io).map(|device| device.facts().clone()).expect_err("nothing is there");
            assert_eq!(error.code(), "device/no-such-device");
        }
    }
    let request = ScratchRequest {
        directory: "/dev".into(),
        name: "shakedown-none".to_owned(),
        bytes: ByteCount::new(4096),
        file_io: FileIo::BufferedIfNeeded,
    };
    FileTarget::create_scratch(&request).expect_err("no place for a file");
    assert!(!Path::new("/dev/shakedown-none").exists() && !Path::new("/dev/nvme99n9").exists());
}

#[test]
fn a_node_that_vanishes_is_not_created_by_opening() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    // A node of our own for the same device, in a folder of ours, so that it can be removed and replaced.
    let node = folder.path().join("node");
    let number = device(&loop_device.path).facts().number;
    let packed = nix::sys::stat::makedev(number.major.into(), number.minor.into());
    let mode = nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR;
    nix::sys::stat::mknod(&node, nix::sys::stat::SFlag::S_IFBLK, mode, packed).expect("a node");
    let Ok(device) = find(&node, FileIo::Direct) else { return };
    let consent = Consent::from_arguments(&[format!("{}={BYTES}", node.display())]);
    let permit = approve(device.facts(), &consent).expect("consent");
    std::fs::remove_file(&node).expect("ours");
    assert_eq!(device.open_for_write(&permit).expect_err("gone").code(), "device/no-such-device");
    assert!(!node.exists());
    std::fs::write(&node, vec![1; BYTES as usize]).expect("a plain file in its place");
    assert_eq!(device.open_for_write(&permit).expect_err("not the device").code(), "device/changed");
    std::fs::remove_file(&node).expect("ours");
    std::os::unix::fs::symlink(&loop_device.path, &node).expect("a link");
    device.open_for_write(&permit).expect_err("a link is not followed at that moment");
}

#[test]
fn signatures_are_found_on_an_idle_drive() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkfs.ext4"), Need::Program("mkswap")]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    drop(Mount::ext4(&loop_device.path, folder.path().join("mnt")));
    let found = device(&loop_device.path);
    assert_eq!(found.facts().contents.as_deref(), Some(&[Signature::Ext][..]));
    assert!(matches!(Verdict::of(found.facts()), Verdict::UsableWithConsent { .. }));
    let refusal = approve(found.facts(), &Consent::none()).expect_err("no consent");
    assert!(refusal.to_string().contains("found on it: ext2/3/4"), "{refusal}");
    crate::support::must("mkswap", &["-f", &loop_device.path]);
    let contents = device(&loop_device.path).facts().contents.clone().expect("root may read");
    assert!(contents.contains(&Signature::Swap), "{contents:?}");
}

#[test]
fn the_list_names_every_device_and_the_systems_disk() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    let listed = list(&KernelRoot::live()).expect("a list");
    let entry = listed.iter().find(|entry| entry.facts.path == loop_device.path).expect("our loop device");
    assert_eq!(entry.verdict, Verdict::Usable { consent: format!("{}={BYTES}", loop_device.path) });
    let root_device = nix::sys::stat::stat("/").expect("the root").st_dev;
    if nix::sys::stat::major(root_device) == 0 {
        return;
    }
    let refused = listed
        .iter()
        .any(|entry| matches!(&entry.verdict, Verdict::Refused(refusal) if refusal.code() == "device/system-disk"));
    assert!(refused, "the root lies on a block device, so one disk must be the system's");
}

#[test]
fn a_file_system_without_direct_io_is_named() {
    let Some(_turn) = turn(&[Need::FileSystem("ramfs")]) else { return };
    let folder = folder();
    let point = folder.path().join("ram");
    let _mount = Mount::of_type("ramfs", point.clone());
    let path = point.join("file");
    std::fs::write(&path, vec![0; 65536]).expect("a file in memory");
    let error = find(&path, FileIo::Direct).map(|device| device.facts().clone()).expect_err("no direct I/O");
    assert_eq!(error.code(), "device/no-direct-io");
    assert!(error.to_string().contains("ramfs refuses direct I/O"), "{error}");
    let buffered = find(&path, FileIo::BufferedIfNeeded).expect("an explicit choice");
    assert!(!buffered.facts().direct_io.is_supported);
    assert!(!buffered.open_for_read().expect("through the page cache").is_direct());
    // This file system keeps no count of free space, which is not the same as being full.
    let request = |file_io| ScratchRequest {
        directory: point.clone(),
        name: "new".into(),
        bytes: ByteCount::new(65536),
        file_io,
    };
    let error = FileTarget::create_scratch(&request(FileIo::Direct)).expect_err("no direct I/O");
    assert_eq!(error.code(), "device/no-direct-io");
    assert!(!point.join("new").exists());
    assert!(FileTarget::create_scratch(&request(FileIo::BufferedIfNeeded)).is_ok());
}
