use std::fmt;

use super::{ByteCount, Iops, NANOS_PER_SECOND, Percent, RunTime, Throughput};

/// A number with its unit, as a plan spells it in quotes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// `"4KiB"`, `"1GB"`, `"512B"`.
    Bytes(ByteCount),
    /// `"70%"`.
    Percent(Percent),
    /// `"60s"`, `"1h30m"`.
    Time(RunTime),
    /// `"500MB/s"`.
    Throughput(Throughput),
    /// `"20k IOPS"`.
    Iops(Iops),
    /// `"4 drive-writes"`: times the capacity of the device.
    DriveWrites(f64),
    /// `"1 passes"`: times the bytes of the load's span.
    Passes(f64),
    /// `"40C"`: degrees Celsius.
    Celsius(f64),
}

impl Quantity {
    /// What kind of thing this is, with its article, for messages: `a size`, `a time`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Quantity::Bytes(_) => "a size",
            Quantity::Percent(_) => "a percentage",
            Quantity::Time(_) => "a time",
            Quantity::Throughput(_) => "a throughput",
            Quantity::Iops(_) => "a rate in IOPS",
            Quantity::DriveWrites(_) => "a number of drive writes",
            Quantity::Passes(_) => "a number of passes",
            Quantity::Celsius(_) => "a temperature",
        }
    }
}

/// Why a text is no quantity. `Display` is one sentence fragment; [`QuantityError::remedy`] says what to write.
#[derive(Debug, Clone, PartialEq)]
pub enum QuantityError {
    /// Nothing between the quotes, or blanks.
    Empty,
    /// A number without a unit.
    NoUnit(String),
    /// `4K`, `1M` and the like: a prefix without a unit, which can be binary or decimal. Number and prefix.
    AmbiguousPrefix(String, char),
    /// A unit that the language does not have, and the one that was probably meant.
    UnknownUnit(String, Option<&'static str>),
    /// Not a number at the front.
    NoNumber(String),
    /// A number below zero.
    Negative(String),
    /// More than the range holds (2^64 bytes, 584 years, 4,294 %).
    TooLarge(String),
    /// Finer than the unit can hold: parts of a byte, of a nanosecond, of a ten-thousandth of a percent.
    TooFine(String),
    /// Parts of a time that do not fall from large to small, as `30m1h`.
    Order(String),
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuantityError::Empty => write!(f, "nothing is written between the quotes"),
            QuantityError::NoUnit(text) => write!(f, "{text:?} has no unit"),
            QuantityError::AmbiguousPrefix(number, prefix) => write!(f, "\"{number}{prefix}\" can mean two sizes"),
            QuantityError::UnknownUnit(unit, _) => write!(f, "{unit:?} is not a unit of the plan language"),
            QuantityError::NoNumber(text) => write!(f, "{text:?} does not begin with a number"),
            QuantityError::Negative(text) => write!(f, "{text:?} is below zero"),
            QuantityError::TooLarge(text) => write!(f, "{text:?} is larger than can be counted"),
            QuantityError::TooFine(text) => write!(f, "{text:?} is finer than can be counted"),
            QuantityError::Order(text) => write!(f, "the parts of the time {text:?} do not fall from large to small"),
        }
    }
}

impl QuantityError {
    /// What to write instead, as an imperative fragment.
    pub fn remedy(&self) -> String {
        match self {
            QuantityError::Empty => "write a number with its unit, as \"4KiB\" or \"60s\"".into(),
            QuantityError::NoUnit(text) => {
                format!("write the unit behind the number, as \"{}KiB\", \"{0}s\" or \"{0}%\"", text.trim())
            }
            QuantityError::AmbiguousPrefix(number, prefix) => ambiguous_remedy(number, *prefix),
            QuantityError::UnknownUnit(_, Some(meant)) => format!("write `{meant}`"),
            QuantityError::UnknownUnit(_, None) => {
                "use one of B KiB MiB GiB TiB kB MB GB TB, % , ns us ms s m h d, MB/s (and the like), IOPS".into()
            }
            QuantityError::NoNumber(_) => "begin with a number, as \"4KiB\" or \"60s\"".into(),
            QuantityError::Negative(_) => "write a positive number".into(),
            QuantityError::TooLarge(_) => "write a smaller number or check the unit".into(),
            QuantityError::TooFine(_) => {
                "write whole bytes, whole nanoseconds, or at most four decimals of a percentage".into()
            }
            QuantityError::Order(_) => "write the larger unit first and each once, as \"1h30m\"".into(),
        }
    }
}

impl std::error::Error for QuantityError {}

fn ambiguous_remedy(number: &str, prefix: char) -> String {
    let upper = prefix.to_ascii_uppercase();
    let decimal_prefix = if upper == 'K' { 'k' } else { upper };
    let (binary, decimal) = (format!("{number}{upper}iB"), format!("{number}{decimal_prefix}B"));
    match (parse_quantity(&binary), parse_quantity(&decimal)) {
        (Ok(Quantity::Bytes(b)), Ok(Quantity::Bytes(d))) => {
            format!("write \"{binary}\" ({} bytes) or \"{decimal}\" ({} bytes)", grouped(b.get()), grouped(d.get()))
        }
        _ => format!("write \"{binary}\" or \"{decimal}\""),
    }
}

/// A whole number with thousands separated by commas, the same in every locale.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Reads a quantity: a number, optional blanks, a unit; a time may have several parts (`1h30m`).
///
/// Decimal digits and one point only: no exponent, no sign, no locale.
///
/// # Errors
/// A [`QuantityError`] that names the fault and its remedy.
pub fn parse_quantity(text: &str) -> Result<Quantity, QuantityError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(QuantityError::Empty);
    }
    if let Some(rest) = trimmed.strip_prefix(['-', '\u{2212}']) {
        return Err(if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            QuantityError::Negative(trimmed.into())
        } else {
            QuantityError::NoNumber(trimmed.into())
        });
    }
    let (number, rest) = split_number(trimmed).ok_or_else(|| QuantityError::NoNumber(trimmed.into()))?;
    let unit_and_rest = rest.trim_start();
    if unit_and_rest.is_empty() {
        return Err(QuantityError::NoUnit(trimmed.into()));
    }
    if let Some((unit, _)) = time_unit(unit_and_rest)
        && is_time(unit_and_rest, unit)
    {
        return parse_time(trimmed);
    }
    with_unit(trimmed, number, unit_and_rest)
}

/// The number at the front as its text, and what follows.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let points = number.len() - digits;
    (digits > 0 && points <= 1 && !number.starts_with('.') && !number.ends_with('.')).then_some((number, rest))
}

pub(super) const TIME_UNITS: [(&str, u64); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", NANOS_PER_SECOND),
    ("m", 60 * NANOS_PER_SECOND),
    ("h", 3_600 * NANOS_PER_SECOND),
    ("d", 86_400 * NANOS_PER_SECOND),
];

/// The time unit that the text begins with (all letters up to a digit or the end), if it is one.
fn time_unit(text: &str) -> Option<(&str, u64)> {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let unit = &text[..end];
    TIME_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| (unit, *size))
}

/// A time where its first unit ends the text or is followed by another number.
fn is_time(text: &str, unit: &str) -> bool {
    let rest = text[unit.len()..].trim_start();
    rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit())
}

fn parse_time(whole: &str) -> Result<Quantity, QuantityError> {
    let mut rest = whole;
    let mut total: u64 = 0;
    let mut last_size = u64::MAX;
    while !rest.is_empty() {
        let (number, after) = split_number(rest).ok_or_else(|| QuantityError::NoNumber(rest.into()))?;
        let after = after.trim_start();
        let Some((unit, size)) = time_unit(after) else {
            return Err(if after.is_empty() {
                QuantityError::NoUnit(rest.into())
            } else {
                QuantityError::UnknownUnit(after.into(), None)
            });
        };
        if size >= last_size {
            return Err(QuantityError::Order(whole.into()));
        }
        last_size = size;
        let part = scaled(whole, number, size)?;
        total = total.checked_add(part).ok_or_else(|| QuantityError::TooLarge(whole.into()))?;
        rest = after[unit.len()..].trim_start();
    }
    Ok(Quantity::Time(RunTime::from_nanos(total)))
}

/// number x size as a whole number, exactly.
fn scaled(whole: &str, number: &str, size: u64) -> Result<u64, QuantityError> {
    let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 18 {
        return Err(QuantityError::TooFine(whole.into()));
    }
    let too_large = || QuantityError::TooLarge(whole.into());
    let integer: u64 = integer.parse().map_err(|_| too_large())?;
    let integer = integer.checked_mul(size).ok_or_else(too_large)?;
    if fraction.is_empty() {
        return Ok(integer);
    }
    let numerator: u128 = fraction.parse().map_err(|_| too_large())?;
    let denominator = 10_u128.pow(fraction.len() as u32);
    let product = numerator * u128::from(size);
    if !product.is_multiple_of(denominator) {
        return Err(QuantityError::TooFine(whole.into()));
    }
    let part = u64::try_from(product / denominator).map_err(|_| too_large())?;
    integer.checked_add(part).ok_or_else(too_large)
}

pub(super) const SIZE_UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];

/// In the order of [`SIZE_UNITS`].
pub(super) const RATE_UNITS: [&str; 9] = ["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s", "kB/s", "MB/s", "GB/s", "TB/s"];

fn with_unit(whole: &str, number: &str, unit: &str) -> Result<Quantity, QuantityError> {
    let size_of = |unit: &str| SIZE_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size);
    if let Some(size) = size_of(unit) {
        return scaled(whole, number, size).map(|bytes| Quantity::Bytes(ByteCount::new(bytes)));
    }
    if let Some(size) = unit.strip_suffix("/s").and_then(size_of) {
        return Ok(Quantity::Throughput(Throughput(scaled(whole, number, size)? as f64)));
    }
    match unit {
        "%" => {
            let parts = scaled(whole, number, 10_000)?;
            let parts = u32::try_from(parts).map_err(|_| QuantityError::TooLarge(whole.into()))?;
            Ok(Quantity::Percent(Percent::from_parts_per_million(parts)))
        }
        "IOPS" => Ok(Quantity::Iops(Iops(float(whole, number)?))),
        "k IOPS" | "kIOPS" => Ok(Quantity::Iops(Iops(float(whole, number)? * 1e3))),
        "M IOPS" | "MIOPS" => Ok(Quantity::Iops(Iops(float(whole, number)? * 1e6))),
        "drive-writes" => Ok(Quantity::DriveWrites(float(whole, number)?)),
        "passes" => Ok(Quantity::Passes(float(whole, number)?)),
        "C" => Ok(Quantity::Celsius(float(whole, number)?)),
        "K" | "k" | "M" | "G" | "g" | "T" | "t" => {
            Err(QuantityError::AmbiguousPrefix(number.into(), unit.chars().next().unwrap_or('K')))
        }
        _ => Err(QuantityError::UnknownUnit(unit.into(), meant_unit(unit))),
    }
}

fn float(whole: &str, number: &str) -> Result<f64, QuantityError> {
    number.parse().map_err(|_| QuantityError::NoNumber(whole.into()))
}

/// What somebody who writes this unit most likely means.
fn meant_unit(unit: &str) -> Option<&'static str> {
    const SPELLED: [(&str, &str); 28] = [
        ("min", "m"),
        ("mins", "m"),
        ("minute", "m"),
        ("minutes", "m"),
        ("sec", "s"),
        ("secs", "s"),
        ("second", "s"),
        ("seconds", "s"),
        ("hr", "h"),
        ("hrs", "h"),
        ("hour", "h"),
        ("hours", "h"),
        ("day", "d"),
        ("days", "d"),
        ("msec", "ms"),
        ("usec", "us"),
        ("nsec", "ns"),
        ("\u{b5}s", "us"),
        ("\u{3bc}s", "us"),
        ("byte", "B"),
        ("bytes", "B"),
        ("percent", "%"),
        ("iops", "IOPS"),
        ("pass", "passes"),
        ("drive-write", "drive-writes"),
        ("%%", "%"),
        ("\u{b0}c", "C"),
        ("k iops", "k IOPS"),
    ];
    let lower = unit.to_lowercase();
    if let Some((_, meant)) = SPELLED.iter().find(|(name, _)| *name == lower) {
        return Some(meant);
    }
    // Right letters in the wrong case, with or without "/s": kib, KB, mb/s.
    let (size, per_second) = lower.strip_suffix("/s").map_or((lower.as_str(), false), |size| (size, true));
    let size = if size.ends_with('i') { format!("{size}b") } else { size.to_string() };
    let index = SIZE_UNITS.iter().position(|(name, _)| name.to_lowercase() == size)?;
    Some(if per_second { RATE_UNITS[index] } else { SIZE_UNITS[index].0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> u64 {
        match parse_quantity(text) {
            Ok(Quantity::Bytes(bytes)) => bytes.get(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("4KiB", 4096),
            ("4 KiB", 4096),
            ("4kB", 4000),
            ("0.5MiB", 524_288),
            ("512B", 512),
            ("16TiB", 16 << 40),
            ("008KiB", 8192),
            ("18446744073709551615B", u64::MAX),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }

    #[test]
    fn times() {
        for (text, expected) in [
            ("60s", 60 * NANOS_PER_SECOND),
            ("1h30m", 5400 * NANOS_PER_SECOND),
            ("1h 30m", 5400 * NANOS_PER_SECOND),
            ("1.5h", 5400 * NANOS_PER_SECOND),
            ("500ms", 500_000_000),
            ("0s", 0),
            ("250us", 250_000),
        ] {
            assert_eq!(parse_quantity(text), Ok(Quantity::Time(RunTime::from_nanos(expected))), "{text}");
        }
    }

    #[test]
    fn the_other_kinds() {
        assert_eq!(parse_quantity("0.5%"), Ok(Quantity::Percent(Percent::from_parts_per_million(5_000))));
        assert_eq!(parse_quantity("500MB/s"), Ok(Quantity::Throughput(Throughput(5e8))));
        assert_eq!(parse_quantity("20k IOPS"), Ok(Quantity::Iops(Iops(20_000.0))));
        assert_eq!(parse_quantity("4 drive-writes"), Ok(Quantity::DriveWrites(4.0)));
        assert_eq!(parse_quantity("1 passes"), Ok(Quantity::Passes(1.0)));
        assert_eq!(parse_quantity("40C"), Ok(Quantity::Celsius(40.0)));
    }

    #[test]
    fn refused_with_the_right_reason() {
        use QuantityError as E;
        for (text, expected) in [
            ("", E::Empty),
            ("  ", E::Empty),
            ("4", E::NoUnit("4".into())),
            ("4K", E::AmbiguousPrefix("4".into(), 'K')),
            ("4k", E::AmbiguousPrefix("4".into(), 'k')),
            ("1M", E::AmbiguousPrefix("1".into(), 'M')),
            ("5min", E::UnknownUnit("min".into(), Some("m"))),
            ("4kib", E::UnknownUnit("kib".into(), Some("KiB"))),
            ("4ki", E::UnknownUnit("ki".into(), Some("KiB"))),
            ("4mb/s", E::UnknownUnit("mb/s".into(), Some("MB/s"))),
            ("100%%", E::UnknownUnit("%%".into(), Some("%"))),
            ("KiB", E::NoNumber("KiB".into())),
            ("-1%", E::Negative("-1%".into())),
            ("1.5B", E::TooFine("1.5B".into())),
            ("0.00001%", E::TooFine("0.00001%".into())),
            ("20000000000000000000B", E::TooLarge("20000000000000000000B".into())),
            ("1000d1000000d", E::Order("1000d1000000d".into())),
            ("30m1h", E::Order("30m1h".into())),
            ("1h30", E::NoUnit("30".into())),
            ("1.2.3s", E::NoNumber("1.2.3s".into())),
            (".5%", E::NoNumber(".5%".into())),
            ("1e3B", E::UnknownUnit("e3B".into(), None)),
        ] {
            assert_eq!(parse_quantity(text), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn the_two_meanings_are_shown_in_bytes() {
        let remedy = parse_quantity("4K").expect_err("ambiguous").remedy();
        assert_eq!(remedy, "write \"4KiB\" (4,096 bytes) or \"4kB\" (4,000 bytes)");
    }

    #[test]
    fn printing_and_reading_agree() {
        for nanos in [1, 999, 1_000_001, 90 * NANOS_PER_SECOND, 123_456_789_012_345] {
            let time = RunTime::from_nanos(nanos);
            assert_eq!(parse_quantity(&time.to_string()), Ok(Quantity::Time(time)));
        }
        for count in [1, 512, 4096, 4000, 1_000_000_007, 3 << 40] {
            let count = ByteCount::new(count);
            assert_eq!(parse_quantity(&count.to_string()), Ok(Quantity::Bytes(count)));
        }
        for parts in [1, 10, 5_000, 333_333, 1_000_000, 1_234_567] {
            let percent = Percent::from_parts_per_million(parts);
            assert_eq!(parse_quantity(&percent.to_string()), Ok(Quantity::Percent(percent)));
        }
    }
}
