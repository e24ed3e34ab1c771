use std::fmt;

use serde::{Deserialize, Serialize};

/// A number of bytes: a capacity, a transfer, a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ByteCount(u64);

impl ByteCount {
    /// No bytes.
    pub const ZERO: ByteCount = ByteCount(0);

    /// A count in bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The count in bytes.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The largest multiple of `alignment` (bytes, not 0) that is not above this count.
    pub const fn align_down(self, alignment: u64) -> Self {
        Self(self.0 - self.0 % alignment)
    }

    /// For people: three significant digits in the decimal units that drives are sold in, as `1.20 TB`; exact below 1 kB.
    pub fn human(self) -> String {
        const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
        if self.0 < 1000 {
            return format!("{} B", self.0);
        }
        let mut value = self.0 as f64;
        let mut unit = 0;
        // 999.5 would round to "1000" with three digits, so it belongs to the next unit.
        while value >= 999.5 && unit + 1 < UNITS.len() {
            value /= 1000.0;
            unit += 1;
        }
        let decimals = if value < 9.995 {
            2
        } else if value < 99.95 {
            1
        } else {
            0
        };
        format!("{value:.decimals$} {}", UNITS[unit])
    }
}

/// As a plan spells it, exactly: the largest binary unit that divides the count, else decimal, else bytes (`128KiB`, `1GB`, `513B`).
impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BINARY: [(&str, u64); 4] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        const DECIMAL: [(&str, u64); 4] =
            [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
        let exact = |units: &[(&'static str, u64)]| {
            units.iter().find(|(_, size)| self.0 != 0 && self.0.is_multiple_of(*size)).map(|(u, s)| (self.0 / s, *u))
        };
        // Whichever kind leaves the smaller number: 1_000_000_000_000 divides by 4096 too, but is meant as 1TB.
        let best = [exact(&BINARY), exact(&DECIMAL)].into_iter().flatten().min_by_key(|(count, _)| *count);
        match best {
            Some((count, unit)) => f.pad(&format!("{count}{unit}")),
            None => f.pad(&format!("{}B", self.0)),
        }
    }
}

/// The size of one I/O, at least one byte; a multiple of the logical block once bound to a drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlockSize(ByteCount);

impl BlockSize {
    /// `None` for 0 bytes.
    pub const fn new(bytes: u64) -> Option<Self> {
        if bytes == 0 { None } else { Some(Self(ByteCount::new(bytes))) }
    }

    /// The size in bytes.
    pub const fn get(self) -> u64 {
        self.0.get()
    }

    /// The size as a count of bytes.
    pub const fn bytes(self) -> ByteCount {
        self.0
    }
}

impl fmt::Display for BlockSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_spelling() {
        for (bytes, text) in [
            (0, "0B"),
            (512, "512B"),
            (513, "513B"),
            (4096, "4KiB"),
            (4000, "4kB"),
            (1 << 20, "1MiB"),
            (128 << 10, "128KiB"),
            (1_000_000_000_000, "1TB"),
            (3 << 40, "3TiB"),
        ] {
            assert_eq!(ByteCount::new(bytes).to_string(), text);
        }
    }

    #[test]
    fn human_spelling_has_three_digits() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.00 kB"),
            (4096, "4.10 kB"),
            (999_499, "999 kB"),
            (999_500, "1.00 MB"),
            (1_200_243_695_616, "1.20 TB"),
            (21_400_000_000, "21.4 GB"),
        ] {
            assert_eq!(ByteCount::new(bytes).human(), text);
        }
    }

    #[test]
    fn a_block_size_holds_at_least_a_byte() {
        assert_eq!(BlockSize::new(0), None);
        assert_eq!(BlockSize::new(4096).map(BlockSize::get), Some(4096));
    }

    #[test]
    fn aligning_never_rounds_up() {
        assert_eq!(ByteCount::new(8191).align_down(4096).get(), 4096);
        assert_eq!(ByteCount::new(4095).align_down(4096).get(), 0);
    }
}
