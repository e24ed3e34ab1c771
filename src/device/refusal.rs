use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ChainNode, DeviceNumber, Signature};

/// Why a target may not be written. `Display` prints what a person needs: one line, the drive, and where it applies the
/// tree of what stands on it. No refusal but the missing consent can be overridden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The path as it was given.
    pub path: String,
    /// The drive in one line.
    pub drive: String,
    /// What is the matter.
    pub reason: RefusalReason,
}

/// What is the matter with a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalReason {
    /// The running system lies on the disk.
    SystemDisk {
        /// The disk with the branches that are in use.
        chain: ChainNode,
    },
    /// The device or something on it is mounted.
    Mounted {
        /// The device with the branches that are in use.
        chain: ChainNode,
    },
    /// A RAID, device-mapper, bcache or other device holds it or one of its partitions.
    Held {
        /// The device with the branches that are held.
        chain: ChainNode,
    },
    /// A loop device sits on it.
    LoopBacking {
        /// Loop devices by kernel name.
        devices: Vec<String>,
    },
    /// It is a loop device that only hands requests on to another block device.
    PassesThrough {
        /// That device as the kernel names it.
        backing: String,
        /// Its number.
        number: DeviceNumber,
    },
    /// Somebody else has it open exclusively.
    Busy,
    /// Programs have it, or something on it, open for writing.
    OpenForWriting {
        /// The programs by name and process number.
        programs: Vec<String>,
    },
    /// A file in use as swap.
    SwapFile,
    /// Zones need their own write rules, which are not built.
    Zoned {
        /// As sysfs spells it.
        model: String,
    },
    /// The kernel refuses writes.
    ReadOnly,
    /// No medium, or a size of 0.
    Empty,
    /// What stands on it could not be found out, so nothing is assumed.
    Unknown {
        /// What could not be read.
        what: String,
    },
    /// A file in a place that is not for data (/dev, /proc, /sys).
    NoPlaceForData {
        /// The type of the file system there.
        filesystem: String,
    },
    /// Writing needs a consent that was not given.
    NoConsent {
        /// What is on it.
        contents: Vec<Signature>,
        /// What to write after `--destroy`.
        wanted: String,
        /// Why what was given does not count.
        nearest_miss: Option<String>,
    },
}

impl Refusal {
    /// The stable code of the diagnostic.
    pub fn code(&self) -> &'static str {
        match &self.reason {
            RefusalReason::SystemDisk { .. } => "device/system-disk",
            RefusalReason::Mounted { .. } => "device/mounted",
            RefusalReason::Held { .. } => "device/held",
            RefusalReason::LoopBacking { .. } => "device/loop-backing",
            RefusalReason::PassesThrough { .. } => "device/passes-through",
            RefusalReason::Busy => "device/busy",
            RefusalReason::OpenForWriting { .. } => "device/open-for-writing",
            RefusalReason::SwapFile => "device/swap-file",
            RefusalReason::Zoned { .. } => "device/zoned",
            RefusalReason::ReadOnly => "device/read-only",
            RefusalReason::Empty => "device/empty",
            RefusalReason::Unknown { .. } => "device/unknown-use",
            RefusalReason::NoPlaceForData { .. } => "device/no-place-for-data",
            RefusalReason::NoConsent { .. } => "device/no-consent",
        }
    }

    /// What is wrong, in one sentence fragment that stands alone in a log.
    pub fn message(&self) -> String {
        let path = &self.path;
        match &self.reason {
            RefusalReason::SystemDisk { .. } => format!("{path} holds the running system"),
            RefusalReason::Mounted { .. } => format!("{path} is mounted"),
            RefusalReason::Held { .. } => format!("{path} is held by another device"),
            RefusalReason::LoopBacking { devices } => {
                format!("{path} lies under the loop device {}", devices.join(", "))
            }
            RefusalReason::PassesThrough { backing, .. } => format!("{path} hands every write on to {backing}"),
            RefusalReason::Busy => format!("{path} is open exclusively by someone else"),
            RefusalReason::OpenForWriting { programs } => {
                format!("{path} is open for writing by {}", programs.join(", "))
            }
            RefusalReason::SwapFile => format!("{path} is in use as swap"),
            RefusalReason::Zoned { model } => format!("{path} is a zoned device ({model})"),
            RefusalReason::ReadOnly => format!("{path} is read-only"),
            RefusalReason::Empty => format!("{path} has no medium or no size"),
            RefusalReason::Unknown { what } => format!("what stands on {path} could not be found out: {what}"),
            RefusalReason::NoPlaceForData { filesystem } => {
                format!("{path} lies in {filesystem}, which is no place for data")
            }
            RefusalReason::NoConsent { .. } => format!("writing to {path} needs your consent"),
        }
    }

    /// The remedy, if there is one.
    pub fn help(&self) -> String {
        match &self.reason {
            RefusalReason::NoConsent { wanted, .. } => {
                format!("to let everything on it be destroyed, add `--destroy {wanted}`")
            }
            RefusalReason::Mounted { .. } => "unmount it first; there is no option that overrides this".to_owned(),
            RefusalReason::Held { .. } => "stop what holds it first; there is no option that overrides this".to_owned(),
            RefusalReason::LoopBacking { .. } => {
                "detach the loop device first; there is no option that overrides this".to_owned()
            }
            RefusalReason::PassesThrough { backing, .. } => format!("name {backing} itself as the device"),
            RefusalReason::Busy | RefusalReason::OpenForWriting { .. } => {
                "end the program that uses it; there is no option that overrides this".to_owned()
            }
            RefusalReason::SwapFile => "turn that swap off first".to_owned(),
            RefusalReason::Zoned { .. } => "zoned drives cannot be written yet".to_owned(),
            RefusalReason::Unknown { .. } => "run it where /sys and /proc can be read".to_owned(),
            RefusalReason::SystemDisk { .. }
            | RefusalReason::ReadOnly
            | RefusalReason::Empty
            | RefusalReason::NoPlaceForData { .. } => "there is no option that overrides this".to_owned(),
        }
    }

    /// The drive and what stands on it, in lines.
    pub fn details(&self) -> String {
        let mut lines = vec![format!("  {}", self.drive)];
        match &self.reason {
            RefusalReason::SystemDisk { chain } | RefusalReason::Mounted { chain } | RefusalReason::Held { chain } => {
                lines.push(chain.to_string());
            }
            RefusalReason::NoConsent { contents, nearest_miss, .. } => {
                if !contents.is_empty() {
                    let found: Vec<String> = contents.iter().map(Signature::to_string).collect();
                    lines.push(format!("  found on it: {}", found.join(", ")));
                }
                lines.extend(nearest_miss.iter().map(|miss| format!("  --destroy {miss}")));
            }
            _ => {}
        }
        lines.join("\n")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}", self.message(), self.details(), self.help())
    }
}

impl std::error::Error for Refusal {}
