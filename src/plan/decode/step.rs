//! Tests and their steps.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::limits;
use crate::plan::model::{Allow, FillAmount, Provenance};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Fill, Leaf, Step, StepKind, Steps, Test};
use crate::text::Spanned;
use crate::units::RunTime;

use super::load::{self, one_only, passes};
use super::{has_unread_children, name, origin, single, text, value};

/// The steps that this version carries out.
const BUILT: &[&str] = &["limit-to", "fill", "trim", "idle", "precondition", "measure"];

/// What stands for steps, and is gone where they could be put in.
const TEMPLATES: &[&str] = &["apply", "for-each"];

/// A `test` node.
pub(super) fn test(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Test> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let name = name(&mut cursor, "the test's name", outer, diagnostics);
    let repeat = match cursor.take_property("repeat", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, |literal, d| {
            let count = literal.read_count("a number of repetitions", 1..=limits::REPEAT, d)?;
            Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
        }),
        None => Leaf::Absent,
    };
    let title = cursor.take_child("title", diagnostics).and_then(|node| text(node, Place::Test, diagnostics));
    let allows = cursor.take_children("allow").into_iter().filter_map(|node| allow(node, outer, diagnostics)).collect();
    let steps = take_steps(node, &mut cursor, Place::Test, outer, diagnostics);
    cursor.finish(&Words::of("test", Place::Top), diagnostics);
    Some(Test { name: name.given()?.clone(), title, repeat, allows, steps })
}

/// The steps of `setup` or `before-each`.
pub(super) fn list(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Steps {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let steps = take_steps(node, &mut cursor, place, outer, diagnostics);
    cursor.finish(&Words::of(node.name(), Place::Top), diagnostics);
    steps
}

/// Reports what is wrong with steps by themselves.
pub(super) fn shape(nodes: &[Node], diagnostics: &mut Diagnostics) {
    let mut around = Node::new("procedure", crate::text::Span::default());
    around.children = Some(nodes.to_vec());
    let mut cursor = NodeCursor::new(&around);
    take_steps(&around, &mut cursor, Place::Procedure, Provenance::Chosen, diagnostics);
    cursor.finish(&Words::of("procedure", Place::Top), diagnostics);
}

fn take_steps(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Steps {
    // What is left of these has been reported.
    cursor.take_children_of(TEMPLATES);
    let nodes = cursor.take_children_of(BUILT);
    let steps = nodes.into_iter().map(|node| step(node, place, outer, diagnostics)).collect();
    Steps { steps, is_partial: has_unread_children(node, place) }
}

fn step(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Step {
    if let Some(kind) = of_one_value(node, place, outer, diagnostics) {
        // The value's decoder has read the node's annotation and reported a wrong one; this reading is silent.
        let provenance = origin(&NodeCursor::new(node), outer, &mut Diagnostics::without_source());
        let (span, head) = (node.name.span, node.head());
        return Step { kind, label: None, variant: Vec::new(), provenance, span, head };
    }
    let mut cursor = NodeCursor::new(node);
    let provenance = origin(&cursor, outer, diagnostics);
    let (kind, label) = match node.name() {
        "fill" => (StepKind::Fill(fill(node, &mut cursor, provenance, diagnostics)), None),
        "precondition" => {
            let label = take_label(&mut cursor, diagnostics);
            let load = load::decode(node, &mut cursor, Place::Precondition, provenance, diagnostics);
            (StepKind::Precondition(load), label)
        }
        _ => {
            let label = take_label(&mut cursor, diagnostics);
            (StepKind::Measure(load::decode(node, &mut cursor, Place::Measure, provenance, diagnostics)), label)
        }
    };
    cursor.finish(&Words::of(node.name(), place), diagnostics);
    Step { kind, label, variant: Vec::new(), provenance, span: node.name.span, head: node.head() }
}

/// The steps that are a word and one value.
fn of_one_value(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<StepKind> {
    let mut part = |of: &str| {
        single(node, place, "a size or a percentage", outer, diagnostics, |literal, d| value::extent(literal, of, d))
    };
    Some(match node.name() {
        "limit-to" => StepKind::LimitTo(part("a part of the device")),
        "trim" => StepKind::Trim(part("a part of the area")),
        "idle" => StepKind::Idle(single(node, place, "a time", outer, diagnostics, |literal, d| {
            value::time(literal, "an idle time", RunTime::from_nanos(1), d)
        })),
        _ => return None,
    })
}

fn take_label(cursor: &mut NodeCursor<'_>, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    value::name(cursor.take_property("as", diagnostics)?, "a step's name", diagnostics)
}

fn fill(node: &Node, cursor: &mut NodeCursor<'_>, outer: Provenance, diagnostics: &mut Diagnostics) -> Fill {
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
        // `fill on="device"` is reported as not built yet.
        (None, None) if node.properties.is_empty() => {
            diagnostics.push(
                Diagnostic::error(code::FILL_NO_AMOUNT, "the fill does not say how much it writes")
                    .label(node.name.span, "needs an amount")
                    .help("write `fill passes=1 { … }` for the whole area, or `fill \"50%\" { … }` for a part of it"),
            );
            Leaf::Faulty
        }
        (None, None) => Leaf::Faulty,
    };
    let mut child = |name, diagnostics: &mut Diagnostics| cursor.take_child(name, diagnostics);
    let block_size = child("block-size", diagnostics)
        .map(|node| one_only(node, Place::Fill, "a size", outer, diagnostics, value::block_size));
    let threads = child("threads", diagnostics)
        .map(|node| one_only(node, Place::Fill, "a number of threads", outer, diagnostics, value::threads));
    let queue_depth = child("queue-depth", diagnostics)
        .map(|node| one_only(node, Place::Fill, "a queue depth", outer, diagnostics, value::queue_depth));
    Fill {
        amount,
        block_size: block_size.unwrap_or_default(),
        threads: threads.unwrap_or_default(),
        queue_depth: queue_depth.unwrap_or_default(),
    }
}

fn allow(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Allow> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let what = cursor.need_argument("what is allowed, as \"unwritten-reads\"", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| {
            let known = value::values_of("allow", Place::Test);
            Some(value::named(literal, "allow", "something that can be allowed", known, d)?.map(String::from))
        })
    });
    let in_step = cursor
        .take_property("in", diagnostics)
        .map(|literal| value::leaf(literal, outer, diagnostics, |l, d| value::name(l, "a step's name", d)));
    let because = cursor.take_property("because", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| {
            Some(literal.read_text("a reason in quotes", d)?.map(|text| text.trim().to_string()))
        })
    });
    let because = match because {
        Some(Leaf::Written(reason)) if !reason.value.is_empty() => Some(reason),
        Some(Leaf::Faulty) => None,
        other => {
            let place = other.as_ref().and_then(Leaf::given).map_or(node.name.span, |given| given.span);
            diagnostics.push(
                Diagnostic::error(code::ALLOW_NO_REASON, "`allow` stands without a reason")
                    .label(place, "the report prints the reason beside the figures")
                    .help("add `because=\"…\"`"),
            );
            None
        }
    };
    cursor.finish(&Words::of("allow", Place::Test), diagnostics);
    let in_step = match in_step {
        None => None,
        Some(leaf) => Some(leaf.given()?.clone()),
    };
    Some(Allow { what: what?.given()?.clone(), in_step, because: because? })
}
