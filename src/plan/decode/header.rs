//! The `plan` node and the `host` node.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Document, Literal, Node, NodeCursor};
use crate::plan::defaults;
use crate::plan::limits;
use crate::plan::model::{Completions, EngineKind, Given, Header, Provenance, WrittenCap};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Host, Leaf};
use crate::text::{Span, Spanned};
use crate::units::{ByteCount, Percent, Quantity, RunTime};

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
    let max_time = cursor.take_child("max-time", diagnostics).map_or(Leaf::Absent, |node| {
        let least = RunTime::from_nanos(1);
        single(node, Place::Plan, "a time", outer, diagnostics, |l, d| value::time(l, "a cap on the time", least, d))
    });
    let max_written = cursor.take_child("max-written", diagnostics).map_or(Leaf::Absent, |node| {
        single(node, Place::Plan, "a size, drive writes or a percentage", outer, diagnostics, written_cap)
    });
    cursor.finish(&Words::of("plan", Place::Top), diagnostics);
    let seed = seed.given().copied().unwrap_or(Given::default_at(defaults::SEED, node.name.span));
    let revision = revision.given().map(|given| given.value);
    Some(Header {
        name: name.given()?.clone(),
        title,
        revision,
        source,
        note,
        seed,
        max_time: max_time.optional()?,
        max_written: max_written.optional()?,
    })
}

/// Bytes, drive writes, or a share of the rated endurance; zero never means that there is no cap.
fn written_cap(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<WrittenCap>> {
    let accept = |quantity| match quantity {
        Quantity::Bytes(bytes) => Some(WrittenCap::Bytes(bytes)),
        Quantity::DriveWrites(writes) => Some(WrittenCap::DriveWrites(writes)),
        Quantity::Percent(share) => Some(WrittenCap::ShareOfEndurance(share)),
        _ => None,
    };
    let cap = literal.read_quantity("a size, a number of drive writes or a percentage", accept, diagnostics)?;
    let is_nothing = match cap.value {
        WrittenCap::Bytes(bytes) => bytes == ByteCount::ZERO,
        WrittenCap::DriveWrites(writes) => writes <= 0.0,
        WrittenCap::ShareOfEndurance(share) => share == Percent::ZERO,
    };
    if is_nothing {
        value::refuse(literal, "above zero; leave it out where there is no cap".into(), "a cap", diagnostics);
        return None;
    }
    Some(cap)
}

/// The `host` node.
pub(super) fn host(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Host {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let engine = cursor.take_child("engine", diagnostics).map_or(Leaf::Absent, |node| {
        single(node, Place::Host, "an engine", outer, diagnostics, |literal, d| {
            let word = value::named(literal, "engine", "an engine", value::values_of("engine", Place::Host), d)?;
            let engine = if word.value == EngineKind::IoUring.name() { EngineKind::IoUring } else { EngineKind::Sync };
            Some(Spanned::new(engine, word.span))
        })
    });
    let batch = cursor.take_child("batch", diagnostics).map_or(Leaf::Absent, |node| {
        single(node, Place::Host, "a number of operations", outer, diagnostics, |literal, d| {
            let count = literal.read_count("a number of operations", 1..=limits::SLOTS, d)?;
            Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
        })
    });
    let completions = cursor.take_child("completions", diagnostics).map_or(Leaf::Absent, |node| {
        let known = value::values_of("completions", Place::Host);
        single(node, Place::Host, "a kind of completion", outer, diagnostics, |literal, d| {
            let word = value::named(literal, "completions", "a kind of completion", known, d)?;
            let polled = word.value == Completions::Polled.name();
            Some(word.map(|_| if polled { Completions::Polled } else { Completions::Interrupt }))
        })
    });
    let data_pool = cursor
        .take_child("data-pool", diagnostics)
        .map_or(Leaf::Absent, |node| single(node, Place::Host, "a size", outer, diagnostics, value::positive_size));
    cursor.finish(&Words::of("host", Place::Top), diagnostics);
    Host { engine, batch, completions, data_pool }
}
