//! What went wrong, in the words of an event.

use std::error::Error as _;

use crate::engine::EngineError;
use crate::event::{Cause, Failure, Place, StepEnd};
use crate::measure::{Ended, IoCause, IoFailure};
use crate::schedule::Ground;

pub(super) const fn step_end(ended: Ended) -> StepEnd {
    match ended {
        Ended::Time => StepEnd::Complete,
        Ended::Written => StepEnd::Written,
        Ended::Passes => StepEnd::Passes,
        Ended::Stopped => StepEnd::Stopped,
        Ended::Failed => StepEnd::Failed,
    }
}

/// The first operation that failed: what, where on the target, why. `is_there` says whether the target still is.
pub(super) fn of_io(failure: Option<IoFailure>, ground: &Ground, is_there: bool, place: Place) -> Failure {
    let Some(io) = failure else {
        return Failure::new("the load failed without saying why", Cause::Target, place);
    };
    let (cause, reason) = match io.cause {
        IoCause::Os(errno) => (Cause::Errno(errno), explained(errno, &io.cause)),
        IoCause::Short { moved_bytes } => (Cause::ShortTransfer { moved_bytes }, io.cause.to_string()),
        IoCause::Zero => (Cause::ShortTransfer { moved_bytes: 0 }, io.cause.to_string()),
        IoCause::Silent { .. } => (Cause::Target, io.cause.to_string()),
    };
    // At a drive that was pulled out the kernel answers with whatever it happens to notice first: an end of the target at
    // byte 0, no room, an error of the path.
    let reason = if is_there { reason } else { format!("the device is gone ({})", io.cause) };
    let lba = io.offset_bytes / ground.logical_block_bytes.max(1);
    let message = format!("{} of {} bytes at LBA {lba} failed: {reason}", io.direction, io.length_bytes);
    Failure {
        operation: Some(io.direction.to_string()),
        offset_bytes: Some(io.offset_bytes),
        lba: Some(lba),
        length_bytes: Some(io.length_bytes),
        ..Failure::new(message, cause, place)
    }
}

/// The kernel's words, with what they mean for a drive where that is not plain.
fn explained(errno: i32, cause: &IoCause) -> String {
    let meaning = match errno {
        ENODEV | ENXIO => "the device is gone",
        ENODATA => "the drive could not read this block back (medium error)",
        EIO => "the drive or its path failed",
        ENOSPC => "the file system or the thin device below the target is full",
        _ => return cause.to_string(),
    };
    format!("{meaning} ({cause})")
}

// The numbers of Linux on every architecture that the engine runs on.
const EIO: i32 = 5;
const ENXIO: i32 = 6;
const ENODEV: i32 = 19;
const ENOSPC: i32 = 28;
const ENODATA: i32 = 61;

pub(super) fn of_engine(error: &EngineError, place: Place) -> Failure {
    let reason = error.source().map(|source| format!(" ({source})")).unwrap_or_default();
    let remedy = match error {
        EngineError::Threads { .. } => {
            "; raise the limit on processes (`ulimit -u`, the container's pids) or use fewer slots"
        }
        EngineError::Memory { .. } => "; use fewer slots or smaller blocks",
        _ => "",
    };
    let message = format!("the load could not begin: {error}{reason}{remedy}");
    Failure::new(message, Cause::Resources, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Direction;
    use crate::units::ByteCount;

    #[test]
    fn a_target_that_is_gone_is_called_so_whatever_the_kernel_answers() {
        let ground = Ground {
            capacity: ByteCount::new(1 << 20),
            device_capacity: ByteCount::new(1 << 20),
            logical_block_bytes: 512,
            physical_block_bytes: 512,
            is_block_device: true,
        };
        let message = |cause, is_there| {
            let io = IoFailure { direction: Direction::Write, offset_bytes: 8192, length_bytes: 4096, at_ns: 1, cause };
            of_io(Some(io), &ground, is_there, Place { line: 1, column: 1 }).message
        };
        for cause in [IoCause::Os(ENOSPC), IoCause::Os(EIO), IoCause::Zero] {
            let gone = message(cause, false);
            assert!(gone.starts_with("write of 4096 bytes at LBA 16 failed: the device is gone ("), "{gone}");
            assert!(!message(cause, true).contains("gone"));
        }
        assert!(message(IoCause::Os(ENOSPC), true).contains("is full"));
    }
}
