use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use super::{JournalError, RunRecord, replay};
use crate::device::{Facts, HostFacts};
use crate::event::{FormatVersion, RunStarted};

const JOURNAL: &str = "journal.jsonl";
const PLAN: &str = "plan.kdl";
const INCLUDED: &str = "included";
const FACTS: &str = "facts.json";
/// How many folders of one name may lie side by side; far more than runs fit into a day.
const MOST_OF_A_NAME: u32 = 10_000;

/// The folder of one run: the journal, the plan as used, and the facts for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultFolder {
    path: PathBuf,
}

/// Why a result folder could not be made, found or filled.
#[derive(Debug)]
pub enum StoreError {
    /// Nothing is there.
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// Something is there, but no run.
    NotAResult {
        /// The path as given.
        path: PathBuf,
        /// Runs that lie in it, by name, the latest first.
        runs_inside: Vec<String>,
    },
    /// It could not be created, written or read.
    Io {
        /// What was to be used.
        path: PathBuf,
        /// What was tried: `create the folder`.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The journal in it is no journal, or was altered.
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        source: JournalError,
    },
}

impl StoreError {
    /// The stable code of the diagnostic.
    pub const fn code(&self) -> &'static str {
        match self {
            StoreError::NotFound { .. } => "result/not-found",
            StoreError::NotAResult { .. } => "result/no-run",
            StoreError::Io { .. } => "result/io",
            StoreError::Journal { source, .. } => source.code(),
        }
    }

    /// The remedy, if there is one.
    pub fn help(&self) -> Option<String> {
        match self {
            StoreError::NotFound { .. } => Some(
                "name a folder that `run` has made; they lie below ./results unless --results said else".to_owned(),
            ),
            StoreError::NotAResult { runs_inside, path } => Some(match runs_inside.first() {
                Some(latest) => format!("the latest run in it is {}", path.join(latest).display()),
                None => format!("a run's folder holds {JOURNAL}"),
            }),
            StoreError::Io { source, .. } if source.raw_os_error() == Some(libc::ENOSPC) => {
                Some("free some space, or name another folder with --results".to_owned())
            }
            StoreError::Io { .. } => None,
            StoreError::Journal { source, .. } => source.help().map(str::to_owned),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NotFound { path } => write!(f, "there is no result folder {}", path.display()),
            StoreError::NotAResult { path, .. } => write!(f, "{} is no run's folder", path.display()),
            StoreError::Io { path, action, source } => write!(f, "could not {action} {}: {source}", path.display()),
            StoreError::Journal { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StoreError::Io { source, .. } => Some(source),
            StoreError::Journal { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// The name of a run: date, plan and what names the target (its serial where it has one), made safe for any file
/// system: `2026-11-30-sr-fio-ri-2017-S3610-0042`.
pub fn run_id(date: &str, plan: &str, target: &str) -> String {
    let parts = [safe(date, 10, "undated"), safe(plan, 64, "plan"), safe(target, 40, "target")];
    parts.join("-")
}

/// Letters, digits, dots, underscores and single dashes; neither empty nor longer than `most` characters.
fn safe(text: &str, most: usize, otherwise: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        let is_plain = character.is_ascii_alphanumeric() || matches!(character, '.' | '_');
        if is_plain {
            name.push(character);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let mut name = name.trim_matches(['-', '.']).to_owned();
    name.truncate(most);
    match name.trim_end_matches(['-', '.']) {
        "" => otherwise.to_owned(),
        name => name.to_owned(),
    }
}

impl ResultFolder {
    /// Makes the folder in which runs lie, where it is missing.
    ///
    /// # Errors
    ///
    /// It cannot be created, or something that is no folder has its name.
    pub fn create_place(results: &Path) -> Result<(), StoreError> {
        fs::create_dir_all(results).map_err(|error| {
            let source = match error.kind() {
                io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                    io::Error::other("something that is no folder stands there")
                }
                _ => error,
            };
            StoreError::Io { path: results.to_owned(), action: "create the folder", source }
        })
    }

    /// Makes the folder of a new run below `results`, which is created where it is missing. Where there is a run of
    /// that id already, the new one is called `-2`, `-3` and so on; nothing is ever overwritten.
    ///
    /// # Errors
    ///
    /// The folder cannot be created.
    pub fn create(results: &Path, run_id: &str) -> Result<Self, StoreError> {
        let failed =
            |path: &Path, source| StoreError::Io { path: path.to_owned(), action: "create the folder", source };
        Self::create_place(results)?;
        for number in 1..=MOST_OF_A_NAME {
            let path = match number {
                1 => results.join(run_id),
                _ => results.join(format!("{run_id}-{number}")),
            };
            match fs::create_dir(&path) {
                Ok(()) => {
                    // The folder's own entry must be on the medium before the journal in it can count as safe.
                    let synced = File::open(results).and_then(|folder| folder.sync_all());
                    synced.map_err(|error| failed(&path, error))?;
                    return Ok(Self { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, error)),
            }
        }
        Err(failed(&results.join(run_id), io::Error::from(io::ErrorKind::AlreadyExists)))
    }

    /// The folder of an earlier run, named by itself or by its journal.
    ///
    /// # Errors
    ///
    /// Nothing is there, or it is no run's folder.
    pub fn find(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Io { path: path.to_owned(), action: "look at", source };
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::NotFound { path: path.to_owned() });
            }
            Err(error) => return Err(failed(error)),
        };
        if found.is_file() && path.file_name().is_some_and(|name| name == JOURNAL) {
            let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            return Ok(Self { path: folder.unwrap_or(Path::new(".")).to_owned() });
        }
        if found.is_dir() && path.join(JOURNAL).is_file() {
            return Ok(Self { path: path.to_owned() });
        }
        let runs_inside = if found.is_dir() { runs_inside(path).map_err(failed)? } else { Vec::new() };
        Err(StoreError::NotAResult { path: path.to_owned(), runs_inside })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run's name: that of the folder.
    pub fn run_id(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Where the events are: `journal.jsonl`.
    pub fn journal_path(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// Where the plan is as it was used: `plan.kdl`.
    pub fn plan_path(&self) -> PathBuf {
        self.path.join(PLAN)
    }

    /// Where the facts are: `facts.json`.
    pub fn facts_path(&self) -> PathBuf {
        self.path.join(FACTS)
    }

    /// Keeps the plan's text, byte for byte.
    ///
    /// # Errors
    ///
    /// The file exists, or cannot be written and synced.
    pub fn write_plan(&self, text: &str) -> Result<(), StoreError> {
        self.write_new(&self.plan_path(), text.as_bytes())
    }

    /// Keeps the texts that the plan includes below `included`, at their paths below the plan's folder.
    ///
    /// # Errors
    ///
    /// A path leads out of the folder, exists, or cannot be written and synced.
    pub fn write_included<'t>(&self, texts: impl Iterator<Item = (&'t str, &'t str)>) -> Result<(), StoreError> {
        let folder = self.path.join(INCLUDED);
        for (below, text) in texts {
            let path = folder.join(below);
            let failed = |source| StoreError::Io { path: path.clone(), action: "write", source };
            if !Path::new(below).components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(failed(io::Error::other("the path leads out of the folder")));
            }
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
            self.write_new(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// Keeps what was known of drive and machine before anything was done, for people; the journal says the same.
    ///
    /// # Errors
    ///
    /// The file exists, or cannot be written and synced.
    pub fn write_facts(&self, started: &RunStarted) -> Result<(), StoreError> {
        let path = self.facts_path();
        let mut text = match serde_json::to_string_pretty(&FactsFile::of(started)) {
            Ok(text) => text,
            Err(error) => return Err(StoreError::Io { path, action: "write", source: error.into() }),
        };
        text.push('\n');
        self.write_new(&path, text.as_bytes())
    }

    /// Removes the folder of a run that did not begin. What somebody else has put beside its files stays, and
    /// the folder with it.
    pub fn discard(self) {
        for path in [self.plan_path(), self.facts_path(), self.journal_path()] {
            // Whoever calls this has an error to tell that matters more.
            let _ = fs::remove_file(path);
        }
        let _ = fs::remove_dir_all(self.path.join(INCLUDED));
        let _ = fs::remove_dir(&self.path);
    }

    /// Folds the run's journal; true beside the record where its last line was cut off and left out.
    ///
    /// # Errors
    ///
    /// The journal cannot be read, or is not one.
    pub fn read_record(&self) -> Result<(RunRecord, bool), StoreError> {
        let path = self.journal_path();
        match File::open(&path).map_err(JournalError::from).and_then(|file| replay(BufReader::new(file))) {
            Ok(read) => Ok(read),
            Err(source) => Err(StoreError::Journal { path, source }),
        }
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|source| StoreError::Io { path: path.to_owned(), action: "write", source })
    }
}

/// The runs below a folder by name, the latest first, as far as their names' dates tell.
fn runs_inside(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().join(JOURNAL).is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable_by(|a, b| b.cmp(a));
    Ok(names)
}

/// `facts.json`.
#[derive(Serialize)]
struct FactsFile<'a> {
    format: FormatVersion,
    run_id: &'a str,
    tool_version: &'a str,
    started_at: &'a str,
    plan_sha256: &'a str,
    changed_params: &'a [String],
    role: &'a str,
    target: &'a Facts,
    is_direct: bool,
    is_scratch: bool,
    is_simulated: bool,
    host: &'a HostFacts,
    cpus: &'a [usize],
    clock_read_ns: u64,
}

impl<'a> FactsFile<'a> {
    fn of(started: &'a RunStarted) -> Self {
        Self {
            format: started.format,
            run_id: &started.run_id,
            tool_version: &started.tool_version,
            started_at: &started.started_at,
            plan_sha256: &started.plan_sha256,
            changed_params: &started.changed_params,
            role: &started.role,
            target: &started.target,
            is_direct: started.is_direct,
            is_scratch: started.is_scratch,
            is_simulated: started.is_simulated,
            host: &started.host,
            cpus: &started.cpus,
            clock_read_ns: started.clock_read_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_by_date_plan_and_target() {
        assert_eq!(run_id("2026-11-30", "sr-fio-ri-2017", "S3610-0042"), "2026-11-30-sr-fio-ri-2017-S3610-0042");
    }

    #[test]
    fn a_name_is_safe_whatever_goes_in() {
        assert_eq!(run_id("2026-11-30", "../../etc", "/dev/sd b"), "2026-11-30-etc-dev-sd-b");
        assert_eq!(run_id("", "…", " "), "undated-plan-target");
        let long = run_id("2026-11-30", &"p".repeat(500), &"s".repeat(500));
        assert!(long.len() <= 120, "{long}");
        assert_eq!(safe("a\0b\nc:d*e", 99, "x"), "a-b-c-d-e");
    }

    #[test]
    fn a_second_run_gets_a_number_and_nothing_is_overwritten() {
        let results = tempfile::tempdir().expect("a folder");
        let below = results.path().join("deep/results");
        let names: Vec<_> =
            (0..3).map(|_| ResultFolder::create(&below, "a").expect("room for more").run_id()).collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
        let first = ResultFolder { path: below.join("a") };
        first.write_plan("plan \"x\"").expect("a new file");
        assert!(matches!(first.write_plan("other"), Err(StoreError::Io { action: "write", .. })));
        assert_eq!(fs::read_to_string(first.plan_path()).expect("kept"), "plan \"x\"");
    }

    #[test]
    fn included_texts_keep_their_paths_and_none_leaves_the_folder() {
        let results = tempfile::tempdir().expect("a folder");
        let folder = ResultFolder::create(results.path(), "a").expect("made");
        folder.write_included([("w.kdl", "w"), ("deep/er/v.kdl", "v")].into_iter()).expect("new files");
        let kept = |path: &str| fs::read_to_string(folder.path().join("included").join(path)).expect("kept");
        assert_eq!((kept("w.kdl"), kept("deep/er/v.kdl")), ("w".into(), "v".into()));
        for path in ["../x.kdl", "deep/../../x.kdl", "/tmp/x.kdl", "w.kdl"] {
            let written = folder.write_included([(path, "x")].into_iter());
            assert!(matches!(written, Err(StoreError::Io { action: "write", .. })), "{path}");
        }
        assert_eq!(kept("w.kdl"), "w");
        let path = folder.path().to_owned();
        folder.discard();
        assert!(!path.exists());
    }

    #[test]
    fn finds_a_run_by_folder_or_journal() {
        let results = tempfile::tempdir().expect("a folder");
        let made = ResultFolder::create(results.path(), "2026-11-30-a").expect("made");
        let other = ResultFolder::create(results.path(), "2026-11-29-b").expect("made");
        for folder in [&made, &other] {
            fs::write(folder.journal_path(), "").expect("writes");
        }
        assert_eq!(ResultFolder::find(made.path()).expect("a run"), made);
        assert_eq!(ResultFolder::find(&made.journal_path()).expect("a run"), made);

        let error = ResultFolder::find(results.path()).expect_err("holds runs, is none");
        assert_eq!(error.code(), "result/no-run");
        let help = error.help().expect("names one");
        assert!(help.ends_with("2026-11-30-a"), "{help}");

        let error = ResultFolder::find(&results.path().join("nowhere")).expect_err("not there");
        assert_eq!((error.code(), error.help().is_some()), ("result/not-found", true));
        let plan = made.plan_path();
        fs::write(&plan, "").expect("writes");
        assert_eq!(ResultFolder::find(&plan).expect_err("a file, but no journal").code(), "result/no-run");
    }

    #[test]
    fn an_empty_journal_is_said_to_be_empty() {
        let results = tempfile::tempdir().expect("a folder");
        let made = ResultFolder::create(results.path(), "a").expect("made");
        fs::write(made.journal_path(), "").expect("writes");
        assert_eq!(made.read_record().expect_err("no event").code(), "journal/empty");
    }
}
