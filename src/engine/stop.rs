use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::futex;
use crate::clock::{Clock, RealClock};

/// A request to stop, shared by whoever asks and whoever runs; it wakes the one that waits.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    is_raised: AtomicBool,
    /// Counts everything worth waking for; the kernel compares it, so that no wake is lost.
    bell: AtomicU32,
}

impl StopFlag {
    /// Not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop. May be called from a signal handler.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Release);
        self.ring();
    }

    /// True once a stop was asked for.
    pub fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Acquire)
    }

    /// Sleeps on a real clock until `at_ns`; false where a stop was asked for before that.
    pub fn sleep_until(&self, clock: &RealClock, at_ns: u64) -> bool {
        loop {
            let heard = self.bell();
            let now = clock.now_ns();
            if self.is_raised() {
                return false;
            }
            if now >= at_ns {
                return true;
            }
            self.wait(heard, at_ns - now);
        }
    }

    /// Wakes the one that waits where `is_due`, without asking to stop.
    pub(super) fn ring_if(&self, is_due: bool) {
        if is_due {
            self.ring();
        }
    }

    fn ring(&self) {
        self.0.bell.fetch_add(1, Ordering::Release);
        futex::wake_all(&self.0.bell);
    }

    /// The bell's count, to be handed to `wait` after looking at whatever may have changed.
    pub(super) fn bell(&self) -> u32 {
        self.0.bell.load(Ordering::Acquire)
    }

    /// Waits until the bell rings after `heard` or `timeout_ns` is over; may return early.
    pub(super) fn wait(&self, heard: u32, timeout_ns: u64) {
        futex::wait(&self.0.bell, heard, Some(timeout_ns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raising_wakes_a_waiter_that_would_wait_for_ever() {
        let stop = StopFlag::new();
        let raiser = stop.clone();
        let thread = std::thread::spawn(move || raiser.raise());
        assert!(!stop.sleep_until(&RealClock, u64::MAX));
        thread.join().expect("raising does not panic");
    }

    #[test]
    fn a_wait_ends_by_itself() {
        let stop = StopFlag::new();
        stop.wait(stop.bell(), 1_000);
        stop.wait(stop.bell().wrapping_add(1), u64::MAX);
        assert!(!stop.is_raised());
    }
}
