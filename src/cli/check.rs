use std::path::Path;

use super::args::{CheckArgs, CheckFormat};
use super::checked::{checked, unreadable};
use super::plan_files::plan_files;
use super::{Outcome, Screen};
use crate::diag::render::{self, CheckedFile, FileState};
use crate::diag::{Diagnostics, Look};

/// `shakedown check PLAN…`
pub(super) fn check(args: &CheckArgs, screen: &Screen) -> Outcome {
    let (paths, failed) = plan_files(&args.plans);
    let is_list = args.plans.len() > 1 || args.plans.iter().any(|path| path != Path::new("-") && path.is_dir());
    let folders = failed.into_iter().map(|(folder, reason)| unreadable(folder.to_string_lossy().into_owned(), reason));
    let rest = paths.iter().map(|path| checked(path, &args.set, args.deny_warnings));
    let mut teller = Teller { args, is_list, screen, told: String::new() };
    let mut files: Vec<CheckedFile> = Vec::new();
    for file in folders.chain(rest) {
        teller.file(&file);
        files.push(file);
    }
    let printed = match args.format {
        CheckFormat::Text => teller.end(&files),
        CheckFormat::Json => screen.print(&render::json(&files), &args.output),
        CheckFormat::Github => screen.print(&render::github(&files), &args.output),
        CheckFormat::Sarif => screen.print(&render::sarif(&files), &args.output),
    };
    if let Err(outcome) = printed {
        return outcome;
    }
    let any = |state| files.iter().any(|file| file.state == state);
    match (any(FileState::Unreadable), any(FileState::Refused)) {
        (true, _) => Outcome::WrongCommandLine,
        (false, true) => Outcome::PlanRefused,
        (false, false) => Outcome::Done,
    }
}

/// Tells people about one file after the other, as soon as each has been checked.
struct Teller<'a> {
    args: &'a CheckArgs,
    /// Several files, each under its own name, with a line for all at the end.
    is_list: bool,
    screen: &'a Screen,
    /// What goes to the file that was asked for.
    told: String,
}

impl Teller<'_> {
    fn file(&mut self, file: &CheckedFile) {
        if file.state == FileState::Unreadable {
            let line = format!("error: {}: {}", file.name, file.note);
            if self.args.format == CheckFormat::Text {
                self.tell(&line);
            } else {
                self.screen.complain(&line);
            }
            return;
        }
        if self.args.format != CheckFormat::Text || (self.screen.is_quiet && file.state != FileState::Refused) {
            return;
        }
        if self.is_list {
            self.tell(&heading(file, true));
            self.tell(&render::listed(&file.found, &self.look()));
        } else {
            self.tell(&render::text(&file.found, &self.look()));
            if file.state != FileState::Refused {
                self.tell(&heading(file, false));
            }
        }
    }

    /// The line for all files; hands over what was asked for as a file.
    fn end(mut self, files: &[CheckedFile]) -> Result<(), Outcome> {
        let is_sound = files.iter().all(|file| matches!(file.state, FileState::Sound | FileState::Skipped));
        if self.is_list && !(self.screen.is_quiet && is_sound) {
            self.tell(&format!("\n{}", summary(files)));
        }
        let has_errors = files.iter().any(|file| file.found.has_errors());
        if self.args.deny_warnings && !has_errors && files.iter().any(|file| file.state == FileState::Refused) {
            self.tell("refused for its warnings, as `--deny-warnings` asks");
        }
        if self.args.output.output.is_none() {
            return Ok(());
        }
        self.screen.print(&self.told, &self.args.output)
    }

    fn look(&self) -> Look {
        if self.args.output.output.is_some() { Look::PLAIN } else { self.screen.look() }
    }

    fn tell(&mut self, text: &str) {
        let text = text.trim_end_matches('\n');
        if text.is_empty() {
            return;
        }
        if self.args.output.output.is_some() {
            self.told.push_str(text);
            self.told.push('\n');
        } else {
            self.screen.complain(text);
        }
    }
}

/// A file's name and how it came through: `plan.kdl: sound; 2 steps, 1 measured case`, and with a list, what was found.
fn heading(file: &CheckedFile, with_counts: bool) -> String {
    let mut parts = vec![file.state.word().to_string()];
    parts.extend(Some(file.note.clone()).filter(|note| !note.is_empty()));
    parts.extend(file.found.counts().filter(|_| with_counts));
    format!("{}: {}", file.name, parts.join("; "))
}

/// `3 files, 2 errors, 1 warning`, and where to read on.
fn summary(files: &[CheckedFile]) -> String {
    let mut all = Diagnostics::without_source();
    for file in files {
        all.append(file.found.clone());
    }
    let mut parts = vec![format!("{} file{}", files.len(), if files.len() == 1 { "" } else { "s" })];
    for state in [FileState::Unreadable, FileState::Skipped] {
        let count = files.iter().filter(|file| file.state == state).count();
        parts.extend((count > 0).then(|| format!("{count} {}", state.word())));
    }
    format!("{}, {}", parts.join(", "), all.summary().unwrap_or_else(|| "no mistakes.".into()))
}
