//! What the guard refuses, on real devices.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};

use shakedown::device::{Consent, DeviceError, FileIo, WritePermit, approve, find, judge};

use crate::support::{Child, LoopDevice, Mapped, Mount, Need, Partition, Swap, device, folder, must, turn};

const BYTES: u64 = 32 << 20;

fn code_of(path: &str) -> &'static str {
    judge(device(path).facts()).map_or_else(|refusal| refusal.code(), |()| "nothing")
}

/// A permit for a loop device that is still idle.
fn permit(path: &str) -> WritePermit {
    approve(device(path).facts(), &Consent::from_arguments(&[format!("{path}={BYTES}")])).expect("an idle device")
}

#[test]
fn a_mounted_device_is_refused_also_to_an_older_permit() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkfs.ext4")]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    let before = device(&loop_device.path);
    let permit = permit(&loop_device.path);
    let mount = Mount::ext4(&loop_device.path, folder.path().join("mnt"));
    let refusal = judge(device(&loop_device.path).facts()).expect_err("mounted");
    assert_eq!(refusal.code(), "device/mounted");
    assert!(refusal.to_string().contains(&format!("mounted on {}", mount.point.display())), "{refusal}");
    let error = before.open_for_write(&permit).expect_err("mounted since");
    assert!(matches!(error, DeviceError::Busy { .. }), "{error}");
    // Reading is not refused: it destroys nothing, and the facts say that the device is in use.
    let mounted = device(&loop_device.path);
    mounted.open_for_read().expect("reading is free");
    assert!(mounted.facts().is_in_use());
    drop(mount);
    before.open_for_write(&permit).expect("idle again");
}

#[test]
fn a_mounted_partition_refuses_its_disk() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkfs.ext4"), Need::Program("addpart")]) else { return };
    let folder = folder();
    let disk = LoopDevice::new(folder.path(), BYTES, 512);
    let partition = Partition::on(&disk.path, BYTES);
    let partition = &partition.path;
    assert_eq!((code_of(&disk.path), code_of(partition)), ("nothing", "nothing"));
    let permit = permit(&disk.path);
    let before = device(&disk.path);
    let mount = Mount::ext4(partition, folder.path().join("mnt"));
    assert_eq!((code_of(&disk.path), code_of(partition)), ("device/mounted", "device/mounted"));
    let text = judge(device(&disk.path).facts()).expect_err("mounted").to_string();
    let name = partition.trim_start_matches("/dev/");
    assert!(text.contains(&format!("└─ {name}  ext2/3/4, mounted on {}", mount.point.display())), "{text}");
    let error = before.open_for_write(&permit).expect_err("its partition is mounted since");
    assert!(matches!(error, DeviceError::Busy { .. }), "{error}");
}

#[test]
fn every_drive_of_a_mounted_btrfs_is_refused() {
    let needs = [Need::LoopDevices, Need::Program("mkfs.btrfs"), Need::FileSystem("btrfs")];
    let Some(_turn) = turn(&needs) else { return };
    let folder = folder();
    let drives = [(), ()].map(|()| LoopDevice::new(folder.path(), 128 << 20, 512));
    must("mkfs.btrfs", &["-q", "-f", "-d", "single", "-m", "raid1", &drives[0].path, &drives[1].path]);
    must("btrfs", &["device", "scan", &drives[0].path, &drives[1].path]);
    let mount = Mount::new(&drives[0].path, folder.path().join("mnt"));
    for drive in &drives {
        let refusal = judge(device(&drive.path).facts()).expect_err("mounted");
        assert_eq!(refusal.code(), "device/mounted");
        assert!(refusal.to_string().contains(&format!("mounted on {}", mount.point.display())), "{refusal}");
    }
    drop(mount);
    // The kernel keeps the members of an unmounted file system in mind, which must not count as use.
    for drive in &drives {
        assert_eq!(code_of(&drive.path), "nothing");
    }
    must("btrfs", &["device", "scan", "--forget"]);
}

#[test]
fn swap_is_refused() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("mkswap")]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 4096);
    let swap = Swap::on(&loop_device.path);
    let refusal = judge(device(&loop_device.path).facts()).expect_err("in use as swap");
    assert_eq!(refusal.code(), "device/system-disk");
    assert!(refusal.to_string().contains("swap in use"), "{refusal}");
    drop(swap);
    assert_eq!(code_of(&loop_device.path), "nothing");
}

#[test]
fn a_device_under_device_mapper_is_held() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::DeviceMapper]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    let _mapped = Mapped::over(&loop_device.path, BYTES / 512);
    let refusal = judge(device(&loop_device.path).facts()).expect_err("held");
    assert_eq!(refusal.code(), "device/held");
    assert!(refusal.to_string().contains("device-mapper shakedown-"), "{refusal}");
}

#[test]
fn an_exclusive_holder_is_noticed() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    let before = device(&loop_device.path);
    let permit = permit(&loop_device.path);
    let holder: File =
        File::options().read(true).custom_flags(libc::O_EXCL).open(&loop_device.path).expect("the first holder");
    assert_eq!(device(&loop_device.path).facts().is_held_exclusively, Some(true));
    assert_eq!(code_of(&loop_device.path), "device/busy");
    assert_eq!(before.open_for_write(&permit).expect_err("held").code(), "device/busy");
    drop(holder);
    before.open_for_write(&permit).expect("free again");
}

#[test]
fn a_program_that_writes_without_claiming_is_noticed() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    let before = device(&loop_device.path);
    let permit = permit(&loop_device.path);
    let script = format!("exec 3<>{} && echo ready && read wait", loop_device.path);
    let child = Command::new("sh").args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = Child(child.expect("a shell"));
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().expect("a pipe")).read_line(&mut line).expect("one line");
    assert_eq!(line, "ready\n");
    let refusal = judge(device(&loop_device.path).facts()).expect_err("open for writing");
    assert!(refusal.message().ends_with(&format!("by sh (process {})", child.0.id())), "{refusal}");
    assert_eq!(before.open_for_write(&permit).expect_err("since").code(), "device/open-for-writing");
    drop(child);
    before.open_for_write(&permit).expect("free again");
}

#[test]
fn a_mount_in_another_namespace_is_noticed() {
    let needs = [Need::LoopDevices, Need::Program("mkfs.ext4"), Need::Program("unshare")];
    let Some(_turn) = turn(&needs) else { return };
    let folder = folder();
    let loop_device = LoopDevice::new(folder.path(), BYTES, 512);
    let point = folder.path().join("mnt");
    drop(Mount::ext4(&loop_device.path, point.clone()));
    let script = format!("mount {} {} && echo ready && read wait", loop_device.path, point.display());
    let child = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = Child(child.expect("unshare runs"));
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().expect("a pipe")).read_line(&mut line).expect("one line");
    assert_eq!(line, "ready\n");
    assert_eq!(code_of(&loop_device.path), "device/busy", "the mount table of this process does not show it");
}

#[test]
fn loop_devices_on_devices_and_files_are_noticed() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let lower = LoopDevice::new(folder.path(), BYTES, 512);
    let permit = permit(&lower.path);
    let before = device(&lower.path);
    let upper = LoopDevice::on(std::path::Path::new(&lower.path), &[]);
    let under = judge(device(&lower.path).facts()).expect_err("a loop device sits on it");
    assert_eq!(under.code(), "device/loop-backing");
    assert!(under.to_string().contains(upper.name()), "{under}");
    assert_eq!(code_of(&upper.path), "device/passes-through");
    let error = before.open_for_write(&permit).expect_err("a loop device sits on it since");
    assert!(["device/loop-backing", "device/busy"].contains(&error.code()), "{error}");
    drop(upper);

    let backing = tempfile::NamedTempFile::new_in(folder.path()).expect("a backing file");
    backing.as_file().set_len(BYTES).expect("any length");
    let _on_file = LoopDevice::on(backing.path(), &[]);
    let file = find(backing.path(), FileIo::BufferedIfNeeded).expect("a plain file");
    let consent = Consent::from_arguments(&[format!("{}={BYTES}", backing.path().display())]);
    assert_eq!(approve(file.facts(), &consent).expect_err("under a loop device").code(), "device/loop-backing");
}

#[test]
fn a_read_only_device_is_refused() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let backing = tempfile::NamedTempFile::new_in(folder.path()).expect("a backing file");
    backing.as_file().set_len(BYTES).expect("any length");
    let loop_device = LoopDevice::on(backing.path(), &["--read-only"]);
    assert_eq!(code_of(&loop_device.path), "device/read-only");
    device(&loop_device.path).open_for_read().expect("reading is free");
}
