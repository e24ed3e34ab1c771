//! The histogram that workers record into: hdrhistogram's three-digit cells, one array per processor and direction.

use std::alloc::Layout;
use std::sync::atomic::{AtomicU64, Ordering};

use super::EngineError;
use crate::measure::{Direction, LatencyHistogram, MAXIMUM_BINNED_NS, SideHistograms};

/// Cells of one octave above the first two: three digits need more than 1,000.
const OCTAVE_BITS: u32 = 10;
const OVERFLOW: usize = cell_of(MAXIMUM_BINNED_NS) + 1;
const CELLS: usize = OVERFLOW + 1;

/// The cell of a latency up to 2^40 ns: values below 2,048 have one each, above that 1,024 divide each octave.
#[inline]
const fn cell_of(value_ns: u64) -> usize {
    let octave = 63 - (value_ns | ((2 << OCTAVE_BITS) - 1)).leading_zeros() - OCTAVE_BITS;
    ((octave as usize) << OCTAVE_BITS) + (value_ns >> octave) as usize
}

/// The smallest value of a cell.
const fn lowest_of(cell: usize) -> u64 {
    if cell < 2 << OCTAVE_BITS {
        return cell as u64;
    }
    let octave = (cell >> OCTAVE_BITS) - 1;
    (((cell & ((1 << OCTAVE_BITS) - 1)) + (1 << OCTAVE_BITS)) as u64) << octave
}

/// Counts of latencies, shared by the workers of one processor.
#[derive(Debug)]
pub(super) struct FineHistograms([Box<[AtomicU64]>; 2]);

impl FineHistograms {
    /// All zero. Pages that are never counted in never become resident.
    ///
    /// # Errors
    ///
    /// Where there is no memory.
    pub(super) fn new() -> Result<Self, EngineError> {
        Ok(Self([zeroed_cells()?, zeroed_cells()?]))
    }

    /// The cells, for a worker to count in.
    pub(super) fn cells(&self) -> Cells<'_> {
        Cells([&self.0[0], &self.0[1]])
    }

    /// Adds all counts to histograms of the same bins: exact.
    pub(super) fn fold_into(&self, histograms: &mut SideHistograms) {
        fold(&self.0[Direction::Read as usize], &mut histograms.read);
        fold(&self.0[Direction::Write as usize], &mut histograms.write);
    }
}

/// A worker's way to the cells of its processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells<'a>([&'a [AtomicU64]; 2]);

impl Cells<'_> {
    /// Counts one latency.
    #[inline]
    pub(super) fn record(self, direction: Direction, value_ns: u64) {
        let cell = if value_ns > MAXIMUM_BINNED_NS { OVERFLOW } else { cell_of(value_ns) };
        self.0[direction as usize][cell].fetch_add(1, Ordering::Relaxed);
    }
}

fn fold(cells: &[AtomicU64], histogram: &mut LatencyHistogram) {
    for (cell, count) in cells.iter().enumerate() {
        match (cell, count.load(Ordering::Relaxed)) {
            (_, 0) => {}
            (OVERFLOW, count) => histogram.record_overflow(count),
            (_, count) => histogram.record_many(lowest_of(cell), count),
        }
    }
}

fn zeroed_cells() -> Result<Box<[AtomicU64]>, EngineError> {
    let layout = Layout::array::<AtomicU64>(CELLS).expect("the size is a small constant");
    // SAFETY: the layout has a size above zero.
    let start = unsafe { std::alloc::alloc_zeroed(layout) };
    if start.is_null() {
        return Err(EngineError::Memory { bytes: layout.size() as u64 });
    }
    let cells = std::ptr::slice_from_raw_parts_mut(start.cast::<AtomicU64>(), CELLS);
    // SAFETY: the memory is that of an array of CELLS atomics, zero bytes are an atomic 0, and the box is its only owner
    // and frees it with the same layout.
    Ok(unsafe { Box::from_raw(cells) })
}

#[cfg(test)]
mod tests {
    use super::super::random::{Purpose, Random};
    use super::*;

    #[test]
    fn cells_are_those_of_hdrhistogram() {
        let bins = hdrhistogram::Histogram::<u64>::new_with_bounds(1, MAXIMUM_BINNED_NS, 3).expect("valid bounds");
        let mut random = Random::new(1, 0, Purpose::Offset);
        let around = (0..=40).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        let drawn = (0..200_000).map(|_| random.bits() >> (24 + random.below(40)));
        for value in around.chain(drawn).filter(|&value| value <= MAXIMUM_BINNED_NS) {
            let lowest = lowest_of(cell_of(value));
            assert_eq!(lowest, bins.lowest_equivalent(value), "{value}");
            if cell_of(value) + 1 < OVERFLOW {
                assert_eq!(lowest_of(cell_of(value) + 1), bins.next_non_equivalent(value), "{value}");
            }
        }
    }

    #[test]
    fn folding_is_recording() {
        let fine = FineHistograms::new().expect("memory");
        let mut direct = SideHistograms::default();
        let mut random = Random::new(2, 0, Purpose::Offset);
        for count in 0..100_000 {
            let value = random.bits() >> (20 + random.below(40));
            if count % 3 == 0 {
                fine.cells().record(Direction::Write, value);
                direct.write.record(value);
            } else {
                fine.cells().record(Direction::Read, value);
                direct.read.record(value);
            }
        }
        let mut folded = SideHistograms::default();
        fine.fold_into(&mut folded);
        assert_eq!(folded, direct);
        assert!(folded.read.overflow() > 0, "some values lie beyond the range");
    }
}
