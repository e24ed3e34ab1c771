use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Clock;

/// A clock that stands still until it is moved; sleeping moves it. Clones share the one time.
#[derive(Debug, Clone, Default)]
pub struct SimulatedClock {
    now_ns: Arc<AtomicU64>,
    wall_origin_ns: u64,
}

impl SimulatedClock {
    /// Starts at 0, which is `wall_origin_ns` after 1970-01-01 UTC.
    pub fn new(wall_origin_ns: u64) -> Self {
        Self { now_ns: Arc::default(), wall_origin_ns }
    }

    /// Moves the time on to `at_ns`; a time that has passed changes nothing.
    pub fn advance_to(&self, at_ns: u64) {
        self.now_ns.fetch_max(at_ns, Ordering::Relaxed);
    }
}

impl Clock for SimulatedClock {
    fn now_ns(&self) -> u64 {
        self.now_ns.load(Ordering::Relaxed)
    }

    fn sleep_until(&self, at_ns: u64) {
        self.advance_to(at_ns);
    }

    fn wall_ns(&self) -> u64 {
        self.wall_origin_ns.saturating_add(self.now_ns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_time_and_it_never_goes_back() {
        let clock = SimulatedClock::new(1_000);
        let other = clock.clone();
        clock.sleep_until(500);
        other.sleep_until(200);
        assert_eq!((other.now_ns(), clock.wall_ns()), (500, 1_500));
    }
}
