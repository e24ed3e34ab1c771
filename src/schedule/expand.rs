//! Plan -> schedule.

use super::bind::Ground;
use super::estimate::{self, Rates};
use super::{Action, Schedule, ScheduledFill, ScheduledStep, StepId, matrix};
use crate::plan::{Extent, FillAmount, Plan, Step, StepKind};
use crate::units::Percent;

/// Expands a plan into its steps and cases, in the order in which they happen: `setup`, then for each repetition of
/// each test `before-each` and the test's own steps.
///
/// Without a drive, bytes that depend on the area stay multiples of it. The result is the same for the same input.
pub fn expand(plan: &Plan, ground: Option<&Ground>) -> Schedule {
    let area = ground.map(Ground::area);
    let rates = Rates::of(plan);
    let mut steps = Vec::new();
    for step in &plan.setup {
        steps.push(scheduled(plan, step, "setup", "", ground, &rates));
    }
    for test in &plan.tests {
        for repetition in 1..=test.repeat.value {
            let section = match repetition {
                1 => test.name.value.clone(),
                _ => format!("{}#{repetition}", test.name.value),
            };
            for step in &plan.before_each {
                steps.push(scheduled(plan, step, &section, "before-each/", ground, &rates));
            }
            for step in &test.steps {
                steps.push(scheduled(plan, step, &section, "", ground, &rates));
            }
        }
    }
    Schedule {
        plan: plan.header.name.value.clone(),
        title: plan.header.title.clone(),
        revision: plan.header.revision,
        engine: plan.host.engine.value,
        seed: plan.header.seed.value,
        area,
        steps,
    }
}

fn scheduled(
    plan: &Plan,
    step: &Step,
    section: &str,
    prefix: &str,
    ground: Option<&Ground>,
    rates: &Rates,
) -> ScheduledStep {
    let label = format!("{prefix}{}", step.label);
    let seed_root = format!("{}/{section}/{label}", plan.header.seed.value);
    let estimated = |load| {
        let mut cases = matrix::cases(load, &seed_root);
        for case in &mut cases {
            case.estimate = estimate::of_case(case, ground, rates);
        }
        cases
    };
    let action = match &step.kind {
        StepKind::Fill(fill) => {
            let (extent, passes) = match fill.amount.value {
                FillAmount::Passes(passes) => (Extent::Share(Percent::HUNDRED), passes),
                FillAmount::Extent(extent) => (extent, 1),
            };
            Action::Fill(ScheduledFill {
                extent,
                passes,
                block_size: fill.block_size.value,
                threads: fill.threads.value,
                queue_depth: fill.queue_depth.value,
                seed: matrix::seed_of(&seed_root),
            })
        }
        StepKind::Idle(time) => Action::Idle(time.value),
        StepKind::Precondition(load) => {
            let mut cases = estimated(load);
            // A precondition has no matrix, so its axes multiply out to exactly one case.
            Action::Precondition(Box::new(cases.swap_remove(0)))
        }
        StepKind::Measure(load) => Action::Measure(estimated(load)),
    };
    let estimate = estimate::of(&action, ground, rates);
    ScheduledStep {
        id: StepId::new(section, &label),
        section: section.to_string(),
        label,
        variant: step.variant.clone(),
        action,
        estimate,
        place: step.span,
    }
}
