//! What is measured, as plain data: exact moments, histograms, intervals, and the totals of a window.
//!
//! Nothing here knows where the numbers come from, and nothing here may round, clamp or drop one silently.

mod histogram;
mod interval;
mod moments;
mod outcome;
mod percentile;
mod side;
mod window;

pub use histogram::{LatencyHistogram, MAXIMUM_BINNED_NS};
pub use interval::Interval;
pub use moments::Moments;
pub use outcome::{Direction, Ended, IoCause, IoFailure, LoadOutcome};
pub use percentile::Percentile;
pub use side::{Side, Sides};
pub use window::{GeneratorFacts, InFlight, MaximumLatency, SideHistograms, Traffic, WindowTotals};
