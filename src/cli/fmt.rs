use std::path::Path;

use super::args::{FmtArgs, OutputArgs};
use super::plan_files::plan_files;
use super::{Outcome, Screen, plan_text, replace};
use crate::lang;

/// What was found about one plan.
enum Found {
    /// It is in the one layout already, or now.
    Tidy,
    /// `--check` found it in another layout.
    Untidy,
    /// It is no KDL; it was told why.
    Refused,
    /// It cannot be read or written; it was told why.
    Unusable,
}

/// `shakedown fmt PLAN…`
pub(super) fn fmt(args: &FmtArgs, screen: &Screen) -> Outcome {
    let (files, failed) = plan_files(&args.plans);
    for (folder, reason) in &failed {
        screen.complain(&format!("error: {}: {reason}", folder.display()));
    }
    let mut outcome = if failed.is_empty() { Outcome::Done } else { Outcome::WrongCommandLine };
    let mut untidy = String::new();
    for path in &files {
        match one(path, args.check, screen) {
            Ok(Found::Tidy) => {}
            Ok(Found::Untidy) => {
                untidy.push_str(&path.to_string_lossy());
                untidy.push('\n');
                outcome = graver(outcome, Outcome::PlanRefused);
            }
            Ok(Found::Refused) => outcome = graver(outcome, Outcome::PlanRefused),
            Ok(Found::Unusable) => outcome = Outcome::WrongCommandLine,
            // Standard output is gone; nobody is left to be told about the rest.
            Err(ended) => return ended,
        }
    }
    if untidy.is_empty() {
        return outcome;
    }
    screen.print(&untidy, &OutputArgs { output: None }).err().unwrap_or(outcome)
}

/// A file that cannot be used weighs more than a plan that is refused.
fn graver(outcome: Outcome, other: Outcome) -> Outcome {
    if outcome == Outcome::Done { other } else { outcome }
}

fn one(path: &Path, only_check: bool, screen: &Screen) -> Result<Found, Outcome> {
    let is_stdin = path == Path::new("-");
    if !is_stdin && path.exists() && !path.is_file() {
        screen.complain(&format!("error: {}: is no plain file", path.display()));
        return Ok(Found::Unusable);
    }
    let bytes = match plan_text::read_bytes(path) {
        Ok(bytes) => bytes,
        Err((line, _)) => {
            screen.complain(&line);
            return Ok(Found::Unusable);
        }
    };
    let formatted = lang::decode(&path.to_string_lossy(), &bytes).and_then(|source| lang::format(&source));
    let text = match formatted {
        Ok(text) => text,
        Err(found) => {
            screen.show(&found);
            return Ok(Found::Refused);
        }
    };
    let is_tidy = text.as_bytes() == bytes;
    if only_check {
        return Ok(if is_tidy { Found::Tidy } else { Found::Untidy });
    }
    if is_stdin {
        return screen.print(&text, &OutputArgs { output: None }).map(|()| Found::Tidy);
    }
    if is_tidy {
        return Ok(Found::Tidy);
    }
    if let Err(error) = replace::replace(path, &text) {
        screen.complain(&format!("error: {} could not be written: {error}", path.display()));
        return Ok(Found::Unusable);
    }
    screen.say(&format!("{}: formatted", path.display()));
    Ok(Found::Tidy)
}
