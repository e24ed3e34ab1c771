//! The machine's first file system: busybox, the modules that reach the shared folders, and the script that then obeys.

use std::fs;
use std::path::{Path, PathBuf};

use crate::kernel::decompress;
use crate::needs::Kernel;

/// Runs as the machine's first process; beside it lies what [`build`] puts there.
const INIT: &str = include_str!("init.sh");

/// What is needed before /usr, with all other modules, is there.
const MODULES: [&str; 4] = ["virtio_pci", "virtio_console", "9pnet_virtio", "9p"];

/// Writes the archive to `path`. It takes milliseconds, so it is made for each boot.
pub(crate) fn build(kernel: &Kernel, path: &Path) {
    let mut archive = Archive::default();
    for folder in ["bin", "modules", "dev"] {
        archive.folder(folder);
    }
    archive.file("bin/busybox", &fs::read(busybox()).expect("busybox can be read"));
    archive.file("init", INIT.as_bytes());
    let mut order = String::new();
    for module in with_their_needs(kernel) {
        let name = module.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let packed = fs::read(&module).expect("a module of the kernel package");
        let plain = match module.extension().and_then(|extension| extension.to_str()) {
            Some("xz") => decompress("xz", &packed),
            Some("zst") => decompress("zstd", &packed),
            Some("gz") => decompress("gzip", &packed),
            _ => packed,
        };
        archive.file(&format!("modules/{name}"), &plain);
        order.push_str(&format!("{name}\n"));
    }
    archive.file("modules/order", order.as_bytes());
    fs::write(path, archive.finished()).expect("room in target/lab");
}

fn busybox() -> PathBuf {
    ["/usr/bin/busybox", "/bin/busybox"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
        .expect("it was looked for")
}

/// The files of [`MODULES`] and of all that they need, each after what it needs. What is built in has no file.
fn with_their_needs(kernel: &Kernel) -> Vec<PathBuf> {
    let text = fs::read_to_string(kernel.modules.join("modules.dep")).expect("the kernel's list of modules");
    let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(':')).collect();
    let mut files: Vec<PathBuf> = Vec::new();
    for module in MODULES {
        let is_it = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
            name.replace('-', "_") == module
        };
        let Some((own, needs)) = lines.iter().find(|(path, _)| is_it(path)) else { continue };
        // depmod lists the nearest need first.
        for path in needs.split_whitespace().rev().chain([*own]) {
            let file = kernel.modules.join(path);
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

/// A cpio archive in the form that the kernel unpacks (Documentation/driver-api/early-userspace/buffer-format.rst).
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    entries: u32,
}

impl Archive {
    fn folder(&mut self, name: &str) {
        self.entry(name, 0o40755, &[]);
    }

    /// A file that may be executed.
    fn file(&mut self, name: &str, content: &[u8]) {
        self.entry(name, 0o100_755, content);
    }

    fn entry(&mut self, name: &str, mode: u32, content: &[u8]) {
        self.entries += 1;
        let (name_length, length) = (name.len() + 1, content.len());
        // inode, mode, user, group, links, time, length, device and node numbers (twice two), length of the name, checksum
        let numbers = [self.entries as usize, mode as usize, 0, 0, 1, 0, length, 0, 0, 0, 0, name_length, 0];
        self.bytes.extend_from_slice(b"070701");
        numbers.iter().for_each(|number| self.bytes.extend_from_slice(format!("{number:08X}").as_bytes()));
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend_from_slice(content);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn finished(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[]);
        self.bytes
    }
}
