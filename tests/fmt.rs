//! `shakedown fmt`: what it rewrites, what it leaves alone, how it ends.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;

use crate::support::trial::{Said, Trial};

const UNTIDY: &str =
    "// a plan\nplan \"p\" {\n  revision 1; // first\n\n\n}\n\n\ntest \"t\" { idle \"1s\" } /* end */\n";
const TIDY: &str = "// a plan\nplan \"p\" {\n    revision 1 // first\n}\n\ntest \"t\" { idle \"1s\"; } /* end */\n";
const REFUSED: &str = "plan \"p\" {\n  revision 0x\n}\n";

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is there")
}

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn with_stdin(trial: &Trial, arguments: &[&str], input: &str) -> Said {
    let mut child = trial
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("the program reads");
    drop(stdin);
    Said::from(child.wait_with_output().expect("the program ends"))
}

#[test]
fn a_plan_is_rewritten_once_and_named() {
    let trial = Trial::new().plan(UNTIDY);
    let said = trial.call(["fmt", "plan.kdl"]).exits(0);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", "plan.kdl: formatted\n"));
    assert_eq!(text(&trial.path("plan.kdl")), TIDY);
    let inode = fs::metadata(trial.path("plan.kdl")).expect("a file").ino();
    let said = trial.call(["fmt", "plan.kdl"]).exits(0);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", ""));
    assert_eq!(fs::metadata(trial.path("plan.kdl")).expect("a file").ino(), inode, "a tidy file is not written");
    assert_eq!(names(&trial.path("")), ["plan.kdl"], "nothing is left beside it");
}

#[test]
fn check_lists_what_would_change_and_writes_nothing() {
    let trial = Trial::new().plan(UNTIDY).file("tidy.kdl", TIDY.as_bytes());
    let said = trial.call(["fmt", "--check", "plan.kdl", "tidy.kdl"]).exits(1);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("plan.kdl\n", ""));
    assert_eq!(text(&trial.path("plan.kdl")), UNTIDY);
    let said = trial.call(["fmt", "--check", "tidy.kdl"]).exits(0);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", ""));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let trial = Trial::new();
    let said = with_stdin(&trial, &["fmt", "-"], UNTIDY).exits(0);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), (TIDY, ""));
    assert_eq!(with_stdin(&trial, &["fmt", "-"], TIDY).exits(0).stdout, TIDY);
    assert_eq!(with_stdin(&trial, &["fmt", "--check", "-"], UNTIDY).exits(1).stdout, "-\n");
    assert_eq!(with_stdin(&trial, &["fmt", "--check", "-"], TIDY).exits(0).stdout, "");
    let said = with_stdin(&trial, &["fmt", "-"], REFUSED).exits(1);
    assert_eq!(said.stdout, "");
    assert!(said.stderr.contains("-:2:"), "{}", said.stderr);
}

#[test]
fn a_folder_means_all_plans_in_it() {
    let trial = Trial::new();
    fs::create_dir_all(trial.path("plans/common/.git")).expect("a folder");
    fs::create_dir(trial.path("empty")).expect("a folder");
    for name in ["plans/a.kdl", "plans/common/b.kdl", "plans/common/.git/c.kdl", "plans/note.txt"] {
        fs::write(trial.path(name), UNTIDY).expect("a file");
    }
    fs::write(trial.path("plans/tidy.kdl"), TIDY).expect("a file");
    let said = trial.call(["fmt", "--check", "plans"]).exits(1);
    assert_eq!(said.stdout, "plans/a.kdl\nplans/common/b.kdl\n");
    let said = trial.call(["fmt", "plans"]).exits(0);
    assert_eq!(said.stderr, "plans/a.kdl: formatted\nplans/common/b.kdl: formatted\n");
    for (name, expected) in [
        ("plans/a.kdl", TIDY),
        ("plans/common/b.kdl", TIDY),
        ("plans/common/.git/c.kdl", UNTIDY),
        ("plans/note.txt", UNTIDY),
    ] {
        assert_eq!(text(&trial.path(name)), expected, "{name}");
    }
    let said = trial.call(["fmt", "empty"]).exits(2);
    assert!(said.stderr.contains("empty: no file in this folder ends in .kdl"), "{}", said.stderr);
}

#[test]
fn a_text_with_mistakes_is_refused_and_left_alone() {
    let trial = Trial::new().plan(UNTIDY).file("bad.kdl", REFUSED.as_bytes());
    let said = trial.call(["fmt", "bad.kdl", "plan.kdl"]).exits(1);
    assert!(said.stderr.contains("error[") && said.stderr.contains("bad.kdl:2:"), "{}", said.stderr);
    assert_eq!(text(&trial.path("bad.kdl")), REFUSED);
    assert_eq!(text(&trial.path("plan.kdl")), TIDY, "the others are formatted all the same");
    let latin = Trial::new().file("plan.kdl", b"plan \"caf\xe9\" {  }");
    let said = latin.call(["fmt", "plan.kdl"]).exits(1);
    assert!(said.stderr.contains("UTF-8"), "{}", said.stderr);
    assert_eq!(fs::read(latin.path("plan.kdl")).expect("a file"), b"plan \"caf\xe9\" {  }");
}

#[test]
fn what_is_no_file_ends_with_2() {
    let trial = Trial::new().plan(UNTIDY);
    let said = trial.call(["fmt", "missing.kdl", "plan.kdl"]).exits(2);
    assert!(said.stderr.contains("missing.kdl: no such file"), "{}", said.stderr);
    assert_eq!(text(&trial.path("plan.kdl")), TIDY, "the others are formatted all the same");
    let said = trial.call(["fmt", "/dev/null"]).exits(2);
    assert!(said.stderr.contains("/dev/null: is no plain file"), "{}", said.stderr);
    trial.call(["fmt"]).exits(2);
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let trial = Trial::new().plan(UNTIDY);
    fs::set_permissions(trial.path("plan.kdl"), fs::Permissions::from_mode(0o444)).expect("a mode");
    let said = trial.call(["fmt", "plan.kdl"]).exits(2);
    assert!(said.stderr.contains("plan.kdl could not be written: the file is read-only"), "{}", said.stderr);
    assert_eq!(text(&trial.path("plan.kdl")), UNTIDY);
    assert_eq!(names(&trial.path("")), ["plan.kdl"]);
    trial.call(["fmt", "--check", "plan.kdl"]).exits(1);
}

#[test]
fn mode_and_links_are_kept() {
    let trial = Trial::new().plan(UNTIDY);
    fs::set_permissions(trial.path("plan.kdl"), fs::Permissions::from_mode(0o640)).expect("a mode");
    fs::create_dir(trial.path("elsewhere")).expect("a folder");
    symlink("../plan.kdl", trial.path("elsewhere/link.kdl")).expect("a link");
    let said = trial.call(["fmt", "elsewhere/link.kdl"]).exits(0);
    assert_eq!(said.stderr, "elsewhere/link.kdl: formatted\n");
    assert_eq!(text(&trial.path("plan.kdl")), TIDY);
    let metadata = fs::metadata(trial.path("plan.kdl")).expect("a file");
    assert_eq!(metadata.permissions().mode() & 0o7777, 0o640);
    assert_eq!(fs::read_link(trial.path("elsewhere/link.kdl")).expect("still a link"), Path::new("../plan.kdl"));
    assert_eq!(names(&trial.path("elsewhere")), ["link.kdl"]);
}

#[test]
fn a_mark_and_foreign_line_ends_go() {
    let foreign = format!("\u{feff}{}", UNTIDY.replace('\n', "\r\n"));
    let trial = Trial::new().plan(&foreign);
    trial.call(["fmt", "plan.kdl"]).exits(0);
    assert_eq!(text(&trial.path("plan.kdl")), TIDY);
    let only_mark = Trial::new().plan(&format!("\u{feff}{TIDY}"));
    only_mark.call(["fmt", "--check", "plan.kdl"]).exits(1);
    only_mark.call(["fmt", "plan.kdl"]).exits(0);
    assert_eq!(text(&only_mark.path("plan.kdl")), TIDY);
}

#[test]
fn quiet_names_nothing_but_mistakes() {
    let trial = Trial::new().plan(UNTIDY).file("bad.kdl", REFUSED.as_bytes());
    let said = trial.call(["fmt", "-q", "plan.kdl", "bad.kdl"]).exits(1);
    assert!(!said.stderr.contains("formatted") && said.stderr.contains("bad.kdl:2:"), "{}", said.stderr);
}

#[test]
fn the_projects_own_plans_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["plans", "examples", "tests/accepted"].map(|folder| root.join(folder));
    let mut arguments = vec!["fmt".into(), "--check".into()];
    arguments.extend(folders.iter().map(|folder| folder.as_os_str().to_owned()));
    let said = Trial::new().call(arguments).exits(0);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", ""));
}
