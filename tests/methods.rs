//! Thirteen methods from print, written in the plan language: what the language must be able to say.
//!
//! Nothing refuses them. Beside each plan in `tests/fixtures/methods` lies what the checker remarks on (`NAME.found`), and
//! its expansion as text and JSON. `SNAPSHOTS=overwrite cargo test methods` writes them anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shakedown::plan;
use shakedown::text::SourceFile;

use crate::support::pages::{assert_file, collect, name, root};
use crate::support::plans::{checked, checked_text};
use crate::support::trial::Trial;

fn folder() -> PathBuf {
    root().join("tests/fixtures/methods")
}

fn methods() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&folder(), "kdl", &mut files);
    files.sort();
    let numbers: Vec<String> = files.iter().map(|file| stem(file)[..3].to_string()).collect();
    assert_eq!(numbers, (1..=13).map(|number| format!("m{number:02}")).collect::<Vec<_>>());
    files
}

fn stem(file: &Path) -> String {
    file.file_stem().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn each_draws_what_is_known_and_expands_to_what_is_known() {
    let mut known = BTreeSet::new();
    for file in methods() {
        let checked = checked(&file);
        let found = file.with_extension("found");
        assert_file(&checked.findings(), &found);
        known.extend([file.clone(), found]);
        assert!(checked.sound.is_some(), "{}", checked.findings());
        let expansion = folder().join(stem(&file));
        checked.assert_expansion(&expansion);
        known.extend([expansion.with_extension("txt"), expansion.with_extension("json")]);
    }
    let mut held = Vec::new();
    for ending in ["kdl", "found", "txt", "json"] {
        collect(&folder(), ending, &mut held);
    }
    assert_eq!(held.into_iter().collect::<BTreeSet<_>>(), known, "a file belongs to no method, or is missing");
}

#[test]
fn one_that_is_spelled_out_is_a_plan_that_spells_itself() {
    for file in methods() {
        let Some((plan, _)) = checked(&file).sound else { continue };
        let once = plan::spell(&plan);
        let again = checked_text(SourceFile::new("spelled.kdl", once.clone()));
        let (plan, _) = again.sound.as_ref().unwrap_or_else(|| panic!("{}: {}", name(&file), again.findings()));
        let twice = plan::spell(plan);
        let thrice = checked_text(SourceFile::new("again.kdl", twice.clone())).sound.expect("sound as before").0;
        assert_eq!(twice, plan::spell(&thrice), "{}", name(&file));
        assert_eq!(without_comments(&once), without_comments(&twice), "{}", name(&file));
    }
}

/// A spelled plan without what it says of defaults and parameters, which stand in the text once it is spelled.
fn without_comments(spelled: &str) -> String {
    let lines = spelled.lines().map(|line| line.split("    // ").next().unwrap_or(line));
    lines.filter(|line| !line.trim().is_empty() && !line.starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_stands_in_the_one_layout() {
    let arguments = ["fmt", "--check"].map(PathBuf::from).into_iter().chain(methods());
    assert_eq!(Trial::new().call(arguments).exits(0).stdout, "");
}
