use std::path::{Path, PathBuf};

use super::args::{DiffArgs, DiffFormat, OutputArgs};
use super::plan_folder::PlanFolder;
use super::{Outcome, Screen, plan_text};
use crate::diff::{self, Difference, Named};
use crate::lang::{self, Document};
use crate::plan::{self, FileKind, Plan};

/// `shakedown diff OLD NEW`
pub(super) fn diff(args: &DiffArgs, screen: &Screen) -> Outcome {
    let done = if args.git { try_git(args, screen) } else { try_diff(args, screen) };
    done.unwrap_or_else(|outcome| outcome)
}

fn try_diff(args: &DiffArgs, screen: &Screen) -> Result<Outcome, Outcome> {
    let [old, new] = args.files.as_slice() else {
        screen.complain("error: diff takes two plans, the old one and the new one");
        screen.complain("  help: git calls with more arguments; that form is `shakedown diff --git`");
        return Err(Outcome::WrongCommandLine);
    };
    if old == "-" && new == "-" {
        screen.complain("error: only one of the two plans can come from standard input");
        return Err(Outcome::WrongCommandLine);
    }
    let side = |file: &str| {
        let path = PathBuf::from(file);
        // What comes from standard input has the folder that it would have in the working tree.
        let place = args.path.clone().filter(|_| file == "-").unwrap_or_else(|| path.clone());
        let name = if file == "-" { "standard input".to_string() } else { file.to_string() };
        Side { name, place, path }
    };
    let (old, new) = (side(old), side(new));
    let both = (load(&old, args, screen), load(&new, args, screen));
    // Both are read first, so that mistakes of both are shown.
    let (old_plan, new_plan) = (both.0?, both.1?);
    let (Kind::Plan(old_plan), Kind::Plan(new_plan)) = (old_plan, new_plan) else {
        screen.complain("error: diff compares plans, and one of the two files is none");
        screen.complain("  help: compare two plans that include it");
        return Err(Outcome::PlanRefused);
    };
    let found =
        diff::difference(Named { name: &old.name, plan: &old_plan }, Named { name: &new.name, plan: &new_plan });
    show(&found, args.format, &args.output, screen)?;
    Ok(if found.is_same_method() { Outcome::Done } else { Outcome::LimitFailed })
}

/// A plan of the command line.
struct Side {
    /// As messages call it.
    name: String,
    /// The file that it is in the working tree, for what it includes.
    place: PathBuf,
    /// The file that is read.
    path: PathBuf,
}

/// What a file is.
enum Kind {
    Plan(Box<Plan>),
    /// Definitions, a rig or the like.
    Other,
}

/// Reads a plan; shows what is wrong with it and on which side.
fn load(side: &Side, args: &DiffArgs, screen: &Screen) -> Result<Kind, Outcome> {
    let bytes = plan_text::read_bytes(&side.path).map_err(|(line, outcome)| {
        screen.complain(&line);
        outcome
    })?;
    let refused = |found| {
        screen.show(&found);
        Outcome::PlanRefused
    };
    let source = lang::decode(&side.name, &bytes).map_err(refused)?;
    let document: Document = lang::read(&source).map_err(refused)?;
    if FileKind::of(&document) != FileKind::Plan {
        return Ok(Kind::Other);
    }
    let sets: Vec<(String, String)> = args.set.set.clone();
    let loaded = plan::load_document(document, &sets, &PlanFolder::of(&side.place));
    match loaded.plan {
        Some(plan) if !loaded.diagnostics.has_errors() => Ok(Kind::Plan(Box::new(plan))),
        _ => Err(refused(loaded.diagnostics)),
    }
}

fn show(found: &Difference, format: DiffFormat, output: &OutputArgs, screen: &Screen) -> Result<(), Outcome> {
    let text = match format {
        DiffFormat::Text => diff::text(found, screen.width()),
        DiffFormat::Markdown => diff::markdown(found),
        DiffFormat::Json => diff::json(found),
    };
    screen.print(&text, output)
}

/// As git calls an external diff: the path, then file, name of the blob and mode of the old and of the new side; behind
/// that for a renamed file its new path and what git says of it. For a file in conflict the path alone.
///
/// Ends with 0 whatever differs, for git takes anything else as a failure and shows nothing more.
fn try_git(args: &DiffArgs, screen: &Screen) -> Result<Outcome, Outcome> {
    let words: Vec<&str> = args.files.iter().map(String::as_str).collect();
    let (path, old_file, new_file, new_path) = match words.as_slice() {
        [path] => return said(&format!("{path}: in conflict, so there is nothing to compare\n"), args, screen),
        [path, old_file, _, _, new_file, _, _] => (path, old_file, new_file, path),
        [path, old_file, _, _, new_file, _, _, new_path, ..] => (path, old_file, new_file, new_path),
        _ => {
            screen.complain("error: --git takes what git gives an external diff: 7 arguments, 9 for a renamed file");
            screen.complain(
                "  help: see \"Reviewing plans\" in the book for the lines in .gitattributes and git's config",
            );
            return Err(Outcome::WrongCommandLine);
        }
    };
    let side = |prefix: &str, path: &str, file: &str| Side {
        name: format!("{prefix}/{path}"),
        place: PathBuf::from(path),
        path: PathBuf::from(file),
    };
    let heading = format!("diff --shakedown a/{path} b/{new_path}\n");
    let lone = [(old_file, "new"), (new_file, "deleted")]
        .into_iter()
        .find(|(file, _)| Path::new(file) == Path::new("/dev/null"));
    let (old, new) = (side("a", path, old_file), side("b", new_path, new_file));
    if let Some((_, what)) = lone {
        let side = if what == "new" { &new } else { &old };
        let says = match load(side, args, screen) {
            Ok(Kind::Plan(plan)) => format!("{what} plan, method {}\n", plan::method::fingerprint(&plan)),
            Ok(Kind::Other) => format!("{what} file, no plan\n"),
            Err(_) => format!("{what} file that is no sound plan\n"),
        };
        return said(&format!("{heading}{says}"), args, screen);
    }
    let says = match (load(&old, args, screen), load(&new, args, screen)) {
        (Ok(Kind::Plan(old_plan)), Ok(Kind::Plan(new_plan))) => {
            let found = diff::difference(
                Named { name: &old.name, plan: &old_plan },
                Named { name: &new.name, plan: &new_plan },
            );
            match args.format {
                DiffFormat::Text => diff::text(&found, screen.width()),
                DiffFormat::Markdown => diff::markdown(&found),
                DiffFormat::Json => diff::json(&found),
            }
        }
        (Ok(_), Ok(_)) => "no plan, so there is no method to compare; see the plans that include it\n".into(),
        (old, _) => {
            let which = if old.is_err() { "old" } else { "new" };
            format!("the {which} plan is refused, so there is no method to compare\n")
        }
    };
    said(&format!("{heading}{says}"), args, screen)
}

fn said(text: &str, args: &DiffArgs, screen: &Screen) -> Result<Outcome, Outcome> {
    screen.print(text, &args.output)?;
    Ok(Outcome::Done)
}
