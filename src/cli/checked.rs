//! One file of a check: what it is, what is wrong with it, how it comes through.

use std::path::Path;

use super::args::SetArgs;
use super::plan_folder::PlanFolder;
use super::plan_text;
use crate::diag::render::{CheckedFile, FileState};
use crate::diag::{Diagnostics, Severity};
use crate::lang::{self, Document};
use crate::plan::{self, FileKind};
use crate::schedule::{self, History};
use crate::text::SourceFile;

/// Reads a file and finds everything that is wrong with it, as far as its kind is carried out.
pub(super) fn checked(path: &Path, set: &SetArgs, deny_warnings: bool) -> CheckedFile {
    let name = path.to_string_lossy().into_owned();
    let text = match plan_text::bytes(path) {
        Ok(bytes) => lang::decode(&name, &bytes),
        Err(reason) => return unreadable(name, reason),
    };
    let document = text.and_then(|source| lang::read(&source));
    let (kind, found, note) = match document {
        Err(found) => (None, found, None),
        Ok(document) => {
            let kind = FileKind::of(&document);
            let (found, note) = of_kind(kind, document, set, &PlanFolder::of(path));
            (Some(kind), found, note)
        }
    };
    let found = placed(&name, found);
    let is_refused = found.has_errors() || (deny_warnings && found.count(Severity::Warning) > 0);
    let state = match kind {
        _ if is_refused => FileState::Refused,
        Some(FileKind::Rig | FileKind::Model | FileKind::Published) => FileState::Skipped,
        _ => FileState::Sound,
    };
    let note = if is_refused { String::new() } else { note.unwrap_or_default() };
    CheckedFile { name, kind: kind.map(FileKind::word), state, note, found }
}

/// A file or folder that gives nothing to check.
pub(super) fn unreadable(name: String, reason: String) -> CheckedFile {
    CheckedFile { name, kind: None, state: FileState::Unreadable, note: reason, found: Diagnostics::without_source() }
}

/// What is found in a document, and what is said of it where that refuses nothing.
fn of_kind(kind: FileKind, document: Document, set: &SetArgs, folder: &PlanFolder) -> (Diagnostics, Option<String>) {
    let not_built = |what: &str| {
        let note = format!("{what}, which is not built yet: only its syntax was checked");
        (document.remarks.clone(), Some(note))
    };
    match kind {
        FileKind::Rig => not_built("a rig"),
        FileKind::Model => not_built("a modelled drive"),
        FileKind::Published => not_built("figures from print"),
        FileKind::Definitions => {
            (plan::check_definitions(document, folder), Some("definitions for other plans".into()))
        }
        FileKind::Plan => {
            let loaded = plan::load_document(document, &set.set, folder);
            let mut found = loaded.diagnostics;
            let note = loaded.plan.map(|plan| {
                let schedule = schedule::expand(&plan, None);
                // `found` has the text as its source, which these take over.
                found.append(plan.texts.settle(&schedule::check(&plan, &schedule, None, History::Unknown)));
                let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
                let (steps, cases) = (schedule.steps.len(), schedule.measured_cases());
                format!("{}, {}", counted(steps, "step"), counted(cases, "measured case"))
            });
            (found, note)
        }
    }
}

/// The same, each with at least the file that it is about: bytes that are no text have no place in one.
fn placed(name: &str, found: Diagnostics) -> Diagnostics {
    if found.all().iter().all(|diagnostic| diagnostic.source.is_some()) {
        return found;
    }
    let mut placed = Diagnostics::new(&SourceFile::new(name, ""));
    placed.append(found);
    placed
}
