//! Loads: how many threads at which depth, how long, and the axes of a matrix.

mod matrix;
mod run;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::limits;
use crate::plan::model::Provenance;
use crate::plan::names::Place;
use crate::plan::written::{Leaf, Load, LoadPart};
use crate::text::Spanned;
use crate::units::RunTime;

use super::{may_say_more, name, value, workload};

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
    let is_partial = may_say_more(node, place, &["load", "load-of"]) || !left.is_empty();
    // `measure as="x" { load …; }` names no workload; the `load` in it is reported.
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
    let (axes, has_faulty_axes) = matrix.unwrap_or_default();
    let part = LoadPart {
        name: None,
        workload,
        parts,
        threads: threads.unwrap_or_default(),
        queue_depth: queue_depth.unwrap_or_default(),
        span: node.name.span,
        head: node.head(),
        is_partial,
    };
    Load {
        parts: vec![part],
        axes,
        has_faulty_axes,
        ramp: ramp.unwrap_or_default(),
        run,
        sample: sample.unwrap_or_default(),
        is_partial,
    }
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
    let is_axis = crate::plan::names::at(node.name(), Place::Matrix).is_some();
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
