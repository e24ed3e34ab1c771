//! Every plan that is shipped is sound, and what it expands to is known: `SNAPSHOTS=overwrite cargo test shipped`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shakedown::diag::Severity;

use crate::support::pages::{collect, name, root};
use crate::support::plans::checked;

/// The one that is there to be refused, and what for, from top to bottom.
const MISTAKES: (&str, &[&str]) =
    ("examples/mistakes.kdl", &["workload/unused", "unit/ambiguous", "workload/undefined", "name/unknown-node"]);

/// `plans` and `examples`, without the one of mistakes.
fn shipped() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["plans", "examples"] {
        let before = files.len();
        collect(&root().join(folder), "kdl", &mut files);
        assert!(files.len() > before, "no plans in {folder}");
    }
    files.retain(|file| name(file) != MISTAKES.0);
    files.sort();
    files
}

fn golden(file: &Path, ending: &str) -> PathBuf {
    let stem = name(file).replace('/', "-");
    root().join("tests/fixtures/expansions").join(Path::new(&stem).with_extension(ending))
}

#[test]
fn every_plan_is_sound_and_expands_to_what_is_known() {
    let mut known = BTreeSet::new();
    for file in shipped() {
        let checked = checked(&file);
        for severity in [Severity::Error, Severity::Warning] {
            assert_eq!(checked.codes(Some(severity)), [""; 0], "{}", checked.name);
        }
        checked.assert_expansion(&golden(&file, ""));
        known.extend([golden(&file, "txt"), golden(&file, "json")]);
    }
    let mut held = Vec::new();
    for ending in ["txt", "json"] {
        collect(&root().join("tests/fixtures/expansions"), ending, &mut held);
    }
    assert_eq!(held.into_iter().collect::<BTreeSet<_>>(), known, "an expansion belongs to no plan");
}

#[test]
fn the_example_of_mistakes_is_refused_for_exactly_those() {
    let file = root().join(MISTAKES.0);
    assert_eq!(checked(&file).codes(None), MISTAKES.1);
}

#[test]
fn every_plan_says_what_it_is_and_which_revision() {
    for file in shipped() {
        let (plan, _) = checked(&file).sound.expect("sound");
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        assert_eq!(plan.header.name.value, stem, "a plan is named as its file");
        assert!(plan.header.title.is_some() && plan.header.revision.is_some(), "{stem}");
    }
}
