use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that a few bytes in the first or last blocks of a device tell of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signature {
    /// A GUID partition table, or its copy in the last block.
    Gpt,
    /// A DOS partition table.
    Mbr,
    /// ext2, ext3 or ext4.
    Ext,
    /// XFS.
    Xfs,
    /// btrfs.
    Btrfs,
    /// A physical volume of LVM2.
    LvmMember,
    /// A member of a software RAID.
    RaidMember,
    /// A swap area.
    Swap,
    /// An encrypted volume.
    Luks,
    /// FAT or exFAT.
    Fat,
    /// NTFS.
    Ntfs,
    /// A bcache backing or cache device.
    Bcache,
    /// A member of a ZFS pool.
    ZfsMember,
    /// None of these, but not only zeroes either.
    Unknown,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Signature::Gpt => "GPT partition table",
            Signature::Mbr => "DOS partition table",
            Signature::Ext => "ext2/3/4",
            Signature::Xfs => "xfs",
            Signature::Btrfs => "btrfs",
            Signature::LvmMember => "LVM2 member",
            Signature::RaidMember => "RAID member",
            Signature::Swap => "swap area",
            Signature::Luks => "crypto_LUKS",
            Signature::Fat => "FAT",
            Signature::Ntfs => "NTFS",
            Signature::Bcache => "bcache",
            Signature::ZfsMember => "ZFS member",
            Signature::Unknown => "data of an unknown kind",
        })
    }
}

/// How much of the start is looked at: the first label of ZFS is the longest.
pub(super) const HEAD_BYTES: usize = 256 << 10;
/// How much of the end is looked at: RAID superblocks of version 0.90 lie up to 128 KiB before it.
pub(super) const TAIL_BYTES: usize = 128 << 10;

/// What a magic value at a fixed place of the start means. Offsets in bytes.
const MAGICS: &[(Signature, usize, &[u8])] = &[
    (Signature::Xfs, 0, b"XFSB"),
    (Signature::Luks, 0, b"LUKS\xba\xbe"),
    (Signature::Ext, 1024 + 56, b"\x53\xef"),
    (Signature::Btrfs, (64 << 10) + 64, b"_BHRfS_M"),
    (Signature::Ntfs, 3, b"NTFS    "),
    (Signature::Fat, 3, b"EXFAT   "),
    (Signature::Fat, 54, b"FAT12   "),
    (Signature::Fat, 54, b"FAT16   "),
    (Signature::Fat, 82, b"FAT32   "),
    // Version 1.1 and 1.2 of the RAID superblock; 1.0 and 0.90 lie at the end.
    (Signature::RaidMember, 0, &RAID_MAGIC),
    (Signature::RaidMember, 4096, &RAID_MAGIC),
    (Signature::LvmMember, 0, b"LABELONE"),
    (Signature::LvmMember, 512, b"LABELONE"),
    (Signature::LvmMember, 1024, b"LABELONE"),
    (Signature::LvmMember, 1536, b"LABELONE"),
    (Signature::Bcache, 4096 + 24, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"),
    // The sign stands at the end of the first memory page, whose size is the machine's.
    (Signature::Swap, 4096 - 10, b"SWAPSPACE2"),
    (Signature::Swap, 16384 - 10, b"SWAPSPACE2"),
    (Signature::Swap, 65536 - 10, b"SWAPSPACE2"),
    (Signature::Gpt, 512, b"EFI PART"),
    (Signature::Gpt, 4096, b"EFI PART"),
];

const UBERBLOCK_MAGIC: u64 = 0x00ba_b10c;
const UBERBLOCKS_AT: usize = 128 << 10;
const RAID_MAGIC: [u8; 4] = 0xa92b_4efc_u32.to_le_bytes();

/// What the first and the last bytes of a device tell, each kind once, in the order of the table.
pub(super) fn recognise(head: &[u8], tail: &[u8], capacity_bytes: u64, block_bytes: u32) -> Vec<Signature> {
    let at = |bytes: &[u8], offset: usize, magic: &[u8]| bytes.get(offset..offset + magic.len()) == Some(magic);
    let mut found = Vec::new();
    let mut add = |signature| {
        if !found.contains(&signature) {
            found.push(signature);
        }
    };
    MAGICS.iter().filter(|(_, offset, magic)| at(head, *offset, magic)).for_each(|(signature, ..)| add(*signature));
    let tail_start = capacity_bytes - tail.len() as u64;
    let in_tail = |offset: u64, magic: &[u8]| offset >= tail_start && at(tail, (offset - tail_start) as usize, magic);
    if capacity_bytes >= u64::from(block_bytes) && in_tail(capacity_bytes - u64::from(block_bytes), b"EFI PART") {
        add(Signature::Gpt);
    }
    // Version 1.0: at least 8 KiB before the end, on a multiple of 4 KiB. Version 0.90: the last whole 64 KiB but one.
    let raid_places = [
        capacity_bytes.checked_sub(8 << 10).map(|offset| offset & !4095),
        (capacity_bytes & !0xffff).checked_sub(64 << 10),
    ];
    if raid_places.into_iter().flatten().any(|offset| in_tail(offset, &RAID_MAGIC)) {
        add(Signature::RaidMember);
    }
    // The second half of the first label holds uberblocks of at least 1 KiB, in the byte order of the machine that wrote
    // them (ZFS On-Disk Specification, 1.3).
    let is_uberblock = |at: usize| {
        let magic = head.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes);
        [magic, magic.swap_bytes()].contains(&UBERBLOCK_MAGIC)
    };
    if (UBERBLOCKS_AT..HEAD_BYTES).step_by(1024).any(is_uberblock) {
        add(Signature::ZfsMember);
    }
    // A boot sector of FAT or NTFS ends in the same two bytes as a partition table.
    let has_boot_sector = found.iter().any(|signature| matches!(signature, Signature::Fat | Signature::Ntfs));
    if at(head, 510, b"\x55\xaa") && !has_boot_sector {
        found.push(Signature::Mbr);
    }
    if found.is_empty() && head.iter().chain(tail).any(|byte| *byte != 0) {
        found.push(Signature::Unknown);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPACITY: u64 = 1 << 20;

    fn with(offset: usize, magic: &[u8]) -> Vec<Signature> {
        let mut bytes = vec![0; CAPACITY as usize];
        bytes[offset..offset + magic.len()].copy_from_slice(magic);
        recognise(&bytes[..HEAD_BYTES], &bytes[bytes.len() - TAIL_BYTES..], CAPACITY, 512)
    }

    #[test]
    fn each_magic_is_recognised_and_nothing_else() {
        assert_eq!(with(0, b""), []);
        for (signature, offset, magic) in MAGICS {
            assert_eq!(with(*offset, magic), [*signature], "{signature} at {offset}");
        }
    }

    #[test]
    fn the_end_is_looked_at() {
        let end = CAPACITY as usize;
        assert_eq!(with(end - 512, b"EFI PART"), [Signature::Gpt]);
        assert_eq!(with(end - 8192, &RAID_MAGIC), [Signature::RaidMember]);
        assert_eq!(with(end - (64 << 10), &RAID_MAGIC), [Signature::RaidMember]);
    }

    #[test]
    fn a_partition_table_is_told_from_a_boot_sector() {
        assert_eq!(with(510, b"\x55\xaa"), [Signature::Mbr]);
        let mut bytes = vec![0; CAPACITY as usize];
        bytes[82..90].copy_from_slice(b"FAT32   ");
        bytes[510..512].copy_from_slice(b"\x55\xaa");
        assert_eq!(recognise(&bytes[..HEAD_BYTES], &[], CAPACITY, 512), [Signature::Fat]);
    }

    #[test]
    fn a_pool_is_recognised_in_both_byte_orders() {
        let magic = UBERBLOCK_MAGIC.to_le_bytes();
        assert_eq!(with(UBERBLOCKS_AT + 3 * 1024, &magic), [Signature::ZfsMember]);
        assert_eq!(with(UBERBLOCKS_AT, &UBERBLOCK_MAGIC.to_be_bytes()), [Signature::ZfsMember]);
        assert_eq!(with(UBERBLOCKS_AT + 512, &magic), [Signature::Unknown]);
    }

    #[test]
    fn data_that_nobody_knows_is_not_taken_for_nothing() {
        assert_eq!(with(100, b"x"), [Signature::Unknown]);
        assert_eq!(with(CAPACITY as usize - 1, b"x"), [Signature::Unknown]);
    }

    #[test]
    fn tiny_devices_are_no_trouble() {
        for length in [0, 1, 511, 512, 4096] {
            assert_eq!(recognise(&vec![0; length], &vec![0; length], length as u64, 512), [], "{length}");
        }
    }
}
