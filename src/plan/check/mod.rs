//! Rules across sections: names, uses, and what must stand. Each is one small function in a table.

mod picks;

use std::collections::{HashMap, HashSet};

use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::text::{Span, Spanned};

use crate::plan::model::{EngineKind, WrittenCap, label_suffix};
use crate::plan::written::{Load, LoadPart, Plan, Step, StepKind, Steps};

pub(super) use picks::pick_of;

type Rule = fn(&Plan, &mut Diagnostics);

const RULES: &[Rule] = &[
    names_are_unique,
    one_role,
    engine_is_built,
    host_has_effect,
    endurance_is_stated,
    something_happens,
    workloads_are_defined,
    workloads_are_used,
    steps_are_told_apart,
    loads_are_told_apart,
    allowed_steps_exist,
    picks::check,
];

/// Applies every rule.
pub(super) fn check(plan: &Plan, diagnostics: &mut Diagnostics) {
    for rule in RULES {
        rule(plan, diagnostics);
    }
}

/// The workload of a step that is a load.
pub(super) fn load_of(step: &Step) -> Option<&Load> {
    match &step.kind {
        StepKind::Precondition(load) | StepKind::Measure(load) => Some(load),
        _ => None,
    }
}

/// The name that a load has in the results, with the place that gives it.
pub(super) fn load_label(step: &Step) -> Option<Spanned<String>> {
    let name = load_name(step)?;
    Some(Spanned::new(format!("{}{}", name.value, label_suffix(&step.variant)), name.span))
}

/// The name that the text gives a load: `as`, else its workload's; with the place that gives it.
pub(super) fn load_name(step: &Step) -> Option<Spanned<&str>> {
    if let Some(label) = &step.label {
        return Some(Spanned::new(&label.value, label.span));
    }
    let [part] = load_of(step)?.parts.as_slice() else { return None };
    let workload = part.workload.given().filter(|_| part.name.is_none())?;
    Some(Spanned::new(&workload.value, workload.span))
}

fn loads(plan: &Plan) -> impl Iterator<Item = &LoadPart> {
    plan.sections().flat_map(Steps::all).filter_map(load_of).flat_map(|load| &load.parts)
}

fn names_are_unique(plan: &Plan, diagnostics: &mut Diagnostics) {
    let workloads: Vec<(&str, Span)> = plan.workloads.iter().map(|w| (w.name.value.as_str(), w.name.span)).collect();
    let tests: Vec<(&str, Span)> = plan.tests.iter().map(|t| (t.name.value.as_str(), t.name.span)).collect();
    for (kind, names) in [("workload", workloads), ("test", tests)] {
        let mut firsts: HashMap<&str, Span> = HashMap::new();
        for (name, span) in names {
            let first = *firsts.entry(name).or_insert(span);
            if first == span {
                continue;
            }
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("two {kind}s have the name {name:?}"))
                    .label(span, "again here")
                    .also(first, "first here")
                    .help("give one of them another name"),
            );
        }
    }
}

fn one_role(plan: &Plan, diagnostics: &mut Diagnostics) {
    let Some((first, further)) = plan.devices.split_first() else { return };
    for device in further {
        let diagnostic = if device.role.value == first.role.value {
            Diagnostic::error(code::NAME_DUPLICATE, format!("the device {:?} is described twice", device.role.value))
                .help("keep one of them")
        } else {
            Diagnostic::error(code::PLAN_SEVERAL_ROLES, "the plan needs more than one drive")
                .help("this version runs one; write a plan for each")
        };
        diagnostics.push(diagnostic.label(device.role.span, "another one here").also(first.role.span, "the first one"));
    }
}

fn engine_is_built(plan: &Plan, diagnostics: &mut Diagnostics) {
    let Some(engine) = plan.host.engine.given().filter(|engine| engine.value == EngineKind::IoUring) else { return };
    diagnostics.push(
        Diagnostic::warning(code::ENGINE_NOT_BUILT, format!("the engine `{}` is not built yet", engine.value.name()))
            .label(engine.span, "can be checked and expanded, but a run is refused")
            .help("write `engine \"sync\"` where the method allows it"),
    );
}

/// What belongs to rings has no effect without any.
fn host_has_effect(plan: &Plan, diagnostics: &mut Diagnostics) {
    let host = &plan.host;
    if host.engine.is_faulty() || host.engine.given().is_some_and(|engine| engine.value == EngineKind::IoUring) {
        return;
    }
    let batch = host.batch.given().map(|given| ("batch", given.span));
    let completions = host.completions.given().map(|given| ("completions", given.span));
    for (word, span) in batch.into_iter().chain(completions) {
        let mut diagnostic =
            Diagnostic::error(code::HOST_NO_EFFECT, format!("`{word}` has no effect with the engine \"sync\""))
                .label(span, "belongs to rings")
                .help("leave it out, or write `engine \"io-uring\"` where the method means it");
        if let Some(engine) = host.engine.given() {
            diagnostic = diagnostic.also(engine.span, "has none");
        }
        diagnostics.push(diagnostic);
    }
}

/// A share of the endurance needs to know it.
fn endurance_is_stated(plan: &Plan, diagnostics: &mut Diagnostics) {
    let Some(cap) = plan.header.as_ref().and_then(|header| header.max_written) else { return };
    let is_stated = plan.devices.iter().any(|device| device.rated_endurance.is_some());
    if matches!(cap.value, WrittenCap::ShareOfEndurance(_)) && !is_stated {
        diagnostics.push(
            Diagnostic::error(code::PLAN_NO_ENDURANCE, format!("{} of an endurance that nothing states", cap.value))
                .label(cap.span, "needs `rated-endurance` in `device`")
                .help("add `rated-endurance \"600TB\"`, as the maker rates the drive, or write bytes or drive writes"),
        );
    }
}

fn something_happens(plan: &Plan, diagnostics: &mut Diagnostics) {
    for test in plan.tests.iter().filter(|test| test.steps.is_empty()) {
        diagnostics.push(
            Diagnostic::error(code::TEST_NO_STEPS, format!("the test {:?} has no step", test.name.value))
                .label(test.name.span, "nothing happens in it")
                .help("write its steps in braces, as `measure \"workload\" { … }`, or leave it out"),
        );
    }
    let Some(header) = &plan.header else { return };
    if plan.tests.is_empty() && plan.setup.is_empty() && !plan.is_partial {
        diagnostics.push(
            Diagnostic::error(code::PLAN_NOTHING_TO_DO, "the plan has no step")
                .label(header.name.span, "nothing happens in it")
                .help("add a `test \"name\" { … }` with its steps"),
        );
    }
}

fn workloads_are_defined(plan: &Plan, diagnostics: &mut Diagnostics) {
    let names: Vec<&str> = plan.workloads.iter().map(|workload| workload.name.value.as_str()).collect();
    let known: HashSet<&str> = names.iter().copied().collect();
    let undefined =
        loads(plan).filter_map(|load| load.workload.given()).filter(|used| !known.contains(used.value.as_str()));
    for (index, used) in undefined.enumerate() {
        // To look for the nearest of all names is dear, and what is not shown needs none.
        let near = (index < Diagnostics::SHOWN_AT_MOST).then(|| suggest::nearest(&used.value, names.iter().copied()));
        let near = near.flatten();
        let help = match near {
            Some(near) => format!("did you mean {near:?}?"),
            None if names.is_empty() => format!("define it with `workload {:?} {{ … }}` at the top level", used.value),
            None => format!("the plan has {}", listed(&names)),
        };
        let undefined =
            Diagnostic::error(code::WORKLOAD_UNDEFINED, format!("workload {:?} is used but not defined", used.value))
                .label(used.span, "used here")
                .help(help);
        diagnostics.push(named_instead(undefined, used.span, near));
    }
}

/// With the remedy that writes the name that was probably meant.
pub(super) fn named_instead(diagnostic: Diagnostic, name: Span, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.rewrite(name, super::spell::quoted(near)),
        None => diagnostic,
    }
}

/// Up to six names in quotes.
pub(super) fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(6).map(|name| format!("{name:?}")).collect();
    let more = if names.len() > 6 { " and others" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn workloads_are_used(plan: &Plan, diagnostics: &mut Diagnostics) {
    let used: HashSet<&str> =
        loads(plan).filter_map(|load| load.workload.given()).map(|used| used.value.as_str()).collect();
    // A step that does not say its workload in a way that can be read may mean any of them.
    let has_faulty = loads(plan).any(|load| load.workload.is_faulty());
    for workload in &plan.workloads {
        let name = &workload.name.value;
        let is_used = has_faulty || used.contains(name.as_str()) || plan.unread.contains(name);
        if !is_used {
            diagnostics.push(
                Diagnostic::warning(code::WORKLOAD_UNUSED, format!("no step uses the workload {name:?}"))
                    .label(workload.name.span, "has no effect")
                    .help("use it in a step, or leave it out"),
            );
        }
    }
}

fn steps_are_told_apart(plan: &Plan, diagnostics: &mut Diagnostics) {
    for section in plan.sections() {
        let mut firsts: HashMap<String, Span> = HashMap::new();
        for name in section.all().into_iter().filter_map(load_label) {
            let Some(first) = firsts.get(&name.value) else {
                firsts.insert(name.value, name.span);
                continue;
            };
            diagnostics.push(
                Diagnostic::error(code::STEP_SAME_NAME, format!("two steps have the name {:?}", name.value))
                    .label(name.span, "again here")
                    .also(*first, "first here")
                    .help("give one of them a name of its own with `as=\"…\"`"),
            );
        }
    }
}

/// Loads at the same time have names of their own in the results.
fn loads_are_told_apart(plan: &Plan, diagnostics: &mut Diagnostics) {
    let steps = plan.sections().flat_map(|section| section.steps.iter()).filter_map(load_of);
    for load in steps {
        let mut firsts: HashMap<&str, Span> = HashMap::new();
        for part in &load.parts {
            let Some(name) = part.name.as_ref().or(part.workload.given()) else { continue };
            let first = *firsts.entry(&name.value).or_insert(name.span);
            if first == name.span {
                continue;
            }
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("two loads have the name {:?}", name.value))
                    .label(name.span, "again here")
                    .also(first, "first here")
                    .help("give one of them a name of its own with `as=\"…\"`"),
            );
        }
    }
}

fn allowed_steps_exist(plan: &Plan, diagnostics: &mut Diagnostics) {
    // Steps that are refused, as `apply`, may hold the one that is meant.
    for test in plan.tests.iter().filter(|test| !test.steps.is_partial_within()) {
        let loads = || test.steps.all().into_iter().filter(|step| load_of(step).is_some());
        let mut names: Vec<&str> = loads().filter_map(load_name).map(|name| name.value).collect();
        let is_sure = loads().count() == names.len();
        let mut known = HashSet::new();
        names.retain(|name| known.insert(*name));
        let labels: HashSet<String> = loads().filter_map(load_label).map(|label| label.value).collect();
        for named in test.allows.iter().filter_map(|allow| allow.in_step.as_ref()) {
            if !is_sure || known.contains(named.value.as_str()) || labels.contains(&named.value) {
                continue;
            }
            let all = names.iter().copied().chain(labels.iter().map(String::as_str));
            let near = suggest::nearest(&named.value, all);
            let help = match near {
                Some(near) => format!("did you mean {near:?}?"),
                None if names.is_empty() => "the test has no loads at all".into(),
                None => format!("the test has {}", listed(&names)),
            };
            let undefined = Diagnostic::error(
                code::STEP_UNDEFINED,
                format!("the test {:?} has no step {:?}", test.name.value, named.value),
            )
            .label(named.span, "named here")
            .help(help);
            diagnostics.push(named_instead(undefined, named.span, near));
        }
    }
}
