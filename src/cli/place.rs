//! Where files may be put: never among the devices, never into a device.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

/// True for a path in /dev, /proc or /sys (links followed), where whatever is created is no file of a disk and may be taken
/// for a device later. /dev/shm is a file system for data.
pub(super) fn is_kernel_place(path: &Path) -> bool {
    let existing = path.ancestors().find_map(|ancestor| {
        let ancestor = if ancestor == Path::new("") { Path::new(".") } else { ancestor };
        fs::canonicalize(ancestor).ok()
    });
    let real: PathBuf = existing.unwrap_or_default();
    ["/dev", "/proc", "/sys"].iter().any(|place| real.starts_with(place)) && !real.starts_with("/dev/shm")
}

/// Writes a result to a file that is new or was a plain file before; also to a pipe or a character device as /dev/null.
///
/// A block device is refused: a result is no reason to write to one, and `--destroy` cannot allow it.
///
/// # Errors
/// What the system says, or why the place is none for a result.
pub(super) fn write_result(path: &Path, result: &str) -> io::Result<()> {
    let mut file = open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_block_device() {
        return Err(io::Error::other("it is a block device, and a result is never written to one"));
    }
    if kind.is_file() {
        file.set_len(0)?;
    }
    file.write_all(result.as_bytes())?;
    if kind.is_file() { file.sync_all() } else { file.flush() }
}

/// Opens without changing anything, or makes a new file where there is none; a link to nowhere is not followed.
fn open(path: &Path) -> io::Result<File> {
    match OpenOptions::new().write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if is_kernel_place(path) {
                return Err(io::Error::other("/dev, /proc and /sys are no place for a file"));
            }
            OpenOptions::new().write(true).create_new(true).open(path)
        }
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_kernel_are_known_through_links_and_missing_folders() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("devices");
        std::os::unix::fs::symlink("/dev", &link).expect("a link");
        for place in [Path::new("/dev/new"), Path::new("/dev/a/b"), Path::new("/proc/x"), &link.join("new")] {
            assert!(is_kernel_place(place), "{}", place.display());
        }
        for place in [Path::new("results"), Path::new("a/b/c"), Path::new("/dev/shm/x"), &folder.path().join("x/y")] {
            assert!(!is_kernel_place(place), "{}", place.display());
        }
    }

    #[test]
    fn a_shorter_result_leaves_nothing_of_a_longer_one_and_no_device_is_made() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        write_result(&path, "a long result").expect("writes");
        write_result(&path, "short").expect("writes");
        assert_eq!(fs::read_to_string(&path).expect("reads"), "short");
        write_result(Path::new("/dev/null"), "anything").expect("a character device takes it");
        let device = Path::new("/dev/shakedown-no-such-result");
        assert!(write_result(device, "x").is_err() && !device.exists());
    }
}
