//! From the tree to the written plan, one file for each section of the reference. Reports everything that is wrong and
//! carries on. Must never fill in a default or look from one section into another: that is `resolve` and `check`.

mod device;
mod header;
mod load;
mod metric;
mod report;
mod step;
pub(super) mod value;
mod workload;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Document, Literal, Node, NodeCursor};

use super::model::Provenance;
use super::names::{self, Built, Place};
use super::templates::is_template;
use super::vocabulary::Words;
use super::written::{Leaf, Plan};

/// Decodes a document whose parameters have been replaced and whose templates have been put in. `unapplied` are steps that
/// only their shape is asked of.
pub(super) fn decode(document: &Document, unapplied: &[Node], diagnostics: &mut Diagnostics) -> Plan {
    let mut cursor = NodeCursor::over(document);
    let outer = Provenance::Chosen;
    let header = header::take_plan(&mut cursor, document, diagnostics);
    // `super::include` has put these in.
    cursor.take_children("include");
    // `super::params` has decoded these.
    cursor.take_children("param");
    // `super::templates` has put these in.
    cursor.take_children("procedure");
    let devices: Vec<_> = cursor
        .take_children("device")
        .into_iter()
        .filter_map(|node| device::decode(node, outer, diagnostics))
        .collect();
    let host =
        cursor.take_child("host", diagnostics).map(|node| header::host(node, outer, diagnostics)).unwrap_or_default();
    let workloads: Vec<_> = cursor
        .take_children("workload")
        .into_iter()
        .filter_map(|node| workload::decode(node, outer, diagnostics))
        .collect();
    let mut steps = |name, place| {
        cursor.take_child(name, diagnostics).map(|node| step::list(node, place, outer, diagnostics)).unwrap_or_default()
    };
    let setup = steps("setup", Place::Setup);
    let before_each = steps("before-each", Place::BeforeEach);
    let tests: Vec<_> =
        cursor.take_children("test").into_iter().filter_map(|node| step::test(node, outer, diagnostics)).collect();
    let report = cursor.take_child("report", diagnostics).map(|node| report::decode(node, outer, diagnostics));
    cursor.finish(&Words::TOP, diagnostics);
    step::shape(unapplied, diagnostics);
    let mut unread = Vec::new();
    collect_unread(&document.nodes, Place::Top, &mut unread);
    let is_partial = document.nodes.iter().any(|node| names::at(node.name(), Place::Top).is_none());
    Plan {
        header,
        devices,
        host,
        workloads,
        setup,
        before_each,
        tests,
        report: report.unwrap_or_default(),
        unread,
        is_partial,
    }
}

/// The values in nodes that are not carried out yet or not known, and in templates, which may not have been put in: a
/// workload that they name is in use.
fn collect_unread(nodes: &[Node], place: Place, unread: &mut Vec<String>) {
    for node in nodes {
        match names::at(node.name(), place) {
            Some(entry) if entry.built != Built::NotYet && !holds_templates(node.name()) => {
                if let Some(inside) = entry.inside {
                    collect_unread(node.children(), inside, unread);
                }
            }
            _ => collect_values(node, unread),
        }
    }
}

/// True for what may hold uses that are nowhere else.
fn holds_templates(name: &str) -> bool {
    name == "procedure" || is_template(name)
}

fn collect_values(node: &Node, unread: &mut Vec<String>) {
    let properties = node.properties.iter().map(|property| &property.value);
    for literal in node.arguments.iter().chain(properties) {
        if let crate::lang::Value::Text(text) = &literal.value {
            unread.push(text.to_string());
        }
    }
    for child in node.children() {
        collect_values(child, unread);
    }
}

/// The provenance that holds inside of a node: its own, else that of the node around it.
fn origin(cursor: &NodeCursor<'_>, outer: Provenance, diagnostics: &mut Diagnostics) -> Provenance {
    cursor.provenance(diagnostics).unwrap_or(outer)
}

/// True where some child may say what seems to be missing: a word that nobody knows, or one of `telling`, which stand for
/// much and are not carried out yet. A known word that only means nothing here, or nothing yet, leaves all else missing.
fn may_say_more(node: &Node, inside: Place, telling: &[&str]) -> bool {
    node.children().iter().any(|child| {
        let name = child.name();
        names::at(name, inside).is_none_or(|entry| entry.built == Built::NotYet)
            && (telling.contains(&name) || names::named(name).next().is_none())
    })
}

/// True where some child is no word that this version carries out here, or a template that could not be put in.
fn has_unread_children(node: &Node, inside: Place) -> bool {
    node.children().iter().any(|child| {
        is_template(child.name()) || names::at(child.name(), inside).is_none_or(|entry| entry.built == Built::NotYet)
    })
}

/// The name that stands first behind a node: not empty, printable, not too long.
fn name(cursor: &mut NodeCursor<'_>, wanted: &str, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<String> {
    match cursor.need_argument(wanted, diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, |literal, d| value::name(literal, wanted, d)),
        None => Leaf::Faulty,
    }
}

/// The value of a property.
fn property<T>(
    cursor: &mut NodeCursor<'_>,
    key: &str,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<crate::text::Spanned<T>>,
) -> Leaf<T> {
    match cursor.take_property(key, diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, read),
        None => Leaf::Absent,
    }
}

/// The value of a property that must stand.
fn needed<T>(
    cursor: &mut NodeCursor<'_>,
    key: &str,
    wanted: &str,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<crate::text::Spanned<T>>,
) -> Leaf<T> {
    match cursor.need_property(key, wanted, diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, read),
        None => Leaf::Faulty,
    }
}

/// The first value behind a node, which must stand.
fn argument<T>(
    cursor: &mut NodeCursor<'_>,
    wanted: &str,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<crate::text::Spanned<T>>,
) -> Leaf<T> {
    match cursor.need_argument(wanted, diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, read),
        None => Leaf::Faulty,
    }
}

/// The one text behind a node that is for people.
fn text(node: &Node, place: Place, diagnostics: &mut Diagnostics) -> Option<String> {
    let leaf = single(node, place, "a text in quotes", Provenance::Chosen, diagnostics, |literal, d| {
        Some(literal.read_text("a text in quotes", d)?.map(|text| text.to_string()))
    });
    leaf.given().map(|given| given.value.clone())
}

/// The one value behind a node that takes nothing else.
fn single<T>(
    node: &Node,
    place: Place,
    wanted: &str,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<crate::text::Spanned<T>>,
) -> Leaf<T> {
    let mut cursor = NodeCursor::new(node);
    let origin = origin(&cursor, outer, diagnostics);
    let leaf = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, origin, diagnostics, read),
        None => missing(node, place, wanted, diagnostics),
    };
    cursor.finish(&Words::of(node.name(), place), diagnostics);
    leaf
}

/// Reports a missing value, unless what stands in braces is refused anyway (`block-size { size … }`).
fn missing<T>(node: &Node, place: Place, wanted: &str, diagnostics: &mut Diagnostics) -> Leaf<T> {
    if node.children().is_empty() {
        let form = names::at(node.name(), place).map_or(node.name(), |entry| entry.form);
        diagnostics.push(
            Diagnostic::error(code::VALUE_MISSING, format!("`{}` stands without its value", node.name()))
                .label(node.name.span, format!("needs {wanted}"))
                .help(format!("the form is `{form}`")),
        );
    }
    Leaf::Faulty
}
