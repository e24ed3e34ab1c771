//! `matrix`: the axes of a load.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::model::{self, AxisValue, Given, Provenance, Rate, Skip, SpanOfArea};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Axis, Leaf};
use crate::text::Spanned;
use crate::units::ByteCount;

use super::super::{has_unread_children, missing, origin, value};
use super::pace;

/// The axes that this version decodes.
const AXES: &[&str] = &["threads", "queue-depth", "block-size", "read", "trim", "rate", "span"];

/// A matrix, and whether some axis of it was refused.
#[derive(Default)]
pub(super) struct Matrix {
    pub(super) axes: Vec<Axis>,
    pub(super) has_faulty: bool,
    pub(super) skips: Vec<Given<Skip>>,
}

/// The axes of a matrix in their order.
pub(super) fn axes(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Matrix {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let nodes = cursor.take_children_of(AXES);
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
    let skips = cursor.take_children("skip").into_iter().filter_map(|node| skip(node, outer, diagnostics)).collect();
    cursor.finish(&Words::of("matrix", Place::Measure), diagnostics);
    Matrix { axes, has_faulty, skips }
}

/// `skip NAME`.
fn skip(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Given<Skip>> {
    let wanted = "something that a matrix can leave out";
    let word = pace::word(node, Place::Matrix, wanted, outer, diagnostics, |_| Skip::UnsupportedBlockSize);
    word.given().copied()
}

/// The properties of a node as values of axes: `read="0%" block-size="4KiB"`.
pub(in crate::plan::decode) fn axis_values(
    cursor: &mut NodeCursor<'_>,
    node: &Node,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Given<AxisValue>>> {
    let mut values = Vec::new();
    let mut is_whole = true;
    for property in cursor.take_properties(diagnostics) {
        let key = &*property.key.value;
        let read = |literal: &Literal, d: &mut Diagnostics| match key {
            "threads" => Some(value::threads(literal, d)?.map(AxisValue::Threads)),
            "queue-depth" => Some(value::queue_depth(literal, d)?.map(AxisValue::QueueDepth)),
            "block-size" => Some(value::operation_size(literal, d)?.map(AxisValue::BlockSize)),
            "read" => Some(value::read_share(literal, d)?.map(AxisValue::Read)),
            "trim" => Some(value::trim_share(literal, d)?.map(AxisValue::Trim)),
            "rate" => Some(pace::rate_amount(literal, d)?.map(|amount| AxisValue::Rate(Rate { amount, per: None }))),
            "span" => Some(value::extent(literal, "a span", d)?.map(AxisValue::Span)),
            _ => {
                d.push(
                    Diagnostic::error(
                        code::NAME_UNKNOWN_PROPERTY,
                        format!("`{}` has no property `{key}=`", node.name()),
                    )
                    .label(property.key.span, "no axis of a matrix")
                    .help("name values of axes, as `threads=1 queue-depth=1`"),
                );
                None
            }
        };
        match value::leaf(&property.value, outer, diagnostics, read) {
            Leaf::Written(given) => values.push(given),
            Leaf::Absent | Leaf::Faulty => is_whole = false,
        }
    }
    is_whole.then_some(values)
}

fn axis(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<model::Axis> {
    let axis = match node.name() {
        "threads" => model::Axis::Threads(values(node, outer, diagnostics, value::threads)?),
        "queue-depth" => model::Axis::QueueDepth(values(node, outer, diagnostics, value::queue_depth)?),
        "block-size" => model::Axis::BlockSize(values(node, outer, diagnostics, value::operation_size)?),
        "read" => model::Axis::Read(values(node, outer, diagnostics, value::read_share)?),
        "rate" => model::Axis::Rate(pace::rates(node, outer, diagnostics)?),
        "trim" => model::Axis::Trim(values(node, outer, diagnostics, value::trim_share)?),
        _ => model::Axis::Span(values(node, outer, diagnostics, span)?),
    };
    Some(axis)
}

/// A part of the area from its start.
fn span(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<SpanOfArea>> {
    let length = value::extent(literal, "a span", diagnostics)?;
    Some(length.map(|length| SpanOfArea { length, offset: ByteCount::ZERO }))
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
    read_values(node, arguments, outer, diagnostics, read)
}

/// The same, from arguments that have been taken.
pub(super) fn read_values<T: Copy + PartialEq>(
    node: &Node,
    arguments: &[Literal],
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<Spanned<T>>,
) -> Option<Vec<Given<T>>> {
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
