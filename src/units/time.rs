use std::fmt;

use serde::{Deserialize, Serialize};

/// Nanoseconds in a second.
pub const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A length of time in nanoseconds: how long something runs, is sampled or waits. Up to 584 years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunTime(u64);

impl RunTime {
    /// No time.
    pub const ZERO: RunTime = RunTime(0);

    /// From nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// From whole seconds; saturates.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(NANOS_PER_SECOND))
    }

    /// In nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The sum; saturates.
    pub const fn saturating_add(self, other: RunTime) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// So many times this; saturates.
    pub const fn saturating_mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// In seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND as f64
    }

    /// For people, at the precision a person plans with: `7h 38m`, `2m 05s`, `41s`, `250ms`; rounded to the nearest last unit.
    pub fn human(self) -> String {
        let millis = self.0.saturating_add(500_000) / 1_000_000;
        if self.0 == 0 {
            return "0s".into();
        }
        if millis < 1000 {
            return if millis == 0 { self.to_string() } else { format!("{millis}ms") };
        }
        let seconds = (millis + 500) / 1000;
        if seconds < 60 {
            // Tenths show while they matter and are there.
            return if millis < 10_000 && millis % 1000 >= 50 && millis % 1000 < 950 {
                format!("{:.1}s", millis as f64 / 1000.0)
            } else {
                format!("{seconds}s")
            };
        }
        if seconds < 3600 {
            return match seconds % 60 {
                0 => format!("{}m", seconds / 60),
                rest => format!("{}m {rest:02}s", seconds / 60),
            };
        }
        let minutes = (seconds + 30) / 60;
        let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
        match (days, hours, minutes) {
            (0, hours, 0) => format!("{hours}h"),
            (0, hours, minutes) => format!("{hours}h {minutes:02}m"),
            (days, 0, _) => format!("{days}d"),
            (days, hours, _) => format!("{days}d {hours:02}h"),
        }
    }
}

/// As a plan spells it, exactly: the largest unit that divides the time, else several (`90s` is `1m30s`, `300s` is `5m`).
impl fmt::Display for RunTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, u64); 7] = [
            ("d", 86_400 * NANOS_PER_SECOND),
            ("h", 3_600 * NANOS_PER_SECOND),
            ("m", 60 * NANOS_PER_SECOND),
            ("s", NANOS_PER_SECOND),
            ("ms", 1_000_000),
            ("us", 1_000),
            ("ns", 1),
        ];
        if self.0 == 0 {
            return f.pad("0s");
        }
        let mut rest = self.0;
        let mut text = String::new();
        for (unit, size) in UNITS {
            if rest >= size {
                text.push_str(&format!("{}{unit}", rest / size));
                rest %= size;
            }
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_spelling() {
        for (nanos, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500_000, "1ms500us"),
            (90 * NANOS_PER_SECOND, "1m30s"),
            (3600 * NANOS_PER_SECOND, "1h"),
            (172_800 * NANOS_PER_SECOND, "2d"),
        ] {
            assert_eq!(RunTime::from_nanos(nanos).to_string(), text);
        }
    }

    #[test]
    fn human_spelling() {
        for (seconds, text) in [
            (0.0, "0s"),
            (0.25, "250ms"),
            (1.5, "1.5s"),
            (41.0, "41s"),
            (59.7, "1m"),
            (125.0, "2m 05s"),
            (27_480.0, "7h 38m"),
            (3600.0, "1h"),
            (90_000.0, "1d 01h"),
        ] {
            let time = RunTime::from_nanos((seconds * 1e9) as u64);
            assert_eq!(time.human(), text, "{seconds} s");
        }
    }
}
