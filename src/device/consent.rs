use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::{DeviceNumber, Facts, TargetKind};

/// What the user allowed to be destroyed: the values of `--destroy`, each either a serial or `PATH=BYTES`.
///
/// A path is resolved to a device number (or to device and inode of a file) once, when the consent is read; from then
/// on numbers are compared and never names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent {
    given: Vec<Given>,
}

/// One `--destroy`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Given {
    text: String,
    sized: Option<Sized>,
}

/// The `PATH=BYTES` reading of one `--destroy`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sized {
    identity: Option<TargetIdentity>,
    bytes: u64,
}

/// What a path stands for, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetIdentity {
    /// A block device.
    BlockDevice(DeviceNumber),
    /// A plain file: the number of its file system and its inode.
    File(DeviceNumber, u64),
}

impl TargetIdentity {
    /// What `path` stands for, links followed; `None` if it is missing or neither block device nor plain file.
    pub fn of_path(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        if metadata.file_type().is_block_device() {
            Some(Self::BlockDevice(DeviceNumber::from_packed(metadata.rdev())))
        } else if metadata.is_file() {
            Some(Self::File(DeviceNumber::from_packed(metadata.dev()), metadata.ino()))
        } else {
            None
        }
    }

    /// What the facts describe.
    pub fn of_facts(facts: &Facts) -> Self {
        match facts.kind {
            TargetKind::BlockDevice => Self::BlockDevice(facts.number),
            TargetKind::File => Self::File(facts.number, facts.inode.unwrap_or(0)),
        }
    }
}

impl Consent {
    /// No consent to anything.
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads the values of `--destroy`, resolving paths on this machine.
    pub fn from_arguments<S: AsRef<str>>(arguments: &[S]) -> Self {
        Self::resolve(arguments, &TargetIdentity::of_path)
    }

    /// Reads the values of `--destroy`; `identity` says what a path stands for.
    pub fn resolve<S: AsRef<str>>(arguments: &[S], identity: &dyn Fn(&Path) -> Option<TargetIdentity>) -> Self {
        let read = |text: &str| {
            let sized = text.rsplit_once('=').and_then(|(path, bytes)| {
                // Digits alone: a size that is consented to is exact, so it has no unit and no rounding.
                let is_number = !bytes.is_empty() && bytes.bytes().all(|byte| byte.is_ascii_digit());
                let bytes = is_number.then(|| bytes.parse().ok()).flatten()?;
                Some(Sized { identity: identity(&PathBuf::from(path)), bytes })
            });
            Given { text: text.to_owned(), sized }
        };
        Self { given: arguments.iter().map(|argument| read(argument.as_ref())).collect() }
    }

    /// The values as given.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(|given| given.text.as_str())
    }

    /// What to write after `--destroy` to consent for this target.
    pub fn wanted_for(facts: &Facts) -> String {
        match facts.telling_serial() {
            Some(serial) => serial.to_owned(),
            None => format!("{}={}", facts.path, facts.capacity_bytes.get()),
        }
    }

    /// Whether one of the values names exactly this target.
    pub(super) fn covers(&self, facts: &Facts) -> bool {
        let identity = TargetIdentity::of_facts(facts);
        self.given.iter().any(|given| match facts.telling_serial() {
            Some(serial) => serial == given.text,
            None => given
                .sized
                .as_ref()
                .is_some_and(|sized| sized.identity == Some(identity) && sized.bytes == facts.capacity_bytes.get()),
        })
    }

    /// Why the values given do not name this target, one sentence for the nearest miss; `None` if none was given.
    pub(super) fn nearest_miss(&self, facts: &Facts) -> Option<String> {
        let identity = TargetIdentity::of_facts(facts);
        let same = self.given.iter().find(|given| given.sized.as_ref().is_some_and(|s| s.identity == Some(identity)));
        let is_shared = facts.is_serial_shared && self.texts().any(|text| facts.serial.as_deref() == Some(text));
        if is_shared {
            return Some("is given the serial, which another disk of this machine has too".to_owned());
        }
        match (same, facts.telling_serial().is_some()) {
            (Some(given), true) => Some(format!(
                "\"{}\" names it by path, but a drive with a serial number is consented to by that serial",
                given.text
            )),
            (Some(given), false) => Some(format!(
                "\"{}\" is the right path with the wrong size: it holds {} bytes",
                given.text,
                facts.capacity_bytes.get()
            )),
            (None, _) => self.given.first().map(|_| {
                let all: Vec<String> = self.texts().map(|text| format!("\"{text}\"")).collect();
                format!("{} does not name it", all.join(", "))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::FakeDevice;

    proptest::proptest! {
        #[test]
        fn only_the_very_serial_consents(text in "[ -~]{0,24}", serial in "[A-Z0-9-]{1,20}") {
            let facts = FakeDevice::clean_facts(&serial, 1 << 20);
            let consent = Consent::resolve(&[&text], &|_| Some(TargetIdentity::BlockDevice(facts.number)));
            assert_eq!(consent.covers(&facts), text == serial);
            assert!(Consent::resolve(&[&serial], &|_| None).covers(&facts));
        }

        #[test]
        fn only_the_very_size_consents(size in 0_u64..100_000, given in "[0-9]{1,6}") {
            let facts = FakeDevice::clean_facts("", size);
            let text = format!("/dev/a=b={given}");
            let consent = Consent::resolve(&[&text], &|path| {
                assert_eq!(path, Path::new("/dev/a=b"), "the last sign of equality parts path and size");
                Some(TargetIdentity::BlockDevice(facts.number))
            });
            assert_eq!(consent.covers(&facts), given.parse() == Ok(size));
        }
    }

    #[test]
    fn what_is_wanted_is_what_consents() {
        for serial in ["", "S1"] {
            let facts = FakeDevice::clean_facts(serial, 4096);
            let wanted = Consent::wanted_for(&facts);
            assert!(
                Consent::resolve(&[&wanted], &|_| Some(TargetIdentity::of_facts(&facts))).covers(&facts),
                "{wanted}"
            );
        }
    }
}
