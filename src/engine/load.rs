use std::fmt;
use std::io;

use crate::units::{BlockSize, OutstandingIo, QueueDepth, ReadShare, Threads};

/// One load with every value closed, in bytes and nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadSpec {
    /// Threads of the load.
    pub threads: Threads,
    /// Operations that each keeps outstanding.
    pub queue_depth: QueueDepth,
    /// The part of the target it may touch.
    pub region: Region,
    /// Bytes of one operation.
    pub block_size: BlockSize,
    /// Share of reads; the rest are writes.
    pub read: ReadShare,
    /// Order of offsets.
    pub access: AccessOrder,
    /// True where a remainder smaller than one block at the end of the region is moved with a shorter operation, as a
    /// fill does; else it is left out (S4). Sequential access only.
    pub includes_tail: bool,
    /// Time at full pace before the window, in nanoseconds.
    pub ramp_ns: u64,
    /// The window's limits.
    pub limits: Limits,
    /// Length of an interval in nanoseconds.
    pub sample_ns: u64,
    /// Seed of this load's sequences; each slot derives its own.
    pub seed: u64,
    /// How long operations in flight at the end are waited for, in nanoseconds.
    pub drain_deadline_ns: u64,
    /// What the address of a buffer must be a multiple of, in bytes: a power of two; 4096 suffices nearly always.
    pub alignment_bytes: usize,
}

/// A contiguous part of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Its start, in bytes from the start of the target.
    pub start_bytes: u64,
    /// Its length in bytes.
    pub length_bytes: u64,
}

/// The order of offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessOrder {
    /// Every block is equally likely each time (S5).
    UniformRandom,
    /// One cursor for all slots: operation k is block k mod N (S3).
    SequentialShared,
    /// One cursor for each thread in a part of its own (S3).
    SequentialLanes,
}

/// When a load ends: whichever limit is reached first. At least one is needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Length of the window in nanoseconds.
    pub time_ns: Option<u64>,
    /// Bytes written in the window; no write beyond it is issued.
    pub written_bytes: Option<u64>,
    /// Bytes moved in the window, reads and writes: passes times the region's length (S14); nothing beyond is issued.
    pub moved_bytes: Option<u64>,
}

impl LoadSpec {
    /// Threads times queue depth.
    pub fn slots(&self) -> u64 {
        OutstandingIo::of(self.threads, self.queue_depth).get()
    }

    /// Whole blocks in the region.
    pub fn blocks(&self) -> u64 {
        self.region.length_bytes / self.block_size.get()
    }

    /// Bytes after the last whole block.
    pub fn remainder_bytes(&self) -> u64 {
        self.region.length_bytes % self.block_size.get()
    }
}

/// Why a load could not begin.
#[derive(Debug)]
pub enum EngineError {
    /// The load contradicts itself: the caller should have refused it; the text names the contradiction.
    Contradiction(&'static str),
    /// The target was opened for reading only, and the load writes.
    ReadOnlyTarget,
    /// No memory for the buffers or tables.
    Memory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// The system allows no further thread.
    Threads {
        /// Threads that the load needs.
        wanted: u64,
        /// Threads that could be started.
        started: u64,
        /// What the system said.
        source: io::Error,
    },
    /// A worker may not run on the processor chosen for it.
    Affinity {
        /// The processor's number.
        processor: usize,
        /// What the system said.
        source: io::Error,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Contradiction(text) => f.write_str(text),
            EngineError::ReadOnlyTarget => f.write_str("the target is open for reading only and the load writes"),
            EngineError::Memory { bytes } => write!(f, "no memory for {bytes} bytes of buffers"),
            EngineError::Threads { wanted, started, .. } => {
                write!(f, "the system allowed {started} of the {wanted} threads that the load needs")
            }
            EngineError::Affinity { processor, .. } => write!(f, "a worker may not run on processor {processor}"),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EngineError::Threads { source, .. } | EngineError::Affinity { source, .. } => Some(source),
            EngineError::Contradiction(_) | EngineError::ReadOnlyTarget | EngineError::Memory { .. } => None,
        }
    }
}
