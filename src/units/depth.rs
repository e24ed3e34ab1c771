use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// The number of threads of a load, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Threads(NonZeroU32);

/// The number of I/Os that each thread keeps outstanding, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct QueueDepth(NonZeroU32);

/// Threads times queue depth: the slots of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OutstandingIo(u64);

impl Threads {
    /// One thread.
    pub const ONE: Threads = Threads(NonZeroU32::MIN);

    /// `None` for 0.
    pub const fn new(count: u32) -> Option<Self> {
        match NonZeroU32::new(count) {
            Some(count) => Some(Self(count)),
            None => None,
        }
    }

    /// The count.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl QueueDepth {
    /// Depth 1.
    pub const ONE: QueueDepth = QueueDepth(NonZeroU32::MIN);

    /// `None` for 0.
    pub const fn new(depth: u32) -> Option<Self> {
        match NonZeroU32::new(depth) {
            Some(depth) => Some(Self(depth)),
            None => None,
        }
    }

    /// The depth.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl OutstandingIo {
    /// The slots of a load with these threads at this depth.
    pub const fn of(threads: Threads, queue_depth: QueueDepth) -> Self {
        Self(threads.get() as u64 * queue_depth.get() as u64)
    }

    /// The number of slots.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for QueueDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_no_depth_and_no_thread() {
        assert_eq!(Threads::new(0), None);
        assert_eq!(QueueDepth::new(0), None);
    }

    #[test]
    fn slots_do_not_overflow() {
        let threads = Threads::new(u32::MAX).expect("not 0");
        let depth = QueueDepth::new(u32::MAX).expect("not 0");
        assert_eq!(OutstandingIo::of(threads, depth).get(), u64::from(u32::MAX) * u64::from(u32::MAX));
    }
}
