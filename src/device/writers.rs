//! Finds programs that have a device open for writing without claiming it: a virtual machine on a raw disk, an editor of
//! disks. Neither the mount table nor an exclusive open shows them.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use super::kernel::{names_in, read_text};
use super::{ChainNode, DeviceNumber, KernelRoot};

/// Which programs have which devices open for writing, this one left out.
#[derive(Debug, Default)]
pub(super) struct Writers {
    by_device: HashMap<DeviceNumber, Vec<String>>,
}

impl Writers {
    /// Looks at the open files of every process below `root`. Another user's are seen by root alone; who may not look sees none.
    pub(super) fn scan(root: &KernelRoot, own_process: u32) -> Self {
        let mut writers = Self::default();
        let processes = root.path("/proc");
        for id in names_in(&processes) {
            let is_process = id.bytes().all(|byte| byte.is_ascii_digit());
            if is_process && id != own_process.to_string() {
                writers.add_process(&processes.join(&id), &id);
            }
        }
        writers
    }

    fn add_process(&mut self, process: &Path, id: &str) {
        for descriptor in names_in(&process.join("fd")) {
            let Some(number) = block_device_behind(&process.join("fd").join(&descriptor)) else { continue };
            if !is_open_for_writing(&process.join("fdinfo").join(&descriptor)) {
                continue;
            }
            let name = read_text(&process.join("comm")).unwrap_or_else(|| "process".to_owned());
            let entry = self.by_device.entry(number).or_default();
            let writer = format!("{name} (process {id})");
            if !entry.contains(&writer) {
                entry.push(writer);
            }
        }
    }

    /// The programs that write to the device or to anything that stands on it.
    pub(super) fn of(&self, chain: &ChainNode) -> Vec<String> {
        let mut found = Vec::new();
        chain.walk(&mut |node| found.extend(self.by_device.get(&node.number).into_iter().flatten().cloned()));
        found
    }
}

/// The device number if the descriptor is one of a block device. Only what is linked into a /dev is looked at, since looking
/// at a file on a network that is gone would wait for ever.
fn block_device_behind(descriptor: &Path) -> Option<DeviceNumber> {
    let target = fs::read_link(descriptor).ok()?;
    if !target.to_string_lossy().contains("/dev/") {
        return None;
    }
    let metadata = fs::metadata(descriptor).ok()?;
    metadata.file_type().is_block_device().then(|| DeviceNumber::from_packed(metadata.rdev()))
}

/// The lowest two bits of the flags, which /proc gives in octal, are 0 for reading alone (proc(5), open(2)).
fn is_open_for_writing(descriptor: &Path) -> bool {
    let text = read_text(descriptor).unwrap_or_default();
    let flags = text.lines().find_map(|line| i32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
    flags.is_some_and(|flags| flags & libc::O_ACCMODE != libc::O_RDONLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_tell_reading_from_writing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("7");
        for (flags, expected) in [("0100000", false), ("0100001", true), ("0140002", true)] {
            fs::write(&path, format!("pos:\t0\nflags:\t{flags}\nmnt_id:\t5\n")).expect("a file");
            assert_eq!(is_open_for_writing(&path), expected, "{flags}");
        }
        assert!(!is_open_for_writing(&folder.path().join("missing")));
    }

    #[test]
    fn plain_files_of_a_process_are_no_devices() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let process = folder.path().join("proc/41");
        fs::create_dir_all(process.join("fd")).expect("folders");
        fs::create_dir_all(process.join("fdinfo")).expect("folders");
        std::os::unix::fs::symlink("/dev/null", process.join("fd/3")).expect("a link");
        fs::write(process.join("fdinfo/3"), "flags:\t02\n").expect("a file");
        assert!(Writers::scan(&KernelRoot::below(folder.path()), 1).by_device.is_empty());
    }
}
