//! Loads: threads, queue depth, matrix, and how long they last.

use super::entries;

entries! {
    BETWEEN_NO_STEPS = "between-cases/no-steps" {
        title: "nothing happens between the cases",
        why: "`between-cases` is there for the steps that separate two cases: a pause, a fill. Without a step it does \
              nothing, and a reader would look for what is missing.",
        refused: "measure \"w\" {\n    matrix { threads 1 2 4; }\n    run \"60s\"\n    between-cases\n}",
        corrected: "measure \"w\" {\n    matrix { threads 1 2 4; }\n    run \"60s\"\n    between-cases { idle \"3m\"; }\n}"
    }
    BETWEEN_ONE_CASE = "between-cases/one-case" {
        title: "a load of one case has nothing between its cases",
        why: "The steps stand between two cases of a matrix or a curve, and never before the first or behind the last. \
              A load of one case would never do them.",
        refused: "measure \"w\" { threads 1; run \"60s\"; between-cases { idle \"3m\"; }; }",
        corrected: "measure \"w\" { threads 1; run \"60s\"; }\nidle \"3m\""
    }
    LOAD_NO_THREADS = "load/no-threads" {
        title: "a load or fill does not say how many threads it has",
        why: "The number of threads decides what is measured, and no number is natural enough to be assumed. Queue depth, \
              which is then the depth of each thread, is 1 where it is absent.",
        refused: "measure \"4k\" { queue-depth 32; run \"60s\"; }",
        corrected: "measure \"4k\" { threads 1; queue-depth 32; run \"60s\"; }"
    }
    LOAD_SET_TWICE = "load/set-twice" {
        title: "a value of a load is set twice",
        why: "A workload may leave values open, and each load closes them. What the workload has set is fixed for all loads, \
              so that its name means the same everywhere; a second value would have to win silently. An axis of a matrix \
              sets a value as well.",
        refused: "workload \"w\" { read \"70%\"; … }\nmeasure \"w\" { read \"50%\"; … }",
        corrected: "workload \"w\" { … }\nmeasure \"w\" { read \"50%\"; … }"
    }
    LOAD_NO_RUN = "load/no-run" {
        title: "a load does not say how long it lasts",
        why: "`run` gives the length of a case: a time, an amount written, a number of passes over the span, or several of \
              them, of which the first that is reached ends it. Without it the load would never end.",
        refused: "measure \"4k\" { threads 1; }",
        corrected: "measure \"4k\" { threads 1; run \"60s\"; }"
    }
    LOAD_NEVER_ENDS = "load/never-ends" {
        title: "a limit that this load can never reach",
        why: "A load that only reads writes nothing, so an amount written never ends it. Limit it by time, or by passes, which \
              count reads too.",
        refused: "read \"100%\"\nrun written=\"10GB\"",
        corrected: "read \"100%\"\nrun passes=1"
    }
    LOAD_TOO_MANY_SLOTS = "load/too-many-slots" {
        title: "threads times queue depth is more than a run can keep apart",
        why: "Threads times queue depth is the number of operations that are outstanding at once. Beyond 4,096 the host \
              schedules more than the drive works, and the figures would be the host's.",
        refused: "threads 256\nqueue-depth 256",
        corrected: "threads 16\nqueue-depth 256"
    }
    LOAD_SAMPLE_TOO_LONG = "load/sample-too-long" {
        title: "an interval is longer than the run",
        why: "`sample` cuts the window into intervals, which show how the load behaves over time. An interval that is longer \
              than the whole window would never be complete, and there would be no series at all.",
        refused: "run \"10s\"\nsample \"60s\"",
        corrected: "run \"10s\"\nsample \"1s\""
    }
    LOAD_FEW_INTERVALS = "load/few-intervals" {
        title: "a window has fewer than ten intervals",
        why: "Deviation and drift over time rest on the intervals of the window, and fewer than ten say little about either. \
              The mean over the window is not affected.",
        refused: "run \"5s\"\nsample \"1s\"",
        corrected: "run \"5s\"\nsample \"500ms\""
    }
    LOAD_BESIDE_LOADS = "load/beside-loads" {
        title: "a word beside loads at the same time that each of them says for itself",
        why: "A step either names one workload, or has several `load` in it, each with a workload, slots and a pace of its \
              own. Length, windows and limits are of the step; all else stands in the loads. A matrix or a curve is of one \
              load.",
        refused: "measure as=\"mix\" { threads 1; load \"reads\" { … }; run \"60s\"; }",
        corrected: "measure as=\"mix\" { load \"reads\" { threads 1; … }; run \"60s\"; }"
    }
    LOAD_NO_STEADY_STATE = "load/no-steady-state" {
        title: "a steady state is to end a load that does not say what steady means",
        why: "What counts as steady is part of the method: a metric, a window, the largest spread and the largest drift over it. \
              None of them is natural enough to be assumed.",
        refused: "run \"24h\" steady=#true",
        corrected: "run \"24h\" steady=#true\nsteady-state \"iops\" window=\"30m\" range=\"20%\" slope=\"10%\""
    }
    LOAD_NO_EFFECT = "load/no-effect" {
        title: "a word that has no effect in this load",
        why: "What stands in a plan is done. A word that changes nothing where it stands was meant for something else, and \
              to ignore it would measure another load than the reader sees.",
        refused: "arrivals \"poisson\"\nrun \"60s\"",
        corrected: "rate \"20k IOPS\"\narrivals \"poisson\"\nrun \"60s\""
    }
    MATRIX_EMPTY = "matrix/empty" {
        title: "a matrix has no axis",
        why: "A matrix makes a case for every combination of the values of its axes. Without an axis it says nothing; a load \
              with a single case needs no matrix.",
        refused: "matrix { }",
        corrected: "matrix { threads 1 2 4; }"
    }
    MATRIX_VALUE_TWICE = "matrix/value-twice" {
        title: "an axis has the same value twice",
        why: "The two cases would be the same and have the same name in tables. Values count as equal whatever their spelling: \
              `\"4KiB\"` and `\"4096B\"` are one size.",
        refused: "matrix { queue-depth 1 2 2 4; }",
        corrected: "matrix { queue-depth 1 2 4; }"
    }
    MATRIX_TOO_MANY = "matrix/too-many-cases" {
        title: "a matrix makes more cases than anyone could run",
        why: "Every axis multiplies the number of cases. Beyond 10,000 a table can no longer be read, and even at a second for \
              each case the run takes hours.",
        refused: "a matrix of four axes with 20 values each",
        corrected: "a matrix of two axes, and the rest as steps of their own"
    }
    MATRIX_SEVERAL_OUTSIDE = "matrix/several-outside" {
        title: "several values stand outside of a matrix",
        why: "Several values are an axis: a case is made for each. An axis stands in `matrix`, so that a reader sees at once \
              which loads have more than one case and in which order.",
        refused: "threads 1 2 4",
        corrected: "matrix { threads 1 2 4; }"
    }
}
