//! `diff`: what differs in the method, what does not, in how many cases, and what git shows with it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::trial::{Said, Trial};

const OLD: &str = r#"
plan "study" { title "A study"; seed 1; }
device "dut" { at-most "600MB/s"; }
host { engine "sync"; }

workload "mix"   { access "random"; block-size "8KiB"; read "70%"; }
workload "reads" { access "random"; block-size "4KiB"; read "100%"; }

setup {
    fill passes=2 { block-size "128KiB"; threads 1; queue-depth 8; }
}

test "study" {
    measure "reads" as="before" { threads 1; queue-depth 1; run "1m"; }
    precondition "mix" as="condition" { threads 16; queue-depth 16; run "6h"; }
    measure "mix" {
        matrix { threads 2 4; queue-depth 2 4; }
        ramp "30s"
        run "300s"
    }
}
"#;

/// `OLD` with other words in the place of some.
fn with(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(OLD.to_string(), |text, (old, new)| {
        assert!(text.contains(old), "{old:?} does not stand in {text}");
        text.replace(old, new)
    })
}

fn diff(new: &str, further: &[&str]) -> Said {
    let trial = Trial::new().file("old.kdl", OLD.as_bytes()).file("new.kdl", new.as_bytes());
    trial.call(["diff", "old.kdl", "new.kdl"].into_iter().chain(further.iter().copied()))
}

fn document(new: &str) -> Value {
    serde_json::from_str(&diff(new, &["--format", "json"]).stdout).expect("JSON")
}

#[test]
fn another_spelling_is_no_difference() {
    let said = diff(&with(&[("\"1m\"", "\"60s\""), ("; ", ";  "), ("passes=2", "passes=2")]), &[]).exits(0);
    assert!(said.stdout.ends_with("Same method.\n"), "{}", said.stdout);
    assert!(!said.stdout.contains("60s"), "{}", said.stdout);
    assert_eq!(said.stderr, "");
}

#[test]
fn names_and_explanations_are_told_as_such() {
    let new = with(&[
        ("title \"A study\"; seed 1;", "title \"Another\"; seed 7;"),
        ("\"reads\"", "\"4k\""),
        ("as=\"condition\"", "as=\"warm-up\""),
        ("run \"6h\"", "run (published)\"6h\""),
    ]);
    let said = diff(&new, &[]).exits(0);
    for line in ["\"A study\"", "seed"] {
        assert!(said.stdout.contains(line.trim_matches('"')), "{}", said.stdout);
    }
    assert!(
        said.stdout.contains("condition → warm-up") && said.stdout.contains("chosen → published"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("Same method: only names, explanations or provenance differ."), "{}", said.stdout);
    assert_eq!(document(&new)["verdict"], "labels-differ");
}

#[test]
fn a_changed_method_is_told_in_steps_cases_hours_and_bytes() {
    let new = with(&[
        ("run \"6h\"", "run \"4h\""),
        ("run \"300s\"", "run \"120s\""),
        ("matrix { threads 2 4;", "matrix { threads 2 4 8;"),
    ]);
    let said = diff(&new, &[]).exits(5);
    let expected = "\
study
  condition  run             6h → 4h
  mix        matrix threads  2 4 → 2 4 8  6 of 6 cases
             run             5m → 2m
";
    assert!(said.stdout.contains(expected), "{}", said.stdout);
    assert!(said.stdout.contains("Less precise: 4 cases of the same load over 2m instead of 5m."), "{}", said.stdout);
    assert!(
        said.stdout.contains("Results are NOT comparable: 6 of 7 cases; the others are done as before."),
        "{}",
        said.stdout
    );
    for line in said.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let document = document(&new);
    let cases = &document["cases"];
    let count = |key: &str| cases[key].as_u64().expect("a number");
    assert_eq!(["all", "load_changed", "state_changed", "added", "removed"].map(count), [7, 4, 0, 2, 0]);
    assert_eq!(document["verdict"], "not-comparable");
    assert_ne!(document["old"]["method"]["sha256"], document["new"]["method"]["sha256"]);
}

#[test]
fn a_case_is_counted_where_only_the_state_before_it_changed() {
    let cases = |new: &str| {
        let document = document(new);
        let cases = document["cases"].clone();
        ["all", "load_changed", "state_changed", "added", "removed"].map(|key| cases[key].as_u64().expect("a number"))
    };
    // The conditioning stands behind the first measurement.
    assert_eq!(cases(&with(&[("run \"6h\"", "run \"4h\"")])), [5, 0, 4, 0, 0]);
    assert_eq!(cases(&with(&[("passes=2", "passes=3")])), [5, 0, 5, 0, 0]);
    // Reads leave the drive as it was.
    assert_eq!(cases(&with(&[("run \"1m\"", "run \"2m\"")])), [5, 1, 0, 0, 0]);
    // Writes do not: the first case that differs is another state for all behind it.
    assert_eq!(cases(&with(&[("threads 2 4", "threads 4 2")])), [5, 0, 4, 0, 0]);
    assert_eq!(
        cases(&with(&[("    measure \"reads\" as=\"before\" { threads 1; queue-depth 1; run \"1m\"; }\n", "")])),
        [4, 0, 0, 0, 1]
    );
}

#[test]
fn steps_are_found_again_by_name_and_by_content() {
    let extra = "    idle \"1m\"\n    measure \"reads\" as=\"before\"";
    let said = diff(&with(&[("    measure \"reads\" as=\"before\"", extra)]), &[]).exits(5);
    assert!(said.stdout.contains("added") && said.stdout.contains("idle"), "{}", said.stdout);
    assert!(said.stdout.contains("5 of 5 cases"), "{}", said.stdout);
    let moved = with(&[
        ("    measure \"reads\" as=\"before\" { threads 1; queue-depth 1; run \"1m\"; }\n", ""),
        (
            "        run \"300s\"\n    }\n",
            "        run \"300s\"\n    }\n    measure \"reads\" as=\"before\" { threads 1; queue-depth 1; run \"1m\"; }\n",
        ),
    ]);
    let said = diff(&moved, &[]).exits(5);
    assert!(said.stdout.contains("stands at another place"), "{}", said.stdout);
}

#[test]
fn markdown_is_for_a_review() {
    let said = diff(&with(&[("run \"6h\"", "run \"4h\"")]), &["--format", "markdown"]).exits(5);
    assert!(said.stdout.starts_with("**Results are NOT comparable: 4 of 5 cases"), "{}", said.stdout);
    assert!(said.stdout.contains("| study | condition | run | 6h → 4h |"), "{}", said.stdout);
}

#[test]
fn mistakes_are_those_of_a_side() {
    let said = diff(&with(&[("\"6h\"", "\"6x\"")]), &[]).exits(1);
    assert!(said.stderr.contains("new.kdl") && !said.stderr.contains("old.kdl"), "{}", said.stderr);
    assert_eq!(said.stdout, "");
    Trial::new().file("old.kdl", OLD.as_bytes()).call(["diff", "old.kdl", "missing.kdl"]).exits(2);
    Trial::new().file("old.kdl", OLD.as_bytes()).call(["diff", "old.kdl"]).exits(2);
    Trial::new().call(["diff", "-", "-"]).exits(2);
    let trial =
        Trial::new().file("old.kdl", OLD.as_bytes()).file("loads.kdl", b"workload \"w\" { access \"random\"; }\n");
    trial.call(["diff", "old.kdl", "loads.kdl"]).exits(1);
}

/// A repository with a plan in `plans`, and git told of `shakedown diff`.
fn repository() -> Trial {
    let trial = Trial::new().file(".gitattributes", b"*.kdl diff=shakedown\n");
    git(&trial, &["init", "--quiet"]);
    let program = format!("'{}' diff --git", env!("CARGO_BIN_EXE_shakedown"));
    git(&trial, &["config", "diff.shakedown.command", &program]);
    std::fs::create_dir(trial.path("plans")).expect("a folder");
    let line = "workload \"reads\" { access \"random\"; block-size \"4KiB\"; read \"100%\"; }\n";
    std::fs::write(trial.path("plans/loads.kdl"), line).expect("a file");
    let plan = with(&[(line, "include \"loads.kdl\"\n")]);
    std::fs::write(trial.path("plans/study.kdl"), plan).expect("a file");
    git(&trial, &["add", "."]);
    git(&trial, &["commit", "--quiet", "-m", "first"]);
    trial
}

/// git, away from whatever the person who runs the tests has set.
fn git(trial: &Trial, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "A"),
        ("GIT_AUTHOR_EMAIL", "a@example.org"),
        ("GIT_COMMITTER_NAME", "A"),
        ("GIT_COMMITTER_EMAIL", "a@example.org"),
    ] {
        command.env(name, value);
    }
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    let folder: &Path = &trial.path(".");
    let done = command.current_dir(folder).args(arguments).output().expect("git");
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

#[test]
fn git_shows_it_for_changed_new_gone_and_broken_plans() {
    let trial = repository();
    let plan = std::fs::read_to_string(trial.path("plans/study.kdl")).expect("the plan");
    std::fs::write(trial.path("plans/study.kdl"), plan.replace("\"6h\"", "\"4h\"")).expect("a file");
    let said = git(&trial, &["diff"]);
    assert!(said.starts_with("diff --shakedown a/plans/study.kdl b/plans/study.kdl\n"), "{said}");
    assert!(said.contains("6h → 4h") && said.contains("4 of 5 cases"), "{said}");
    std::fs::write(trial.path("plans/loads.kdl"), "workload \"reads\" { access \"random\"; }\n").expect("a file");
    let said = git(&trial, &["diff", "plans/loads.kdl"]);
    assert!(said.contains("no method to compare"), "{said}");
    git(&trial, &["checkout", "--quiet", "plans/loads.kdl"]);
    std::fs::write(trial.path("plans/new.kdl"), OLD).expect("a file");
    std::fs::write(trial.path("plans/study.kdl"), "plan").expect("a file");
    git(&trial, &["add", "plans/new.kdl"]);
    let said = git(&trial, &["diff", "HEAD"]);
    assert!(said.contains("new plan, method "), "{said}");
    assert!(said.contains("the new plan is refused"), "{said}");
    git(&trial, &["rm", "--quiet", "--force", "plans/study.kdl"]);
    let said = git(&trial, &["diff", "HEAD", "--", "plans/study.kdl"]);
    assert!(said.contains("deleted plan, method "), "{said}");
}

#[test]
fn a_blob_includes_from_the_folder_that_it_belongs_to() {
    let trial = repository();
    let old = git(&trial, &["show", "HEAD:plans/study.kdl"]);
    let said = with_input(&trial, &["diff", "-", "plans/study.kdl", "--path", "plans/study.kdl"], &old).exits(0);
    assert!(said.stdout.ends_with("Same method.\n"), "{}", said.stdout);
    with_input(&trial, &["diff", "-", "plans/study.kdl"], &old).exits(1);
}

/// The program with a text on standard input.
fn with_input(trial: &Trial, arguments: &[&str], text: &str) -> Said {
    let mut command = trial.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the program reads");
    Said::from(child.wait_with_output().expect("the program ends"))
}
