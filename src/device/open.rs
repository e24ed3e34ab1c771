use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};

/// An open target. The engine borrows the file for its reads and writes; one descriptor serves all threads, since every
/// request carries its own offset and a second exclusive open would be refused.
#[derive(Debug)]
pub struct OpenDevice {
    file: File,
    is_direct: bool,
    is_writable: bool,
}

impl OpenDevice {
    pub(super) fn new(file: File, is_direct: bool, is_writable: bool) -> Self {
        Self { file, is_direct, is_writable }
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Whether requests go past the page cache. If not, results must be marked as buffered.
    pub fn is_direct(&self) -> bool {
        self.is_direct
    }

    /// Whether it was opened for writing, which only a permit allows.
    pub fn is_writable(&self) -> bool {
        self.is_writable
    }
}

impl AsFd for OpenDevice {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl AsRawFd for OpenDevice {
    fn as_raw_fd(&self) -> RawFd {
        self.file.as_raw_fd()
    }
}
