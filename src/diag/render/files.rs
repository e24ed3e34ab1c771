use super::super::{Diagnostics, Severity};

/// How a file came through a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// It can be used; there may be warnings and remarks.
    Sound,
    /// It cannot.
    Refused,
    /// It is no plan, and was looked at as far as it goes.
    Skipped,
    /// There was nothing to read.
    Unreadable,
}

impl FileState {
    /// The word that people and programs see.
    pub const fn word(self) -> &'static str {
        match self {
            FileState::Sound => "sound",
            FileState::Refused => "refused",
            FileState::Skipped => "skipped",
            FileState::Unreadable => "unreadable",
        }
    }
}

/// One file of a check, with all that was found in it.
#[derive(Debug, Clone)]
pub struct CheckedFile {
    /// As it was named, or as it was found below a folder that was.
    pub name: String,
    /// What it is, in one word; `None` where that cannot be told.
    pub kind: Option<&'static str>,
    /// How it came through.
    pub state: FileState,
    /// Why, or what it comes to, in a few words; may be empty.
    pub note: String,
    /// Everything that was found.
    pub found: Diagnostics,
}

impl CheckedFile {
    /// A file of which no more is known than what was found in it.
    pub fn new(name: impl Into<String>, found: Diagnostics) -> Self {
        let state = if found.has_errors() { FileState::Refused } else { FileState::Sound };
        Self { name: name.into(), kind: None, state, note: String::new(), found }
    }

    /// How many of one weight there are in several files.
    pub(super) fn count(files: &[CheckedFile], severity: Severity) -> usize {
        files.iter().map(|file| file.found.count(severity)).sum()
    }

    /// The files that nothing could be said about, or not all.
    pub(super) fn passed_over(files: &[CheckedFile]) -> impl Iterator<Item = &CheckedFile> {
        files.iter().filter(|file| matches!(file.state, FileState::Skipped | FileState::Unreadable))
    }
}
