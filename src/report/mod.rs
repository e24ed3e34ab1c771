//! Reports: what a schedule, the devices and a run's record look like on a terminal, in Markdown, as CSV and as JSON.
//! Pure functions of plain data.
//!
//! Must never compute a figure that the record does not hold, read a device or reach back into a run, or print.
//! The only place that imports `tabled`.

mod columns;
mod csv;
mod devices;
mod groups;
mod header;
mod json;
mod markdown;
mod matrix_view;
mod number;
mod schedule;
mod steps;
mod table;
mod text;
mod wording;

pub use csv::csv;
pub use devices::{devices_json, devices_text};
pub use json::{JSON_FORMAT, json};
pub use markdown::markdown;
pub use matrix_view::schedule_matrix;
pub use schedule::{schedule_json, schedule_text};
pub use text::{TextOptions, text};
