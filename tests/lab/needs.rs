//! What the lab needs of this machine, and what is said where it is missing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What has to be there for every boot: the program, and the Debian package that has it.
const PROGRAMS: [(&str, &str); 6] = [
    ("qemu-system-x86_64", "qemu-system-x86"),
    ("busybox", "busybox-static"),
    ("xz", "xz-utils"),
    ("modprobe", "kmod"),
    ("mkfs.ext4", "e2fsprogs"),
    ("dmsetup", "dmsetup"),
];

/// Two processors carry one machine at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The turn of one boot; released when dropped.
pub(crate) struct Turn {
    pub(crate) kernel: Kernel,
    _guard: MutexGuard<'static, ()>,
}

/// An installed kernel with its modules.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    /// The compressed image.
    pub(crate) image: PathBuf,
    /// The folder of its modules.
    pub(crate) modules: PathBuf,
}

/// Waits for this test's turn; `None`, after saying why, where something is missing. `programs` are needed in the guest
/// beside those of every boot.
pub(crate) fn turn(programs: &[(&str, &str)]) -> Option<Turn> {
    let found = missing(programs).map_or_else(kernel, Err);
    match found {
        // A test that failed in its turn has ended its machine; the next may go on.
        Ok(kernel) => Some(Turn { kernel, _guard: ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner) }),
        Err(reason) => {
            skip(&reason);
            None
        }
    }
}

/// Says why a test does not run, past the capture of the test harness.
fn skip(reason: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let is_required = std::env::var("SHAKEDOWN_REQUIRE_LAB").is_ok_and(|value| value == "1");
    assert!(!is_required, "{test} may not be skipped here: {reason}");
    writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("stderr is open");
}

fn missing(programs: &[(&str, &str)]) -> Option<String> {
    if !cfg!(target_arch = "x86_64") {
        return Some("the lab's machine is an x86-64 one and shares this machine's programs".to_owned());
    }
    if !Path::new("/bin").is_symlink() {
        return Some("this system has /bin apart from /usr/bin; the lab shares /usr alone".to_owned());
    }
    let absent: Vec<String> = PROGRAMS
        .iter()
        .chain(programs)
        .filter(|(program, _)| !is_installed(program))
        .map(|(program, package)| format!("{program} (Debian package {package})"))
        .collect();
    (!absent.is_empty()).then(|| format!("not installed: {}", absent.join(", ")))
}

fn is_installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("PATH=$PATH:/usr/sbin; command -v {program}")])
        .output()
        .is_ok_and(|output| output.status.success())
}

/// The newest kernel of /boot that has what the lab boots from; a cloud flavour has not.
fn kernel() -> Result<Kernel, String> {
    let names = std::fs::read_dir("/boot").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut releases: Vec<String> =
        names.filter_map(|name| name.to_str()?.strip_prefix("vmlinuz-").map(str::to_owned)).collect();
    releases.sort_by_key(|release| numbers_in(release));
    let kernels = releases.into_iter().rev().map(|release| Kernel {
        image: Path::new("/boot").join(format!("vmlinuz-{release}")),
        modules: Path::new("/usr/lib/modules").join(release),
    });
    let has_all = |kernel: &Kernel| {
        let listed = std::fs::read_to_string(kernel.modules.join("modules.dep")).unwrap_or_default();
        std::fs::File::open(&kernel.image).is_ok() && ["/9p.ko", "/nvme.ko"].iter().all(|name| listed.contains(name))
    };
    let wanted = "no kernel in /boot that can be read and has the modules 9p and nvme in /usr/lib/modules (Debian \
                  package linux-image-amd64)";
    kernels.into_iter().find(has_all).ok_or_else(|| wanted.to_owned())
}

/// `6.1.0-57` comes after `6.1.0-9`.
fn numbers_in(release: &str) -> Vec<u64> {
    release.split(|sign: char| !sign.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}
