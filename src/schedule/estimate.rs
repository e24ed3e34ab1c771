use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::units::{ByteCount, RunTime};

/// How long something takes and how much it writes, as far as the plan and the drive tell. Never an invented figure:
/// what nothing bounds stays open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The shortest possible time.
    pub time_low: RunTime,
    /// The longest possible time; none where the drive's speed decides.
    pub time_high: Option<RunTime>,
    /// Bytes that are written.
    pub written: Written,
}

/// Bytes that a step writes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// At least so many bytes, beside `areas`.
    pub low: ByteCount,
    /// At most so many bytes, beside `areas`; none where nothing bounds them.
    pub high: Option<ByteCount>,
    /// Whole areas on top of that, in millionths, for as long as no drive says how large the area is.
    pub areas_millionths: u64,
    /// What the upper bound rests on, where it is not the plan's own limit.
    pub source: Option<String>,
}

impl Written {
    /// Nothing.
    pub const fn nothing() -> Self {
        Self::exactly(ByteCount::ZERO)
    }

    /// So many bytes.
    pub const fn exactly(bytes: ByteCount) -> Self {
        Self { low: bytes, high: Some(bytes), areas_millionths: 0, source: None }
    }

    /// True where not one byte is written.
    pub fn is_nothing(&self) -> bool {
        *self == Self::nothing()
    }

    /// True where the plan alone fixes the number of bytes (or of areas).
    pub fn is_exact(&self) -> bool {
        self.high == Some(self.low)
    }
}

impl AddAssign<&Estimate> for Estimate {
    fn add_assign(&mut self, other: &Estimate) {
        self.time_low = RunTime::from_nanos(self.time_low.as_nanos().saturating_add(other.time_low.as_nanos()));
        self.time_high = match (self.time_high, other.time_high) {
            (Some(a), Some(b)) => Some(RunTime::from_nanos(a.as_nanos().saturating_add(b.as_nanos()))),
            _ => None,
        };
        let sum = |a: ByteCount, b: ByteCount| ByteCount::new(a.get().saturating_add(b.get()));
        let written = &mut self.written;
        written.low = sum(written.low, other.written.low);
        written.high = match (written.high, other.written.high) {
            (Some(a), Some(b)) => Some(sum(a, b)),
            _ => None,
        };
        written.areas_millionths = written.areas_millionths.saturating_add(other.written.areas_millionths);
        if written.source.is_none() {
            written.source.clone_from(&other.written.source);
        }
    }
}
