//! Loads: how many threads at which depth, how long, and the axes of a matrix.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::limits;
use crate::plan::model::{self, Given, Provenance};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Axis, Leaf, Load, Run};
use crate::text::Spanned;
use crate::units::{ByteCount, Quantity, RunTime};

use super::{has_unread_children, may_say_more, missing, name, origin, value, workload};

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
    let run = child("run", diagnostics).map(|node| run(node, place, outer, diagnostics));
    let matrix = if place == Place::Measure {
        child("matrix", diagnostics).map(|node| axes(node, outer, diagnostics))
    } else {
        None
    };
    let (axes, has_faulty_axes) = matrix.unwrap_or_default();
    Load {
        workload,
        parts,
        threads: threads.unwrap_or_default(),
        queue_depth: queue_depth.unwrap_or_default(),
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

fn run(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Run {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let time = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, run_time),
        None => Leaf::Absent,
    };
    let written = match cursor.take_property("written", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, written_bytes),
        None => Leaf::Absent,
    };
    let passes = match cursor.take_property("passes", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, passes),
        None => Leaf::Absent,
    };
    let nothing = node.arguments.is_empty() && node.properties.is_empty();
    cursor.finish(&Words::of("run", place), diagnostics);
    let time = if nothing { missing(node, place, "a time, `written=` or `passes=`", diagnostics) } else { time };
    Run { time, written, passes }
}

/// A time; a size or passes in its place are put right by name.
fn run_time(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<RunTime>> {
    let instead = match quantity(literal) {
        Some(Quantity::Bytes(_)) => format!("run written={}", literal.written),
        Some(Quantity::Passes(count)) => format!("run passes={count}"),
        Some(Quantity::DriveWrites(_)) => format!("run written={}", literal.written),
        _ => return value::time(literal, "the length of a run", RunTime::from_nanos(1), diagnostics),
    };
    diagnostics.push(
        Diagnostic::error(code::UNIT_WRONG_KIND, format!("{} is no time", literal.written))
            .label(literal.span, "a bare value is how long the run lasts")
            .help(format!("write `{instead}`")),
    );
    None
}

fn written_bytes(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<ByteCount>> {
    if let Some(Quantity::DriveWrites(_)) = quantity(literal) {
        diagnostics.push(
            Diagnostic::error(code::NAME_NOT_BUILT_YET, "the unit `drive-writes` is not built yet")
                .label(literal.span, "this version cannot do it")
                .help("write a size, as \"4TB\""),
        );
        return None;
    }
    value::positive_size(literal, diagnostics)
}

fn quantity(literal: &Literal) -> Option<Quantity> {
    match &literal.value {
        crate::lang::Value::Text(text) => crate::units::parse_quantity(text).ok(),
        _ => None,
    }
}

/// A number of passes over a span or area.
pub(super) fn passes(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
    let count = literal.read_count("a number of passes", 1..=limits::REPEAT, diagnostics)?;
    Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
}

/// The axes of a matrix in their order, and whether some were refused.
fn axes(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> (Vec<Axis>, bool) {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let nodes = cursor.take_children_of(&["threads", "queue-depth", "block-size", "read"]);
    let mut axes: Vec<Axis> = Vec::new();
    let mut has_faulty = has_unread_children(node, Place::Matrix);
    for node in &nodes {
        if let Some(first) = axes.iter().find(|axis| axis.axis.name() == node.name()) {
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("the matrix has the axis `{}` twice", node.name()))
                    .label(node.name.span, "again here")
                    .also(first.span, "first here")
                    .help("write all values behind one of them"),
            );
            continue;
        }
        match axis(node, outer, diagnostics) {
            Some(axis) => axes.push(Axis { axis, span: node.name.span }),
            None => has_faulty = true,
        }
    }
    if nodes.is_empty() && !has_faulty {
        diagnostics.push(
            Diagnostic::error(code::MATRIX_EMPTY, "the matrix has no axis")
                .label(node.name.span, "makes no cases")
                .help("write its axes, as `matrix { threads 1 2 4; queue-depth 1 8; }`, or leave it out"),
        );
        has_faulty = true;
    }
    cursor.finish(&Words::of("matrix", Place::Measure), diagnostics);
    (axes, has_faulty)
}

fn axis(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<model::Axis> {
    let axis = match node.name() {
        "threads" => model::Axis::Threads(values(node, outer, diagnostics, value::threads)?),
        "queue-depth" => model::Axis::QueueDepth(values(node, outer, diagnostics, value::queue_depth)?),
        "block-size" => model::Axis::BlockSize(values(node, outer, diagnostics, value::block_size)?),
        _ => model::Axis::Read(values(node, outer, diagnostics, value::read_share)?),
    };
    Some(axis)
}

/// All values of an axis; `None` where one is wrong or two are the same.
fn values<T: Copy + PartialEq>(
    node: &Node,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<Spanned<T>>,
) -> Option<Vec<Given<T>>> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let arguments = cursor.take_arguments();
    cursor.finish(&Words::of(node.name(), Place::Matrix), diagnostics);
    if arguments.is_empty() {
        missing::<T>(node, Place::Matrix, "at least one value", diagnostics);
        return None;
    }
    let mut values: Vec<Given<T>> = Vec::new();
    let mut is_whole = true;
    for literal in arguments {
        let Leaf::Written(given) = value::leaf(literal, outer, diagnostics, &read) else {
            is_whole = false;
            continue;
        };
        if let Some(first) = values.iter().find(|earlier| earlier.value == given.value) {
            diagnostics.push(
                Diagnostic::error(
                    code::MATRIX_VALUE_TWICE,
                    format!("the axis `{}` has the value {} twice", node.name(), literal.written),
                )
                .label(given.span, "again here")
                .also(first.span, "first here")
                .help("keep one of them"),
            );
            continue;
        }
        values.push(given);
    }
    is_whole.then_some(values)
}
