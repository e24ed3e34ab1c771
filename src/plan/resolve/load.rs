//! A load from its workload, its own children and the axes of its matrix: each value exactly once (R4, R5).

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::defaults;
use crate::plan::limits;
use crate::plan::model::{
    self, Access, Axis, Given, Load, LoadPart, RunLimits, Setting, Sizes, Spread, Stream, WrittenLimit,
};
use crate::plan::written::{self, Cursor, Leaf, Plan, Step, StepKind, Workload};
use crate::text::Span;
use crate::units::{BlockSize, Percent, QueueDepth, ReadShare, Threads};

use super::{bound_slots, given_as, no_threads, window};

/// One load with everything that says something about it.
struct Sides<'p> {
    load: &'p written::Load,
    step: &'p Step,
    /// The workload, where it is defined.
    workload: Option<&'p Workload>,
}

/// Resolves a load.
pub(super) fn load(load: &written::Load, step: &Step, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<Load> {
    let name = load.workload.given();
    let workload = plan.workloads.iter().find(|workload| name.is_some_and(|name| name.value == workload.name.value));
    let sides = Sides { load, step, workload };
    sides.report_open(diagnostics);
    let parts = workload.map(|workload| &workload.parts);
    let access = sides.once("access", parts.map(|parts| &parts.access), &load.parts.access, diagnostics);
    let block_size =
        sides.once("block-size", parts.map(|parts| &parts.block_size), &load.parts.block_size, diagnostics);
    let read = sides.once("read", parts.map(|parts| &parts.read), &load.parts.read, diagnostics);
    let span = match sides.once("span", parts.map(|parts| &parts.span), &load.parts.span, diagnostics) {
        Some(Leaf::Absent) => Some(Given::default_at(defaults::SPAN, step.span)),
        other => other.and_then(|leaf| leaf.given().copied()),
    };
    let threads = sides.once("threads", None, &load.threads, diagnostics);
    let queue_depth = match sides.once("queue-depth", None, &load.queue_depth, diagnostics) {
        Some(Leaf::Absent) if sides.axis("queue-depth").is_none() => {
            Some(Leaf::Written(Given::default_at(defaults::QUEUE_DEPTH, step.span)))
        }
        other => other,
    };
    if load.threads.is_absent() && sides.axis("threads").is_none() && !load.is_partial && !load.has_faulty_axes {
        diagnostics.push(no_threads("the load", step.head));
    }
    let threads = sides.setting("threads", threads);
    let queue_depth = sides.setting("queue-depth", queue_depth);
    let axes: Vec<Axis> = load.axes.iter().map(|axis| axis.axis.clone()).collect();
    if let (Some(threads), Some(depth)) = (most_threads(&threads, &axes), deepest(&queue_depth, &axes)) {
        bound_slots(threads, depth, diagnostics);
    }
    bound_cases(load, diagnostics);
    let access = access.and_then(|leaf| leaf.given().copied());
    let access = access.and_then(|access| cursor_is_named(access, most_threads(&threads, &axes), diagnostics));
    let block_size = sides.setting("block-size", block_size);
    let read = sides.setting("read", read);
    window::fits_span(span, largest_block(&block_size, &axes), diagnostics);
    let run = window::run(&sides_run(load, step, diagnostics)?, mostly_reads(&read, &axes), diagnostics);
    let ramp = match load.ramp {
        Leaf::Absent => Some(Given::default_at(defaults::RAMP, step.span)),
        ref leaf => leaf.given().copied(),
    };
    let sample = match load.sample {
        Leaf::Absent => Some(Given::default_at(defaults::SAMPLE, step.span)),
        ref leaf => leaf.given().copied(),
    };
    let is_measured = matches!(step.kind, StepKind::Measure(_));
    if let (Some(run), Some(sample)) = (&run, sample) {
        window::intervals(run, sample, is_measured, diagnostics);
    }
    let stream = Stream {
        name: None,
        share: Given::default_at(Percent::HUNDRED, step.span),
        access: access?,
        spread: Spread::default(),
        block_size: Sizes::One(block_size?),
        read: read?,
        trim: Setting::Fixed(Given::default_at(Percent::ZERO, step.span)),
        span: Setting::Fixed(span?),
        data: Given::default_at(defaults::DATA, step.span),
        flush_every: None,
        think_time: None,
    };
    let part = LoadPart {
        name: None,
        workload: name?.clone(),
        streams: vec![stream],
        threads: threads?,
        queue_depth: queue_depth?,
        rate: None,
        arrivals: Given::default_at(defaults::ARRIVALS, step.span),
        burst: None,
        start: Given::default_at(defaults::START, step.span),
    };
    Some(Load {
        parts: vec![part],
        axes,
        skips: Vec::new(),
        curve: None,
        load_of: None,
        ramp: ramp?,
        run: run?,
        sample: sample?,
        health_every: None,
        windows: Vec::new(),
        steady_state: None,
        between_cases: Vec::new(),
        expects: Vec::new(),
        on_error: Given::default_at(defaults::ON_ERROR, step.span),
        on_interruption: Given::default_at(defaults::ON_INTERRUPTION, step.span),
    })
}

/// How long the load lasts, as written; a load that says nothing is reported.
fn sides_run(load: &written::Load, step: &Step, diagnostics: &mut Diagnostics) -> Option<written::Run> {
    if let Some(run) = &load.run {
        return Some(run.clone());
    }
    if !load.is_partial {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NO_RUN, "the load does not say how long it lasts")
                .label(step.head, "needs `run`")
                .help("add `run \"60s\"`, `run written=\"10GB\"` or `run passes=1`"),
        );
    }
    None
}

impl<'p> Sides<'p> {
    fn axis(&self, name: &str) -> Option<&'p written::Axis> {
        self.load.axes.iter().find(|axis| axis.axis.name() == name)
    }

    /// Reports, in one diagnostic, what neither workload nor load nor matrix says.
    fn report_open(&self, diagnostics: &mut Diagnostics) {
        let Some(workload) = self.workload else { return };
        if workload.is_partial || self.load.is_partial || self.load.has_faulty_axes {
            return;
        }
        let (theirs, own) = (&workload.parts, &self.load.parts);
        let open: Vec<(&str, &str)> = [
            ("access", theirs.access.is_absent() && own.access.is_absent(), "access \"random\""),
            ("block-size", theirs.block_size.is_absent() && own.block_size.is_absent(), "block-size \"4KiB\""),
            ("read", theirs.read.is_absent() && own.read.is_absent(), "read \"100%\""),
        ]
        .into_iter()
        .filter(|(name, is_open, _)| *is_open && self.axis(name).is_none())
        .map(|(name, _, example)| (name, example))
        .collect();
        if open.is_empty() {
            return;
        }
        let names: Vec<String> = open.iter().map(|(name, _)| format!("`{name}`")).collect();
        let names = match names.as_slice() {
            [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
            _ => names.concat(),
        };
        let examples: Vec<String> = open.iter().map(|(_, example)| format!("`{example}`")).collect();
        diagnostics.push(
            Diagnostic::error(code::WORKLOAD_OPEN, format!("nothing says {names} of this load"))
                .label(self.step.head, "the load has to say what its workload leaves open")
                .also(workload.name.span, "left open here")
                .help(format!("write {} here or in the workload, as the method has it", examples.join(" and "))),
        );
    }

    /// The one value from workload or load; `Absent` where an axis gives it or nobody does; `None` where two give it.
    fn once<T: Copy>(
        &self,
        name: &str,
        theirs: Option<&Leaf<T>>,
        own: &Leaf<T>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Leaf<T>> {
        let mut places: Vec<(Span, String)> = Vec::new();
        if let Some(given) = theirs.and_then(Leaf::given) {
            let workload = self.workload.map_or("", |workload| &workload.name.value);
            places.push((given.span, format!("workload {workload:?} sets it")));
        }
        if let Some(given) = own.given() {
            places.push((
                given.span,
                if places.is_empty() { "the load sets it" } else { "the load sets it again" }.into(),
            ));
        }
        if let Some(axis) = self.axis(name) {
            places.push((axis.span, if places.is_empty() { "" } else { "the matrix sets it again" }.into()));
        }
        if let [first, again, ..] = places.as_slice() {
            diagnostics.push(
                Diagnostic::error(code::LOAD_SET_TWICE, format!("the `{name}` of this load is set twice"))
                    .label(again.0, again.1.clone())
                    .also(first.0, first.1.clone())
                    .help("keep one of them; what loads are to vary is left open by the workload"),
            );
            return None;
        }
        match (theirs, own) {
            (Some(Leaf::Written(given)), _) | (_, Leaf::Written(given)) => Some(Leaf::Written(*given)),
            (Some(Leaf::Faulty), _) | (_, Leaf::Faulty) => Some(Leaf::Faulty),
            _ => Some(Leaf::Absent),
        }
    }

    /// The value, or that there is an axis of it.
    fn setting<T: Copy>(&self, name: &str, leaf: Option<Leaf<T>>) -> Option<Setting<T>> {
        match leaf? {
            Leaf::Written(given) => Some(Setting::Fixed(given)),
            Leaf::Absent if self.axis(name).is_some() => Some(Setting::Axis),
            Leaf::Absent | Leaf::Faulty => None,
        }
    }
}

/// With one thread a shared cursor and a lane are the same.
pub(super) const fn resolved(access: written::Access) -> Access {
    match access {
        written::Access::Random => Access::Random,
        written::Access::Sequential(Some(Cursor::Lanes)) => Access::SequentialLanes,
        written::Access::Sequential(_) => Access::SequentialShared,
    }
}

/// Several threads have no default for how they divide sequential access (S3).
fn cursor_is_named(
    access: Given<written::Access>,
    threads: Option<Given<Threads>>,
    diagnostics: &mut Diagnostics,
) -> Option<Given<Access>> {
    if let (written::Access::Sequential(None), Some(threads)) = (access.value, threads)
        && threads.value > Threads::ONE
    {
        diagnostics.push(
            Diagnostic::error(
                code::ACCESS_NO_CURSOR,
                format!("sequential access does not say how {} threads divide the span", threads.value),
            )
            .label(access.span, "needs `cursor=`")
            .also(threads.span, format!("{} threads", threads.value))
            .help("write `cursor=\"shared\"` for one cursor of all threads, or `cursor=\"lanes\"` for one lane each"),
        );
        return None;
    }
    Some(given_as(&access, resolved(access.value)))
}

/// Refuses a matrix that nobody could run.
fn bound_cases(load: &written::Load, diagnostics: &mut Diagnostics) {
    let cases = load.axes.iter().try_fold(1_u64, |cases, axis| cases.checked_mul(axis.axis.len() as u64));
    if cases.is_some_and(|cases| cases <= limits::CASES) {
        return;
    }
    let Some(first) = load.axes.first() else { return };
    let cases = cases.map_or("more cases than can be counted".into(), |cases| format!("{cases} cases"));
    let mut diagnostic = Diagnostic::error(code::MATRIX_TOO_MANY, format!("the matrix makes {cases}"))
        .label(first.span, format!("{} values", first.axis.len()))
        .help(format!("keep the product at {} or below, or write several steps", limits::CASES));
    for axis in &load.axes[1..] {
        diagnostic = diagnostic.also(axis.span, format!("times {}", axis.axis.len()));
    }
    diagnostics.push(diagnostic);
}

fn most_threads(setting: &Option<Setting<Threads>>, axes: &[Axis]) -> Option<Given<Threads>> {
    match setting.as_ref()? {
        Setting::Fixed(given) => Some(*given),
        Setting::Picked => None,
        Setting::Axis => axes.iter().find_map(|axis| match axis {
            model::Axis::Threads(values) => values.iter().max_by_key(|given| given.value).copied(),
            _ => None,
        }),
    }
}

fn deepest(setting: &Option<Setting<QueueDepth>>, axes: &[Axis]) -> Option<Given<QueueDepth>> {
    match setting.as_ref()? {
        Setting::Fixed(given) => Some(*given),
        Setting::Picked => None,
        Setting::Axis => axes.iter().find_map(|axis| match axis {
            model::Axis::QueueDepth(values) => values.iter().max_by_key(|given| given.value).copied(),
            _ => None,
        }),
    }
}

fn largest_block(setting: &Option<Setting<BlockSize>>, axes: &[Axis]) -> Option<Given<BlockSize>> {
    match setting.as_ref()? {
        Setting::Fixed(given) => Some(*given),
        Setting::Picked => None,
        Setting::Axis => axes.iter().find_map(|axis| match axis {
            model::Axis::BlockSize(values) => values.iter().max_by_key(|given| given.value).copied(),
            _ => None,
        }),
    }
}

/// The share of reads of the case that writes least.
fn mostly_reads(setting: &Option<Setting<ReadShare>>, axes: &[Axis]) -> Option<Given<ReadShare>> {
    match setting.as_ref()? {
        Setting::Fixed(given) => Some(*given),
        Setting::Picked => None,
        Setting::Axis => axes.iter().find_map(|axis| match axis {
            model::Axis::Read(values) => values.iter().max_by_key(|given| given.value).copied(),
            _ => None,
        }),
    }
}

/// The limits of a load, empty where one of them is faulty.
pub(super) fn limits_of(run: &written::Run) -> Option<RunLimits> {
    if run.time.is_faulty() || run.written.is_faulty() || run.passes.is_faulty() {
        return None;
    }
    let limits = RunLimits {
        time: run.time.given().copied(),
        written: run.written.given().map(|given| given_as(given, WrittenLimit::Bytes(given.value))),
        passes: run.passes.given().copied(),
        steady: None,
    };
    (limits != RunLimits::default()).then_some(limits)
}
