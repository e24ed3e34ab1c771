//! How I/O is issued.

use super::entries;

entries! {
    ENGINE_UNSTATED = "engine/unstated" {
        title: "the plan names no engine where it matters",
        why: "With `sync` a queue depth of 32 means 32 blocked operating-system threads, with `io-uring` one thread \
              with 32 I/Os in its ring; on a fast drive the two give different figures. The engine is part of the \
              method, so a plan that goes above depth 1 on a block device should say which one it means.",
        refused: "host { }",
        corrected: "host { engine \"sync\"; }",
        tested: "binding to a block device, in src/schedule/bind.rs"
    }
    ENGINE_NOT_BUILT = "engine/not-built" {
        title: "this engine cannot be run yet",
        why: "The plan is sound and can be checked, explained and expanded, but this version has only the `sync` \
              engine. Running it with another engine than the one that is written would measure another method.",
        refused: "host { engine \"io-uring\"; }   // and shakedown run",
        corrected: "host { engine \"sync\"; }",
        tested: "the command line, in tests/run.rs"
    }
}
