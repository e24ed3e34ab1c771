//! Plans that are accepted, and what is known of them: spelled out they are plans again and mean the same.

use std::fs;
use std::path::{Path, PathBuf};

use shakedown::plan::{self, Loaded, Plan};
use shakedown::text::SourceFile;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "kdl"));
    files.sort();
    assert!(!files.is_empty(), "no plans in {}", folder.display());
    files
}

fn load(name: &str, text: &str) -> Loaded {
    plan::load(&SourceFile::new(name, text), &[])
}

fn accepted(path: &Path) -> Plan {
    let text = fs::read_to_string(path).expect("the plan is readable");
    let loaded = load("plan.kdl", &text);
    let said: Vec<String> = loaded.diagnostics.all().iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    assert!(said.is_empty(), "{}: {said:?}", path.display());
    loaded.plan.expect("a plan without a diagnostic is accepted")
}

/// The text without comments at line ends and without lines of comments: what a second spelling must agree on.
fn meaning(spelled: &str) -> String {
    let lines = spelled.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.split("    // default").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn accepted_plans_draw_no_diagnostic_and_spell_to_themselves() {
    for path in files("tests/accepted") {
        let spelled = plan::spell(&accepted(&path));
        let again = load("spelled.kdl", &spelled);
        let said: Vec<String> = again.diagnostics.all().iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
        assert!(said.is_empty(), "{}: {said:?}\n{spelled}", path.display());
        let again = plan::spell(&again.plan.expect("accepted"));
        // Two blank lines may meet where the lines about parameters were.
        let squeezed = |text: &str| meaning(text).replace("\n\n\n", "\n\n");
        assert_eq!(squeezed(&spelled), squeezed(&again), "{}", path.display());
    }
}

#[test]
fn the_plans_of_the_language_page_meet_only_what_is_not_built_yet() {
    for path in files("tests/fixtures/plan-language") {
        let text = fs::read_to_string(&path).expect("the plan is readable");
        let loaded = load("plan.kdl", &text);
        let codes: Vec<&str> = loaded.diagnostics.all().iter().map(|diagnostic| diagnostic.code.id()).collect();
        assert_eq!(loaded.plan.is_none(), codes.contains(&"name/not-built-yet"), "{}: {codes:?}", path.display());
        for code in codes {
            assert!(matches!(code, "name/not-built-yet" | "engine/not-built"), "{}: {code}", path.display());
        }
    }
}
