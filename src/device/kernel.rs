use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::DeviceNumber;

/// Where /sys, /proc and /dev are read: the machine's own, or a folder that plays the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelRoot {
    root: PathBuf,
}

impl KernelRoot {
    /// The running kernel.
    pub fn live() -> Self {
        Self { root: PathBuf::from("/") }
    }

    /// A folder with `sys` and `proc` in it.
    pub fn below(folder: impl Into<PathBuf>) -> Self {
        Self { root: folder.into() }
    }

    /// The real place of an absolute path of the kernel's.
    pub(super) fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let absolute = absolute.as_ref();
        self.root.join(absolute.strip_prefix("/").unwrap_or(absolute))
    }

    /// The text of a file, without the blanks around it; `None` if it is missing, unreadable or empty.
    pub(super) fn text(&self, absolute: impl AsRef<Path>) -> Option<String> {
        read_text(&self.path(absolute))
    }

    /// The device number of a block device's node, by the node itself or, where there is none, by the kernel's name.
    pub(super) fn number_of_node(&self, node: &str) -> Option<DeviceNumber> {
        let by_node = fs::metadata(self.path(node)).ok().filter(|metadata| metadata.file_type().is_block_device());
        by_node.map(|metadata| DeviceNumber::from_packed(metadata.rdev())).or_else(|| {
            let name = Path::new(node).file_name()?.to_str()?.replace('/', "!");
            self.text(Path::new("/sys/class/block").join(name).join("dev"))?.parse().ok()
        })
    }
}

/// The text of a small kernel file, trimmed of blanks and zero bytes; `None` if missing, unreadable or empty.
pub(super) fn read_text(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// The names in a folder, sorted; none if it is missing.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    // The order of a directory is chance; sorted, the same machine gives the same facts. Shorter first puts 2 before 10.
    names.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    names
}
