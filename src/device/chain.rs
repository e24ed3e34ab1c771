use std::fmt;

use serde::{Deserialize, Serialize};

use super::{DeviceNumber, Signature};

/// One device of a chain, with all that stands on it: partitions first, then holders (device-mapper, RAID, loop …).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainNode {
    /// The kernel's name (`nvme0n1p2`, `dm-0`): for people only, never compared.
    pub name: String,
    /// The device number.
    pub number: DeviceNumber,
    /// What it is.
    pub role: Role,
    /// The signatures found on it, where they could be read.
    pub contents: Vec<Signature>,
    /// What the system does with it right now.
    pub uses: Vec<Use>,
    /// What stands on it.
    pub above: Vec<ChainNode>,
}

impl ChainNode {
    /// The first node, this one included and depth first, that `wanted` picks.
    pub fn find(&self, wanted: &dyn Fn(&ChainNode) -> bool) -> Option<&ChainNode> {
        if wanted(self) { Some(self) } else { self.above.iter().find_map(|node| node.find(wanted)) }
    }

    /// All nodes, this one first.
    pub fn walk(&self, visit: &mut dyn FnMut(&ChainNode)) {
        visit(self);
        for node in &self.above {
            node.walk(visit);
        }
    }

    /// The device with only the branches that lead to a use or a holder; `None` if nothing uses or holds it.
    pub fn only_used(&self) -> Option<ChainNode> {
        // What the device itself is does not count: a loop device is not held by being one.
        let above: Vec<ChainNode> = self.above.iter().filter_map(ChainNode::if_used).collect();
        (!self.uses.is_empty() || !above.is_empty()).then(|| ChainNode { above, ..self.clone() })
    }

    fn if_used(&self) -> Option<ChainNode> {
        self.only_used().or_else(|| self.role.is_holder().then(|| self.clone()))
    }

    /// What a reader needs to know of the node, beside its name.
    fn note(&self) -> String {
        let mut parts = Vec::new();
        match &self.role {
            Role::Disk | Role::Partition => {}
            role => parts.push(role.to_string()),
        }
        parts.extend(self.contents.iter().map(Signature::to_string));
        parts.extend(self.uses.iter().map(Use::to_string));
        parts.join(", ")
    }

    fn draw(&self, indent: &str, out: &mut String) {
        let width = self.above.iter().map(|node| node.name.chars().count()).max().unwrap_or(0);
        for (index, node) in self.above.iter().enumerate() {
            let is_last = index + 1 == self.above.len();
            let line = format!("{indent}{} {:width$}  {}", if is_last { "└─" } else { "├─" }, node.name, node.note());
            out.push_str(line.trim_end());
            out.push('\n');
            node.draw(&format!("{indent}{}", if is_last { "   " } else { "│  " }), out);
        }
    }
}

/// The tree of what stands on the device, one line each, two blanks deep; the device's own uses stand in the first line.
impl fmt::Display for ChainNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        let note = self.note();
        if !note.is_empty() {
            out.push_str(&format!("  {}  {note}\n", self.name));
        }
        self.draw("  ", &mut out);
        f.write_str(out.trim_end_matches('\n'))
    }
}

/// What a device in a chain is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A whole drive.
    Disk,
    /// A part of one.
    Partition,
    /// A device-mapper device: its name, and what made it (`LVM`, `CRYPT`, …) as the first part of its uuid.
    DeviceMapper {
        /// The name under /dev/mapper.
        name: String,
        /// The first part of its uuid, empty if it has none.
        subsystem: String,
    },
    /// A software RAID and its level.
    Raid {
        /// As sysfs spells it (`raid1`).
        level: String,
    },
    /// A loop device and its backing file.
    Loop {
        /// As the kernel names it.
        backing_file: String,
    },
    /// A bcache device.
    Bcache,
    /// Another kind of holder.
    Other,
}

impl Role {
    /// Whether such a device, standing on another, has claimed it.
    pub fn is_holder(&self) -> bool {
        !matches!(self, Role::Disk | Role::Partition)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Disk => f.write_str("disk"),
            Role::Partition => f.write_str("partition"),
            Role::DeviceMapper { name, subsystem } if subsystem.is_empty() => write!(f, "device-mapper {name}"),
            Role::DeviceMapper { name, subsystem } => write!(f, "{subsystem} {name}"),
            Role::Raid { level } if level.is_empty() => f.write_str("software RAID"),
            Role::Raid { level } => write!(f, "software RAID ({level})"),
            Role::Loop { backing_file } => write!(f, "loop device on {backing_file}"),
            Role::Bcache => f.write_str("bcache"),
            Role::Other => f.write_str("holder"),
        }
    }
}

/// What the system does with a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// Mounted.
    Mount {
        /// Where.
        point: String,
        /// The type of the file system.
        filesystem: String,
    },
    /// In use as swap, or holding a swap file.
    Swap {
        /// As /proc/swaps names it.
        path: String,
    },
    /// A member of a mounted btrfs of several devices whose mount point is not known.
    BtrfsMember {
        /// The file system's id.
        uuid: String,
    },
    /// A loop device sits on a file in the file system that is mounted from it.
    LoopBacking {
        /// The loop device's kernel name.
        device: String,
        /// The backing file.
        file: String,
    },
}

impl Use {
    /// Whether the running system depends on it: root, boot, EFI, the system's own directories, or swap.
    pub fn is_system(&self) -> bool {
        const SYSTEM: [&str; 11] =
            ["/", "/boot", "/boot/efi", "/efi", "/esp", "/usr", "/etc", "/var", "/home", "/nix", "/gnu"];
        match self {
            Use::Mount { point, .. } => SYSTEM.contains(&point.as_str()),
            Use::Swap { .. } => true,
            Use::BtrfsMember { .. } | Use::LoopBacking { .. } => false,
        }
    }
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Use::Mount { point, .. } => write!(f, "mounted on {point}"),
            Use::Swap { path } => write!(f, "swap in use ({path})"),
            Use::BtrfsMember { uuid } => write!(f, "member of the mounted btrfs {uuid}"),
            Use::LoopBacking { device, file } => write!(f, "{device} sits on its file {file}"),
        }
    }
}
