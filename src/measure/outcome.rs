use std::fmt;

use serde::{Deserialize, Serialize};

use super::WindowTotals;

/// What came of a load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadOutcome {
    /// Which end was reached first.
    pub ended: Ended,
    /// Everything counted.
    pub totals: WindowTotals,
    /// The first operation that failed, kept whole; `WindowTotals::errors` counts all.
    pub failure: Option<IoFailure>,
}

/// Why a load ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The window's time was over.
    Time,
    /// The bytes to be written were written.
    Written,
    /// The bytes to be moved were moved: so many passes over the span.
    Passes,
    /// It was asked to stop.
    Stopped,
    /// An operation failed, at any time between the barrier and the end of the drain (S23).
    Failed,
}

/// Which way an operation moves data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the target.
    Read,
    /// To the target.
    Write,
}

/// One operation that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoFailure {
    /// Read or write.
    pub direction: Direction,
    /// Where it began, in bytes from the start of the target.
    pub offset_bytes: u64,
    /// How much it should have moved, in bytes.
    pub length_bytes: u64,
    /// From the barrier to its completion, in nanoseconds.
    pub at_ns: u64,
    /// What went wrong.
    pub cause: IoCause,
}

/// Why an operation counts as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IoCause {
    /// The kernel's error number.
    Os(i32),
    /// Fewer bytes were moved than asked for.
    Short {
        /// The bytes moved.
        moved_bytes: u64,
    },
    /// No byte was moved, and no error told: the end of the target.
    Zero,
    /// It had not come back when waiting ended.
    Silent {
        /// Its age then, in nanoseconds.
        age_ns: u64,
    },
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Direction::Read => "read",
            Direction::Write => "write",
        })
    }
}

/// `write of 4096 bytes at byte 81920: Input/output error (os error 5)`.
impl fmt::Display for IoFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IoFailure { direction, offset_bytes, length_bytes, cause, .. } = self;
        write!(f, "{direction} of {length_bytes} bytes at byte {offset_bytes}: {cause}")
    }
}

impl fmt::Display for IoCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IoCause::Os(number) => std::io::Error::from_raw_os_error(*number).fmt(f),
            IoCause::Short { moved_bytes } => write!(f, "only {moved_bytes} bytes were moved"),
            IoCause::Zero => f.write_str("nothing was moved, the target ends here"),
            IoCause::Silent { age_ns } => write!(f, "not back after {:.1} s", *age_ns as f64 / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_in_one_line() {
        let mut failure = IoFailure {
            direction: Direction::Write,
            offset_bytes: 81_920,
            length_bytes: 4_096,
            at_ns: 7,
            cause: IoCause::Os(5),
        };
        assert_eq!(failure.to_string(), "write of 4096 bytes at byte 81920: Input/output error (os error 5)");
        failure.cause = IoCause::Silent { age_ns: 31_500_000_000 };
        assert_eq!(failure.to_string(), "write of 4096 bytes at byte 81920: not back after 31.5 s");
    }

    #[test]
    fn an_outcome_survives_json() {
        let outcome = LoadOutcome { ended: Ended::Passes, totals: WindowTotals::default(), failure: None };
        let text = serde_json::to_string(&outcome).expect("serialises");
        assert_eq!(serde_json::from_str::<LoadOutcome>(&text).expect("reads back"), outcome);
    }
}
