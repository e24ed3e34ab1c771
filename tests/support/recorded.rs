//! What a run left in its journal.

use std::path::Path;

use shakedown::event::{CaseFinished, Event, EventKind, Failure};
use shakedown::record::read_journal;

/// The whole events of a run's folder, also of a run that was cut off.
pub(crate) fn events_in(folder: &Path) -> Vec<Event> {
    read_journal(&folder.join("journal.jsonl")).expect("a journal that can be read").events
}

/// The loads that ended, of preparation and measurement, in order.
pub(crate) fn finished(events: &[Event]) -> Vec<&CaseFinished> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::CaseFinished(case) => Some(&**case),
            _ => None,
        })
        .collect()
}

/// The one failure of a run.
pub(crate) fn failure(events: &[Event]) -> &Failure {
    let failures: Vec<&Failure> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::StepFailed { failure, .. } => Some(failure),
            _ => None,
        })
        .collect();
    assert_eq!(failures.len(), 1, "{failures:?}");
    failures[0]
}
