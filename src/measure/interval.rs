use serde::{Deserialize, Serialize};

use super::Sides;

/// One stretch of `sample` length, counted from t0; an operation belongs where its completion falls (S12).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Number of the interval; the first is 0.
    pub index: u64,
    /// Its start, in nanoseconds from t0.
    pub start_ns: u64,
    /// Its length in nanoseconds.
    pub length_ns: u64,
    /// True for a last interval that the end of the window cut short; series leave it out, totals do not (S13).
    pub is_partial: bool,
    /// The operations completed in it.
    #[serde(flatten)]
    pub sides: Sides,
}

impl Interval {
    /// Operations per second; 0 where none completed (S21).
    pub fn iops(&self) -> f64 {
        super::window::per_second(self.sides.operations(), self.length_ns)
    }

    /// Bytes per second, read and written.
    pub fn bytes_per_second(&self) -> f64 {
        super::window::per_second(self.sides.bytes(), self.length_ns)
    }
}
