//! Reports: pure functions of records and schedules. Must never read a device or reach back into a run.

mod devices;
mod schedule;

pub use devices::{devices_json, devices_text};
pub use schedule::{schedule_json, schedule_text};
