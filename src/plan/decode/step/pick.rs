//! `pick`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::decode::load::{judge, matrix};
use crate::plan::decode::metric::metric;
use crate::plan::decode::{missing, name, needed, origin, value};
use crate::plan::model::{Given, Pick, PickChoice, Provenance, StepKind};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::Leaf;
use crate::text::{Span, Spanned};
use crate::units::Metric;

const CHOICES: [&str; 4] = ["highest", "lowest", "nearest", "at"];

/// Which step is chosen from, and which of its cases.
pub(super) fn decode(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let name = name(cursor, "the pick's name", outer, diagnostics);
    let wanted = "the name of a measured step";
    let from = needed(cursor, "from", wanted, outer, diagnostics, |l, d| value::name(l, wanted, d));
    let mut choices: Vec<(Span, Option<PickChoice>)> = Vec::new();
    for word in CHOICES {
        if let Some(child) = cursor.take_child(word, diagnostics) {
            choices.push((child.name.span, choice(child, outer, diagnostics)));
        }
    }
    choices.sort_by_key(|(span, _)| span.start);
    let nodes = cursor.take_children("where");
    let written = nodes.len();
    let conditions: Vec<_> = nodes.into_iter().filter_map(|node| judge::condition(node, outer, diagnostics)).collect();
    match choices.as_slice() {
        [] => {
            diagnostics.push(
                Diagnostic::error(code::PICK_CHOICE, "the pick does not say which case it takes")
                    .label(node.head(), "needs a choice")
                    .help("write one of `highest`, `lowest`, `nearest` and `at` in braces, as `{ highest \"iops\"; }`"),
            );
            return None;
        }
        [(first, _), (again, _), ..] => {
            diagnostics.push(
                Diagnostic::error(code::PICK_CHOICE, "the pick says twice which case it takes")
                    .label(*again, "again here")
                    .also(*first, "first here")
                    .help("keep one of them; `where` narrows the cases down"),
            );
            return None;
        }
        [_] => {}
    }
    let (_, choice) = choices.swap_remove(0);
    if conditions.len() < written {
        return None;
    }
    Some(StepKind::Pick(Pick { name: name.written()?, from: from.written()?, choice: choice?, conditions }))
}

fn choice(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<PickChoice> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let words = Words::of(node.name(), Place::Pick);
    if node.name() == "at" {
        let values = matrix::axis_values(&mut cursor, node, outer, diagnostics);
        cursor.finish(&words, diagnostics);
        let values = values?;
        if values.is_empty() {
            missing::<()>(node, Place::Pick, "values of axes, as `threads=1`", diagnostics);
            return None;
        }
        return Some(PickChoice::At(values));
    }
    let of: Leaf<Metric> = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, metric),
        None => missing(node, Place::Pick, "a metric, as \"iops\"", diagnostics),
    };
    let between = match node.name() {
        "nearest" => {
            let other = |key, cursor: &mut NodeCursor<'_>, diagnostics: &mut Diagnostics| {
                needed(cursor, key, "the name of a pick", outer, diagnostics, pick_name)
            };
            let between = other("between", &mut cursor, diagnostics);
            Some((between, other("and", &mut cursor, diagnostics)))
        }
        _ => None,
    };
    cursor.finish(&words, diagnostics);
    let of: Given<Metric> = of.written()?;
    Some(match (node.name(), between) {
        ("nearest", Some((between, and))) => {
            PickChoice::Nearest { metric: of, between: between.written()?, and: and.written()? }
        }
        ("lowest", _) => PickChoice::Lowest(of),
        _ => PickChoice::Highest(of),
    })
}

fn pick_name(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    value::name(literal, "the name of a pick", diagnostics)
}
