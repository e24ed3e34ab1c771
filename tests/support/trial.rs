//! A run of the program in a folder of its own, as a sentence: `Trial::new().plan(text).call(["check", "plan.kdl"])`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

#[path = "said.rs"]
mod said;
pub(crate) use said::Said;

/// A folder for a trial, removed at its end, on a disk and not in memory.
pub(crate) struct Trial {
    folder: TempDir,
}

impl Trial {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the trial");
        Self { folder }
    }

    /// Writes `plan.kdl`.
    pub(crate) fn plan(self, text: &str) -> Self {
        self.file("plan.kdl", text.as_bytes())
    }

    /// Writes a file.
    pub(crate) fn file(self, name: &str, bytes: &[u8]) -> Self {
        std::fs::write(self.path(name), bytes).expect("a file for the trial");
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, to be run in the folder, without colour and without this environment's wishes.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("NO_COLOR").env("TERM", "dumb").stdin(Stdio::null());
        command
    }

    pub(crate) fn call<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Said {
        Said::from(self.command(arguments).output().expect("the program starts"))
    }

    /// The result folders, in order of their names.
    pub(crate) fn results(&self) -> Vec<PathBuf> {
        folders_in(&self.path("results"))
    }

    /// The one result folder.
    pub(crate) fn result(&self) -> PathBuf {
        let mut results = self.results();
        assert_eq!(results.len(), 1, "{results:?}");
        results.remove(0)
    }
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()));
    let mut folders: Vec<PathBuf> = entries.into_iter().flatten().filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}
