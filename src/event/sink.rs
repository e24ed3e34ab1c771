use super::Event;

/// Somebody who watches a run.
///
/// A sink must not block for long: the coordinator of a load calls it between two intervals.
pub trait EventSink {
    /// Takes the next event. Events come in the order of their sequence numbers.
    fn take(&mut self, event: &Event);

    /// True where the sink can take no more (its disk is full, say) and the run should end.
    fn has_failed(&self) -> bool {
        false
    }
}

/// Several sinks as one.
#[derive(Default)]
pub struct Fanout<'a> {
    sinks: Vec<&'a mut dyn EventSink>,
}

impl<'a> Fanout<'a> {
    /// Each event goes to the sinks in this order.
    pub fn new(sinks: Vec<&'a mut dyn EventSink>) -> Self {
        Self { sinks }
    }
}

impl EventSink for Fanout<'_> {
    fn take(&mut self, event: &Event) {
        for sink in &mut self.sinks {
            sink.take(event);
        }
    }

    fn has_failed(&self) -> bool {
        self.sinks.iter().any(|sink| sink.has_failed())
    }
}

impl EventSink for Vec<Event> {
    fn take(&mut self, event: &Event) {
        self.push(event.clone());
    }
}
