//! How much a plan comes to once it is expanded.

use super::{Plan, RoundCount, Step, StepKind, limits};
use crate::diag::{Diagnostic, Diagnostics, code};

/// Refuses a plan whose tests come to more steps and cases than memory, or a lifetime, should be spent on.
/// Counted, not expanded: a short text can ask for billions.
pub(super) fn check(plan: &Plan, found: &mut Diagnostics) {
    let before_each = cost(&plan.before_each);
    let mut total = cost(&plan.setup);
    for test in &plan.tests {
        let once = before_each.saturating_add(cost(&test.steps));
        total = total.saturating_add(once.saturating_mul(u64::from(test.repeat.value)));
        if total > limits::PLAN_CASES {
            let message = format!("the plan comes to more than {} steps and cases", limits::PLAN_CASES);
            let label = format!("{once} steps and cases, {} times", test.repeat.value);
            found.push(
                Diagnostic::error(code::PLAN_TOO_MANY_CASES, message)
                    .label(test.name.span, label)
                    .help("repeat less often, shorten the axes, or cut the method into several plans"),
            );
            return;
        }
    }
}

/// Each step, and each of its cases.
fn cost(steps: &[Step]) -> u64 {
    let of_step = |step: &Step| match &step.kind {
        StepKind::Precondition(load) | StepKind::Measure(load) => {
            let points = load.curve.as_ref().map_or(0, |curve| curve.points.shares().len() as u64);
            let maxima = load.curve.as_ref().map_or(0, |curve| u64::from(curve.repeat_max.value));
            let cases = load.axes.iter().fold(1_u64, |cases, axis| cases.saturating_mul(axis.len() as u64));
            let between = cost(&load.between_cases).saturating_mul(cases);
            cases.saturating_add(points).saturating_add(maxima).saturating_add(between).saturating_add(1)
        }
        // A schedule holds the steps of one round; a run does them all.
        StepKind::Rounds(rounds) => {
            let (RoundCount::Exactly(count) | RoundCount::AtMost(count)) = rounds.count.value;
            cost(&rounds.steps).saturating_mul(u64::from(count)).saturating_add(1)
        }
        _ => 1,
    };
    steps.iter().fold(0, |sum, step| sum.saturating_add(of_step(step)))
}
