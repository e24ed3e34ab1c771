use std::path::Path;

use super::{DeviceNumber, KernelRoot};

/// One line of /proc/self/mountinfo (proc(5)), as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    pub(super) number: DeviceNumber,
    pub(super) point: String,
    pub(super) filesystem: String,
    pub(super) source: String,
}

/// What is mounted and swapped to, as the kernel tells this process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MountTable {
    pub(super) mounts: Vec<Mount>,
    /// The paths in /proc/swaps, of devices and files.
    pub(super) swaps: Vec<String>,
}

impl MountTable {
    /// Reads both tables. A missing mount table is an error, since nothing may then be taken for unmounted.
    pub(super) fn read(root: &KernelRoot) -> Result<Self, String> {
        let text = std::fs::read(root.path("/proc/self/mountinfo"))
            .map_err(|error| format!("/proc/self/mountinfo could not be read ({error})"))?;
        let mounts = String::from_utf8_lossy(&text).lines().filter_map(parse_mount).collect();
        // No swap support means no such file.
        let swaps = std::fs::read(root.path("/proc/swaps")).unwrap_or_default();
        let swaps = String::from_utf8_lossy(&swaps).lines().skip(1).filter_map(parse_swap).collect();
        Ok(Self { mounts, swaps })
    }

    /// The mount that a path lies in: the longest mount point that leads to it, of several the last, which covers the others.
    pub(super) fn mount_of(&self, path: &Path) -> Option<&Mount> {
        let leading = self.mounts.iter().filter(|mount| path.starts_with(&mount.point));
        leading.max_by_key(|mount| Path::new(&mount.point).components().count())
    }
}

fn parse_mount(line: &str) -> Option<Mount> {
    // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    let (before, after) = line.split_once(" - ")?;
    let mut before = before.split(' ').skip(2);
    let number = before.next()?.parse().ok()?;
    let point = unescape(before.nth(1)?);
    let mut after = after.split(' ');
    Some(Mount { number, point, filesystem: after.next()?.to_owned(), source: unescape(after.next()?) })
}

fn parse_swap(line: &str) -> Option<String> {
    let path = unescape(line.split_whitespace().next()?);
    Some(path.strip_suffix("\\040(deleted)").unwrap_or(&path).to_owned())
}

/// Undoes the kernel's octal escapes of blank, tab, newline and backslash.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let octal = (first == b'\\').then(|| tail.get(..3)).flatten();
        let value = octal.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        if let Some(value) = value {
            bytes.push(value);
            rest = &tail[3..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_line_is_read() {
        let line =
            r"36 35 98:10 /mnt1 /mnt/my\040disk rw,noatime master:1 shared:2 - ext3 /dev/a\134b rw,errors=continue";
        let mount = parse_mount(line).expect("a line of proc(5)");
        assert_eq!(mount.number, DeviceNumber { major: 98, minor: 10 });
        assert_eq!((mount.point.as_str(), mount.filesystem.as_str()), ("/mnt/my disk", "ext3"));
        assert_eq!(mount.source, r"/dev/a\b");
    }

    #[test]
    fn the_innermost_and_last_mount_counts() {
        let mount = |minor, point: &str| Mount {
            number: DeviceNumber { major: 8, minor },
            point: point.to_owned(),
            filesystem: "ext4".to_owned(),
            source: String::new(),
        };
        let table = MountTable {
            mounts: vec![mount(1, "/"), mount(2, "/data"), mount(3, "/data"), mount(4, "/da")],
            swaps: Vec::new(),
        };
        let minor = |path| table.mount_of(Path::new(path)).expect("the root holds all").number.minor;
        assert_eq!((minor("/data/x"), minor("/database"), minor("/da/x")), (3, 1, 4));
    }

    #[test]
    fn a_missing_mount_table_is_no_empty_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(MountTable::read(&KernelRoot::below(folder.path())).is_err());
    }

    #[test]
    fn swaps_lose_their_heading_and_escapes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(folder.path().join("proc/self")).expect("folders");
        std::fs::write(folder.path().join("proc/self/mountinfo"), "").expect("a file");
        let swaps = "Filename\tType\tSize\tUsed\tPriority\n/dev/dm-1 partition 1 0 -2\n/swap\\040file file 1 0 -3\n";
        std::fs::write(folder.path().join("proc/swaps"), swaps).expect("a file");
        let table = MountTable::read(&KernelRoot::below(folder.path())).expect("both files");
        assert_eq!(table.swaps, ["/dev/dm-1", "/swap file"]);
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_a_trouble(line in r"[0-9: /\\a-z\-]{0,60}", any in ".{0,60}") {
            for text in [&line, &any] {
                let _ = (parse_mount(text), parse_swap(text));
                // What holds no backslash comes through as it is.
                if !text.contains('\\') {
                    assert_eq!(&unescape(text), text);
                }
            }
        }
    }
}
