//! One part of a load from its workload, its own children and the axes of the matrix: each value exactly once (R4, R5).

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::check::{load_name, load_of, pick_of};
use crate::plan::defaults;
use crate::plan::model::{self, Access, Axis, Given, LoadPart, Setting};
use crate::plan::written::{self, Leaf, Plan, Step, Steps};
use crate::text::Span;
use crate::units::{QueueDepth, Threads};

use super::super::streams::{self, Around};
use super::super::{bound_slots, no_threads, rules};
use super::{or_default, pace};

/// One part of a load with everything that says something about it.
struct Sides<'p> {
    part: &'p written::LoadPart,
    load: &'p written::Load,
    /// What a pick gives.
    picked: &'p [&'static str],
}

/// What came of a part.
pub(super) struct Closed {
    /// Everything closed; none where something is missing or wrong.
    pub(super) part: Option<LoadPart>,
    /// The place that says that nothing is written in some case, and how.
    nothing_written: Option<(Span, &'static str)>,
}

/// Where one says that nothing is written; none where some part writes, or it is not known.
pub(super) fn nothing_written(parts: &[Closed]) -> Option<(Span, &'static str)> {
    let all: Option<Vec<(Span, &str)>> = parts.iter().map(|part| part.nothing_written).collect();
    all?.first().copied()
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
    let picked = picked(load, plan);
    let sides = Sides { part, load, picked: &picked };
    let threads = sides.once("threads", &part.threads, diagnostics);
    let queue_depth = match sides.once("queue-depth", &part.queue_depth, diagnostics) {
        Some(Leaf::Absent) if sides.axis("queue-depth").is_none() && !picked.contains(&"queue-depth") => {
            Some(Leaf::Written(Given::default_at(defaults::QUEUE_DEPTH, part.span)))
        }
        other => other,
    };
    let says_threads = !part.threads.is_absent() || sides.axis("threads").is_some() || picked.contains(&"threads");
    if !says_threads && !sides.is_partial() && !load.has_faulty_axes {
        diagnostics.push(no_threads("the load", part.head));
    }
    let threads = sides.setting("threads", threads);
    let queue_depth = sides.setting("queue-depth", queue_depth);
    let axes: Vec<Axis> = load.axes.iter().map(|axis| axis.axis.clone()).collect();
    if let (Some(threads), Some(depth)) = (most_threads(&threads, &axes), deepest(&queue_depth, &axes)) {
        bound_slots(threads, depth, diagnostics);
    }
    let streams = streams::streams(
        &Around {
            workload,
            own: &part.parts,
            axes: &load.axes,
            picked: &picked,
            is_partial: sides.is_partial() || load.has_faulty_axes,
            threads: most_threads(&threads, &axes),
            head: part.head,
            at: part.span,
        },
        diagnostics,
    );
    let nothing_written = streams.as_deref().and_then(|streams| rules::nothing_written(streams, &axes));
    let rate = sides.once("rate", &part.rate, diagnostics);
    let accesses: Option<Vec<Access>> =
        streams.as_ref().map(|streams| streams.iter().map(|stream| stream.access.value).collect());
    // A stream that is sequential goes on where it ended, whatever the others do.
    let sequential =
        |accesses: Vec<Access>| accesses.iter().find(|access| access.is_sequential()).or(accesses.first()).copied();
    pace::check(part, load, accesses.and_then(sequential), diagnostics);
    let closed = || {
        Some(LoadPart {
            name: part.name.clone(),
            workload: name?.clone(),
            streams: streams?,
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
    Closed { part: closed(), nothing_written }
}

impl<'p> Sides<'p> {
    fn is_partial(&self) -> bool {
        self.part.is_partial || self.load.is_partial
    }

    fn axis(&self, name: &str) -> Option<&'p written::Axis> {
        self.load.axes.iter().find(|axis| axis.axis.name() == name)
    }

    /// The load's own value; `Absent` where an axis gives it or nobody does; `None` where both give it.
    fn once<T: Copy>(&self, name: &str, own: &Leaf<T>, diagnostics: &mut Diagnostics) -> Option<Leaf<T>> {
        if let (Some(given), Some(axis)) = (own.given(), self.axis(name)) {
            diagnostics.push(
                Diagnostic::error(code::LOAD_SET_TWICE, format!("the `{name}` of this load is set twice"))
                    .label(axis.span, "the matrix sets it again")
                    .also(given.span, "the load sets it")
                    .help("keep one of them; what loads are to vary is left open by the workload"),
            );
            return None;
        }
        if let (Some(given), Some(pick)) = (own.given(), self.load.load_of.given())
            && self.picked.contains(&name)
        {
            diagnostics.push(
                Diagnostic::error(code::LOAD_SET_TWICE, format!("the `{name}` of this load is set twice"))
                    .label(given.span, "the load sets it again")
                    .also(pick.span, "the pick gives it")
                    .help("leave it to the pick"),
            );
            return None;
        }
        Some(*own)
    }

    /// The value, or that there is an axis of it.
    fn setting<T: Copy>(&self, name: &str, leaf: Option<Leaf<T>>) -> Option<Setting<T>> {
        match leaf? {
            Leaf::Written(given) => Some(Setting::Fixed(given)),
            Leaf::Absent if self.axis(name).is_some() => Some(Setting::Axis),
            Leaf::Absent if self.picked.contains(&name) => Some(Setting::Picked),
            Leaf::Absent | Leaf::Faulty => None,
        }
    }
}

/// What a load takes from a pick: threads, queue depth, and the axes of the step that the pick chooses from.
fn picked(load: &written::Load, plan: &Plan) -> Vec<&'static str> {
    if load.load_of.is_absent() {
        return Vec::new();
    }
    let name = load.load_of.given().map(|given| given.value.as_str());
    let steps: Vec<&Step> = plan.sections().flat_map(Steps::all).collect();
    let pick = steps.iter().filter_map(|step| pick_of(step)).find(|pick| Some(pick.name.value.as_str()) == name);
    let from = pick.and_then(|pick| {
        steps
            .iter()
            .filter(|step| load_name(step).is_some_and(|name| name.value == pick.from.value))
            .find_map(|s| load_of(s))
    });
    // A pick that is not there has been reported, and may give anything.
    let Some(from) = from else {
        return vec!["threads", "queue-depth", "block-size", "read", "trim", "rate", "span"];
    };
    let mut names = vec!["threads", "queue-depth"];
    names.extend(from.axes.iter().map(|axis| axis.axis.name()));
    names
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
