//! What the caller's thread does while the slots work: collects intervals, passes on a stop, gives up on what hangs.
//!
//! It may come late to anything here without a number becoming wrong.

use super::StopFlag;
use super::shared::SharedLoad;
use crate::measure::{Ended, Interval, LoadOutcome, Sides};

/// How long the wait for the last slot's first operation is cut into, in nanoseconds.
const POLL_NS: u64 = 10_000_000;

/// Attends to one running load.
pub(super) struct Coordinator<'a> {
    shared: &'a SharedLoad,
    stop: &'a StopFlag,
    on_interval: &'a mut dyn FnMut(&Interval),
    next_index: u64,
    recorded: u64,
}

/// What to do after attending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attention {
    /// Attend again at this time of the clock, or when something happens.
    Until(u64),
    /// What has not come back by now is no longer waited for.
    GiveUp,
}

impl<'a> Coordinator<'a> {
    /// For a load whose barrier has opened.
    pub(super) fn new(shared: &'a SharedLoad, stop: &'a StopFlag, on_interval: &'a mut dyn FnMut(&Interval)) -> Self {
        Self { shared, stop, on_interval, next_index: 0, recorded: 0 }
    }

    /// Does whatever is due.
    pub(super) fn attend(&mut self, now_ns: u64) -> Attention {
        let spec = &self.shared.spec;
        if self.stop.is_raised() && self.shared.known_end_ns().is_none_or(|end_ns| now_ns < end_ns) {
            self.shared.until.end(Ended::Stopped, now_ns);
        }
        let end_ns = self.shared.known_end_ns();
        let mut wake_ns = u64::MAX;
        if let Some(t0_ns) = self.shared.t0_ns() {
            wake_ns = self.collect(t0_ns, end_ns.unwrap_or(u64::MAX), now_ns);
        } else if end_ns.is_none() {
            let ramp_end_ns = self.shared.barrier_ns().saturating_add(spec.ramp_ns);
            if now_ns >= ramp_end_ns.saturating_add(spec.drain_deadline_ns) {
                // A slot has not completed its first operation: there is no window, and nothing to wait for.
                self.shared.until.end(Ended::Failed, now_ns);
                return Attention::GiveUp;
            }
            wake_ns = if now_ns < ramp_end_ns { ramp_end_ns } else { now_ns.saturating_add(POLL_NS) };
        }
        if let Some(end_ns) = end_ns {
            let deadline_ns = end_ns.saturating_add(spec.drain_deadline_ns);
            if now_ns >= deadline_ns {
                return Attention::GiveUp;
            }
            wake_ns = wake_ns.min(deadline_ns);
        }
        Attention::Until(wake_ns)
    }

    /// Tells the remaining intervals and answers the outcome, once all slots are out or given up.
    pub(super) fn finish(mut self, now_ns: u64) -> LoadOutcome {
        if let Some(t0_ns) = self.shared.t0_ns() {
            let length_ns = self.shared.window_end_ns(t0_ns).saturating_sub(t0_ns);
            let sample_ns = self.shared.spec.sample_ns;
            while self.next_index < length_ns / sample_ns {
                self.tell(sample_ns, false);
            }
            // A completion that ended the load at an edge lies in the interval that begins there.
            let rest_ns = length_ns.saturating_sub(self.next_index * sample_ns);
            if rest_ns > 0 || self.sides(self.next_index).operations() > 0 {
                self.tell(rest_ns, true);
            }
        }
        self.shared.outcome(now_ns, self.recorded)
    }

    /// Tells the intervals that ended an interval ago; answers when the next is due.
    fn collect(&mut self, t0_ns: u64, end_ns: u64, now_ns: u64) -> u64 {
        let sample_ns = self.shared.spec.sample_ns;
        loop {
            let edge_ns = t0_ns.saturating_add((self.next_index + 1).saturating_mul(sample_ns));
            let due_ns = edge_ns.saturating_add(sample_ns);
            if edge_ns > end_ns {
                return u64::MAX;
            }
            if due_ns > now_ns {
                return due_ns;
            }
            self.tell(sample_ns, false);
        }
    }

    fn tell(&mut self, length_ns: u64, is_partial: bool) {
        let index = self.next_index;
        let sides = self.sides(index);
        self.next_index += 1;
        self.recorded += sides.operations();
        let start_ns = index * self.shared.spec.sample_ns;
        (self.on_interval)(&Interval { index, start_ns, length_ns, is_partial, sides });
    }

    fn sides(&self, index: u64) -> Sides {
        let mut sides = Sides::default();
        for tally in &self.shared.tallies {
            sides.add(&tally.interval(index));
        }
        sides
    }
}
