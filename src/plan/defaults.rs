//! Every default of the language, each with its reason. The reference quotes this file.

use crate::units::{NANOS_PER_SECOND, QueueDepth, RunTime};

use super::model::{Access, Arrivals, Data, EngineKind, OnError, OnInterruption, SpanOfArea, Start};

/// A run must be repeatable without saying so, so there is always a seed.
pub const SEED: u64 = 1;

/// The engine that every host has. Its depth costs threads, which the checker says where it matters.
pub const ENGINE: EngineKind = EngineKind::Sync;

/// A test that is done once says nothing about it.
pub const REPEAT: u32 = 1;

/// One operation at a time for each thread is what a thread does by itself.
pub const QUEUE_DEPTH: QueueDepth = QueueDepth::ONE;

/// Nothing is left out of a measurement unless the plan says so.
pub const RAMP: RunTime = RunTime::ZERO;

/// Fine enough to see a drive change its behaviour, coarse enough for journals of days.
pub const SAMPLE: RunTime = RunTime::from_nanos(NANOS_PER_SECOND);

/// A load may touch all of the area unless the plan says so.
pub const SPAN: SpanOfArea = SpanOfArea::WHOLE;

/// Data that a drive cannot make less of measures the drive and not its compression.
pub const DATA: Data = Data::Incompressible;

/// A pause without a number of operations is one after each of them.
pub const THINK_AFTER: u32 = 1;

/// A drive that is filled from its start to its end has every block written once.
pub const FILL_ACCESS: Access = Access::SequentialShared;

/// A partition that is gone cannot be looked at after the run.
pub const KEEP_PARTITION: bool = true;

/// A rate by itself says that operations come evenly.
pub const ARRIVALS: Arrivals = Arrivals::Fixed;

/// Each load is an experiment of its own, wherever the one before it ended.
pub const START: Start = Start::Beginning;

/// A drive that fails I/O has no figures worth publishing.
pub const ON_ERROR: OnError = OnError::Fail;

/// A pause lets a drive recover, so that a broken load is done again.
pub const ON_INTERRUPTION: OnInterruption = OnInterruption::Repeat;

/// A maximum is measured once unless the method asks for a median.
pub const REPEAT_MAX: u32 = 1;
