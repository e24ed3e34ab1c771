//! The method of a plan: what is done and what is judged, without what only names, explains or shows it.
//!
//! Two plans of one method have one [`Fingerprint`]. What is taken in and what is left out is on the page "Semantics"
//! of the book. A change of any canonical text needs a new [`VERSION`].

mod load;
mod place;
mod step;
mod term;
mod value;

use super::model::{Plan, Provenance};
use crate::text::Fingerprint;
use place::Places;
pub use term::{Entry, Term, Value};
use term::{Record, entry};

/// The rules by which methods are written down.
pub const VERSION: &str = "method-1";

/// A method, in the order in which it is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// What of the host is method.
    pub host: Term,
    /// `setup` and the tests.
    pub sections: Vec<MethodSection>,
}

/// A part of a method: `setup`, or a test with the steps before it.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodSection {
    /// `setup` or the test's name; not part of the meaning.
    pub name: String,
    /// How often it is done; none for `setup`.
    pub repeat: Option<Term>,
    /// Its steps; those of `before-each` first.
    pub steps: Vec<MethodStep>,
}

/// A step of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodStep {
    /// Its label; not part of the meaning.
    pub label: String,
    /// True for a step of `before-each`, which stands in every test; not part of the meaning.
    pub is_before_each: bool,
    /// As the plan spells it: `measure`.
    pub kind: &'static str,
    /// The provenance of the step itself; not part of the meaning.
    pub provenance: Provenance,
    /// What it says.
    pub term: Term,
    /// The steps inside of it: of rounds, and between the cases of a load.
    pub inner: Vec<MethodStep>,
}

impl Method {
    /// Of a plan, as far as its tests are kept.
    pub fn of(plan: &Plan) -> Self {
        let mut places = Places::of(plan);
        let mut host = Record::default();
        host.given("engine", &plan.host.engine);
        host.maybe("batch", plan.host.batch.as_ref());
        host.given("completions", &plan.host.completions);
        host.maybe("data-pool", plan.host.data_pool.as_ref());
        places.enter(0);
        let setup =
            MethodSection { name: "setup".into(), repeat: None, steps: step::steps(&plan.setup, false, &mut places) };
        let mut sections = vec![setup];
        for (index, test) in plan.tests.iter().enumerate() {
            places.enter(index + 1);
            let mut steps = step::steps(&plan.before_each, true, &mut places);
            steps.extend(step::steps(&test.steps, false, &mut places));
            let name = test.name.value.clone();
            sections.push(MethodSection { name, repeat: Some(term::value(&test.repeat)), steps });
        }
        Self { host: host.done(), sections }
    }

    /// The canonical text: JSON without white space.
    pub fn canonical(&self) -> String {
        let sections = self.sections.iter().map(|section| {
            let mut record = Record::default();
            if let Some(repeat) = &section.repeat {
                record.put("repeat", repeat.clone());
            }
            record.list("steps", section.steps.iter().map(|step| entry(step.as_term())).collect());
            entry(record.done())
        });
        let sections = Term::List(sections.collect());
        Term::Record(vec![("host", self.host.clone()), ("sections", sections)]).canonical()
    }

    /// What stands for it.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(VERSION, &self.canonical())
    }
}

impl MethodStep {
    /// The step with what is inside of it, without what only labels it.
    pub fn as_term(&self) -> Term {
        let mut record = Record::default();
        record.put("do", term::word(self.kind));
        record.put("with", self.term.clone());
        record.list("steps", self.inner.iter().map(|step| entry(step.as_term())).collect());
        record.done()
    }
}

/// The fingerprint of a plan's method.
pub fn fingerprint(plan: &Plan) -> Fingerprint {
    Method::of(plan).fingerprint()
}
