//! Targets: what a drive or a file is, whether it may be written, and how it is opened. The only place that reads /sys
//! and /proc.
//!
//! It must never create a file for a target that was named, never open anything for writing without a [`WritePermit`],
//! and never compare a device by its name.

mod chain;
mod consent;
mod counters;
mod error;
mod facts;
mod fake;
mod file_target;
#[cfg(test)]
mod fixture_tests;
mod guard;
mod holders;
mod host;
mod kernel;
mod linux;
mod list;
mod mounts;
mod number;
mod open;
mod probe;
mod raw_io;
mod refusal;
mod signature;
mod sysfs;
mod writers;

pub use chain::{ChainNode, Role, Use};
pub use consent::{Consent, TargetIdentity};
pub use counters::IoCounters;
pub use error::DeviceError;
pub use facts::{DirectIo, Facts, FileFacts, LoopBacking, TargetKind, Transport};
pub use fake::FakeDevice;
pub use file_target::{FileIo, FileTarget, ScratchRequest};
pub use guard::{Verdict, WritePermit, approve, judge};
pub use host::{CpuSet, HostFacts};
pub use kernel::KernelRoot;
pub use linux::BlockDevice;
pub use list::{Listed, list};
pub use number::DeviceNumber;
pub use open::OpenDevice;
pub use probe::{SCRATCH_LARGEST_BYTES, SCRATCH_SMALLEST_BYTES, ScratchProbe, probe_scratch, scratch_size};
pub use refusal::{Refusal, RefusalReason};
pub use signature::Signature;

use std::path::Path;

/// A target of a run.
pub trait Device: Send + Sync {
    /// What it is, as found when it was opened by name.
    fn facts(&self) -> &Facts;

    /// Opens it for reading only.
    ///
    /// # Errors
    ///
    /// It is gone, may not be read, or its file system refuses direct I/O.
    fn open_for_read(&self) -> Result<OpenDevice, DeviceError>;

    /// Opens it for reading and writing, a block device exclusively, and then compares it with the permit again.
    ///
    /// # Errors
    ///
    /// As for reading; somebody else holds it; or it is not, or no longer, what the permit names.
    fn open_for_write(&self, permit: &WritePermit) -> Result<OpenDevice, DeviceError>;

    /// Whether the kernel still has it: a drive that was pulled out, or that its driver gave up, is there no more.
    fn is_there(&self) -> bool;

    /// The kernel's counters, `None` where there are none (a file, or a kernel without statistics).
    fn counters(&self) -> Option<IoCounters>;
}

/// The target of that name: a block device, or a plain file that exists already. Nothing is created, opened for writing
/// or changed. `file_io` says whether a file may be used through the page cache.
///
/// # Errors
///
/// Nothing is there, it is of another kind, or it may not be looked at.
pub fn find(path: &Path, file_io: FileIo) -> Result<Box<dyn Device>, DeviceError> {
    let given = path.display().to_string();
    match raw_io::kind_of(path)? {
        TargetKind::BlockDevice => Ok(Box::new(BlockDevice::find(&given, path)?)),
        TargetKind::File => Ok(Box::new(FileTarget::find(&given, path, file_io)?)),
    }
}
