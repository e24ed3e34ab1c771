use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::event::{Event, EventKind, EventSink};

/// Events that may wait for the disk. At one interval a second that is more than four hours.
const QUEUE_LENGTH: usize = 16_384;
/// The journal is synced once its events are this far ahead of the last sync, in nanoseconds …
const SYNC_EVERY_NS: u64 = 30_000_000_000;
/// … or once no event has come for this long. Both together stay below the 60 s that the format promises.
const SYNC_WHEN_QUIET: Duration = Duration::from_secs(20);

/// Where a journal is written to.
pub trait JournalFile: Write + Send {
    /// Puts what was written onto the medium.
    ///
    /// # Errors
    ///
    /// What the file system says.
    fn sync(&mut self) -> io::Result<()>;
}

impl JournalFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Writes each event as one line of JSON, from a thread of its own, so that no load waits for the disk.
///
/// The first error ends the writing and is kept: `has_failed` tells the run, [`close`](Self::close) the caller. An
/// event is on the medium at most 60 s after it happened, and at once where a case, a step or the run ends.
pub struct JournalWriter {
    sender: Option<SyncSender<Box<Event>>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<Failure>,
}

/// What went wrong first, shared by both threads.
#[derive(Default)]
struct Failure {
    has_failed: AtomicBool,
    error: Mutex<Option<io::Error>>,
}

impl Failure {
    fn keep(&self, error: io::Error) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.has_failed.store(true, Ordering::Release);
    }

    fn happened(&self) -> bool {
        self.has_failed.load(Ordering::Acquire)
    }
}

impl JournalWriter {
    /// Starts a journal in a new file.
    ///
    /// # Errors
    ///
    /// There is such a file already, or it cannot be created, or no thread can be started.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::start(OpenOptions::new().write(true).create_new(true).open(path)?)
    }

    /// Starts a journal in `file`.
    ///
    /// # Errors
    ///
    /// No thread can be started.
    pub fn start(file: impl JournalFile + 'static) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(QUEUE_LENGTH);
        let failure = Arc::new(Failure::default());
        let shared = Arc::clone(&failure);
        let write = move || write_all_events(&receiver, file, &shared);
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(write)?;
        Ok(Self { sender: Some(sender), thread: Some(thread), failure })
    }

    /// What went wrong, as far as it is known already.
    pub fn error(&self) -> Option<String> {
        self.failure.error.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(io::Error::to_string)
    }

    /// Waits until every event is written and synced.
    ///
    /// # Errors
    ///
    /// The first error that writing met; the journal then ends before the event that met it.
    pub fn close(mut self) -> io::Result<()> {
        self.end();
        match self.failure.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn end(&mut self) {
        // Without a sender the thread comes to the end of its queue and leaves.
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            self.failure.keep(io::Error::other("the thread that writes the journal broke"));
        }
    }
}

impl EventSink for JournalWriter {
    fn take(&mut self, event: &Event) {
        let Some(sender) = &self.sender else { return };
        if self.failure.happened() {
            return;
        }
        match sender.try_send(Box::new(event.clone())) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                let message = format!("the disk has not taken a journal line for {QUEUE_LENGTH} events");
                self.failure.keep(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            Err(TrySendError::Disconnected(_)) => {
                self.failure.keep(io::Error::other("the thread that writes the journal is gone"));
            }
        }
    }

    fn has_failed(&self) -> bool {
        self.failure.happened()
    }
}

impl Drop for JournalWriter {
    fn drop(&mut self) {
        self.end();
    }
}

/// The journal's thread: until the queue ends or an error does.
fn write_all_events(events: &Receiver<Box<Event>>, file: impl JournalFile, failure: &Failure) {
    let mut lines = Lines { file, line: Vec::new(), unsynced_since_ns: None, is_simulated: false };
    let result = loop {
        match events.recv_timeout(SYNC_WHEN_QUIET) {
            // What the sender gave up on (a full queue) has left a gap: nothing behind it may be written.
            Ok(_) if failure.happened() => return,
            Ok(event) => {
                if let Err(error) = lines.write(&event) {
                    break Err(error);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = lines.sync() {
                    break Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break lines.sync(),
        }
    };
    if let Err(error) = result {
        failure.keep(error);
    }
}

struct Lines<F> {
    file: F,
    line: Vec<u8>,
    /// The time of the first event that is not synced.
    unsynced_since_ns: Option<u64>,
    /// Simulated hours pass in milliseconds and can be had again: not worth a sync each half minute of theirs.
    is_simulated: bool,
}

impl<F: JournalFile> Lines<F> {
    fn write(&mut self, event: &Event) -> io::Result<()> {
        if let EventKind::RunStarted(started) = &event.kind {
            self.is_simulated = started.is_simulated;
        }
        self.line.clear();
        serde_json::to_writer(&mut self.line, event)?;
        self.line.push(b'\n');
        // One write per line: a killed run loses whole lines at most.
        self.file.write_all(&self.line)?;
        let since = *self.unsynced_since_ns.get_or_insert(event.at_ns);
        let is_due = ends_something(&event.kind) || event.at_ns.saturating_sub(since) >= SYNC_EVERY_NS;
        if is_due && !self.is_simulated { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.unsynced_since_ns.take().is_some() {
            self.file.flush()?;
            self.file.sync()?;
        }
        Ok(())
    }
}

fn ends_something(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::RunStarted(_)
            | EventKind::CaseFinished(_)
            | EventKind::StepFinished(_)
            | EventKind::StepFailed { .. }
            | EventKind::RunFinished { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::RunEnd;

    /// Keeps what was written, and how much of it was synced; fails once `room` bytes are full.
    #[derive(Clone)]
    struct Scripted {
        written: Arc<Mutex<Vec<u8>>>,
        syncs: Arc<Mutex<Vec<usize>>>,
        room: usize,
    }

    impl Write for Scripted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.written.lock().expect("no thread broke");
            let part = bytes.len().min(self.room - written.len());
            if part == 0 {
                return Err(io::Error::from_raw_os_error(libc::ENOSPC));
            }
            written.extend_from_slice(&bytes[..part]);
            Ok(part)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl JournalFile for Scripted {
        fn sync(&mut self) -> io::Result<()> {
            let written = self.written.lock().expect("no thread broke").len();
            self.syncs.lock().expect("no thread broke").push(written);
            Ok(())
        }
    }

    fn stop(sequence: u64, at_ns: u64) -> Event {
        Event { sequence, at_ns, kind: EventKind::StopRequested { reason: "SIGINT".to_owned() } }
    }

    fn scripted(room: usize) -> Scripted {
        Scripted { written: Arc::default(), syncs: Arc::default(), room }
    }

    #[test]
    fn one_line_per_event_and_all_of_it_synced() {
        let file = scripted(usize::MAX);
        let mut journal = JournalWriter::start(file.clone()).expect("a thread");
        let end = Event { sequence: 2, at_ns: 7, kind: EventKind::RunFinished { end: RunEnd::Stopped } };
        for event in [stop(0, 5), stop(1, 6), end, stop(3, 8)] {
            journal.take(&event);
        }
        journal.close().expect("nothing is full");
        let text = String::from_utf8(file.written.lock().expect("closed").clone()).expect("JSON is UTF-8");
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[2], "{\"sequence\":2,\"at_ns\":7,\"event\":\"run-finished\",\"end\":\"stopped\"}\n");
        let to_the_third: usize = lines[..3].iter().map(|line| line.len()).sum();
        assert_eq!(*file.syncs.lock().expect("closed"), [to_the_third, text.len()]);
    }

    #[test]
    fn is_never_half_a_minute_of_events_behind() {
        let file = scripted(usize::MAX);
        let mut journal = JournalWriter::start(file.clone()).expect("a thread");
        for sequence in 0..65 {
            journal.take(&stop(sequence, sequence * 1_000_000_000));
        }
        journal.close().expect("nothing is full");
        assert_eq!(file.syncs.lock().expect("closed").len(), 3, "after 30 s, after 61 s, and at the end");
    }

    #[test]
    fn a_full_disk_is_kept_as_the_error() {
        let file = scripted(100);
        let mut journal = JournalWriter::start(file.clone()).expect("a thread");
        for sequence in 0..50 {
            journal.take(&stop(sequence, 0));
        }
        let error = journal.close().expect_err("100 bytes hold no 50 events");
        assert_eq!(error.raw_os_error(), Some(libc::ENOSPC));
        assert_eq!(file.written.lock().expect("closed").len(), 100);
    }

    #[test]
    fn the_full_device_of_the_kernel_fails_too() {
        let file = OpenOptions::new().write(true).open("/dev/full").expect("every Linux has it");
        let mut journal = JournalWriter::start(file).expect("a thread");
        journal.take(&stop(0, 0));
        assert_eq!(journal.close().expect_err("always full").raw_os_error(), Some(libc::ENOSPC));
    }

    #[test]
    fn an_existing_journal_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, "kept").expect("writes");
        let error = JournalWriter::create(&path).err().expect("it exists");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "kept");
    }
}
