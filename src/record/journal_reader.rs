use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use super::{Fold, FoldError, RunRecord};
use crate::event::{Event, FORMAT, FormatVersion};

/// The longest line that is read, in bytes. The longest real ones, a large schedule and full histograms, stay far below.
pub const LINE_LIMIT_BYTES: u64 = 64 << 20;

/// Reads a journal event by event.
///
/// A last line that is cut off in its middle is what a killed run leaves behind: it is left out, and
/// [`has_torn_tail`](Self::has_torn_tail) says so. A bad line anywhere else is an error.
pub struct JournalReader<R> {
    input: R,
    line: Vec<u8>,
    line_number: u64,
    has_torn_tail: bool,
    has_ended: bool,
}

/// A whole journal in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Journal {
    /// Its events, in order.
    pub events: Vec<Event>,
    /// True where the last line was cut off and is left out.
    pub has_torn_tail: bool,
}

/// Why a journal could not be read.
#[derive(Debug)]
pub enum JournalError {
    /// The file could not be read.
    Io(io::Error),
    /// There is not one whole event in it.
    Empty,
    /// A line is no event.
    BadLine {
        /// Counted from 1.
        line: u64,
        /// What the parser says.
        message: String,
    },
    /// A line is longer than [`LINE_LIMIT_BYTES`].
    LineTooLong {
        /// Counted from 1.
        line: u64,
    },
    /// It was written in a format that this program does not know.
    UnknownFormat(FormatVersion),
    /// Its events contradict each other.
    Contradiction(FoldError),
}

impl JournalError {
    /// The stable code of the diagnostic.
    pub const fn code(&self) -> &'static str {
        match self {
            JournalError::Io(_) => "journal/unreadable",
            JournalError::Empty => "journal/empty",
            JournalError::BadLine { .. } | JournalError::LineTooLong { .. } => "journal/bad-line",
            JournalError::UnknownFormat(_) => "journal/unknown-format",
            JournalError::Contradiction(error) => error.code(),
        }
    }

    /// The remedy, if there is one.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            JournalError::Io(_) => None,
            JournalError::Empty => Some("the run was cut off before it began; run the plan again"),
            JournalError::BadLine { .. } | JournalError::LineTooLong { .. } | JournalError::Contradiction(_) => {
                Some("the file was changed after the run; take an untouched copy of it")
            }
            JournalError::UnknownFormat(_) => Some("use the version of shakedown that wrote it, or a later one"),
        }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io(error) => write!(f, "the journal cannot be read: {error}"),
            JournalError::Empty => f.write_str("the journal holds no event"),
            JournalError::BadLine { line, message } => write!(f, "line {line} of the journal is no event: {message}"),
            JournalError::LineTooLong { line } => {
                write!(f, "line {line} of the journal is longer than {} MiB", LINE_LIMIT_BYTES >> 20)
            }
            JournalError::UnknownFormat(version) => {
                write!(f, "the journal has format {}.{}, known is {}", version.major, version.minor, FORMAT.major)
            }
            JournalError::Contradiction(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            JournalError::Io(error) => Some(error),
            JournalError::Contradiction(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        JournalError::Io(error)
    }
}

impl From<FoldError> for JournalError {
    fn from(error: FoldError) -> Self {
        JournalError::Contradiction(error)
    }
}

/// Reads a whole journal from a file.
///
/// # Errors
///
/// See [`JournalError`]; an empty journal is one, too.
pub fn read_journal(path: &Path) -> Result<Journal, JournalError> {
    let mut reader = JournalReader::new(BufReader::new(File::open(path)?));
    let mut events = Vec::new();
    while let Some(event) = reader.next_event()? {
        events.push(event);
    }
    match events.is_empty() {
        true => Err(JournalError::Empty),
        false => Ok(Journal { events, has_torn_tail: reader.has_torn_tail }),
    }
}

/// Folds a journal as it is read. True beside the record where its last line was cut off.
///
/// # Errors
///
/// See [`JournalError`].
pub fn replay(input: impl BufRead) -> Result<(RunRecord, bool), JournalError> {
    let mut reader = JournalReader::new(input);
    let mut fold = Fold::new();
    while let Some(event) = reader.next_event()? {
        fold.apply(&event)?;
    }
    match fold.record() {
        None => Err(JournalError::Empty),
        Some(_) => Ok((fold.finish()?, reader.has_torn_tail)),
    }
}

impl<R: BufRead> JournalReader<R> {
    /// Reads from the journal's first byte.
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::new(), line_number: 0, has_torn_tail: false, has_ended: false }
    }

    /// True once the last line turned out to be cut off.
    pub fn has_torn_tail(&self) -> bool {
        self.has_torn_tail
    }

    /// The next event; `None` at the end of the journal.
    ///
    /// # Errors
    ///
    /// See [`JournalError`]. There is nothing to be read behind an error.
    pub fn next_event(&mut self) -> Result<Option<Event>, JournalError> {
        if self.has_ended {
            return Ok(None);
        }
        let event = self.read_event();
        self.has_ended = !matches!(event, Ok(Some(_)));
        event
    }

    fn read_event(&mut self) -> Result<Option<Event>, JournalError> {
        self.line.clear();
        self.line_number += 1;
        let length = self.input.by_ref().take(LINE_LIMIT_BYTES + 1).read_until(b'\n', &mut self.line)?;
        if length == 0 {
            return Ok(None);
        }
        if length as u64 > LINE_LIMIT_BYTES {
            return Err(JournalError::LineTooLong { line: self.line_number });
        }
        // The version comes first: of another format's lines nothing else may be understood.
        if self.line_number == 1
            && let Ok(first) = serde_json::from_slice::<FirstLine>(&self.line)
            && !first.format.is_readable()
        {
            return Err(JournalError::UnknownFormat(first.format));
        }
        match serde_json::from_slice(&self.line) {
            Ok(event) => Ok(Some(event)),
            Err(_) if self.line.last() != Some(&b'\n') => {
                self.has_torn_tail = true;
                Ok(None)
            }
            Err(error) => Err(JournalError::BadLine { line: self.line_number, message: error.to_string() }),
        }
    }
}

#[derive(Deserialize)]
struct FirstLine {
    format: FormatVersion,
}
