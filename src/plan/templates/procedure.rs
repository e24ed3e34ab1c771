use std::collections::HashSet;
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Document, Literal, Node, NodeCursor, Value};
use crate::plan::names::{self, Place};
use crate::plan::vocabulary::Words;
use crate::plan::{decode, params};
use crate::text::Spanned;

/// A `procedure` node.
#[derive(Debug)]
pub(super) struct Procedure {
    /// Its place among the procedures.
    pub(super) index: usize,
    pub(super) name: Spanned<String>,
    pub(super) annotation: Option<Spanned<Arc<str>>>,
    /// The names that `apply` must give a value.
    pub(super) needs: Vec<Spanned<String>>,
    /// What it can be applied among.
    pub(super) holds: Holds,
    /// Its steps or loads as written.
    pub(super) body: Vec<Node>,
}

/// What a procedure holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Steps.
    Steps,
    /// Loads of one `measure` or `precondition`.
    Loads,
    /// Calls of other procedures, which say it themselves.
    OnlyCalls,
    /// Both, which has been reported.
    Both,
}

/// All procedures of a document that have a name; of two with one name the first. In the order of their names.
pub(super) fn all(document: &Document, diagnostics: &mut Diagnostics) -> Vec<Procedure> {
    let params: Vec<&Literal> =
        document.nodes.iter().filter(|node| node.name() == "param").filter_map(|node| node.arguments.first()).collect();
    let mut procedures: Vec<Procedure> = document
        .nodes
        .iter()
        .filter(|node| node.name() == "procedure")
        .filter_map(|node| procedure(node, &params, diagnostics))
        .collect();
    // A stable order: of equal names the first of the text stays first.
    procedures.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    let mut kept: Vec<Procedure> = Vec::new();
    for procedure in procedures {
        match kept.last().filter(|last| last.name.value == procedure.name.value) {
            Some(first) => diagnostics.push(
                Diagnostic::error(
                    code::NAME_DUPLICATE,
                    format!("two procedures have the name {:?}", procedure.name.value),
                )
                .label(procedure.name.span, "again here")
                .also(first.name.span, "first here")
                .help("give one of them another name"),
            ),
            None => kept.push(procedure),
        }
    }
    for (index, procedure) in kept.iter_mut().enumerate() {
        procedure.index = index;
    }
    kept
}

/// The procedure of a name; the list is in the order of names.
pub(super) fn find<'p>(procedures: &'p [Procedure], name: &str) -> Option<&'p Procedure> {
    let index = procedures.binary_search_by(|procedure| procedure.name.value.as_str().cmp(name)).ok()?;
    procedures.get(index)
}

/// The names that some `apply` gives, wherever it stands.
pub(super) fn applied(document: &Document) -> HashSet<String> {
    fn collect(node: &Node, applied: &mut HashSet<String>) {
        if node.name() == "apply"
            && let Some(Value::Text(name)) = node.arguments.first().map(|name| &name.value)
        {
            applied.insert(name.to_string());
        }
        node.children().iter().for_each(|child| collect(child, applied));
    }
    let mut applied = HashSet::new();
    document.nodes.iter().for_each(|node| collect(node, &mut applied));
    applied
}

fn procedure(node: &Node, params: &[&Literal], diagnostics: &mut Diagnostics) -> Option<Procedure> {
    let mut cursor = NodeCursor::new(node);
    // Read for its check only: the annotation goes with the steps.
    cursor.provenance(diagnostics);
    let name = cursor.need_argument("the procedure's name", diagnostics);
    let name = name.and_then(|literal| decode::value::name(literal, "the procedure's name", diagnostics));
    let needs = cursor.take_child("needs", diagnostics).map(|node| needs(node, params, diagnostics));
    let needs = needs.unwrap_or_default();
    let body: Vec<Node> =
        node.children().iter().filter(|node| node.name() != "needs" && is_step(node)).cloned().collect();
    let words: Vec<&str> = body.iter().map(Node::name).collect();
    cursor.take_children_of(&words);
    cursor.finish(&Words::of("procedure", Place::Top), diagnostics);
    let name = name?;
    let is_empty = node.children().iter().all(|node| node.name() == "needs");
    if is_empty {
        diagnostics.push(
            Diagnostic::error(code::PROCEDURE_NO_STEPS, format!("the procedure {:?} has no step", name.value))
                .label(name.span, "applying it would do nothing")
                .help("write its steps in braces, as `measure $workload { \u{2026} }`, or leave it out"),
        );
    }
    for need in needs.iter().filter(|need| !is_empty && !body.iter().any(|node| uses(node, &need.value))) {
        diagnostics.push(
            Diagnostic::warning(
                code::PROCEDURE_UNUSED_PARAMETER,
                format!("the procedure {:?} does not use ${}, which it needs", name.value, need.value),
            )
            .label(need.span, "giving it would change nothing")
            .help(format!("write `${}` where its value belongs, or leave it out", need.value)),
        );
    }
    let holds = Holds::of(&name, &body, diagnostics);
    Some(Procedure { index: 0, name, annotation: node.annotation.clone(), needs, holds, body })
}

/// True for what takes part in a template. What may stand in a test but not in a template would pass for one of the
/// test's own words; all else is judged as a step.
pub(super) fn is_step(node: &Node) -> bool {
    names::at(node.name(), Place::Procedure).is_some() || names::at(node.name(), Place::Test).is_none()
}

impl Holds {
    /// Calls of other procedures and words that nobody knows tell nothing.
    fn of(name: &Spanned<String>, body: &[Node], diagnostics: &mut Diagnostics) -> Self {
        let known = |node: &&Node| node.name() != "apply" && names::at(node.name(), Place::Procedure).is_some();
        let load = body.iter().find(|node| node.name() == "load");
        let step = body.iter().filter(known).find(|node| node.name() != "load");
        match (load, step) {
            (None, None) => Self::OnlyCalls,
            (None, Some(_)) => Self::Steps,
            (Some(_), None) => Self::Loads,
            (Some(load), Some(step)) => {
                diagnostics.push(
                    Diagnostic::error(
                        code::PROCEDURE_MIXED,
                        format!("the procedure {:?} holds steps and loads", name.value),
                    )
                    .label(load.name.span, "a load")
                    .also(step.name.span, "a step")
                    .help("cut it into two procedures"),
                );
                Self::Both
            }
        }
    }
}

fn needs(node: &Node, params: &[&Literal], diagnostics: &mut Diagnostics) -> Vec<Spanned<String>> {
    let mut cursor = NodeCursor::new(node);
    let first = cursor.need_argument("the names of parameters", diagnostics);
    let mut needs: Vec<Spanned<String>> = Vec::new();
    let mut known = HashSet::new();
    for literal in first.into_iter().chain(cursor.take_arguments()) {
        let Some(name) = params::name(literal, diagnostics) else { continue };
        if !known.insert(name.value.clone()) {
            let first = needs.iter().find(|first| first.value == name.value).map_or(name.span, |first| first.span);
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("`needs` names {:?} twice", name.value))
                    .label(name.span, "again here")
                    .also(first, "first here")
                    .help("keep one of them"),
            );
            continue;
        }
        shadows(&name, params, diagnostics);
        needs.push(name);
    }
    cursor.finish(&Words::of("needs", Place::Procedure), diagnostics);
    needs
}

/// Reports a name of a template that a parameter of the plan has, too: nobody could say which of them `$name` means.
fn shadows(name: &Spanned<String>, params: &[&Literal], diagnostics: &mut Diagnostics) {
    let same = |param: &&&Literal| matches!(&param.value, Value::Text(text) if **text == *name.value);
    if let Some(param) = params.iter().find(same) {
        diagnostics.push(
            Diagnostic::error(code::NAME_SHADOWED, format!("${} would have two meanings here", name.value))
                .label(name.span, "the same name again")
                .also(param.span, "the plan's parameter")
                .help("give one of them another name"),
        );
    }
}

/// True where `$name` stands somewhere in a node.
pub(super) fn uses(node: &Node, name: &str) -> bool {
    let properties = node.properties.iter().map(|property| &property.value);
    node.arguments.iter().chain(properties).any(|literal| literal.parameter() == Some(name))
        || node.children().iter().any(|child| uses(child, name))
}
