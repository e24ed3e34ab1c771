//! The plan as written: parameters replaced, every leaf with its place, everything optional that may be left out,
//! workloads referred to by name, defaults not filled in.

mod load;
mod workload;

use crate::text::{Span, Spanned};
use crate::units::{BlockSize, ByteCount, QueueDepth, Threads};
pub(super) use load::{Axis, Load, LoadPart, Run};
pub(super) use workload::{Access, Cursor, Parts, Stream, Workload};

use super::model::{
    self, Allow, DeviceNeed, EngineKind, FillAmount, Given, Header, Provenance, ReportView, RoundCount,
};

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

    /// The value where it is right, and that there is none where nothing is written; none at all where it is wrong.
    pub(super) fn optional(self) -> Option<Option<Given<T>>> {
        match self {
            Leaf::Absent => Some(None),
            Leaf::Faulty => None,
            Leaf::Written(given) => Some(Some(given)),
        }
    }

    /// What is written, for a value that must stand.
    pub(super) fn written(self) -> Option<Given<T>> {
        self.optional().flatten()
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
    pub(super) host: Host,
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
        sections.for_each(|section| section.name_variants(&variants));
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

    /// Every step in the order in which it is written, those inside of a step behind it.
    pub(super) fn all(&self) -> Vec<&Step> {
        fn push<'s>(steps: &'s Steps, all: &mut Vec<&'s Step>) {
            for step in &steps.steps {
                all.push(step);
                if let Some(inner) = step.kind.inner() {
                    push(inner, all);
                }
            }
        }
        let mut all = Vec::new();
        push(self, &mut all);
        all
    }

    /// True where something that could not be decoded stands here or in a step.
    pub(super) fn is_partial_within(&self) -> bool {
        self.is_partial || self.all().into_iter().filter_map(|step| step.kind.inner()).any(|inner| inner.is_partial)
    }

    fn name_variants(&mut self, variants: &impl Fn(Span) -> Vec<(String, String)>) {
        for step in &mut self.steps {
            step.variant = variants(step.span);
            if let Some(inner) = step.kind.inner_mut() {
                inner.name_variants(variants);
            }
        }
    }
}

/// The `host` node, as far as it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Host {
    pub(super) engine: Leaf<EngineKind>,
    pub(super) batch: Leaf<u32>,
    pub(super) completions: Leaf<model::Completions>,
    pub(super) data_pool: Leaf<ByteCount>,
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
    /// One that nothing else in the plan says anything about, with its name; none where something in it is wrong.
    Plain(&'static str, Option<Box<model::StepKind>>),
    Fill(Fill),
    Precondition(Load),
    Measure(Load),
    Rounds(Rounds),
}

impl StepKind {
    /// As the plan spells it.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            StepKind::Plain(name, _) => name,
            StepKind::Fill(_) => "fill",
            StepKind::Precondition(_) => "precondition",
            StepKind::Measure(_) => "measure",
            StepKind::Rounds(_) => "rounds",
        }
    }

    /// The steps inside of this one.
    pub(super) const fn inner(&self) -> Option<&Steps> {
        match self {
            StepKind::Rounds(rounds) => Some(&rounds.steps),
            StepKind::Measure(load) => Some(&load.between_cases),
            StepKind::Plain(..) | StepKind::Fill(_) | StepKind::Precondition(_) => None,
        }
    }

    const fn inner_mut(&mut self) -> Option<&mut Steps> {
        match self {
            StepKind::Rounds(rounds) => Some(&mut rounds.steps),
            StepKind::Measure(load) => Some(&mut load.between_cases),
            StepKind::Plain(..) | StepKind::Fill(_) | StepKind::Precondition(_) => None,
        }
    }
}

/// A `rounds` step.
#[derive(Debug, Clone, Default)]
pub(super) struct Rounds {
    pub(super) count: Leaf<RoundCount>,
    pub(super) steady_state: Leaf<model::SteadyState>,
    pub(super) steps: Steps,
}

/// A `fill` step.
#[derive(Debug, Clone, Default)]
pub(super) struct Fill {
    pub(super) amount: Leaf<FillAmount>,
    pub(super) on_device: Leaf<bool>,
    /// Random is with every block once.
    pub(super) access: Leaf<model::Access>,
    pub(super) data: Leaf<model::Data>,
    pub(super) block_size: Leaf<BlockSize>,
    pub(super) threads: Leaf<Threads>,
    pub(super) queue_depth: Leaf<QueueDepth>,
}
