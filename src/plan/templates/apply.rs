use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::lang::{Node, NodeCursor, Property};
use crate::plan::check::named_instead;
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::text::{Span, Spanned};

use super::frame::{Bound, Frame};
use super::procedure::{Holds, Procedure, find};
use super::{Filling, Takes};

impl Filling<'_> {
    /// Carries out one `apply`: `node` as it is written, `call` as it stands in the plan. False where it cannot be, which
    /// has been reported.
    pub(super) fn apply(
        &mut self,
        node: &Node,
        call: &Node,
        frame: &Frame,
        takes: Takes,
        steps: &mut Vec<Node>,
    ) -> bool {
        let mut cursor = NodeCursor::new(call);
        cursor.provenance(self.diagnostics);
        let name = cursor.need_argument("the name of a procedure", self.diagnostics);
        // The arguments are read one by one below, since any of them may stand twice.
        let mut reading = call.clone();
        reading.properties.clear();
        let mut rest = NodeCursor::new(&reading);
        rest.take_argument();
        rest.finish(&Words::of("apply", Place::Test), self.diagnostics);
        let Some(name) = name.and_then(|name| name.read_text("the name of a procedure", self.diagnostics)) else {
            return false;
        };
        if node.arguments.first().is_some_and(|written| written.parameter().is_some()) {
            self.diagnostics.push(
                Diagnostic::error(code::PROCEDURE_UNDEFINED, "`apply` does not name its procedure itself")
                    .label(name.span, "which one it is must stand here")
                    .help("write the procedure's name"),
            );
            return false;
        }
        let Some(procedure) = find(self.procedures, &name.value) else {
            self.diagnostics.push(undefined(&name, self.procedures));
            return false;
        };
        if self.size_of(procedure).is_none() {
            return false;
        }
        if !may_stand(procedure, name.span, takes, self.diagnostics) {
            return false;
        }
        let values = arguments(call, procedure, self.diagnostics);
        let (from, to) = self.texts.instance(procedure.name.span, call.head(), "applied here");
        let mut inner = Frame { from, to, values, annotation: None, is_inner: true, axes: frame.axes.clone() };
        let own = procedure.annotation.as_ref().map(|own| own.as_ref().map(Clone::clone));
        inner.annotation = own
            .map(|own| Spanned::new(own.value, inner.place(own.span)))
            .or_else(|| call.annotation.clone())
            .or_else(|| frame.annotation.clone());
        self.put_in(&procedure.body, &inner, takes, steps);
        true
    }
}

/// Reports a procedure of loads among steps, and one of steps among loads.
fn may_stand(procedure: &Procedure, call: Span, takes: Takes, diagnostics: &mut Diagnostics) -> bool {
    let (holds, help) = match (procedure.holds, takes) {
        (Holds::OnlyCalls, _) | (Holds::Steps, Takes::Steps) | (Holds::Loads, Takes::Loads) => return true,
        // Reported where it is defined.
        (Holds::Both, _) => return false,
        (Holds::Loads, Takes::Steps) => ("loads", "apply it in a `measure` or `precondition`, whose loads they are"),
        (Holds::Steps, Takes::Loads) => ("steps", "apply it before or after, among the steps of the test"),
    };
    let among = if takes == Takes::Steps { "steps" } else { "loads" };
    diagnostics.push(
        Diagnostic::error(
            code::PROCEDURE_MISPLACED,
            format!("the procedure {:?} holds {holds} and is applied among {among}", procedure.name.value),
        )
        .label(call, format!("{among} stand here"))
        .also(procedure.name.span, format!("holds {holds}"))
        .help(help),
    );
    false
}

fn undefined(used: &Spanned<std::sync::Arc<str>>, procedures: &[Procedure]) -> Diagnostic {
    let name = &*used.value;
    let names: Vec<&str> = procedures.iter().map(|procedure| procedure.name.value.as_str()).collect();
    let near = suggest::nearest(name, names.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean {near:?}?"),
        None if names.is_empty() => format!("define it with `procedure {name:?} {{ \u{2026} }}` at the top level"),
        None => format!("the plan has {}", crate::plan::check::listed(&names)),
    };
    let undefined =
        Diagnostic::error(code::PROCEDURE_UNDEFINED, format!("procedure {name:?} is applied but not defined"))
            .label(used.span, "applied here")
            .help(help);
    named_instead(undefined, used.span, near)
}

/// The values of a procedure's names at a call. A name without one stays open, so that the rest is still checked.
fn arguments(call: &Node, procedure: &Procedure, diagnostics: &mut Diagnostics) -> Vec<Bound> {
    let mut given: Vec<&Property> = Vec::new();
    for property in &call.properties {
        let key = &*property.key.value;
        let Some(need) = procedure.needs.iter().find(|need| need.value == key) else {
            diagnostics.push(unknown_argument(property, procedure));
            continue;
        };
        match given.iter().find(|earlier| *earlier.key.value == *key) {
            Some(first) => diagnostics.push(
                Diagnostic::error(code::PROCEDURE_ARGUMENT_TWICE, format!("`{key}=` is given more than once"))
                    .label(property.key.span, "given again here")
                    .also(first.key.span, "first given here")
                    .also(need.span, "needed once")
                    .help("keep one of them"),
            ),
            None => given.push(property),
        }
    }
    let value = |name: &str| given.iter().find(|property| &*property.key.value == name).map(|found| &found.value);
    let missing: Vec<&str> =
        procedure.needs.iter().map(|need| need.value.as_str()).filter(|name| value(name).is_none()).collect();
    if let Some(first) = missing.first() {
        let needed = procedure.needs.iter().find(|need| need.value == *first).map_or(call.name.span, |need| need.span);
        let wanted: Vec<String> = missing.iter().map(|name| format!("`{name}=\u{2026}`")).collect();
        diagnostics.push(
            Diagnostic::error(
                code::PROCEDURE_MISSING_ARGUMENT,
                format!("the procedure {:?} is applied without {}", procedure.name.value, wanted.join(", ")),
            )
            .label(call.head(), "something is missing here")
            .also(needed, "needed by the procedure")
            .help(format!("add {}", wanted.join(" "))),
        );
    }
    let bound = |name: &str| {
        let mut value = value(name).cloned();
        if let Some(value) = &mut value {
            // An annotation of the whole call covers its values.
            value.annotation = value.annotation.take().or_else(|| call.annotation.clone());
        }
        Bound { name: name.to_string(), value }
    };
    procedure.needs.iter().map(|need| bound(&need.value)).collect()
}

fn unknown_argument(property: &Property, procedure: &Procedure) -> Diagnostic {
    let key = &*property.key.value;
    let names: Vec<&str> = procedure.needs.iter().map(|need| need.value.as_str()).collect();
    let near = suggest::nearest(key, names.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}=`?"),
        None if names.is_empty() => "it takes no arguments; leave it out".into(),
        None => format!("it needs {}", crate::plan::check::listed(&names)),
    };
    let unknown = Diagnostic::error(
        code::PROCEDURE_UNKNOWN_ARGUMENT,
        format!("the procedure {:?} has no parameter {key:?}", procedure.name.value),
    )
    .label(property.key.span, "given here")
    .also(procedure.name.span, "the procedure")
    .help(help);
    match near {
        Some(near) => unknown.rewrite(property.key.span, near),
        None => unknown,
    }
}
