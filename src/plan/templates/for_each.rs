use std::collections::HashMap;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Document, Literal, Node, NodeCursor, Value};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::{decode, limits, params};
use crate::text::{Span, Spanned, is_hidden};
use crate::units::parse_quantity;

use super::frame::{Bound, Frame};
use super::procedure::{is_step, uses};
use super::{Filling, Takes};

/// A name that holds around a node: where it comes from, and what it is.
type Around = (String, Span, &'static str);

/// Reports what is wrong with every `for-each` of a document by itself, whether it is put in or not.
pub(super) fn check(document: &Document, diagnostics: &mut Diagnostics) {
    let named = |literal: &Literal, what| match &literal.value {
        Value::Text(text) => Some((text.to_string(), literal.span, what)),
        _ => None,
    };
    let params = document.nodes.iter().filter(|node| node.name() == "param");
    let params = params.filter_map(|node| named(node.arguments.first()?, "the plan's parameter"));
    let mut around: Vec<Around> = params.collect();
    for node in &document.nodes {
        let outer = around.len();
        if node.name() == "procedure" {
            let needs = node.children().iter().filter(|child| child.name() == "needs");
            let needs = needs.flat_map(|needs| &needs.arguments);
            around.extend(needs.filter_map(|need| named(need, "what the procedure needs")));
        }
        within(node, &mut around, diagnostics);
        around.truncate(outer);
    }
}

fn within(node: &Node, around: &mut Vec<Around>, diagnostics: &mut Diagnostics) {
    for child in node.children() {
        if child.name() == "for-each" {
            one(child, around, diagnostics);
        } else if Takes::inside(child.name()).is_some() {
            within(child, around, diagnostics);
        }
    }
}

fn one(node: &Node, around: &mut Vec<Around>, diagnostics: &mut Diagnostics) {
    let mut cursor = NodeCursor::new(node);
    // Read for its check only: the annotation goes with the values and steps.
    cursor.provenance(diagnostics);
    let name = cursor.need_argument("the name that stands for each value", diagnostics);
    let name = name.filter(|name| decode::value::name(name, "the name", diagnostics).is_some());
    let name = name.and_then(|name| params::name(name, diagnostics));
    for value in cursor.take_arguments() {
        value.provenance(diagnostics);
    }
    let words: Vec<&str> = node.children().iter().filter(|node| is_step(node)).map(Node::name).collect();
    cursor.take_children_of(&words);
    cursor.finish(&Words::of("for-each", Place::Test), diagnostics);
    if values(node).is_empty() && !node.arguments.is_empty() {
        diagnostics.push(
            Diagnostic::error(code::FOR_EACH_NO_VALUES, "`for-each` has no values")
                .label(node.head(), "needs values behind its name")
                .help("write them behind its name, as `for-each \"depth\" 1 4 16 { \u{2026} }`"),
        );
    }
    if node.children().is_empty() {
        diagnostics.push(
            Diagnostic::error(code::FOR_EACH_NO_STEPS, "`for-each` has no step")
                .label(node.head(), "nothing is done for its values")
                .help("write its steps in braces, or leave it out"),
        );
    }
    let outer = around.len();
    if let Some(name) = name {
        judge_name(node, &name, around, diagnostics);
        around.push((name.value, name.span, "the `for-each` around"));
    }
    within(node, around, diagnostics);
    around.truncate(outer);
}

fn judge_name(node: &Node, name: &Spanned<String>, around: &[Around], diagnostics: &mut Diagnostics) {
    if let Some((_, first, what)) = around.iter().rev().find(|(known, ..)| *known == name.value) {
        diagnostics.push(
            Diagnostic::error(code::NAME_SHADOWED, format!("${} would have two meanings here", name.value))
                .label(name.span, "the same name again")
                .also(*first, *what)
                .help("give one of them another name"),
        );
    }
    // A single value does nothing but name the steps, and may be written for that.
    let is_used = node.children().iter().any(|child| uses(child, &name.value));
    if !is_used && values(node).len() > 1 && !node.children().is_empty() {
        diagnostics.push(
            Diagnostic::warning(code::FOR_EACH_UNUSED_NAME, format!("`for-each` does not use ${}", name.value))
                .label(name.span, "the same is done for every value")
                .help(format!("write `${}` where its value belongs", name.value)),
        );
    }
}

/// The values behind the name.
pub(super) fn values(node: &Node) -> &[Literal] {
    node.arguments.get(1..).unwrap_or_default()
}

/// The name, where it is one.
fn name_of(node: &Node) -> Option<&str> {
    match &node.arguments.first()?.value {
        Value::Text(name) if params::is_name(name) && name.chars().count() <= limits::NAME => Some(name),
        _ => None,
    }
}

impl Filling<'_> {
    /// Writes the steps of one `for-each` once for every value, as seen from `frame`. False where it cannot be done, which
    /// has been reported.
    pub(super) fn for_each(&mut self, node: &Node, frame: &Frame, steps: &mut Vec<Node>) -> bool {
        let body: Vec<Node> = node.children().iter().filter(|node| is_step(node)).cloned().collect();
        let Some(name) = name_of(node).filter(|_| !values(node).is_empty() && !body.is_empty()) else { return false };
        let around = frame.annotation(&node.annotation);
        let values: Vec<Literal> =
            values(node).iter().map(|value| frame.value(value, self.texts, &mut self.unknown)).collect();
        let Some(shown) = shown(&values, self.diagnostics) else { return false };
        let place = frame.place(node.arguments.first().map_or(node.name.span, |name| name.span));
        if let Some((_, outer)) = frame.axes.iter().find(|(outer, _)| outer == name) {
            self.diagnostics.push(axis_twice(name, place, *outer));
            return false;
        }
        for (mut value, shown) in values.into_iter().zip(shown) {
            let (from, to) = self.texts.variant(node.name.span, value.span, (name, &shown));
            // An annotation of the whole covers the values that have none of their own.
            value.annotation = value.annotation.take().or_else(|| around.clone());
            let value = Some(value).filter(|value| !self.unknown.contains(&value.span));
            let mut inner = Frame { from, to, is_inner: true, ..frame.clone() };
            inner.axes.push((name.to_string(), place));
            inner.values.push(Bound { name: name.to_string(), value });
            inner.annotation = around.clone().or(inner.annotation);
            self.put_in(&body, &inner, Takes::Steps, steps);
        }
        true
    }
}

/// Two axes of one name, of which a table could show only one.
fn axis_twice(name: &str, place: Span, outer: Span) -> Diagnostic {
    Diagnostic::error(code::NAME_SHADOWED, format!("${name} would have two meanings here"))
        .label(place, "the same name again")
        .also(outer, "the `for-each` around")
        .help("give one of them another name")
}

/// The values as ids and tables show them; `None` where one cannot be shown or stands twice, which has been reported.
fn shown(values: &[Literal], diagnostics: &mut Diagnostics) -> Option<Vec<String>> {
    let mut all = Vec::new();
    let mut firsts: HashMap<String, Span> = HashMap::new();
    let mut is_faulty = false;
    for value in values {
        let shown = match shown_value(value) {
            Ok(shown) => shown,
            Err(reason) => {
                let message = format!("{} is not possible as a value of `for-each`", value.written);
                diagnostics.push(Diagnostic::error(code::VALUE_OUT_OF_RANGE, message).label(value.span, reason));
                is_faulty = true;
                continue;
            }
        };
        // `60s` and `1m` are one value; what is no quantity is compared as it is shown.
        let meant = parse_quantity(&shown).map_or_else(|_| shown.clone(), |quantity| format!("{quantity:?}"));
        match firsts.get(&meant) {
            Some(first) => {
                is_faulty = true;
                diagnostics.push(
                    Diagnostic::error(code::FOR_EACH_VALUE_TWICE, format!("`for-each` has {} twice", value.written))
                        .label(value.span, "again here")
                        .also(*first, "first here")
                        .help("keep one of them; `test \u{2026} repeat=N` does a whole protocol again"),
                );
            }
            None => {
                firsts.insert(meant, value.span);
            }
        }
        all.push(shown);
    }
    (!is_faulty).then_some(all)
}

/// A value in the names of steps; else why it cannot be in them.
fn shown_value(value: &Literal) -> Result<String, String> {
    let text = match &value.value {
        Value::Text(text) => text.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) if number.is_finite() => value.written.to_string(),
        Value::Bool(on) => format!("#{on}"),
        Value::Float(_) | Value::Null => return Err("needs a text, a number or a switch".into()),
    };
    if text.trim().is_empty() || text.trim() != text {
        return Err("the names of steps hold it: no blanks at its ends".into());
    }
    if text.chars().any(is_hidden) {
        return Err("the names of steps hold it: printable characters only".into());
    }
    if text.chars().count() > limits::NAME {
        return Err(format!("the names of steps hold it: at most {} characters", limits::NAME));
    }
    Ok(text)
}
