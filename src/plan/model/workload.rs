//! What an operation is: workloads as defined, and streams as loads use them.

use serde::{Deserialize, Serialize};

use super::{Axis, Given, Setting};
use crate::units::{BlockSize, ByteCount, Percent, ReadShare, RunTime};

/// A named workload as it is defined. What it leaves open is closed by each load that uses it (R4).
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// Its name.
    pub name: Given<String>,
    /// What it says of its operations; of all its streams where it has several.
    pub parts: Parts,
    /// Its streams, where it names any; they share the slots of the load (semantics S2).
    pub streams: Vec<OpenStream>,
}

/// A stream of a workload as it is defined.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenStream {
    /// Its name, unique in the workload.
    pub name: Given<String>,
    /// Its share of the operations; what `"rest"` comes to is already put in.
    pub share: Given<Percent>,
    /// What it says of its operations.
    pub parts: Parts,
}

/// What is said of operations; anything may be left open.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parts {
    /// Order of offsets.
    pub access: Option<Given<Access>>,
    /// How random offsets fall, where something beside the default is said.
    pub spread: Option<Spread>,
    /// Sizes.
    pub block_size: Option<Sizes>,
    /// Share of reads.
    pub read: Option<Given<ReadShare>>,
    /// Share of trims.
    pub trim: Option<Given<Percent>>,
    /// Part of the area.
    pub span: Option<Given<SpanOfArea>>,
    /// What writes carry.
    pub data: Option<Given<Data>>,
    /// Writes between flushes.
    pub flush_every: Option<Given<u32>>,
    /// The pause of a slot.
    pub think_time: Option<ThinkTime>,
}

/// The order of offsets (semantics S3, S5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Random with repeats; how the offsets fall is said by [`Spread`].
    Random,
    /// One cursor for all slots of the load.
    SequentialShared,
    /// The span cut into as many equal lanes as there are threads; the slots of a thread share its cursor.
    SequentialLanes,
}

impl Access {
    /// True where offsets rise from block to block.
    pub const fn is_sequential(self) -> bool {
        !matches!(self, Access::Random)
    }
}

/// How random offsets fall over the span (semantics S5). The default is uniform, each operation drawn anew.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spread {
    /// `order="once"`: every block once in a pass, in an order drawn for each pass.
    pub once: Option<Given<()>>,
    /// Share of the operations that draw a new offset; the others take the block after the one before.
    pub seek: Option<Given<Percent>>,
    /// What offsets are a multiple of; none: the one block size.
    pub align: Option<Given<Align>>,
    /// Zones of the span with shares of the operations, from the start of the span; empty: none.
    pub zones: Vec<Zone>,
    /// Zipf's law with this exponent.
    pub zipf_theta: Option<Given<f64>>,
    /// Pareto's law with this skew.
    pub pareto_h: Option<Given<f64>>,
}

impl Spread {
    /// True for uniformly random offsets, aligned to the one block size.
    pub fn is_uniform(&self) -> bool {
        *self == Self::default()
    }
}

/// What random offsets are a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// Each operation's own size.
    Own,
    /// So many bytes.
    #[serde(rename = "bytes")]
    To(BlockSize),
}

/// A part of the span with its own share of the operations.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// Its length, a share being of the span; zones follow each other from the start of the span. `"rest"` is put in
    /// where shares alone decide it.
    pub length: Given<ZoneLength>,
    /// Its share of the operations.
    pub share: Given<Percent>,
}

/// The length of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ZoneLength {
    /// Bytes or a share of the span.
    Part(Extent),
    /// What the other zones leave of the span.
    Rest,
}

/// The sizes of operations.
#[derive(Debug, Clone, PartialEq)]
pub enum Sizes {
    /// One size for all, or an axis of the load's matrix.
    One(Setting<BlockSize>),
    /// A mix for all.
    Mix(Vec<SizeShare>),
    /// For reads, writes and trims each their own; a side without one has no operations.
    Sides(Vec<(Side, Vec<SizeShare>)>),
}

/// A size with its share of the operations; one size alone has all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeShare {
    /// The size.
    pub size: Given<BlockSize>,
    /// Its share of the operations (of its side).
    pub share: Given<Percent>,
}

/// A kind of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Trims.
    Trim,
}

impl Side {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Read => "read",
            Side::Write => "write",
            Side::Trim => "trim",
        }
    }
}

/// What writes carry, fresh for every write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// Random bytes.
    Incompressible,
    /// Zeros.
    Zeros,
    /// Random bytes with these shares of what can be saved.
    Reducible {
        /// Share of each block that compresses away.
        #[serde(rename = "compressible_millionths")]
        compressible: Percent,
        /// Share of the blocks that repeat another.
        #[serde(rename = "duplicate_millionths")]
        duplicate: Percent,
    },
}

/// A pause of a slot after so many of its operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThinkTime {
    /// The pause.
    pub time: Given<RunTime>,
    /// Operations between pauses.
    pub after: Given<u32>,
}

/// The part of the area that a load touches: from `offset`, this long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SpanOfArea {
    /// Length.
    pub length: Extent,
    /// Bytes from the start of the area.
    #[serde(rename = "offset_bytes")]
    pub offset: ByteCount,
}

impl SpanOfArea {
    /// The whole area.
    pub const WHOLE: SpanOfArea = SpanOfArea { length: Extent::Share(Percent::HUNDRED), offset: ByteCount::ZERO };
}

/// A number of bytes, absolute or as a share of something that the place defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// So many bytes.
    Bytes(ByteCount),
    /// A share.
    #[serde(rename = "share_millionths")]
    Share(Percent),
}

impl Extent {
    /// In bytes, given what a share is of; rounded down.
    pub fn resolve(self, whole: ByteCount) -> ByteCount {
        match self {
            Extent::Bytes(bytes) => bytes,
            Extent::Share(share) => ByteCount::new(share.of(whole.get())),
        }
    }
}

/// A stream of a load: every value closed, or left to an axis of the matrix or to a pick.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// Its name; none where the workload is one stream.
    pub name: Option<Given<String>>,
    /// Its share of the load's operations.
    pub share: Given<Percent>,
    /// Order of offsets.
    pub access: Given<Access>,
    /// How random offsets fall.
    pub spread: Spread,
    /// Sizes.
    pub block_size: Sizes,
    /// Share of reads; what is neither read nor trim is written.
    pub read: Setting<ReadShare>,
    /// Share of trims.
    pub trim: Setting<Percent>,
    /// Part of the area.
    pub span: Setting<SpanOfArea>,
    /// What writes carry.
    pub data: Given<Data>,
    /// Writes between flushes; none: no flushes.
    pub flush_every: Option<Given<u32>>,
    /// The pause of a slot, if any.
    pub think_time: Option<ThinkTime>,
}

impl Stream {
    /// The shares of reads of all cases; none where a pick decides.
    pub fn reads(&self, axes: &[Axis]) -> Option<Vec<Given<Percent>>> {
        match &self.read {
            Setting::Fixed(given) => Some(vec![as_percent(given)]),
            Setting::Picked => None,
            Setting::Axis => axes.iter().find_map(|axis| match axis {
                Axis::Read(values) => Some(values.iter().map(as_percent).collect()),
                _ => None,
            }),
        }
    }

    /// The shares of trims of all cases; none where a pick decides.
    pub fn trims(&self, axes: &[Axis]) -> Option<Vec<Given<Percent>>> {
        match &self.trim {
            Setting::Fixed(given) => Some(vec![*given]),
            Setting::Picked => None,
            Setting::Axis => axes.iter().find_map(|axis| match axis {
                Axis::Trim(values) => Some(values.clone()),
                _ => None,
            }),
        }
    }

    /// The kinds of operations that some case has; all of them where a pick decides.
    pub fn sides(&self, axes: &[Axis]) -> Vec<Side> {
        let (Some(reads), Some(trims)) = (self.reads(axes), self.trims(axes)) else {
            return vec![Side::Read, Side::Write, Side::Trim];
        };
        let least = |shares: &[Given<Percent>]| {
            shares.iter().map(|share| u64::from(share.value.parts_per_million())).min().unwrap_or(0)
        };
        let occurs = |shares: &[Given<Percent>]| shares.iter().any(|share| share.value > Percent::ZERO);
        let has_writes = least(&reads) + least(&trims) < u64::from(Percent::WHOLE);
        [(Side::Read, occurs(&reads)), (Side::Write, has_writes), (Side::Trim, occurs(&trims))]
            .into_iter()
            .filter_map(|(side, occurs)| occurs.then_some(side))
            .collect()
    }
}

fn as_percent(given: &Given<ReadShare>) -> Given<Percent> {
    let Given { value, provenance, is_default, span } = *given;
    Given { value: value.percent(), provenance, is_default, span }
}
