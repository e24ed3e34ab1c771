use serde::{Deserialize, Serialize};

/// Count, sum, sum of squares and extremes of latencies: exact, and the same whatever the order of adding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// How many values.
    pub count: u64,
    /// Their sum, in nanoseconds.
    pub sum_ns: u64,
    /// The sum of their squares, in square nanoseconds; a decimal string in JSON, whose numbers end earlier.
    #[serde(with = "decimal")]
    pub sum_squares: u128,
    /// The smallest, in nanoseconds; 0 where there is none.
    pub min_ns: u64,
    /// The largest, in nanoseconds; 0 where there is none.
    pub max_ns: u64,
}

impl Moments {
    /// Adds one value.
    pub fn record(&mut self, value_ns: u64) {
        self.add(&Self {
            count: 1,
            sum_ns: value_ns,
            sum_squares: u128::from(value_ns) * u128::from(value_ns),
            min_ns: value_ns,
            max_ns: value_ns,
        });
    }

    /// Adds all values of another set.
    pub fn add(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min_ns = if self.count == 0 { other.min_ns } else { self.min_ns.min(other.min_ns) };
        self.max_ns = self.max_ns.max(other.max_ns);
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.sum_squares += other.sum_squares;
    }

    /// Arithmetic mean in nanoseconds; `None` where there is no value.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64)
    }

    /// Population standard deviation in nanoseconds: sqrt(N x sum of squares - sum^2) / N, the difference taken
    /// before any rounding, so that it stays true where the deviation is tiny beside the mean. `None` without a value.
    pub fn deviation_ns(&self) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        let count = u128::from(self.count);
        let square_of_sum = u128::from(self.sum_ns) * u128::from(self.sum_ns);
        let difference = match count.checked_mul(self.sum_squares) {
            Some(product) => product.saturating_sub(square_of_sum) as f64,
            // Beyond 128 bits, floats: the mean is then large enough for 53 bits only if values spread; never negative.
            None => (count as f64 * self.sum_squares as f64 - square_of_sum as f64).max(0.0),
        };
        Some(difference.sqrt() / self.count as f64)
    }
}

/// A 128-bit number as a decimal string: inside tagged enums JSON readers take 64 bits at most.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.record(value));
        moments
    }

    #[test]
    fn mean_and_population_deviation() {
        let moments = of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!((moments.mean_ns(), moments.deviation_ns()), (Some(5.0), Some(2.0)));
        assert_eq!((moments.min_ns, moments.max_ns), (2, 9));
        assert_eq!(Moments::default().mean_ns(), None);
        assert_eq!(Moments::default().deviation_ns(), None);
        assert_eq!(of(&[7]).deviation_ns(), Some(0.0));
    }

    #[test]
    fn a_small_deviation_beside_a_large_mean_is_kept() {
        // Squares of values near 18 minutes need 80 bits; floats alone would answer 0 or nonsense here.
        let base = 1_u64 << 40;
        assert_eq!(of(&[base - 1, base + 1]).deviation_ns(), Some(1.0));
    }

    #[test]
    fn adding_is_recording_in_any_order() {
        let (mut left, right) = (of(&[3, 1_000_000_007]), of(&[5, 1]));
        left.add(&right);
        left.add(&Moments::default());
        assert_eq!(left, of(&[1, 5, 1_000_000_007, 3]));
        let mut empty = Moments::default();
        empty.add(&right);
        assert_eq!(empty, right);
    }

    #[test]
    fn survives_json_inside_a_tagged_enum() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        enum Event {
            Sampled { moments: Moments },
        }
        let event = Event::Sampled { moments: of(&[u64::MAX / 2, 1]) };
        let text = serde_json::to_string(&event).expect("serialises");
        assert_eq!(serde_json::from_str::<Event>(&text).expect("reads back"), event);
    }
}
