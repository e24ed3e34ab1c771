//! Time as an input: a clock is passed in wherever time matters, so that whole runs can be simulated exactly.
//!
//! This folder must never be bypassed: no other place reads the time.

mod check;
mod real;
mod simulated;

pub use check::{ClockCheck, check_clock};
pub use real::RealClock;
pub use simulated::SimulatedClock;

/// A source of time and a way to wait for it.
pub trait Clock {
    /// Nanoseconds since an origin of the clock's own; never goes backwards.
    fn now_ns(&self) -> u64;

    /// Returns no earlier than `at_ns` on this clock; at once where that has passed.
    fn sleep_until(&self, at_ns: u64);

    /// Nanoseconds since 1970-01-01 UTC, for dates only: it may jump.
    fn wall_ns(&self) -> u64;
}
