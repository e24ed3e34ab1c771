use serde::{Deserialize, Serialize};

use super::{LatencyHistogram, Percentile, Sides};

/// Everything counted of one load: the window [t0, t1) and what lay around it (S13).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WindowTotals {
    /// From the barrier to t0, in nanoseconds: the ramp and whatever postponed t0 beyond it.
    pub ramp_ns: u64,
    /// t1 - t0, in nanoseconds; 0 where the load ended before its window began.
    pub length_ns: u64,
    /// Operations completed in the window.
    pub sides: Sides,
    /// Their latencies; the same operations as `sides`.
    pub histograms: SideHistograms,
    /// Operations that completed before t0; counted nowhere else.
    pub ramp: Traffic,
    /// All operations that completed without error: ramp, window, and after t1. What a budget counts.
    pub moved: Traffic,
    /// What was in flight at t1.
    pub in_flight: InFlight,
    /// From the first to the last slot's first submission, in nanoseconds.
    pub first_submission_spread_ns: u64,
    /// Operations of the window that reached no interval, because a worker was held up beyond its collection.
    pub late_records: u64,
    /// Operations that failed or came back short; they are in none of the numbers above.
    pub errors: u64,
    /// How the generator itself fared.
    pub generator: GeneratorFacts,
}

/// The latency histograms of reads and writes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SideHistograms {
    /// Of reads.
    pub read: LatencyHistogram,
    /// Of writes.
    pub write: LatencyHistogram,
}

/// Operations and bytes by direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Number of reads.
    pub read_operations: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Number of writes.
    pub write_operations: u64,
    /// Bytes written.
    pub bytes_written: u64,
}

/// Operations begun before t1 and not complete then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFlight {
    /// How many.
    pub operations: u64,
    /// The longest of their latencies in nanoseconds; for one that never came back, its age when waiting ended.
    pub longest_ns: u64,
    /// How many had not come back when the deadline for draining passed.
    pub unfinished: u64,
}

/// What the load generator cost and what held it up, over all workers from barrier to end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorFacts {
    /// Threads that issued operations.
    pub workers: u64,
    /// Distinct processors they were pinned to; 0 where nothing was pinned.
    pub processors: u64,
    /// Time on a processor, in nanoseconds.
    pub busy_ns: u64,
    /// Time runnable but waiting for a processor, in nanoseconds (the kernel's `schedstat`): latency that is ours.
    pub run_delay_ns: u64,
    /// Times a worker was taken off its processor against its will.
    pub involuntary_switches: u64,
    /// Workers that could not report, because they never came back or the kernel keeps no such numbers.
    pub silent_workers: u64,
}

/// The largest latency, and whether the truth may be larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaximumLatency {
    /// In nanoseconds.
    pub latency_ns: u64,
    /// True where it belongs to an operation in flight at t1 and is printed as `>= x`.
    pub is_lower_bound: bool,
}

impl Traffic {
    /// The operations and bytes of two sides.
    pub fn of(sides: &Sides) -> Self {
        Self {
            read_operations: sides.read.moments.count,
            bytes_read: sides.read.bytes,
            write_operations: sides.write.moments.count,
            bytes_written: sides.write.bytes,
        }
    }

    /// Adds another's operations.
    pub fn add(&mut self, other: &Self) {
        self.read_operations += other.read_operations;
        self.bytes_read += other.bytes_read;
        self.write_operations += other.write_operations;
        self.bytes_written += other.bytes_written;
    }
}

impl SideHistograms {
    /// Adds both histograms of another.
    pub fn add(&mut self, other: &Self) {
        self.read.add(&other.read);
        self.write.add(&other.write);
    }

    /// Reads and writes together.
    pub fn pooled(&self) -> LatencyHistogram {
        let mut pooled = self.read.clone();
        pooled.add(&self.write);
        pooled
    }
}

impl WindowTotals {
    /// Operations per second of the window; `None` for a window without length.
    pub fn iops(&self) -> Option<f64> {
        (self.length_ns > 0).then(|| per_second(self.sides.operations(), self.length_ns))
    }

    /// Bytes per second of the window, read and written; `None` for a window without length.
    pub fn bytes_per_second(&self) -> Option<f64> {
        (self.length_ns > 0).then(|| per_second(self.sides.bytes(), self.length_ns))
    }

    /// The largest latency over both sides; that of an operation in flight at t1 where that is longer (S13).
    pub fn maximum(&self) -> Option<MaximumLatency> {
        let inside = self.sides.pooled();
        if self.in_flight.operations > 0 && self.in_flight.longest_ns > inside.max_ns {
            return Some(MaximumLatency { latency_ns: self.in_flight.longest_ns, is_lower_bound: true });
        }
        (inside.count > 0).then_some(MaximumLatency { latency_ns: inside.max_ns, is_lower_bound: false })
    }

    /// A percentile over reads and writes together, in nanoseconds (S18); `None` without an operation.
    pub fn percentile_ns(&self, percentile: Percentile) -> Option<u64> {
        self.histograms.pooled().value_at(percentile, self.sides.pooled().max_ns)
    }

    /// Slot time in the window that no operation filled, in nanoseconds: choosing, filling buffers, recording, waiting
    /// for a processor between operations (think time). 0 where operations begun before t0 fill more than the window.
    pub fn outside_io_ns(&self) -> u64 {
        let slot_time = u128::from(self.length_ns) * u128::from(self.generator.workers);
        slot_time.saturating_sub(u128::from(self.sides.pooled().sum_ns)) as u64
    }
}

/// A count over a length in nanoseconds, per second; 0 over no time.
pub(super) fn per_second(count: u64, length_ns: u64) -> f64 {
    if length_ns == 0 { 0.0 } else { count as f64 * 1e9 / length_ns as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(latencies: &[u64], in_flight: InFlight) -> WindowTotals {
        let mut totals = WindowTotals { length_ns: 2_000_000_000, in_flight, ..WindowTotals::default() };
        for &latency in latencies {
            totals.sides.read.moments.record(latency);
            totals.sides.read.bytes += 512;
            totals.histograms.read.record(latency);
        }
        totals
    }

    #[test]
    fn rates_are_over_the_window() {
        let totals = window(&[10, 20, 30], InFlight::default());
        assert_eq!((totals.iops(), totals.bytes_per_second()), (Some(1.5), Some(768.0)));
        assert_eq!(WindowTotals::default().iops(), None);
    }

    #[test]
    fn a_longer_straddler_makes_the_maximum_a_lower_bound() {
        let flight = |longest_ns| InFlight { operations: 1, longest_ns, unfinished: 0 };
        let maximum = |totals: WindowTotals| totals.maximum().map(|max| (max.latency_ns, max.is_lower_bound));
        assert_eq!(maximum(window(&[10, 30], flight(29))), Some((30, false)));
        assert_eq!(maximum(window(&[10, 30], flight(31))), Some((31, true)));
        assert_eq!(maximum(window(&[], flight(31))), Some((31, true)));
        assert_eq!(maximum(WindowTotals::default()), None);
    }

    #[test]
    fn survives_json() {
        let totals = window(&[1, 70_000], InFlight { operations: 2, longest_ns: 9, unfinished: 1 });
        let text = serde_json::to_string(&totals).expect("serialises");
        assert_eq!(serde_json::from_str::<WindowTotals>(&text).expect("reads back"), totals);
    }

    #[test]
    fn percentiles_over_both_sides() {
        let mut totals = window(&[10, 20], InFlight::default());
        totals.sides.write.moments.record(900);
        totals.histograms.write.record(900);
        assert_eq!(totals.percentile_ns(Percentile::P50), Some(20));
        assert_eq!(totals.percentile_ns(Percentile::P99), Some(900));
    }
}
