//! Every diagnostic as people see it: one folder for each code, with the plan that raises it, what that
//! includes, and the text that is shown.
//!
//! `tests/refusals/<area>-<slug>/plan.kdl` and `expected.txt`; `SNAPSHOTS=overwrite cargo test refusals` writes the latter.

use std::fs;
use std::path::{Path, PathBuf};

use shakedown::diag::{Code, Diagnostics, Look, render};
use shakedown::schedule::{History, check, expand};
use shakedown::{lang, plan};

use crate::support::plans::Folder;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals")
}

fn folder_name(code: Code) -> String {
    code.id().replace('/', "-")
}

/// Everything that is said about a plan file.
fn found_in(plan: &Path) -> Diagnostics {
    let bytes = fs::read(plan).expect("the plan is readable");
    match lang::decode("plan.kdl", &bytes) {
        Ok(source) => {
            let plan::Loaded { plan, mut diagnostics } = plan::load_with(&source, &[], &Folder::of(plan));
            if let Some(plan) = plan {
                let walked = check(&plan, &expand(&plan, None), None, History::Unknown);
                diagnostics.append(plan.texts.settle(&walked));
            }
            diagnostics
        }
        Err(found) => found,
    }
}

#[test]
fn every_code_shows_what_is_expected() {
    for code in Code::all().filter(|code| code.tested_by().is_none()) {
        let folder = folder().join(folder_name(code));
        let plan = folder.join("plan.kdl");
        assert!(plan.is_file(), "{code}: {} is missing; add the plan that raises it", plan.display());
        let found = found_in(&plan);
        let codes: Vec<&str> = found.all().iter().map(|diagnostic| diagnostic.code.id()).collect();
        assert!(codes.contains(&code.id()), "{code}: its plan raises {codes:?}");
        let shown = render::text(&found, &Look::PLAIN);
        for line in shown.lines() {
            assert!(line.chars().count() <= 80, "{code}: wider than 80 columns: {line}");
        }
        snapbox::Assert::new()
            .action_env(snapbox::assert::DEFAULT_ACTION_ENV)
            .eq(shown, snapbox::Data::read_from(&folder.join("expected.txt"), None).raw());
    }
}

#[test]
fn every_refusal_is_drawn_within_the_width() {
    for code in Code::all().filter(|code| code.tested_by().is_none()) {
        let found = found_in(&folder().join(folder_name(code)).join("plan.kdl"));
        for (width, unicode) in [(40, true), (40, false), (60, true), (80, false), (120, true)] {
            let shown = render::text(&found, &Look { width, unicode, ..Look::PLAIN });
            for line in shown.lines() {
                // A word alone on its line is not broken: somebody may want to copy it.
                let is_one_word = !line.trim().contains(' ');
                assert!(
                    is_one_word || line.chars().count() <= width,
                    "{code}: wider than {width} columns: {line}\n{shown}"
                );
            }
        }
    }
}

#[test]
fn every_folder_belongs_to_a_code() {
    for entry in fs::read_dir(folder()).expect("the folder is there") {
        let name = entry.expect("a folder").file_name().to_string_lossy().into_owned();
        assert!(Code::all().any(|code| folder_name(code) == name), "{name} belongs to no code of the catalogue");
    }
}
