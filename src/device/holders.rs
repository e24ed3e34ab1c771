//! Follows a device to all that stands on it (partitions, holders, loop devices, mounts, swap) and down to the disks it
//! is made of, by device number.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::kernel::{names_in, read_text};
use super::mounts::{Mount, MountTable};
use super::{ChainNode, DeviceNumber, KernelRoot, Role, Use};

/// Chains are a few devices long; more means that a broken tree leads in a circle.
const DEEPEST_CHAIN: usize = 32;

/// The block devices of a kernel and what is done with them, read once.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    root: &'a KernelRoot,
    mounts: MountTable,
    loops: Vec<LoopDevice>,
    btrfs: Vec<BtrfsMember>,
    swaps: HashMap<DeviceNumber, Vec<String>>,
}

/// A loop device that is set up.
#[derive(Debug)]
pub(super) struct LoopDevice {
    pub(super) name: String,
    number: DeviceNumber,
    pub(super) backing_file: String,
    /// The device that the backing file is, if it is one.
    pub(super) backing_device: Option<DeviceNumber>,
}

#[derive(Debug)]
struct BtrfsMember {
    number: DeviceNumber,
    uuid: String,
    mounts: Vec<Mount>,
}

impl<'a> Survey<'a> {
    /// Reads the mount table, swaps, loop devices and btrfs members below `root`.
    pub(super) fn read(root: &'a KernelRoot) -> Result<Self, String> {
        let mounts = MountTable::read(root)?;
        let mut survey = Self { root, mounts, loops: Vec::new(), btrfs: Vec::new(), swaps: HashMap::new() };
        survey.loops = survey.read_loops();
        survey.btrfs = survey.read_btrfs();
        survey.swaps = survey.read_swaps();
        Ok(survey)
    }

    /// The loop devices that are set up.
    pub(super) fn loops(&self) -> &[LoopDevice] {
        &self.loops
    }

    /// The mounts and swaps as read.
    pub(super) fn mounts(&self) -> &MountTable {
        &self.mounts
    }

    /// The device with everything that stands on it.
    pub(super) fn chain(&self, number: DeviceNumber) -> Result<ChainNode, String> {
        self.chain_at(number, 0)
    }

    /// The whole disks under a partition or a stacked device, each with its chain; none for a whole disk.
    pub(super) fn base_disks(&self, number: DeviceNumber) -> Result<Vec<ChainNode>, String> {
        let mut found = Vec::new();
        self.find_bases(number, 0, &mut found)?;
        found.retain(|base| *base != number);
        found.into_iter().map(|base| self.chain(base)).collect()
    }

    fn find_bases(&self, number: DeviceNumber, depth: usize, found: &mut Vec<DeviceNumber>) -> Result<(), String> {
        if depth > DEEPEST_CHAIN {
            return Err(format!("the devices under {number} lead in a circle"));
        }
        let folder = folder_of(self.root, number)?;
        let mut below: Vec<DeviceNumber> = Vec::new();
        if folder.join("partition").exists() {
            below.extend(folder.parent().and_then(number_in));
            if below.is_empty() {
                return Err(format!("the disk of the partition {number} is not to be found"));
            }
        }
        for name in names_in(&folder.join("slaves")) {
            below.push(self.number_beside(&folder.join("slaves"), &name)?);
        }
        below.extend(self.loops.iter().filter(|device| device.number == number).filter_map(|d| d.backing_device));
        if below.is_empty() && !found.contains(&number) {
            found.push(number);
        }
        below.into_iter().try_for_each(|lower| self.find_bases(lower, depth + 1, found))
    }

    fn chain_at(&self, number: DeviceNumber, depth: usize) -> Result<ChainNode, String> {
        if depth > DEEPEST_CHAIN {
            return Err(format!("the holders of {number} lead in a circle"));
        }
        let folder = folder_of(self.root, number)?;
        let mut above = Vec::new();
        for name in names_in(&folder) {
            if folder.join(&name).join("partition").exists() {
                let partition =
                    number_in(&folder.join(&name)).ok_or_else(|| format!("partition {name} has no number"))?;
                above.push(partition);
            }
        }
        for name in names_in(&folder.join("holders")) {
            above.push(self.number_beside(&folder.join("holders"), &name)?);
        }
        above.extend(self.loops.iter().filter(|device| device.backing_device == Some(number)).map(|d| d.number));
        let above: Result<Vec<ChainNode>, String> =
            above.into_iter().map(|upper| self.chain_at(upper, depth + 1)).collect();
        Ok(ChainNode {
            name: kernel_name(&folder),
            number,
            role: self.role(&folder, number),
            contents: Vec::new(),
            uses: self.uses(number),
            above: above?,
        })
    }

    fn role(&self, folder: &Path, number: DeviceNumber) -> Role {
        if folder.join("partition").exists() {
            return Role::Partition;
        }
        if folder.join("dm").is_dir() {
            let uuid = read_text(&folder.join("dm/uuid")).unwrap_or_default();
            let subsystem = uuid.split('-').next().unwrap_or_default().to_owned();
            return Role::DeviceMapper { name: read_text(&folder.join("dm/name")).unwrap_or_default(), subsystem };
        }
        if folder.join("md").is_dir() {
            return Role::Raid { level: read_text(&folder.join("md/level")).unwrap_or_default() };
        }
        if let Some(device) = self.loops.iter().find(|device| device.number == number) {
            return Role::Loop { backing_file: device.backing_file.clone() };
        }
        if folder.join("bcache").exists() && kernel_name(folder).starts_with("bcache") {
            return Role::Bcache;
        }
        // Whatever has devices under it is a holder, known or not; the rest is a drive.
        if names_in(&folder.join("slaves")).is_empty() { Role::Disk } else { Role::Other }
    }

    fn uses(&self, number: DeviceNumber) -> Vec<Use> {
        let as_use = |mount: &Mount| Use::Mount { point: mount.point.clone(), filesystem: mount.filesystem.clone() };
        let mut uses: Vec<Use> = self.mounts.mounts.iter().filter(|mount| mount.number == number).map(as_use).collect();
        for member in self.btrfs.iter().filter(|member| member.number == number) {
            uses.push(Use::BtrfsMember { uuid: member.uuid.clone() });
            uses.extend(member.mounts.iter().map(as_use));
        }
        // A mount whose own number is anonymous names the device as its source.
        let by_source = self.mounts.mounts.iter().filter(|mount| mount.number.major == 0 && mount.number != number);
        uses.extend(by_source.filter(|mount| self.source_number(mount) == Some(number)).map(as_use));
        uses.extend(self.swaps.get(&number).into_iter().flatten().map(|path| Use::Swap { path: path.clone() }));
        uses.extend(
            self.loops
                .iter()
                .filter(|device| self.lies_on(device, number))
                .map(|device| Use::LoopBacking { device: device.name.clone(), file: device.backing_file.clone() }),
        );
        let mut unique = Vec::new();
        uses.into_iter().for_each(|entry| {
            if !unique.contains(&entry) {
                unique.push(entry);
            }
        });
        unique
    }

    fn source_number(&self, mount: &Mount) -> Option<DeviceNumber> {
        mount.source.starts_with('/').then(|| self.root.number_of_node(&mount.source)).flatten()
    }

    fn lies_on(&self, device: &LoopDevice, number: DeviceNumber) -> bool {
        device.backing_device.is_none()
            && self.mounts.mount_of(Path::new(&device.backing_file)).is_some_and(|mount| mount.number == number)
    }

    fn read_loops(&self) -> Vec<LoopDevice> {
        let block = self.root.path("/sys/block");
        names_in(&block)
            .into_iter()
            .filter_map(|name| {
                let folder = block.join(&name);
                let backing_file = read_text(&folder.join("loop/backing_file"))?;
                let backing_device = self.root.number_of_node(&backing_file).filter(|_| {
                    // By its name alone a plain file could be taken for a device.
                    backing_file.starts_with("/dev/")
                });
                Some(LoopDevice { number: number_in(&folder)?, name, backing_file, backing_device })
            })
            .collect()
    }

    fn read_btrfs(&self) -> Vec<BtrfsMember> {
        let folder = self.root.path("/sys/fs/btrfs");
        let mut members = Vec::new();
        for uuid in names_in(&folder) {
            let devices = folder.join(&uuid).join("devices");
            let numbers: Vec<DeviceNumber> =
                names_in(&devices).iter().filter_map(|name| self.number_beside(&devices, name).ok()).collect();
            // The kernel lists a file system here only while it is mounted; the mount table names one of its devices.
            let is_of_these = |mount: &&Mount| {
                mount.filesystem == "btrfs" && self.source_number(mount).is_some_and(|n| numbers.contains(&n))
            };
            let mounts: Vec<Mount> = self.mounts.mounts.iter().filter(is_of_these).cloned().collect();
            let member =
                |number: &DeviceNumber| BtrfsMember { number: *number, uuid: uuid.clone(), mounts: mounts.clone() };
            members.extend(numbers.iter().map(member));
        }
        members
    }

    fn read_swaps(&self) -> HashMap<DeviceNumber, Vec<String>> {
        let mut swaps: HashMap<DeviceNumber, Vec<String>> = HashMap::new();
        for path in &self.mounts.swaps {
            let own = path.starts_with("/dev/").then(|| self.root.number_of_node(path)).flatten();
            // A swap file makes the device that it lies on indispensable.
            let of_file = || {
                let mount = self.mounts.mount_of(Path::new(path))?;
                if mount.number.major == 0 { self.source_number(mount) } else { Some(mount.number) }
            };
            if let Some(number) = own.or_else(of_file) {
                swaps.entry(number).or_default().push(path.clone());
            }
        }
        swaps
    }

    /// The number of a device that stands in a folder of links; where a link leads nowhere, its name tells which it is.
    fn number_beside(&self, links: &Path, name: &str) -> Result<DeviceNumber, String> {
        number_in(&links.join(name))
            .or_else(|| number_in(&self.root.path("/sys/class/block").join(name)))
            .ok_or_else(|| format!("{name} has no device number in sysfs"))
    }
}

/// The sysfs folder of a device, links resolved, so that the parent of a partition is its disk.
pub(super) fn folder_of(root: &KernelRoot, number: DeviceNumber) -> Result<PathBuf, String> {
    let link = root.path(format!("/sys/dev/block/{number}"));
    fs::canonicalize(&link).map_err(|error| format!("/sys/dev/block/{number} could not be read ({error})"))
}

/// The kernel's name of a device; a `!` in a folder's name stands for a `/`.
pub(super) fn kernel_name(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().replace('!', "/")).unwrap_or_default()
}

/// The device number in a device's folder.
pub(super) fn number_in(folder: &Path) -> Option<DeviceNumber> {
    read_text(&folder.join("dev"))?.parse().ok()
}
