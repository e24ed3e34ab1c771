use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ChainNode, DeviceNumber, Signature};
use crate::units::ByteCount;

/// A read-only description of one target, as found. Plain data: it goes into events and results, and a fixture or a
/// scripted device can state any of it. What is `None` was not offered by the kernel or could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// A plain file or a block device.
    pub kind: TargetKind,
    /// The path as it was given.
    pub path: String,
    /// The path after following every link.
    pub resolved_path: String,
    /// Of a block device its own number; of a file that of the file system it lies on.
    pub number: DeviceNumber,
    /// The inode of a file.
    pub inode: Option<u64>,
    /// The kernel's running number of this very attachment (Linux 5.15 and later): it changes when a loop device is
    /// set up anew or a drive is plugged again under the same name and number.
    pub disk_sequence: Option<u64>,
    /// All of it, in bytes.
    pub capacity_bytes: ByteCount,
    /// The smallest addressable unit, in bytes.
    pub logical_block_bytes: u32,
    /// The unit the drive says it works in, in bytes.
    pub physical_block_bytes: u32,
    /// The I/O size the drive prefers, in bytes.
    pub optimal_io_bytes: Option<u32>,
    /// What direct I/O demands, from statx (Linux 6.1 and later) or the logical block.
    pub direct_io: DirectIo,
    /// The drive's model name.
    pub model: Option<String>,
    /// The drive's serial number; blank and all-zero serials count as none.
    pub serial: Option<String>,
    /// Whether another disk of the machine gives the same serial (a second namespace, a second path, a cheap bridge), so
    /// that the serial does not tell which is meant.
    #[serde(default)]
    pub is_serial_shared: bool,
    /// World-wide name, EUI-64 or NGUID, as the kernel spells it (`naa.…`, `eui.…`).
    pub wwn: Option<String>,
    /// Firmware revision.
    pub firmware: Option<String>,
    /// How the drive is attached.
    pub transport: Transport,
    /// Whether the kernel takes it for a spinning disk.
    pub is_rotational: bool,
    /// The zone model where there is one (`host-managed`, `host-aware`).
    pub zoned: Option<String>,
    /// Whether the kernel refuses writes.
    pub is_read_only: bool,
    /// Whether the medium can be taken out.
    pub is_removable: bool,
    /// The I/O scheduler in use.
    pub scheduler: Option<String>,
    /// `write back` or `write through`, as the kernel believes.
    pub write_cache: Option<String>,
    /// The memory node the drive hangs on.
    pub numa_node: Option<u32>,
    /// Signatures in the first and last blocks; `None` if they could not be read.
    pub contents: Option<Vec<Signature>>,
    /// Of a block device: itself, its partitions, and all that holds them, up to mounts, swap and loop devices.
    pub chain: Option<ChainNode>,
    /// The whole disks that it is a part of or built from, if that is not itself, each with its own chain.
    pub base_disks: Vec<ChainNode>,
    /// Of a loop device: what lies under it.
    pub loop_backing: Option<LoopBacking>,
    /// Whether somebody holds it exclusively at the moment; `None` if that could not be tried.
    pub is_held_exclusively: Option<bool>,
    /// Programs that have it, or something on it, open for writing, as far as this user can see.
    #[serde(default)]
    pub writers: Vec<String>,
    /// Of a file: where it lies.
    pub file: Option<FileFacts>,
    /// What could not be read, as sentences for people.
    pub unread: Vec<String>,
}

impl Facts {
    /// One line that a person recognises the drive by: `Samsung SSD 980 PRO 1TB, serial S5GX, 1.00 TB`.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        match (&self.model, self.kind) {
            (Some(model), _) => parts.push(model.clone()),
            (None, TargetKind::File) => parts.push("plain file".to_owned()),
            (None, TargetKind::BlockDevice) => parts.push(format!("{} device", self.transport)),
        }
        if let Some(serial) = &self.serial {
            parts.push(format!("serial {serial}"));
        }
        parts.push(self.capacity_bytes.human());
        parts.join(", ")
    }

    /// The serial, if it tells this drive from all others of the machine.
    pub fn telling_serial(&self) -> Option<&str> {
        self.serial.as_deref().filter(|_| self.kind == TargetKind::BlockDevice && !self.is_serial_shared)
    }

    /// Whether anything in the chain is mounted or used as swap: it may be read, but its numbers are disturbed.
    pub fn is_in_use(&self) -> bool {
        self.chain.as_ref().is_some_and(|chain| chain.find(&|node| !node.uses.is_empty()).is_some())
    }
}

/// What a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// A plain file in a file system.
    File,
    /// A block device or a partition of one.
    BlockDevice,
}

/// What direct I/O demands of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectIo {
    /// Whether the target takes direct I/O at all.
    pub is_supported: bool,
    /// Alignment of the buffer in memory, in bytes.
    pub memory_alignment_bytes: u32,
    /// Alignment of offset and length, in bytes.
    pub offset_alignment_bytes: u32,
}

/// What lies under a loop device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopBacking {
    /// The backing file as the kernel names it.
    pub path: String,
    /// The number, if the loop device sits on another block device instead of a file.
    pub block_device: Option<DeviceNumber>,
}

/// Where a file target lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// The type of the file system by name (`ext4`, `xfs`, `tmpfs`).
    pub filesystem: String,
    /// Where that file system is mounted.
    pub mount_point: String,
    /// What is mounted there, as the kernel names it.
    pub mount_source: String,
    /// Free space for this user, in bytes.
    pub free_bytes: ByteCount,
    /// Whether this program created the file for the run.
    pub is_scratch: bool,
    /// Loop devices that sit on this file, by kernel name.
    pub loop_devices: Vec<String>,
    /// Whether the file is used as swap.
    pub is_swap: bool,
}

/// How a drive is attached.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// NVMe over any fabric.
    Nvme,
    /// An ATA drive.
    Sata,
    /// A SCSI or SAS drive.
    Scsi,
    /// A drive behind a USB bridge.
    Usb,
    /// A paravirtual drive.
    Virtio,
    /// A flash card.
    Mmc,
    /// A loop device.
    Loop,
    /// A compressed memory disk.
    Zram,
    /// The kernel's null block device.
    NullBlock,
    /// A device-mapper device.
    DeviceMapper,
    /// A software RAID.
    Raid,
    /// A file, not a drive.
    File,
    /// Anything else, by the kernel's name of the device.
    Other(String),
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Transport::Nvme => "NVMe",
            Transport::Sata => "SATA",
            Transport::Scsi => "SCSI",
            Transport::Usb => "USB",
            Transport::Virtio => "virtio",
            Transport::Mmc => "MMC",
            Transport::Loop => "loop",
            Transport::Zram => "zram",
            Transport::NullBlock => "null block",
            Transport::DeviceMapper => "device-mapper",
            Transport::Raid => "software RAID",
            Transport::File => "file",
            Transport::Other(name) => name,
        })
    }
}
