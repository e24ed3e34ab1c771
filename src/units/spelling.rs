//! How quantities can be spelled, for those who offer spellings: every unit, and what somebody may have meant.

use super::quantity::{RATE_UNITS, SIZE_UNITS, TIME_UNITS};
use super::{QuantityError, parse_quantity};

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
