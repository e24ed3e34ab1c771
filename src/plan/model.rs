//! The plan as meant: every value closed or left to a matrix axis, every reference resolved, every default filled in.
//!
//! A value of these types comes out of `plan::load` alone and has passed every check that needs only the text.
//! Places in the text are kept where a drive may still object and for footnotes; they take no part in the meaning.

use serde::{Deserialize, Serialize};

pub use crate::lang::Provenance;
use crate::text::Span;
use crate::units::{BlockSize, ByteCount, Percent, QueueDepth, ReadShare, RunTime, Threads};

/// A value with its provenance and the place that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// Its provenance; a node's annotation covers the values in it that have none of their own.
    pub provenance: Provenance,
    /// True where the plan says nothing and the value is the tool's default.
    pub is_default: bool,
    /// The value's place; for a default, the node that lacks it.
    pub span: Span,
}

impl<T> Given<T> {
    /// A value that stands in the plan.
    pub const fn written(value: T, provenance: Provenance, span: Span) -> Self {
        Self { value, provenance, is_default: false, span }
    }

    /// A default, for the node at `span`.
    pub const fn default_at(value: T, span: Span) -> Self {
        Self { value, provenance: Provenance::Chosen, is_default: true, span }
    }
}

/// A value of a load: the same for all its cases, or one of the axes of its matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting<T> {
    /// One value for all cases.
    Fixed(Given<T>),
    /// The matrix has an axis of this kind.
    Axis,
}

/// A whole plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The `plan` node.
    pub header: Header,
    /// What the plan needs of the drive in each role. The core runs one role.
    pub devices: Vec<DeviceNeed>,
    /// What of the host is method.
    pub host: Host,
    /// The parameters with the values that hold in this run, in the order of the plan.
    pub params: Vec<ParamValue>,
    /// The workloads that are defined, in the order of the plan.
    pub workloads: Vec<Workload>,
    /// Steps before the first test.
    pub setup: Vec<Step>,
    /// Steps before every test, after `setup`.
    pub before_each: Vec<Step>,
    /// The tests, in the order of the plan; at least one, or `setup` has steps.
    pub tests: Vec<Test>,
    /// The texts that all places of the plan are in; no part of the meaning.
    pub texts: super::Texts,
}

impl Plan {
    /// Leaves out all tests but those of these names; `setup` and `before-each` stay.
    ///
    /// # Errors
    /// The first name that no test has; the plan is as before.
    pub fn keep_tests(&mut self, names: &[String]) -> Result<(), String> {
        let is_known = |name: &&String| self.tests.iter().any(|test| test.name.value == **name);
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            return Err(unknown.clone());
        }
        self.tests.retain(|test| names.contains(&test.name.value));
        Ok(())
    }
}

/// The `plan` node.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The plan's name.
    pub name: Given<String>,
    /// A line for people.
    pub title: Option<String>,
    /// The author's count of revisions.
    pub revision: Option<u64>,
    /// What the method follows.
    pub source: Option<String>,
    /// Anything else.
    pub note: Option<String>,
    /// Root of every random sequence.
    pub seed: Given<u64>,
}

/// A `device` node: what the plan needs of a drive. Not part of the method.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceNeed {
    /// The role, as used by `--device ROLE=TARGET`.
    pub role: Given<String>,
    /// Media that the plan is for (`qlc`, `tlc` …); empty: any. For people: a drive does not tell.
    pub media: Vec<Given<String>>,
    /// Interfaces that the plan is for (`nvme`, `sata`, `sas`); empty: any.
    pub interfaces: Vec<Given<String>>,
    /// Smallest capacity.
    pub capacity_min: Option<Given<ByteCount>>,
    /// Largest capacity.
    pub capacity_max: Option<Given<ByteCount>>,
    /// Bytes that may be written over the drive's life, for the budget.
    pub rated_endurance: Option<Given<ByteCount>>,
    /// Size of the SLC cache, for remarks on small areas.
    pub slc_cache: Option<Given<ByteCount>>,
    /// Bytes per second that the drive reaches at most, for estimates.
    pub at_most_bytes_per_second: Option<Given<u64>>,
    /// The node's name.
    pub span: Span,
}

/// The `host` node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// How I/O is issued.
    pub engine: Given<EngineKind>,
}

/// An I/O engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// One operating-system thread for each of the threads x queue-depth slots, blocking in pread and pwrite.
    Sync,
    /// One ring of the queue depth for each thread.
    IoUring,
}

impl EngineKind {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Sync => "sync",
            EngineKind::IoUring => "io-uring",
        }
    }
}

/// A parameter with the value that holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamValue {
    /// Its name, without `$`.
    pub name: String,
    /// The value that holds, as it would be written.
    pub value: String,
    /// The value that the plan gives.
    pub plan_value: String,
    /// What it is for.
    pub describe: Option<String>,
}

impl ParamValue {
    /// True where `--set` gave another value than the plan.
    pub fn is_changed(&self) -> bool {
        self.value != self.plan_value
    }
}

/// A named workload. What it leaves open is closed by each load that uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its name.
    pub name: Given<String>,
    /// Order of offsets.
    pub access: Option<Given<Access>>,
    /// Size of one I/O.
    pub block_size: Option<Given<BlockSize>>,
    /// Share of reads.
    pub read: Option<Given<ReadShare>>,
    /// Part of the area.
    pub span: Option<Given<SpanOfArea>>,
}

/// The order of offsets (semantics S3, S5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Uniformly random with repeats, aligned to the block size.
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

/// One test: a protocol of steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// Its name.
    pub name: Given<String>,
    /// A line for people.
    pub title: Option<String>,
    /// How often the whole protocol is done, at least 1.
    pub repeat: Given<u32>,
    /// What would be refused or remarked on otherwise, with the author's reason.
    pub allows: Vec<Allow>,
    /// The steps in the order in which they happen.
    pub steps: Vec<Step>,
}

/// An `allow` node: the author knows and gives a reason, which the report prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    /// What is allowed: `unwritten-reads`.
    pub what: Given<String>,
    /// The step it is for; none: the whole test.
    pub in_step: Option<Given<String>>,
    /// The reason.
    pub because: Given<String>,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What names the step in ids and tables: `as`, else the workload's name, else the node's name.
    /// In a `for-each` its value stands behind that: `recovered pause=30s`.
    /// Unique within its test (or within `setup`, `before-each`).
    pub label: String,
    /// The names of the `for-each` around with their values as shown, the outermost first.
    pub variant: Vec<(String, String)>,
    /// What is to be done.
    pub kind: StepKind,
    /// The provenance of the step itself.
    pub provenance: Provenance,
    /// The node's name in the text, for diagnostics.
    pub span: Span,
}

impl Step {
    /// The label without the values of the `for-each` around: what the text calls the step.
    pub fn name(&self) -> &str {
        name_in_label(&self.label, &self.variant)
    }
}

/// What a label has behind the step's own name: ` size=4KiB depth=8`.
pub(super) fn label_suffix(variant: &[(String, String)]) -> String {
    variant.iter().map(|(name, value)| format!(" {name}={value}")).collect()
}

/// A label without the values of the `for-each` around.
pub(crate) fn name_in_label<'l>(label: &'l str, variant: &[(String, String)]) -> &'l str {
    label.strip_suffix(label_suffix(variant).as_str()).unwrap_or(label)
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// Writes the area from its start.
    Fill(Fill),
    /// No command at all, this long.
    Idle(Given<RunTime>),
    /// A load whose results are not published as the drive's figures.
    Precondition(Load),
    /// A load whose cases are measured.
    Measure(Load),
}

/// A `fill` step: sequential writes over the area by one shared cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct Fill {
    /// How much is written.
    pub amount: Given<FillAmount>,
    /// Size of one write; the last one may be shorter so that no hole is left.
    pub block_size: Given<BlockSize>,
    /// Threads.
    pub threads: Given<Threads>,
    /// Depth of each thread.
    pub queue_depth: Given<QueueDepth>,
}

/// How much a fill writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FillAmount {
    /// So many times the whole area, at least 1.
    Passes(u32),
    /// Bytes or a share of the area, from its start; at most the whole.
    Extent(Extent),
}

/// A load: a workload at a number of threads and queue depth, and a length; or a matrix of such.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// The workload's name.
    pub workload: Given<String>,
    /// Order of offsets.
    pub access: Given<Access>,
    /// Size of one I/O.
    pub block_size: Setting<BlockSize>,
    /// Share of reads.
    pub read: Setting<ReadShare>,
    /// Part of the area.
    pub span: Given<SpanOfArea>,
    /// Threads.
    pub threads: Setting<Threads>,
    /// Depth of each thread.
    pub queue_depth: Setting<QueueDepth>,
    /// The axes in the order in which they are written; the last one varies fastest. Empty: one case.
    pub axes: Vec<Axis>,
    /// Time at full pace before the window, for every case.
    pub ramp: Given<RunTime>,
    /// When a case ends: the first limit that is reached; at least one is there.
    pub run: RunLimits,
    /// Length of an interval.
    pub sample: Given<RunTime>,
}

/// An axis of a matrix: a kind of value and at least one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Axis {
    /// Threads.
    Threads(Vec<Given<Threads>>),
    /// Queue depths.
    QueueDepth(Vec<Given<QueueDepth>>),
    /// Block sizes.
    BlockSize(Vec<Given<BlockSize>>),
    /// Shares of reads.
    Read(Vec<Given<ReadShare>>),
}

impl Axis {
    /// As the plan spells it.
    pub const fn name(&self) -> &'static str {
        match self {
            Axis::Threads(_) => "threads",
            Axis::QueueDepth(_) => "queue-depth",
            Axis::BlockSize(_) => "block-size",
            Axis::Read(_) => "read",
        }
    }

    /// How many values it has.
    pub fn len(&self) -> usize {
        match self {
            Axis::Threads(values) => values.len(),
            Axis::QueueDepth(values) => values.len(),
            Axis::BlockSize(values) => values.len(),
            Axis::Read(values) => values.len(),
        }
    }

    /// An axis always has values; this is here because `len` is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The limits of `run`, counted from the start of the window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunLimits {
    /// Length of the window.
    pub time: Option<Given<RunTime>>,
    /// Bytes written.
    pub written: Option<Given<ByteCount>>,
    /// Bytes moved, as a multiple of the load's span.
    pub passes: Option<Given<u32>>,
}
