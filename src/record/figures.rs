use serde::Serialize;

use super::CaseRecord;
use crate::measure::{InFlight, LatencyHistogram, Moments, Percentile, Side, SideHistograms, Sides};
use crate::units::NANOS_PER_SECOND;

/// The percentiles that are reported, in order.
pub(crate) const PERCENTILES: [Percentile; 5] =
    [Percentile::P50, percentile_90(), Percentile::P99, Percentile::P99_9, Percentile::P99_99];

const fn percentile_90() -> Percentile {
    match Percentile::new(9, 10) {
        Some(percentile) => percentile,
        None => Percentile::P50,
    }
}

/// What one case comes to: the figures that reports print, in raw units.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFigures {
    /// Where they come from.
    pub source: FigureSource,
    /// Length of the window, in nanoseconds.
    pub window_ns: u64,
    /// Reads and writes together: mean operation-weighted, deviation pooled, maximum the larger side (S19).
    pub all: SideFigures,
    /// Reads alone.
    pub read: SideFigures,
    /// Writes alone.
    pub write: SideFigures,
    /// The mean of the reads' and the writes' deviations, in nanoseconds (S19).
    pub deviation_mean_of_sides_ns: Option<f64>,
    /// Share of reads among the operations that completed in the window, 0 to 1.
    pub read_share: Option<f64>,
    /// True where an operation in flight at the end took longer than any that counts: the maximum is `>= x` (S13).
    pub is_max_lower_bound: bool,
}

/// Where figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureSource {
    /// The totals of the window.
    Window,
    /// The sum of the intervals: the case was cut off before its end could be written. Percentiles are not in there.
    Intervals,
}

/// The figures of reads, of writes, or of both. `None` is what no operation tells.
#[derive(Debug, Clone, PartialEq)]
pub struct SideFigures {
    /// Operations completed in the window.
    pub operations: u64,
    /// Bytes they moved.
    pub bytes: u64,
    /// Operations per second.
    pub iops: Option<f64>,
    /// Bytes per second.
    pub bytes_per_second: Option<f64>,
    /// Mean latency in nanoseconds.
    pub mean_ns: Option<f64>,
    /// Smallest latency in nanoseconds.
    pub min_ns: Option<u64>,
    /// Largest latency in nanoseconds.
    pub max_ns: Option<u64>,
    /// Population standard deviation in nanoseconds.
    pub deviation_ns: Option<f64>,
    /// p50, p90, p99, p99.9, p99.99 in nanoseconds (S18).
    pub percentiles_ns: [Option<u64>; 5],
    /// For each of them: fewer than ten operations are expected above it.
    pub few_samples: [bool; 5],
}

impl CaseRecord {
    /// The case's figures; `None` where nothing was measured.
    pub fn figures(&self) -> Option<CaseFigures> {
        if let Some(totals) = &self.totals {
            let histograms = Some(&totals.histograms);
            let (length_ns, flight) = (totals.length_ns, totals.in_flight);
            return Some(CaseFigures::of(FigureSource::Window, length_ns, &totals.sides, flight, histograms));
        }
        let (mut length_ns, mut sides) = (0_u64, Sides::default());
        for interval in &self.intervals {
            if !can_add(&sides, &interval.sides) {
                return None;
            }
            sides.add(&interval.sides);
            length_ns = length_ns.saturating_add(interval.length_ns);
        }
        let is_something = !self.intervals.is_empty();
        is_something.then(|| CaseFigures::of(FigureSource::Intervals, length_ns, &sides, InFlight::default(), None))
    }
}

impl CaseFigures {
    fn of(
        source: FigureSource,
        window_ns: u64,
        sides: &Sides,
        in_flight: InFlight,
        histograms: Option<&SideHistograms>,
    ) -> Self {
        let pooled = Side { moments: sides.pooled(), bytes: sides.bytes() };
        let pooled_histogram = histograms.map(SideHistograms::pooled);
        let mut all = SideFigures::of(&pooled, pooled_histogram.as_ref(), window_ns);
        let is_longer = in_flight.operations > 0 && in_flight.longest_ns > pooled.moments.max_ns;
        // A load that ended in its ramp has no window whose maximum could be told.
        let is_max_lower_bound = is_longer && window_ns > 0;
        if is_max_lower_bound {
            all.max_ns = Some(in_flight.longest_ns);
        }
        Self {
            source,
            window_ns,
            all,
            read: SideFigures::of_one(&sides.read, histograms.map(|both| &both.read), window_ns),
            write: SideFigures::of_one(&sides.write, histograms.map(|both| &both.write), window_ns),
            deviation_mean_of_sides_ns: sides.deviation_mean_of_sides_ns(),
            read_share: sides.read_share(),
            is_max_lower_bound,
        }
    }
}

impl SideFigures {
    /// Of one direction: where it did nothing it has no rate, whereas 0 IOPS of a whole load is a finding.
    fn of_one(side: &Side, histogram: Option<&LatencyHistogram>, window_ns: u64) -> Self {
        let figures = Self::of(side, histogram, window_ns);
        match figures.operations {
            0 => Self { iops: None, bytes_per_second: None, ..figures },
            _ => figures,
        }
    }

    fn of(side: &Side, histogram: Option<&LatencyHistogram>, window_ns: u64) -> Self {
        let Moments { count, min_ns, max_ns, .. } = side.moments;
        let per_second =
            |amount: u64| (window_ns > 0).then(|| amount as f64 * NANOS_PER_SECOND as f64 / window_ns as f64);
        let percentile = |p: Percentile| histogram.and_then(|histogram| histogram.value_at(p, max_ns));
        Self {
            operations: count,
            bytes: side.bytes,
            iops: per_second(count),
            bytes_per_second: per_second(side.bytes),
            mean_ns: side.moments.mean_ns(),
            min_ns: (count > 0).then_some(min_ns),
            max_ns: (count > 0).then_some(max_ns),
            deviation_ns: side.moments.deviation_ns(),
            percentiles_ns: PERCENTILES.map(percentile),
            few_samples: PERCENTILES.map(|p| count > 0 && p.has_few_samples(count)),
        }
    }
}

/// Refuses sums that no run can reach: they would overflow where sides are added, and then print nonsense.
pub(super) fn check_sums(sides: &Sides) -> Result<(), String> {
    if can_add(&Sides { read: sides.read, write: Side::default() }, &Sides { read: sides.write, ..Sides::default() }) {
        Ok(())
    } else {
        Err("its sums are larger than any run can reach".to_owned())
    }
}

/// The same for the counts of histograms.
pub(super) fn check_histograms(histograms: &SideHistograms) -> Result<(), String> {
    let mut count = 0_u64;
    for histogram in [&histograms.read, &histograms.write] {
        let bins = histogram.bins().map(|(_, in_bin)| in_bin);
        for amount in bins.chain([histogram.overflow()]) {
            count = count.checked_add(amount).ok_or("its histograms count more than any run can reach")?;
        }
    }
    Ok(())
}

/// True where adding the two keeps every sum, over both sides together, within its type.
fn can_add(a: &Sides, b: &Sides) -> bool {
    let parts = [&a.read, &a.write, &b.read, &b.write];
    let fits = |of: fn(&Side) -> u64| parts.iter().try_fold(0_u64, |sum, side| sum.checked_add(of(side))).is_some();
    fits(|side| side.moments.count)
        && fits(|side| side.moments.sum_ns)
        && fits(|side| side.bytes)
        && parts.iter().try_fold(0_u128, |sum, side| sum.checked_add(side.moments.sum_squares)).is_some()
}
