use serde::{Deserialize, Serialize};

use super::CaseId;
use super::estimate::Estimate;
use super::step::{incompressible, is_incompressible};
use crate::plan::{Access, Align, Arrivals, Data, Extent, Rate, Side, SpanOfArea, Start, ZoneLength};
use crate::units::{BlockSize, ByteCount, OutstandingIo, Percent, QueueDepth, ReadShare, RunTime, Threads};

/// One cell: a load with every value closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Its name within the step.
    pub id: CaseId,
    /// What runs at the same time, each with slots of its own; nearly always one.
    pub loads: Vec<CaseLoad>,
    /// Where on a load curve the case is; none: on no curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_curve: Option<OnCurve>,
    /// The pick that chooses threads, queue depth and the like; those that stand here are the largest it can choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picked_by: Option<String>,
    /// Time at full pace before the window.
    #[serde(rename = "ramp_ns")]
    pub ramp: RunTime,
    /// The window's limits.
    pub limits: CaseLimits,
    /// Length of an interval.
    #[serde(rename = "sample_ns")]
    pub sample: RunTime,
    /// Seed of the case's random sequences (semantics S16).
    pub seed: u64,
    /// How long, and how much is written.
    pub estimate: Estimate,
}

/// One of the workloads of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseLoad {
    /// What it is called among the loads of the case.
    pub name: String,
    /// The workload's name.
    pub workload: String,
    /// Threads.
    pub threads: Threads,
    /// Depth of each thread.
    pub queue_depth: QueueDepth,
    /// What is asked for per second; none: as fast as possible, or a share of a measured maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// How the operations of a rated load are spaced; none: the load is not rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrivals: Option<Arrivals>,
    /// Length of load and of pause in turn; none: no pauses.
    #[serde(default, rename = "burst_on_off_ns", skip_serializing_if = "Option::is_none")]
    pub burst: Option<(RunTime, RunTime)>,
    /// Where a sequential load begins.
    #[serde(default = "beginning", skip_serializing_if = "is_beginning")]
    pub start: Start,
    /// Its streams, at least one.
    pub streams: Vec<CaseStream>,
}

const fn beginning() -> Start {
    Start::Beginning
}

fn is_beginning(start: &Start) -> bool {
    *start == beginning()
}

/// One of the streams of a load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseStream {
    /// Its name; none where the workload is one stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its share of the load's operations.
    #[serde(rename = "share_millionths", default = "all", skip_serializing_if = "is_all")]
    pub share: Percent,
    /// Order of offsets.
    pub access: Access,
    /// How random offsets fall.
    #[serde(default, skip_serializing_if = "CaseSpread::is_uniform")]
    pub spread: CaseSpread,
    /// The sizes of its operations, at least one.
    pub sizes: Vec<CaseSize>,
    /// Share of reads; what is neither read nor trim is written.
    #[serde(rename = "read_millionths")]
    pub read: ReadShare,
    /// Share of trims.
    #[serde(rename = "trim_millionths", default, skip_serializing_if = "is_none")]
    pub trim: Percent,
    /// Part of the area.
    pub span: SpanOfArea,
    /// What writes carry.
    #[serde(default = "incompressible", skip_serializing_if = "is_incompressible")]
    pub data: Data,
    /// Writes between flushes; none: no flushes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush_every: Option<u32>,
    /// The pause of a slot, and after how many of its operations; none: no pauses.
    #[serde(default, rename = "think_time_ns_after", skip_serializing_if = "Option::is_none")]
    pub think_time: Option<(RunTime, u32)>,
}

const fn all() -> Percent {
    Percent::HUNDRED
}

fn is_all(share: &Percent) -> bool {
    *share == Percent::HUNDRED
}

fn is_none(share: &Percent) -> bool {
    *share == Percent::ZERO
}

/// A size of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSize {
    /// The operations that have it; none: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Bytes.
    #[serde(rename = "bytes")]
    pub size: BlockSize,
    /// Its share of these operations.
    #[serde(rename = "share_millionths", default = "all", skip_serializing_if = "is_all")]
    pub share: Percent,
}

/// How random offsets fall over the span (semantics S5).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseSpread {
    /// Every block once in a pass.
    pub once: bool,
    /// Share of the operations that draw a new offset; none: all.
    #[serde(rename = "seek_millionths")]
    pub seek: Option<Percent>,
    /// What offsets are a multiple of; none: the one block size.
    pub align: Option<Align>,
    /// Zones with their shares of the operations, from the start of the span.
    pub zones: Vec<(ZoneLength, Percent)>,
    /// Zipf's law with this exponent.
    pub zipf_theta: Option<f64>,
    /// Pareto's law with this skew.
    pub pareto_h: Option<f64>,
}

impl CaseSpread {
    /// True for uniformly random offsets, aligned to the one block size.
    pub fn is_uniform(&self) -> bool {
        *self == Self::default()
    }
}

/// Where on a load curve a case is (semantics S8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnCurve {
    /// The closed loop that gives the maximum; its number among the repetitions, from 1.
    Maximum(u32),
    /// A rated point in shares of the maximum.
    #[serde(rename = "share_millionths")]
    Share(Percent),
}

/// When a case ends: the first limit that is reached. At least one is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseLimits {
    /// Length of the window.
    #[serde(rename = "time_ns")]
    pub time: Option<RunTime>,
    /// Bytes written in the window; of drive writes, once a drive is known.
    #[serde(rename = "written_bytes")]
    pub written: Option<ByteCount>,
    /// Bytes written in the window, as a multiple of the device's capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_writes: Option<f64>,
    /// Bytes moved in the window, as a multiple of the load's span.
    pub passes: Option<u32>,
    /// True where a steady state ends it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steady: bool,
}

/// A case of the simplest kind: one workload of one stream, one size, offsets uniform or sequential, reads and writes
/// of fresh random data as fast as possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlainCase<'c> {
    /// The workload's name.
    pub workload: &'c str,
    /// Threads.
    pub threads: Threads,
    /// Depth of each thread.
    pub queue_depth: QueueDepth,
    /// Order of offsets.
    pub access: Access,
    /// Size of one operation.
    pub block_size: BlockSize,
    /// Share of reads; the rest are writes.
    pub read: ReadShare,
    /// Part of the area.
    pub span: SpanOfArea,
}

impl Case {
    /// The case as one of the simplest kind; none where it is more than that.
    pub fn plain(&self) -> Option<PlainCase<'_>> {
        let [load] = self.loads.as_slice() else { return None };
        let [stream] = load.streams.as_slice() else { return None };
        let [CaseSize { side: None, size, share: Percent::HUNDRED }] = stream.sizes.as_slice() else { return None };
        let is_plain_load = load.rate.is_none()
            && load.arrivals.is_none()
            && load.burst.is_none()
            && is_beginning(&load.start)
            && self.on_curve.is_none()
            && self.picked_by.is_none()
            && self.limits.drive_writes.is_none()
            && !self.limits.steady;
        let is_plain_stream = stream.spread.is_uniform()
            && stream.trim == Percent::ZERO
            && is_incompressible(&stream.data)
            && stream.flush_every.is_none()
            && stream.think_time.is_none();
        (is_plain_load && is_plain_stream).then_some(PlainCase {
            workload: &load.workload,
            threads: load.threads,
            queue_depth: load.queue_depth,
            access: stream.access,
            block_size: *size,
            read: stream.read,
            span: stream.span,
        })
    }

    /// All streams of all loads.
    pub fn streams(&self) -> impl Iterator<Item = &CaseStream> {
        self.loads.iter().flat_map(|load| &load.streams)
    }

    /// Operations that are outstanding at most.
    pub fn slots(&self) -> u64 {
        self.loads.iter().map(|load| OutstandingIo::of(load.threads, load.queue_depth).get()).sum()
    }

    /// Share of all operations that are asked to read, from 0 to 1; none where several loads leave it to the drive.
    pub fn read_share(&self) -> Option<f64> {
        let [load] = self.loads.as_slice() else { return None };
        let of = |stream: &CaseStream| stream.share.as_factor() * stream.read.percent().as_factor();
        Some(load.streams.iter().map(of).sum())
    }

    /// True where some operations read and others write.
    pub fn is_mix(&self) -> bool {
        self.has_reads() && self.has_writes()
    }

    /// True where some operation reads.
    pub fn has_reads(&self) -> bool {
        self.streams().any(|stream| stream.read.has_reads())
    }

    /// True where some operation writes or trims.
    pub fn has_writes(&self) -> bool {
        self.streams().any(|stream| stream.write_share() > Percent::ZERO || stream.trim > Percent::ZERO)
    }
}

impl CaseStream {
    /// Share of the stream's operations that write: what is neither read nor trimmed.
    pub fn write_share(&self) -> Percent {
        let others = self.read.percent().parts_per_million().saturating_add(self.trim.parts_per_million());
        Percent::from_parts_per_million(Percent::WHOLE.saturating_sub(others))
    }

    /// Share of the stream's operations of a side.
    pub fn side_share(&self, side: Side) -> Percent {
        match side {
            Side::Read => self.read.percent(),
            Side::Write => self.write_share(),
            Side::Trim => self.trim,
        }
    }

    /// The largest operation.
    pub fn largest(&self) -> Option<BlockSize> {
        self.sizes.iter().map(|size| size.size).max()
    }

    /// The mean size in bytes of the operations of a side; 0 where it has none.
    pub fn mean_bytes(&self, side: Side) -> f64 {
        let sizes = self.sizes.iter().filter(|size| size.side.is_none_or(|only| only == side));
        let (sum, weight) = sizes.fold((0.0, 0.0), |(sum, weight), size| {
            let share = size.share.as_factor();
            (sum + share * size.size.get() as f64, weight + share)
        });
        if weight > 0.0 { sum / weight } else { 0.0 }
    }

    /// The part of the area, as bytes or a share of it.
    pub const fn length(&self) -> Extent {
        self.span.length
    }
}
