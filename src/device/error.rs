use std::fmt;
use std::io;

use super::Refusal;

/// Why a target could not be found, opened or created.
#[derive(Debug)]
pub enum DeviceError {
    /// Nothing is there. Nothing is created either.
    NoSuchDevice {
        /// The path as given.
        path: String,
    },
    /// Something is there that is neither a block device nor a plain file.
    WrongKind {
        /// The path as given.
        path: String,
        /// What it is, with its article: `a directory`.
        found: &'static str,
    },
    /// The user may not.
    Denied {
        /// The path as given.
        path: String,
        /// What was tried: `open it for writing`.
        action: &'static str,
    },
    /// Somebody else has it open exclusively.
    Busy {
        /// The path as given.
        path: String,
    },
    /// The file system does not take direct I/O.
    DirectIoRefused {
        /// The path as given.
        path: String,
        /// The type of the file system.
        filesystem: String,
    },
    /// The target is not what was approved.
    Changed {
        /// The path as given.
        path: String,
        /// Which property: `serial`.
        what: &'static str,
        /// Its value when it was approved.
        approved: String,
        /// Its value now.
        now: String,
    },
    /// The guard refuses it.
    Refused(Box<Refusal>),
    /// The file system has too little room for the scratch file.
    NoSpace {
        /// The folder.
        path: String,
        /// Bytes that would be needed, head-room included.
        wanted_bytes: u64,
        /// Bytes that are free for this user.
        free_bytes: u64,
    },
    /// Anything else the kernel says.
    Io {
        /// The path as given.
        path: String,
        /// What was tried: `read its first blocks`.
        action: &'static str,
        /// The cause.
        source: io::Error,
    },
}

impl DeviceError {
    /// The stable code of the diagnostic.
    pub fn code(&self) -> &'static str {
        match self {
            DeviceError::NoSuchDevice { .. } => "device/no-such-device",
            DeviceError::WrongKind { .. } => "device/wrong-kind",
            DeviceError::Denied { .. } => "device/denied",
            DeviceError::Busy { .. } => "device/busy",
            DeviceError::DirectIoRefused { .. } => "device/no-direct-io",
            DeviceError::Changed { .. } => "device/changed",
            DeviceError::Refused(refusal) => refusal.code(),
            DeviceError::NoSpace { .. } => "device/no-space",
            DeviceError::Io { .. } => "device/io",
        }
    }

    /// The remedy, if there is one.
    pub fn help(&self) -> Option<String> {
        match self {
            DeviceError::NoSuchDevice { .. } => Some("`shakedown devices` lists the drives of this machine".to_owned()),
            DeviceError::WrongKind { .. } => Some("name a block device or a plain file".to_owned()),
            DeviceError::Denied { .. } => Some("run it as root, or as a user who may open the device".to_owned()),
            DeviceError::Busy { .. } => Some("end the program that uses it".to_owned()),
            DeviceError::DirectIoRefused { .. } => {
                Some("use a file system that takes direct I/O, or allow buffered I/O for file targets".to_owned())
            }
            DeviceError::Changed { .. } => Some("look at the drive again, then give your consent anew".to_owned()),
            DeviceError::Refused(refusal) => Some(refusal.help()),
            DeviceError::NoSpace { .. } => Some("free some space, or ask for a smaller scratch file".to_owned()),
            DeviceError::Io { .. } => None,
        }
    }

    /// Sorts what the kernel said while `action` was tried on `path`.
    pub(super) fn from_io(path: &str, action: &'static str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.raw_os_error() {
            Some(libc::ENOENT | libc::ENXIO | libc::ENODEV | libc::ENOTDIR) => DeviceError::NoSuchDevice { path },
            Some(libc::EACCES | libc::EPERM) => DeviceError::Denied { path, action },
            Some(libc::EBUSY | libc::ETXTBSY) => DeviceError::Busy { path },
            Some(libc::EISDIR) => DeviceError::WrongKind { path, found: "a directory" },
            _ => DeviceError::Io { path, action, source },
        }
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceError::NoSuchDevice { path } => write!(f, "no such device or file: {path}"),
            DeviceError::WrongKind { path, found } => write!(f, "{path} is {found}, not a block device or plain file"),
            DeviceError::Denied { path, action } => write!(f, "{path}: not permitted to {action}"),
            DeviceError::Busy { path } => write!(f, "{path} is open exclusively by someone else"),
            DeviceError::DirectIoRefused { path, filesystem } => {
                write!(f, "{path}: {filesystem} refuses direct I/O")
            }
            DeviceError::Changed { path, what, approved, now } => {
                write!(f, "{path} is not what was approved: {what} was {approved} and is now {now}")
            }
            DeviceError::Refused(refusal) => refusal.fmt(f),
            DeviceError::NoSpace { path, wanted_bytes, free_bytes } => {
                write!(f, "{path} has {free_bytes} bytes free, a scratch file needs {wanted_bytes} with head-room")
            }
            DeviceError::Io { path, action, source } => write!(f, "{path}: could not {action}: {source}"),
        }
    }
}

impl std::error::Error for DeviceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DeviceError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<Box<Refusal>> for DeviceError {
    fn from(refusal: Box<Refusal>) -> Self {
        DeviceError::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_errors_are_sorted() {
        for (number, code) in [
            (libc::ENOENT, "device/no-such-device"),
            (libc::ENXIO, "device/no-such-device"),
            (libc::ENODEV, "device/no-such-device"),
            (libc::EACCES, "device/denied"),
            (libc::EPERM, "device/denied"),
            (libc::EBUSY, "device/busy"),
            (libc::ETXTBSY, "device/busy"),
            (libc::EISDIR, "device/wrong-kind"),
            (libc::EIO, "device/io"),
        ] {
            let error = DeviceError::from_io("/dev/x", "open it", io::Error::from_raw_os_error(number));
            assert_eq!(error.code(), code, "{number}");
            assert!(error.to_string().contains("/dev/x"), "{error}");
            assert_eq!(std::error::Error::source(&error).is_some(), code == "device/io", "the cause is kept");
        }
    }
}
