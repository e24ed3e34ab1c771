//! When a load ends, and that no operation beyond a byte limit is issued (S14).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::measure::{Direction, Ended};

/// The end of a load, shared by its slots: the first of several to be reached.
#[derive(Debug)]
pub(super) struct Until {
    /// The first nanosecond of the clock that no longer counts; the largest number while that is open.
    end_ns: AtomicU64,
    reason: AtomicU8,
    /// Which limit kept a slot from issuing: the reason where all slots ran dry and nothing else ended the load.
    dry: AtomicU8,
    /// Boxed, so that a load without them touches one cache line here.
    written: Option<Box<Allowance>>,
    moved: Option<Box<Allowance>>,
    block_bytes: u64,
}

/// Bytes of which each operation takes its part before it is issued.
#[derive(Debug)]
#[repr(align(128))]
struct Allowance {
    limit_bytes: u64,
    taken_bytes: AtomicU64,
    completed_bytes: AtomicU64,
}

impl Until {
    /// With allowances for what is written and what is moved.
    pub(super) fn new(written_bytes: Option<u64>, moved_bytes: Option<u64>, block_bytes: u64) -> Self {
        let allowance = |limit_bytes| {
            let (taken_bytes, completed_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
            Box::new(Allowance { limit_bytes, taken_bytes, completed_bytes })
        };
        Self {
            end_ns: AtomicU64::new(u64::MAX),
            reason: AtomicU8::new(0),
            dry: AtomicU8::new(0),
            written: written_bytes.map(allowance),
            moved: moved_bytes.map(allowance),
            block_bytes,
        }
    }

    /// The first nanosecond that no longer counts.
    #[inline]
    pub(super) fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::Relaxed)
    }

    /// Ends the load at `end_ns`; an earlier end stays, and so does the first reason.
    pub(super) fn end(&self, reason: Ended, end_ns: u64) {
        let _ = self.reason.compare_exchange(0, code(reason), Ordering::AcqRel, Ordering::Acquire);
        self.end_ns.fetch_min(end_ns, Ordering::AcqRel);
    }

    /// Why the load ended; `None` while it runs.
    pub(super) fn reason(&self) -> Option<Ended> {
        let of = |cell: &AtomicU8| decode(cell.load(Ordering::Acquire));
        of(&self.reason).or_else(|| of(&self.dry))
    }

    /// Notes that a slot has nothing more to issue.
    pub(super) fn run_dry(&self, limit: Ended) {
        let _ = self.dry.compare_exchange(0, code(limit), Ordering::AcqRel, Ordering::Acquire);
    }

    /// Takes an operation's part of the allowances; false where one does not suffice: it must not be issued.
    #[inline]
    pub(super) fn take(&self, direction: Direction, length_bytes: u64) -> bool {
        if let Some(moved) = &self.moved
            && !moved.take(length_bytes)
        {
            self.run_dry(Ended::Passes);
            return false;
        }
        if let Some(written) = &self.written
            && direction == Direction::Write
            && !written.take(length_bytes)
        {
            if let Some(moved) = &self.moved {
                moved.taken_bytes.fetch_sub(length_bytes, Ordering::Relaxed);
            }
            self.run_dry(Ended::Written);
            return false;
        }
        true
    }

    /// An operation of the window completed; ends the load where no further one fits an allowance.
    #[inline]
    pub(super) fn complete(&self, direction: Direction, length_bytes: u64, done_ns: u64) {
        if let Some(moved) = &self.moved
            && moved.is_reached_by(length_bytes, self.block_bytes)
        {
            self.end(Ended::Passes, done_ns + 1);
        }
        if let Some(written) = &self.written
            && direction == Direction::Write
            && written.is_reached_by(length_bytes, self.block_bytes)
        {
            self.end(Ended::Written, done_ns + 1);
        }
    }
}

impl Allowance {
    fn take(&self, length_bytes: u64) -> bool {
        let before = self.taken_bytes.fetch_add(length_bytes, Ordering::Relaxed);
        let fits = before.checked_add(length_bytes).is_some_and(|after| after <= self.limit_bytes);
        if !fits {
            self.taken_bytes.fetch_sub(length_bytes, Ordering::Relaxed);
        }
        fits
    }

    fn is_reached_by(&self, length_bytes: u64, block_bytes: u64) -> bool {
        let completed = self.completed_bytes.fetch_add(length_bytes, Ordering::AcqRel) + length_bytes;
        completed.saturating_add(block_bytes) > self.limit_bytes
    }
}

const fn code(reason: Ended) -> u8 {
    match reason {
        Ended::Time => 1,
        Ended::Written => 2,
        Ended::Passes => 3,
        Ended::Stopped => 4,
        Ended::Failed => 5,
    }
}

const fn decode(code: u8) -> Option<Ended> {
    match code {
        1 => Some(Ended::Time),
        2 => Some(Ended::Written),
        3 => Some(Ended::Passes),
        4 => Some(Ended::Stopped),
        5 => Some(Ended::Failed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operation_beyond_the_allowance_is_issued() {
        let until = Until::new(Some(10_000), None, 4096);
        assert!(until.take(Direction::Write, 4096) && until.take(Direction::Write, 4096));
        assert!(!until.take(Direction::Write, 4096));
        assert!(until.take(Direction::Read, 4096), "reads are not written");
        assert_eq!((until.end_ns(), until.reason()), (u64::MAX, Some(Ended::Written)));
        until.complete(Direction::Write, 4096, 70);
        assert_eq!(until.end_ns(), u64::MAX);
        until.complete(Direction::Write, 4096, 90);
        assert_eq!(until.end_ns(), 91);
    }

    #[test]
    fn what_written_refuses_is_given_back_to_moved() {
        let until = Until::new(Some(0), Some(8192), 4096);
        assert!(!until.take(Direction::Write, 4096));
        assert!(until.take(Direction::Read, 4096) && until.take(Direction::Read, 4096));
        assert!(!until.take(Direction::Read, 4096));
    }

    #[test]
    fn the_earliest_end_and_the_first_reason_stay() {
        let until = Until::new(None, None, 512);
        assert_eq!(until.reason(), None);
        until.end(Ended::Stopped, 50);
        until.end(Ended::Failed, 40);
        until.end(Ended::Time, 60);
        assert_eq!((until.end_ns(), until.reason()), (40, Some(Ended::Stopped)));
    }
}
