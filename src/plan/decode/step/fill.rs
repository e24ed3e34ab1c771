//! `fill`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::decode::load::{one_only, passes};
use crate::plan::decode::{argument, origin, property, value, workload};
use crate::plan::model::{Access, FillAmount, Provenance};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Fill, Leaf};

/// The children and values of a `fill`.
pub(super) fn decode(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Fill {
    let extent = cursor.take_argument().map(|literal| {
        let leaf = value::leaf(literal, outer, diagnostics, |literal, d| {
            Some(value::extent(literal, "the amount of a fill", d)?.map(FillAmount::Extent))
        });
        (leaf, literal.span)
    });
    let times = cursor.take_property("passes", diagnostics).map(|literal| {
        let leaf =
            value::leaf(literal, outer, diagnostics, |literal, d| Some(passes(literal, d)?.map(FillAmount::Passes)));
        (leaf, literal.span)
    });
    let amount = match (extent, times) {
        (Some((_, extent)), Some((_, times))) => {
            diagnostics.push(
                Diagnostic::error(code::FILL_TWO_AMOUNTS, "the fill says twice how much it writes")
                    .label(extent, "a part of the area")
                    .also(times, "times the whole area")
                    .help("keep one of them"),
            );
            Leaf::Faulty
        }
        (Some((leaf, _)), None) | (None, Some((leaf, _))) => leaf,
        // A property that nobody knows may be the amount, mistyped; it is reported.
        (None, None) if node.properties.iter().any(|property| &*property.key.value != "on") => Leaf::Faulty,
        (None, None) => {
            diagnostics.push(
                Diagnostic::error(code::FILL_NO_AMOUNT, "the fill does not say how much it writes")
                    .label(cursor.name().span, "needs an amount")
                    .help("write `fill passes=1 { … }` for the whole area, or `fill \"50%\" { … }` for a part of it"),
            );
            Leaf::Faulty
        }
    };
    let on_device = property(cursor, "on", outer, diagnostics, |literal, d| {
        Some(literal.read_word("something that a fill is on", &["device"], d)?.map(|_| true))
    });
    let access = cursor.take_child("access", diagnostics).map(|node| access(node, outer, diagnostics));
    let data = cursor.take_child("data", diagnostics);
    let data = data.map(|node| workload::data(node, Place::Fill, outer, diagnostics));
    let mut child = |name, diagnostics: &mut Diagnostics| cursor.take_child(name, diagnostics);
    let block_size = child("block-size", diagnostics)
        .map(|node| one_only(node, Place::Fill, "a size", outer, diagnostics, value::block_size));
    let threads = child("threads", diagnostics)
        .map(|node| one_only(node, Place::Fill, "a number of threads", outer, diagnostics, value::threads));
    let queue_depth = child("queue-depth", diagnostics)
        .map(|node| one_only(node, Place::Fill, "a queue depth", outer, diagnostics, value::queue_depth));
    Fill {
        amount,
        on_device,
        access: access.unwrap_or_default(),
        data: data.unwrap_or_default(),
        block_size: block_size.unwrap_or_default(),
        threads: threads.unwrap_or_default(),
        queue_depth: queue_depth.unwrap_or_default(),
    }
}

/// The order of the writes.
fn access(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Access> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let known = value::values_of("access", Place::Fill);
    let access = argument(&mut cursor, "\"sequential\" or \"random\"", outer, diagnostics, |literal, d| {
        let word = value::named(literal, "access", "an order of writes", known, d)?;
        Some(word.map(|word| if word == "random" { Access::Random } else { Access::SequentialShared }))
    });
    let once = property(&mut cursor, "order", outer, diagnostics, |literal, d| {
        literal.read_word("an order of random writes", &["once"], d)
    });
    cursor.finish(&Words::of("access", Place::Fill), diagnostics);
    match (access.given().map(|given| given.value), &once) {
        (Some(Access::Random), Leaf::Absent) => {
            diagnostics.push(
                Diagnostic::error(code::FILL_LEAVES_HOLES, "random writes with repeats do not fill an area")
                    .label(node.head(), "needs `order=\"once\"`")
                    .help(
                        "write `access \"random\" order=\"once\"`, or a `precondition` for random writes with repeats",
                    ),
            );
            Leaf::Faulty
        }
        (Some(Access::SequentialShared), Leaf::Written(order)) => {
            diagnostics.push(
                Diagnostic::error(code::NAME_MISPLACED, "`order=` has no meaning at sequential access")
                    .label(order.span, "has no effect")
                    .help("leave it out, or write `access \"random\" order=\"once\"`"),
            );
            Leaf::Faulty
        }
        (_, Leaf::Faulty) => Leaf::Faulty,
        _ => access,
    }
}
