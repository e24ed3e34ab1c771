use crate::event::{Event, EventKind, EventSink};

/// Numbers and stamps events and hands them on.
pub(super) struct Teller<'a> {
    sequence: u64,
    start_ns: u64,
    last_ns: u64,
    sink: &'a mut dyn EventSink,
}

impl<'a> Teller<'a> {
    pub(super) fn new(start_ns: u64, sink: &'a mut dyn EventSink) -> Self {
        Self { sequence: 0, start_ns, last_ns: 0, sink }
    }

    /// Tells an event that happened at `now_ns` on the engine's clock. Stamps never fall.
    pub(super) fn tell(&mut self, now_ns: u64, kind: EventKind) {
        self.last_ns = self.last_ns.max(now_ns.saturating_sub(self.start_ns));
        self.sink.take(&Event { sequence: self.sequence, at_ns: self.last_ns, kind });
        self.sequence += 1;
    }

    pub(super) fn has_failed(&self) -> bool {
        self.sink.has_failed()
    }
}
