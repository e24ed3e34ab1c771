//! Which step of the one plan is which of the other, and what differs between the two.

use std::collections::HashMap;

use super::cases::Found;
use super::values::{self, content};
use super::{Change, SectionChange, StepChange, ValueChange};
use crate::plan::method::{Method, MethodSection, MethodStep};

/// A step with those around it.
struct Flat<'m> {
    step: &'m MethodStep,
    /// The label of the step that it is inside of.
    inside: Option<&'m str>,
    content: String,
}

/// Which sections and steps belong together.
pub(super) struct Pairs {
    /// For each section of the new plan the one of the old.
    sections: Vec<Option<usize>>,
    /// For each step of a new section, those inside of steps behind them, the old section's step.
    steps: Vec<Vec<Option<usize>>>,
    /// Of a section's name and a label of the new plan those of the old one.
    names: HashMap<(String, String), (String, String)>,
}

impl Pairs {
    /// Finds what belongs together: by name, and by content where the name is another.
    pub(super) fn of(old: &Method, new: &Method) -> Self {
        let sections = pair_sections(old, new);
        let mut names = HashMap::new();
        let mut steps = Vec::new();
        for (section, old_index) in new.sections.iter().zip(&sections) {
            let new_steps = flat(&section.steps);
            let Some(old_section) = old_index.map(|index| &old.sections[index]) else {
                steps.push(vec![None; new_steps.len()]);
                continue;
            };
            let old_steps = flat(&old_section.steps);
            let pairs = pair_steps(&old_steps, &new_steps);
            for (step, old_step) in new_steps.iter().zip(&pairs) {
                if let Some(old_step) = old_step {
                    let label = |flat: &Flat<'_>| label_in_schedule(flat.step);
                    let old_name = (old_section.name.clone(), label(&old_steps[*old_step]));
                    names.insert((section.name.clone(), label(step)), old_name);
                }
            }
            steps.push(pairs);
        }
        Self { sections, steps, names }
    }

    /// The old section's name and label of a step of the new plan, if it was there.
    pub(super) fn old_name(&self, section: &str, label: &str) -> Option<&(String, String)> {
        self.names.get(&(section.to_string(), label.to_string()))
    }
}

/// As schedules label the step.
pub(super) fn label_in_schedule(step: &MethodStep) -> String {
    if step.is_before_each { format!("before-each/{}", step.label) } else { step.label.clone() }
}

fn flat(steps: &[MethodStep]) -> Vec<Flat<'_>> {
    fn push<'m>(steps: &'m [MethodStep], inside: Option<&'m str>, all: &mut Vec<Flat<'m>>) {
        for step in steps {
            all.push(Flat { step, inside, content: content(&step.term) });
            push(&step.inner, Some(&step.label), all);
        }
    }
    let mut all = Vec::new();
    push(steps, None, &mut all);
    all
}

/// `setup` is `setup`; tests by name, then by what is done in them, then the one that is left on both sides.
fn pair_sections(old: &Method, new: &Method) -> Vec<Option<usize>> {
    let is_setup = |section: &MethodSection| section.repeat.is_none();
    let said = |section: &MethodSection| flat(&section.steps).into_iter().map(|step| step.content).collect::<Vec<_>>();
    let by_name = |a: &MethodSection, b: &MethodSection| is_setup(a) == is_setup(b) && a.name == b.name;
    let by_content = |a: &MethodSection, b: &MethodSection| is_setup(a) == is_setup(b) && said(a) == said(b);
    let mut pairs = Pairing::new(old.sections.len(), new.sections.len());
    pairs.pass(|a, b| by_name(&old.sections[a], &new.sections[b]));
    pairs.pass(|a, b| by_content(&old.sections[a], &new.sections[b]));
    pairs.last_ones(|_| "", |_| "");
    pairs.of_new
}

fn pair_steps(old: &[Flat<'_>], new: &[Flat<'_>]) -> Vec<Option<usize>> {
    let kind = |a: usize, b: usize| {
        let (a, b) = (old[a].step, new[b].step);
        a.kind == b.kind && a.is_before_each == b.is_before_each
    };
    let label = |a: usize, b: usize| old[a].step.label == new[b].step.label;
    let content = |a: usize, b: usize| old[a].content == new[b].content;
    let mut pairs = Pairing::new(old.len(), new.len());
    pairs.pass(|a, b| kind(a, b) && label(a, b) && content(a, b));
    pairs.pass(|a, b| kind(a, b) && content(a, b));
    pairs.pass(|a, b| kind(a, b) && label(a, b));
    pairs.last_ones(|a| old[a].step.kind, |b| new[b].step.kind);
    pairs.of_new
}

/// Finds pairs in passes, the surest first.
struct Pairing {
    of_new: Vec<Option<usize>>,
    is_taken: Vec<bool>,
}

impl Pairing {
    fn new(old: usize, new: usize) -> Self {
        Self { of_new: vec![None; new], is_taken: vec![false; old] }
    }

    fn take(&mut self, old: usize, new: usize) {
        self.of_new[new] = Some(old);
        self.is_taken[old] = true;
    }

    fn pass(&mut self, belong: impl Fn(usize, usize) -> bool) {
        for new in 0..self.of_new.len() {
            if self.of_new[new].is_some() {
                continue;
            }
            let found = (0..self.is_taken.len()).find(|old| !self.is_taken[*old] && belong(*old, new));
            if let Some(old) = found {
                self.take(old, new);
            }
        }
    }

    /// Where one of a kind is left on both sides, the new one came from the old one.
    fn last_ones(&mut self, old_kind: impl Fn(usize) -> &'static str, new_kind: impl Fn(usize) -> &'static str) {
        for new in 0..self.of_new.len() {
            let kind = new_kind(new);
            let of_kind = |index: &usize| self.of_new[*index].is_none() && new_kind(*index) == kind;
            let is_only = (0..self.of_new.len()).filter(of_kind).count() == 1 && self.of_new[new].is_none();
            let left: Vec<usize> =
                (0..self.is_taken.len()).filter(|old| !self.is_taken[*old] && old_kind(*old) == kind).collect();
            if let (true, [old]) = (is_only, left.as_slice()) {
                self.take(*old, new);
            }
        }
    }
}

/// True for each pair that stands behind one that it stood before.
fn moved(pairs: &[Option<usize>]) -> Vec<bool> {
    let mut highest = None;
    let is_moved = |old: &Option<usize>| {
        let is_moved = old.is_some() && *old < highest;
        highest = highest.max(*old);
        is_moved
    };
    pairs.iter().map(is_moved).collect()
}

/// What differs in the sections; other names are put to the labels.
pub(super) fn compare(
    old: &Method,
    new: &Method,
    pairs: &Pairs,
    found: &Found,
    labels: &mut Vec<ValueChange>,
) -> Vec<SectionChange> {
    let mut sections = Vec::new();
    let mut before_each: Vec<StepChange> = Vec::new();
    let mut take = |section: SectionChange, steps: Vec<(bool, StepChange)>| {
        let mut own = Vec::new();
        for (is_before_each, step) in steps {
            match is_before_each {
                // The steps of `before-each` stand in every test; they are told once.
                true if before_each.iter().any(|other| other.label == step.label && other.change == step.change) => {}
                true => before_each.push(step),
                false => own.push(step),
            }
        }
        let says_nothing = section.change == Change::Kept && !section.is_moved && section.values.is_empty();
        if !(says_nothing && own.is_empty()) {
            sections.push(SectionChange { steps: own, ..section });
        }
    };
    let sections_moved = moved(&pairs.sections);
    for (index, section) in new.sections.iter().enumerate() {
        let old_section = pairs.sections[index].map(|old_index| &old.sections[old_index]);
        let steps = match old_section {
            Some(old_section) => changed_steps(old_section, section, &pairs.steps[index], found, labels),
            None => whole(section, Change::Added, found),
        };
        let old_name = old_section.map(|old| &old.name).filter(|name| **name != section.name);
        if let Some(name) = old_name {
            labels.push(text_change("test", name, &section.name));
        }
        let values = match old_section.map(|old| (&old.repeat, &section.repeat)) {
            Some((Some(old), Some(new))) => named_values("repeat", values::compare(old, new)),
            _ => Vec::new(),
        };
        if old_section.is_none() && section.steps.is_empty() {
            continue;
        }
        let change = if old_section.is_some() { Change::Kept } else { Change::Added };
        let of_section = SectionChange {
            name: section.name.clone(),
            old_name: old_name.cloned(),
            change,
            is_moved: sections_moved[index],
            values,
            steps: Vec::new(),
        };
        take(of_section, steps);
    }
    for (index, section) in old.sections.iter().enumerate() {
        if !pairs.sections.contains(&Some(index)) {
            let of_section = SectionChange {
                name: section.name.clone(),
                old_name: None,
                change: Change::Removed,
                is_moved: false,
                values: Vec::new(),
                steps: Vec::new(),
            };
            take(of_section, whole(section, Change::Removed, found));
        }
    }
    if !before_each.is_empty() {
        let name = "before-each".to_string();
        let at = usize::from(sections.first().is_some_and(|first| first.name == "setup"));
        let of_all = SectionChange {
            name,
            old_name: None,
            change: Change::Kept,
            is_moved: false,
            values: Vec::new(),
            steps: before_each,
        };
        sections.insert(at, of_all);
    }
    sections
}

fn named_values(name: &str, changes: Vec<ValueChange>) -> Vec<ValueChange> {
    changes.into_iter().map(|change| ValueChange { what: name.into(), ..change }).collect()
}

fn text_change(what: &str, old: &str, new: &str) -> ValueChange {
    ValueChange { what: what.into(), old: Some(old.into()), new: Some(new.into()), provenance: None }
}

/// A section that is in one of the plans alone. In an added one the steps before each test are those of all tests.
fn whole(section: &MethodSection, change: Change, found: &Found) -> Vec<(bool, StepChange)> {
    let steps = flat(&section.steps).into_iter().filter(|flat| !flat.step.is_before_each);
    steps.map(|flat| (false, lone(section, flat.step, change, found))).collect()
}

fn lone(section: &MethodSection, step: &MethodStep, change: Change, found: &Found) -> StepChange {
    let label = label_in_schedule(step);
    let cases = match change {
        Change::Removed => found.old_cases(&section.name, &label),
        Change::Kept | Change::Added => found.new_cases(&section.name, &label),
    };
    StepChange {
        label: step.label.clone(),
        old_label: None,
        kind: step.kind,
        change,
        is_moved: false,
        values: Vec::new(),
        provenance: Vec::new(),
        cases_changed: cases,
        cases,
    }
}

fn changed_steps(
    old_section: &MethodSection,
    section: &MethodSection,
    pairs: &[Option<usize>],
    found: &Found,
    labels: &mut Vec<ValueChange>,
) -> Vec<(bool, StepChange)> {
    let (old, new) = (flat(&old_section.steps), flat(&section.steps));
    let is_moved = moved(pairs);
    let mut changes = Vec::new();
    for (index, flat) in new.iter().enumerate() {
        let step = flat.step;
        let Some(old_flat) = pairs[index].map(|old_index| &old[old_index]) else {
            changes.push((step.is_before_each, lone(section, step, Change::Added, found)));
            continue;
        };
        let mut values = values::compare(&old_flat.step.term, &step.term);
        if old_flat.inside.is_some() != flat.inside.is_some() {
            let place = |inside: Option<&str>| inside.map(String::from);
            let (old, new) = (place(old_flat.inside), place(flat.inside));
            values.push(ValueChange { what: "inside of".into(), old, new, provenance: None });
        }
        let mut provenance = values::compare_provenance(&old_flat.step.term, &step.term);
        if old_flat.step.provenance != step.provenance {
            let change = values::provenance_change("the step", old_flat.step.provenance, step.provenance);
            provenance.insert(0, change);
        }
        let old_label = Some(&old_flat.step.label).filter(|label| **label != step.label);
        if let Some(label) = old_label {
            let change = text_change("label", label, &step.label);
            if !labels.contains(&change) {
                labels.push(change);
            }
        }
        let label = label_in_schedule(step);
        let change = StepChange {
            label: step.label.clone(),
            old_label: old_label.cloned(),
            kind: step.kind,
            change: Change::Kept,
            is_moved: is_moved[index],
            values,
            provenance,
            cases_changed: found.changed_cases(&section.name, &label),
            cases: found.new_cases(&section.name, &label),
        };
        if change.is_of_method() || !change.provenance.is_empty() {
            changes.push((step.is_before_each, change));
        }
    }
    for (index, flat) in old.iter().enumerate() {
        if !pairs.contains(&Some(index)) {
            changes.push((flat.step.is_before_each, lone(old_section, flat.step, Change::Removed, found)));
        }
    }
    changes
}
