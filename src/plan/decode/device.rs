//! What the plan needs of a drive.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::model::{DeviceNeed, Given, Provenance};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::text::Spanned;
use crate::units::{ByteCount, Quantity};

use super::{missing, name, origin, single, value};

/// A `device` node.
pub(super) fn decode(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<DeviceNeed> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let role = name(&mut cursor, "a role, as \"dut\"", outer, diagnostics);
    let media = words(cursor.take_child("media", diagnostics), false, outer, diagnostics);
    let interfaces = words(cursor.take_child("interface", diagnostics), true, outer, diagnostics);
    let (capacity_min, capacity_max) = match cursor.take_child("capacity", diagnostics) {
        Some(node) => capacity(node, outer, diagnostics),
        None => (None, None),
    };
    let mut size = |name| {
        let node = cursor.take_child(name, diagnostics)?;
        let leaf = single(node, Place::Device, "a size", outer, diagnostics, value::positive_size);
        leaf.given().copied()
    };
    let rated_endurance = size("rated-endurance");
    let slc_cache = size("slc-cache");
    let at_most_bytes_per_second = cursor
        .take_child("at-most", diagnostics)
        .and_then(|node| single(node, Place::Device, "a throughput", outer, diagnostics, throughput).given().copied());
    cursor.finish(&Words::of("device", Place::Top), diagnostics);
    Some(DeviceNeed {
        role: role.given()?.clone(),
        media,
        interfaces,
        capacity_min,
        capacity_max,
        rated_endurance,
        slc_cache,
        at_most_bytes_per_second,
        span: node.name.span,
    })
}

/// A list of words: free ones for people, or only those that the language has.
fn words(
    node: Option<&Node>,
    only_known: bool,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Vec<Given<String>> {
    let Some(node) = node else { return Vec::new() };
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let arguments = cursor.take_arguments();
    if arguments.is_empty() {
        missing::<String>(node, Place::Device, "at least one name", diagnostics);
    }
    let mut words = Vec::new();
    for literal in arguments {
        let leaf = value::leaf(literal, outer, diagnostics, |literal, d| {
            if only_known {
                let known = value::values_of(node.name(), Place::Device);
                let word = value::named(literal, node.name(), "an interface", known, d)?;
                return Some(word.map(String::from));
            }
            value::name(literal, "a kind of flash", d)
        });
        words.extend(leaf.given().cloned());
    }
    cursor.finish(&Words::of(node.name(), Place::Device), diagnostics);
    words
}

fn capacity(
    node: &Node,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> (Option<Given<ByteCount>>, Option<Given<ByteCount>>) {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let mut bound = |key| {
        let literal = cursor.take_property(key, diagnostics)?;
        value::leaf(literal, outer, diagnostics, value::positive_size).given().copied()
    };
    let (min, max) = (bound("min"), bound("max"));
    if node.properties.is_empty() && node.arguments.is_empty() {
        missing::<ByteCount>(node, Place::Device, "`min=` or `max=` with a size", diagnostics);
    }
    if let (Some(min), Some(max)) = (min, max)
        && min.value > max.value
    {
        diagnostics.push(
            Diagnostic::error(
                code::PLAN_EMPTY_CAPACITY,
                format!("no capacity is at least {} and at most {}", min.value, max.value),
            )
            .label(min.span, "at least this")
            .also(max.span, "at most this")
            .help("exchange the two"),
        );
    }
    cursor.finish(&Words::of("capacity", Place::Device), diagnostics);
    (min, max)
}

fn throughput(literal: &crate::lang::Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<u64>> {
    let accept = |quantity| if let Quantity::Throughput(throughput) = quantity { Some(throughput.0) } else { None };
    let rate = literal.read_quantity("a throughput", accept, diagnostics)?;
    if rate.value < 1.0 {
        value::refuse(literal, "above zero".into(), "a throughput", diagnostics);
        return None;
    }
    // Exact: a throughput is read as a whole number of bytes per second.
    Some(Spanned::new(rate.value as u64, rate.span))
}
