//! Plan files checked and expanded, as `check` and `expand` do it without a drive.

use std::path::{Path, PathBuf};

use serde_json::Value;
use shakedown::diag::{Diagnostics, Severity, render};
use shakedown::plan::{self, Loader, NotLoaded, Plan};
use shakedown::report;
use shakedown::schedule::{self, History, Schedule};
use shakedown::text::SourceFile;

use super::pages::{assert_file, name, read};

/// What a plan of the repository includes, from its own folder.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The one that a plan is in.
    pub(crate) fn of(plan: &Path) -> Self {
        Self(plan.parent().expect("a folder").to_path_buf())
    }
}

impl Loader for Folder {
    fn own(&self) -> Option<String> {
        None
    }

    fn find(&self, path: &str) -> Result<String, NotLoaded> {
        let is_there = self.0.join(path).is_file();
        if is_there { Ok(path.into()) } else { Err(NotLoaded::Because("no such file".into())) }
    }

    fn read(&self, real_path: &str, _: usize) -> Result<Vec<u8>, NotLoaded> {
        Ok(std::fs::read(self.0.join(real_path)).expect("a file that was found"))
    }
}

/// What became of a plan file.
pub(crate) struct Checked {
    /// The file, below the repository.
    pub(crate) name: String,
    found: Diagnostics,
    /// The plan and its schedule, where nothing refuses it.
    pub(crate) sound: Option<(Plan, Schedule)>,
}

/// Reads, checks and expands a plan.
pub(crate) fn checked(file: &Path) -> Checked {
    checked_as(file, read(file))
}

/// The same for another text in the place of the file's own.
pub(crate) fn checked_as(file: &Path, text: String) -> Checked {
    checked_with(SourceFile::new(name(file), text), &Folder::of(file))
}

/// The same for a text that stands in no file.
pub(crate) fn checked_text(text: SourceFile) -> Checked {
    checked_with(text, &plan::NoFiles)
}

fn checked_with(text: SourceFile, loader: &dyn Loader) -> Checked {
    let name = text.name().to_string();
    let loaded = plan::load_with(&text, &[], loader);
    let mut found = loaded.diagnostics;
    let mut sound = None;
    if let Some(plan) = loaded.plan {
        let mut schedule = schedule::expand(&plan, None);
        for step in &mut schedule.steps {
            // As `expand` shows them: places of the plan's own file.
            step.place = plan.texts.in_plan(step.place);
        }
        found.append(plan.texts.settle(&schedule::check(&plan, &schedule, None, History::Unknown)));
        sound = (!found.has_errors()).then_some((plan, schedule));
    }
    Checked { name, found, sound }
}

impl Checked {
    /// The codes of everything that was found, or of one weight, from top to bottom.
    pub(crate) fn codes(&self, severity: Option<Severity>) -> Vec<&'static str> {
        let is_kept = |of: Severity| severity.is_none_or(|severity| of == severity);
        let kept = self.found.ordered().into_iter().filter(|finding| is_kept(finding.severity));
        kept.map(|finding| finding.code.id()).collect()
    }

    /// Everything that was found, a line each with its place.
    pub(crate) fn findings(&self) -> String {
        let file = render::CheckedFile::new(&self.name, self.found.clone());
        let document: Value = serde_json::from_str(&render::json(&[file])).expect("JSON");
        let all = document["diagnostics"].as_array().expect("a list");
        let said = |of: &Value, key: &str| of[key].as_str().expect("a text").to_string();
        let line = |finding: &Value| {
            let file = said(finding, "file");
            let file = file.rsplit('/').next().unwrap_or(&file);
            let [severity, code, message] = ["severity", "code", "message"].map(|key| said(finding, key));
            format!("{file}:{}: {severity}[{code}]: {message}\n", finding["line"])
        };
        all.iter().map(line).collect()
    }

    /// Asserts that the expansion is the known one, as text and as JSON in the files of this stem.
    pub(crate) fn assert_expansion(&self, stem: &Path) {
        let (_, schedule) = self.sound.as_ref().expect("a plan without errors");
        let text = report::schedule_text(schedule, None, 80);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{}: wider than 80 columns: {line}", self.name);
        }
        assert_file(&text, &stem.with_extension("txt"));
        assert_file(&report::schedule_json(schedule, None), &stem.with_extension("json"));
    }
}
