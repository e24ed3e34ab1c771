//! A load from its workload, its own children and the axes of its matrix: each value exactly once (R4, R5).

mod close;
mod judge;
mod pace;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::defaults;
use crate::plan::limits;
use crate::plan::model::{Given, Load, RunLimits};
use crate::plan::written::{self, Leaf, Plan, Step, StepKind};
use close::Closed;

use super::window;
use crate::text::Span;

/// Resolves a load.
pub(super) fn load(load: &written::Load, step: &Step, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<Load> {
    let closed: Vec<Closed> = load.parts.iter().map(|part| close::part(part, load, plan, diagnostics)).collect();
    bound_cases(load, diagnostics);
    let run = window::run(&run_of(load, step, diagnostics)?, close::nothing_written(&closed), diagnostics);
    let ramp = or_default(load.ramp, defaults::RAMP, step.span);
    let sample = or_default(load.sample, defaults::SAMPLE, step.span);
    curve_stands_alone(load, diagnostics);
    let is_measured = matches!(step.kind, StepKind::Measure(_));
    if let (Some(run), Some(sample)) = (&run, sample) {
        window::intervals(run, sample, is_measured, diagnostics);
    }
    judge::check(load, step, run.as_ref(), sample, diagnostics);
    Some(Load {
        parts: closed.into_iter().map(|closed| closed.part).collect::<Option<_>>()?,
        axes: load.axes.iter().map(|axis| axis.axis.clone()).collect(),
        skips: load.skips.clone(),
        curve: or_none(&load.curve)?.map(|given| given.value),
        load_of: or_none(&load.load_of)?,
        ramp: ramp?,
        run: run?,
        sample: sample?,
        health_every: or_none(&load.health_every)?,
        windows: load.windows.clone(),
        steady_state: or_none(&load.steady_state)?.map(|given| given.value),
        between_cases: Vec::new(),
        expects: load.expects.clone(),
        on_error: or_default(load.on_error, defaults::ON_ERROR, step.span)?,
        on_interruption: or_default(load.on_interruption, defaults::ON_INTERRUPTION, step.span)?,
    })
}

/// The value, or the default where nothing is written; `None` where something wrong is.
fn or_default<T: Copy>(leaf: Leaf<T>, default: T, node: Span) -> Option<Given<T>> {
    match leaf {
        Leaf::Absent => Some(Given::default_at(default, node)),
        Leaf::Faulty => None,
        Leaf::Written(given) => Some(given),
    }
}

/// The value where one is written; the outer `None` where something wrong is.
fn or_none<T: Clone>(leaf: &Leaf<T>) -> Option<Option<Given<T>>> {
    match leaf {
        Leaf::Absent => Some(None),
        Leaf::Faulty => None,
        Leaf::Written(given) => Some(Some(given.clone())),
    }
}

/// A load is a matrix or a curve: a curve finds a maximum of its own, for one case.
fn curve_stands_alone(load: &written::Load, diagnostics: &mut Diagnostics) {
    let (Some(curve), Some(axis)) = (load.curve.given(), load.axes.first()) else { return };
    diagnostics.push(
        Diagnostic::error(code::CURVE_AND_MATRIX, "the load has a curve and a matrix")
            .label(curve.span, "a curve is of one case")
            .also(axis.span, "makes several")
            .help("write a step for each case, as with `for-each`, or keep one of the two"),
    );
}

/// How long the load lasts, as written; a load that says nothing is reported.
fn run_of(load: &written::Load, step: &Step, diagnostics: &mut Diagnostics) -> Option<written::Run> {
    if let Some(run) = &load.run {
        return Some(run.clone());
    }
    if !load.is_partial {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NO_RUN, "the load does not say how long it lasts")
                .label(step.head, "needs `run`")
                .help("add `run \"60s\"`, `run written=\"10GB\"` or `run passes=1`"),
        );
    }
    None
}

/// Refuses a matrix that nobody could run.
fn bound_cases(load: &written::Load, diagnostics: &mut Diagnostics) {
    let cases = load.axes.iter().try_fold(1_u64, |cases, axis| cases.checked_mul(axis.axis.len() as u64));
    if cases.is_some_and(|cases| cases <= limits::CASES) {
        return;
    }
    let Some(first) = load.axes.first() else { return };
    let cases = cases.map_or("more cases than can be counted".into(), |cases| format!("{cases} cases"));
    let mut diagnostic = Diagnostic::error(code::MATRIX_TOO_MANY, format!("the matrix makes {cases}"))
        .label(first.span, format!("{} values", first.axis.len()))
        .help(format!("keep the product at {} or below, or write several steps", limits::CASES));
    for axis in &load.axes[1..] {
        diagnostic = diagnostic.also(axis.span, format!("times {}", axis.axis.len()));
    }
    diagnostics.push(diagnostic);
}

/// The limits of a load, empty where one of them is faulty.
pub(super) fn limits_of(run: &written::Run) -> Option<RunLimits> {
    if run.time.is_faulty() || run.written.is_faulty() || run.passes.is_faulty() || run.steady.is_faulty() {
        return None;
    }
    let limits = RunLimits {
        time: run.time.given().copied(),
        written: run.written.given().copied(),
        passes: run.passes.given().copied(),
        steady: run.steady.given().copied(),
    };
    (limits != RunLimits::default()).then_some(limits)
}
