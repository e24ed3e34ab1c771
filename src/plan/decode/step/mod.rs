//! Tests and their steps.

mod drive;
mod fill;
mod pick;
mod purge;
mod rounds;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::limits;
use crate::plan::model::{self, Allow, Provenance};
use crate::plan::names::{self, Built, Entry, Place};
use crate::plan::vocabulary::Words;
use crate::plan::written::{Leaf, Step, StepKind, Steps, Test};
use crate::text::Spanned;

use super::{has_unread_children, load, name, origin, text, value};

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

/// The steps between two cases of a measurement.
pub(super) fn between_cases(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Steps {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let steps = take_steps(node, &mut cursor, Place::BetweenCases, outer, diagnostics);
    cursor.finish(&Words::of(node.name(), Place::Measure), diagnostics);
    if steps.is_empty() {
        diagnostics.push(
            Diagnostic::error(code::BETWEEN_NO_STEPS, "nothing happens between the cases")
                .label(node.name.span, "has no step")
                .help("write the steps in braces, as `between-cases { idle \"3m\"; }`, or leave it out"),
        );
    }
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
    let nodes = cursor.take_children_of(&words_of(place));
    let steps = nodes.into_iter().map(|node| step(node, place, outer, diagnostics)).collect();
    Steps { steps, is_partial: has_unread_children(node, place) }
}

/// The steps that are decoded in this place.
fn words_of(place: Place) -> Vec<&'static str> {
    let is_step = |entry: &&Entry| entry.built != Built::NotYet && entry.places.contains(&Place::Setup);
    let words = names::allowed_in(place).filter(is_step).map(|entry| entry.name);
    words.filter(|word| !TEMPLATES.contains(word)).collect()
}

fn step(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Step {
    let mut cursor = NodeCursor::new(node);
    let provenance = origin(&cursor, outer, diagnostics);
    let mut label = None;
    let name = names::at(node.name(), place).map_or("", |entry| entry.name);
    let mut plain =
        |decode: PlainDecoder| StepKind::Plain(name, decode(node, &mut cursor, provenance, diagnostics).map(Box::new));
    let kind = match name {
        "secure-erase" => plain(purge::secure_erase),
        "partition" => plain(drive::partition),
        "limit-to" => plain(drive::limit_to),
        "trim" => plain(drive::trim),
        "write-cache" => plain(drive::write_cache),
        "setting" => plain(drive::setting),
        "idle" => plain(drive::idle),
        "cool-down" => plain(drive::cool_down),
        "pick" => plain(pick::decode),
        "fill" => StepKind::Fill(fill::decode(node, &mut cursor, provenance, diagnostics)),
        "rounds" => StepKind::Rounds(rounds::decode(node, &mut cursor, provenance, diagnostics)),
        "precondition" => {
            label = take_label(&mut cursor, diagnostics);
            StepKind::Precondition(load::decode(node, &mut cursor, Place::Precondition, provenance, diagnostics))
        }
        _ => {
            label = take_label(&mut cursor, diagnostics);
            StepKind::Measure(load::decode(node, &mut cursor, Place::Measure, provenance, diagnostics))
        }
    };
    cursor.finish(&Words::of(node.name(), place), diagnostics);
    Step { kind, label, variant: Vec::new(), provenance, span: node.name.span, head: node.head() }
}

/// Decodes a step that nothing else in the plan says anything about. What is absent gets its default here.
type PlainDecoder = fn(&Node, &mut NodeCursor<'_>, Provenance, &mut Diagnostics) -> Option<model::StepKind>;

fn take_label(cursor: &mut NodeCursor<'_>, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    value::name(cursor.take_property("as", diagnostics)?, "a step's name", diagnostics)
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
