//! The plan as meant: every value closed or left to a matrix axis, every reference resolved, every default filled in.
//!
//! A value of these types comes out of `plan::load` alone and has passed every check that needs only the text.
//! Places in the text are kept where a drive may still object and for footnotes; they take no part in the meaning.

mod judge;
mod load;
mod pace;
mod purge;
mod report;
mod step;
mod words;
mod workload;

use serde::{Deserialize, Serialize};

pub use crate::lang::Provenance;
use crate::text::Span;
use crate::units::{ByteCount, Percent, RunTime};
pub use judge::{
    Bound, Expect, Mark, MetricValue, NamedWindow, NotBefore, SteadyState, SteadyWindow, TrackedCase, WindowPart,
};
pub use load::{Axis, AxisValue, Load, LoadPart, OnError, OnInterruption, Setting, Skip};
pub use pace::{Arrivals, Burst, Curve, CurvePoints, Rate, RateAmount, RunLimits, Start, WrittenLimit};
pub use purge::{PurgeAction, PurgeMethod, SecureErase};
pub use report::{Number, ReportView, Series, SeriesAxis};
pub(super) use step::label_suffix;
pub(crate) use step::name_in_label;
pub use step::{
    CoolDown, DriveSetting, Fill, FillAmount, Partition, Pick, PickChoice, Replay, ReplayMap, RoundCount, Rounds, Step,
    StepKind, VerifyTarget,
};
pub use workload::{
    Access, Align, Data, Extent, OpenStream, Parts, Side, SizeShare, Sizes, SpanOfArea, Spread, Stream, ThinkTime,
    Workload, Zone, ZoneLength,
};

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
    /// What is shown of the results. Not part of the method.
    pub report: ReportView,
    /// Words that this version checks and expands but does not carry out, each where it stands first.
    pub not_run: Vec<NotRun>,
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
        self.not_run.retain(|word| word.test.as_ref().is_none_or(|test| names.contains(test)));
        Ok(())
    }
}

impl Plan {
    /// Every step of the plan in the order in which it is written, those inside of steps behind them.
    pub fn all_steps(&self) -> Vec<&Step> {
        fn push<'p>(steps: &'p [Step], all: &mut Vec<&'p Step>) {
            for step in steps {
                all.push(step);
                push(step.kind.inner(), all);
            }
        }
        let mut all = Vec::new();
        push(&self.setup, &mut all);
        push(&self.before_each, &mut all);
        for test in &self.tests {
            push(&test.steps, &mut all);
        }
        all
    }
}

/// A word of the plan that this version cannot carry out; a run of it is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRun {
    /// The word as messages say it, in backquotes: `` `rounds` ``, `` `run steady=` ``.
    pub word: String,
    /// Its place.
    pub span: Span,
    /// The test that it stands in; none: in no test.
    pub test: Option<String>,
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
    /// The longest that a run may take.
    pub max_time: Option<Given<RunTime>>,
    /// The most that a run may write.
    pub max_written: Option<Given<WrittenCap>>,
}

/// Bytes that a plan may write at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenCap {
    /// So many bytes.
    Bytes(ByteCount),
    /// Times the capacity of the device.
    DriveWrites(f64),
    /// A share of the device's rated endurance.
    #[serde(rename = "share_of_endurance_millionths")]
    ShareOfEndurance(Percent),
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
    /// The most operations that one call submits (`io-uring`); none: the engine's own choice.
    pub batch: Option<Given<u32>>,
    /// How completions are learnt of.
    pub completions: Given<Completions>,
    /// Size of the pool of random data that writes are made from; none: the engine's own choice.
    pub data_pool: Option<Given<ByteCount>>,
}

/// How completions are learnt of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Completions {
    /// The drive interrupts.
    Interrupt,
    /// The host asks again and again.
    Polled,
}

impl Completions {
    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Completions::Interrupt => "interrupt",
            Completions::Polled => "polled",
        }
    }
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
