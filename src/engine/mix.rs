//! Which direction comes next: exact in every block of operations, in an order of each slot's own (S6).

use super::random::{Purpose, Random};
use crate::measure::Direction;
use crate::units::{Percent, ReadShare};

/// Draws directions without replacement from blocks of 100 operations, or larger where the share needs it.
///
/// Every arrangement of a block is equally likely and each block is exact, yet no two slots march in step: a fixed
/// pattern would let all slots reach their write at the same time.
#[derive(Debug, Clone)]
pub(super) struct Mix {
    block: u64,
    reads_of_block: u64,
    left: u64,
    left_reads: u64,
    random: Random,
}

impl Mix {
    /// The mix of one slot.
    pub(super) fn new(read: ReadShare, seed: u64, slot: u64) -> Self {
        let parts = u64::from(read.percent().parts_per_million());
        let whole = u64::from(Percent::WHOLE);
        // The smallest block in which the share is a whole number of operations.
        let block = [100, 10_000, whole].into_iter().find(|block| parts * block % whole == 0).unwrap_or(whole);
        Self {
            block,
            reads_of_block: parts * block / whole,
            left: 0,
            left_reads: 0,
            random: Random::new(seed, slot, Purpose::Mix),
        }
    }

    /// The direction of the next operation.
    #[inline]
    pub(super) fn draw(&mut self) -> Direction {
        if self.reads_of_block == self.block {
            return Direction::Read;
        }
        if self.reads_of_block == 0 {
            return Direction::Write;
        }
        if self.left == 0 {
            (self.left, self.left_reads) = (self.block, self.reads_of_block);
        }
        let is_read = self.random.below(self.left) < self.left_reads;
        self.left -= 1;
        self.left_reads -= u64::from(is_read);
        if is_read { Direction::Read } else { Direction::Write }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(parts_per_million: u32, slot: u64) -> Mix {
        let share = ReadShare::new(Percent::from_parts_per_million(parts_per_million)).expect("at most 100 %");
        Mix::new(share, 1, slot)
    }

    fn reads(mix: &mut Mix, operations: u32) -> u32 {
        (0..operations).map(|_| u32::from(mix.draw() == Direction::Read)).sum()
    }

    #[test]
    fn every_block_is_exact() {
        for (parts, block, expected) in [
            (700_000, 100, 70),
            (10_000, 100, 1),
            (655_000, 10_000, 6_550),
            (333_333, 1_000_000, 333_333),
            (1_000_000, 100, 100),
            (0, 100, 0),
        ] {
            let mut mix = mix(parts, 3);
            for _ in 0..3 {
                assert_eq!(reads(&mut mix, block), expected, "{parts} ppm");
            }
        }
    }

    #[test]
    fn every_place_of_a_block_is_as_likely_to_be_the_write() {
        let mut seen = [0_u32; 100];
        for slot in 0..20_000 {
            let mut mix = mix(990_000, slot);
            let place = (0..100).position(|_| mix.draw() == Direction::Write).expect("one of 100 is a write");
            seen[place] += 1;
        }
        // Chi-square with 99 degrees of freedom: mean 99, deviation 14.
        let chi: f64 = seen.iter().map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0).sum();
        assert!(chi < 170.0, "{chi}");
    }

    #[test]
    fn slots_do_not_march_in_step() {
        // With 256 slots at 90 % reads, 25.6 of them write at each step on average; a convoy would be all or none.
        let mut slots: Vec<Mix> = (0..256).map(|slot| mix(900_000, slot)).collect();
        for step in 0..100 {
            let writes = slots.iter_mut().filter_map(|mix| (mix.draw() == Direction::Write).then_some(())).count();
            assert!((2..=60).contains(&writes), "{writes} writes at step {step}");
        }
    }

    #[test]
    fn equal_seeds_give_equal_sequences() {
        let (mut one, mut other) = (mix(500_000, 9), mix(500_000, 9));
        assert!((0..1_000).all(|_| one.draw() == other.draw()));
    }
}
