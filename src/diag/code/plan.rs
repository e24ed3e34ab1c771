//! The plan as a whole, its parameters and what it says about drive and host.

use super::entries;

entries! {
    PLAN_MISSING = "plan/missing" {
        title: "the file has no `plan` node",
        why: "Every plan begins with `plan \"name\"`, which results and tables refer to. A file without it is not a plan, or \
              only a part of one.",
        refused: "test \"4k\" { idle \"10s\"; }",
        corrected: "plan \"quick-look\"\ntest \"4k\" { idle \"10s\"; }"
    }
    PLAN_SEVERAL = "plan/several" {
        title: "the file has more than one `plan` node",
        why: "A file is one plan and has one name. Two names would leave open which one the results carry.",
        refused: "plan \"a\"\nplan \"b\"",
        corrected: "plan \"a\""
    }
    PLAN_NOTHING_TO_DO = "plan/nothing-to-do" {
        title: "the plan has no step",
        why: "Nothing stands in `setup` and there is no `test`, so a run would end at once without a result. Most often the \
              steps are still missing, or were commented out together with their test.",
        refused: "plan \"quick-look\"",
        corrected: "plan \"quick-look\"\ntest \"pause\" { idle \"10s\"; }"
    }
    PARAM_UNDEFINED = "param/undefined" {
        title: "a parameter is used that the plan does not define",
        why: "`$name` stands for the value of `param \"name\"` and replaces a whole value. Without the definition there is \
              nothing to put in its place.",
        refused: "span $surface",
        corrected: "param \"surface\" \"1%\"\nspan $surface"
    }
    PARAM_UNUSED = "param/unused" {
        title: "a parameter that nothing uses",
        why: "Changing it with `--set` would change nothing, which is seldom meant. Use it as `$name` in the place of a \
              value, or leave it out.",
        refused: "param \"surface\" \"1%\"",
        corrected: "param \"surface\" \"1%\"\nworkload \"w\" { span $surface; }"
    }
    PARAM_NOT_ALLOWED = "param/not-allowed" {
        title: "a parameter has a value outside of its own limits",
        why: "The author of the plan says with `min`, `max` or `one-of` for which values the method is meant. Another value \
              makes another method, so it needs an edit of the plan and not a switch on the command line.",
        refused: "param \"surface\" \"2%\" { one-of \"1%\" \"5%\"; }",
        corrected: "param \"surface\" \"1%\" { one-of \"1%\" \"5%\"; }"
    }
    PARAM_WRONG_KIND = "param/wrong-kind" {
        title: "a parameter is set to another kind of value than the plan gives it",
        why: "The plan's own value says what kind a parameter has: a count, a size, a percentage, a time, a name. A value of \
              another kind could not stand where the parameter is used.",
        refused: "param \"depth\" 32 { max \"4KiB\"; }",
        corrected: "param \"depth\" 32 { max 64; }"
    }
    PARAM_UNKNOWN_SET = "param/unknown-set" {
        title: "`--set` names a parameter that the plan does not have",
        why: "Only what the plan offers with `param` can be changed from outside. A name that it does not have is most often \
              mistyped, and ignoring it would run the plan unchanged.",
        refused: "shakedown check plan.kdl --set surfcae=5%",
        corrected: "shakedown check plan.kdl --set surface=5%",
        tested: "src/plan/decode/param.rs, since no plan text can raise it"
    }
    PLAN_NOT_RUN = "plan/not-run" {
        title: "this version checks and expands a word, and cannot run it",
        why: "The language is ahead of the engines: a method can be written, reviewed and compared before every part of \
              it can be carried out. A run that left such a part out would be of another method, so it is refused \
              before anything is touched. The page \"Words that are not built yet\" of the reference lists them.",
        refused: "test \"t\" {\n    trim \"100%\"\n    measure \"w\" { threads 1; run \"60s\"; }\n}",
        corrected: "test \"t\" {\n    measure \"w\" { threads 1; run \"60s\"; }\n}",
        tested: "a run of such a plan, in tests/run.rs"
    }
    PLAN_OVER_BUDGET = "plan/over-budget" {
        title: "the plan is sure to pass its own cap",
        why: "`max-time` and `max-written` end a run that goes too far. A plan that comes to more than its cap in the best \
              case could never be done to its end.",
        refused: "plan \"p\" { max-time \"10m\"; }\ntest \"t\" { measure \"w\" { threads 1; run \"1h\"; }; }",
        corrected: "plan \"p\" { max-time \"2h\"; }\ntest \"t\" { measure \"w\" { threads 1; run \"1h\"; }; }"
    }
    PLAN_MAY_EXCEED = "plan/may-exceed" {
        title: "the plan may pass its own cap",
        why: "What the drive's speed decides has a longest time or a most bytes above the cap, or none that is known. A run \
              may then be ended before its last step.",
        refused: "plan \"p\" { max-written \"1TB\"; }\ntest \"t\" { measure \"w\" { threads 1; run \"1h\"; }; }",
        corrected: "plan \"p\" { max-written \"4TB\"; }\ndevice \"dut\" { at-most \"1GB/s\"; }\n\
                    test \"t\" { measure \"w\" { threads 1; run \"1h\"; }; }"
    }
    PLAN_NO_ENDURANCE = "plan/no-endurance" {
        title: "a cap is a share of an endurance that nothing states",
        why: "How much may be written over a drive's life is the maker's figure. A share of it means nothing until the plan \
              states it as `rated-endurance`.",
        refused: "plan \"p\" { max-written \"1%\"; }\ndevice \"dut\"",
        corrected: "plan \"p\" { max-written \"1%\"; }\ndevice \"dut\" { rated-endurance \"600TB\"; }"
    }
    HOST_NO_EFFECT = "host/no-effect" {
        title: "a word of the host has no effect with its engine",
        why: "`batch` and `completions` say how a ring is driven. Threads that block in pread and pwrite have no ring, so \
              the words would be ignored, and nothing in a plan is.",
        refused: "host { engine \"sync\"; batch 8; }",
        corrected: "host { engine \"io-uring\"; batch 8; }"
    }
    PLAN_SEVERAL_ROLES = "plan/several-roles" {
        title: "the plan needs more than one drive",
        why: "A plan may speak of several drives by role, but this version runs one. Running only the first would measure \
              something else than what the plan says.",
        refused: "device \"data\"\ndevice \"log\"",
        corrected: "device \"dut\""
    }
    PLAN_TOO_MANY_CASES = "plan/too-many-cases" {
        title: "the plan comes to more steps and cases than a run can have",
        why: "Repetitions multiply what a test does, and axes multiply within it, so a short text can ask for billions of \
              cases. Each of them is kept in memory, in the journal and in the report; at a second each, 100,000 cases \
              take more than a day.",
        refused: "test \"t\" repeat=10000 { measure \"w\" { matrix { … 168 cases … } … } }",
        corrected: "test \"t\" repeat=3 { measure \"w\" { matrix { … 168 cases … } … } }"
    }
    PLAN_EMPTY_CAPACITY = "plan/empty-capacity" {
        title: "the smallest capacity is above the largest",
        why: "No drive can have a capacity between the two, so the plan could never run. The values of `min` and `max` were \
              probably exchanged.",
        refused: "device \"dut\" { capacity min=\"4TB\" max=\"1TB\"; }",
        corrected: "device \"dut\" { capacity min=\"1TB\" max=\"4TB\"; }"
    }
}
