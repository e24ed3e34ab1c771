//! Issues the operations of one load and counts them: which operation comes next, when it counts, when it ends.
//!
//! One state machine (`lane`) decides and accounts; drivers carry it out: `sync` with one thread per slot, `simulated`
//! with one thread and a queue of events. The loop between barrier and end must never allocate, lock, format or log;
//! and nothing here knows a plan, an event or what the target is.

mod access;
mod buffer;
mod coordinator;
mod fine;
mod futex;
mod generator;
mod lane;
mod load;
mod mix;
mod own_work;
mod random;
mod shared;
mod simulated;
#[cfg(test)]
mod simulated_tests;
mod start;
mod stop;
mod sync;
#[cfg(test)]
mod sync_tests;
mod tally;
#[cfg(test)]
mod testing;
mod until;

pub use buffer::{DATA_STRIPE_BYTES, Stamp};
pub use load::{AccessOrder, EngineError, Limits, LoadSpec, Region};
pub use own_work::{OwnWork, measure_own_work};
pub use simulated::{ConstantLatency, Fault, FaultyTarget, Request, Response, SimulatedEngine, SimulatedTarget};
pub use stop::StopFlag;
pub use sync::{SyncEngine, SyncTarget};

use crate::measure::{Interval, LoadOutcome};

/// Something that can run a load: chosen once per run, so that the loop itself is compiled for each.
pub trait Engine {
    /// As a plan and a report spell it: `sync`.
    fn name(&self) -> &'static str;

    /// Nanoseconds on the engine's clock.
    fn now_ns(&self) -> u64;

    /// Nanoseconds since 1970-01-01 UTC.
    fn wall_ns(&self) -> u64;

    /// Waits without issuing anything; false where a stop was asked for before `at_ns`.
    fn idle_until(&mut self, at_ns: u64, stop: &StopFlag) -> bool;

    /// Runs one load to its end and tells each interval of its window, in order, about one interval after it is over.
    ///
    /// # Errors
    ///
    /// Where the load could not begin. An operation that fails is an outcome, not an error.
    fn run_load(
        &mut self,
        spec: &LoadSpec,
        stop: &StopFlag,
        on_interval: &mut dyn FnMut(&Interval),
    ) -> Result<LoadOutcome, EngineError>;
}
