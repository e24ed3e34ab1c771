//! The steps: what happens to the drive, in the order in which it is written.

use super::{Entry, Place, checked, later, word};

/// Where steps stand.
pub(super) const STEPS: &[Place] = &[
    Place::Setup,
    Place::BeforeEach,
    Place::Test,
    Place::Rounds,
    Place::ForEach,
    Place::BetweenCases,
    Place::Procedure,
];

/// Where measurements stand: not between the cases of one, whose table would have to hold both.
const MEASURES: &[Place] =
    &[Place::Setup, Place::BeforeEach, Place::Test, Place::Rounds, Place::ForEach, Place::Procedure];

/// Where rounds stand: not in rounds, whose number and rule would be those of both.
const NO_ROUNDS: &[Place] = &[Place::Setup, Place::BeforeEach, Place::Test, Place::ForEach, Place::Procedure];

/// Where a procedure that holds loads is applied.
const LOADS: &[Place] = &[Place::Precondition, Place::Measure];

const FILL: &[Place] = &[Place::Fill];
const PICK: &[Place] = &[Place::Pick];
const REPLAY: &[Place] = &[Place::Replay];

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "allow",
        &[Place::Test],
        "allow NAME in=STEP because=\"text\"",
        "permits what would be refused, with a reason",
    )
    .repeats()
    .values(&[word("unwritten-reads", "measured reads of blocks that nothing has written")])
    .properties(&[
        word("in", "the step that it is for; absent: the whole test"),
        word("because", "the reason, printed in the report; must stand"),
    ]),
    Entry::new("secure-erase", STEPS, "secure-erase METHOD action=NAME at-least=METHOD timeout=Q", "purges the drive")
        .checked()
        .properties(&[
            word(
                "action",
                "the kind within a method: `user-data`, `crypto`, `block`, `overwrite`, `normal` or `enhanced`",
            ),
            word("at-least", "the weakest method that will do, where the method is `auto`"),
            word("timeout", "how long it may take; absent: as long as the drive says"),
        ])
        .values(&[
            word("auto", "the best method that the drive offers"),
            word("nvme-format", "NVMe Format"),
            word("nvme-sanitize", "NVMe Sanitize"),
            word("ata-security", "ATA Security Erase"),
            word("scsi-sanitize", "SCSI Sanitize"),
            word("scsi-format", "SCSI Format Unit"),
            word("discard", "discards every block"),
            word("secure-discard", "discards every block securely"),
            word("zero", "writes zeros"),
        ])
        .inside(Place::SecureErase),
    Entry::new("lba-format", &[Place::SecureErase], "lba-format Q", "the logical block size to format with").checked(),
    Entry::new(
        "partition",
        STEPS,
        "partition Q%|Q keep=#false",
        "makes a partition of this part of the device; it is the area from here on",
    )
    .checked()
    .properties(&[word("keep", "`#false`: removed at the end; absent: kept")]),
    Entry::new(
        "limit-to",
        STEPS,
        "limit-to Q%|Q",
        "limits all that follows to this part of the device, without a partition",
    ),
    Entry::new(
        "fill",
        STEPS,
        "fill passes=N | fill Q|Q%",
        "writes the area from its start, in sequence; a share is of the area",
    )
    .properties(&[
        word("passes", "so many times the whole area"),
        word("on", "`device`: the whole device instead of the area"),
    ])
    .inside(Place::Fill),
    Entry::new("block-size", FILL, "block-size Q", "the size of one write; must stand"),
    Entry::new(
        "access",
        FILL,
        "access \"sequential\" | access \"random\" order=\"once\"",
        "the order of the writes: from the start, or by chance with every block once",
    )
    .default("access \"sequential\"")
    .values(&[word("sequential", "rising from block to block"), checked("random", "by chance, every block once")])
    .properties(&[word("order", "`once`: every block once; must stand where the access is random")]),
    Entry::new("trim", STEPS, "trim Q%|Q", "trims this part of the area, from its start").checked(),
    Entry::new(
        "write-cache",
        STEPS,
        "write-cache \"on\"|\"off\"",
        "sets the drive's write cache, and restores it at the end",
    )
    .checked()
    .values(&[word("on", "writes may be acknowledged from the cache"), word("off", "writes go through")]),
    Entry::new("setting", STEPS, "setting NAME VALUE", "sets something of the drive, and restores it at the end")
        .repeats()
        .checked()
        .values(&[
            word("scheduler", "the queue's scheduler, as \"none\" or \"mq-deadline\""),
            word("nomerges", "0: requests are merged; 1: simple merges only; 2: none"),
            word(
                "rq-affinity",
                "0: completed on any core; 1: on a core of the issuer's group; 2: on the issuer's core",
            ),
            word("nr-requests", "requests that the queue holds"),
            word("read-ahead", "bytes that the kernel reads ahead, as \"128KiB\""),
            word("iostats", "1: the kernel keeps counters of the queue; 0: none"),
            word("power-state", "the NVMe power state, 0 being the fastest"),
        ]),
    Entry::new("idle", STEPS, "idle Q", "silence: no command at all, this long"),
    Entry::new("cool-down", STEPS, "cool-down to=Q at-most=Q", "waits until the drive is this cool")
        .checked()
        .properties(&[word("to", "the temperature; must stand"), word("at-most", "the longest wait; must stand")]),
    Entry::new(
        "precondition",
        STEPS,
        "precondition WORKLOAD as=NAME",
        "a load whose results are not the drive's figures",
    )
    .properties(&[word("as", "the step's name; absent: the workload's")])
    .inside(Place::Precondition),
    Entry::new("measure", MEASURES, "measure WORKLOAD as=NAME", "a load whose cases are measured")
        .properties(&[word("as", "the step's name; absent: the workload's")])
        .inside(Place::Measure),
    Entry::new("rounds", NO_ROUNDS, "rounds N | rounds max=N", "repeats its steps, a number of times or until steady")
        .checked()
        .properties(&[word("max", "the most rounds, where `steady-state` ends them")])
        .inside(Place::Rounds),
    Entry::new("for-each", STEPS, "for-each NAME VALUE...", "does its steps once for each value; used as `$NAME`")
        .repeats()
        .inside(Place::ForEach),
    Entry::new("apply", STEPS, "apply PROCEDURE name=value...", "takes over the steps of a procedure").repeats(),
    Entry::new("apply", LOADS, "apply PROCEDURE name=value...", "takes over the loads of a procedure").repeats(),
    Entry::new("replay", STEPS, "replay \"trace\"", "issues the operations of a recorded trace")
        .not_yet()
        .properties(&[
            later("as", "the step's name"),
            later("speed", "times the speed of the trace"),
            later("idle-cap", "the longest pause that is kept"),
        ])
        .inside(Place::Replay),
    Entry::new("only", REPLAY, "only \"read\"|\"write\"", "only these operations of the trace").not_yet(),
    Entry::new("map", REPLAY, "map NAME", "how the trace's offsets fall on the area").not_yet(),
    Entry::new("verify", STEPS, "verify WORKLOAD", "reads back what was written and compares it").not_yet(),
    Entry::new("application", STEPS, "application KIND as=NAME", "drives a real application on the drive")
        .not_yet()
        .properties(&[later("as", "the step's name")]),
    Entry::new("pick", STEPS, "pick NAME from=STEP", "chooses one case of a measured step by its result")
        .repeats()
        .checked()
        .properties(&[word("from", "the measured step whose cases are chosen from; must stand")])
        .inside(Place::Pick),
    Entry::new("highest", PICK, "highest METRIC", "the case with the highest value"),
    Entry::new("lowest", PICK, "lowest METRIC", "the case with the lowest value"),
    Entry::new("nearest", PICK, "nearest METRIC between=PICK and=PICK", "the case nearest the middle of two others")
        .properties(&[word("between", "a pick before it"), word("and", "another pick before it")]),
    Entry::new("at", PICK, "at axis=value...", "the case with these values"),
    Entry::new("where", PICK, "where METRIC above=Q below=Q", "only cases whose value is in these limits")
        .repeats()
        .properties(&[
            word("above", "more than"),
            word("below", "less than"),
            word("at-least", "not less than"),
            word("at-most", "not more than"),
        ]),
];
