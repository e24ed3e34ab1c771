//! Which measured cases are done as before: by their own load, and by the state of the drive that they begin with.

use std::collections::HashMap;

use serde_json::Value;

use super::steps::{Pairs, label_in_schedule};
use super::{CaseCounts, PrecisionChange};
use crate::plan::method::{Method, MethodStep, Term};
use crate::schedule::{Action, Case, CaseLimits, Schedule, ScheduledStep};
use crate::text::Fingerprint;
use crate::units::RunTime;

/// A measured case.
pub(super) struct Measured {
    /// The section without its repetition.
    section: String,
    /// Which repetition of the section: `#2`, or nothing.
    repetition: String,
    label: String,
    id: String,
    /// Everything that is done in the case.
    own: String,
    /// The same without its lengths.
    load: String,
    /// Stands for what was done to the drive before it.
    before: String,
    limits: CaseLimits,
}

/// The measured cases of a plan in their order.
pub(super) fn measured(method: &Method, schedule: &Schedule) -> Vec<Measured> {
    let mut steps = HashMap::new();
    for section in &method.sections {
        index(&section.steps, &section.name, &mut steps);
    }
    let mut walk =
        Walk { steps, host: method.host.canonical(), settings: String::new(), state: String::new(), found: Vec::new() };
    walk.all(&schedule.steps);
    walk.found
}

fn index<'m>(steps: &'m [MethodStep], section: &str, all: &mut HashMap<(String, String), &'m MethodStep>) {
    for step in steps {
        all.insert((section.to_string(), label_in_schedule(step)), step);
        index(&step.inner, section, all);
    }
}

/// A test's name and its repetition.
fn section_of(step: &ScheduledStep) -> (&str, &str) {
    let cut = step.section.rfind('#').filter(|at| step.section[at + 1..].parse::<u32>().is_ok());
    step.section.split_at(cut.unwrap_or(step.section.len()))
}

/// Walks the steps with what they leave behind.
struct Walk<'m> {
    steps: HashMap<(String, String), &'m MethodStep>,
    host: String,
    /// What a purge does not take back: the drive's settings.
    settings: String,
    /// Stands for all that was done since the last purge.
    state: String,
    found: Vec<Measured>,
}

impl Walk<'_> {
    fn all(&mut self, steps: &[ScheduledStep]) {
        for step in steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &ScheduledStep) {
        let (section, repetition) = section_of(step);
        let Some(method) = self.steps.get(&(section.to_string(), step.label.clone())).copied() else { return };
        let said = super::values::content(&method.term);
        match &step.action {
            Action::SecureErase(_) => self.state = chained("", &said),
            Action::WriteCache(_) | Action::Setting { .. } => self.settings = chained(&self.settings, &said),
            // Nothing of it stays on the drive.
            Action::Verify(_) | Action::Pick(_) => {}
            Action::Rounds(rounds) => {
                self.state = chained(&self.state, &said);
                self.all(&rounds.steps);
            }
            Action::Precondition(_) | Action::Measure(_) => {
                let is_measured = matches!(step.action, Action::Measure(_));
                let rest = self.rest(method);
                for case in step.action.cases() {
                    let own = format!("{rest}{}", of_case(case, true));
                    if is_measured {
                        self.found.push(Measured {
                            section: section.into(),
                            repetition: repetition.into(),
                            label: step.label.clone(),
                            id: case.id.as_str().into(),
                            load: of_case(case, false),
                            before: format!("{} {}", self.settings, self.state),
                            limits: case.limits,
                            own: own.clone(),
                        });
                    }
                    // Reads leave a drive as it was, as far as its state goes.
                    if case.has_writes() || !step.between_cases.is_empty() {
                        self.state = chained(&self.state, &own);
                    }
                }
            }
            _ => self.state = chained(&self.state, &format!("{} {said}", method.kind)),
        }
    }

    /// What a step says beside its cases: no limits of results, which do nothing.
    fn rest(&self, method: &MethodStep) -> String {
        const OF_CASES: [&str; 5] = ["loads", "matrix", "curve", "expect", "skip"];
        let parts = match &method.term {
            Term::Record(parts) => parts.as_slice(),
            _ => &[],
        };
        let rest = parts.iter().filter(|(name, _)| !OF_CASES.contains(name) && !LENGTHS.contains(name)).cloned();
        let between: String = method.inner.iter().map(|step| step.as_term().canonical()).collect();
        format!("{}\n{}{between}\n", self.host, super::values::content(&Term::Record(rest.collect())))
    }
}

/// Parts of a step that stand in its cases too.
const LENGTHS: [&str; 3] = ["ramp", "run", "sample"];

fn chained(state: &str, next: &str) -> String {
    Fingerprint::of(state, next).sha256
}

/// A case without names, seeds and estimates; without its lengths too where only the load is asked for.
fn of_case(case: &Case, with_lengths: bool) -> String {
    let Ok(mut value) = serde_json::to_value(case) else { return String::new() };
    for name in ["id", "seed", "estimate", "picked_by"] {
        remove(&mut value, name);
    }
    if !with_lengths {
        for name in ["ramp_ns", "limits", "sample_ns"] {
            remove(&mut value, name);
        }
    }
    let loads = value.get_mut("loads").and_then(Value::as_array_mut).into_iter().flatten();
    for load in loads {
        remove(load, "name");
        remove(load, "workload");
        let streams = load.get_mut("streams").and_then(Value::as_array_mut).into_iter().flatten();
        streams.for_each(|stream| remove(stream, "name"));
    }
    value.to_string()
}

fn remove(value: &mut Value, name: &str) {
    if let Some(object) = value.as_object_mut() {
        object.shift_remove(name);
    }
}

/// What became of the cases.
pub(super) struct Found {
    pub(super) counts: CaseCounts,
    pub(super) precision: Vec<PrecisionChange>,
    /// Cases of the old and of the new plan, and changed ones, by section and label.
    of_step: HashMap<(String, String), [usize; 3]>,
}

impl Found {
    fn of(&self, section: &str, label: &str, which: usize) -> usize {
        self.of_step.get(&(section.to_string(), label.to_string())).map_or(0, |counts| counts[which])
    }

    pub(super) fn old_cases(&self, section: &str, label: &str) -> usize {
        self.of(section, label, 0)
    }

    pub(super) fn new_cases(&self, section: &str, label: &str) -> usize {
        self.of(section, label, 1)
    }

    /// Cases of the new plan with another load, or that are new.
    pub(super) fn changed_cases(&self, section: &str, label: &str) -> usize {
        self.of(section, label, 2)
    }

    fn count(&mut self, case: &Measured, which: usize) {
        self.of_step.entry((case.section.clone(), case.label.clone())).or_default()[which] += 1;
    }
}

/// Holds the cases of two plans against each other.
pub(super) fn compare(old: &[Measured], new: &[Measured], pairs: &Pairs) -> Found {
    let mut found = Found { counts: CaseCounts::default(), precision: Vec::new(), of_step: HashMap::new() };
    let mut of_step: HashMap<(&str, &str, &str), Vec<usize>> = HashMap::new();
    for (index, case) in old.iter().enumerate() {
        found.count(case, 0);
        of_step.entry((&case.section, &case.repetition, &case.label)).or_default().push(index);
    }
    let mut new_of_step: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for case in new {
        *new_of_step.entry((&case.section, &case.repetition, &case.label)).or_default() += 1;
    }
    let mut is_met = vec![false; old.len()];
    for case in new {
        found.counts.all += 1;
        found.count(case, 1);
        let old_cases = pairs
            .old_name(&case.section, &case.label)
            .and_then(|(section, label)| of_step.get(&(section.as_str(), case.repetition.as_str(), label.as_str())));
        let is_only = new_of_step.get(&(&case.section, &case.repetition, &case.label)) == Some(&1);
        let met = old_cases.and_then(|cases| match (cases.as_slice(), is_only) {
            // A single case is the same case with another depth, not one that is gone and one that is new.
            ([one], true) => Some(*one),
            _ => cases.iter().copied().find(|index| old[*index].id == case.id && !is_met[*index]),
        });
        let Some(met) = met else {
            found.counts.added += 1;
            found.count(case, 2);
            continue;
        };
        is_met[met] = true;
        let before = &old[met];
        if before.own != case.own {
            found.counts.load_changed += 1;
            found.count(case, 2);
            found.push_precision(before, case);
        } else if before.before != case.before {
            found.counts.state_changed += 1;
        }
    }
    found.counts.removed = is_met.iter().filter(|is_met| !**is_met).count();
    found
}

impl Found {
    /// The same load over another time.
    fn push_precision(&mut self, old: &Measured, new: &Measured) {
        let (Some(old_time), Some(new_time)) = (old.limits.time, new.limits.time) else { return };
        if old.load != new.load || old_time == new_time {
            return;
        }
        let change = precision(old_time, new_time);
        match self.precision.iter_mut().find(|other| (&other.old, &other.new) == (&change.old, &change.new)) {
            Some(same) => same.cases += 1,
            None => self.precision.push(change),
        }
    }
}

fn precision(old: RunTime, new: RunTime) -> PrecisionChange {
    PrecisionChange { cases: 1, old: old.to_string(), new: new.to_string(), is_longer: new > old }
}
