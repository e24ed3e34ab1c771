//! What differs between two plans: in what is done, in what only names or explains, in cases, in length and bytes; and
//! whether results of the one may be held against results of the other.
//!
//! Must never do I/O. Compares meanings, not texts: another spelling of the same is no difference.

mod cases;
mod json;
mod markdown;
mod steps;
mod text;
mod values;
mod verdict;
mod words;

use crate::plan::method::Method;
use crate::plan::{Plan, Provenance};
use crate::schedule::{self, Estimate, Schedule};
use crate::text::Fingerprint;

pub use json::json;
pub use markdown::markdown;
pub use text::text;
pub use verdict::Verdict;

/// What differs between two plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The plan that was.
    pub old: PlanSide,
    /// The plan that is.
    pub new: PlanSide,
    /// Values of `host`.
    pub host: Vec<ValueChange>,
    /// Steps, by section; sections without a difference are left out.
    pub sections: Vec<SectionChange>,
    /// What has no effect on the method: title, seed, names and the like.
    pub labels: Vec<ValueChange>,
    /// Parameters: their values, which have an effect where a value of a step says so.
    pub params: Vec<ValueChange>,
    /// What of the measured cases is as it was.
    pub cases: CaseCounts,
    /// Measured cases of the same load whose window has another length.
    pub precision: Vec<PrecisionChange>,
}

/// One of the two plans.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanSide {
    /// What the person calls it.
    pub name: String,
    /// Stands for its method.
    pub method: Fingerprint,
    /// Its length and what it writes.
    pub estimate: Estimate,
    /// Its measured cases.
    pub cases: usize,
}

/// What became of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is in both plans.
    Kept,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
}

impl Change {
    /// As it is printed.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Kept => "changed",
            Change::Added => "added",
            Change::Removed => "removed",
        }
    }
}

/// `setup`, `before-each` or a test.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionChange {
    /// Its name in the new plan; of a removed one, in the old.
    pub name: String,
    /// Another name in the old plan.
    pub old_name: Option<String>,
    /// What became of it.
    pub change: Change,
    /// True where it stands at another place among those that are in both.
    pub is_moved: bool,
    /// Values of the section itself: `repeat`.
    pub values: Vec<ValueChange>,
    /// Its steps; those without a difference are left out.
    pub steps: Vec<StepChange>,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepChange {
    /// Its label in the new plan; of a removed one, in the old.
    pub label: String,
    /// Another label in the old plan.
    pub old_label: Option<String>,
    /// As the plan spells it: `measure`.
    pub kind: &'static str,
    /// What became of it.
    pub change: Change,
    /// True where it stands at another place among those that are in both.
    pub is_moved: bool,
    /// Values with another meaning.
    pub values: Vec<ValueChange>,
    /// Values with another provenance and the same meaning.
    pub provenance: Vec<ValueChange>,
    /// Measured cases of it whose own load changed, or that are new or gone.
    pub cases_changed: usize,
    /// Measured cases of it.
    pub cases: usize,
}

impl StepChange {
    /// True where the method differs.
    pub fn is_of_method(&self) -> bool {
        self.change != Change::Kept || self.is_moved || !self.values.is_empty()
    }
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueChange {
    /// Which, in words of the plan: `run`, `steady-state window`.
    pub what: String,
    /// What it was; none: it was not there.
    pub old: Option<String>,
    /// What it is; none: it is not there any more.
    pub new: Option<String>,
    /// The provenance of the new value, or of the old one where it is gone; none where it has no such thing.
    pub provenance: Option<Provenance>,
}

/// Measured cases, repetitions included; of rounds, those of one round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CaseCounts {
    /// Those of the new plan.
    pub all: usize,
    /// In both plans, with another load or other limits.
    pub load_changed: usize,
    /// In both plans with the same load, and another state of the drive before it.
    pub state_changed: usize,
    /// Only in the new plan.
    pub added: usize,
    /// Only in the old plan.
    pub removed: usize,
}

impl CaseCounts {
    /// Those of the new plan that are not done as before.
    pub const fn changed(&self) -> usize {
        self.load_changed + self.state_changed
    }
}

/// Measured cases of the same load whose window has another length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrecisionChange {
    /// How many.
    pub cases: usize,
    /// The window as it was.
    pub old: String,
    /// The window as it is.
    pub new: String,
    /// True where it is longer now: more samples of the same.
    pub is_longer: bool,
}

/// A plan with what a person calls it.
#[derive(Debug, Clone, Copy)]
pub struct Named<'p> {
    /// The file, mostly.
    pub name: &'p str,
    /// The plan.
    pub plan: &'p Plan,
}

/// What differs between two plans.
pub fn difference(old: Named<'_>, new: Named<'_>) -> Difference {
    let (old_method, new_method) = (Method::of(old.plan), Method::of(new.plan));
    let (old_schedule, new_schedule) = (schedule::expand(old.plan, None), schedule::expand(new.plan, None));
    let pairs = steps::Pairs::of(&old_method, &new_method);
    let found = cases::compare(
        &cases::measured(&old_method, &old_schedule),
        &cases::measured(&new_method, &new_schedule),
        &pairs,
    );
    let mut labels = labels(old.plan, new.plan);
    let sections = steps::compare(&old_method, &new_method, &pairs, &found, &mut labels);
    Difference {
        old: side(old.name, &old_method, &old_schedule),
        new: side(new.name, &new_method, &new_schedule),
        host: values::compare(&old_method.host, &new_method.host),
        sections,
        labels,
        params: params(old.plan, new.plan),
        cases: found.counts,
        precision: found.precision,
    }
}

fn side(name: &str, method: &Method, schedule: &Schedule) -> PlanSide {
    PlanSide {
        name: name.into(),
        method: method.fingerprint(),
        estimate: schedule.estimate(),
        cases: schedule.measured_cases(),
    }
}

/// What is said of the plans and has no effect on the method.
fn labels(old: &Plan, new: &Plan) -> Vec<ValueChange> {
    let header = |plan: &Plan| {
        let header = &plan.header;
        let caps = [
            ("max-time", header.max_time.map(|cap| cap.value.to_string())),
            ("max-written", header.max_written.map(|cap| cap.value.to_string())),
        ];
        let texts = [
            ("name", Some(header.name.value.clone())),
            ("title", header.title.clone()),
            ("revision", header.revision.map(|revision| revision.to_string())),
            ("source", header.source.clone()),
            ("note", header.note.clone()),
            ("seed", Some(header.seed.value.to_string())),
        ];
        texts.into_iter().chain(caps).collect::<Vec<_>>()
    };
    let both = header(old).into_iter().zip(header(new));
    let differ = both.filter(|((_, old), (_, new))| old != new);
    differ.map(|((what, old), (_, new))| ValueChange { what: what.into(), old, new, provenance: None }).collect()
}

fn params(old: &Plan, new: &Plan) -> Vec<ValueChange> {
    let value =
        |plan: &Plan, name: &str| plan.params.iter().find(|param| param.name == name).map(|param| param.value.clone());
    let mut names: Vec<&String> = old.params.iter().map(|param| &param.name).collect();
    names.extend(new.params.iter().map(|param| &param.name).filter(|name| value(old, name).is_none()));
    let changes = names.into_iter().map(|name| ValueChange {
        what: format!("${name}"),
        old: value(old, name),
        new: value(new, name),
        provenance: None,
    });
    changes.filter(|change| change.old != change.new).collect()
}
