//! Parameters: their values, `--set`, and putting them in the place of `$name`.

mod limits;

use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::lang::{Document, Literal, Node, NodeCursor, Value};
use crate::text::{Span, Spanned};

use super::model::ParamValue;
use super::names::{self, Place};
use super::vocabulary::Words;
use limits::{Limits, kind};

/// A `param` node.
#[derive(Debug)]
struct Param {
    name: Spanned<String>,
    /// What the plan gives.
    plan_value: Literal,
    /// What holds.
    value: Literal,
    describe: Option<String>,
    is_used: bool,
}

/// What holds after parameters have been replaced.
#[derive(Debug, Default)]
pub(super) struct Replaced {
    /// The parameters with the values that hold.
    pub(super) params: Vec<ParamValue>,
    /// Where a `$name` has no value, which has been reported; nothing else there is worth a word.
    pub(super) unknown: Vec<Span>,
}

/// Replaces every `$name` of a document by the value of its parameter, which `--set` may have changed, and reports what
/// is wrong with parameters and their use.
pub(super) fn replace(document: &mut Document, sets: &[(String, String)], diagnostics: &mut Diagnostics) -> Replaced {
    let mut params = decode(document, sets, diagnostics);
    let faulty: Vec<String> = document
        .nodes
        .iter()
        .filter(|node| node.name() == "param")
        .filter_map(|node| match &node.arguments.first()?.value {
            Value::Text(name) => Some(name.to_string()),
            _ => None,
        })
        .filter(|name| params.iter().all(|param| param.name.value != *name))
        .collect();
    let mut replacing = Replacing { params: &mut params, faulty: &faulty, unknown: Vec::new(), own: Vec::new() };
    for node in &mut document.nodes {
        if node.name() != "param" {
            replacing.replace_in(node, diagnostics);
        }
    }
    let unknown = replacing.unknown;
    for param in params.iter().filter(|param| !param.is_used) {
        diagnostics.push(
            Diagnostic::warning(code::PARAM_UNUSED, format!("nothing uses the parameter {:?}", param.name.value))
                .label(param.name.span, "setting it would change nothing")
                .help(format!("write `${}` where its value belongs, or leave it out", param.name.value)),
        );
    }
    let params = params
        .into_iter()
        .map(|param| ParamValue {
            name: param.name.value,
            value: spelled(&param.value),
            plan_value: spelled(&param.plan_value),
            describe: param.describe,
        })
        .collect();
    Replaced { params, unknown }
}

fn decode(document: &Document, sets: &[(String, String)], diagnostics: &mut Diagnostics) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for node in document.nodes.iter().filter(|node| node.name() == "param") {
        let Some(param) = param(node, sets, diagnostics) else { continue };
        if let Some(first) = params.iter().find(|earlier| earlier.name.value == param.name.value) {
            diagnostics.push(
                Diagnostic::error(
                    code::NAME_DUPLICATE,
                    format!("the parameter {:?} is defined twice", param.name.value),
                )
                .label(param.name.span, "again here")
                .also(first.name.span, "first here")
                .help("keep one, or give the other another name"),
            );
            continue;
        }
        params.push(param);
    }
    for (index, (name, _)) in sets.iter().enumerate() {
        if sets[..index].iter().any(|(earlier, _)| earlier == name) {
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("`--set {name}=…` is given more than once"))
                    .help("keep one of them"),
            );
        } else if !document.nodes.iter().any(|node| is_param(node, name)) {
            diagnostics.push(unknown_set(name, &params));
        }
    }
    params
}

fn is_param(node: &Node, name: &str) -> bool {
    node.name() == "param"
        && matches!(node.arguments.first(), Some(Literal { value: Value::Text(text), .. }) if **text == *name)
}

fn unknown_set(name: &str, params: &[Param]) -> Diagnostic {
    let known: Vec<String> = params.iter().map(|param| format!("`{}`", param.name.value)).collect();
    let near = suggest::nearest(name, params.iter().map(|param| param.name.value.as_str()));
    let help = match (near, known.is_empty()) {
        (Some(near), _) => format!("did you mean `--set {near}=…`?"),
        (None, true) => "it has no parameters at all".into(),
        (None, false) => format!("it has {}", known.join(", ")),
    };
    Diagnostic::error(code::PARAM_UNKNOWN_SET, format!("the plan has no parameter {name:?}, which `--set` names"))
        .help(help)
}

fn param(node: &Node, sets: &[(String, String)], diagnostics: &mut Diagnostics) -> Option<Param> {
    let mut cursor = NodeCursor::new(node);
    // Read for its check only: the annotation goes with the value.
    cursor.provenance(diagnostics);
    let name = cursor.need_argument("the parameter's name", diagnostics);
    let name = name.and_then(|literal| self::name(literal, diagnostics));
    let value = cursor.need_argument("a value", diagnostics).cloned();
    let describe = cursor.take_child("describe", diagnostics).and_then(|node| text_of(node, diagnostics));
    let mut bound = |name| cursor.take_child(name, diagnostics).map(|node| values_of(node, diagnostics));
    let (min, max, one_of) = (bound("min"), bound("max"), bound("one-of"));
    cursor.finish(&Words::of("param", Place::Top), diagnostics);
    let (name, mut value) = (name?, value?);
    if let Some(other) = value.parameter() {
        diagnostics.push(
            Diagnostic::error(code::PARAM_WRONG_KIND, format!("the value of a parameter is `${other}`"))
                .label(value.span, "another parameter is no value")
                .help("write the value itself"),
        );
        return None;
    }
    value.annotation = value.annotation.or_else(|| node.annotation.clone());
    let limits =
        Limits { min: min.unwrap_or_default(), max: max.unwrap_or_default(), one_of: one_of.unwrap_or_default() };
    limits.check(&name, &value, None, diagnostics);
    let set = sets.iter().find(|(set, _)| *set == name.value).map(|(_, text)| text);
    let held = match set {
        Some(text) => {
            // The plan's own value stands in for one that is refused, so that what follows is still checked.
            let held = set_value(text, &name, &value, diagnostics);
            held.filter(|held| limits.check(&name, held, Some(text), diagnostics)).unwrap_or_else(|| value.clone())
        }
        None => value.clone(),
    };
    Some(Param { name, plan_value: value, value: held, describe, is_used: false })
}

/// The name of a parameter, of the plan or of a procedure.
pub(super) fn name(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    let name = literal.read_text("the parameter's name", diagnostics)?;
    if is_name(&name.value) {
        return Some(name.map(|name| name.to_string()));
    }
    diagnostics.push(
        Diagnostic::error(
            code::VALUE_OUT_OF_RANGE,
            format!("{} is not possible as a parameter's name", literal.written),
        )
        .label(literal.span, "use letters, digits and `-` alone"),
    );
    None
}

/// What can stand behind `$`: so a price in a title is not taken for a parameter.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

fn text_of(node: &Node, diagnostics: &mut Diagnostics) -> Option<String> {
    let mut cursor = NodeCursor::new(node);
    let text = cursor.need_argument("a text in quotes", diagnostics)?.read_text("a text in quotes", diagnostics);
    cursor.finish(&Words::of(node.name(), Place::Param), diagnostics);
    Some(text?.value.to_string())
}

/// The values of `min`, `max` or `one-of`.
fn values_of(node: &Node, diagnostics: &mut Diagnostics) -> Vec<Literal> {
    let mut cursor = NodeCursor::new(node);
    let mut values: Vec<Literal> = cursor.need_argument("a value", diagnostics).cloned().into_iter().collect();
    if node.name() == "one-of" {
        values.extend(cursor.take_arguments().iter().cloned());
    }
    cursor.finish(&Words::of(node.name(), Place::Param), diagnostics);
    values
}

/// The text behind `--set NAME=` as a value of the kind that the plan gives.
fn set_value(
    text: &str,
    name: &Spanned<String>,
    plan_value: &Literal,
    diagnostics: &mut Diagnostics,
) -> Option<Literal> {
    let value = match &plan_value.value {
        Value::Integer(_) => text.parse().ok().map(Value::Integer),
        Value::Float(_) => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float),
        Value::Bool(_) => text.trim_start_matches('#').parse().ok().map(Value::Bool),
        Value::Text(_) | Value::Null => Some(Value::Text(text.into())),
    };
    let set = value.map(|value| Literal {
        annotation: None,
        written: match &value {
            Value::Text(text) => format!("{text:?}").into(),
            _ => text.into(),
        },
        value,
        span: plan_value.span,
    });
    let (Some(wanted), Some(set)) = (kind(plan_value), set.filter(|set| kind(set) == kind(plan_value))) else {
        diagnostics.push(
            Diagnostic::error(
                code::PARAM_WRONG_KIND,
                format!("`--set {}={text}` is not {}", name.value, kind(plan_value).unwrap_or("a value")),
            )
            .label(plan_value.span, "the plan's own value says the kind")
            .help(format!(
                "set it to {}, as `--set {}={}`",
                kind(plan_value).unwrap_or("a value"),
                name.value,
                bare(plan_value)
            )),
        );
        return None;
    };
    debug_assert_eq!(kind(&set), Some(wanted));
    Some(set)
}

/// Puts values in the place of `$name`, node by node.
struct Replacing<'p> {
    params: &'p mut Vec<Param>,
    /// Parameters that are defined but have no value that could be used, which has been reported.
    faulty: &'p [String],
    unknown: Vec<Span>,
    /// Names that a procedure or `for-each` around has of its own, the innermost last.
    own: Vec<String>,
}

impl Replacing<'_> {
    /// Replaces within one node. A word that is not carried out yet keeps its text (its `$name` may be one of its own),
    /// but what it names counts as used. The names that a procedure has of its own keep theirs, too.
    fn replace_in(&mut self, node: &mut Node, diagnostics: &mut Diagnostics) {
        if names::is_not_built(node.name()) {
            self.mark_used(node);
            return;
        }
        // A `for-each` says its name itself.
        let own_name = usize::from(node.name() == "for-each");
        let properties = node.properties.iter_mut().map(|property| &mut property.value);
        for literal in node.arguments.iter_mut().skip(own_name).chain(properties) {
            let Some(name) = literal.parameter().filter(|name| is_name(name)).map(String::from) else { continue };
            if self.own.contains(&name) {
                continue;
            }
            match self.params.iter_mut().find(|param| param.name.value == name) {
                Some(param) => {
                    param.is_used = true;
                    *literal = literal.replaced_by(&param.value);
                }
                None => {
                    self.unknown.push(literal.span);
                    if !self.faulty.contains(&name) {
                        diagnostics.push(undefined(literal, &name, self.params, &self.own));
                    }
                }
            }
        }
        let outer = self.own.len();
        self.own.extend(own_names(node));
        for child in node.children.iter_mut().flatten() {
            self.replace_in(child, diagnostics);
        }
        self.own.truncate(outer);
    }

    fn mark_used(&mut self, node: &Node) {
        let properties = node.properties.iter().map(|property| &property.value);
        for name in node.arguments.iter().chain(properties).filter_map(Literal::parameter) {
            if let Some(param) = self.params.iter_mut().find(|param| param.name.value == name) {
                param.is_used = true;
            }
        }
        for child in node.children() {
            self.mark_used(child);
        }
    }
}

/// The names that a node gives to those in it: what a procedure needs, that of a `for-each`.
fn own_names(node: &Node) -> Vec<String> {
    let text = |literal: &Literal| match &literal.value {
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    };
    match node.name() {
        "procedure" => {
            let needs = node.children().iter().filter(|child| child.name() == "needs");
            needs.flat_map(|needs| &needs.arguments).filter_map(text).collect()
        }
        "for-each" => node.arguments.first().and_then(text).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn undefined(literal: &Literal, name: &str, params: &[Param], own: &[String]) -> Diagnostic {
    let known = params.iter().map(|param| param.name.value.as_str()).chain(own.iter().map(String::as_str));
    let near = suggest::nearest(name, known);
    let label = near.map_or("used here".into(), |near| format!("did you mean `${near}`?"));
    let undefined = Diagnostic::error(code::PARAM_UNDEFINED, format!("the plan has no parameter {name:?}"))
        .label(literal.span, label)
        .help(format!("define it with `param \"{name}\" VALUE` at the top level"));
    match near {
        Some(near) => undefined.rewrite(literal.span, format!("${near}")),
        None => undefined,
    }
}

/// A value as a plan would write it, in one spelling.
fn spelled(literal: &Literal) -> String {
    match &literal.value {
        Value::Text(text) => super::spell::quoted(text),
        Value::Integer(number) => number.to_string(),
        Value::Bool(on) => format!("#{on}"),
        Value::Float(_) | Value::Null => literal.written.to_string(),
    }
}

/// A value as `--set` takes it.
fn bare(literal: &Literal) -> String {
    match &literal.value {
        Value::Text(text) => text.to_string(),
        _ => literal.written.to_string(),
    }
}
