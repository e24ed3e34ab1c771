//! Loads: how many threads at which depth, at which pace, how long, what is judged, and the axes of a matrix.

pub(super) mod judge;
pub(super) mod matrix;
mod pace;
mod run;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::limits;
use crate::plan::model::{Given, NamedWindow, OnError, OnInterruption, Provenance, Rate};
use crate::plan::names::{self, Place};
use crate::plan::vocabulary::Words;
use crate::plan::written::{Leaf, Load, LoadPart};
use crate::text::Spanned;
use crate::units::{NANOS_PER_SECOND, RunTime};

use super::{may_say_more, name, origin, step, value, workload};

/// The children of `measure` or `precondition`, and the workload's name before them.
pub(super) fn decode(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Load {
    // What is left of `apply` has been reported.
    let left = cursor.take_children("apply");
    let is_partial = may_say_more(node, place, &[]) || !left.is_empty();
    let loads = cursor.take_children("load");
    let parts = match loads.as_slice() {
        [] => vec![part(node, cursor, place, outer, is_partial, diagnostics)],
        loads => {
            beside_loads(cursor, loads[0], diagnostics);
            loads.iter().map(|load| concurrent(load, place, outer, diagnostics)).collect()
        }
    };
    let mut child = |name, diagnostics: &mut Diagnostics| cursor.take_child(name, diagnostics);
    let ramp = child("ramp", diagnostics).map(|node| {
        one_only(node, place, "a time", outer, diagnostics, |l, d| value::time(l, "a ramp", RunTime::ZERO, d))
    });
    let sample = child("sample", diagnostics).map(|node| {
        one_only(node, place, "a time", outer, diagnostics, |l, d| value::time(l, "an interval", limits::SAMPLE, d))
    });
    let run = child("run", diagnostics).map(|node| run::run(node, place, outer, diagnostics));
    let matrix = if place == Place::Measure {
        child("matrix", diagnostics).map(|node| matrix::axes(node, outer, diagnostics))
    } else {
        None
    };
    let matrix = matrix.unwrap_or_default();
    let curve = match place {
        Place::Measure => child("curve", diagnostics).map(|node| pace::curve(node, outer, diagnostics)),
        _ => None,
    };
    let between = match place {
        Place::Measure => child("between-cases", diagnostics),
        _ => None,
    };
    if let Some(node) = between
        && matrix.axes.is_empty()
        && !matrix.has_faulty
        && curve.is_none()
    {
        diagnostics.push(
            Diagnostic::error(code::BETWEEN_ONE_CASE, "there is nothing between the cases of a load that has one")
                .label(node.name.span, "has no effect without a `matrix` or a `curve`")
                .help("write its steps behind the measurement"),
        );
    }
    let between_cases = between.map(|node| step::between_cases(node, outer, diagnostics)).unwrap_or_default();
    let load_of = child("load-of", diagnostics).map(|node| {
        let wanted = "the name of a pick";
        one_only(node, place, wanted, outer, diagnostics, |l, d| value::name(l, wanted, d))
    });
    let health = child("health", diagnostics).map(|node| health(node, place, outer, diagnostics));
    let steady = child("steady-state", diagnostics).map(|node| judge::steady_state(node, place, outer, diagnostics));
    let on_error = child("on-error", diagnostics).map(|node| on_error(node, place, outer, diagnostics));
    let on_interruption = child("on-interruption", diagnostics).map(|node| {
        pace::word(node, place, "what a resumed run does", outer, diagnostics, |name| match name {
            "continue" => OnInterruption::Continue,
            _ => OnInterruption::Repeat,
        })
    });
    let nodes = cursor.take_children("window");
    let written = nodes.len();
    let windows: Vec<NamedWindow> =
        nodes.into_iter().filter_map(|node| judge::window(node, place, outer, diagnostics)).collect();
    let expects = match place {
        Place::Measure => cursor.take_children("expect"),
        _ => Vec::new(),
    };
    let expects = expects.into_iter().filter_map(|node| judge::expect(node, outer, diagnostics)).collect();
    Load {
        parts,
        axes: matrix.axes,
        has_faulty_axes: matrix.has_faulty,
        skips: matrix.skips,
        curve: curve.unwrap_or_default(),
        load_of: load_of.unwrap_or_default(),
        ramp: ramp.unwrap_or_default(),
        run,
        sample: sample.unwrap_or_default(),
        health_every: health.unwrap_or_default(),
        has_faulty_windows: windows.len() < written,
        windows,
        steady_state: steady.unwrap_or_default(),
        between_cases,
        expects,
        on_error: on_error.unwrap_or_default(),
        on_interruption: on_interruption.unwrap_or_default(),
        is_partial,
    }
}

/// What stands in a step with one load, or in one of several: the workload's name, what closes it, slots and pace.
fn part(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    place: Place,
    outer: Provenance,
    is_partial: bool,
    diagnostics: &mut Diagnostics,
) -> LoadPart {
    // `measure as="x" { apply …; }` names no workload where the procedure could not be put in.
    let workload = if node.arguments.is_empty() && is_partial {
        Leaf::Faulty
    } else {
        name(cursor, "the name of a workload", outer, diagnostics)
    };
    let parts = workload::parts(cursor, place, outer, diagnostics);
    let mut child = |name, diagnostics: &mut Diagnostics| cursor.take_child(name, diagnostics);
    let threads = child("threads", diagnostics)
        .map(|node| one_only(node, place, "a number of threads", outer, diagnostics, value::threads));
    let queue_depth = child("queue-depth", diagnostics)
        .map(|node| one_only(node, place, "a queue depth", outer, diagnostics, value::queue_depth));
    let rate = child("rate", diagnostics).map(|node| one_rate(node, place, outer, diagnostics));
    let arrivals = child("arrivals", diagnostics).map(|node| pace::arrivals(node, place, outer, diagnostics));
    let burst = child("burst", diagnostics).map(|node| pace::burst(node, place, outer, diagnostics));
    let start = child("start", diagnostics).map(|node| pace::start(node, place, outer, diagnostics));
    LoadPart {
        name: None,
        workload,
        parts,
        threads: threads.unwrap_or_default(),
        queue_depth: queue_depth.unwrap_or_default(),
        rate: rate.unwrap_or_default(),
        arrivals: arrivals.unwrap_or_default(),
        burst: burst.unwrap_or_default(),
        start: start.unwrap_or_default(),
        span: node.name.span,
        head: node.head(),
        is_partial,
    }
}

/// One of several loads at the same time: `load WORKLOAD as=NAME { … }`.
fn concurrent(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> LoadPart {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let label = cursor
        .take_property("as", diagnostics)
        .map(|literal| value::leaf(literal, outer, diagnostics, |l, d| value::name(l, "a load's name", d)));
    let is_partial = may_say_more(node, Place::Load, &[]);
    let mut part = part(node, &mut cursor, Place::Load, outer, is_partial, diagnostics);
    part.name = label.and_then(|label| label.given().cloned());
    cursor.finish(&Words::of("load", place), diagnostics);
    part
}

/// Refuses what each of several loads says for itself, and what makes cases, beside them.
fn beside_loads(cursor: &mut NodeCursor<'_>, first: &Node, diagnostics: &mut Diagnostics) {
    let mut refuse = |place, message: String, help: &str| {
        diagnostics.push(
            Diagnostic::error(code::LOAD_BESIDE_LOADS, message)
                .label(place, "beside loads at the same time")
                .also(first.name.span, "the first of them")
                .help(help),
        );
    };
    if let Some(workload) = cursor.take_argument() {
        let help = format!("write it as a load as well, as `load {} {{ threads 1; }}`", workload.written);
        refuse(workload.span, "the step names a workload and has loads".into(), &help);
    }
    let own: Vec<&str> = names::allowed_in(Place::Load).map(|entry| entry.name).collect();
    for node in cursor.take_children_of(&own) {
        let message = format!("`{}` has no effect beside loads", node.name());
        refuse(node.name.span, message, "each `load` says it for itself");
    }
    for node in cursor.take_children_of(&["matrix", "curve", "load-of"]) {
        let message = format!("`{}` is of one load, and the step has loads of its own", node.name());
        refuse(node.name.span, message, "write a step for each case, as with `for-each`");
    }
}

/// `rate`, of which several values make an axis.
fn one_rate(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Rate> {
    if node.arguments.len() < 2 {
        return pace::rate(node, place, outer, diagnostics);
    }
    one_only::<Rate>(node, place, "a rate", outer, diagnostics, |_, _| None)
}

/// `health every=Q`.
fn health(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<RunTime> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let every = match cursor.need_property("every", "a time", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, |l, d| {
            value::time(l, "a time between polls", RunTime::from_nanos(NANOS_PER_SECOND), d)
        }),
        None => Leaf::Faulty,
    };
    cursor.finish(&Words::of("health", place), diagnostics);
    every
}

/// `on-error "fail"` or `on-error "continue" max=N`.
fn on_error(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<OnError> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let known = value::values_of("on-error", place);
    let what = match cursor.take_argument() {
        Some(literal) => {
            value::leaf(literal, outer, diagnostics, |l, d| value::named(l, "on-error", "what an error does", known, d))
        }
        None => super::missing(node, place, "\"fail\" or \"continue\"", diagnostics),
    };
    let max = cursor.take_property("max", diagnostics).map(|literal| {
        let leaf = value::leaf(literal, outer, diagnostics, |literal, d| {
            let count = literal.read_count("a number of errors", 1..=limits::ERRORS, d)?;
            Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
        });
        (leaf, literal.span)
    });
    cursor.finish(&Words::of("on-error", place), diagnostics);
    let Leaf::Written(what) = what else { return Leaf::Faulty };
    let outcome = match (what.value, max) {
        ("continue", Some((Leaf::Written(max), _))) => OnError::Continue { max: max.value },
        ("continue", None) => {
            diagnostics.push(
                Diagnostic::error(code::VALUE_MISSING, "`on-error \"continue\"` does not say how many errors it bears")
                    .label(what.span, "needs `max=`")
                    .help("add the most errors that the load may have, as `max=10`"),
            );
            return Leaf::Faulty;
        }
        (_, Some((_, span))) if what.value != "continue" => {
            diagnostics.push(
                Diagnostic::error(code::LOAD_NO_EFFECT, "`max=` has no effect where the first error ends the step")
                    .label(span, "is never reached")
                    .help("leave it out, or write `on-error \"continue\"`"),
            );
            return Leaf::Faulty;
        }
        (_, Some(_)) => return Leaf::Faulty,
        (_, None) => OnError::Fail,
    };
    Leaf::Written(Given::written(outcome, what.provenance, what.span))
}

/// The one value of a node that takes several in a matrix only.
pub(super) fn one_only<T>(
    node: &Node,
    place: Place,
    wanted: &str,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<Spanned<T>>,
) -> Leaf<T> {
    let is_axis = names::at(node.name(), Place::Matrix).is_some();
    if node.arguments.len() < 2 || !is_axis {
        return super::single(node, place, wanted, outer, diagnostics, read);
    }
    let name = node.name();
    let values: Vec<&str> = node.arguments.iter().map(|literal| &*literal.written).collect();
    let all = node.arguments[0].span.to(node.arguments[node.arguments.len() - 1].span);
    let mut diagnostic = Diagnostic::error(
        code::MATRIX_SEVERAL_OUTSIDE,
        format!("`{name}` has {} values outside of a matrix", values.len()),
    )
    .label(all, "several values make several cases");
    diagnostic = match place {
        Place::Measure => diagnostic.help(format!("write `matrix {{ {name} {}; }}`", values.join(" "))),
        Place::Workload => {
            diagnostic.help(format!("leave it open here, and write `matrix {{ {name} …; }}` in the `measure` step"))
        }
        _ => diagnostic.help("keep one of them; only `measure` has a matrix"),
    };
    diagnostics.push(diagnostic);
    Leaf::Faulty
}

/// A number of passes over a span or area.
pub(super) fn passes(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
    let count = literal.read_count("a number of passes", 1..=limits::REPEAT, diagnostics)?;
    Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
}
