//! The steps: what happens to the drive, in the order in which it is written.

use super::{Entry, Place, later, word};

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
    Entry::new("secure-erase", STEPS, "secure-erase METHOD", "purges the drive and verifies it")
        .not_yet()
        .properties(&[
            later("action", "the kind within a method"),
            later("at-least", "the weakest method that will do"),
            later("timeout", "how long it may take"),
        ])
        .values(&[
            later("auto", "the best method that the drive offers"),
            later("nvme-format", "NVMe Format"),
            later("nvme-sanitize", "NVMe Sanitize"),
            later("ata-security", "ATA Security Erase"),
            later("scsi-sanitize", "SCSI Sanitize"),
            later("scsi-format", "SCSI Format"),
            later("discard", "discards every block"),
            later("secure-discard", "discards every block securely"),
            later("zero", "writes zeros"),
        ])
        .inside(Place::SecureErase),
    Entry::new("lba-format", &[Place::SecureErase], "lba-format Q", "the logical block size to format with").not_yet(),
    Entry::new(
        "partition",
        STEPS,
        "partition Q%|Q",
        "makes a partition of this part of the device; it is the area from here on",
    )
    .not_yet()
    .properties(&[later("keep", "`#false`: removed at the end")]),
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
        later("on", "`device`: the whole device instead of the area"),
    ])
    .inside(Place::Fill),
    Entry::new("block-size", FILL, "block-size Q", "the size of one write; must stand"),
    Entry::new("access", FILL, "access NAME", "the order of the writes").default("access \"sequential\"").not_yet(),
    Entry::new("data", FILL, "data NAME", "the data that is written").default("data \"incompressible\"").not_yet(),
    Entry::new("trim", STEPS, "trim Q%|Q", "trims this part of the area, from its start").checked(),
    Entry::new(
        "write-cache",
        STEPS,
        "write-cache \"on\"|\"off\"",
        "sets the drive's write cache, and restores it at the end",
    )
    .not_yet(),
    Entry::new("setting", STEPS, "setting NAME VALUE", "sets something of the drive, and restores it at the end")
        .repeats()
        .not_yet(),
    Entry::new("idle", STEPS, "idle Q", "silence: no command at all, this long"),
    Entry::new("cool-down", STEPS, "cool-down to=Q at-most=Q", "waits until the drive is this cool")
        .not_yet()
        .properties(&[later("to", "the temperature"), later("at-most", "the longest wait")]),
    Entry::new(
        "precondition",
        STEPS,
        "precondition WORKLOAD as=NAME",
        "a load whose results are not the drive's figures",
    )
    .properties(&[word("as", "the step's name; absent: the workload's")])
    .inside(Place::Precondition),
    Entry::new("measure", STEPS, "measure WORKLOAD as=NAME", "a load whose cases are measured")
        .properties(&[word("as", "the step's name; absent: the workload's")])
        .inside(Place::Measure),
    Entry::new("rounds", STEPS, "rounds N | rounds max=N", "repeats its steps, a number of times or until steady")
        .not_yet()
        .properties(&[later("max", "the most rounds, where `steady-state` ends them")])
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
        .not_yet()
        .properties(&[later("from", "the step whose cases are chosen from")])
        .inside(Place::Pick),
    Entry::new("highest", PICK, "highest METRIC", "the case with the highest value").not_yet(),
    Entry::new("lowest", PICK, "lowest METRIC", "the case with the lowest value").not_yet(),
    Entry::new("nearest", PICK, "nearest METRIC between=PICK and=PICK", "the case nearest the middle of two others")
        .not_yet()
        .properties(&[later("between", "a pick"), later("and", "another pick")]),
    Entry::new("at", PICK, "at axis=value...", "the case with these values").not_yet(),
    Entry::new("where", PICK, "where METRIC above=Q below=Q", "only cases whose value is in these limits")
        .repeats()
        .not_yet()
        .properties(&[later("above", "lower limit"), later("below", "upper limit")]),
];
