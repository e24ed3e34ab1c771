//! The catalogue of columns.

use super::number::{LatencyUnit, NOTHING, iops, megabytes_per_second};
use crate::record::{CaseFigures, SideFigures};

/// A figure that tables can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Iops,
    Throughput,
    Mean,
    Max,
    Deviation,
    DeviationOfSides,
    P50,
    P99,
    P99_9,
    P99_99,
}

/// Which operations a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    All,
    Read,
    Write,
}

/// All columns in the order in which tables show them.
pub(super) const COLUMNS: [Column; 10] = [
    Column::Iops,
    Column::Throughput,
    Column::Mean,
    Column::Max,
    Column::Deviation,
    Column::DeviationOfSides,
    Column::P50,
    Column::P99,
    Column::P99_9,
    Column::P99_99,
];

/// A value of a column for one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    Nothing,
    Iops(f64),
    BytesPerSecond(f64),
    Latency { ns: f64, is_lower_bound: bool, few_samples: bool },
}

impl Column {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Column::Iops => "IOPS",
            Column::Throughput => "MB/s",
            Column::Mean => "mean",
            Column::Max => "max",
            Column::Deviation => "stdev",
            Column::DeviationOfSides => "stdev-m",
            Column::P50 => "p50",
            Column::P99 => "p99",
            Column::P99_9 => "p99.9",
            Column::P99_99 => "p99.99",
        }
    }

    /// What the legend says of it.
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Column::Iops => "IOPS: reads and writes completed in the window per second",
            Column::Throughput => "MB/s: 10^6 bytes per second",
            Column::Mean => "Latency from submission to completion: mean over all operations",
            Column::Max => "max of the larger side",
            Column::Deviation => "stdev over all operations (pooled)",
            Column::DeviationOfSides => "stdev-m the mean of the reads' and the writes' stdev",
            Column::P50 | Column::P99 | Column::P99_9 | Column::P99_99 => {
                "pN what N % of the operations did not exceed"
            }
        }
    }

    /// Narrow terminals lose the columns of the highest number first.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Column::Iops => 0,
            Column::Throughput => 1,
            Column::Mean => 2,
            Column::Max => 3,
            Column::Deviation => 4,
            Column::P99_99 => 5,
            Column::P99 => 6,
            Column::P99_9 => 7,
            Column::P50 => 8,
            Column::DeviationOfSides => 9,
        }
    }

    pub(super) const fn is_latency(self) -> bool {
        !matches!(self, Column::Iops | Column::Throughput)
    }

    pub(super) fn value(self, figures: &CaseFigures, part: Part) -> Value {
        let side = part.of(figures);
        match self {
            Column::Iops => side.iops.map_or(Value::Nothing, Value::Iops),
            Column::Throughput => side.bytes_per_second.map_or(Value::Nothing, Value::BytesPerSecond),
            Column::Mean => latency(side.mean_ns),
            Column::Max => match side.max_ns {
                Some(ns) => Value::Latency {
                    ns: ns as f64,
                    is_lower_bound: part == Part::All && figures.is_max_lower_bound,
                    few_samples: false,
                },
                None => Value::Nothing,
            },
            Column::Deviation => latency(side.deviation_ns),
            Column::DeviationOfSides if part == Part::All => latency(figures.deviation_mean_of_sides_ns),
            Column::DeviationOfSides => Value::Nothing,
            Column::P50 => percentile(side, 0),
            Column::P99 => percentile(side, 2),
            Column::P99_9 => percentile(side, 3),
            Column::P99_99 => percentile(side, 4),
        }
    }
}

fn latency(ns: Option<f64>) -> Value {
    ns.map_or(Value::Nothing, |ns| Value::Latency { ns, is_lower_bound: false, few_samples: false })
}

/// `place` counts in the order of `SideFigures::percentiles_ns`.
fn percentile(side: &SideFigures, place: usize) -> Value {
    match side.percentiles_ns[place] {
        Some(ns) => Value::Latency { ns: ns as f64, is_lower_bound: false, few_samples: side.few_samples[place] },
        None => Value::Nothing,
    }
}

impl Part {
    pub(super) const fn of(self, figures: &CaseFigures) -> &SideFigures {
        match self {
            Part::All => &figures.all,
            Part::Read => &figures.read,
            Part::Write => &figures.write,
        }
    }
}

impl Value {
    /// The cell's text, latencies in `unit`.
    pub(super) fn write(self, unit: LatencyUnit) -> String {
        match self {
            Value::Nothing => NOTHING.to_owned(),
            Value::Iops(per_second) => iops(per_second),
            Value::BytesPerSecond(per_second) => megabytes_per_second(per_second),
            Value::Latency { ns, is_lower_bound, few_samples } => {
                let bound = if is_lower_bound { ">= " } else { "" };
                format!("{bound}{}{}", unit.write(ns), if few_samples { "*" } else { "" })
            }
        }
    }

    /// True for a percentile with few samples behind it, which bears a star.
    pub(super) const fn is_starred(self) -> bool {
        matches!(self, Value::Latency { few_samples: true, .. })
    }

    /// True for a maximum that may be larger in truth.
    pub(super) const fn is_lower_bound(self) -> bool {
        matches!(self, Value::Latency { is_lower_bound: true, .. })
    }
}
