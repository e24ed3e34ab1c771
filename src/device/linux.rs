use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::holders::Survey;
use super::writers::Writers;
use super::{
    ChainNode, Device, DeviceError, DeviceNumber, Facts, IoCounters, KernelRoot, OpenDevice, WritePermit, guard,
    raw_io, sysfs,
};
use crate::units::ByteCount;

/// How often a busy device is tried again, and how long after.
const TRIES_WHEN_BUSY: u32 = 3;
const PAUSE_WHEN_BUSY: Duration = Duration::from_millis(20);

/// A block device of the running kernel.
#[derive(Debug)]
pub struct BlockDevice {
    facts: Facts,
    node: PathBuf,
}

impl BlockDevice {
    /// The block device of that name, links followed. It is opened for reading for a moment to see what is on it and whether
    /// somebody holds it; where that is not permitted, the facts say so.
    ///
    /// # Errors
    ///
    /// Nothing is there, it is no block device, or sysfs does not know it.
    pub fn find(given: &str, path: &Path) -> Result<Self, DeviceError> {
        let io = |action| move |error| DeviceError::from_io(given, action, error);
        let node = std::fs::canonicalize(path).map_err(io("follow its links"))?;
        let metadata = std::fs::metadata(&node).map_err(io("look at it"))?;
        if raw_io::kind_of(&node)? != super::TargetKind::BlockDevice {
            return Err(DeviceError::WrongKind { path: given.to_owned(), found: "a plain file" });
        }
        let facts = read_facts(given, &node, DeviceNumber::from_packed(metadata.rdev()))?;
        Ok(Self { facts, node })
    }

    fn open(&self, is_writable: bool, action: &'static str) -> Result<File, DeviceError> {
        let flags = libc::O_DIRECT | libc::O_NOFOLLOW | if is_writable { libc::O_EXCL } else { 0 };
        let path = &self.facts.path;
        let file = unless_busy(|| raw_io::open_existing(&self.node, is_writable, flags))
            .map_err(|error| DeviceError::from_io(path, action, error))?;
        // The node could have been replaced between finding and opening; what is open now is what counts.
        let number = raw_io::number_of(&file).map_err(|error| DeviceError::from_io(path, action, error))?;
        if number != Some(self.facts.number) {
            let now = number.map_or_else(|| "no block device".to_owned(), |number| number.to_string());
            let approved = self.facts.number.to_string();
            return Err(DeviceError::Changed { path: path.clone(), what: "device number", approved, now });
        }
        Ok(file)
    }
}

impl Device for BlockDevice {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open_for_read(&self) -> Result<OpenDevice, DeviceError> {
        Ok(OpenDevice::new(self.open(false, "open it for reading")?, true, false))
    }

    fn open_for_write(&self, permit: &WritePermit) -> Result<OpenDevice, DeviceError> {
        let file = self.open(true, "open it for writing")?;
        // From here on the kernel keeps others from mounting or claiming it, so what is read now stays true.
        let path = &self.facts.path;
        let mut now = describe(&KernelRoot::live(), self.facts.number, path, &self.facts.resolved_path)
            .map_err(|reason| unknown_to_sysfs(path, reason))?;
        now.capacity_bytes = size_of(&file).map_err(|error| DeviceError::from_io(path, "ask its size", error))?;
        now.writers = writers_of(&now, &Writers::scan(&KernelRoot::live(), std::process::id()));
        permit.check(&now)?;
        Ok(OpenDevice::new(file, true, true))
    }

    fn is_there(&self) -> bool {
        sysfs::is_there(&KernelRoot::live(), self.facts.number)
    }

    fn counters(&self) -> Option<IoCounters> {
        sysfs::read_counters(&KernelRoot::live(), self.facts.number)
    }
}

/// The facts of a block device by its number, from the running kernel and from the device itself.
pub(super) fn read_facts(given: &str, node: &Path, number: DeviceNumber) -> Result<Facts, DeviceError> {
    let resolved = node.display().to_string();
    let mut facts =
        describe(&KernelRoot::live(), number, given, &resolved).map_err(|reason| unknown_to_sysfs(given, reason))?;
    read_from_device(node, &mut facts, &Writers::scan(&KernelRoot::live(), std::process::id()));
    Ok(facts)
}

fn describe(root: &KernelRoot, number: DeviceNumber, given: &str, resolved: &str) -> Result<Facts, String> {
    sysfs::read_block_facts(root, &Survey::read(root), number, given, resolved)
}

fn unknown_to_sysfs(path: &str, reason: String) -> DeviceError {
    DeviceError::Io { path: path.to_owned(), action: "find it in sysfs", source: io::Error::other(reason) }
}

/// Adds what only the device itself tells: its contents, those of what stands on it, and whether somebody holds it.
pub(super) fn read_from_device(node: &Path, facts: &mut Facts, writers: &Writers) {
    facts.writers = writers_of(facts, writers);
    if facts.capacity_bytes.get() == 0 {
        return;
    }
    match open_same(node, facts.number, 0) {
        Ok(file) => {
            if let Some(direct_io) = raw_io::direct_io_of(&file) {
                facts.direct_io = direct_io;
            }
            match raw_io::read_signatures(&file, facts.capacity_bytes.get(), facts.logical_block_bytes) {
                Ok(found) => facts.contents = Some(found),
                Err(error) => facts.unread.push(format!("its first and last blocks could not be read ({error})")),
            }
        }
        Err(error) => facts.unread.push(format!("what is on it could not be read ({error})")),
    }
    if let Some(chain) = &mut facts.chain {
        chain.contents = facts.contents.clone().unwrap_or_default();
        chain.above.iter_mut().for_each(read_contents_above);
    }
    facts.base_disks.iter_mut().for_each(read_contents_above);
    // An exclusive open for reading claims the device for an instant and changes nothing. What is known to be in use is
    // left alone, and so is what the guard refuses anyway.
    if guard::judge(facts).is_ok() {
        facts.is_held_exclusively = match unless_busy(|| open_same(node, facts.number, libc::O_EXCL)) {
            Ok(_) => Some(false),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => Some(true),
            Err(_) => None,
        };
    }
}

fn writers_of(facts: &Facts, writers: &Writers) -> Vec<String> {
    let above = facts.chain.as_ref().map(|chain| writers.of(chain)).unwrap_or_default();
    // Of the disks below only the disk itself counts: who writes to a neighbouring partition does no harm.
    let below = facts.base_disks.iter().flat_map(|disk| writers.of(&ChainNode { above: Vec::new(), ..disk.clone() }));
    above.into_iter().chain(below).collect()
}

/// Fills in what is on a node of a chain, for printing; what cannot be read stays empty.
fn read_contents_above(node: &mut ChainNode) {
    let path = PathBuf::from("/dev").join(&node.name);
    if let Ok(file) = open_same(&path, node.number, 0)
        && let Ok(size) = size_of(&file)
        && let Ok(found) = raw_io::read_signatures(&file, size.get(), 512)
    {
        node.contents = found;
    }
    node.above.iter_mut().for_each(read_contents_above);
}

/// Opens a node for buffered reading if it still is the block device of that number.
fn open_same(node: &Path, number: DeviceNumber, flags: i32) -> io::Result<File> {
    let file = raw_io::open_existing(node, false, flags)?;
    if raw_io::number_of(&file)? == Some(number) {
        Ok(file)
    } else {
        Err(io::Error::other("the device node has another number"))
    }
}

/// Tries again a little later if somebody holds the device: whoever lists the drives at the same time claims each of them for
/// an instant, and device managers do so too.
fn unless_busy(open: impl Fn() -> io::Result<File>) -> io::Result<File> {
    for _ in 0..TRIES_WHEN_BUSY {
        match open() {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => std::thread::sleep(PAUSE_WHEN_BUSY),
            other => return other,
        }
    }
    open()
}

/// The size of an open block device, asked of the device itself.
fn size_of(mut file: &File) -> io::Result<ByteCount> {
    Ok(ByteCount::new(file.seek(SeekFrom::End(0))?))
}
