//! Every plan that is shipped is sound, and what it expands to is known: `SNAPSHOTS=overwrite cargo test shipped`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shakedown::diag::Severity;

use crate::support::pages::{collect, name, read, root};
use crate::support::plans::checked;
use crate::support::trial::Trial;

/// The one that is there to be refused, and what for, from top to bottom.
const MISTAKES: (&str, &[&str]) =
    ("examples/mistakes.kdl", &["workload/unused", "unit/ambiguous", "workload/undefined", "name/unknown-node"]);

/// Pieces that several plans include; none is a plan of its own.
const COMMON: &str = "plans/common/";

/// `plans` and `examples`, without the one of mistakes.
fn shipped() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["plans", "examples"] {
        let before = files.len();
        collect(&root().join(folder), "kdl", &mut files);
        assert!(files.len() > before, "no plans in {folder}");
    }
    files.retain(|file| name(file) != MISTAKES.0 && !name(file).starts_with(COMMON));
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
        assert!(checked.sound.is_some(), "{}", checked.findings());
        let mut warnings = checked.codes(Some(Severity::Warning));
        // It can be checked and expanded; that a run is refused is said.
        warnings.retain(|code| *code != "engine/not-built");
        assert_eq!(warnings, [""; 0], "{}", checked.name);
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
        let (plan, _) = checked(&file).sound.expect("every plan is sound");
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        assert_eq!(plan.header.name.value, stem, "a plan is named as its file");
        assert!(plan.header.title.is_some() && plan.header.revision.is_some(), "{stem}");
    }
}

#[test]
fn a_plan_that_follows_another_says_so_and_what_was_never_published() {
    for file in shipped().iter().filter(|file| name(file).starts_with("plans/")) {
        let Some((plan, _)) = checked(file).sound else { continue };
        let (header, name) = (&plan.header, name(file));
        let Some(source) = &header.source else {
            assert!(header.note.is_none(), "{name}: a note on values of which source?");
            continue;
        };
        let title = header.title.as_deref().unwrap_or_default();
        let lab = source.split([',', ' ']).next().expect("a word");
        assert!(!title.contains(lab) || title.contains("after ") || title.contains("After "), "{name}: {title}");
        assert!(!title.to_lowercase().contains("conform"), "{name}: {title}");
        assert!(header.note.is_some(), "{name}: what is not published?");
    }
}

#[test]
fn every_common_piece_is_there_and_included() {
    let mut pieces = Vec::new();
    collect(&root().join(COMMON), "kdl", &mut pieces);
    let pieces: BTreeSet<String> = pieces.iter().map(|file| name(file)).collect();
    let mut included = BTreeSet::new();
    for file in shipped() {
        let text = read(&file);
        let paths = text.lines().filter_map(|line| line.strip_prefix("include \"")?.strip_suffix('"'));
        included.extend(paths.map(|path| name(&file.with_file_name(path))));
    }
    assert_eq!(pieces, included);
}

#[test]
fn every_plan_and_every_piece_stands_in_the_one_layout() {
    let arguments =
        ["fmt", "--check"].map(PathBuf::from).into_iter().chain(["plans", "examples"].map(|f| root().join(f)));
    assert_eq!(Trial::new().call(arguments).exits(0).stdout, "");
}
