//! What a report shows. Not part of the method.

use super::Given;
use crate::units::Metric;

/// A `report` node: what is shown of the results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportView {
    /// The columns of the tables; empty: the usual ones.
    pub columns: Vec<Given<Metric>>,
    /// Values over a run.
    pub series: Vec<Series>,
    /// Single figures.
    pub numbers: Vec<Number>,
}

/// A `series` in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What is shown.
    pub metrics: Vec<Given<Metric>>,
    /// Over what.
    pub x: Given<SeriesAxis>,
    /// A step, or a test: its steps in one series.
    pub of: Option<Given<String>>,
    /// True for a logarithmic scale.
    pub is_log: Given<bool>,
}

/// What a series runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeriesAxis {
    /// Time.
    Time,
    /// Bytes written.
    Written,
}

impl SeriesAxis {
    /// All, in the order of the reference.
    pub const ALL: [SeriesAxis; 2] = [SeriesAxis::Time, SeriesAxis::Written];

    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            SeriesAxis::Time => "time",
            SeriesAxis::Written => "written",
        }
    }
}

/// A `number` in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// What is shown.
    pub metrics: Vec<Given<Metric>>,
    /// A named window; none: the whole run.
    pub window: Option<Given<String>>,
    /// A step or a test.
    pub of: Option<Given<String>>,
    /// The name of a `for-each`: a figure for each of its values.
    pub by: Option<Given<String>>,
}
