//! What may not be written, and what cannot be opened. The guard and the device layer decide; these are their words.

use super::entries;

/// Where the refusals of existing drives are tried.
const FIXTURES: &str = "small machines, in src/device/fixture_tests.rs, and real devices, in tests/privileged";
/// Where plain files are tried.
const FILES: &str = "plain files, in src/device/file_target.rs";

entries! {
    DEVICE_NO_CONSENT = "device/no-consent" {
        title: "writing to the target needs your consent",
        why: "Everything on the target is lost, and only its owner knows whether it is the right one, so also an empty \
              drive wants a word. `--destroy` names it by its serial number. A target without a serial, or with one \
              that another disk has too, is named by path and exact size in bytes; the path is resolved to a device \
              number and no name is ever compared.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb",
        corrected: "shakedown run plan.kdl --device dut=/dev/sdb --destroy S3610-0042",
        tested: FIXTURES
    }
    DEVICE_SYSTEM_DISK = "device/system-disk" {
        title: "the running system lies on this disk",
        why: "The root, /boot, /usr, /home and the like, the EFI partition and active swap are followed through \
              partitions, encryption, volumes and RAID down to the disks. Such a disk is refused as a whole, and so is \
              every part of it, because a run beside the running system would also measure the system. There is no \
              option that overrides this.",
        refused: "shakedown run plan.kdl --device dut=/dev/nvme0n1   # holds /",
        corrected: "shakedown run plan.kdl --device dut=/dev/nvme1n1",
        tested: FIXTURES
    }
    DEVICE_MOUNTED = "device/mounted" {
        title: "the target, or something that stands on it, is mounted",
        why: "Writing below a mounted file system destroys it while it is in use. Partitions and everything that holds \
              them are followed by device number. Unmount it first; there is no option that overrides this.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb   # /dev/sdb1 is mounted",
        corrected: "umount /dev/sdb1",
        tested: FIXTURES
    }
    DEVICE_HELD = "device/held" {
        title: "another device is built on the target",
        why: "A RAID, a volume, an encrypted device or a cache stands on the drive or on one of its partitions. \
              Writing to the drive would destroy that device behind its back. Stop it first; there is no option that \
              overrides this.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdc   # member of md127",
        corrected: "mdadm --stop /dev/md127",
        tested: FIXTURES
    }
    DEVICE_LOOP_BACKING = "device/loop-backing" {
        title: "a loop device sits on the target",
        why: "Whoever uses the loop device would find its content destroyed. Detach the loop device first, or name the \
              loop device itself as the target.",
        refused: "shakedown run plan.kdl --device dut=disk.img   # under /dev/loop0",
        corrected: "losetup --detach /dev/loop0",
        tested: FIXTURES
    }
    DEVICE_PASSES_THROUGH = "device/passes-through" {
        title: "the target is a loop device over another block device",
        why: "Every write would go on to that device, past the check whether it is in use. The figures would be those \
              of the loop device and not of the drive. Name the device below itself.",
        refused: "shakedown run plan.kdl --device dut=/dev/loop0   # over /dev/sdf",
        corrected: "shakedown run plan.kdl --device dut=/dev/sdf",
        tested: FIXTURES
    }
    DEVICE_BUSY = "device/busy" {
        title: "somebody else holds the target exclusively",
        why: "The kernel lets one holder at a time claim a block device: a mount in another namespace, a pool, another \
              run. What that holder does cannot be seen from here. End it first; there is no option that overrides \
              this.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb   # twice at once",
        corrected: "shakedown run plan.kdl --device dut=/dev/sdc",
        tested: FIXTURES
    }
    DEVICE_OPEN_FOR_WRITING = "device/open-for-writing" {
        title: "another program has the target open for writing",
        why: "A virtual machine on a raw disk, or an editor of disks, writes without claiming the device, so neither \
              the mount table nor an exclusive open shows it. The open files of all processes do. End the program \
              first; there is no option that overrides this.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb   # a machine runs on it",
        corrected: "shakedown run plan.kdl --device dut=/dev/sdc",
        tested: FIXTURES
    }
    DEVICE_SWAP_FILE = "device/swap-file" {
        title: "the file is in use as swap",
        why: "Memory of running programs lies in it. Turn that swap off first.",
        refused: "shakedown run plan.kdl --device dut=/swapfile",
        corrected: "swapoff /swapfile",
        tested: "its rule, in src/device/guard.rs"
    }
    DEVICE_ZONED = "device/zoned" {
        title: "zoned devices cannot be written yet",
        why: "Zones have to be written in order and reset before they are written again. A plan's random writes would \
              fail or measure the error path.",
        refused: "shakedown run plan.kdl --device dut=/dev/sda   # host-managed",
        corrected: "shakedown run plan.kdl --device dut=/dev/sdb",
        tested: FIXTURES
    }
    DEVICE_READ_ONLY = "device/read-only" {
        title: "the target is read-only",
        why: "The kernel, a switch on the medium or the permissions of the file refuse writes. A plan that only reads \
              can use it.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb   # blockdev --setro",
        corrected: "blockdev --setrw /dev/sdb",
        tested: FIXTURES
    }
    DEVICE_EMPTY = "device/empty" {
        title: "the target has no size",
        why: "A reader without a medium, a loop or zram device that is not set up, or an empty file has no block to \
              write. Put the medium in, or set the device up.",
        refused: "shakedown run plan.kdl --device dut=/dev/zram0   # no disksize",
        corrected: "zramctl --size 1GiB /dev/zram0",
        tested: FIXTURES
    }
    DEVICE_UNKNOWN_USE = "device/unknown-use" {
        title: "what stands on the target could not be found out",
        why: "Where /sys or the mount table cannot be read, a drive in use looks like one that is free. Nothing is \
              assumed then.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb   # without /sys",
        corrected: "mount -t sysfs sysfs /sys",
        tested: FIXTURES
    }
    DEVICE_NO_PLACE_FOR_DATA = "device/no-place-for-data" {
        title: "the file lies where no data belongs",
        why: "Files under /dev, /proc and /sys are the kernel's or live in memory. Writing to them changes the machine, \
              and reading them measures no drive.",
        refused: "shakedown run plan.kdl --device dut=/dev/shm/test.img",
        corrected: "shakedown run plan.kdl --device dut=/srv/test.img",
        tested: FILES
    }
    DEVICE_NO_SUCH_DEVICE = "device/no-such-device" {
        title: "there is no such device or file",
        why: "A target that is named has to exist. Nothing is ever created in its place: a plain file called /dev/sdx \
              would fill the memory and measure it.",
        refused: "shakedown run plan.kdl --device dut=/dev/nvme99n9",
        corrected: "shakedown devices",
        tested: FILES
    }
    DEVICE_WRONG_KIND = "device/wrong-kind" {
        title: "the target is neither a block device nor a plain file",
        why: "A folder, a pipe or a character device has no blocks to read and write. Of an NVMe drive name the \
              namespace, /dev/nvme0n1, and not the controller, /dev/nvme0.",
        refused: "shakedown run plan.kdl --device dut=/dev/nvme0",
        corrected: "shakedown run plan.kdl --device dut=/dev/nvme0n1",
        tested: FILES
    }
    DEVICE_DENIED = "device/denied" {
        title: "you may not open the target",
        why: "Block devices belong to root, or to a group such as disk. Run it as root, or as a user who may open the \
              device.",
        refused: "shakedown run plan.kdl --device dut=/dev/sdb",
        corrected: "sudo shakedown run plan.kdl --device dut=/dev/sdb",
        tested: "the sorting of the kernel's errors, in src/device/error.rs"
    }
    DEVICE_NO_DIRECT_IO = "device/no-direct-io" {
        title: "the file system refuses direct I/O",
        why: "Without direct I/O the page cache would answer, and the figures would be those of memory. Some file \
              systems cannot do it. A file target may use buffered I/O where you say so, and its results are marked.",
        refused: "shakedown run plan.kdl --device dut=/mnt/old/test.img",
        corrected: "shakedown run plan.kdl --device dut=/srv/test.img",
        tested: "a file system that refuses it, in tests/privileged"
    }
    DEVICE_CHANGED = "device/changed" {
        title: "the target is not what was approved",
        why: "Names move: after a reset or a new attachment the same name can be another drive. Device number, serial, \
              size and the kernel's number of the attachment are read again after every opening for writing, and a \
              difference ends the run before anything is written.",
        refused: "losetup --detach /dev/loop0   # between consent and writing",
        corrected: "shakedown devices",
        tested: FIXTURES
    }
    DEVICE_NO_SPACE = "device/no-space" {
        title: "the scratch file does not fit",
        why: "A scratch file reserves all its space at once and leaves a part of the free space alone, since a full \
              file system slows down and the results have to be written too. Free some space, or ask for a smaller \
              file.",
        refused: "shakedown run plan.kdl --scratch 900GB   # with 500 GB free",
        corrected: "shakedown run plan.kdl --scratch 100GB",
        tested: FILES
    }
    DEVICE_IO = "device/io" {
        title: "the target could not be prepared",
        why: "The kernel reported an error while the target was looked at, opened or created. Its own words stand in \
              the message.",
        refused: "shakedown run plan.kdl --scratch 1000B",
        corrected: "shakedown run plan.kdl --scratch 1GiB",
        tested: FILES
    }
}
