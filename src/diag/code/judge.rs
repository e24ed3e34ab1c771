//! What is judged: curves, windows, steadiness, limits on results, metrics.

use super::entries;

entries! {
    CURVE_POINTS = "curve/points" {
        title: "the points of a curve are not complete, or do not rise",
        why: "A curve measures a maximum and then rates in shares of it, from the smallest to the largest: each point finds the \
              drive as the one below left it. The points are written one by one, or as a first, a last and the step between.",
        refused: "curve from=\"10%\" to=\"100%\"",
        corrected: "curve from=\"10%\" to=\"100%\" step=\"10%\""
    }
    CURVE_AND_MATRIX = "curve/and-matrix" {
        title: "a load has a curve and a matrix",
        why: "A curve is of one case: it finds the maximum of this case first. Several cases are several steps, each with a \
              curve and a name of its own.",
        refused: "matrix { threads 1 2; }\ncurve \"50%\" \"100%\"",
        corrected: "threads 2\ncurve \"50%\" \"100%\""
    }
    WINDOW_BOUNDS = "window/bounds" {
        title: "a window is no part of its run",
        why: "A window is the last part of a run, or the part between two marks, counted from its start. One that is longer \
              than the run, or that ends before it begins, would never have a number.",
        refused: "run \"60s\"\nwindow \"score\" last=\"400s\"",
        corrected: "run \"1h\"\nwindow \"score\" last=\"400s\""
    }
    WINDOW_UNDEFINED = "window/undefined" {
        title: "a window is named that the load does not have",
        why: "`expect … window=` judges a part of the run that the same load names with `window`. A name \
              that none of its windows has would judge nothing.",
        refused: "expect \"iops\" above=\"20k IOPS\" window=\"score\"",
        corrected: "window \"score\" last=\"60s\"\nexpect \"iops\" above=\"20k IOPS\" window=\"score\""
    }
    STEADY_INCOMPLETE = "steady/incomplete" {
        title: "a rule of steadiness is not complete",
        why: "Window, range and slope decide whether a drive counts as steady, and methods differ in all three. None of them \
              has a default.",
        refused: "steady-state \"iops\" window=\"30m\"",
        corrected: "steady-state \"iops\" window=\"30m\" range=\"20%\" slope=\"10%\""
    }
    STEADY_WINDOW = "steady/window" {
        title: "a rule of steadiness is written for another place",
        why: "In `rounds` the means of whole rounds of one case are judged, so that the window is a number of rounds. In a load \
              its intervals are judged, so that the window is a time, and there is no case to choose.",
        refused: "measure \"4k\" { steady-state \"iops\" window=5 range=\"20%\" slope=\"10%\"; … }",
        corrected: "measure \"4k\" { steady-state \"iops\" window=\"5m\" range=\"20%\" slope=\"10%\"; … }"
    }
    EXPECT_LIMITS = "expect/limits" {
        title: "the limits of an `expect` cannot be judged",
        why: "An `expect` holds a number of the result against a limit, or against one on each side with room between. \
              `per=` scales limits that grow with the drive, and a latency does not.",
        refused: "expect \"read.p99\" above=\"5ms\" below=\"2ms\"",
        corrected: "expect \"read.p99\" above=\"2ms\" below=\"5ms\""
    }
    EXPECT_FEW_SAMPLES = "expect/few-samples" {
        title: "a percentile rests on fewer than ten operations",
        why: "A percentile is known as well as the number of operations beyond it. Rate and time say how many there will be, \
              and with fewer than ten the verdict is \"not proven\", whatever the drive does.",
        refused: "rate \"100 IOPS\"\nrun \"60s\"\nexpect \"p99.99\" below=\"5ms\"",
        corrected: "rate \"100 IOPS\"\nrun \"60s\"\nexpect \"p99\" below=\"5ms\""
    }
    METRIC_SCOPE = "metric/scope" {
        title: "what stands before a metric is no step, load or window",
        why: "Before the name of a number stand, as far as they are needed, the names of a step, of a load in it, and of a \
              window, in this order. A name that is none of them would ask for numbers that no result has.",
        refused: "window \"score\" last=\"60s\"\nexpect \"scores.iops\" above=\"20k IOPS\"",
        corrected: "window \"score\" last=\"60s\"\nexpect \"score.iops\" above=\"20k IOPS\""
    }
    METRIC_NOT_PACED = "metric/not-paced" {
        title: "a response time is asked of a load without a rate",
        why: "Response counts from the time at which an operation was due. In a load without a rate an operation is due when a \
              slot is free for it, so that there is nothing to wait for, and only its service time means something.",
        refused: "expect \"response.p99\" below=\"5ms\"",
        corrected: "rate \"20k IOPS\"\nexpect \"response.p99\" below=\"5ms\""
    }
}
