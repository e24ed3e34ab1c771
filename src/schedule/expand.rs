//! Plan -> schedule.

use super::bind::Ground;
use super::estimate::{self, Rates};
use super::matrix::{self, Picked};
use super::step::{
    Action, Schedule, ScheduledFill, ScheduledPick, ScheduledPurge, ScheduledReplay, ScheduledRounds,
    ScheduledSteadyState, ScheduledStep,
};
use super::{Case, StepId};
use crate::plan::{
    Extent, Fill, FillAmount, Load, Pick, Plan, RoundCount, Rounds, SteadyState, SteadyWindow, Step, StepKind, method,
};
use crate::units::Percent;

/// Expands a plan into its steps and cases, in the order in which they happen: `setup`, then for each repetition of
/// each test `before-each` and the test's own steps.
///
/// Without a drive, bytes that depend on its size stay multiples of it. The result is the same for the same input.
pub fn expand(plan: &Plan, ground: Option<&Ground>) -> Schedule {
    let mut walk = Walk { plan, ground, rates: Rates::of(plan), area: None };
    let mut steps = walk.all(&plan.setup, "setup", "");
    for test in &plan.tests {
        for repetition in 1..=test.repeat.value {
            let section = match repetition {
                1 => test.name.value.clone(),
                _ => format!("{}#{repetition}", test.name.value),
            };
            steps.extend(walk.all(&plan.before_each, &section, "before-each/"));
            steps.extend(walk.all(&test.steps, &section, ""));
        }
    }
    Schedule {
        plan: plan.header.name.value.clone(),
        title: plan.header.title.clone(),
        revision: plan.header.revision,
        engine: plan.host.engine.value,
        seed: plan.header.seed.value,
        area: ground.map(Ground::area),
        method: Some(method::fingerprint(plan)),
        conditions: None,
        steps,
    }
}

/// The steps in their order, with the area that they work on.
struct Walk<'p> {
    plan: &'p Plan,
    ground: Option<&'p Ground>,
    rates: Rates,
    /// The part of the device that is the area; none: all of it.
    area: Option<Extent>,
}

impl Walk<'_> {
    fn all(&mut self, steps: &[Step], section: &str, prefix: &str) -> Vec<ScheduledStep> {
        steps.iter().map(|step| self.scheduled(step, section, prefix)).collect()
    }

    fn scheduled(&mut self, step: &Step, section: &str, prefix: &str) -> ScheduledStep {
        let label = format!("{prefix}{}", step.label);
        let seed_root = format!("{}/{section}/{label}", self.plan.header.seed.value);
        // A partition makes the area that it names; a purge takes it away.
        match &step.kind {
            StepKind::Partition(partition) => self.area = Some(partition.size.value),
            StepKind::LimitTo(part) => self.area = Some(part.value),
            StepKind::SecureErase(_) => self.area = None,
            _ => {}
        }
        let area = self.area;
        let ground = self.ground.map(|ground| ground.limited_to(area));
        let action = self.action(step, section, prefix, &seed_root, ground.as_ref());
        let between_cases = match &step.kind {
            StepKind::Precondition(load) | StepKind::Measure(load) => self.all(&load.between_cases, section, prefix),
            _ => Vec::new(),
        };
        let estimate = estimate::of(&action, &between_cases, area, ground.as_ref(), &self.rates);
        ScheduledStep {
            id: StepId::new(section, &label),
            section: section.to_string(),
            label,
            variant: step.variant.clone(),
            action,
            between_cases,
            steady_state: steady_state(&step.kind),
            estimate,
            area,
            area_bytes: ground.filter(|_| area.is_some()).map(|ground| ground.area()),
            place: step.span,
        }
    }

    fn action(&mut self, step: &Step, section: &str, prefix: &str, seed_root: &str, ground: Option<&Ground>) -> Action {
        match &step.kind {
            StepKind::SecureErase(erase) => Action::SecureErase(ScheduledPurge {
                method: erase.method.value,
                action: erase.action.map(|action| action.value),
                at_least: erase.at_least.map(|least| least.value),
                timeout: erase.timeout.map(|timeout| timeout.value),
                lba_format: erase.lba_format.map(|size| size.value),
            }),
            StepKind::Partition(partition) => {
                Action::Partition { size: partition.size.value, keep: partition.keep.value }
            }
            StepKind::LimitTo(part) => Action::LimitTo(part.value),
            StepKind::Fill(fill) => Action::Fill(filled(fill, seed_root)),
            StepKind::Trim(part) => Action::Trim(part.value),
            StepKind::WriteCache(on) => Action::WriteCache(on.value),
            StepKind::Set(setting) => {
                Action::Setting { name: setting.name.value.clone(), value: setting.value.value.clone() }
            }
            StepKind::Idle(time) => Action::Idle(time.value),
            StepKind::CoolDown(cool) => {
                Action::CoolDown { to_celsius: cool.to_celsius.value, at_most: cool.at_most.value }
            }
            StepKind::Precondition(load) => {
                let mut cases = self.cases(load, seed_root, ground);
                // A precondition has no matrix and no curve, so it is exactly one case.
                Action::Precondition(Box::new(cases.swap_remove(0)))
            }
            StepKind::Measure(load) => Action::Measure(self.cases(load, seed_root, ground)),
            StepKind::Rounds(rounds) => Action::Rounds(ScheduledRounds {
                count: rounds.count.value,
                least: least_rounds(rounds),
                steps: self.all(&rounds.steps, section, prefix),
            }),
            StepKind::Replay(replay) => Action::Replay(ScheduledReplay {
                trace: replay.trace.value.clone(),
                speed: replay.speed.value,
                idle_cap: replay.idle_cap.map(|cap| cap.value),
                threads: replay.threads.value,
                queue_depth: replay.queue_depth.value,
                only: replay.only.map(|only| only.value),
                map: replay.map.value,
            }),
            StepKind::Verify(target) => Action::Verify(target.value.clone()),
            StepKind::Application(kind) => Action::Application(kind.value.clone()),
            StepKind::Pick(pick) => Action::Pick(picked(pick)),
        }
    }

    fn cases(&self, load: &Load, seed_root: &str, ground: Option<&Ground>) -> Vec<Case> {
        let picked = load.load_of.as_ref().map(|pick| Picked {
            name: &pick.value,
            largest: chosen_from(self.plan, &pick.value).map(matrix::largest_point).unwrap_or_default(),
        });
        let mut cases = matrix::cases(load, picked, seed_root, ground);
        let may_stop_early = load.curve.as_ref().is_some_and(|curve| curve.stop_above.is_some());
        for case in &mut cases {
            case.estimate = estimate::of_case(case, self.area, ground, &self.rates);
            if may_stop_early {
                case.estimate.may_be_left_out();
            }
        }
        cases
    }
}

/// The load that a pick chooses a case of.
fn chosen_from<'p>(plan: &'p Plan, pick: &str) -> Option<&'p Load> {
    let all = plan.all_steps();
    let from = all.iter().find_map(|step| match &step.kind {
        StepKind::Pick(found) if found.name.value == pick => Some(found.from.value.as_str()),
        _ => None,
    })?;
    all.iter().find(|step| step.label == from && step.kind.load().is_some())?.kind.load()
}

fn filled(fill: &Fill, seed_root: &str) -> ScheduledFill {
    let (extent, passes) = match fill.amount.value {
        FillAmount::Passes(passes) => (Extent::Share(Percent::HUNDRED), passes),
        FillAmount::Extent(extent) => (extent, 1),
    };
    ScheduledFill {
        extent,
        passes,
        on_device: fill.on_device.value,
        access: fill.access.value,
        data: fill.data.value,
        rate: fill.rate.map(|rate| rate.value),
        block_size: fill.block_size.value,
        threads: fill.threads.value,
        queue_depth: fill.queue_depth.value,
        seed: matrix::seed_of(seed_root),
    }
}

/// A steady state needs the rounds of its window; without a rule all rounds are done.
fn least_rounds(rounds: &Rounds) -> u32 {
    match (rounds.count.value, &rounds.steady_state) {
        (RoundCount::Exactly(count), _) => count,
        (RoundCount::AtMost(most), Some(SteadyState { window, .. })) => match window.value {
            SteadyWindow::Rounds(window) => window.min(most),
            SteadyWindow::Time(_) => 1,
        },
        (RoundCount::AtMost(most), None) => most,
    }
}

fn steady_state(kind: &StepKind) -> Option<ScheduledSteadyState> {
    let (rule, ends) = match kind {
        StepKind::Rounds(rounds) => {
            (rounds.steady_state.as_ref()?, matches!(rounds.count.value, RoundCount::AtMost(_)))
        }
        StepKind::Precondition(load) | StepKind::Measure(load) => {
            (load.steady_state.as_ref()?, load.run.ends_when_steady())
        }
        _ => return None,
    };
    Some(ScheduledSteadyState {
        metric: rule.metric.value.to_string(),
        window: rule.window.value,
        range: rule.range.value,
        slope: rule.slope.value,
        not_before: rule.not_before.map(|given| given.value),
        at: rule.at.as_ref().map(ToString::to_string),
        ends,
    })
}

fn picked(pick: &Pick) -> ScheduledPick {
    ScheduledPick { name: pick.name.value.clone(), from: pick.from.value.clone(), choice: pick.choice_in_words() }
}
