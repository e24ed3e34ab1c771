//! What a report shows.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::model::{Given, Number, Provenance, ReportView, Series, SeriesAxis};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::units::Metric;

use super::{missing, origin, value};

/// The `report` node. What is wrong in it is left out.
pub(super) fn decode(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> ReportView {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    if node.children().is_empty() {
        missing::<()>(node, Place::Top, "`columns`, `series` or `number` in braces", diagnostics);
    }
    let columns = cursor.take_child("columns", diagnostics).map_or_else(Vec::new, |node| {
        let mut cursor = NodeCursor::new(node);
        let outer = origin(&cursor, outer, diagnostics);
        let columns = metrics(node, &mut cursor, outer, diagnostics);
        cursor.finish(&Words::of("columns", Place::Report), diagnostics);
        columns
    });
    let series =
        cursor.take_children("series").into_iter().filter_map(|node| self::series(node, outer, diagnostics)).collect();
    let numbers = cursor.take_children("number").into_iter().map(|node| number(node, outer, diagnostics)).collect();
    cursor.finish(&Words::of("report", Place::Top), diagnostics);
    ReportView { columns, series, numbers }
}

/// The metrics behind a node: at least one, none of them twice.
fn metrics(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Vec<Given<Metric>> {
    let arguments = cursor.take_arguments();
    if arguments.is_empty() {
        missing::<()>(node, Place::Report, "at least one metric, as \"iops\"", diagnostics);
    }
    let mut all: Vec<Given<Metric>> = Vec::new();
    for literal in arguments {
        let Some(metric) = value::leaf(literal, outer, diagnostics, super::metric::metric).given().cloned() else {
            continue;
        };
        match all.iter().find(|earlier| earlier.value == metric.value) {
            None => all.push(metric),
            Some(first) => diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("the metric \"{}\" is shown twice", metric.value))
                    .label(metric.span, "again here")
                    .also(first.span, "first here")
                    .help("keep one of them"),
            ),
        }
    }
    all
}

fn series(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Series> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let metrics = metrics(node, &mut cursor, outer, diagnostics);
    let x = cursor.need_property("x", "\"time\" or \"written\"", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| {
            let words = SeriesAxis::ALL.map(SeriesAxis::name);
            let word = literal.read_word("an axis of a series", &words, d)?;
            Some(word.map(|word| if word == SeriesAxis::Time.name() { SeriesAxis::Time } else { SeriesAxis::Written }))
        })
    });
    let of = named("of", "the name of a step or test", &mut cursor, outer, diagnostics);
    let is_log = cursor.take_property("scale", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| {
            Some(literal.read_word("a scale", &["linear", "log"], d)?.map(|word| word == "log"))
        })
    });
    let is_log = is_log.and_then(|leaf| leaf.given().copied()).unwrap_or(Given::default_at(false, node.name.span));
    cursor.finish(&Words::of("series", Place::Report), diagnostics);
    Some(Series { metrics, x: *x?.given()?, of, is_log })
}

fn number(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Number {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let metrics = metrics(node, &mut cursor, outer, diagnostics);
    let window = named("window", "the name of a window", &mut cursor, outer, diagnostics);
    let of = named("of", "the name of a step or test", &mut cursor, outer, diagnostics);
    let by = named("by", "the name of a `for-each`", &mut cursor, outer, diagnostics);
    cursor.finish(&Words::of("number", Place::Report), diagnostics);
    Number { metrics, window, of, by }
}

fn named(
    key: &str,
    wanted: &str,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<Given<String>> {
    let literal = cursor.take_property(key, diagnostics)?;
    value::leaf(literal, outer, diagnostics, |literal, d| value::name(literal, wanted, d)).given().cloned()
}
