//! When the window begins (S13).

use std::sync::atomic::{AtomicU64, Ordering};

const STAMP_BITS: u32 = 48;
const STAMP_MASK: u64 = (1 << STAMP_BITS) - 1;

/// The most slots that a load can have.
pub(super) const MAXIMUM_SLOTS: u64 = (1 << (64 - STAMP_BITS)) - 1;

/// Settles t0: not before the ramp is over, nor before every slot has completed one operation.
///
/// One word holds the slots still waited for and the earliest possible t0, so that "this operation lies before t0" and
/// "t0 is fixed" can never contradict each other, whenever a worker is held up between the two.
#[derive(Debug)]
pub(super) struct Start {
    ramp_ns: u64,
    word: AtomicU64,
}

impl Start {
    /// For so many slots; without a ramp the window begins at the barrier.
    pub(super) fn new(ramp_ns: u64, slots: u64) -> Self {
        let waited_for = if ramp_ns == 0 { 0 } else { slots };
        let ramp_ns = ramp_ns.min(STAMP_MASK);
        Self { ramp_ns, word: AtomicU64::new((waited_for << STAMP_BITS) | ramp_ns) }
    }

    /// t0 in nanoseconds from the barrier, once it is fixed.
    pub(super) fn fixed_ns(&self) -> Option<u64> {
        let word = self.word.load(Ordering::Acquire);
        (word >> STAMP_BITS == 0).then_some(word & STAMP_MASK)
    }

    /// A slot completed an operation `done_ns` after the barrier; true where that is certainly before t0 and need not be
    /// told: the ramp is not over, and it is not the slot's first.
    #[inline]
    pub(super) fn is_plainly_before(&self, is_first: bool, done_ns: u64) -> bool {
        !is_first && done_ns < self.ramp_ns
    }

    /// The same, told: answers t0 where it is fixed; else the operation lies before t0, which moves if it must.
    pub(super) fn pass(&self, is_first: bool, done_ns: u64) -> Option<u64> {
        let mut word = self.word.load(Ordering::Acquire);
        loop {
            let (waited_for, stamp) = (word >> STAMP_BITS, word & STAMP_MASK);
            if waited_for == 0 {
                return Some(stamp);
            }
            let moved = stamp.max((done_ns + 1).min(STAMP_MASK));
            let next = ((waited_for - u64::from(is_first)) << STAMP_BITS) | moved;
            match self.word.compare_exchange_weak(word, next, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return None,
                Err(changed) => word = changed,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_ramp_it_is_the_barrier() {
        assert_eq!(Start::new(0, 8).fixed_ns(), Some(0));
    }

    #[test]
    fn with_all_slots_in_time_it_is_the_end_of_the_ramp() {
        let start = Start::new(1_000, 2);
        assert_eq!(start.pass(true, 10), None);
        assert_eq!(start.fixed_ns(), None);
        assert_eq!(start.pass(true, 20), None);
        assert_eq!(start.pass(false, 1_000), Some(1_000));
        assert!(start.is_plainly_before(false, 999) && !start.is_plainly_before(false, 1_000));
    }

    #[test]
    fn a_slow_slot_moves_it_and_everything_before_lies_before() {
        let start = Start::new(1_000, 2);
        assert_eq!(start.pass(true, 500), None);
        assert_eq!(start.pass(false, 3_000), None);
        // The slow slot's first operation has a smaller stamp than one that was already told.
        assert_eq!(start.pass(true, 2_900), None);
        assert_eq!(start.fixed_ns(), Some(3_001));
        assert_eq!(start.pass(false, 5_000), Some(3_001));
    }
}
