//! Events: the contract between a run and everyone who watches it, live or from the journal.
//!
//! Numbers are raw (nanoseconds, bytes, counts) with the unit in the field's name; scaling is the report's work.
//! Must not know who listens.

mod kind;
mod sink;
mod version;

pub use crate::device::IoCounters;
pub use kind::{
    CaseFinished, Cause, Event, EventKind, Failure, IntervalSampled, Place, RunEnd, RunStarted, StepEnd, StepFinished,
};
pub use sink::{EventSink, Fanout};
pub use version::{FORMAT, FormatVersion};
