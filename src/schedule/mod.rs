//! The schedule: a plan expanded into ordered steps and cases with stable names, lengths and bytes.
//!
//! Must never do I/O or open a device; facts about a drive come in as plain data.

mod bind;
mod budget;
mod case;
mod conditions;
mod drive_state;
mod estimate;
mod expand;
mod id;
mod matrix;
mod step;
mod written;

pub use bind::{Ground, Region, bind};
pub use case::{Case, CaseLimits, CaseLoad, CaseSize, CaseSpread, CaseStream, OnCurve, PlainCase};
pub use conditions::{CONDITIONS_VERSION, Conditions, StepRegion, TargetState};
pub use drive_state::{History, check_state};
pub use estimate::Estimate;
pub use expand::expand;
pub use id::{CaseId, StepId};
pub use step::{
    Action, Schedule, ScheduledFill, ScheduledPick, ScheduledPurge, ScheduledReplay, ScheduledRounds,
    ScheduledSteadyState, ScheduledStep,
};
pub use written::{Amount, Written};

use crate::diag::Diagnostics;
use crate::plan::Plan;

/// Every rule that needs a plan's schedule: the state of the drive along the steps, and the plan's own caps.
pub fn check(plan: &Plan, schedule: &Schedule, ground: Option<&Ground>, history: History) -> Diagnostics {
    let mut found = check_state(plan, schedule, ground, history);
    found.append(budget::check_budget(plan, schedule, ground));
    found
}
