//! `include` as people use it: files beside a plan, links, standard input, results, other programs.

use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::Value;

use crate::support::trial::{Said, Trial};

const PLAN: &str = "plan \"p\"\ninclude \"shared/loads.kdl\"\ntest \"t\" { apply \"once\" workload=\"w\"; }\n";
const LOADS: &str = "include \"../more/w.kdl\"\nparam \"threads\" 1\nprocedure \"once\" {\n    needs \"workload\"\n    measure $workload { threads $threads; run written=\"1MiB\"; }\n}\nworkload \"spare\" { access \"random\"; }\n";
const W: &str = "workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n";

fn trial(plan: &str, loads: &str) -> Trial {
    let trial = Trial::new();
    for folder in ["plans/shared", "plans/more"] {
        std::fs::create_dir_all(trial.path(folder)).expect("a folder");
    }
    trial
        .file("plans/p.kdl", plan.as_bytes())
        .file("plans/shared/loads.kdl", loads.as_bytes())
        .file("plans/more/w.kdl", W.as_bytes())
}

#[test]
fn every_command_that_reads_a_plan_takes_what_it_includes() {
    let trial = trial(PLAN, LOADS);
    let said = trial.call(["check", "--deny-warnings", "plans/p.kdl"]).exits(0);
    assert_eq!(said.stderr, "plans/p.kdl: sound; 1 step, 1 measured case\n");
    let said = trial.call(["explain", "plans/p.kdl", "--set", "threads=3"]).exits(0);
    assert!(said.stdout.contains("threads 3") && !said.stdout.contains("include"), "{}", said.stdout);
    let said = trial.call(["expand", "plans/p.kdl", "--set", "threads=2"]).exits(0);
    assert!(said.stdout.contains("2T/1Q"), "{}", said.stdout);
    trial.call(["fmt", "--check", "plans/p.kdl"]).exits(0);
}

#[test]
fn a_result_keeps_what_the_plan_included_and_is_reported_without_it() {
    let trial = trial(PLAN, LOADS);
    let run = |trial: &Trial| trial.call(["run", "plans/p.kdl", "--scratch", "16MiB"]).exits(0);
    let said = run(&trial);
    let folder = trial.result();
    let kept = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file that is kept");
    assert_eq!(kept("plan.kdl"), PLAN);
    assert_eq!(kept("included/shared/loads.kdl"), LOADS);
    assert_eq!(kept("included/more/w.kdl"), W);
    std::fs::remove_dir_all(folder.join("included")).expect("can be removed");
    let again = trial.call(["report".as_ref(), folder.as_os_str()]).exits(0);
    assert_eq!(again.stdout, said.stdout);
    // Another text is another plan, whichever file it is in.
    let digest = |folder: &std::path::Path| {
        let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
        let first: Value = serde_json::from_str(journal.lines().next().expect("a line")).expect("JSON");
        first.to_string().split("plan_sha256\":\"").nth(1).expect("a digest")[..64].to_string()
    };
    let first = digest(&folder);
    run(&trial);
    let trial = trial.file("plans/more/w.kdl", format!("{W}// a comment\n").as_bytes());
    run(&trial);
    let digests: Vec<String> = trial.results().iter().map(|folder| digest(folder)).collect();
    assert_eq!(digests.len(), 3);
    assert!(digests[0] == first && digests[1] == first && digests[2] != first, "{digests:?}");
}

#[test]
fn a_mistake_is_shown_in_the_file_that_has_it() {
    let trial = trial(PLAN, &LOADS.replace("1MiB", "1M"));
    let said = trial.call(["check", "plans/p.kdl"]).exits(1);
    assert!(said.stderr.contains("[plans/shared/loads.kdl:5:"), "{}", said.stderr);
    assert!(said.stderr.contains("[plans/p.kdl:3:"), "where it is applied: {}", said.stderr);
    let json = |format: &str| trial.call(["check", "plans/p.kdl", "--format", format]).exits(1).stdout;
    let found: Value = serde_json::from_str(&json("json")).expect("JSON");
    let first = &found["diagnostics"][0];
    assert_eq!((first["file"].as_str(), first["line"].as_u64()), (Some("plans/shared/loads.kdl"), Some(5)));
    assert_eq!(first["related"][0]["file"], "plans/p.kdl");
    let sarif: Value = serde_json::from_str(&json("sarif")).expect("JSON");
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "plans/shared/loads.kdl");
    assert_eq!(place["region"]["startLine"], 5);
    assert!(json("github").contains("::error file=plans/shared/loads.kdl,line=5,"), "{}", json("github"));
}

#[test]
fn links_are_followed_within_the_folder_of_the_plan_alone() {
    let trial = trial(PLAN, LOADS);
    let check = |trial: &Trial| trial.call(["check", "plans/p.kdl"]);
    std::fs::rename(trial.path("plans/more/w.kdl"), trial.path("plans/w.kdl")).expect("moved");
    symlink("../w.kdl", trial.path("plans/more/w.kdl")).expect("a link");
    check(&trial).exits(0);
    // Two names of one file are one file.
    let trial = trial.file("plans/p.kdl", format!("{PLAN}include \"w.kdl\"\n").as_bytes());
    check(&trial).exits(0);
    let refused = |said: Said, code: &str| {
        let said = said.exits(1);
        assert!(said.stderr.contains(code), "{}", said.stderr);
        assert!(!said.stderr.contains("secret"), "{}", said.stderr);
    };
    let trial = trial.file("outside.kdl", b"secret \"text\"\n");
    std::fs::remove_file(trial.path("plans/more/w.kdl")).expect("removed");
    symlink("../../outside.kdl", trial.path("plans/more/w.kdl")).expect("a link");
    refused(check(&trial), "include/outside");
    std::fs::remove_file(trial.path("plans/more/w.kdl")).expect("removed");
    std::fs::create_dir(trial.path("plans/more/w.kdl")).expect("a folder");
    refused(check(&trial), "is no plain file");
    std::fs::remove_dir(trial.path("plans/more/w.kdl")).expect("removed");
    symlink("w.kdl", trial.path("plans/more/w.kdl")).expect("a link to itself");
    refused(check(&trial), "include/not-read");
    // The plan itself, under another name.
    std::fs::remove_file(trial.path("plans/more/w.kdl")).expect("removed");
    symlink("../p.kdl", trial.path("plans/more/w.kdl")).expect("a link");
    refused(check(&trial), "include/cycle");
}

#[test]
fn a_pipe_is_not_waited_for() {
    let trial = trial(PLAN, LOADS);
    let path = trial.path("plans/more/w.kdl");
    std::fs::remove_file(&path).expect("removed");
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let said = trial.call(["check", "plans/p.kdl"]).exits(1);
    assert!(said.stderr.contains("is no plain file"), "{}", said.stderr);
}

#[test]
fn a_plan_from_standard_input_includes_from_the_working_directory() {
    let trial = trial(PLAN, LOADS);
    let from_stdin = |folder: &str| {
        let plan = std::fs::File::open(trial.path("plans/p.kdl")).expect("the plan");
        let mut command = trial.command(["check", "-"]);
        command.current_dir(trial.path(folder)).stdin(Stdio::from(plan));
        Said::from(command.output().expect("the program starts"))
    };
    from_stdin("plans").exits(0);
    let said = from_stdin("plans/more").exits(1);
    assert!(said.stderr.contains("include/not-read") && said.stderr.contains("no such file"), "{}", said.stderr);
}
