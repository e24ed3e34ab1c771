//! Reads the facts of a block device below a given root.

use std::fs;
use std::path::{Path, PathBuf};

use super::holders::{Survey, folder_of, kernel_name};
use super::kernel::{names_in, read_text};
use super::{ChainNode, DeviceNumber, DirectIo, Facts, IoCounters, KernelRoot, LoopBacking, TargetKind, Transport};
use crate::units::ByteCount;

/// All that sysfs and the mount table tell of the block device `number`; `path` and `resolved_path` are only carried along.
/// What must be read from the device itself (contents, exclusive use) is left open.
///
/// # Errors
///
/// A sentence, if sysfs does not know the device at all.
pub(super) fn read_block_facts(
    root: &KernelRoot,
    survey: &Result<Survey<'_>, String>,
    number: DeviceNumber,
    path: &str,
    resolved_path: &str,
) -> Result<Facts, String> {
    let folder = folder_of(root, number)?;
    // Queue and identity belong to the whole disk; a partition's folder lies inside that.
    let is_partition = folder.join("partition").exists();
    let disk = if is_partition { folder.parent().map(Path::to_path_buf).unwrap_or_default() } else { folder.clone() };
    let text = |file: &str| read_text(&folder.join(file));
    let queue = |file: &str| read_text(&disk.join("queue").join(file));
    let queue_bytes = |file: &str| queue(file).and_then(|text| text.parse::<u32>().ok()).filter(|bytes| *bytes > 0);
    let mut unread = Vec::new();
    let mut note = |result: Result<Option<ChainNode>, String>| match result {
        Ok(chain) => chain,
        Err(reason) => {
            unread.push(reason);
            None
        }
    };
    let as_known = || survey.as_ref().map_err(Clone::clone);
    let mut chain = note(as_known().and_then(|survey| survey.chain(number)).map(Some));
    let base_disks = as_known().and_then(|survey| survey.base_disks(number)).unwrap_or_else(|reason| {
        // Without the disks under it nothing is known of the system's disk, so the chain counts as unknown too.
        chain = None;
        note(Err(reason));
        Vec::new()
    });
    let logical_block_bytes = queue_bytes("logical_block_size").unwrap_or(512);
    let sectors = text("size").and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let flag = |value: Option<String>| value.as_deref() == Some("1");
    let identity = Identity::read(&disk);
    Ok(Facts {
        kind: TargetKind::BlockDevice,
        path: path.to_owned(),
        resolved_path: resolved_path.to_owned(),
        number,
        inode: None,
        disk_sequence: read_text(&disk.join("diskseq")).and_then(|text| text.parse().ok()),
        // The unit of `size` is always 512 bytes, whatever the logical block (Documentation/ABI/stable/sysfs-block).
        capacity_bytes: ByteCount::new(sectors.saturating_mul(512)),
        logical_block_bytes,
        physical_block_bytes: queue_bytes("physical_block_size").unwrap_or(logical_block_bytes),
        optimal_io_bytes: queue_bytes("optimal_io_size"),
        direct_io: DirectIo {
            is_supported: true,
            memory_alignment_bytes: queue_bytes("dma_alignment").map_or(logical_block_bytes, |mask| mask + 1),
            offset_alignment_bytes: logical_block_bytes,
        },
        model: identity.model,
        is_serial_shared: identity.serial.as_deref().is_some_and(|serial| is_shared(root, &disk, serial)),
        serial: identity.serial,
        wwn: identity.wwn,
        firmware: identity.firmware,
        transport: transport(&disk),
        is_rotational: flag(queue("rotational")),
        zoned: queue("zoned").filter(|model| model != "none"),
        is_read_only: flag(text("ro")),
        is_removable: flag(read_text(&disk.join("removable"))),
        scheduler: queue("scheduler").map(|text| selected(&text)),
        write_cache: queue("write_cache"),
        numa_node: numa_node(&disk),
        contents: None,
        chain,
        base_disks,
        loop_backing: loop_backing(survey, &disk),
        is_held_exclusively: None,
        writers: Vec::new(),
        file: None,
        unread,
    })
}

/// The counters of a block device.
pub(super) fn read_counters(root: &KernelRoot, number: DeviceNumber) -> Option<IoCounters> {
    IoCounters::parse(&read_text(&folder_of(root, number).ok()?.join("stat"))?)
}

/// Whether there is a block device of that number, with a size: the kernel sets that to 0 before it lets go of a drive.
pub(super) fn is_there(root: &KernelRoot, number: DeviceNumber) -> bool {
    let size = folder_of(root, number).ok().and_then(|folder| read_text(&folder.join("size")));
    size.is_some_and(|sectors| sectors != "0")
}

/// Who the drive says it is.
#[derive(Debug, Default)]
struct Identity {
    model: Option<String>,
    serial: Option<String>,
    wwn: Option<String>,
    firmware: Option<String>,
}

impl Identity {
    fn read(disk: &Path) -> Self {
        let first = |files: &[&str]| files.iter().find_map(|file| read_text(&disk.join(file)));
        let model = first(&["device/model", "device/name"]).filter(|_| disk.join("device").exists());
        // ATA drives all have the vendor "ATA"; of SCSI drives the vendor is half of the name.
        let vendor = first(&["device/vendor"]).filter(|vendor| vendor != "ATA" && !vendor.starts_with("0x"));
        let serial = first(&["device/serial", "serial"]).or_else(|| serial_page(&disk.join("device/vpd_pg80")));
        Self {
            model: match (vendor, model) {
                (Some(vendor), Some(model)) => Some(format!("{vendor} {model}")),
                (_, model) => model,
            },
            serial: serial.filter(|serial| !is_blank_serial(serial)),
            wwn: first(&["wwid", "device/wwid", "eui", "nguid"]),
            firmware: first(&["device/firmware_rev", "device/rev", "device/fwrev"]),
        }
    }
}

/// Whether another disk answers with the same serial.
fn is_shared(root: &KernelRoot, disk: &Path, serial: &str) -> bool {
    let block = root.path("/sys/block");
    names_in(&block).into_iter().filter_map(|name| fs::canonicalize(block.join(name)).ok()).any(|other| {
        // The hidden paths of a multipath drive have no number of their own and are no other disk.
        other != disk && other.join("dev").exists() && Identity::read(&other).serial.as_deref() == Some(serial)
    })
}

/// The serial in page 0x80 of the vital product data (SPC-4, 7.8.14): the text after four bytes of heading.
fn serial_page(path: &Path) -> Option<String> {
    let page = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(page.get(4..)?).into_owned();
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// Cheap bridges answer with nothing, zeroes or one sign repeated; such a serial names no drive.
fn is_blank_serial(serial: &str) -> bool {
    let signs: Vec<char> = serial.trim_start_matches("0x").chars().filter(|sign| !sign.is_whitespace()).collect();
    let is_same = signs.windows(2).all(|pair| pair[0] == pair[1]);
    is_same && signs.first().is_none_or(|sign| *sign == '0' || !sign.is_alphanumeric())
}

/// How the disk is attached, by the folders that sysfs puts it under.
fn transport(disk: &Path) -> Transport {
    let name = kernel_name(disk);
    let by_name = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
    };
    if disk.join("dm").is_dir() {
        return Transport::DeviceMapper;
    }
    if disk.join("md").is_dir() {
        return Transport::Raid;
    }
    for (prefix, transport) in [
        ("nvme", Transport::Nvme),
        ("loop", Transport::Loop),
        ("zram", Transport::Zram),
        ("nullb", Transport::NullBlock),
        ("mmcblk", Transport::Mmc),
    ] {
        if by_name(prefix) {
            return transport;
        }
    }
    let parts: Vec<String> = disk.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let has = |prefix: &str| {
        parts.iter().any(|part| {
            part.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
        })
    };
    if has("usb") {
        Transport::Usb
    } else if has("ata") {
        Transport::Sata
    } else if has("host") {
        Transport::Scsi
    } else if has("virtio") {
        Transport::Virtio
    } else {
        Transport::Other(name)
    }
}

/// `none [mq-deadline] kyber` selects `mq-deadline`; a lone word is itself.
fn selected(text: &str) -> String {
    let bracketed = text.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    bracketed.unwrap_or(text).to_owned()
}

/// The first memory node named on the way from the disk to its bus.
fn numa_node(disk: &Path) -> Option<u32> {
    let mut place: Option<PathBuf> = fs::canonicalize(disk.join("device")).ok();
    while let Some(folder) = place {
        if let Some(node) = read_text(&folder.join("numa_node")) {
            // -1 says that there is none.
            return node.parse().ok();
        }
        place = folder.parent().map(Path::to_path_buf);
    }
    None
}

fn loop_backing(survey: &Result<Survey<'_>, String>, disk: &Path) -> Option<LoopBacking> {
    let name = kernel_name(disk);
    let device = survey.as_ref().ok()?.loops().iter().find(|device| device.name == name)?;
    Some(LoopBacking { path: device.backing_file.clone(), block_device: device.backing_device })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serials_that_name_nothing_are_none() {
        for blank in ["", " ", "0", "000000000000", "0x00000000", "0000 0000", "--------", "....", "?"] {
            assert!(is_blank_serial(blank), "{blank:?}");
        }
        for serial in ["S3610-0042", "1", "AAAA", "0001", "0x1a2b", "-1"] {
            assert!(!is_blank_serial(serial), "{serial:?}");
        }
    }

    #[test]
    fn the_scheduler_in_brackets_is_the_selected_one() {
        assert_eq!(selected("none [mq-deadline] kyber bfq"), "mq-deadline");
        assert_eq!(selected("none"), "none");
    }
}
