//! The workflow and the hooks that people copy: the commands in them are run as they stand there.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::pages::{read, root};
use crate::support::trial::{Said, Trial};

const SOUND: &str = "plan \"p\" { revision 1; }\ntest \"t\" { idle \"1s\"; }\n";
const MISTAKEN: &str = "plan \"p\" { revision 1; }\ntest \"t\" { idle \"1\"; }\n";
const WARNED: &str = "plan \"p\" { revision 1; }\nparam \"n\" 4\ntest \"t\" { idle \"1s\"; }\n";
const UNTIDY: &str = "plan \"p\" {  }\n\n\n\ntest \"t\" { idle \"1s\" }\n";

/// A shell's command in the folder, with the program where a shell looks for it and nobody's git settings.
fn shell(trial: &Trial, shell: &str, script: &str, arguments: &[&str]) -> Said {
    let folder = Path::new(env!("CARGO_BIN_EXE_shakedown")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path))).expect("no colon");
    let mut command = Command::new(shell);
    command.args(["-e", "-c", script, shell]).args(arguments).current_dir(trial.path(""));
    command.env("PATH", paths).env("HOME", trial.path("")).env("GIT_CONFIG_NOSYSTEM", "1");
    for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "NO_COLOR"] {
        command.env_remove(variable);
    }
    Said::from(command.output().expect("the shell starts"))
}

fn write(trial: &Trial, name: &str, text: &str) {
    let path = trial.path(name);
    fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// The value behind each `KEY: ` of a YAML file that stands on one line, without the dash of a list.
fn values<'t>(yaml: &'t str, key: &str) -> Vec<&'t str> {
    let after_dash = yaml.lines().map(|line| line.trim().trim_start_matches("- "));
    after_dash.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).map(str::trim).collect()
}

/// The commands of the workflow that call the program: layout, annotations, log for code scanning.
fn workflow() -> [String; 3] {
    let text = read(&root().join("examples/ci/github-workflow.yml"));
    let runs = values(&text, "run");
    assert!(!runs.iter().any(|run| run.starts_with(['|', '>'])), "this test reads commands of one line: {runs:?}");
    let ours: Vec<String> = runs.into_iter().filter(|run| run.starts_with("shakedown ")).map(str::to_string).collect();
    ours.try_into().expect("three commands")
}

#[test]
fn the_workflow_passes_what_is_sound_and_tidy() {
    let trial = Trial::new();
    write(&trial, "plans/a.kdl", SOUND);
    write(&trial, "plans/bench.kdl", "rig \"bench\"\n");
    for command in workflow() {
        let said = shell(&trial, "bash", &command, &[]).exits(0);
        assert!(!said.stdout.contains("::error"), "{command}: {}", said.stdout);
    }
    let log: serde_json::Value = serde_json::from_str(&read(&trial.path("plans.sarif"))).expect("one JSON document");
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn the_workflow_stops_what_is_not() {
    let [layout, annotations, scan] = workflow();
    let trial = Trial::new();
    write(&trial, "plans/a.kdl", SOUND);
    write(&trial, "plans/sub/b.kdl", UNTIDY);
    assert_eq!(shell(&trial, "bash", &layout, &[]).exits(1).stdout, "plans/sub/b.kdl\n");
    shell(&trial, "bash", &annotations, &[]).exits(0);
    for (text, command, code) in [(MISTAKEN, "error", "unit/missing"), (WARNED, "warning", "param/unused")] {
        write(&trial, "plans/sub/b.kdl", text);
        shell(&trial, "bash", &layout, &[]).exits(0);
        let said = shell(&trial, "bash", &annotations, &[]).exits(1);
        assert!(said.stdout.starts_with(&format!("::{command} file=plans/sub/b.kdl,line=2,col=")), "{}", said.stdout);
        // The log is handed over; the step before has failed already.
        shell(&trial, "bash", &scan, &[]).exits(0);
        let log: serde_json::Value = serde_json::from_str(&read(&trial.path("plans.sarif"))).expect("a log");
        assert_eq!(log["runs"][0]["results"][0]["ruleId"], code);
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "plans/sub/b.kdl");
    }
    let nothing = Trial::new();
    for (command, code) in [(layout, 2), (annotations, 2), (scan, 1)] {
        shell(&nothing, "bash", &command, &[]).exits(code);
    }
}

/// A repository with the hook in it. `None` where there is no git.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn repository() -> Option<Trial> {
    if Command::new("git").arg("--version").output().is_err() {
        assert!(std::env::var_os("SHAKEDOWN_REQUIRE_PRIVILEGED").is_none(), "git is not installed");
        eprintln!("skipped: git is not installed");
        return None;
    }
    let trial = Trial::new();
    shell(&trial, "sh", "git init -q . && git config user.name a && git config user.email a@example.org", &[]).exits(0);
    fs::create_dir_all(trial.path(".git/hooks")).expect("a folder");
    // `fs::copy` keeps the mode, which must be that of a program.
    fs::copy(root().join("examples/ci/pre-commit"), trial.path(".git/hooks/pre-commit")).expect("a copy");
    Some(trial)
}

#[test]
fn the_hook_looks_at_what_is_committed() {
    let Some(trial) = repository() else { return };
    let commit = |code: i32| shell(&trial, "sh", "git commit -q -m change", &[]).exits(code).stderr;
    let add = || shell(&trial, "sh", "git add -A", &[]).exits(0);
    write(&trial, "README", "no plan yet\n");
    add();
    commit(0);
    write(&trial, "plans/a.kdl", SOUND);
    write(&trial, "bench.kdl", "rig \"bench\"\n");
    write(&trial, ".drafts/d.kdl", MISTAKEN);
    add();
    assert_eq!(commit(0), "");
    for (text, parts) in [
        (MISTAKEN, ["error[unit/missing]", "plans/b c.kdl:2:"]),
        (WARNED, ["warning[param/unused]", "plans/b c.kdl:2:"]),
        (UNTIDY, ["plans/b c.kdl\n", "run `shakedown fmt`"]),
    ] {
        write(&trial, "plans/b c.kdl", text);
        add();
        let said = commit(1);
        assert!(parts.iter().all(|part| said.contains(part)), "{parts:?} in\n{said}");
    }
    // What is staged counts, not what lies in the working tree, whichever of the two is the better.
    write(&trial, "plans/b c.kdl", SOUND);
    commit(1);
    add();
    write(&trial, "plans/b c.kdl", MISTAKEN);
    assert_eq!(commit(0), "");
    assert_eq!(fs::read_to_string(trial.path("plans/b c.kdl")).expect("is there"), MISTAKEN);
    shell(&trial, "sh", "git rm -q -r -f plans bench.kdl", &[]).exits(0);
    commit(0);
}

#[test]
fn the_hooks_of_the_framework_do_what_their_names_say() {
    let text = read(&root().join(".pre-commit-hooks.yaml"));
    let (ids, entries, files) = (values(&text, "id"), values(&text, "entry"), values(&text, "files"));
    assert_eq!((ids.as_slice(), files.as_slice()), (&["shakedown-check", "shakedown-fmt"][..], &["\\.kdl$"; 2][..]));
    // The framework puts the names of the changed files behind the entry.
    let run =
        |trial: &Trial, hook: usize, names: &[&str]| shell(trial, "sh", &format!("{} \"$@\"", entries[hook]), names);
    let trial = Trial::new();
    for (name, text) in [("a.kdl", SOUND), ("b c.kdl", MISTAKEN), ("loads.kdl", "workload \"w\"\n"), ("d.kdl", UNTIDY)]
    {
        write(&trial, name, text);
    }
    assert_eq!(run(&trial, 0, &["a.kdl", "loads.kdl"]).exits(0).stderr, "");
    let said = run(&trial, 0, &["a.kdl", "b c.kdl"]).exits(1);
    assert!(said.stderr.contains("b c.kdl:2:"), "{}", said.stderr);
    assert_eq!(run(&trial, 1, &["a.kdl", "b c.kdl"]).exits(0).stderr, "");
    // It fails where a hook changes a file, so the exit code does not matter.
    run(&trial, 1, &["d.kdl"]).exits(0);
    run(&trial, 0, &["d.kdl"]).exits(0);
    assert_ne!(read(&trial.path("d.kdl")), UNTIDY);
    let page = read(&root().join("docs/src/guide/reviewing-plans.md"));
    let named: Vec<&str> = values(&page, "id");
    assert!(!named.is_empty() && named.iter().all(|id| ids.contains(id)), "{named:?}");
}
