//! How quantities look, in one place and the same in every locale: a comma between thousands, a point before decimals.

use crate::units::{BlockSize, ByteCount, RunTime};

/// What is printed where no operation tells a value. Never 0, which would be a value.
pub(super) const NOTHING: &str = "-";

/// The unit of all latencies of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LatencyUnit {
    Microseconds,
    Milliseconds,
    Seconds,
}

impl LatencyUnit {
    /// The unit in which the smallest latency of a table still shows its digits.
    pub(super) fn for_smallest(smallest_ns: Option<f64>) -> Self {
        match smallest_ns {
            Some(ns) if ns < 100e3 => LatencyUnit::Microseconds,
            Some(ns) if ns >= 1e9 => LatencyUnit::Seconds,
            _ => LatencyUnit::Milliseconds,
        }
    }

    pub(super) const fn symbol(self) -> &'static str {
        match self {
            LatencyUnit::Microseconds => "us",
            LatencyUnit::Milliseconds => "ms",
            LatencyUnit::Seconds => "s",
        }
    }

    const fn nanoseconds(self) -> f64 {
        match self {
            LatencyUnit::Microseconds => 1e3,
            LatencyUnit::Milliseconds => 1e6,
            LatencyUnit::Seconds => 1e9,
        }
    }

    /// A latency in this unit, without the unit.
    pub(super) fn write(self, ns: f64) -> String {
        three_digits(ns / self.nanoseconds())
    }
}

pub(super) use crate::units::grouped;

/// With so many decimals and commas before them. The figures that come here are never negative.
fn decimals(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    match whole.parse::<u64>() {
        Ok(whole) => format!("{}{rest}", grouped(whole)),
        Err(_) => text,
    }
}

/// Operations per second: whole numbers, tenths below 100.
pub(super) fn iops(per_second: f64) -> String {
    decimals(per_second, if per_second < 99.95 { 1 } else { 0 })
}

/// Bytes per second in MB/s of 10^6 bytes, one decimal.
pub(super) fn megabytes_per_second(bytes_per_second: f64) -> String {
    decimals(bytes_per_second / 1e6, 1)
}

/// Three significant digits, whole numbers from 1,000 on: `0.251`, `8.40`, `37.8`, `12,345`.
pub(super) fn three_digits(value: f64) -> String {
    if value <= 0.0 {
        return "0".to_owned();
    }
    // Limits where rounding to three digits carries into the next power of ten.
    let steps = [(99.95, 0), (9.995, 1), (0.9995, 2), (0.09995, 3), (0.009995, 4)];
    let places = steps.iter().find(|(limit, _)| value >= *limit).map_or(5, |(_, places)| *places);
    decimals(value, places)
}

/// A share of 0 to 1 in percent, as `70 %`, `71.3 %`.
pub(super) fn percent(parts_per_million: u32) -> String {
    let percent = f64::from(parts_per_million) / 1e4;
    let text = format!("{percent:.4}");
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Bytes for people, three digits in decimal units: `1.20 TB`.
pub(super) fn bytes(count: u64) -> String {
    ByteCount::new(count).human()
}

/// A block size as the plan spells it, with a space before the unit: `8 KiB`.
pub(super) fn block_size(size: BlockSize) -> String {
    let text = size.to_string();
    match text.find(|character: char| character.is_ascii_alphabetic()) {
        Some(unit) => format!("{} {}", &text[..unit], &text[unit..]),
        None => text,
    }
}

/// A length of time for people: `7h 38m`.
pub(super) fn time(ns: u64) -> String {
    RunTime::from_nanos(ns).human()
}

/// A footnote's number: `¹`, `¹²`.
pub(super) fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas() {
        for (count, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (39_381, "39,381"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn rates() {
        for (value, text) in [(39_380.6, "39,381"), (99.94, "99.9"), (99.95, "100"), (12.34, "12.3"), (0.0, "0.0")] {
            assert_eq!(iops(value), text);
        }
        assert_eq!(megabytes_per_second(322_616_524.8), "322.6");
        assert_eq!(megabytes_per_second(12_345_678_900.0), "12,345.7");
        assert_eq!(megabytes_per_second(999_950_000_000.0), "999,950.0");
    }

    #[test]
    fn latencies_have_three_digits() {
        for (value, text) in [
            (0.251, "0.251"),
            (0.25149, "0.251"),
            (8.4, "8.40"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (37.812, "37.8"),
            (99.96, "100"),
            (0.9996, "1.00"),
            (1234.5, "1,234"),
            (12_345.6, "12,346"),
            (0.04213, "0.0421"),
            (0.0, "0"),
        ] {
            assert_eq!(three_digits(value), text, "{value}");
        }
    }

    #[test]
    fn a_table_takes_the_unit_of_its_smallest_latency() {
        let unit = |ns| LatencyUnit::for_smallest(Some(ns)).symbol();
        assert_eq!((unit(80e3), unit(251e3), unit(2e9)), ("us", "ms", "s"));
        assert_eq!(LatencyUnit::for_smallest(None).symbol(), "ms");
        assert_eq!(LatencyUnit::Microseconds.write(37_812_345.0), "37,812");
    }

    #[test]
    fn sizes_and_shares() {
        assert_eq!(block_size(BlockSize::new(8192).expect("not 0")), "8 KiB");
        assert_eq!(percent(700_000), "70 %");
        assert_eq!(percent(333_330), "33.333 %");
        assert_eq!(superscript(12), "¹²");
        assert!(time(u64::MAX).ends_with('h'));
    }
}
