//! Workloads, and the parts of a workload that a load may close.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::model::{Given, Provenance, SpanOfArea};
use crate::plan::names::{Place, Word};
use crate::plan::vocabulary::Words;
use crate::plan::written::{Access, Cursor, Leaf, Parts, Workload};
use crate::units::ByteCount;

use super::load::one_only;
use super::{may_say_more, missing, name, origin, value};

/// A `workload` node.
pub(super) fn decode(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Workload> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let name = name(&mut cursor, "the workload's name", outer, diagnostics);
    let parts = parts(&mut cursor, Place::Workload, outer, diagnostics);
    cursor.finish(&Words::of("workload", Place::Top), diagnostics);
    Some(Workload { name: name.given()?.clone(), parts, is_partial: may_say_more(node, Place::Workload, &["stream"]) })
}

/// The parts that stand in a workload, or in a load that closes it.
pub(super) fn parts(
    cursor: &mut NodeCursor<'_>,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Parts {
    let mut child = |name, diagnostics: &mut Diagnostics| cursor.take_child(name, diagnostics);
    let access = child("access", diagnostics).map(|node| access(node, place, outer, diagnostics));
    let block_size = child("block-size", diagnostics)
        .map(|node| one_only(node, place, "a size", outer, diagnostics, value::block_size));
    let read = child("read", diagnostics)
        .map(|node| one_only(node, place, "a percentage", outer, diagnostics, value::read_share));
    let span = child("span", diagnostics).map(|node| span(node, place, outer, diagnostics));
    Parts {
        access: access.unwrap_or_default(),
        block_size: block_size.unwrap_or_default(),
        read: read.unwrap_or_default(),
        span: span.unwrap_or_default(),
    }
}

const CURSORS: &[Word] = &[
    Word { name: "shared", meaning: "one cursor for all slots", built: crate::plan::names::Built::Yes },
    Word { name: "lanes", meaning: "one lane for each thread", built: crate::plan::names::Built::Yes },
];

fn access(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Access> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let (order, order_span) = match cursor.take_argument() {
        Some(literal) => {
            let known = value::values_of("access", place);
            let leaf = value::leaf(literal, outer, diagnostics, |l, d| {
                value::named(l, "access", "an order of offsets", known, d)
            });
            (leaf, literal.span)
        }
        None => (missing(node, place, "\"random\" or \"sequential\"", diagnostics), node.name.span),
    };
    let cursor_property = cursor.take_property("cursor", diagnostics).map(|literal| {
        let leaf =
            value::leaf(literal, outer, diagnostics, |l, d| value::named(l, "cursor", "a kind of cursor", CURSORS, d));
        (leaf, literal.span)
    });
    cursor.finish(&Words::of("access", place), diagnostics);
    let Some(order) = order.given() else { return Leaf::Faulty };
    let access = match (order.value, cursor_property) {
        ("random", None) => Access::Random,
        ("random", Some((_, span))) => {
            diagnostics.push(
                Diagnostic::error(code::ACCESS_CURSOR_ON_RANDOM, "random access has no cursor")
                    .label(span, "has no effect")
                    .also(order_span, "offsets are drawn anew for every operation")
                    .help("leave `cursor=` out, or write `access \"sequential\"`"),
            );
            return Leaf::Faulty;
        }
        (_, None) => Access::Sequential(None),
        (_, Some((Leaf::Written(word), _))) => {
            Access::Sequential(Some(if word.value == "lanes" { Cursor::Lanes } else { Cursor::Shared }))
        }
        (_, Some(_)) => return Leaf::Faulty,
    };
    Leaf::Written(Given::written(access, order.provenance, order.span))
}

fn span(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<SpanOfArea> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let length = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, |l, d| value::extent(l, "a span", d)),
        None => missing(node, place, "a size or a percentage", diagnostics),
    };
    let offset = cursor
        .take_property("offset", diagnostics)
        .map(|literal| value::leaf(literal, outer, diagnostics, |l, d| l.read_size(d)));
    cursor.finish(&Words::of("span", place), diagnostics);
    let offset = match offset {
        None => ByteCount::ZERO,
        Some(Leaf::Written(offset)) => offset.value,
        Some(_) => return Leaf::Faulty,
    };
    match length {
        Leaf::Written(length) => {
            Leaf::Written(Given::written(SpanOfArea { length: length.value, offset }, length.provenance, length.span))
        }
        other => {
            debug_assert!(other.is_faulty());
            Leaf::Faulty
        }
    }
}
