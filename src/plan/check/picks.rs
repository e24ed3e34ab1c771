//! Picks and the loads that take their values from them: each names something that stands before it.

use std::collections::HashMap;

use super::{listed, load_name, load_of};
use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::plan::model::{self, Given, Pick, PickChoice};
use crate::plan::written::{Plan, Step, StepKind, Steps};
use crate::text::Span;

/// The pick of a step, where it is one and can be read.
pub(in crate::plan) fn pick_of(step: &Step) -> Option<&Pick> {
    match &step.kind {
        StepKind::Plain(_, Some(kind)) => match kind.as_ref() {
            model::StepKind::Pick(pick) => Some(pick),
            _ => None,
        },
        _ => None,
    }
}

/// Walks the steps of each section and looks every name up among what came before.
pub(super) fn check(plan: &Plan, diagnostics: &mut Diagnostics) {
    let mut picks: HashMap<&str, (Span, bool)> = HashMap::new();
    let mut is_sure = true;
    for section in plan.sections() {
        let steps = Steps::all(section);
        is_sure &= !section.is_partial_within();
        for (index, step) in steps.iter().enumerate() {
            if matches!(&step.kind, StepKind::Plain("pick", None)) {
                is_sure = false;
            }
            if let Some(pick) = pick_of(step) {
                chosen_from(pick, &steps[..index], section.is_partial_within(), diagnostics);
                if let PickChoice::Nearest { between, and, .. } = &pick.choice {
                    for other in [between, and] {
                        used(other, &mut picks, is_sure, diagnostics);
                    }
                }
                defined(pick, &mut picks, diagnostics);
            }
            if let Some(used_pick) = load_of(step).and_then(|load| load.load_of.given()) {
                used(used_pick, &mut picks, is_sure, diagnostics);
            }
        }
    }
    let mut unused: Vec<(&str, Span)> =
        picks.into_iter().filter(|(_, (_, is_used))| !is_used).map(|(name, (span, _))| (name, span)).collect();
    unused.sort_by_key(|(_, span)| span.start);
    for (name, span) in unused.into_iter().filter(|_| is_sure) {
        diagnostics.push(
            Diagnostic::warning(code::PICK_UNUSED, format!("nothing takes its load from the pick {name:?}"))
                .label(span, "has no effect")
                .help("use it with `load-of`, or leave it out"),
        );
    }
}

fn defined<'p>(pick: &'p Pick, picks: &mut HashMap<&'p str, (Span, bool)>, diagnostics: &mut Diagnostics) {
    let name = &pick.name;
    if let Some((first, _)) = picks.get(name.value.as_str()) {
        diagnostics.push(
            Diagnostic::error(code::NAME_DUPLICATE, format!("two picks have the name {:?}", name.value))
                .label(name.span, "again here")
                .also(*first, "first here")
                .help("give one of them another name"),
        );
        return;
    }
    picks.insert(&name.value, (name.span, false));
}

/// Marks a pick as used, or reports that there is none of this name so far.
fn used(name: &Given<String>, picks: &mut HashMap<&str, (Span, bool)>, is_sure: bool, diagnostics: &mut Diagnostics) {
    if let Some((_, is_used)) = picks.get_mut(name.value.as_str()) {
        *is_used = true;
        return;
    }
    if !is_sure {
        return;
    }
    let mut known: Vec<&str> = picks.keys().copied().collect();
    known.sort_unstable();
    let help = match suggest::nearest(&name.value, known.iter().copied()) {
        Some(near) => format!("did you mean {near:?}?"),
        None if known.is_empty() => format!("choose it before with `pick {:?} from=\"…\" {{ … }}`", name.value),
        None => format!("the picks before it are {}", listed(&known)),
    };
    diagnostics.push(
        Diagnostic::error(code::PICK_UNDEFINED, format!("no pick before this has the name {:?}", name.value))
            .label(name.span, "named here")
            .help(help),
    );
}

/// A pick chooses among the cases of a measurement that is done by then.
fn chosen_from(pick: &Pick, before: &[&Step], is_partial: bool, diagnostics: &mut Diagnostics) {
    let measured = || before.iter().filter(|step| matches!(step.kind, StepKind::Measure(_)));
    let found = measured().find(|step| load_name(step).is_some_and(|name| name.value == pick.from.value));
    let Some(found) = found else {
        let is_sure = !is_partial && measured().all(|step| load_name(step).is_some());
        if is_sure {
            let known: Vec<&str> = measured().filter_map(|step| load_name(step)).map(|name| name.value).collect();
            let help = match suggest::nearest(&pick.from.value, known.iter().copied()) {
                Some(near) => format!("did you mean {near:?}?"),
                None if known.is_empty() => "measure first, and pick behind it".into(),
                None => format!("the measurements before it are {}", listed(&known)),
            };
            diagnostics.push(
                Diagnostic::error(
                    code::STEP_UNDEFINED,
                    format!("no measurement {:?} comes before this", pick.from.value),
                )
                .label(pick.from.span, "named here")
                .help(help),
            );
        }
        return;
    };
    let (PickChoice::At(values), Some(load)) = (&pick.choice, load_of(found)) else { return };
    if load.has_faulty_axes {
        return;
    }
    for value in values {
        let axis = value.value.axis();
        if !load.axes.iter().any(|known| known.axis.name() == axis) {
            let known: Vec<&str> = load.axes.iter().map(|axis| axis.axis.name()).collect();
            let help = match known.is_empty() {
                true => "it has one case".into(),
                false => format!("its axes are {}", listed(&known)),
            };
            diagnostics.push(
                Diagnostic::error(code::PICK_NO_AXIS, format!("{:?} has no axis `{axis}`", pick.from.value))
                    .label(value.span, "names no case of it")
                    .help(help),
            );
        }
    }
}
