//! What state the drive is in when a step begins, as far as the plan tells.

use super::entries;

entries! {
    STATE_READS_UNWRITTEN = "state/reads-unwritten" {
        title: "measured reads over blocks that nothing has written",
        why: "A drive answers a read of a block that was never written (or was trimmed) from its tables, without \
              touching the media, often many times faster than a real read. Such a figure is true of no use of the \
              drive. The checker walks the steps and keeps the share of the area that is written; it refuses a \
              measurement with reads where that share can be at most half.",
        refused: "test \"reads\" {\n    measure \"4k-read\" { threads 1; run \"60s\"; }\n}",
        corrected: "test \"reads\" {\n    fill passes=1 { block-size \"128KiB\"; threads 1; queue-depth 8; }\n    \
                    measure \"4k-read\" { threads 1; run \"60s\"; }\n}",
        tested: "the state of a new scratch file, in tests/run.rs"
    }
    STATE_CONDITIONS_UNWRITTEN = "state/conditions-unwritten" {
        title: "preconditioning reads blocks that nothing has written",
        why: "A method may condition a fresh drive with a mix that also reads. The reads of blocks that nothing has \
              written cost the drive little, so that the mix writes faster than its share says, and the share of \
              such reads falls while it goes on. No figure of a preconditioning is published, so this is a remark; \
              a method that means it says so with `allow`.",
        refused: "test \"mixed\" {\n    precondition \"8k-70-30\" as=\"condition\" { threads 16; run \"6h\"; }\n    \
                  measure \"8k-70-30\" { threads 16; run \"5m\"; }\n}",
        corrected: "test \"mixed\" {\n    allow \"unwritten-reads\" in=\"condition\" because=\"as published\"\n    \
                    precondition \"8k-70-30\" as=\"condition\" { threads 16; run \"6h\"; }\n    \
                    measure \"8k-70-30\" { threads 16; run \"5m\"; }\n}",
        tested: "the walk along the steps, in tests/schedule.rs"
    }
    STATE_UNKNOWN = "state/unknown" {
        title: "nobody knows whether the blocks that are read were written",
        why: "The plan neither fills the area nor starts from an erased drive, so what the measured reads find there \
              depends on what was done to the drive before. The figures may be those of never-written blocks. \
              This is a remark, because an existing drive may well be full; the report carries it.",
        refused: "test \"reads\" {\n    measure \"4k-read\" { threads 1; run \"60s\"; }\n}",
        corrected: "test \"reads\" {\n    fill passes=1 { block-size \"128KiB\"; threads 1; queue-depth 8; }\n    \
                    measure \"4k-read\" { threads 1; run \"60s\"; }\n}"
    }
}
