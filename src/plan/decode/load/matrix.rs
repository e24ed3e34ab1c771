//! `matrix`: the axes of a load.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::model::{self, Given, Provenance};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Axis, Leaf};
use crate::text::Spanned;

use super::super::{has_unread_children, missing, origin, value};

/// The axes of a matrix in their order, and whether some were refused.
pub(super) fn axes(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> (Vec<Axis>, bool) {
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
