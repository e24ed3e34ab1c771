//! The state machine of one slot: which operation comes next, and where a completed one counts.
//!
//! Every driver runs this same code; none decides anything itself.

use std::sync::atomic::Ordering;

use super::mix::Mix;
use super::shared::SharedLoad;
use super::tally::{Recorder, Tally};
use super::{access::Places, fine::Cells};
use crate::measure::{Direction, Ended, IoCause, IoFailure};

/// One operation to be issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) direction: Direction,
    pub(super) offset_bytes: u64,
    pub(super) length_bytes: u64,
}

/// One slot of a load.
#[derive(Debug)]
pub(super) struct Lane<'a> {
    shared: &'a SharedLoad,
    tally: &'a Tally,
    histograms: Cells<'a>,
    mix: Mix,
    places: Places<'a>,
    recorder: Recorder,
    /// True until an operation completes at or after t0.
    in_ramp: bool,
    has_completed: bool,
    barrier_ns: u64,
    /// The end of the window's time; the largest number where t0 is not known yet.
    t1_ns: u64,
}

impl<'a> Lane<'a> {
    /// The slot's state machine, before the barrier.
    pub(super) fn new(shared: &'a SharedLoad, slot: u64) -> Self {
        let spec = &shared.spec;
        Self {
            shared,
            tally: &shared.tallies[slot as usize],
            histograms: shared.histograms[slot as usize % shared.histograms.len()].cells(),
            mix: Mix::new(spec.read, spec.seed, slot),
            places: shared.layout.places(spec.seed, slot),
            recorder: Recorder::new(0, spec.sample_ns),
            in_ramp: true,
            has_completed: false,
            barrier_ns: 0,
            t1_ns: u64::MAX,
        }
    }

    /// The barrier has opened.
    pub(super) fn begin(&mut self) {
        self.barrier_ns = self.shared.barrier_ns();
        if self.shared.spec.ramp_ns == 0 {
            self.enter_window(self.barrier_ns);
        }
    }

    /// The next operation; `None` where a limit leaves nothing to issue.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Operation> {
        let direction = self.mix.draw();
        let Some(place) = self.places.next() else {
            self.shared.until.run_dry(self.shared.ticket_limit());
            return None;
        };
        if !self.in_ramp && !self.shared.until.take(direction, place.length_bytes) {
            return None;
        }
        Some(Operation { direction, offset_bytes: place.offset_bytes, length_bytes: place.length_bytes })
    }

    /// The operation is about to be submitted; false where the load has ended meanwhile and it must not be.
    #[inline]
    pub(super) fn submit(&mut self, operation: &Operation, now_ns: u64) -> bool {
        if now_ns >= self.t1_ns {
            self.shared.until.end(Ended::Time, self.t1_ns);
            return false;
        }
        if now_ns >= self.shared.until.end_ns() {
            return false;
        }
        let Operation { direction, offset_bytes, length_bytes } = *operation;
        self.tally.flight.submit(direction, offset_bytes, length_bytes, now_ns);
        if !self.has_completed {
            self.tally.flight.first_submitted_ns.store(now_ns.max(1), Ordering::Relaxed);
        }
        true
    }

    /// The operation came back: the bytes moved or the error number. False where the slot has nothing more to do.
    #[inline]
    pub(super) fn complete(
        &mut self,
        operation: &Operation,
        submitted_ns: u64,
        done_ns: u64,
        result: Result<u64, i32>,
    ) -> bool {
        let Operation { direction, length_bytes, .. } = *operation;
        if result != Ok(length_bytes) {
            self.fail(operation, done_ns, result);
            return false;
        }
        if self.in_ramp && self.is_before_window(operation, done_ns) {
            self.tally.count_ramp(direction, length_bytes);
            return done_ns < self.shared.until.end_ns();
        }
        let latency_ns = done_ns.saturating_sub(submitted_ns);
        if done_ns >= self.t1_ns || done_ns >= self.shared.until.end_ns() {
            self.straddle(operation, latency_ns, done_ns);
            return false;
        }
        self.recorder.record(self.tally, direction, length_bytes, latency_ns, done_ns);
        self.histograms.record(direction, latency_ns);
        self.has_completed = true;
        self.shared.until.complete(direction, length_bytes, done_ns);
        true
    }

    /// The slot issues nothing more.
    pub(super) fn finish(&self) {
        self.tally.flight.is_out.store(1, Ordering::Release);
    }

    fn enter_window(&mut self, t0_ns: u64) {
        self.in_ramp = false;
        self.t1_ns = self.shared.t1_of(t0_ns);
        self.recorder = Recorder::new(t0_ns, self.shared.spec.sample_ns);
    }

    /// True where the operation completed before t0; else the lane is in the window from here on.
    #[cold]
    fn is_before_window(&mut self, operation: &Operation, done_ns: u64) -> bool {
        let is_first = !self.has_completed;
        self.has_completed = true;
        let after_barrier_ns = done_ns - self.barrier_ns;
        if self.shared.start.is_plainly_before(is_first, after_barrier_ns) {
            return true;
        }
        match self.shared.start.pass(is_first, after_barrier_ns) {
            Some(t0_ns) if after_barrier_ns >= t0_ns => {
                self.enter_window(self.barrier_ns + t0_ns);
                // It was issued before anything was limited; it takes its part now, where something is left.
                let _ = self.shared.until.take(operation.direction, operation.length_bytes);
                false
            }
            _ => true,
        }
    }

    /// The operation was in flight at the end: it counts in nothing but is told (S13).
    #[cold]
    fn straddle(&self, operation: &Operation, latency_ns: u64, done_ns: u64) {
        if done_ns >= self.t1_ns {
            self.shared.until.end(Ended::Time, self.t1_ns);
        }
        self.tally.count_after(operation.direction, operation.length_bytes);
        self.tally.flight.straddler_ns.store(latency_ns.max(1), Ordering::Release);
    }

    #[cold]
    fn fail(&self, operation: &Operation, done_ns: u64, result: Result<u64, i32>) {
        let cause = match result {
            Err(number) => IoCause::Os(number),
            Ok(0) => IoCause::Zero,
            Ok(moved_bytes) => IoCause::Short { moved_bytes },
        };
        self.shared.fail(IoFailure {
            direction: operation.direction,
            offset_bytes: operation.offset_bytes,
            length_bytes: operation.length_bytes,
            at_ns: done_ns.saturating_sub(self.barrier_ns),
            cause,
        });
    }
}
