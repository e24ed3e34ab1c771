use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What the kernel itself calls a device: its major and minor number. Names move between boots; this is what is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// The driver's number.
    pub major: u32,
    /// Which of the driver's devices.
    pub minor: u32,
}

impl DeviceNumber {
    /// From the packed form of `st_dev` and `st_rdev`.
    pub fn from_packed(packed: u64) -> Self {
        Self { major: libc::major(packed), minor: libc::minor(packed) }
    }
}

/// As sysfs spells it: `259:0`.
impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl FromStr for DeviceNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.parse::<u32>().ok();
        text.trim()
            .split_once(':')
            .and_then(|(major, minor)| Some(Self { major: number(major)?, minor: number(minor)? }))
            .ok_or_else(|| format!("\"{}\" is no device number like 259:0", text.trim()))
    }
}

impl Serialize for DeviceNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DeviceNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_reads_as_it_prints() {
        let number: DeviceNumber = "259:10\n".parse().expect("as sysfs writes it");
        assert_eq!(number, DeviceNumber { major: 259, minor: 10 });
        assert_eq!(serde_json::to_string(&number).expect("plain text"), "\"259:10\"");
        assert_eq!(serde_json::from_str::<DeviceNumber>("\"259:10\"").expect("plain text"), number);
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "259", "259:", ":1", "a:b", "1:2:3", "-1:0"] {
            assert!(text.parse::<DeviceNumber>().is_err(), "{text:?}");
        }
    }
}
