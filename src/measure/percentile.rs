use std::fmt;

use serde::{Deserialize, Serialize};

/// A percentile as an exact fraction, above 0 and at most 1: p99.9 is 999/1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u64, u64)", into = "(u64, u64)")]
pub struct Percentile {
    numerator: u64,
    denominator: u64,
}

impl Percentile {
    /// The median.
    pub const P50: Percentile = Percentile { numerator: 1, denominator: 2 };
    /// 99 of 100.
    pub const P99: Percentile = Percentile { numerator: 99, denominator: 100 };
    /// 999 of 1,000.
    pub const P99_9: Percentile = Percentile { numerator: 999, denominator: 1_000 };
    /// 9,999 of 10,000.
    pub const P99_99: Percentile = Percentile { numerator: 9_999, denominator: 10_000 };
    /// 99,999 of 100,000.
    pub const P99_999: Percentile = Percentile { numerator: 99_999, denominator: 100_000 };

    /// `None` unless 0 < numerator/denominator <= 1.
    pub const fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if numerator == 0 || numerator > denominator { None } else { Some(Self { numerator, denominator }) }
    }

    /// The rank asked for among `count` values in ascending order, counted from 1: ceil(p x N), in integers (S18).
    pub fn rank(self, count: u64) -> u64 {
        let product = u128::from(self.numerator) * u128::from(count);
        product.div_ceil(u128::from(self.denominator)) as u64
    }

    /// True where fewer than ten values are expected to lie above: N x (1 - p) < 10 (S18).
    pub fn has_few_samples(self, count: u64) -> bool {
        let above = u128::from(self.denominator - self.numerator) * u128::from(count);
        above < 10 * u128::from(self.denominator)
    }
}

impl TryFrom<(u64, u64)> for Percentile {
    type Error = &'static str;

    fn try_from((numerator, denominator): (u64, u64)) -> Result<Self, Self::Error> {
        Self::new(numerator, denominator).ok_or("a percentile lies above 0 and not above 1")
    }
}

impl From<Percentile> for (u64, u64) {
    fn from(percentile: Percentile) -> Self {
        (percentile.numerator, percentile.denominator)
    }
}

/// As a column is titled: `p50`, `p99.9`.
impl fmt::Display for Percentile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, denominator) = (u128::from(self.numerator) * 100, u128::from(self.denominator));
        let mut text = format!("p{}", rest / denominator);
        rest %= denominator;
        if rest > 0 {
            text.push('.');
        }
        // Nine digits tell apart whatever can be measured; a fraction such as 1/3 has no end.
        for _ in 0..9 {
            if rest == 0 {
                break;
            }
            rest *= 10;
            text.push(char::from(b'0' + (rest / denominator) as u8));
            rest %= denominator;
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_exact_where_floats_are_not() {
        assert_eq!(Percentile::P99_9.rank(1_000), 999);
        assert_eq!(Percentile::P99.rank(100), 99);
        assert_eq!(Percentile::P50.rank(1), 1);
        assert_eq!(Percentile::P50.rank(2), 1);
        assert_eq!(Percentile::P50.rank(3), 2);
        assert_eq!(Percentile::P99_99.rank(u64::MAX), 18_444_899_399_302_180_660);
        assert_eq!(Percentile::P99.rank(0), 0);
    }

    #[test]
    fn few_samples_ends_at_ten_above() {
        assert!(Percentile::P99.has_few_samples(999));
        assert!(!Percentile::P99.has_few_samples(1_000));
        assert!(Percentile::new(1, 1).expect("valid").has_few_samples(u64::MAX));
    }

    #[test]
    fn titles() {
        for (percentile, title) in [
            (Percentile::P50, "p50"),
            (Percentile::P99_9, "p99.9"),
            (Percentile::P99_999, "p99.999"),
            (Percentile { numerator: 1, denominator: 3 }, "p33.333333333"),
            (Percentile { numerator: 1, denominator: 1 }, "p100"),
        ] {
            assert_eq!(percentile.to_string(), title);
        }
    }

    #[test]
    fn outside_the_range_is_refused() {
        assert!(Percentile::new(0, 1).is_none() && Percentile::new(2, 1).is_none() && Percentile::new(0, 0).is_none());
        assert!(serde_json::from_str::<Percentile>("[2,1]").is_err());
        assert_eq!(serde_json::from_str::<Percentile>("[99,100]").expect("valid"), Percentile::P99);
    }
}
