use serde::{Deserialize, Serialize};

/// The kernel's own count of what a device did, since it appeared: the first fields of sysfs `stat`. The difference of
/// two readings is compared with our own counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct IoCounters {
    /// Reads that completed.
    pub reads_completed: u64,
    /// Reads that were merged into others.
    pub reads_merged: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Writes that completed.
    pub writes_completed: u64,
    /// Writes that were merged into others.
    pub writes_merged: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Time with at least one request in flight, in milliseconds.
    pub busy_ms: u64,
}

impl IoCounters {
    /// From the text of sysfs `stat`; its sectors are always 512 bytes (kernel Documentation/block/stat.rst).
    pub fn parse(text: &str) -> Option<Self> {
        let fields: Vec<u64> = text.split_whitespace().map_while(|field| field.parse().ok()).collect();
        let field = |index: usize| fields.get(index).copied();
        Some(Self {
            reads_completed: field(0)?,
            reads_merged: field(1)?,
            bytes_read: field(2)? * 512,
            writes_completed: field(4)?,
            writes_merged: field(5)?,
            bytes_written: field(6)? * 512,
            busy_ms: field(9)?,
        })
    }

    /// What happened since `earlier`. Counters of small devices may wrap, so the difference wraps too.
    pub fn since(&self, earlier: &IoCounters) -> IoCounters {
        IoCounters {
            reads_completed: self.reads_completed.wrapping_sub(earlier.reads_completed),
            reads_merged: self.reads_merged.wrapping_sub(earlier.reads_merged),
            bytes_read: self.bytes_read.wrapping_sub(earlier.bytes_read),
            writes_completed: self.writes_completed.wrapping_sub(earlier.writes_completed),
            writes_merged: self.writes_merged.wrapping_sub(earlier.writes_merged),
            bytes_written: self.bytes_written.wrapping_sub(earlier.bytes_written),
            busy_ms: self.busy_ms.wrapping_sub(earlier.busy_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "   13966     4408  3880810    13596     4271    35395  9584840    34020        0     6060    48181     6544";

    #[test]
    fn sectors_become_bytes() {
        let counters = IoCounters::parse(BEFORE).expect("a line of a real kernel");
        assert_eq!(counters.reads_completed, 13966);
        assert_eq!(counters.bytes_read, 3_880_810 * 512);
        assert_eq!(counters.writes_completed, 4271);
        assert_eq!(counters.bytes_written, 9_584_840 * 512);
        assert_eq!(counters.busy_ms, 6060);
    }

    #[test]
    fn a_difference_is_taken_field_by_field() {
        let before = IoCounters::parse(BEFORE).expect("a line of a real kernel");
        let after =
            IoCounters { reads_completed: before.reads_completed + 7, bytes_read: before.bytes_read + 4096, ..before };
        let since = after.since(&before);
        assert_eq!((since.reads_completed, since.bytes_read, since.writes_completed), (7, 4096, 0));
    }

    #[test]
    fn a_short_line_is_no_reading() {
        assert_eq!(IoCounters::parse("1 2 3"), None);
    }
}
