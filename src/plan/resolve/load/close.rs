//! One part of a load from its workload, its own children and the axes of the matrix: each value exactly once (R4, R5).

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::defaults;
use crate::plan::model::{self, Access, Axis, Given, LoadPart, Setting, Sizes, Spread, Stream};
use crate::plan::written::{self, Cursor, Leaf, Plan, Workload};
use crate::text::Span;
use crate::units::{BlockSize, Percent, QueueDepth, ReadShare, Threads};

use super::super::{bound_slots, given_as, no_threads, window};
use super::{or_default, pace};

/// One part of a load with everything that says something about it.
struct Sides<'p> {
    part: &'p written::LoadPart,
    load: &'p written::Load,
    /// The workload, where it is defined.
    workload: Option<&'p Workload>,
}

/// What came of a part.
pub(super) struct Closed {
    /// Everything closed; none where something is missing or wrong.
    pub(super) part: Option<LoadPart>,
    /// The share of reads of the case that writes least.
    least_writing: Option<Given<ReadShare>>,
}

/// Of several parts the share of reads of the one that writes most; none where it is not known.
pub(super) fn most_writing(parts: &[Closed]) -> Option<Given<ReadShare>> {
    let all: Option<Vec<Given<ReadShare>>> = parts.iter().map(|part| part.least_writing).collect();
    all?.into_iter().min_by_key(|given| given.value)
}

/// Closes a part.
pub(super) fn part(
    part: &written::LoadPart,
    load: &written::Load,
    plan: &Plan,
    diagnostics: &mut Diagnostics,
) -> Closed {
    let name = part.workload.given();
    let workload = plan.workloads.iter().find(|workload| name.is_some_and(|name| name.value == workload.name.value));
    let sides = Sides { part, load, workload };
    sides.report_open(diagnostics);
    let parts = workload.map(|workload| &workload.parts);
    let access = sides.once("access", parts.map(|parts| &parts.access), &part.parts.access, diagnostics);
    let block_size =
        sides.once("block-size", parts.map(|parts| &parts.block_size), &part.parts.block_size, diagnostics);
    let read = sides.once("read", parts.map(|parts| &parts.read), &part.parts.read, diagnostics);
    let span = match sides.once("span", parts.map(|parts| &parts.span), &part.parts.span, diagnostics) {
        Some(Leaf::Absent) => Some(Given::default_at(defaults::SPAN, part.span)),
        other => other.and_then(|leaf| leaf.given().copied()),
    };
    let threads = sides.once("threads", None, &part.threads, diagnostics);
    let queue_depth = match sides.once("queue-depth", None, &part.queue_depth, diagnostics) {
        Some(Leaf::Absent) if sides.axis("queue-depth").is_none() => {
            Some(Leaf::Written(Given::default_at(defaults::QUEUE_DEPTH, part.span)))
        }
        other => other,
    };
    if part.threads.is_absent() && sides.axis("threads").is_none() && !sides.is_partial() && !load.has_faulty_axes {
        diagnostics.push(no_threads("the load", part.head));
    }
    let threads = sides.setting("threads", threads);
    let queue_depth = sides.setting("queue-depth", queue_depth);
    let axes: Vec<Axis> = load.axes.iter().map(|axis| axis.axis.clone()).collect();
    if let (Some(threads), Some(depth)) = (most_threads(&threads, &axes), deepest(&queue_depth, &axes)) {
        bound_slots(threads, depth, diagnostics);
    }
    let access = access.and_then(|leaf| leaf.given().copied());
    let access = access.and_then(|access| cursor_is_named(access, most_threads(&threads, &axes), diagnostics));
    let block_size = sides.setting("block-size", block_size);
    let read = sides.setting("read", read);
    window::fits_span(span, largest_block(&block_size, &axes), diagnostics);
    let rate = sides.once("rate", None, &part.rate, diagnostics);
    pace::check(part, load, access.map(|access| access.value), diagnostics);
    let least_writing = mostly_reads(&read, &axes);
    let closed = || {
        let stream = Stream {
            name: None,
            share: Given::default_at(Percent::HUNDRED, part.span),
            access: access?,
            spread: Spread::default(),
            block_size: Sizes::One(block_size?),
            read: read?,
            trim: Setting::Fixed(Given::default_at(Percent::ZERO, part.span)),
            span: Setting::Fixed(span?),
            data: Given::default_at(defaults::DATA, part.span),
            flush_every: None,
            think_time: None,
        };
        Some(LoadPart {
            name: part.name.clone(),
            workload: name?.clone(),
            streams: vec![stream],
            threads: threads?,
            queue_depth: queue_depth?,
            rate: match rate? {
                Leaf::Written(given) => Some(Setting::Fixed(given)),
                Leaf::Absent => sides.axis("rate").map(|_| Setting::Axis),
                Leaf::Faulty => return None,
            },
            arrivals: or_default(part.arrivals, defaults::ARRIVALS, part.span)?,
            burst: match part.burst {
                Leaf::Written(given) => Some(given.value),
                Leaf::Absent => None,
                Leaf::Faulty => return None,
            },
            start: or_default(part.start, defaults::START, part.span)?,
        })
    };
    Closed { part: closed(), least_writing }
}

impl<'p> Sides<'p> {
    fn is_partial(&self) -> bool {
        self.part.is_partial || self.load.is_partial
    }

    fn axis(&self, name: &str) -> Option<&'p written::Axis> {
        self.load.axes.iter().find(|axis| axis.axis.name() == name)
    }

    /// Reports, in one diagnostic, what neither workload nor load nor matrix says.
    fn report_open(&self, diagnostics: &mut Diagnostics) {
        let Some(workload) = self.workload else { return };
        if workload.is_partial || self.is_partial() || self.load.has_faulty_axes {
            return;
        }
        let (theirs, own) = (&workload.parts, &self.part.parts);
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
                .label(self.part.head, "the load has to say what its workload leaves open")
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
pub(in crate::plan::resolve) const fn resolved(access: written::Access) -> Access {
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
