//! Procedures and what takes them over.

use super::entries;

entries! {
    PROCEDURE_UNDEFINED = "procedure/undefined" {
        title: "a procedure is applied that the plan does not define",
        why: "`apply` puts the steps of a procedure in its place, so the plan has to define one of that name. Within a \
              procedure the name stands as it is: one that came in by a parameter could lead in a circle.",
        refused: "test \"4k\" { apply \"iorat\" workload=\"4k\"; }",
        corrected: "procedure \"iorate\" { … }\ntest \"4k\" { apply \"iorate\" workload=\"4k\"; }"
    }
    PROCEDURE_UNUSED = "procedure/unused" {
        title: "a procedure that nothing applies",
        why: "A procedure does nothing by itself. Its steps are checked as far as that is possible without their arguments.",
        refused: "procedure \"iorate\" { … }",
        corrected: "procedure \"iorate\" { … }\ntest \"4k\" { apply \"iorate\" workload=\"4k\"; }"
    }
    PROCEDURE_NO_STEPS = "procedure/no-steps" {
        title: "a procedure has no step",
        why: "Applying it would do nothing, and the test would look as if something had been done there. Write its \
              steps behind `needs`, or leave it out.",
        refused: "procedure \"iorate\" { needs \"workload\"; }",
        corrected: "procedure \"iorate\" { needs \"workload\"; measure $workload { … }; }"
    }
    PROCEDURE_CYCLE = "procedure/cycle" {
        title: "a procedure applies itself",
        why: "The text of a procedure takes the place of `apply`. One that applies itself, or another that leads back to it, \
              would never end.",
        refused: "procedure \"a\" { apply \"b\"; }\nprocedure \"b\" { apply \"a\"; }",
        corrected: "procedure \"a\" { apply \"b\"; }\nprocedure \"b\" { idle \"10s\"; }"
    }
    PROCEDURE_MISSING_ARGUMENT = "procedure/missing-argument" {
        title: "a procedure is applied without something that it needs",
        why: "Every name behind `needs` has to get its value where the procedure is applied. None has a default, so that a \
              reader sees all of them at the call.",
        refused: "apply \"iorate\" workload=\"4k\"",
        corrected: "apply \"iorate\" workload=\"4k\" threads=8"
    }
    PROCEDURE_UNKNOWN_ARGUMENT = "procedure/unknown-argument" {
        title: "a procedure is given something that it does not need",
        why: "The value would be ignored. Most often the name is mistyped, or the procedure lacks it behind `needs`.",
        refused: "apply \"iorate\" workload=\"4k\" thread=8",
        corrected: "apply \"iorate\" workload=\"4k\" threads=8"
    }
    PROCEDURE_ARGUMENT_TWICE = "procedure/argument-twice" {
        title: "a procedure is given the same thing twice",
        why: "Of two values only one could hold, and a reader would have to know which. Keep \
              one of them.",
        refused: "apply \"iorate\" workload=\"4k\" threads=8 threads=16",
        corrected: "apply \"iorate\" workload=\"4k\" threads=16"
    }
    PROCEDURE_UNUSED_PARAMETER = "procedure/unused-parameter" {
        title: "a procedure does not use what it needs",
        why: "Giving it another value would change nothing, which is seldom meant. Use it as `$name` in the place of a value, \
              or leave it out.",
        refused: "procedure \"iorate\" { needs \"n\"; measure \"4k\" { threads 4; … }; }",
        corrected: "procedure \"iorate\" { needs \"n\"; measure \"4k\" { threads $n; … }; }"
    }
    PROCEDURE_TOO_DEEP = "procedure/too-deep" {
        title: "procedures stand too deep in each other",
        why: "Up to sixteen may stand in each other. A reader has to follow a protocol through all of them.",
        refused: "procedure \"a\" { apply \"b\"; }\nprocedure \"b\" { apply \"c\"; }\n…",
        corrected: "procedure \"a\" { idle \"10s\"; … }"
    }
    PROCEDURE_MIXED = "procedure/mixed" {
        title: "a procedure holds steps and loads",
        why: "Steps happen one after the other in a test; loads run at the same time in one `measure` or `precondition`. A               procedure takes the place of `apply`, and there only one of the two can stand.",
        refused: "procedure \"mix\" { load \"4k\" { … }; idle \"10s\"; }",
        corrected: "procedure \"mix\" { load \"4k\" { … }; }"
    }
    PROCEDURE_MISPLACED = "procedure/misplaced" {
        title: "a procedure is applied where its steps or loads cannot stand",
        why: "What a procedure holds takes the place of `apply`. One of steps is therefore applied among steps, one of loads in \
              `measure` or `precondition`.",
        refused: "procedure \"settle\" { idle \"10s\"; }\nmeasure as=\"mix\" { apply \"settle\"; run \"60s\"; }",
        corrected: "procedure \"settle\" { idle \"10s\"; }\napply \"settle\"\nmeasure \"4k\" { threads 8; run \"60s\"; }"
    }
    PROCEDURE_TOO_LARGE = "procedure/too-large" {
        title: "procedures and `for-each` come to too many steps",
        why: "What `apply` and `for-each` stand for may be 10,000 steps with 200,000 words, all together. A short text could otherwise \
              stand for more than fits in the memory, and nobody reads such a table.",
        refused: "procedure \"a\" { idle \"1s\"; … }\nprocedure \"b\" { apply \"a\"; apply \"a\"; … }\n…",
        corrected: "procedure \"a\" { idle \"1s\"; … }"
    }
}
