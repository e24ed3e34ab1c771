//! The plan as written: parameters replaced, every leaf with its place, everything optional that may be left out,
//! workloads referred to by name, defaults not filled in.

mod load;
mod workload;

use crate::text::{Span, Spanned};
use crate::units::{BlockSize, QueueDepth, RunTime, Threads};
pub(super) use load::{Axis, Load, LoadPart, Run};
pub(super) use workload::{Access, Cursor, Parts, Stream, Workload};

use super::model::{Allow, DeviceNeed, EngineKind, Extent, FillAmount, Given, Header, Provenance, ReportView};

/// A value that may be left out, or may stand there and be wrong; the latter has been reported and is not missed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Leaf<T> {
    /// Nothing is written.
    #[default]
    Absent,
    /// Something is written, and what is wrong with it has been reported.
    Faulty,
    /// A value.
    Written(Given<T>),
}

impl<T> Leaf<T> {
    /// The value, if there is one.
    pub(super) const fn given(&self) -> Option<&Given<T>> {
        match self {
            Leaf::Written(given) => Some(given),
            Leaf::Absent | Leaf::Faulty => None,
        }
    }

    /// True where nothing is written, not even something wrong.
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self, Leaf::Absent)
    }

    /// True where something wrong is written.
    pub(super) const fn is_faulty(&self) -> bool {
        matches!(self, Leaf::Faulty)
    }
}

/// Everything that stands in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) header: Option<Header>,
    pub(super) devices: Vec<DeviceNeed>,
    /// The `host` node, where there is one.
    pub(super) engine: Leaf<EngineKind>,
    pub(super) workloads: Vec<Workload>,
    pub(super) setup: Steps,
    pub(super) before_each: Steps,
    pub(super) tests: Vec<Test>,
    /// What is shown of the results.
    pub(super) report: ReportView,
    /// Values in words that are not carried out yet; a name among them counts as used.
    pub(super) unread: Vec<String>,
    /// Some node at the top level is no word of the language: a mistyped `test`, say.
    pub(super) is_partial: bool,
}

impl Plan {
    /// All lists of steps, in the order in which they happen.
    pub(super) fn sections(&self) -> impl Iterator<Item = &Steps> {
        [&self.setup, &self.before_each].into_iter().chain(self.tests.iter().map(|test| &test.steps))
    }

    /// Tells each step the values of the `for-each` that it was put in for.
    pub(super) fn name_variants(&mut self, variants: impl Fn(Span) -> Vec<(String, String)>) {
        let sections = [&mut self.setup, &mut self.before_each].into_iter();
        let sections = sections.chain(self.tests.iter_mut().map(|test| &mut test.steps));
        for step in sections.flat_map(|section| &mut section.steps) {
            step.variant = variants(step.span);
        }
    }
}

/// Steps, with a mark where some have been refused, so that nobody misses them.
#[derive(Debug, Clone, Default)]
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// Something stands there that could not be decoded, and was reported.
    pub(super) is_partial: bool,
}

impl Steps {
    /// True where nothing stands, not even something wrong.
    pub(super) const fn is_empty(&self) -> bool {
        self.steps.is_empty() && !self.is_partial
    }
}

/// A `test` node.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) name: Given<String>,
    pub(super) title: Option<String>,
    pub(super) repeat: Leaf<u32>,
    pub(super) allows: Vec<Allow>,
    pub(super) steps: Steps,
}

/// A step.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    /// `as`, where it stands.
    pub(super) label: Option<Spanned<String>>,
    /// The names of the `for-each` around with their values as shown, the outermost first.
    pub(super) variant: Vec<(String, String)>,
    pub(super) provenance: Provenance,
    /// The node's name in the text.
    pub(super) span: Span,
    /// From the node's name to its last value.
    pub(super) head: Span,
}

/// What a step does.
#[derive(Debug, Clone)]
pub(super) enum StepKind {
    LimitTo(Leaf<Extent>),
    Fill(Fill),
    Trim(Leaf<Extent>),
    Idle(Leaf<RunTime>),
    Precondition(Load),
    Measure(Load),
}

impl StepKind {
    /// As the plan spells it.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            StepKind::LimitTo(_) => "limit-to",
            StepKind::Fill(_) => "fill",
            StepKind::Trim(_) => "trim",
            StepKind::Idle(_) => "idle",
            StepKind::Precondition(_) => "precondition",
            StepKind::Measure(_) => "measure",
        }
    }
}

/// A `fill` step.
#[derive(Debug, Clone, Default)]
pub(super) struct Fill {
    pub(super) amount: Leaf<FillAmount>,
    pub(super) block_size: Leaf<BlockSize>,
    pub(super) threads: Leaf<Threads>,
    pub(super) queue_depth: Leaf<QueueDepth>,
}
