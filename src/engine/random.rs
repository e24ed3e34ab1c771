//! Random numbers for one slot: fast, seeded, and one stream for each purpose.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(Xoshiro256PlusPlus);

/// What a stream is for. Offsets and directions never share one: their numbers would be tied to each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    Offset = 1,
    Mix = 2,
    Data = 3,
    Pool = 4,
}

impl Random {
    /// The stream of one slot of one load for one purpose.
    pub(super) fn new(seed: u64, slot: u64, purpose: Purpose) -> Self {
        let mixed = scramble(scramble(scramble(seed) ^ slot) ^ purpose as u64);
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// 64 random bits.
    #[inline]
    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, each equally likely: the high half of a product, drawn again in the rare uneven case.
    #[inline]
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let uneven = bound.wrapping_neg() % bound;
            while (product as u64) < uneven {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }
}

/// A bijection of 64 bits in which every input bit moves every output bit (the finaliser of splitmix64).
#[inline]
pub(super) fn scramble(value: u64) -> u64 {
    let mut bits = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_stream_and_another_slot_or_purpose_another() {
        let first = |seed, slot, purpose| Random::new(seed, slot, purpose).bits();
        assert_eq!(first(1, 0, Purpose::Mix), first(1, 0, Purpose::Mix));
        let others = [first(2, 0, Purpose::Mix), first(1, 1, Purpose::Mix), first(1, 0, Purpose::Offset)];
        assert!(others.iter().all(|&bits| bits != first(1, 0, Purpose::Mix)));
        // Seed and slot are not simply added: (1, 2) and (2, 1) differ.
        assert_ne!(first(1, 2, Purpose::Mix), first(2, 1, Purpose::Mix));
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut random = Random::new(7, 0, Purpose::Offset);
        let mut seen = [0_u32; 5];
        for _ in 0..5_000 {
            seen[random.below(5) as usize] += 1;
        }
        // Each is expected 1,000 times with a deviation of 28.
        assert!(seen.iter().all(|&count| (850..1_150).contains(&count)), "{seen:?}");
        assert_eq!(random.below(1), 0);
        let huge = (1 << 63) + 1;
        assert!((0..1_000).all(|_| random.below(huge) < huge));
    }
}
