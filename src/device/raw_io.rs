//! The one place in this folder that reads and writes a target's bytes: sampled reads that recognise what is on it, the
//! trial of direct I/O, and the probe of a scratch file. Nothing here is on the load path.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use super::signature::{self, Signature};
use super::{DeviceError, DeviceNumber, DirectIo, TargetKind};

/// Buffers of direct I/O start at a multiple of this; no drive is known that asks for more.
const BUFFER_ALIGNMENT_BYTES: usize = 4096;

/// Whether the path leads to a block device or a plain file, without opening it.
pub(super) fn kind_of(path: &Path) -> Result<TargetKind, DeviceError> {
    let given = path.display().to_string();
    let metadata = std::fs::metadata(path).map_err(|error| DeviceError::from_io(&given, "look at it", error))?;
    let kind = metadata.file_type();
    let found = if kind.is_block_device() {
        return Ok(TargetKind::BlockDevice);
    } else if kind.is_file() {
        return Ok(TargetKind::File);
    } else if kind.is_dir() {
        "a directory"
    } else if kind.is_char_device() {
        "a character device"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "of an unknown kind"
    };
    Err(DeviceError::WrongKind { path: given, found })
}

/// Opens an existing target. Never creates: the flags hold no `O_CREAT`, and none can be passed in.
pub(super) fn open_existing(path: &Path, is_writable: bool, extra_flags: i32) -> io::Result<File> {
    let flags = (extra_flags & (libc::O_DIRECT | libc::O_EXCL | libc::O_NOFOLLOW)) | libc::O_NONBLOCK | libc::O_NOCTTY;
    OpenOptions::new().read(true).write(is_writable).custom_flags(flags).open(path)
}

/// The device number of an open block device; `None` if it is none.
pub(super) fn number_of(file: &File) -> io::Result<Option<DeviceNumber>> {
    let metadata = file.metadata()?;
    let is_block_device = metadata.file_type().is_block_device();
    Ok(is_block_device.then(|| DeviceNumber::from_packed(metadata.rdev())))
}

/// What direct I/O demands of this open file, where the kernel tells (statx, Linux 6.1 and later).
pub(super) fn direct_io_of(file: &File) -> Option<DirectIo> {
    // SAFETY: all-zero is a valid value of this plain C structure.
    let mut stat: libc::statx = unsafe { std::mem::zeroed() };
    // SAFETY: the descriptor is open as long as `file` is borrowed, the path is an empty C string, as AT_EMPTY_PATH asks,
    // and the kernel writes at most the size of `stat`, which lives on this stack frame.
    let result = unsafe {
        libc::statx(file.as_raw_fd(), c"".as_ptr(), libc::AT_EMPTY_PATH, libc::STATX_DIOALIGN, &raw mut stat)
    };
    if result != 0 || stat.stx_mask & libc::STATX_DIOALIGN == 0 {
        return None;
    }
    Some(DirectIo {
        is_supported: stat.stx_dio_offset_align != 0,
        memory_alignment_bytes: stat.stx_dio_mem_align,
        offset_alignment_bytes: stat.stx_dio_offset_align,
    })
}

/// The signatures in the first and last blocks.
pub(super) fn read_signatures(file: &File, capacity_bytes: u64, block_bytes: u32) -> io::Result<Vec<Signature>> {
    let mut head = vec![0; signature::HEAD_BYTES.min(capacity_bytes as usize)];
    file.read_exact_at(&mut head, 0)?;
    let mut tail = vec![0; signature::TAIL_BYTES.min(capacity_bytes as usize)];
    let tail_start = capacity_bytes - tail.len() as u64;
    file.read_exact_at(&mut tail, tail_start)?;
    Ok(signature::recognise(&head, &tail, capacity_bytes, block_bytes))
}

/// Reads `length` bytes at the start, through an aligned buffer, to see that a file opened for direct I/O really takes it.
pub(super) fn try_read(file: &File, length: usize) -> io::Result<usize> {
    with_aligned_buffer(length, |buffer| file.read_at(buffer, 0))
}

/// Lends an aligned buffer of zeroes.
pub(super) fn with_aligned_buffer<T>(length: usize, use_it: impl FnOnce(&mut [u8]) -> T) -> T {
    let mut memory = vec![0_u8; length + BUFFER_ALIGNMENT_BYTES];
    let start = memory.as_ptr().align_offset(BUFFER_ALIGNMENT_BYTES);
    use_it(&mut memory[start..start + length])
}

/// Reads or writes the file from its start in pieces of `piece_bytes` until its end or until `is_over` says so (asked after each
/// piece). Each write is different and does not compress. Gives the bytes moved.
pub(super) fn stream(
    file: &File,
    file_bytes: u64,
    piece_bytes: usize,
    is_write: bool,
    is_over: &mut dyn FnMut() -> bool,
) -> io::Result<u64> {
    with_aligned_buffer(piece_bytes, |buffer| {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut moved = 0;
        while moved + piece_bytes as u64 <= file_bytes {
            if is_write {
                fill_incompressible(buffer, &mut state);
                file.write_all_at(buffer, moved)?;
            } else {
                file.read_exact_at(buffer, moved)?;
            }
            moved += piece_bytes as u64;
            if is_over() {
                break;
            }
        }
        Ok(moved)
    })
}

/// Marsaglia's xorshift64 (Journal of Statistical Software 8/14, 2003): enough to keep a drive from compressing.
fn fill_incompressible(buffer: &mut [u8], state: &mut u64) {
    for word in buffer.chunks_mut(8) {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        word.copy_from_slice(&state.to_le_bytes()[..word.len()]);
    }
}
