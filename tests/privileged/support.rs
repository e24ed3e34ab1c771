//! Devices that a test makes for itself, each undone when it is dropped, also when the test fails.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shakedown::device::{Device, FileIo, find};

/// Loop and swap numbers belong to the whole machine, so one test at a time makes and looks at devices.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The turn of one test; released when dropped.
pub(crate) struct Turn {
    _guard: MutexGuard<'static, ()>,
}

/// Why a test cannot run.
pub(crate) enum Missing {
    /// Other rights or another program would do.
    Provision(String),
    /// This kernel cannot do it.
    Kernel(String),
}

/// What a test needs beside root.
pub(crate) enum Need<'a> {
    LoopDevices,
    Zram,
    Program(&'a str),
    DeviceMapper,
    FileSystem(&'a str),
}

/// Waits for this test's turn; `None`, after saying why, if one of its needs is missing.
pub(crate) fn turn(needs: &[Need<'_>]) -> Option<Turn> {
    let missing = (!nix::unistd::geteuid().is_root())
        .then(|| Missing::Provision("not root".to_owned()))
        .or_else(|| needs.iter().find_map(missing));
    if let Some(missing) = missing {
        skip(missing);
        return None;
    }
    // A test that failed in its turn has undone its devices; the next may go on.
    Some(Turn { _guard: ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner) })
}

/// Says why a test does not run, past the capture of the test harness.
pub(crate) fn skip(missing: Missing) {
    let required = std::env::var("SHAKEDOWN_REQUIRE_PRIVILEGED").is_ok_and(|value| value == "1");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let reason = match missing {
        Missing::Provision(reason) if required => panic!("{test} may not be skipped here: {reason}"),
        Missing::Provision(reason) | Missing::Kernel(reason) => reason,
    };
    writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("stderr is open");
}

fn missing(need: &Need<'_>) -> Option<Missing> {
    match need {
        Need::LoopDevices if !Path::new("/dev/loop-control").exists() => {
            Some(Missing::Provision("no /dev/loop-control".to_owned()))
        }
        Need::LoopDevices => missing(&Need::Program("losetup")),
        Need::Zram if !Path::new("/sys/class/zram-control/hot_add").exists() => {
            // The module may be there without being loaded.
            let loaded = run("modprobe", &["zram"]).is_ok_and(|output| output.status.success());
            let is_there = loaded && Path::new("/sys/class/zram-control/hot_add").exists();
            (!is_there).then(|| Missing::Kernel("the kernel has no zram".to_owned()))
        }
        Need::Zram => None,
        Need::Program(name) => {
            let found = run("sh", &["-c", &format!("command -v {name}")]).is_ok_and(|output| output.status.success());
            (!found).then(|| Missing::Provision(format!("{name} is not installed")))
        }
        Need::FileSystem(name) => {
            let _ = run("modprobe", &[name]);
            let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
            let is_known = known.lines().any(|line| line.split_whitespace().next_back() == Some(name));
            (!is_known).then(|| Missing::Kernel(format!("the kernel has no {name}")))
        }
        Need::DeviceMapper => missing(&Need::Program("dmsetup")).or_else(|| {
            let works = run("dmsetup", &["version"]).is_ok_and(|output| output.status.success());
            (!works).then(|| Missing::Kernel("the kernel has no device-mapper".to_owned()))
        }),
    }
}

/// Runs a program of the system, which may lie outside a user's path.
pub(crate) fn run(program: &str, arguments: &[&str]) -> std::io::Result<Output> {
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(program).args(arguments).env("PATH", format!("{path}:/usr/sbin:/sbin")).output()
}

/// Runs a program that has to succeed; gives its stdout.
pub(crate) fn must(program: &str, arguments: &[&str]) -> String {
    let output = run(program, arguments).unwrap_or_else(|error| panic!("{program}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A folder for backing files and mount points, beside the test binary so that it is not in memory.
pub(crate) fn folder() -> tempfile::TempDir {
    let binary = std::env::current_exe().expect("the test binary's own path");
    tempfile::tempdir_in(binary.parent().expect("its folder")).expect("a temporary folder")
}

/// The device of that name.
pub(crate) fn device(path: impl AsRef<Path>) -> Box<dyn Device> {
    let path = path.as_ref();
    find(path, FileIo::Direct).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A loop device on a file of its own or on something that is already there.
pub(crate) struct LoopDevice {
    pub(crate) path: String,
    backing: Option<tempfile::NamedTempFile>,
}

impl LoopDevice {
    /// On a fresh file of that size.
    pub(crate) fn new(folder: &Path, bytes: u64, sector_bytes: u32) -> Self {
        let backing = tempfile::NamedTempFile::new_in(folder).expect("a backing file");
        backing.as_file().set_len(bytes).expect("any length");
        let mut device = Self::on(backing.path(), &["--sector-size", &sector_bytes.to_string()]);
        device.backing = Some(backing);
        device
    }

    /// The file below it, which goes when the device does.
    pub(crate) fn backing(&self) -> &fs::File {
        self.backing.as_ref().expect("it was made with one").as_file()
    }

    /// On `backing`, with these options of losetup.
    pub(crate) fn on(backing: &Path, options: &[&str]) -> Self {
        let backing = backing.display().to_string();
        let mut arguments = vec!["--find", "--show"];
        arguments.extend(options);
        arguments.push(&backing);
        Self { path: must("losetup", &arguments), backing: None }
    }

    /// The kernel's name of it.
    pub(crate) fn name(&self) -> &str {
        self.path.trim_start_matches("/dev/")
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = run("losetup", &["--detach", &self.path]);
    }
}

/// A memory disk.
pub(crate) struct ZramDevice {
    pub(crate) path: String,
    id: String,
}

impl ZramDevice {
    pub(crate) fn new(bytes: u64) -> Self {
        let id = fs::read_to_string("/sys/class/zram-control/hot_add").expect("a new zram device").trim().to_owned();
        let device = Self { path: format!("/dev/zram{id}"), id };
        fs::write(format!("/sys/block/zram{}/disksize", device.id), bytes.to_string()).expect("its size");
        device
    }

    /// Lets it take so much memory and no more: writes of what cannot be compressed fail from there on.
    pub(crate) fn limit_memory(&self, bytes: u64) {
        fs::write(format!("/sys/block/zram{}/mem_limit", self.id), bytes.to_string()).expect("a limit");
    }
}

impl Drop for ZramDevice {
    fn drop(&mut self) {
        let _ = fs::write(format!("/sys/block/zram{}/reset", self.id), "1");
        let _ = fs::write("/sys/class/zram-control/hot_remove", &self.id);
    }
}

/// A mounted file system.
pub(crate) struct Mount {
    pub(crate) point: PathBuf,
}

impl Mount {
    /// Makes an ext4 on the device and mounts it.
    pub(crate) fn ext4(device: &str, point: PathBuf) -> Self {
        must("mkfs.ext4", &["-q", "-F", device]);
        Self::new(device, point)
    }

    /// Mounts a file system that needs no device.
    pub(crate) fn of_type(filesystem: &str, point: PathBuf) -> Self {
        fs::create_dir_all(&point).expect("a folder");
        must("mount", &["-t", filesystem, "none", &point.display().to_string()]);
        Self { point }
    }

    /// Mounts a file system in memory with room for so many bytes.
    pub(crate) fn memory(bytes: u64, point: PathBuf) -> Self {
        fs::create_dir_all(&point).expect("a folder");
        must("mount", &["-t", "tmpfs", "-o", &format!("size={bytes}"), "none", &point.display().to_string()]);
        Self { point }
    }

    /// Mounts what is on the device.
    pub(crate) fn new(device: &str, point: PathBuf) -> Self {
        fs::create_dir_all(&point).expect("a folder");
        must("mount", &[device, &point.display().to_string()]);
        Self { point }
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = run("umount", &[&self.point.display().to_string()]);
    }
}

/// A file system that lets no write through until this is dropped.
pub(crate) struct Frozen(PathBuf);

impl Frozen {
    pub(crate) fn new(point: &Path) -> Self {
        must("fsfreeze", &["--freeze", &point.display().to_string()]);
        Self(point.to_owned())
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        let _ = run("fsfreeze", &["--unfreeze", &self.0.display().to_string()]);
    }
}

/// A device in use as swap.
pub(crate) struct Swap {
    device: String,
}

impl Swap {
    pub(crate) fn on(device: &str) -> Self {
        must("mkswap", &[device]);
        must("swapon", &[device]);
        Self { device: device.to_owned() }
    }
}

impl Drop for Swap {
    fn drop(&mut self) {
        let _ = run("swapoff", &[&self.device]);
    }
}

/// A linear device-mapper device over all of another.
pub(crate) struct Mapped {
    name: String,
}

impl Mapped {
    pub(crate) fn over(device: &str, sectors: u64) -> Self {
        let name = format!("shakedown-{}", std::process::id());
        must("dmsetup", &["create", &name, "--table", &format!("0 {sectors} linear {device} 0")]);
        Self { name }
    }

    pub(crate) fn path(&self) -> String {
        format!("/dev/mapper/{}", self.name)
    }

    /// Lets every operation fail.
    pub(crate) fn fail_from_now_on(&self, sectors: u64) {
        must("dmsetup", &["suspend", &self.name]);
        must("dmsetup", &["load", &self.name, "--table", &format!("0 {sectors} error")]);
        must("dmsetup", &["resume", &self.name]);
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        let _ = run("dmsetup", &["remove", &self.name]);
    }
}

/// A child that ends with the test.
pub(crate) struct Child(pub(crate) std::process::Child);

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A partition that the kernel is told of, without a table on the device: not every kernel reads tables.
pub(crate) struct Partition {
    disk: String,
    pub(crate) path: String,
}

impl Partition {
    /// From 1 MiB to the end of a device of that size.
    pub(crate) fn on(disk: &str, disk_bytes: u64) -> Self {
        const FIRST_SECTOR: u64 = 2048;
        must("addpart", &[disk, "1", &FIRST_SECTOR.to_string(), &(disk_bytes / 512 - FIRST_SECTOR).to_string()]);
        Self { disk: disk.to_owned(), path: format!("{disk}p1") }
    }
}

impl Drop for Partition {
    fn drop(&mut self) {
        let _ = run("delpart", &[&self.disk, "1"]);
    }
}
