//! Where steps are in the order in which they are done: what a name means that refers to one of them.

use std::collections::HashMap;

use crate::plan::model::{Plan, Step, StepKind};

/// The places of all steps, and what has been walked past.
pub(super) struct Places<'p> {
    /// The steps of each section with the place of each: `0.3` for the fourth step of `setup`, `2.0` for the first one of
    /// the second test.
    steps: Vec<Vec<(&'p Step, String)>>,
    /// The section that is walked.
    section: usize,
    /// How many steps of it have been walked past.
    walked: usize,
    /// The loads that have used each workload, in their order.
    uses: HashMap<String, Vec<String>>,
}

impl<'p> Places<'p> {
    /// Of the sections of a plan: `setup`, and each test with the steps before it.
    pub(super) fn of(plan: &'p Plan) -> Self {
        let setup = flat(&[&plan.setup]);
        let tests = plan.tests.iter().map(|test| flat(&[&plan.before_each, &test.steps]));
        let placed = |(section, steps): (usize, Vec<&'p Step>)| {
            steps.into_iter().enumerate().map(|(index, step)| (step, format!("{section}.{index}"))).collect()
        };
        let steps = std::iter::once(setup).chain(tests).enumerate().map(placed).collect();
        Self { steps, section: 0, walked: 0, uses: HashMap::new() }
    }

    /// Goes to a section: 0 is `setup`.
    pub(super) const fn enter(&mut self, section: usize) {
        self.section = section;
        self.walked = 0;
    }

    /// Goes to the next step of the section.
    pub(super) const fn next(&mut self) {
        self.walked += 1;
    }

    /// The place of the step that a name means: one of this section, the nearest that stands before, else the first
    /// behind; else one of an earlier section.
    pub(super) fn step(&self, name: &str) -> String {
        self.find(|step| step.label == name)
            .or_else(|| self.find(|step| step.name() == name))
            .unwrap_or_else(|| "none".into())
    }

    /// The place of the pick of a name.
    pub(super) fn pick(&self, name: &str) -> String {
        let is_meant = |step: &Step| matches!(&step.kind, StepKind::Pick(pick) if pick.name.value == name);
        self.find(is_meant).unwrap_or_else(|| "none".into())
    }

    fn find(&self, is_meant: impl Fn(&Step) -> bool) -> Option<String> {
        let here = &self.steps[self.section];
        let (before, behind) = here.split_at(self.walked.min(here.len()));
        let in_order = before.iter().rev().chain(behind);
        let elsewhere = self.steps.iter().flatten();
        in_order.chain(elsewhere).find(|(step, _)| is_meant(step)).map(|(_, place)| place.clone())
    }

    /// Says that the step being walked uses a workload, and where it was used last before.
    pub(super) fn used(&mut self, workload: &str) -> Option<String> {
        let here = format!("{}.{}", self.section, self.walked.saturating_sub(1));
        let uses = self.uses.entry(workload.to_string()).or_default();
        let last = uses.last().cloned();
        uses.push(here);
        last
    }

    /// Every place where a workload was used so far.
    pub(super) fn uses(&self, workload: &str) -> String {
        self.uses.get(workload).map(|places| places.join(" ")).unwrap_or_default()
    }
}

/// The steps in the order in which they are written, those inside of steps behind them.
fn flat<'p>(lists: &[&'p Vec<Step>]) -> Vec<&'p Step> {
    fn push<'p>(steps: &'p [Step], all: &mut Vec<&'p Step>) {
        for step in steps {
            all.push(step);
            push(step.kind.inner(), all);
        }
    }
    let mut all = Vec::new();
    lists.iter().for_each(|steps| push(steps, &mut all));
    all
}
