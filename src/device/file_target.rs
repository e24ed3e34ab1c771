use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::fcntl::{FallocateFlags, OFlag, fallocate, openat};
use nix::sys::stat::Mode;
use nix::sys::statvfs::statvfs;
use serde::{Deserialize, Serialize};

use super::holders::Survey;
use super::mounts::MountTable;
use super::{
    Device, DeviceError, DeviceNumber, DirectIo, Facts, FileFacts, IoCounters, KernelRoot, OpenDevice, TargetKind,
    Transport, WritePermit, guard, raw_io,
};
use crate::units::ByteCount;

/// Part of the free space that a scratch file leaves alone, in percent, since full file systems slow down and results
/// must still be written.
const HEADROOM_PERCENT: u64 = 5;
/// The block that direct I/O on a file is taken to need where the kernel does not tell.
const USUAL_BLOCK_BYTES: u32 = 4096;

/// What a file system that keeps no count is taken to have free: little, for what it holds takes the memory.
const UNCOUNTED_BYTES: u64 = 1 << 30;

/// Whether a file target must take direct I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileIo {
    /// Past the page cache; a file system that refuses that is an error.
    #[default]
    Direct,
    /// Through the page cache, if direct I/O is refused: an explicit choice, and results are marked.
    BufferedIfNeeded,
}

/// What scratch file is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScratchRequest {
    /// The folder, which must exist.
    pub directory: PathBuf,
    /// The file's name, without a folder.
    pub name: String,
    /// Its size; it must be a multiple of 4096 bytes.
    pub bytes: ByteCount,
    /// Whether it must take direct I/O.
    pub file_io: FileIo,
}

/// A plain file as target. A scratch file loses its name once it is open for writing, or else when this value is
/// dropped; its room is free again when it is closed, however the process ends.
#[derive(Debug)]
pub struct FileTarget {
    facts: Facts,
    path: PathBuf,
}

impl FileTarget {
    /// A file that exists, links followed. It is opened for reading to see whether it takes direct I/O.
    ///
    /// # Errors
    ///
    /// It is missing or no plain file, may not be read, or its file system refuses direct I/O though that is demanded.
    pub fn find(given: &str, path: &Path, file_io: FileIo) -> Result<Self, DeviceError> {
        let io = |action| move |error| DeviceError::from_io(given, action, error);
        let path = std::fs::canonicalize(path).map_err(io("follow its links"))?;
        let file = raw_io::open_existing(&path, false, libc::O_NOFOLLOW).map_err(io("open it for reading"))?;
        let target = Self { facts: file_facts(given, &path, &file, false)?, path };
        target.require_direct(file_io)?;
        Ok(target)
    }

    /// Creates a scratch file, reserves its space, and gives the permit to write it. Nothing that exists is opened, no link
    /// is followed, and nothing is created under /dev, /proc or /sys.
    ///
    /// # Errors
    ///
    /// The folder is missing, not for data, or too full; the name is taken; or the file system refuses direct I/O though that
    /// is demanded. No file is left behind.
    pub fn create_scratch(request: &ScratchRequest) -> Result<(Self, WritePermit), DeviceError> {
        let wanted = request.bytes.get();
        let given = request.directory.join(&request.name).display().to_string();
        let io = |action| {
            let given = given.clone();
            move |error| DeviceError::from_io(&given, action, error)
        };
        let invalid =
            |text| DeviceError::Io { path: given.clone(), action: "create it", source: io::Error::other(text) };
        if Path::new(&request.name).file_name() != Some(request.name.as_ref()) {
            return Err(invalid("its name must be a plain file name"));
        }
        if wanted == 0 || !wanted.is_multiple_of(u64::from(USUAL_BLOCK_BYTES)) {
            return Err(invalid("its size must be a multiple of 4096 bytes"));
        }
        let directory = std::fs::canonicalize(&request.directory).map_err(io("find its folder"))?;
        refuse_kernel_places(&given, &directory)?;
        let free = free_bytes(&directory).map_err(io("ask for free space"))?;
        let needed = wanted.saturating_add(free.unwrap_or(0) / 100 * HEADROOM_PERCENT);
        if let Some(free) = free.filter(|free| needed > *free) {
            return Err(DeviceError::NoSpace { path: given, wanted_bytes: needed, free_bytes: free });
        }
        let folder = File::open(&directory).map_err(io("open its folder"))?;
        let flags = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let file = openat(&folder, request.name.as_str(), flags, Mode::S_IRUSR | Mode::S_IWUSR);
        let file = File::from(file.map_err(|errno| io("create it")(errno.into()))?);
        // From here on every way out removes the file again.
        let path = directory.join(&request.name);
        let created = Created { path: Some(path.clone()) };
        reserve(&file, wanted).map_err(|error| match error.raw_os_error() {
            Some(libc::ENOSPC) => {
                DeviceError::NoSpace { path: given.clone(), wanted_bytes: needed, free_bytes: free.unwrap_or(0) }
            }
            _ => io("reserve its space")(error),
        })?;
        let target = Self { facts: file_facts(&given, &path, &file, true)?, path };
        created.keep();
        target.require_direct(request.file_io)?;
        let permit = guard::permit_created(&target.facts)?;
        Ok((target, permit))
    }

    fn require_direct(&self, file_io: FileIo) -> Result<(), DeviceError> {
        if self.facts.direct_io.is_supported || file_io == FileIo::BufferedIfNeeded {
            return Ok(());
        }
        let filesystem = self.facts.file.as_ref().map(|file| file.filesystem.clone()).unwrap_or_default();
        Err(DeviceError::DirectIoRefused { path: self.facts.path.clone(), filesystem })
    }

    /// Removes the name of a scratch file, where it has one still.
    fn remove_scratch(&self) {
        if self.facts.file.as_ref().is_some_and(|file| file.is_scratch) && is_same_file(&self.path, &self.facts) {
            // A failure is nothing to stop for; the file then stays where the user can see it.
            let _ = std::fs::remove_file(&self.path);
        }
    }

    fn open(&self, is_writable: bool, action: &'static str) -> Result<(File, bool), DeviceError> {
        let is_direct = self.facts.direct_io.is_supported;
        let flags = libc::O_NOFOLLOW | if is_direct { libc::O_DIRECT } else { 0 };
        let file = raw_io::open_existing(&self.path, is_writable, flags)
            .map_err(|error| DeviceError::from_io(&self.facts.path, action, error))?;
        Ok((file, is_direct))
    }
}

impl Device for FileTarget {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open_for_read(&self) -> Result<OpenDevice, DeviceError> {
        let (file, is_direct) = self.open(false, "open it for reading")?;
        Ok(OpenDevice::new(file, is_direct, false))
    }

    fn open_for_write(&self, permit: &WritePermit) -> Result<OpenDevice, DeviceError> {
        let (file, is_direct) = self.open(true, "open it for writing")?;
        let is_scratch = self.facts.file.as_ref().is_some_and(|file| file.is_scratch);
        permit.check(&file_facts(&self.facts.path, &self.path, &file, is_scratch)?)?;
        // Its one user has it open: without a name it is gone with the process, also one that is killed.
        self.remove_scratch();
        Ok(OpenDevice::new(file, is_direct, true))
    }

    /// An open file stays, whatever becomes of its name; the drive below it is not looked at.
    fn is_there(&self) -> bool {
        true
    }

    fn counters(&self) -> Option<IoCounters> {
        None
    }
}

impl Drop for FileTarget {
    fn drop(&mut self) {
        self.remove_scratch();
    }
}

/// Removes a file that was created but could not become a target.
struct Created {
    path: Option<PathBuf>,
}

impl Created {
    fn keep(mut self) {
        self.path = None;
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // As above: nobody is left to tell.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Whether the path still leads to the file of the facts: another's file of the same name is not ours to remove.
fn is_same_file(path: &Path, facts: &Facts) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| {
        metadata.is_file()
            && DeviceNumber::from_packed(metadata.dev()) == facts.number
            && Some(metadata.ino()) == facts.inode
    })
}

fn refuse_kernel_places(given: &str, directory: &Path) -> Result<(), DeviceError> {
    if ["/dev", "/proc", "/sys"].iter().any(|place| directory.starts_with(place)) {
        let source = io::Error::other("/dev, /proc and /sys are no place for a scratch file");
        return Err(DeviceError::Io { path: given.to_owned(), action: "create it", source });
    }
    Ok(())
}

/// The free space that a user may fill; `None` where the file system keeps no count (ramfs).
fn free_bytes(directory: &Path) -> io::Result<Option<u64>> {
    let space = statvfs(directory)?;
    Ok((space.blocks() > 0).then(|| space.blocks_available().saturating_mul(space.fragment_size())))
}

/// Sets the length, and reserves the blocks where the file system can.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    file.set_len(bytes)?;
    let length = i64::try_from(bytes).map_err(io::Error::other)?;
    match fallocate(file, FallocateFlags::empty(), 0, length) {
        Ok(()) | Err(nix::errno::Errno::EOPNOTSUPP | nix::errno::Errno::ENOSYS) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// The facts of an open file. `path` is where it really lies.
fn file_facts(given: &str, path: &Path, file: &File, is_scratch: bool) -> Result<Facts, DeviceError> {
    let io = |action| move |error| DeviceError::from_io(given, action, error);
    let metadata = file.metadata().map_err(io("look at it"))?;
    if !metadata.is_file() {
        return Err(DeviceError::WrongKind { path: given.to_owned(), found: "no longer a plain file" });
    }
    let root = KernelRoot::live();
    let survey = Survey::read(&root);
    let number = DeviceNumber::from_packed(metadata.dev());
    let mut unread = Vec::new();
    let file_facts = match &survey {
        Ok(survey) => Some(place_of(survey, path, &metadata, is_scratch).map_err(io("ask for free space"))?),
        Err(reason) => {
            unread.push(reason.clone());
            None
        }
    };
    let direct_io = direct_io(path, file, metadata.len()).map_err(io("try direct I/O"))?;
    let block = direct_io.offset_alignment_bytes;
    Ok(Facts {
        kind: TargetKind::File,
        path: given.to_owned(),
        resolved_path: path.display().to_string(),
        number,
        inode: Some(metadata.ino()),
        disk_sequence: None,
        capacity_bytes: ByteCount::new(metadata.len()),
        logical_block_bytes: block,
        physical_block_bytes: u32::try_from(metadata.blksize()).unwrap_or(block),
        optimal_io_bytes: None,
        direct_io,
        model: None,
        serial: None,
        is_serial_shared: false,
        wwn: None,
        firmware: None,
        transport: Transport::File,
        is_rotational: false,
        zoned: None,
        is_read_only: metadata.permissions().readonly(),
        is_removable: false,
        scheduler: None,
        write_cache: None,
        numa_node: None,
        contents: None,
        chain: None,
        base_disks: Vec::new(),
        loop_backing: None,
        is_held_exclusively: None,
        writers: Vec::new(),
        file: file_facts,
        unread,
    })
}

fn place_of(survey: &Survey<'_>, path: &Path, metadata: &std::fs::Metadata, is_scratch: bool) -> io::Result<FileFacts> {
    let is_this = |other: &str| {
        std::fs::metadata(other).is_ok_and(|other| other.dev() == metadata.dev() && other.ino() == metadata.ino())
    };
    let mounts: &MountTable = survey.mounts();
    let mount = mounts.mount_of(path);
    let name = |value: Option<&String>| value.cloned().unwrap_or_else(|| "unknown".to_owned());
    Ok(FileFacts {
        filesystem: name(mount.map(|mount| &mount.filesystem)),
        mount_point: name(mount.map(|mount| &mount.point)),
        mount_source: name(mount.map(|mount| &mount.source)),
        free_bytes: ByteCount::new(free_bytes(path)?.unwrap_or(UNCOUNTED_BYTES)),
        is_scratch,
        loop_devices: survey.loops().iter().filter(|l| is_this(&l.backing_file)).map(|l| l.name.clone()).collect(),
        is_swap: mounts.swaps.iter().any(|swap| is_this(swap)),
    })
}

/// Whether direct I/O works, by opening the file so and, if it has a block, reading one.
fn direct_io(path: &Path, file: &File, length: u64) -> io::Result<DirectIo> {
    let told = raw_io::direct_io_of(file);
    let alignment = told.filter(|told| told.is_supported).unwrap_or(DirectIo {
        is_supported: true,
        memory_alignment_bytes: USUAL_BLOCK_BYTES,
        offset_alignment_bytes: USUAL_BLOCK_BYTES,
    });
    let works = match raw_io::open_existing(path, false, libc::O_DIRECT | libc::O_NOFOLLOW) {
        Ok(direct) => {
            let block = alignment.offset_alignment_bytes.max(USUAL_BLOCK_BYTES);
            length < u64::from(block) || raw_io::try_read(&direct, block as usize).is_ok()
        }
        Err(error) if matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EOPNOTSUPP)) => false,
        // No more files may be opened, for instance: that says nothing about the file system.
        Err(error) => return Err(error),
    };
    Ok(DirectIo { is_supported: works, ..alignment })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Consent, approve, find};
    use std::fs;
    use std::os::unix::fs::{FileExt, symlink};

    /// Beside the test binary, not in /tmp, which may be a tmpfs without direct I/O.
    fn folder() -> tempfile::TempDir {
        let target = std::env::current_exe().expect("the test binary's own path");
        tempfile::tempdir_in(target.parent().expect("its folder")).expect("a temporary folder")
    }

    fn request(directory: &Path) -> ScratchRequest {
        ScratchRequest {
            directory: directory.to_owned(),
            name: "scratch".to_owned(),
            bytes: ByteCount::new(1 << 20),
            file_io: FileIo::BufferedIfNeeded,
        }
    }

    #[test]
    fn a_scratch_file_lives_as_long_as_it_is_open() {
        let folder = folder();
        let (target, permit) = FileTarget::create_scratch(&request(folder.path())).expect("room for a megabyte");
        let path = folder.path().join("scratch");
        assert_eq!(fs::metadata(&path).expect("the file").len(), 1 << 20);
        assert!(target.facts().file.as_ref().is_some_and(|file| file.is_scratch));
        let open = target.open_for_write(&permit).expect("its own permit");
        assert!(open.is_writable());
        assert_eq!(open.is_direct(), target.facts().direct_io.is_supported);
        assert!(!path.exists(), "a process that is killed leaves nothing behind");
        raw_io::with_aligned_buffer(4096, |buffer| {
            buffer.fill(7);
            open.file().write_all_at(buffer, 8192).expect("within the file");
            buffer.fill(0);
            open.file().read_exact_at(buffer, 8192).expect("within the file");
            assert_eq!(buffer[4095], 7);
        });
    }

    #[test]
    fn a_scratch_file_that_was_never_opened_is_removed_with_its_target() {
        let folder = folder();
        drop(FileTarget::create_scratch(&request(folder.path())).expect("room for a megabyte"));
        assert!(!folder.path().join("scratch").exists());
    }

    #[test]
    fn nothing_that_exists_becomes_a_scratch_file() {
        let folder = folder();
        let path = folder.path().join("scratch");
        fs::write(&path, "precious").expect("a file");
        FileTarget::create_scratch(&request(folder.path())).expect_err("the name is taken");
        assert_eq!(fs::read_to_string(&path).expect("still there"), "precious");
        fs::remove_file(&path).expect("ours");
        symlink(folder.path().join("elsewhere"), &path).expect("a link");
        FileTarget::create_scratch(&request(folder.path())).expect_err("a link is not followed");
        assert!(!folder.path().join("elsewhere").exists());
        assert!(fs::symlink_metadata(&path).is_ok(), "the link is not ours to remove");
    }

    #[test]
    fn a_file_that_took_the_scratch_files_place_is_left_alone() {
        let folder = folder();
        let (target, _permit) = FileTarget::create_scratch(&request(folder.path())).expect("room for a megabyte");
        let path = folder.path().join("scratch");
        fs::rename(&path, folder.path().join("moved")).expect("a rename");
        fs::write(&path, "precious").expect("a file");
        drop(target);
        assert_eq!(fs::read_to_string(&path).expect("still there"), "precious");
    }

    #[test]
    fn scratch_files_have_their_places_and_sizes() {
        let folder = folder();
        let good = request(folder.path());
        for (directory, code) in [
            ("/dev", "device/io"),
            ("/dev/shm", "device/io"),
            ("/proc", "device/io"),
            ("/no/such", "device/no-such-device"),
        ] {
            let error = FileTarget::create_scratch(&ScratchRequest { directory: directory.into(), ..good.clone() });
            assert_eq!(error.expect_err(directory).code(), code, "{directory}");
        }
        for name in ["", ".", "..", "a/b", "/tmp/x"] {
            let request = ScratchRequest { name: name.to_owned(), ..good.clone() };
            assert_eq!(FileTarget::create_scratch(&request).expect_err(name).code(), "device/io", "{name:?}");
        }
        for (bytes, code) in [(0, "device/io"), (1000, "device/io"), (1 << 60, "device/no-space")] {
            let request = ScratchRequest { bytes: ByteCount::new(bytes), ..good.clone() };
            assert_eq!(FileTarget::create_scratch(&request).expect_err("size").code(), code, "{bytes}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing is left behind");
    }

    #[test]
    fn an_existing_file_wants_path_and_exact_size() {
        let folder = folder();
        let path = folder.path().join("data.img");
        fs::write(&path, vec![0; 65536]).expect("a file");
        fs::write(folder.path().join("other.img"), vec![0; 65536]).expect("a file");
        let link = folder.path().join("link");
        symlink(&path, &link).expect("a link");
        let device = find(&path, FileIo::BufferedIfNeeded).expect("a plain file");
        let consent = |path: &Path, bytes: u64| Consent::from_arguments(&[format!("{}={bytes}", path.display())]);
        for wrong in [
            Consent::none(),
            consent(&path, 65535),
            consent(&folder.path().join("other.img"), 65536),
            consent(&folder.path().join("missing"), 65536),
            consent(folder.path(), 65536),
        ] {
            assert_eq!(approve(device.facts(), &wrong).expect_err("no consent").code(), "device/no-consent");
        }
        let permit = approve(device.facts(), &consent(&link, 65536)).expect("the same file by another name");
        drop(device.open_for_write(&permit).expect("its permit"));
        fs::write(&path, vec![0; 65537]).expect("a file");
        assert_eq!(device.open_for_write(&permit).expect_err("its size changed").code(), "device/changed");
        fs::rename(folder.path().join("other.img"), &path).expect("a rename");
        assert_eq!(device.open_for_write(&permit).expect_err("another file").code(), "device/changed");
        fs::remove_file(&path).expect("ours");
        assert_eq!(device.open_for_write(&permit).expect_err("gone").code(), "device/no-such-device");
        assert!(!path.exists(), "opening creates nothing");
    }

    #[test]
    fn what_is_no_target_is_named_by_its_kind() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, Mode::S_IRUSR).expect("a pipe");
        for (path, found) in
            [(folder.path(), "a directory"), (Path::new("/dev/null"), "a character device"), (&pipe, "a pipe")]
        {
            let error = find(path, FileIo::Direct).map(|device| device.facts().clone()).expect_err("no target");
            assert!(error.to_string().contains(found), "{error}");
            assert_eq!(error.code(), "device/wrong-kind");
        }
        for missing in ["/dev/nvme99n9", "/no/such/file", "/dev/null/x"] {
            let error = find(Path::new(missing), FileIo::Direct).map(|device| device.facts().clone());
            assert_eq!(error.expect_err("missing").code(), "device/no-such-device", "{missing}");
        }
        assert!(!Path::new("/dev/nvme99n9").exists());
    }

    #[test]
    fn files_of_the_kernel_are_no_place_for_data() {
        let device = find(Path::new("/proc/self/status"), FileIo::BufferedIfNeeded).expect("a plain file, by its kind");
        let refusal = crate::device::judge(device.facts()).expect_err("not for data");
        assert_eq!(refusal.code(), "device/no-place-for-data");
    }

    #[test]
    fn the_scratch_files_file_system_is_named() {
        let folder = folder();
        let (target, _permit) = FileTarget::create_scratch(&request(folder.path())).expect("room for a megabyte");
        let facts = target.facts();
        let file = facts.file.as_ref().expect("a file");
        assert_ne!((file.filesystem.as_str(), file.mount_point.as_str()), ("unknown", "unknown"));
        assert!(file.free_bytes.get() > 0);
        assert!(facts.logical_block_bytes.is_power_of_two() && facts.direct_io.memory_alignment_bytes > 0);
    }
}
