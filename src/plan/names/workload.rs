//! The workload: what an operation is. Most of it may also stand in a load, to close what the workload leaves open.

use super::{Entry, Place, checked, word};

/// Where the parts of a workload may stand.
const PARTS: &[Place] = &[Place::Workload, Place::Stream, Place::Precondition, Place::Measure, Place::Load];
/// Where writes say what they carry: the same, and a fill.
const WRITES: &[Place] =
    &[Place::Workload, Place::Stream, Place::Precondition, Place::Measure, Place::Load, Place::Fill];
/// The same, and in a matrix as an axis.
const PARTS_AND_AXES: &[Place] =
    &[Place::Workload, Place::Stream, Place::Precondition, Place::Measure, Place::Load, Place::Matrix];
const ACCESS: &[Place] = &[Place::Access];

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "workload",
        &[Place::Top],
        "workload NAME",
        "what an operation is: order of offsets, size, share of reads",
    )
    .repeats()
    .inside(Place::Workload),
    Entry::new("stream", &[Place::Workload], "stream NAME", "one of several streams that share the slots by weight")
        .repeats()
        .checked()
        .inside(Place::Stream),
    Entry::new("share", &[Place::Stream], "share Q%|\"rest\"", "the stream's share of the operations").checked(),
    Entry::new("access", PARTS, "access \"random\" | access \"sequential\" cursor=NAME", "the order of offsets")
        .values(&[
            word("random", "uniformly random with repeats, aligned to the block size"),
            word("sequential", "rising from block to block, from the start of the span again after its end"),
        ])
        .properties(&[
            word("cursor", "`shared`: one cursor for all slots; `lanes`: the span cut into one lane for each thread"),
            checked("order", "`once`: every block once in a pass"),
            checked("seek", "share of operations that draw a new offset"),
            checked("align", "what offsets are a multiple of"),
        ])
        .inside(Place::Access),
    Entry::new("zone", ACCESS, "zone Q%|Q|\"rest\" share=Q%", "a part of the span with its own share of operations")
        .repeats()
        .checked()
        .properties(&[checked("share", "share of operations")]),
    Entry::new("zipf", ACCESS, "zipf theta=N", "offsets by Zipf's law")
        .checked()
        .properties(&[checked("theta", "the exponent")]),
    Entry::new("pareto", ACCESS, "pareto h=N", "offsets by Pareto's law")
        .checked()
        .properties(&[checked("h", "the skew")]),
    Entry::new("block-size", PARTS, "block-size Q for=NAME", "the size of one operation, in bytes, or a mix of sizes")
        .properties(&[checked("for", "`read`, `write` or `trim`: the size of these operations alone")])
        .inside(Place::BlockSize)
        .repeats(),
    Entry::new("block-size", &[Place::Matrix], "block-size Q...", "the size of one operation, in bytes, as an axis"),
    Entry::new("size", &[Place::BlockSize], "size Q Q%|\"rest\"", "a size with its share of operations")
        .repeats()
        .checked(),
    Entry::new("read", PARTS_AND_AXES, "read Q%", "the share of operations that are reads; the rest are writes"),
    Entry::new("trim", PARTS_AND_AXES, "trim Q%", "the share of operations that are trims")
        .default("trim \"0%\"")
        .checked(),
    Entry::new("span", PARTS, "span Q|Q% offset=Q", "the part of the area that is touched, in bytes or of the area")
        .default("span \"100%\"")
        .properties(&[word("offset", "bytes from the start of the area; absent: none")]),
    Entry::new("span", &[Place::Matrix], "span Q|Q%...", "the part of the area that is touched, as an axis"),
    Entry::new("data", WRITES, "data NAME compressible=Q% duplicate=Q%", "the data of writes, fresh for every one")
        .default("data \"incompressible\"")
        .properties(&[
            checked("compressible", "share that compresses away"),
            checked("duplicate", "share of blocks that repeat"),
        ])
        .values(&[word("incompressible", "random"), checked("zeros", "zeros")]),
    Entry::new("flush", PARTS, "flush every=N", "a flush after so many writes")
        .checked()
        .properties(&[checked("every", "writes between flushes")]),
    Entry::new("think-time", PARTS, "think-time Q after=N", "a pause of a slot after so many operations")
        .checked()
        .properties(&[checked("after", "operations between pauses")]),
];
