use super::{Fold, FoldError, RunRecord};
use crate::event::{Event, EventSink};

/// A record that grows while the run goes on: the same fold as that of a journal, as an event sink.
#[derive(Default)]
pub struct LiveRecord {
    fold: Fold,
    error: Option<FoldError>,
}

impl LiveRecord {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The record of what was told.
    ///
    /// # Errors
    ///
    /// The first event that did not fit those before it.
    pub fn finish(self) -> Result<RunRecord, FoldError> {
        match self.error {
            Some(error) => Err(error),
            None => self.fold.finish(),
        }
    }
}

impl EventSink for LiveRecord {
    fn take(&mut self, event: &Event) {
        if self.error.is_none() {
            self.error = self.fold.apply(event).err();
        }
    }
}
