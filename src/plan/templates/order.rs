use std::collections::HashMap;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, Value};
use crate::plan::limits;
use crate::text::Span;

use super::procedure::{Procedure, find};
use super::size::Size;

/// A call in a procedure: of which one, and where.
type Call = (usize, Span);

/// What each procedure grows to, each after those that it applies. Reports procedures that apply themselves and calls
/// that stand too deep in each other; these have no size. Walks without recursion, since a chain may be long.
pub(super) fn sizes(procedures: &[Procedure], diagnostics: &mut Diagnostics) -> Vec<Option<Size>> {
    let calls: Vec<Vec<Call>> = procedures.iter().map(|procedure| calls_of(&procedure.body, procedures)).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); procedures.len()];
    for (caller, calls) in calls.iter().enumerate() {
        calls.iter().for_each(|(called, _)| callers[*called].push(caller));
    }
    let mut waiting: Vec<usize> = calls.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..procedures.len()).filter(|index| waiting[*index] == 0).collect();
    let mut sizes: Vec<Option<Size>> = vec![None; procedures.len()];
    while let Some(index) = ready.pop() {
        sizes[index] = size(&procedures[index], &calls[index], procedures, &sizes, diagnostics);
        for caller in &callers[index] {
            waiting[*caller] -= 1;
            if waiting[*caller] == 0 {
                ready.push(*caller);
            }
        }
    }
    report_cycles(procedures, &calls, &waiting, diagnostics);
    sizes
}

fn size(
    procedure: &Procedure,
    calls: &[Call],
    procedures: &[Procedure],
    sizes: &[Option<Size>],
    diagnostics: &mut Diagnostics,
) -> Option<Size> {
    let by_name = |name: &str| match find(procedures, name) {
        Some(called) => sizes[called.index],
        None => Some(Size::default()),
    };
    let size = Size::of(&procedure.body, &by_name)?;
    if size.depth < limits::TEMPLATE_DEPTH {
        return Some(size);
    }
    let deepest = calls.iter().find(|(called, _)| sizes[*called].is_some_and(|inner| inner.depth + 1 >= size.depth));
    let place = deepest.map_or(procedure.name.span, |(_, place)| *place);
    diagnostics.push(
        Diagnostic::error(
            code::PROCEDURE_TOO_DEEP,
            format!("procedures stand in each other more than {} deep", limits::TEMPLATE_DEPTH),
        )
        .label(place, "this one is too deep")
        .help("write some of them out where they are applied"),
    );
    None
}

/// The calls among steps and inside of them, in the order of the text.
fn calls_of(body: &[Node], procedures: &[Procedure]) -> Vec<Call> {
    fn collect(node: &Node, procedures: &[Procedure], calls: &mut Vec<Call>) {
        if node.name() == "apply"
            && let Some(name) = node.arguments.first()
            && let Value::Text(called) = &name.value
            && let Some(procedure) = find(procedures, called)
        {
            calls.push((procedure.index, name.span));
        }
        node.children().iter().for_each(|child| collect(child, procedures, calls));
    }
    let mut calls = Vec::new();
    body.iter().for_each(|node| collect(node, procedures, &mut calls));
    calls
}

/// Reports each circle once. What waits in vain is in a circle or applies one, and each step of the walk goes to a
/// procedure that waits, too.
fn report_cycles(procedures: &[Procedure], calls: &[Vec<Call>], waiting: &[usize], diagnostics: &mut Diagnostics) {
    let next = |index: usize| calls[index].iter().find(|(called, _)| waiting[*called] > 0).copied();
    let mut seen = vec![false; procedures.len()];
    for start in (0..procedures.len()).filter(|index| waiting[*index] > 0) {
        let mut way: Vec<(usize, Span)> = Vec::new();
        let mut step_of: HashMap<usize, usize> = HashMap::new();
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            let Some((called, place)) = next(at) else { break };
            step_of.insert(at, way.len());
            way.push((at, place));
            at = called;
        }
        if let Some(first) = step_of.get(&at) {
            diagnostics.push(cycle(procedures, &way[*first..]));
        }
    }
}

/// So many calls of a circle are labelled.
const CALLS_LABELLED: usize = 6;

fn cycle(procedures: &[Procedure], way: &[(usize, Span)]) -> Diagnostic {
    let name = |index: usize| &procedures[index].name.value;
    let message = match way {
        [(index, _)] => format!("the procedure {:?} applies itself", name(*index)),
        [(index, _), ..] => format!("the procedure {:?} applies itself by way of others", name(*index)),
        [] => "procedures apply each other in a circle".into(),
    };
    let called = |step: usize| way.get((step + 1) % way.len().max(1)).map_or("", |(index, _)| name(*index).as_str());
    let labels = way.iter().enumerate().take(CALLS_LABELLED);
    let diagnostic = labels
        .fold(Diagnostic::error(code::PROCEDURE_CYCLE, message), |diagnostic, (step, (_, place))| {
            diagnostic.label(*place, format!("applies {:?}", called(step)))
        });
    diagnostic.help("take one of these calls out; a procedure is put in as text and cannot repeat itself")
}
