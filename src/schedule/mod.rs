//! The schedule: a plan expanded into ordered steps and cases with stable names, lengths and bytes.
//!
//! Must never do I/O or open a device; facts about a drive come in as plain data.

mod estimate;
mod id;
mod step;

pub use estimate::{Estimate, Written};
pub use id::{CaseId, StepId};
pub use step::{Action, Case, CaseLimits, Schedule, ScheduledFill, ScheduledStep};
