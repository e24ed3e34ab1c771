//! From the written plan to the plan: workloads into loads, defaults, names of steps. What a load lacks or says twice is
//! reported here, for only here both its sides are seen. Must never look at the text again.

mod labels;
mod load;
mod report;
mod rules;
mod step_ids;
mod streams;
mod window;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::text::Span;
use crate::units::{OutstandingIo, QueueDepth, Threads};

use super::check::load_of;
use super::model::{self, Given, Host, ParamValue, StepKind};
use super::written::{self, Leaf, Plan, Steps};
use super::{defaults, limits};
use labels::Labels;

/// Resolves everything; `None` where something is missing or wrong, which has been reported.
pub(super) fn resolve(written: Plan, params: Vec<ParamValue>, diagnostics: &mut Diagnostics) -> Option<model::Plan> {
    let setup = steps(&written.setup, &written, diagnostics);
    let before_each = steps(&written.before_each, &written, diagnostics);
    let tests: Vec<Option<model::Test>> =
        written.tests.iter().map(|test| self::test(test, &written, diagnostics)).collect();
    let workloads = written.workloads.iter().map(|workload| streams::workload(workload, diagnostics)).collect();
    let header = written.header?;
    let start = header.name.span;
    let engine = written.host.engine.given().copied().unwrap_or(Given::default_at(defaults::ENGINE, start));
    let plan = model::Plan {
        header,
        devices: written.devices,
        host: Host {
            engine,
            batch: written.host.batch.optional()?,
            completions: written
                .host
                .completions
                .optional()?
                .unwrap_or(Given::default_at(model::Completions::Interrupt, start)),
            data_pool: written.host.data_pool.optional()?,
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

/// The steps of a section, whose names are told apart through all that stand inside of each other.
fn steps(written: &Steps, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<Vec<model::Step>> {
    steps_within(written, &mut Labels::of(written), plan, diagnostics)
}

fn steps_within(
    written: &Steps,
    labels: &mut Labels,
    plan: &Plan,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<model::Step>> {
    let mut resolved = Vec::new();
    for step in &written.steps {
        let label = labels.next(step);
        let kind = kind(step, labels, plan, diagnostics);
        resolved.push(kind.map(|kind| model::Step {
            label,
            variant: step.variant.clone(),
            kind,
            provenance: step.provenance,
            span: step.span,
        }));
    }
    resolved.into_iter().collect()
}

fn kind(step: &written::Step, labels: &mut Labels, plan: &Plan, diagnostics: &mut Diagnostics) -> Option<StepKind> {
    match &step.kind {
        written::StepKind::Plain(_, kind) => kind.as_deref().cloned(),
        written::StepKind::Fill(written) => fill(written, step, diagnostics).map(StepKind::Fill),
        written::StepKind::Precondition(_) => {
            load::load(load_of(step)?, step, plan, diagnostics).map(StepKind::Precondition)
        }
        written::StepKind::Measure(load) => {
            let between_cases = steps_within(&load.between_cases, labels, plan, diagnostics);
            let load = load::load(load_of(step)?, step, plan, diagnostics)?;
            Some(StepKind::Measure(model::Load { between_cases: between_cases?, ..load }))
        }
        written::StepKind::Rounds(rounds) => {
            let steps = steps_within(&rounds.steps, labels, plan, diagnostics);
            let steady_state = rounds.steady_state.clone().optional()?.map(|given| given.value);
            Some(StepKind::Rounds(model::Rounds { count: *rounds.count.given()?, steady_state, steps: steps? }))
        }
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
    let on_device = or_default(&fill.on_device, false, step)?;
    let access = or_default(&fill.access, defaults::FILL_ACCESS, step)?;
    let data = or_default(&fill.data, defaults::DATA, step)?;
    Some(model::Fill {
        amount: *fill.amount.given()?,
        block_size: *fill.block_size.given()?,
        threads: *fill.threads.given()?,
        queue_depth,
        on_device,
        access,
        data,
        rate: None,
    })
}

/// What is written, else the default; none where something wrong is written.
fn or_default<T: Copy>(leaf: &Leaf<T>, default: T, step: &written::Step) -> Option<Given<T>> {
    match leaf {
        Leaf::Absent => Some(Given::default_at(default, step.span)),
        Leaf::Faulty => None,
        Leaf::Written(given) => Some(*given),
    }
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
