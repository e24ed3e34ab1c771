//! How quantities can be spelled, for those who offer spellings: every unit, and what somebody may have meant.

use super::quantity::{RATE_UNITS, SIZE_UNITS, TIME_UNITS, grouped};
use super::{Quantity, QuantityError, parse_quantity};

/// Every unit as it stands behind a number, with the blank before it where it is usual: `KiB`, `s`, ` passes`.
pub fn unit_spellings() -> impl Iterator<Item = &'static str> {
    let sizes = SIZE_UNITS.iter().map(|(name, _)| *name);
    let times = TIME_UNITS.iter().map(|(name, _)| *name);
    let others = ["%", " IOPS", "k IOPS", "M IOPS", " drive-writes", " passes", "C"];
    sizes.chain(times).chain(RATE_UNITS).chain(others)
}

/// The quantities that somebody who writes this can have meant, the likeliest first: `5min` is `5m`, `4K` is `4KiB` or
/// `4kB`, and what is a quantity means itself. Empty where nobody can tell.
pub fn repaired(text: &str) -> Vec<String> {
    let meant = match parse_quantity(text) {
        Ok(_) => vec![text.to_string()],
        Err(QuantityError::UnknownUnit(unit, Some(meant))) => {
            text.trim().strip_suffix(unit.as_str()).map(|number| format!("{number}{meant}")).into_iter().collect()
        }
        Err(QuantityError::AmbiguousPrefix(number, prefix)) => {
            let upper = prefix.to_ascii_uppercase();
            let decimal = if upper == 'K' { 'k' } else { upper };
            vec![format!("{number}{upper}iB"), format!("{number}{decimal}B")]
        }
        Err(_) => Vec::new(),
    };
    meant.into_iter().filter(|text| parse_quantity(text).is_ok()).collect()
}

/// A quantity in the smallest unit of its kind, in full: `4,096 bytes`, `60,000,000,000 ns`.
pub fn plain(quantity: &Quantity) -> String {
    let (figure, unit) = plain_parts(quantity);
    format!("{figure} {unit}")
}

/// The same as the figure and what it counts: `4,096` and `bytes`.
pub fn plain_parts(quantity: &Quantity) -> (String, &'static str) {
    // Whole numbers with their thousands apart; others as they are.
    let number = |value: f64| match value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        true => grouped(value as u64),
        false => value.to_string(),
    };
    match quantity {
        Quantity::Bytes(bytes) => (grouped(bytes.get()), "bytes"),
        Quantity::Percent(share) => (share.to_string(), "of 100%"),
        Quantity::Time(time) => (grouped(time.as_nanos()), "ns"),
        Quantity::Throughput(rate) => (number(rate.0), "bytes per second"),
        Quantity::Iops(rate) => (number(rate.0), "operations per second"),
        Quantity::DriveWrites(times) => (number(*times), "times the capacity of the device"),
        Quantity::Passes(times) => (number(*times), "times the bytes of the span"),
        Quantity::Celsius(degrees) => (number(*degrees), "degrees Celsius"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_makes_a_quantity() {
        for unit in unit_spellings() {
            assert!(parse_quantity(&format!("2{unit}")).is_ok(), "2{unit}");
        }
    }

    #[test]
    fn quantities_are_told_in_full() {
        for (text, told) in [
            ("4KiB", "4,096 bytes"),
            ("1m", "60,000,000,000 ns"),
            ("0.5%", "0.5% of 100%"),
            ("500MB/s", "500,000,000 bytes per second"),
            ("20k IOPS", "20,000 operations per second"),
            ("2 passes", "2 times the bytes of the span"),
        ] {
            assert_eq!(parse_quantity(text).map(|quantity| plain(&quantity)).as_deref(), Ok(told));
        }
    }

    #[test]
    fn what_is_meant_is_a_quantity() {
        for (text, meant) in [
            ("4KiB", &["4KiB"][..]),
            ("4K", &["4KiB", "4kB"]),
            ("1.5g", &["1.5GiB", "1.5GB"]),
            ("5min", &["5m"]),
            ("90 sec", &["90 s"]),
            ("4kib", &["4KiB"]),
            ("100iops", &["100IOPS"]),
            ("4", &[]),
            ("4 parsecs", &[]),
            ("-4k", &[]),
            // 307.2 bytes are no size.
            ("0.3k", &["0.3kB"]),
        ] {
            assert_eq!(repaired(text), meant, "{text}");
        }
    }
}
