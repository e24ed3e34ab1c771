//! What one slot counts. Only its worker writes; the coordinator reads beside it (S12).

use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::measure::{Direction, Moments, Side, Sides, Traffic};

/// Intervals that a slot keeps apart before the first of them is given up. The coordinator wants each one interval after
/// its end; on a machine with far more workers than processors it was seen a third of a second late.
const KEPT_INTERVALS: u64 = 8;

const UNUSED: u64 = u64::MAX;

/// All that is counted of one slot.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Tally {
    /// Every operation of the window is in exactly one of these and `settled`.
    intervals: [Accumulator; KEPT_INTERVALS as usize],
    /// What was in an accumulator when it was taken for a later interval.
    settled: SidesCells,
    ramp: TrafficCells,
    after: TrafficCells,
    pub(super) flight: Flight,
}

/// The slot's operation in flight and its first and last: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Flight {
    /// When the first operation was submitted, on the clock; 0 while there is none.
    pub(super) first_submitted_ns: AtomicU64,
    /// When the latest operation was submitted.
    pub(super) submitted_ns: AtomicU64,
    pub(super) offset_bytes: AtomicU64,
    /// The length, and in the lowest bit whether it is a write; lengths are multiples of a sector.
    length_and_direction: AtomicU64,
    /// The latency of the operation that was in flight at t1, once it is back; 0 where there was none.
    pub(super) straddler_ns: AtomicU64,
    /// 1 once the slot will issue nothing more.
    pub(super) is_out: AtomicU64,
    /// The latest completion that counts in the window, on the clock; 0 while there is none.
    last_recorded_ns: AtomicU64,
}

#[derive(Debug)]
#[repr(align(128))]
struct Accumulator {
    /// The interval's number; `UNUSED` while the rest is being cleared.
    tag: AtomicU64,
    sides: SidesCells,
}

impl Default for Accumulator {
    fn default() -> Self {
        Self { tag: AtomicU64::new(UNUSED), sides: SidesCells::default() }
    }
}

/// Reads, then writes: chosen by index, for which way an operation goes is nothing a processor could predict.
#[derive(Debug, Default)]
struct SidesCells([SideCells; 2]);

#[derive(Debug, Default)]
struct SideCells {
    count: AtomicU64,
    bytes: AtomicU64,
    sum_ns: AtomicU64,
    squares_low: AtomicU64,
    squares_high: AtomicU64,
    /// The complement of the smallest value, so that zero means none.
    min_complement: AtomicU64,
    max_ns: AtomicU64,
}

#[derive(Debug, Default)]
struct TrafficCells {
    reads: AtomicU64,
    bytes_read: AtomicU64,
    writes: AtomicU64,
    bytes_written: AtomicU64,
}

/// The worker's own view: which interval it is in, and where that ends.
#[derive(Debug)]
pub(super) struct Recorder {
    t0_ns: u64,
    sample_ns: u64,
    edge_ns: u64,
    current: usize,
}

/// Adds to a cell that only the calling thread writes: no locked instruction is needed.
#[inline]
fn bump(cell: &AtomicU64, by: u64) {
    cell.store(cell.load(Ordering::Relaxed) + by, Ordering::Relaxed);
}

impl Recorder {
    /// For a window that begins at `t0_ns` on the clock.
    pub(super) fn new(t0_ns: u64, sample_ns: u64) -> Self {
        Self { t0_ns, sample_ns, edge_ns: t0_ns, current: 0 }
    }

    /// Counts an operation of the window.
    #[inline]
    pub(super) fn record(&mut self, tally: &Tally, direction: Direction, bytes: u64, latency_ns: u64, done_ns: u64) {
        if done_ns >= self.edge_ns {
            self.enter(tally, done_ns);
        }
        tally.intervals[self.current].sides.0[direction as usize].record(bytes, latency_ns);
        tally.flight.last_recorded_ns.store(done_ns, Ordering::Relaxed);
    }

    /// Takes an accumulator for the interval that `done_ns` lies in.
    #[cold]
    fn enter(&mut self, tally: &Tally, done_ns: u64) {
        let index = (done_ns - self.t0_ns) / self.sample_ns;
        self.edge_ns = self.t0_ns.saturating_add((index + 1).saturating_mul(self.sample_ns));
        self.current = (index % KEPT_INTERVALS) as usize;
        let accumulator = &tally.intervals[self.current];
        // A reader that sees the new numbers also sees that the tag is gone.
        accumulator.tag.store(UNUSED, Ordering::Relaxed);
        fence(Ordering::Release);
        for (cells, settled) in accumulator.sides.0.iter().zip(&tally.settled.0) {
            cells.settle(settled);
        }
        accumulator.tag.store(index, Ordering::Release);
    }
}

impl Tally {
    /// An operation that completed before t0.
    pub(super) fn count_ramp(&self, direction: Direction, bytes: u64) {
        self.ramp.count(direction, bytes);
    }

    /// An operation that completed after the window.
    pub(super) fn count_after(&self, direction: Direction, bytes: u64) {
        self.after.count(direction, bytes);
    }

    /// What the slot counted in one interval; nothing where its accumulator is used for another by now.
    pub(super) fn interval(&self, index: u64) -> Sides {
        let accumulator = &self.intervals[(index % KEPT_INTERVALS) as usize];
        if accumulator.tag.load(Ordering::Acquire) != index {
            return Sides::default();
        }
        let sides = accumulator.sides.get();
        fence(Ordering::Acquire);
        if accumulator.tag.load(Ordering::Relaxed) == index { sides } else { Sides::default() }
    }

    /// Everything of the window. Exact once the worker is out or hangs in its operation.
    pub(super) fn window(&self) -> Sides {
        let mut sides = self.settled.get();
        for accumulator in &self.intervals {
            sides.add(&accumulator.sides.get());
        }
        sides
    }

    /// What completed before t0.
    pub(super) fn ramp(&self) -> Traffic {
        self.ramp.get()
    }

    /// What completed after t1.
    pub(super) fn after(&self) -> Traffic {
        self.after.get()
    }

    /// The latest completion that counts in the window, on the clock.
    pub(super) fn last_recorded_ns(&self) -> u64 {
        self.flight.last_recorded_ns.load(Ordering::Acquire)
    }
}

impl Flight {
    /// Notes what is about to be submitted.
    #[inline]
    pub(super) fn submit(&self, direction: Direction, offset_bytes: u64, length_bytes: u64, now_ns: u64) {
        self.offset_bytes.store(offset_bytes, Ordering::Relaxed);
        self.length_and_direction
            .store((length_bytes << 1) | u64::from(direction == Direction::Write), Ordering::Relaxed);
        self.submitted_ns.store(now_ns, Ordering::Relaxed);
    }

    /// Direction and length of the latest operation.
    pub(super) fn shape(&self) -> (Direction, u64) {
        let packed = self.length_and_direction.load(Ordering::Relaxed);
        (if packed & 1 == 1 { Direction::Write } else { Direction::Read }, packed >> 1)
    }
}

impl SidesCells {
    fn get(&self) -> Sides {
        Sides { read: self.0[Direction::Read as usize].get(), write: self.0[Direction::Write as usize].get() }
    }
}

impl SideCells {
    #[inline]
    fn record(&self, bytes: u64, latency_ns: u64) {
        bump(&self.bytes, bytes);
        bump(&self.sum_ns, latency_ns);
        self.add_squares(u128::from(latency_ns) * u128::from(latency_ns));
        if latency_ns > self.max_ns.load(Ordering::Relaxed) {
            self.max_ns.store(latency_ns, Ordering::Relaxed);
        }
        if !latency_ns > self.min_complement.load(Ordering::Relaxed) {
            self.min_complement.store(!latency_ns, Ordering::Relaxed);
        }
        // The count comes last: a reader in between never counts an operation whose sums are missing.
        self.count.store(self.count.load(Ordering::Relaxed) + 1, Ordering::Release);
    }

    #[inline]
    fn add_squares(&self, squares: u128) {
        let (low, carry) = self.squares_low.load(Ordering::Relaxed).overflowing_add(squares as u64);
        self.squares_low.store(low, Ordering::Relaxed);
        let high = (squares >> 64) as u64 + u64::from(carry);
        if high > 0 {
            bump(&self.squares_high, high);
        }
    }

    /// Moves everything to `other`.
    fn settle(&self, other: &Self) {
        let side = self.get();
        if side.moments.count == 0 {
            return;
        }
        bump(&other.bytes, side.bytes);
        bump(&other.sum_ns, side.moments.sum_ns);
        other.add_squares(side.moments.sum_squares);
        let (max, min) = (other.max_ns.load(Ordering::Relaxed), other.min_complement.load(Ordering::Relaxed));
        other.max_ns.store(max.max(side.moments.max_ns), Ordering::Relaxed);
        other.min_complement.store(min.max(!side.moments.min_ns), Ordering::Relaxed);
        bump(&other.count, side.moments.count);
        for cell in [
            &self.count,
            &self.bytes,
            &self.sum_ns,
            &self.squares_low,
            &self.squares_high,
            &self.min_complement,
            &self.max_ns,
        ] {
            cell.store(0, Ordering::Relaxed);
        }
    }

    fn get(&self) -> Side {
        let count = self.count.load(Ordering::Acquire);
        if count == 0 {
            return Side::default();
        }
        let squares_high = u128::from(self.squares_high.load(Ordering::Relaxed)) << 64;
        Side {
            moments: Moments {
                count,
                sum_ns: self.sum_ns.load(Ordering::Relaxed),
                sum_squares: squares_high | u128::from(self.squares_low.load(Ordering::Relaxed)),
                min_ns: !self.min_complement.load(Ordering::Relaxed),
                max_ns: self.max_ns.load(Ordering::Relaxed),
            },
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}

impl TrafficCells {
    fn count(&self, direction: Direction, bytes: u64) {
        let (operations, moved) = match direction {
            Direction::Read => (&self.reads, &self.bytes_read),
            Direction::Write => (&self.writes, &self.bytes_written),
        };
        bump(operations, 1);
        bump(moved, bytes);
    }

    fn get(&self) -> Traffic {
        Traffic {
            read_operations: self.reads.load(Ordering::Relaxed),
            bytes_read: self.bytes_read.load(Ordering::Relaxed),
            write_operations: self.writes.load(Ordering::Relaxed),
            bytes_written: self.bytes_written.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_in_its_interval_and_in_the_total() {
        let tally = Tally::default();
        let mut recorder = Recorder::new(1_000, 100);
        let mut expected = Sides::default();
        for (done, latency) in [(1_000, 7), (1_099, 9), (1_100, 1 << 40), (1_750, 3)] {
            recorder.record(&tally, Direction::Read, 512, latency, done);
            expected.read.moments.record(latency);
            expected.read.bytes += 512;
        }
        assert_eq!(tally.window(), expected);
        assert_eq!(tally.last_recorded_ns(), 1_750);
        let counts: Vec<u64> = (0..9).map(|index| tally.interval(index).operations()).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(tally.interval(0).read.moments.min_ns, 7);
    }

    #[test]
    fn an_interval_given_up_stays_in_the_total() {
        let tally = Tally::default();
        let mut recorder = Recorder::new(0, 10);
        recorder.record(&tally, Direction::Write, 4096, 5, 3);
        recorder.record(&tally, Direction::Write, 4096, 6, 10 * KEPT_INTERVALS + 3);
        assert_eq!(tally.interval(0), Sides::default());
        assert_eq!(tally.interval(KEPT_INTERVALS).write.moments.count, 1);
        let total = tally.window();
        assert_eq!((total.write.moments.count, total.write.moments.sum_squares, total.write.bytes), (2, 61, 8192));
        assert_eq!((total.write.moments.min_ns, total.write.moments.max_ns), (5, 6));
    }

    #[test]
    fn squares_carry_into_the_high_half() {
        let cells = SideCells::default();
        let mut moments = Moments::default();
        for latency in [u64::MAX >> 2, u64::MAX >> 2, 3, u64::MAX >> 2] {
            cells.record(0, latency);
            moments.record(latency);
        }
        assert_eq!(cells.get().moments, moments);
    }
}
