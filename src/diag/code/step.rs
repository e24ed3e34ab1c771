//! Tests and their steps.

use super::entries;

entries! {
    PICK_CHOICE = "pick/choice" {
        title: "a pick does not say, or says twice, which case it takes",
        why: "A pick takes exactly one case of a measured step: the one with the highest or lowest value of a metric, the \
              one nearest the middle of two other picks, or the one with these values of the axes. `where` narrows down \
              which cases come into question.",
        refused: "pick \"max\" from=\"demand\" { where \"latency.mean\" below=\"5ms\"; }",
        corrected: "pick \"max\" from=\"demand\" {\n    highest \"iops\"\n    where \"latency.mean\" below=\"5ms\"\n}"
    }
    PICK_UNDEFINED = "pick/undefined" {
        title: "no pick of this name comes before",
        why: "A pick is made from results. So a load takes it, and another pick names it, only behind it.",
        refused: "measure \"w\" { load-of \"max\"; run \"10m\"; }",
        corrected: "pick \"max\" from=\"demand\" { highest \"iops\"; }\nmeasure \"w\" { load-of \"max\"; run \"10m\"; }"
    }
    PICK_UNUSED = "pick/unused" {
        title: "nothing takes its load from a pick",
        why: "A pick does nothing by itself; without a `load-of` it has no effect. It was probably meant for a load that \
              names another.",
        refused: "pick \"max\" from=\"demand\" { highest \"iops\"; }",
        corrected: "pick \"max\" from=\"demand\" { highest \"iops\"; }\n\
                    measure \"w\" as=\"again\" { load-of \"max\"; run \"10m\"; }"
    }
    PICK_NO_AXIS = "pick/no-axis" {
        title: "a pick names a case by something that does not vary",
        why: "`at` names one case of a matrix by the values of its axes. What is no axis of the step cannot tell its cases \
              apart.",
        refused: "pick \"min\" from=\"demand\" { at block-size=\"4KiB\"; }",
        corrected: "pick \"min\" from=\"demand\" { at threads=1 queue-depth=1; }"
    }
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
    FILL_LEAVES_HOLES = "fill/leaves-holes" {
        title: "a fill by random writes does not write every block",
        why: "Random writes with repeats leave 37 % of the blocks unwritten after one capacity and 14 % after two. A fill is \
              there to write every block, so its random writes take each block once. Random writes with repeats are a \
              load: `precondition`.",
        refused: "fill passes=1 { access \"random\"; … }",
        corrected: "fill passes=1 { access \"random\" order=\"once\"; … }"
    }
    PURGE_NOT_OF_METHOD = "purge/not-of-method" {
        title: "`secure-erase` asks for what its method does not do",
        why: "Each method has actions of its own, only a format changes the size of logical blocks, and `at-least` is for \
              the choice that `auto` makes. What a method does not do would be ignored, and the drive would be in another \
              state than the plan says.",
        refused: "secure-erase \"nvme-format\" action=\"block\"",
        corrected: "secure-erase \"nvme-sanitize\" action=\"block\""
    }
    ROUNDS_COUNT = "rounds/count" {
        title: "rounds say twice or not at all how many they are",
        why: "`rounds 25` is exactly so many; `rounds max=25` is at most so many, and a `steady-state` in them ends them. \
              None is assumed, and both exclude each other.",
        refused: "rounds { measure \"4k\" { … }; }",
        corrected: "rounds 25 { measure \"4k\" { … }; }"
    }
    ROUNDS_NEVER_STEADY = "rounds/never-steady" {
        title: "`rounds max=` has no `steady-state` that could end them",
        why: "`max=` says that rounds may end before the last one, which only a `steady-state` in them can do. Without it \
              the number is exact, and the plan should say so.",
        refused: "rounds max=25 { measure \"4k\" { … }; }",
        corrected: "rounds 25 { measure \"4k\" { … }; }"
    }
    ROUNDS_NO_STEPS = "rounds/no-steps" {
        title: "rounds have no step",
        why: "Rounds repeat their steps, and without steps nothing is repeated. Empty rounds would show up in the results as \
              if something had been done.",
        refused: "rounds 25 { }",
        corrected: "rounds 25 { measure \"4k\" { … }; }"
    }
}
