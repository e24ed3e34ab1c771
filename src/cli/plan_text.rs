//! Plan files: read from disk or standard input, never more than a plan can have.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::args::{PlanArgs, SetArgs};
use super::plan_folder::PlanFolder;
use super::{Outcome, Screen};
use crate::diag::{Diagnostics, suggest};
use crate::lang;
use crate::plan::{self, Plan};
use crate::text::SourceFile;

/// A plan that can be used, with its text and what was found beside errors.
pub(super) struct LoadedPlan {
    pub(super) plan: Plan,
    pub(super) source: SourceFile,
    pub(super) found: Diagnostics,
}

/// The text of a plan file; where its bytes are no text, what is wrong with them.
///
/// # Errors
/// One line for the person and how the program ends, where there is nothing to read.
fn read(path: &Path) -> Result<Result<SourceFile, Diagnostics>, (String, Outcome)> {
    Ok(lang::decode(&path.to_string_lossy(), &read_bytes(path)?))
}

/// The bytes of a plan file as they are, or more of them than a plan may have.
///
/// # Errors
/// As of [`read`].
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, (String, Outcome)> {
    bytes(path).map_err(|reason| (format!("error: {}: {reason}", path.to_string_lossy()), Outcome::WrongCommandLine))
}

/// The same.
///
/// # Errors
/// Why there is nothing to read.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    bytes_of(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_string(),
        io::ErrorKind::IsADirectory => "is a directory; name the plan file in it".to_string(),
        io::ErrorKind::PermissionDenied => "no permission to read it".to_string(),
        _ => error.to_string(),
    })
}

/// One byte more than a plan may have, so that the guard sees that it is too large without reading all of it.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let limit = lang::BYTES_AT_MOST as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads and checks a plan; shows what is wrong with it.
pub(super) fn load(path: &Path, set: &SetArgs, screen: &Screen) -> Result<LoadedPlan, Outcome> {
    let text = read(path).map_err(|(line, outcome)| {
        screen.complain(&line);
        outcome
    })?;
    let source = text.map_err(|found| {
        screen.show(&found);
        Outcome::PlanRefused
    })?;
    let loaded = plan::load_with(&source, &set.set, &PlanFolder::of(path));
    match loaded.plan {
        Some(plan) if !loaded.diagnostics.has_errors() => Ok(LoadedPlan { plan, source, found: loaded.diagnostics }),
        _ => {
            screen.show(&loaded.diagnostics);
            Err(Outcome::PlanRefused)
        }
    }
}

/// The same for what a run or an expansion takes of the plan: the tests that were asked for, or all.
pub(super) fn load_chosen(args: &PlanArgs, screen: &Screen) -> Result<LoadedPlan, Outcome> {
    let mut loaded = load(&args.plan, &args.set, screen)?;
    if args.tests.is_empty() {
        return Ok(loaded);
    }
    if let Err(unknown) = loaded.plan.keep_tests(&args.tests) {
        screen.complain(&format!("error: the plan has no test {unknown:?}"));
        let names: Vec<&str> = loaded.plan.tests.iter().map(|test| test.name.value.as_str()).collect();
        let help = match suggest::nearest(&unknown, names.iter().copied()) {
            Some(meant) => format!("did you mean {meant:?}?"),
            None => format!("its tests are {}", names.join(", ")),
        };
        screen.complain(&format!("  help: {help}"));
        return Err(Outcome::WrongCommandLine);
    }
    Ok(loaded)
}
