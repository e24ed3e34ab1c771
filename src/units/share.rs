use std::fmt;

use serde::{Deserialize, Serialize};

/// A share in percent, exact to a ten-thousandth of a percent; may be above 100 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Percent(u32);

impl Percent {
    /// Parts in the whole: 100 % is 1,000,000 parts.
    pub const WHOLE: u32 = 1_000_000;
    /// 0 %.
    pub const ZERO: Percent = Percent(0);
    /// 100 %.
    pub const HUNDRED: Percent = Percent(Self::WHOLE);

    /// From parts per million of the whole (10,000 parts are 1 %).
    pub const fn from_parts_per_million(parts: u32) -> Self {
        Self(parts)
    }

    /// Parts per million of the whole.
    pub const fn parts_per_million(self) -> u32 {
        self.0
    }

    /// As a factor: 100 % is 1.0.
    pub fn as_factor(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }

    /// This share of a count, rounded down; saturates where the result passes 64 bits.
    pub fn of(self, count: u64) -> u64 {
        let product = u128::from(count) * u128::from(self.0) / u128::from(Self::WHOLE);
        u64::try_from(product).unwrap_or(u64::MAX)
    }
}

/// As a plan spells it: `70%`, `0.5%`.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 10_000, self.0 % 10_000);
        if part == 0 {
            return f.pad(&format!("{whole}%"));
        }
        let digits = format!("{part:04}");
        f.pad(&format!("{whole}.{}%", digits.trim_end_matches('0')))
    }
}

/// The read part of a mix, 0 % to 100 % of the operations; the rest are writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReadShare(Percent);

impl ReadShare {
    /// Reads alone.
    pub const ALL: ReadShare = ReadShare(Percent::HUNDRED);
    /// Writes alone.
    pub const NONE: ReadShare = ReadShare(Percent::ZERO);

    /// `None` above 100 %.
    pub fn new(share: Percent) -> Option<Self> {
        (share <= Percent::HUNDRED).then_some(Self(share))
    }

    /// The share of reads.
    pub const fn percent(self) -> Percent {
        self.0
    }

    /// True where some operation is a read.
    pub fn has_reads(self) -> bool {
        self.0 > Percent::ZERO
    }

    /// True where some operation is a write.
    pub fn has_writes(self) -> bool {
        self.0 < Percent::HUNDRED
    }

    /// True where both kinds occur.
    pub fn is_mix(self) -> bool {
        self.has_reads() && self.has_writes()
    }
}

impl fmt::Display for ReadShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling() {
        for (parts, text) in [(0, "0%"), (5_000, "0.5%"), (700_000, "70%"), (333_330, "33.333%"), (1_200_000, "120%")] {
            assert_eq!(Percent::from_parts_per_million(parts).to_string(), text);
        }
    }

    #[test]
    fn a_share_of_a_count_is_exact_beyond_32_bits() {
        let one = Percent::from_parts_per_million(10_000);
        assert_eq!(one.of(2_000_398_934_016), 20_003_989_340);
        assert_eq!(Percent::HUNDRED.of(u64::MAX), u64::MAX);
    }

    #[test]
    fn a_read_share_ends_at_100() {
        assert!(ReadShare::new(Percent::from_parts_per_million(1_000_001)).is_none());
        assert!(!ReadShare::ALL.has_writes() && !ReadShare::NONE.has_reads());
    }
}
