//! What holds for every command: two streams that are never mixed, colour, files, pipes that close, help.

use std::process::Stdio;

use shakedown::cli::command;

use crate::support::pages::{read, root};
use crate::support::trial::{Said, Trial};

const PLAN: &str = r#"
plan "p" { revision 1; }
workload "w" { access "random"; block-size "4KiB"; read "70%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; } }
test "t" { measure "w" { threads 2; queue-depth 4; run "60s"; } }
"#;
const ESCAPE: char = '\u{1b}';

/// A sound plan, one with a mistake, and a result folder.
fn trial() -> Trial {
    let trial = Trial::new().plan(PLAN).file("bad.kdl", PLAN.replace("4KiB", "4K").as_bytes());
    std::fs::create_dir(trial.path("result")).expect("a folder");
    let journal = read(&root().join("tests/fixtures/journals/v1/complete.jsonl"));
    trial.file("result/journal.jsonl", journal.as_bytes())
}

/// Every command that prints a result, with the exit code that it has here.
const RESULTS: [(&[&str], i32); 10] = [
    (&["check", "bad.kdl", "--format", "json"], 1),
    (&["check", "bad.kdl", "--format", "sarif"], 1),
    (&["check", "bad.kdl", "--format", "github"], 1),
    (&["explain", "plan.kdl"], 0),
    (&["explain", "unit/ambiguous"], 0),
    (&["explain", "measure"], 0),
    (&["expand", "plan.kdl"], 0),
    (&["expand", "plan.kdl", "--format", "json"], 0),
    (&["report", "result"], 0),
    (&["report", "result", "--format", "csv"], 0),
];

#[test]
fn a_reader_that_had_enough_is_no_failure() {
    let trial = trial();
    let others: [(&[&str], i32); 3] = [(&["devices"], 0), (&["--help"], 0), (&["run", "--help"], 0)];
    for (arguments, code) in RESULTS.into_iter().chain(others) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = trial.command(arguments);
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("the program starts");
        let said = Said::from(child.wait_with_output().expect("the program ends")).exits(code);
        assert_eq!(said.stderr, "", "{arguments:?}");
    }
}

#[test]
fn closed_messages_do_not_change_how_it_ends() {
    let trial = trial();
    for (arguments, code) in [(["check", "bad.kdl"], 1), (["check", "plan.kdl"], 0), (["expand", "missing.kdl"], 2)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = trial.command(arguments).stderr(writer).status().expect("the program ends");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_full_disk_under_standard_output_is_a_failure() {
    let trial = trial();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    for (arguments, _) in RESULTS {
        let child = trial.command(arguments).stdout(full()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let said = Said::from(child.wait_with_output().expect("the program ends")).exits(4);
        assert!(said.stderr.contains("standard output could not be written"), "{arguments:?}: {}", said.stderr);
    }
}

#[test]
fn output_writes_the_same_to_a_file_and_nothing_to_stdout() {
    let trial = trial();
    for (arguments, code) in RESULTS {
        let printed = trial.call(arguments).exits(code).stdout;
        let with_file: Vec<&str> = arguments.iter().copied().chain(["--output", "out.txt"]).collect();
        assert_eq!(trial.call(&with_file).exits(code).stdout, "", "{arguments:?}");
        assert_eq!(read(&trial.path("out.txt")), printed, "{arguments:?}");
        let nowhere: Vec<&str> = arguments.iter().copied().chain(["--output", "missing/out.txt"]).collect();
        let said = trial.call(&nowhere).exits(4);
        assert!(said.stderr.contains("missing/out.txt could not be written"), "{arguments:?}: {}", said.stderr);
    }
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let trial = trial();
    let has_color = |arguments: &[&str], variable: Option<&str>| {
        let mut command = trial.command(["check", "bad.kdl"]);
        command.args(arguments).envs(variable.map(|value| ("NO_COLOR", value)));
        Said::from(command.output().expect("the program ends")).exits(1).stderr.contains(ESCAPE)
    };
    assert!(!has_color(&[], None));
    assert!(!has_color(&["--color", "never"], None));
    assert!(has_color(&["--color", "always"], None));
    assert!(has_color(&["--color", "always"], Some("1")), "an option weighs more than the environment");
    assert!(!has_color(&["--color", "auto"], Some("1")));
}

#[test]
fn results_for_programs_have_no_colour_at_all() {
    let trial = trial();
    for (arguments, code) in RESULTS {
        let asked: Vec<&str> = arguments.iter().copied().chain(["--color", "always"]).collect();
        let said = trial.call(&asked).exits(code);
        assert!(!said.stdout.contains(ESCAPE), "{arguments:?}");
        assert_eq!(said.stdout, trial.call(arguments).exits(code).stdout, "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_results() {
    let trial = Trial::new();
    let version = trial.call(["--version"]).exits(0);
    assert_eq!(version.stdout, format!("shakedown {}\n", env!("CARGO_PKG_VERSION")));
    let command = command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    assert_eq!(names, ["check", "explain", "expand", "diff", "fmt", "run", "report", "devices", "lsp"]);
    for name in names {
        for option in ["-h", "--help"] {
            let said = trial.call([name, option]).exits(0);
            assert!(said.stdout.contains(&format!("Usage: shakedown {name} ")), "{}", said.stdout);
            assert_eq!(said.stderr, "");
        }
    }
}

#[test]
fn a_wrong_command_line_ends_with_2_on_stderr() {
    let trial = trial();
    let wrong: [&[&str]; 7] = [
        &[],
        &["chekc", "plan.kdl"],
        &["check", "plan.kdl", "--fromat", "json"],
        &["check", "plan.kdl", "--format", "yaml"],
        &["check", "plan.kdl", "--quiet", "--verbose"],
        &["run", "plan.kdl", "--scratch", "1GiB", "--device", "dut=plan.kdl"],
        &["expand", "plan.kdl", "--set", "=1"],
    ];
    for arguments in wrong {
        let said = trial.call(arguments).exits(2);
        assert!(!said.stderr.is_empty() && said.stdout.is_empty(), "{arguments:?}");
    }
    let said = trial.call(["chekc", "plan.kdl"]);
    assert!(said.stderr.contains("check"), "did you mean: {}", said.stderr);
}
