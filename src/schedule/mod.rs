//! The schedule: a plan expanded into ordered steps and cases with stable names, lengths and bytes.
//!
//! Must never do I/O or open a device; facts about a drive come in as plain data.

mod bind;
mod drive_state;
mod estimate;
mod expand;
mod id;
mod matrix;
mod step;

pub use bind::{Ground, Region, bind};
pub use drive_state::{History, check_state};
pub use estimate::{Estimate, Written};
pub use expand::expand;
pub use id::{CaseId, StepId};
pub use step::{Action, Case, CaseLimits, Schedule, ScheduledFill, ScheduledStep};
