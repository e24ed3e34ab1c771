//! Tests and their steps.

use super::entries;

entries! {
    TEST_NO_STEPS = "test/no-steps" {
        title: "a test has no step",
        why: "A test is a protocol of steps, and one without steps does nothing. An empty test would show up in the results \
              as if it had been done.",
        refused: "test \"4k\" { }",
        corrected: "test \"4k\" { measure \"4k-random-read\" { … }; }"
    }
    STEP_SAME_NAME = "step/same-name" {
        title: "two steps of a test have the same name",
        why: "Results, tables and other steps refer to a step by its name, which is that of its workload unless it has its own. \
              Give one of them a name with `as`. In the results the test stands before it (`TEST/STEP`, `TEST#2/STEP` for a \
              repetition, `setup/STEP`), so a test is not named `setup` or with `#` and a number at its end.",
        refused: "precondition \"mixed\" { … }\nmeasure \"mixed\" { … }",
        corrected: "precondition \"mixed\" as=\"condition\" { … }\nmeasure \"mixed\" { … }"
    }
    STEP_UNDEFINED = "step/undefined" {
        title: "a step is named that the test does not have",
        why: "A step is named by its `as`, or else by its workload. A name that no step of the test has would make the \
              line that uses it mean nothing.",
        refused: "allow \"unwritten-reads\" in=\"conditon\" because=\"…\"\nprecondition \"w\" as=\"condition\" { … }",
        corrected: "allow \"unwritten-reads\" in=\"condition\" because=\"…\"\nprecondition \"w\" as=\"condition\" { … }"
    }
    ALLOW_NO_REASON = "allow/no-reason" {
        title: "`allow` stands without a reason",
        why: "What is allowed would be refused otherwise, because it usually makes figures worthless. The report prints the \
              reason beside them, so that a reader can judge it.",
        refused: "allow \"unwritten-reads\"",
        corrected: "allow \"unwritten-reads\" because=\"the method measures a fresh drive\""
    }
    FILL_NO_AMOUNT = "fill/no-amount" {
        title: "a fill does not say how much it writes",
        why: "`fill passes=1` writes the whole area once, `fill \"50%\"` its first half, `fill \"10GiB\"` so many bytes from \
              its start. None of them is assumed, since each leaves the drive in another state.",
        refused: "fill { block-size \"128KiB\"; threads 1; }",
        corrected: "fill passes=1 { block-size \"128KiB\"; threads 1; }"
    }
    FILL_TWO_AMOUNTS = "fill/two-amounts" {
        title: "a fill says twice how much it writes",
        why: "Passes over the whole area and a part of it exclude each other. Several passes over a part are written as \
              several fills.",
        refused: "fill \"50%\" passes=2 { … }",
        corrected: "fill \"50%\" { … }"
    }
    FILL_NO_BLOCK_SIZE = "fill/no-block-size" {
        title: "a fill does not say its block size",
        why: "The size of the writes that fill a drive shapes how its flash is laid out, and later figures depend on it. \
              So the plan has to say it.",
        refused: "fill passes=1 { threads 1; queue-depth 8; }",
        corrected: "fill passes=1 { block-size \"128KiB\"; threads 1; queue-depth 8; }"
    }
}
