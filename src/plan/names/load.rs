//! Load children: how many threads at which depth, at which pace, how long, and what is judged.

use super::{Entry, Place, checked, later, word};

/// Where loads are described.
const LOADS: &[Place] = &[Place::Precondition, Place::Measure];
/// The same, and in each of several loads at the same time.
const PACED: &[Place] = &[Place::Precondition, Place::Measure, Place::Load];
/// Where slots are counted.
const SLOTS: &[Place] = &[Place::Fill, Place::Precondition, Place::Measure, Place::Load, Place::Matrix, Place::Replay];
const RATED: &[Place] = &[Place::Precondition, Place::Measure, Place::Load, Place::Matrix];
const MEASURE: &[Place] = &[Place::Measure];

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "load",
        &[Place::Precondition, Place::Measure, Place::Procedure],
        "load WORKLOAD as=NAME",
        "one of several loads at the same time, with its own slots",
    )
    .repeats()
    .checked()
    .properties(&[word("as", "the load's name")])
    .inside(Place::Load),
    Entry::new("threads", SLOTS, "threads N", "submitters of the load; several in a matrix; must stand"),
    Entry::new(
        "queue-depth",
        SLOTS,
        "queue-depth N",
        "operations that each thread keeps outstanding; several in a matrix",
    )
    .default("queue-depth 1"),
    Entry::new(
        "rate",
        RATED,
        "rate Q per=Q",
        "operations or bytes per second that are asked for; absent: as fast as possible",
    )
    .checked()
    .properties(&[checked("per", "scaled by the device's capacity")]),
    Entry::new("rate", &[Place::Fill], "rate Q per=Q", "operations or bytes per second at most; absent: no limit")
        .not_yet()
        .properties(&[later("per", "scaled by the device's capacity")]),
    Entry::new("arrivals", PACED, "arrivals \"fixed\"|\"poisson\"", "how the operations of a rated load are spaced")
        .default("arrivals \"fixed\"")
        .checked()
        .values(&[word("fixed", "evenly"), word("poisson", "as independent arrivals")]),
    Entry::new("burst", PACED, "burst on=Q off=Q", "load and pause in turn")
        .checked()
        .properties(&[word("on", "length of the load"), word("off", "length of the pause")]),
    Entry::new("start", PACED, "start \"beginning\"|\"continue\"", "where a sequential load begins")
        .default("start \"beginning\"")
        .values(&[word("beginning", "at the start of the span"), checked("continue", "where the last one ended")]),
    Entry::new("ramp", LOADS, "ramp Q", "time at full pace before the window, for every case").default("ramp \"0s\""),
    Entry::new(
        "run",
        LOADS,
        "run Q written=Q passes=N",
        "how long a case lasts; the first limit that is reached ends it",
    )
    .properties(&[
        word("written", "bytes written"),
        word("passes", "bytes moved, as a multiple of the load's span"),
        checked("steady", "`#true`: a steady state ends it"),
    ]),
    Entry::new("sample", LOADS, "sample Q", "the length of an interval").default("sample \"1s\""),
    Entry::new("health", LOADS, "health every=Q", "polls the drive's health during the load; absent: never")
        .checked()
        .properties(&[word("every", "time between polls")]),
    Entry::new(
        "window",
        LOADS,
        "window NAME last=Q | window NAME from=Q to=Q",
        "names a part of the run for the report",
    )
    .repeats()
    .checked()
    .properties(&[word("last", "this much before the end"), word("from", "from here"), word("to", "up to here")]),
    Entry::new(
        "steady-state",
        &[Place::Precondition, Place::Measure, Place::Rounds],
        "steady-state METRIC window=N|Q range=Q% slope=Q% not-before=Q",
        "judges and records whether the drive is steady",
    )
    .checked()
    .properties(&[
        word("window", "rounds or time that are judged"),
        word("range", "largest spread, of the mean"),
        word("slope", "largest drift over the window, of the mean"),
        word("not-before", "judged only after this much has been written"),
    ])
    .inside(Place::SteadyState),
    Entry::new("at", &[Place::SteadyState], "at STEP axis=value...", "the case that is judged").checked(),
    Entry::new("matrix", MEASURE, "matrix", "a case for every combination of its axes; the last axis varies fastest")
        .inside(Place::Matrix),
    Entry::new("skip", &[Place::Matrix], "skip NAME", "leaves out cases that the drive cannot do")
        .checked()
        .values(&[word("unsupported-block-size", "sizes that are no multiple of the logical block")]),
    Entry::new("curve", MEASURE, "curve from=Q% to=Q% step=Q%", "rates in percent of the measured maximum")
        .checked()
        .properties(&[
            word("from", "the first point"),
            word("to", "the last point"),
            word("step", "between points"),
            word("repeat-max", "how often the maximum is measured"),
            word("stop-above", "ends the curve above this latency"),
        ]),
    Entry::new("between-cases", MEASURE, "between-cases", "steps between two cases of a matrix or curve")
        .checked()
        .inside(Place::BetweenCases),
    Entry::new("expect", MEASURE, "expect METRIC above=Q below=Q", "a limit that the result must meet")
        .repeats()
        .checked()
        .properties(&[
            word("above", "more than"),
            word("below", "less than"),
            word("at-least", "not less than"),
            word("at-most", "not more than"),
            word("per", "scaled by the device's capacity"),
            word("window", "a named window"),
        ]),
    Entry::new("on-error", LOADS, "on-error \"fail\"|\"continue\" max=N", "what an I/O error does")
        .default("on-error \"fail\"")
        .properties(&[checked("max", "the most errors")])
        .values(&[word("fail", "ends the step"), checked("continue", "is counted")]),
    Entry::new(
        "on-interruption",
        LOADS,
        "on-interruption \"repeat\"|\"continue\"",
        "what a resumed run does with this load",
    )
    .default("on-interruption \"repeat\"")
    .values(&[word("repeat", "does it again"), checked("continue", "goes on")]),
    Entry::new("load-of", LOADS, "load-of PICK", "takes threads, queue depth and other axis values of a pick")
        .checked(),
];
