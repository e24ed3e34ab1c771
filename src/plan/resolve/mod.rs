//! From the written plan to the plan: workloads into loads, defaults, names of steps. What a load lacks or says twice is
//! reported here, for only here both its sides are seen. Must never look at the text again.

mod load;
mod report;
mod rules;
mod step_ids;
mod streams;
mod window;

use std::collections::{HashMap, HashSet};

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::text::Span;
use crate::units::{OutstandingIo, QueueDepth, Threads};

use super::check::{load_label, load_of};
use super::model::{self, Given, Host, ParamValue, StepKind};
use super::written::{self, Leaf, Plan, Steps};
use super::{defaults, limits};

/// Resolves everything; `None` where something is missing or wrong, which has been reported.
pub(super) fn resolve(written: Plan, params: Vec<ParamValue>, diagnostics: &mut Diagnostics) -> Option<model::Plan> {
    let setup = steps(&written.setup, &written, diagnostics);
    let before_each = steps(&written.before_each, &written, diagnostics);
    let tests: Vec<Option<model::Test>> =
        written.tests.iter().map(|test| self::test(test, &written, diagnostics)).collect();
    let workloads = written.workloads.iter().map(|workload| streams::workload(workload, diagnostics)).collect();
    let header = written.header?;
    let start = header.name.span;
    let engine = written.engine.given().copied().unwrap_or(Given::default_at(defaults::ENGINE, start));
    let plan = model::Plan {
        header,
        devices: written.devices,
        host: Host {
            engine,
            batch: None,
            completions: Given::default_at(model::Completions::Interrupt, start),
            data_pool: None,
        },
        params,
        workloads,
        setup: setup?,
        before_each: before_each?,
        tests: tests.into_iter().collect::<Option<_>>()?,
        report: written.report,
        not_run: Vec::new(),
        texts: super::Texts::default(),
    };
    step_ids::check(&plan, diagnostics);
    report::check(&plan, diagnostics);
    Some(plan)
}

/// Another value in the place of one.
fn given_as<T, U>(given: &Given<T>, value: U) -> Given<U> {
    Given { value, provenance: given.provenance, is_default: given.is_default, span: given.span }
}

fn test(test: &written::Test, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<model::Test> {
    let steps = steps(&test.steps, plan, diagnostics)?;
    let repeat = test.repeat.given().copied().unwrap_or(Given::default_at(defaults::REPEAT, test.name.span));
    Some(model::Test { name: test.name.clone(), title: test.title.clone(), repeat, allows: test.allows.clone(), steps })
}

fn steps(written: &Steps, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<Vec<model::Step>> {
    let labels = labels(written);
    let resolved: Vec<Option<model::Step>> = written
        .steps
        .iter()
        .zip(labels)
        .map(|(step, label)| {
            let kind = kind(step, plan, diagnostics)?;
            Some(model::Step {
                label,
                variant: step.variant.clone(),
                kind,
                provenance: step.provenance,
                span: step.span,
            })
        })
        .collect();
    resolved.into_iter().collect()
}

/// The names of the steps: a load has its own, and what has none is numbered from the second on (`idle`, `idle-2`).
fn labels(written: &Steps) -> Vec<String> {
    let mut taken: HashSet<String> = written.steps.iter().filter_map(load_label).map(|label| label.value).collect();
    let mut last_numbers = HashMap::new();
    let labels = written.steps.iter().map(|step| match load_label(step) {
        Some(label) => label.value,
        None => numbered(step.kind.name(), model::label_suffix(&step.variant), &mut taken, &mut last_numbers),
    });
    labels.collect()
}

/// The first of `name`, `name-2`, `name-3` … with the suffix that is not taken; takes it.
fn numbered(
    name: &'static str,
    suffix: String,
    taken: &mut HashSet<String>,
    last_numbers: &mut HashMap<(&'static str, String), usize>,
) -> String {
    let number = last_numbers.entry((name, suffix.clone())).or_default();
    loop {
        *number += 1;
        let label = if *number == 1 { format!("{name}{suffix}") } else { format!("{name}-{number}{suffix}") };
        if taken.insert(label.clone()) {
            return label;
        }
    }
}

fn kind(step: &written::Step, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<StepKind> {
    match &step.kind {
        written::StepKind::LimitTo(part) => part.given().copied().map(StepKind::LimitTo),
        written::StepKind::Trim(part) => part.given().copied().map(StepKind::Trim),
        written::StepKind::Idle(time) => time.given().copied().map(StepKind::Idle),
        written::StepKind::Fill(written) => fill(written, step, diagnostics).map(StepKind::Fill),
        written::StepKind::Precondition(_) => {
            load::load(load_of(step)?, step, plan, diagnostics).map(StepKind::Precondition)
        }
        written::StepKind::Measure(_) => load::load(load_of(step)?, step, plan, diagnostics).map(StepKind::Measure),
    }
}

fn fill(fill: &written::Fill, step: &written::Step, diagnostics: &mut Diagnostics) -> Option<model::Fill> {
    if fill.block_size.is_absent() {
        diagnostics.push(
            Diagnostic::error(code::FILL_NO_BLOCK_SIZE, "the fill does not say its block size")
                .label(step.head, "needs `block-size`")
                .help("add `block-size \"128KiB\"`, or the size that the method uses"),
        );
    }
    if fill.threads.is_absent() {
        diagnostics.push(no_threads("the fill", step.head));
    }
    let queue_depth = match fill.queue_depth {
        Leaf::Absent => Given::default_at(defaults::QUEUE_DEPTH, step.span),
        Leaf::Faulty => return None,
        Leaf::Written(depth) => depth,
    };
    if let Some(threads) = fill.threads.given() {
        bound_slots(*threads, queue_depth, diagnostics);
    }
    Some(model::Fill {
        amount: *fill.amount.given()?,
        block_size: *fill.block_size.given()?,
        threads: *fill.threads.given()?,
        queue_depth,
        on_device: Given::default_at(false, step.span),
        access: Given::default_at(model::Access::SequentialShared, step.span),
        data: Given::default_at(defaults::DATA, step.span),
        rate: None,
    })
}

fn no_threads(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::LOAD_NO_THREADS, format!("{what} does not say how many threads it has"))
        .label(span, "needs `threads`")
        .help("add `threads 1`, or the number that the method uses; `queue-depth` is 1 where it is absent")
}

/// Refuses more slots than a run can keep apart; the largest of each side count.
fn bound_slots(threads: Given<Threads>, queue_depth: Given<QueueDepth>, diagnostics: &mut Diagnostics) {
    let slots = OutstandingIo::of(threads.value, queue_depth.value).get();
    if slots <= limits::SLOTS {
        return;
    }
    diagnostics.push(
        Diagnostic::error(
            code::LOAD_TOO_MANY_SLOTS,
            format!(
                "{} threads at queue depth {} keep {slots} operations outstanding",
                threads.value, queue_depth.value
            ),
        )
        .label(threads.span, format!("{} threads", threads.value))
        .also(queue_depth.span, "each at this depth")
        .help(format!("keep the product at {} or below", limits::SLOTS)),
    );
}
