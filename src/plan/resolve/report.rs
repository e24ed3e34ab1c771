//! The names that a report refers to: steps, tests, windows, lists of values.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::plan::model::{Given, Plan};
use crate::text::Span;
use crate::units::Metric;

/// Refuses a report that names what the plan does not have.
pub(super) fn check(plan: &Plan, diagnostics: &mut Diagnostics) {
    let steps = plan.all_steps();
    let names: BTreeSet<&str> = steps.iter().flat_map(|step| [step.name(), step.label.as_str()]).collect();
    let tests: BTreeSet<&str> = plan.tests.iter().map(|test| test.name.value.as_str()).collect();
    let lists: BTreeSet<&str> = steps.iter().flat_map(|step| &step.variant).map(|(name, _)| name.as_str()).collect();
    let loads = || steps.iter().filter_map(|step| step.kind.load());
    let windows: BTreeSet<&str> = loads().flat_map(|load| &load.windows).map(|w| w.name.value.as_str()).collect();
    let parts = loads().flat_map(|load| &load.parts);
    let inside = parts.flat_map(|part| {
        let streams = part.streams.iter().filter_map(|stream| stream.name.as_ref());
        std::iter::once(part.label()).chain(streams.map(|name| name.value.as_str()))
    });
    let scopes: BTreeSet<&str> = inside.chain(names.iter().copied()).chain(windows.iter().copied()).collect();
    let of: BTreeSet<&str> = names.union(&tests).copied().collect();

    let view = &plan.report;
    let metrics = view.series.iter().flat_map(|series| &series.metrics);
    let metrics = metrics.chain(view.numbers.iter().flat_map(|number| &number.metrics)).chain(&view.columns);
    for metric in metrics {
        self::metric(metric, &scopes, diagnostics);
    }
    for name in view.series.iter().filter_map(|series| series.of.as_ref()) {
        known(&name.value, name.span, "step or test", &of, diagnostics);
    }
    for number in &view.numbers {
        let referred = [(&number.of, "step or test", &of), (&number.window, "window", &windows)];
        for (name, kind, known_names) in referred.into_iter().chain([(&number.by, "`for-each`", &lists)]) {
            if let Some(name) = name {
                known(&name.value, name.span, kind, known_names, diagnostics);
            }
        }
    }
}

/// Refuses a metric of a step, load, stream or window that is not there.
fn metric(metric: &Given<Metric>, scopes: &BTreeSet<&str>, diagnostics: &mut Diagnostics) {
    let scope = metric.value.scope.as_str();
    if !scope.is_empty() && !is_of(scope, scopes) {
        known(scope, metric.span, "step, load, stream or window", scopes, diagnostics);
    }
}

/// True where a scope is names in a row; a name may have dots in it.
fn is_of(scope: &str, names: &BTreeSet<&str>) -> bool {
    names
        .iter()
        .filter_map(|name| scope.strip_prefix(name))
        .any(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(|rest| is_of(rest, names)))
}

fn known(name: &str, span: Span, kind: &str, names: &BTreeSet<&str>, diagnostics: &mut Diagnostics) {
    if names.contains(name) {
        return;
    }
    let near = suggest::nearest(name, names.iter().copied());
    let listed: Vec<String> = names.iter().take(8).map(|name| format!("{name:?}")).collect();
    let help = match near {
        Some(near) => format!("did you mean {near:?}?"),
        None if listed.is_empty() => "the plan has none".into(),
        None => format!("the plan has {}", listed.join(", ")),
    };
    diagnostics.push(
        Diagnostic::error(
            code::REPORT_UNDEFINED,
            format!("the report names a {kind} {name:?} that the plan does not have"),
        )
        .label(span, format!("no {kind} has this name"))
        .help(help),
    );
}
