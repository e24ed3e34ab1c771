use serde::{Deserialize, Serialize};

use super::Moments;

/// The operations of one direction: their latencies and the bytes they moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Latencies from submission to completion.
    #[serde(flatten)]
    pub moments: Moments,
    /// Bytes moved.
    pub bytes: u64,
}

/// Reads and writes apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    /// The reads.
    pub read: Side,
    /// The writes.
    pub write: Side,
}

impl Side {
    /// Adds the operations of another.
    pub fn add(&mut self, other: &Self) {
        self.moments.add(&other.moments);
        self.bytes += other.bytes;
    }
}

impl Sides {
    /// Adds both sides of another.
    pub fn add(&mut self, other: &Self) {
        self.read.add(&other.read);
        self.write.add(&other.write);
    }

    /// All operations taken together: mean operation-weighted, maximum of the larger side, deviation pooled (S19).
    pub fn pooled(&self) -> Moments {
        let mut moments = self.read.moments;
        moments.add(&self.write.moments);
        moments
    }

    /// Reads and writes.
    pub fn operations(&self) -> u64 {
        self.read.moments.count + self.write.moments.count
    }

    /// Bytes read and written.
    pub fn bytes(&self) -> u64 {
        self.read.bytes + self.write.bytes
    }

    /// The mean of the two sides' population deviations in nanoseconds, as reviews print it (S19);
    /// that of the one side where the other has no operation, `None` where neither has.
    pub fn deviation_mean_of_sides_ns(&self) -> Option<f64> {
        match (self.read.moments.deviation_ns(), self.write.moments.deviation_ns()) {
            (Some(read), Some(write)) => Some((read + write) / 2.0),
            (one, other) => one.or(other),
        }
    }

    /// Reads as a share of all operations, 0 to 1; `None` without an operation.
    pub fn read_share(&self) -> Option<f64> {
        let operations = self.operations();
        (operations > 0).then(|| self.read.moments.count as f64 / operations as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(values: &[u64]) -> Side {
        let mut side = Side::default();
        for &value in values {
            side.moments.record(value);
            side.bytes += 4096;
        }
        side
    }

    #[test]
    fn both_deviations_of_a_mix() {
        // Reads 10 and 30 (mean 20, deviation 10), writes 100 and 140 (deviation 20); pooled mean 70.
        let sides = Sides { read: side(&[10, 30]), write: side(&[100, 140]) };
        assert_eq!(sides.deviation_mean_of_sides_ns(), Some(15.0));
        let pooled = sides.pooled();
        assert_eq!((pooled.mean_ns(), pooled.max_ns, sides.bytes()), (Some(70.0), 140, 4 * 4096));
        assert_eq!(pooled.deviation_ns(), Some(2_750_f64.sqrt()));
        assert_eq!(sides.read_share(), Some(0.5));
    }

    #[test]
    fn one_side_alone_is_that_side() {
        let sides = Sides { read: side(&[10, 30]), write: Side::default() };
        assert_eq!(sides.deviation_mean_of_sides_ns(), Some(10.0));
        assert_eq!(Sides::default().deviation_mean_of_sides_ns(), None);
        assert_eq!(Sides::default().read_share(), None);
    }
}
