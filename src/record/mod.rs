//! The record of a run: what its events add up to, how they are kept on disk, and how far each figure can be believed.
//!
//! A [`RunRecord`] is built by folding events and in no other way, so that a live run and a replayed journal cannot
//! differ. Nothing here may touch a device, start I/O on a target, or print.

mod figures;
mod fold;
mod journal_reader;
mod journal_writer;
mod live;
mod run_record;
mod store;
mod validity;

pub use figures::{CaseFigures, FigureSource, SideFigures};
pub use fold::{Fold, FoldError, fold};
pub use journal_reader::{Journal, JournalError, JournalReader, LINE_LIMIT_BYTES, read_journal, replay};
pub use journal_writer::{JournalFile, JournalWriter};
pub use live::LiveRecord;
pub use run_record::{CaseRecord, CaseState, RunRecord, RunState, StepRecord, StepState};
pub use store::{ResultFolder, StoreError, run_id};
pub use validity::{Grade, Remark, RemarkKind, Validity, judge, unusable_cases};
