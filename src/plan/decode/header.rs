//! The `plan` node and the `host` node.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Document, Node, NodeCursor};
use crate::plan::defaults;
use crate::plan::model::{EngineKind, Given, Header, Provenance};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::Leaf;
use crate::text::{Span, Spanned};

use super::{name, origin, single, text, value};

/// The one `plan` node.
pub(super) fn take_plan(
    cursor: &mut NodeCursor<'_>,
    document: &Document,
    diagnostics: &mut Diagnostics,
) -> Option<Header> {
    let nodes = cursor.take_children("plan");
    let Some((first, further)) = nodes.split_first() else {
        // A rig, a modelled drive or printed figures are files of their own, and are refused as such.
        if document.nodes.iter().any(|node| matches!(node.name(), "rig" | "model" | "published")) {
            return None;
        }
        let start = document.nodes.first().map_or(Span::default(), |node| node.name.span);
        diagnostics.push(
            Diagnostic::error(code::PLAN_MISSING, "the file has no `plan` node")
                .label(start, "the plan's name must stand in the file")
                .help("begin with `plan \"name\"`"),
        );
        return None;
    };
    for again in further {
        diagnostics.push(
            Diagnostic::error(code::PLAN_SEVERAL, "the file has more than one `plan` node")
                .label(again.name.span, "another one here")
                .also(first.name.span, "the first one")
                .help("a file is one plan; keep one node"),
        );
    }
    plan(first, diagnostics)
}

fn plan(node: &Node, diagnostics: &mut Diagnostics) -> Option<Header> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, Provenance::Chosen, diagnostics);
    let name = name(&mut cursor, "the plan's name", outer, diagnostics);
    let mut line =
        |name, diagnostics: &mut Diagnostics| text(cursor.take_child(name, diagnostics)?, Place::Plan, diagnostics);
    let title = line("title", diagnostics);
    let source = line("source", diagnostics);
    let note = line("note", diagnostics);
    let mut count = |name, wanted: &'static str| {
        let Some(node) = cursor.take_child(name, diagnostics) else { return Leaf::Absent };
        single(node, Place::Plan, wanted, outer, diagnostics, |literal, d| literal.read_count(wanted, 0..=u64::MAX, d))
    };
    let revision = count("revision", "a revision number");
    let seed = count("seed", "a seed");
    cursor.finish(&Words::of("plan", Place::Top), diagnostics);
    let seed = seed.given().copied().unwrap_or(Given::default_at(defaults::SEED, node.name.span));
    let revision = revision.given().map(|given| given.value);
    Some(Header { name: name.given()?.clone(), title, revision, source, note, seed, max_time: None, max_written: None })
}

/// The `host` node: its engine.
pub(super) fn host(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<EngineKind> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let engine = cursor.take_child("engine", diagnostics).map_or(Leaf::Absent, |node| {
        single(node, Place::Host, "an engine", outer, diagnostics, |literal, d| {
            let word = value::named(literal, "engine", "an engine", value::values_of("engine", Place::Host), d)?;
            let engine = if word.value == EngineKind::IoUring.name() { EngineKind::IoUring } else { EngineKind::Sync };
            Some(Spanned::new(engine, word.span))
        })
    });
    cursor.finish(&Words::of("host", Place::Top), diagnostics);
    engine
}
