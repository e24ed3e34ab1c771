//! The state of one running load that all its slots and the coordinator see.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::EngineError;
use super::access::Layout;
use super::fine::FineHistograms;
use super::load::{AccessOrder, LoadSpec};
use super::start::{MAXIMUM_SLOTS, Start};
use super::tally::Tally;
use super::until::Until;
use crate::measure::{Ended, GeneratorFacts, InFlight, IoCause, IoFailure, LoadOutcome, Traffic, WindowTotals};

/// One running load.
#[derive(Debug)]
pub(super) struct SharedLoad {
    pub(super) spec: LoadSpec,
    pub(super) layout: Layout,
    pub(super) start: Start,
    pub(super) until: Until,
    pub(super) histograms: Box<[FineHistograms]>,
    pub(super) tallies: Box<[Tally]>,
    /// When the barrier opened, on the clock.
    barrier_ns: AtomicU64,
    errors: AtomicU64,
    first_failure: Mutex<Option<IoFailure>>,
    pub(super) generator: Mutex<GeneratorFacts>,
}

impl SharedLoad {
    /// Everything that the slots will need, allocated.
    ///
    /// # Errors
    ///
    /// A load that contradicts itself, or no memory.
    pub(super) fn new(spec: &LoadSpec, processors: usize) -> Result<Self, EngineError> {
        check(spec)?;
        let mut layout = Layout::new(spec);
        let (mut written, mut moved) = (spec.limits.written_bytes, spec.limits.moved_bytes);
        // By ticket a limit also says which blocks are served, not only how many; that needs a window that begins with
        // the first ticket.
        let only_writes = !spec.read.has_reads();
        if spec.access != AccessOrder::UniformRandom && spec.ramp_ns == 0 {
            if spec.access == AccessOrder::SequentialShared && only_writes {
                moved = [moved, written.take()].into_iter().flatten().min();
            }
            if let Some(limit) = moved.take() {
                layout.limit(limit);
            }
        }
        let histograms: Result<Box<[_]>, _> = (0..processors.max(1)).map(|_| FineHistograms::new()).collect();
        Ok(Self {
            layout,
            start: Start::new(spec.ramp_ns, spec.slots()),
            until: Until::new(written, moved, spec.block_size.get()),
            histograms: histograms?,
            tallies: (0..spec.slots()).map(|_| Tally::default()).collect(),
            barrier_ns: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            first_failure: Mutex::new(None),
            generator: Mutex::new(GeneratorFacts::default()),
            spec: spec.clone(),
        })
    }

    /// Opens the barrier's time: from here on operations count.
    pub(super) fn open_barrier(&self, now_ns: u64) {
        self.barrier_ns.store(now_ns, Ordering::Release);
    }

    /// When the barrier opened, on the clock.
    pub(super) fn barrier_ns(&self) -> u64 {
        self.barrier_ns.load(Ordering::Acquire)
    }

    /// t0 on the clock, once it is fixed.
    pub(super) fn t0_ns(&self) -> Option<u64> {
        self.start.fixed_ns().map(|after| self.barrier_ns() + after)
    }

    /// The end of the window's time for a given t0, on the clock; the largest number where time does not end it.
    pub(super) fn t1_of(&self, t0_ns: u64) -> u64 {
        self.spec.limits.time_ns.map_or(u64::MAX, |time_ns| t0_ns.saturating_add(time_ns))
    }

    /// The end as far as it is known: of time, a reached limit, a stop or a failure.
    pub(super) fn known_end_ns(&self) -> Option<u64> {
        let by_time = self.t0_ns().map_or(u64::MAX, |t0_ns| self.t1_of(t0_ns));
        let end = by_time.min(self.until.end_ns());
        (end != u64::MAX).then_some(end)
    }

    /// The limit that a ticket ran into.
    pub(super) fn ticket_limit(&self) -> Ended {
        match (self.spec.limits.written_bytes, self.spec.limits.moved_bytes) {
            (Some(written), Some(moved)) if written < moved => Ended::Written,
            (Some(_), None) => Ended::Written,
            _ => Ended::Passes,
        }
    }

    /// Counts a failed operation, keeps the first whole and ends the load (S23).
    pub(super) fn fail(&self, failure: IoFailure) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.first_failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.until.end(Ended::Failed, self.barrier_ns() + failure.at_ns);
    }

    /// The slot's operation that never came back, as a failure.
    fn silent(&self, tally: &Tally, now_ns: u64) -> IoFailure {
        let (direction, length_bytes) = tally.flight.shape();
        IoFailure {
            direction,
            offset_bytes: tally.flight.offset_bytes.load(Ordering::Relaxed),
            length_bytes,
            at_ns: now_ns.saturating_sub(self.barrier_ns()),
            cause: IoCause::Silent { age_ns: age_ns(tally, now_ns) },
        }
    }

    /// Everything counted, once all slots are out or given up at `now_ns`.
    pub(super) fn outcome(&self, now_ns: u64, recorded_in_intervals: u64) -> LoadOutcome {
        let mut totals = WindowTotals {
            errors: self.errors.load(Ordering::Relaxed),
            generator: *self.generator.lock().unwrap_or_else(PoisonError::into_inner),
            ..WindowTotals::default()
        };
        for tally in &self.tallies {
            totals.sides.add(&tally.window());
            totals.ramp.add(&tally.ramp());
            totals.moved.add(&tally.ramp());
            totals.moved.add(&tally.after());
        }
        for histograms in &self.histograms {
            histograms.fold_into(&mut totals.histograms);
        }
        totals.moved.add(&Traffic::of(&totals.sides));
        totals.late_records = totals.sides.operations().saturating_sub(recorded_in_intervals);
        totals.first_submission_spread_ns = self.first_submission_spread_ns();
        let oldest = self.count_in_flight(&mut totals.in_flight, now_ns);
        let ended_ns = self.known_end_ns().unwrap_or(now_ns);
        totals.ramp_ns = self.t0_ns().unwrap_or(ended_ns).min(ended_ns).saturating_sub(self.barrier_ns());
        if let Some(t0_ns) = self.t0_ns() {
            totals.length_ns = self.window_end_ns(t0_ns).saturating_sub(t0_ns);
        }
        let mut failure = *self.first_failure.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tally) = oldest {
            failure.get_or_insert_with(|| self.silent(tally, now_ns));
        }
        let reason = self.until.reason().unwrap_or(Ended::Time);
        let ended = if failure.is_some() && reason != Ended::Stopped { Ended::Failed } else { reason };
        LoadOutcome { ended, totals, failure }
    }

    /// t1 on the clock: fixed in advance where time ended the load, else the last completion that counted, or the moment
    /// of the stop or the failure where that is later.
    pub(super) fn window_end_ns(&self, t0_ns: u64) -> u64 {
        let last = self.tallies.iter().map(Tally::last_recorded_ns).max().unwrap_or(0).max(t0_ns);
        match self.until.reason() {
            Some(Ended::Stopped | Ended::Failed) => last.max(self.until.end_ns()).min(self.t1_of(t0_ns)),
            Some(Ended::Written | Ended::Passes) => last,
            Some(Ended::Time) | None => self.t1_of(t0_ns),
        }
    }

    fn first_submission_spread_ns(&self) -> u64 {
        let firsts = self.tallies.iter().map(|tally| tally.flight.first_submitted_ns.load(Ordering::Relaxed));
        let (mut first, mut last) = (u64::MAX, 0);
        for at_ns in firsts.filter(|&at_ns| at_ns > 0) {
            (first, last) = (first.min(at_ns), last.max(at_ns));
        }
        last.saturating_sub(first)
    }

    /// Counts what was in flight at t1 and answers the slot whose operation is the oldest of those not back.
    fn count_in_flight(&self, in_flight: &mut InFlight, now_ns: u64) -> Option<&Tally> {
        let mut oldest: Option<&Tally> = None;
        for tally in &self.tallies {
            let straddler_ns = tally.flight.straddler_ns.load(Ordering::Acquire);
            let is_back = tally.flight.is_out.load(Ordering::Acquire) == 1;
            let has_begun = tally.flight.first_submitted_ns.load(Ordering::Relaxed) > 0;
            if is_back && straddler_ns > 0 {
                in_flight.operations += 1;
                in_flight.longest_ns = in_flight.longest_ns.max(straddler_ns);
            } else if !is_back && has_begun {
                in_flight.operations += 1;
                in_flight.unfinished += 1;
                in_flight.longest_ns = in_flight.longest_ns.max(age_ns(tally, now_ns));
                if oldest.is_none_or(|other| age_ns(other, now_ns) < age_ns(tally, now_ns)) {
                    oldest = Some(tally);
                }
            }
        }
        oldest
    }
}

fn age_ns(tally: &Tally, now_ns: u64) -> u64 {
    now_ns.saturating_sub(tally.flight.submitted_ns.load(Ordering::Acquire))
}

/// What the caller must have ensured; asked again, because a wrong answer here would write in the wrong place.
fn check(spec: &LoadSpec) -> Result<(), EngineError> {
    let block_bytes = spec.block_size.get();
    let parts = if spec.access == AccessOrder::SequentialLanes { u64::from(spec.threads.get()) } else { 1 };
    let contradiction = if spec.slots() > MAXIMUM_SLOTS {
        "a load has at most 65,535 slots"
    } else if spec.sample_ns == 0 {
        "an interval has a length"
    } else if spec.limits == Default::default() {
        "a load needs a limit"
    } else if spec.region.start_bytes.checked_add(spec.region.length_bytes).is_none() {
        "the region passes the end of 64-bit offsets"
    } else if spec.blocks() < parts {
        "the region has fewer blocks than the load has cursors"
    } else if spec.includes_tail && spec.access == AccessOrder::UniformRandom {
        "random access has no tail"
    } else if !spec.alignment_bytes.is_power_of_two() {
        "an alignment is a power of two"
    } else if block_bytes > isize::MAX as u64 / 2 {
        "a block fits into memory"
    } else {
        return Ok(());
    };
    Err(EngineError::Contradiction(contradiction))
}
