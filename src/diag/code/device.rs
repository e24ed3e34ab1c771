//! Where a plan and a target do not fit each other.

use super::entries;

entries! {
    DEVICE_CAPACITY = "device/capacity" {
        title: "the target is not of the size that the plan is for",
        why: "The plan's `device` node says which capacities its method is made for. On a smaller or larger drive its \
              times and shares would mean something else. Plain files are exempt: they are there to try a plan.",
        refused: "device \"dut\" { capacity min=\"400GB\"; }   // on a drive of 240 GB",
        corrected: "device \"dut\" { capacity min=\"200GB\"; }",
        tested: "binding to a given size, in src/schedule/bind.rs"
    }
    DEVICE_BLOCK_SIZE = "device/block-size" {
        title: "a size or an offset is not in whole blocks of the target",
        why: "A drive reads and writes whole logical blocks, 512 or 4,096 bytes each, and direct I/O refuses anything \
              else. The tool never rounds a block size, because then another load would be measured than the one that \
              is written down.",
        refused: "block-size \"512B\"   // on a drive with 4,096-byte blocks",
        corrected: "block-size \"4KiB\"",
        tested: "binding to a given block, in src/schedule/bind.rs"
    }
    DEVICE_TOO_SMALL = "device/too-small" {
        title: "the step does not fit the target",
        why: "A span, a fill or the blocks that a load keeps outstanding need more room than the target has. A \
              sequential step needs at least four times as many blocks as it keeps I/Os outstanding: with fewer, its \
              slots would come round and meet their own blocks still in flight.",
        refused: "fill \"1TB\" { block-size \"128KiB\"; threads 1; }   // on 480 GB",
        corrected: "fill passes=1 { block-size \"128KiB\"; threads 1; }",
        tested: "binding to a given size, in src/schedule/bind.rs"
    }
    DEVICE_NO_PARTITION = "device/no-partition" {
        title: "a partition is asked for on a file",
        why: "`partition` makes a real partition that the kernel knows. A plain file has none; `limit-to` limits what \
              is used of a file as it does of a drive.",
        refused: "setup { partition \"1%\"; }   # on a file",
        corrected: "setup { limit-to \"1%\"; }",
        tested: "a plan on a file, in tests/schedule.rs"
    }
    DEVICE_ROLE = "device/role" {
        title: "the command line names a role that the plan does not have",
        why: "`--device ROLE=TARGET` gives a target to a role of the plan, as its `device` nodes name them. A target \
              for another role would be ignored, and the run would go to something that nobody meant.",
        refused: "shakedown run plan.kdl --device drive=/dev/sdb   # plan: device \"dut\"",
        corrected: "shakedown run plan.kdl --device dut=/dev/sdb",
        tested: "the command line, in tests/run.rs"
    }
}
