//! Bounds beyond which no run makes sense, each with its reason.

use crate::units::{NANOS_PER_SECOND, Percent, RunTime};

/// Operations that are outstanding at once. Beyond this the host schedules more than the drive works.
pub const SLOTS: u64 = 4096;

/// Cases of one matrix. Even at a second each, more would take hours, and nobody reads such a table.
pub const CASES: u64 = 10_000;

/// Steps and cases of a whole plan with its repetitions. Each is kept in memory, in the journal and in the report.
pub const PLAN_CASES: u64 = 100_000;

/// Every size is a multiple of this many bytes: no drive has smaller logical blocks.
pub const ALIGNMENT: u64 = 512;

/// The largest operation in bytes; the kernel splits or refuses larger ones.
pub const BLOCK_SIZE: u64 = 1 << 30;

/// The largest trim in bytes. It moves no data; one that is larger than most drives is a mistyped unit.
pub const TRIM_SIZE: u64 = 1 << 40;

/// Operations between two flushes, or two pauses of a slot.
pub const OPERATIONS: u64 = 1_000_000_000;

/// The largest logical block that a drive can be formatted with.
pub const LOGICAL_BLOCK: u64 = 1 << 16;

/// Times are counted in nanoseconds from the start of a run; this keeps sums of them far from overflow.
pub const TIME: RunTime = RunTime::from_nanos(1_000 * 86_400 * NANOS_PER_SECOND);

/// Steps that the procedures of a plan come to, and the nodes and values in them: a short text must not fill the memory.
pub const STEPS: u64 = 10_000;

/// See [`STEPS`].
pub const STEP_WORDS: u64 = 200_000;

/// Procedures inside of each other. Nobody follows a protocol through more.
pub const TEMPLATE_DEPTH: u64 = 16;

/// Files that a plan includes.
pub const INCLUDED_FILES: usize = 100;

/// Files that include each other. Nobody follows definitions through more.
pub const INCLUDE_DEPTH: usize = 16;

/// Bytes of all included files together: as many as the plan's own text may have.
pub const INCLUDED_BYTES: usize = crate::lang::BYTES_AT_MOST;

/// Nodes, values and properties of all included files together: as many as the plan's own text may have.
pub const INCLUDED_WORDS: usize = 100_000;

/// The shortest interval; shorter ones hold too few operations to say anything and fill the journal.
pub const SAMPLE: RunTime = RunTime::from_nanos(10_000_000);

/// Repetitions of a test and passes over an area.
pub const REPEAT: u64 = 10_000;

/// Characters of a name, so that a table with it stays readable.
pub const NAME: usize = 80;

/// Fewer intervals than this in a window draw a remark.
pub const INTERVALS: u64 = 10;

/// The largest point of a curve, in shares of the maximum. Far beyond it every point measures the same overload.
pub const CURVE: Percent = Percent::from_parts_per_million(10_000_000);

/// The most I/O errors that a load may go on after. A drive with more has no figures left.
pub const ERRORS: u64 = 1_000_000;
