//! The kernel as an ELF file, taken out of the compressed image: the machine then need not unpack it in emulation, which
//! would be most of its boot.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use crate::needs::Kernel;

/// The unpacked kernel below `folder`, unpacked there once for each content of the image.
pub(crate) fn unpacked(kernel: &Kernel, folder: &Path) -> PathBuf {
    let image = fs::read(&kernel.image).expect("the kernel's image can be read");
    let unpacked = folder.join(format!("vmlinux-{}", short_hash(&image)));
    if !unpacked.exists() {
        // Under its own name only once it is whole.
        let unfinished = unpacked.with_extension("unfinished");
        fs::write(&unfinished, unpack(&image)).expect("room in target/lab");
        fs::rename(&unfinished, &unpacked).expect("a name in target/lab");
    }
    unpacked
}

/// Sixteen signs that tell one content from another.
fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The payload of a bzImage (kernel Documentation/arch/x86/boot.rst: `setup_sects`, `payload_offset`, `payload_length`),
/// decompressed. Its last four bytes are the length of what comes out.
fn unpack(image: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(image[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(&image[0x202..0x206], b"HdrS", "the kernel's image is no bzImage");
    let setup_sectors = if image[0x1f1] == 0 { 4 } else { usize::from(image[0x1f1]) };
    let start = (setup_sectors + 1) * 512 + number(0x248);
    let payload = &image[start..start + number(0x24c)];
    let (packed, length) = payload.split_at(payload.len() - 4);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
    let program = match packed {
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "xz",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
        [0x1f, 0x8b, ..] => "gzip",
        [0x02, 0x21, 0x4c, 0x18, ..] => "lz4",
        other => panic!("the kernel is packed in a way that the lab does not know: {:02x?}", &other[..6]),
    };
    let unpacked = decompress(program, packed);
    assert!(unpacked.len() == length && unpacked.starts_with(b"\x7fELF"), "the kernel did not come out whole");
    unpacked
}

/// What `program` makes of these bytes.
pub(crate) fn decompress(program: &str, packed: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .arg("-dc")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut input = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A program that is content before the end of its input closes the pipe; its output tells whether it was right.
        scope.spawn(move || input.write_all(packed));
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{program} failed on part of the kernel package");
        output.stdout
    })
}
