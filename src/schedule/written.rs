use serde::{Deserialize, Serialize};

use crate::plan::Extent;
use crate::units::{ByteCount, Percent};

/// Bytes that a step writes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// At least so much.
    pub low: Amount,
    /// At most so much; none where nothing bounds it.
    pub high: Option<Amount>,
    /// What the upper bound rests on, where it is not the plan's own limit.
    pub source: Option<String>,
}

/// A number of bytes, part of which may be counted in devices for as long as no drive says how large it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// Bytes.
    pub bytes: ByteCount,
    /// Millionths of the device's capacity on top of that.
    pub device_millionths: u64,
}

impl Amount {
    /// Nothing.
    pub const NOTHING: Amount = Amount::bytes(ByteCount::ZERO);

    /// So many bytes.
    pub const fn bytes(bytes: ByteCount) -> Self {
        Self { bytes, device_millionths: 0 }
    }

    /// A share of an area that is itself a part of the device; none: all of it.
    pub fn of_area(share: Percent, area: Option<Extent>) -> Self {
        let share = share.parts_per_million();
        match area {
            None => Self { bytes: ByteCount::ZERO, device_millionths: u64::from(share) },
            Some(Extent::Share(part)) => Self { bytes: ByteCount::ZERO, device_millionths: part.of(u64::from(share)) },
            Some(Extent::Bytes(bytes)) => {
                Self::bytes(Extent::Share(Percent::from_parts_per_million(share)).resolve(bytes))
            }
        }
    }

    /// So many times this; saturates.
    pub fn times(self, times: u64) -> Self {
        Self {
            bytes: ByteCount::new(self.bytes.get().saturating_mul(times)),
            device_millionths: self.device_millionths.saturating_mul(times),
        }
    }

    /// The sum; saturates.
    pub fn plus(self, other: Self) -> Self {
        Self {
            bytes: ByteCount::new(self.bytes.get().saturating_add(other.bytes.get())),
            device_millionths: self.device_millionths.saturating_add(other.device_millionths),
        }
    }

    /// This share of it, rounded down.
    pub(super) fn share(self, share: Percent) -> Self {
        Self { bytes: ByteCount::new(share.of(self.bytes.get())), device_millionths: share.of(self.device_millionths) }
    }
}

impl Written {
    /// Nothing.
    pub const fn nothing() -> Self {
        Self::exactly(Amount::NOTHING)
    }

    /// Exactly so much.
    pub const fn exactly(amount: Amount) -> Self {
        Self { low: amount, high: Some(amount), source: None }
    }

    /// True where not one byte is written.
    pub fn is_nothing(&self) -> bool {
        *self == Self::nothing()
    }

    /// True where the plan alone fixes how much is written.
    pub fn is_exact(&self) -> bool {
        self.high == Some(self.low)
    }
}
