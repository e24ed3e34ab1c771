//! `shakedown run` and `report` on scratch and plain files: real I/O, no speed asserted.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::trial::{Said, Trial};

/// A whole method in a fraction of a second: byte limits where there can be some, short times elsewhere.
const SMALL: &str = r#"
plan "small" { title "A small run"; revision 1; }
device "dut" { }
host { engine "sync"; }
workload "mix" { access "random"; block-size "8KiB"; read "70%"; }
workload "seq" { access "sequential" cursor="shared"; block-size "64KiB"; read "0%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 2; } }
test "mixed" {
    precondition "mix" as="condition" { threads 2; run passes=1; }
    measure "mix" { matrix { threads 1 2; queue-depth 1 2; }; run "200ms"; sample "50ms"; }
}
test "writes" { measure "seq" { threads 1; queue-depth 2; run written="2MiB"; } }
"#;

/// A load that would run for an hour, on a filled file.
const LONG: &str = r#"
plan "long" { revision 1; }
workload "mix" { access "random"; block-size "4KiB"; read "50%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 2; } }
test "t" {
    measure "mix" as="short" { threads 1; run "100ms"; sample "50ms"; }
    measure "mix" as="endless" { threads 2; run "1h"; sample "50ms"; }
    measure "mix" as="never" { threads 1; run "1h"; }
}
"#;

fn run_small(trial: &Trial) -> Said {
    trial.call(["run", "plan.kdl", "--scratch", "16MiB"])
}

#[test]
fn a_run_prints_its_tables_and_report_prints_them_again() {
    let trial = Trial::new().plan(SMALL);
    let said = run_small(&trial).exits(0);
    for part in ["1T/1Q", "2T/2Q", "IOPS", "MB/s", "p99.99", "reads", "writes"] {
        assert!(said.stdout.contains(part), "{part} in\n{}", said.stdout);
    }
    assert!(said.stderr.contains("scratch file of 16MiB"), "{}", said.stderr);
    let folder = trial.result();
    assert!(said.stderr.contains(folder.file_name().expect("named").to_str().expect("UTF-8")), "{}", said.stderr);
    let again = trial.call(["report".as_ref(), folder.as_os_str()]).exits(0);
    assert_eq!(again.stdout, said.stdout, "report must print what the run printed");
    assert_eq!(std::fs::read_to_string(folder.join("plan.kdl")).expect("the plan as used"), SMALL);
}

#[test]
fn the_scratch_file_is_gone_at_the_end() {
    let trial = Trial::new().plan(SMALL);
    run_small(&trial).exits(0);
    let left: Vec<_> = std::fs::read_dir(trial.path("results")).expect("results").flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn report_as_json_holds_every_case_with_both_deviations() {
    let trial = Trial::new().plan(SMALL);
    run_small(&trial).exits(0);
    let folder = trial.result();
    let said = trial.call(["report".as_ref(), folder.as_os_str(), "--format".as_ref(), "json".as_ref()]).exits(0);
    let document: serde_json::Value = serde_json::from_str(&said.stdout).expect("one JSON document");
    let text = document.to_string();
    for part in ["1T/1Q", "1T/2Q", "2T/1Q", "2T/2Q", "deviation", "mean_of_sides"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn every_byte_of_the_journal_is_json_and_the_intervals_sum_up() {
    let trial = Trial::new().plan(SMALL);
    run_small(&trial).exits(0);
    let journal = std::fs::read_to_string(trial.result().join("journal.jsonl")).expect("a journal");
    let events: Vec<serde_json::Value> =
        journal.lines().map(|line| serde_json::from_str(line).expect("one event a line")).collect();
    assert_eq!(events.first().map(|event| event["event"].clone()), Some("run-started".into()));
    assert_eq!(events.last().map(|event| event["event"].clone()), Some("run-finished".into()));
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event["sequence"], index);
    }
    let count = |event: &serde_json::Value, path: &str| event.pointer(path).and_then(|v| v.as_u64()).unwrap_or(0);
    for finished in events.iter().filter(|event| event["event"] == "case-finished") {
        let of_case = |event: &&serde_json::Value| {
            event["event"] == "interval-sampled"
                && event["step"] == finished["step"]
                && event["case"] == finished["case"]
        };
        let in_intervals: u64 = events
            .iter()
            .filter(of_case)
            .map(|event| count(event, "/interval/read/count") + count(event, "/interval/write/count"))
            .sum();
        let late = count(finished, "/totals/late_records");
        let total = count(finished, "/totals/sides/read/count") + count(finished, "/totals/sides/write/count");
        assert!(total > 0, "{finished}");
        assert_eq!(in_intervals + late, total, "{}", finished["step"]);
    }
}

#[test]
fn byte_limits_are_kept_to_the_byte() {
    let trial = Trial::new().plan(SMALL);
    run_small(&trial).exits(0);
    let journal = std::fs::read_to_string(trial.result().join("journal.jsonl")).expect("a journal");
    let written = |step: &str| {
        let line = journal.lines().find(|line| line.contains("\"case-finished\"") && line.contains(step));
        let event: serde_json::Value = serde_json::from_str(line.expect("the step's case")).expect("JSON");
        event.pointer("/totals/moved/bytes_written").and_then(|v| v.as_u64())
    };
    assert_eq!(written("\"setup/fill\""), Some(16 << 20));
    assert_eq!(written("\"writes/seq\""), Some(2 << 20));
}

#[test]
fn one_test_of_a_plan_can_be_asked_for_and_the_report_says_so() {
    let trial = Trial::new().plan(SMALL);
    let said = trial.call(["run", "plan.kdl", "--scratch", "16MiB", "--test", "writes"]).exits(0);
    assert!(said.stdout.contains("setup/fill") && !said.stdout.contains("mixed"), "{}", said.stdout);
    assert!(said.stdout.contains("only a part of the plan was asked for: --test writes"), "{}", said.stdout);
    let said = trial.call(["run", "plan.kdl", "--scratch", "16MiB", "--test", "write"]).exits(2);
    assert!(
        said.stderr.contains("no test \"write\"") && said.stderr.contains("did you mean \"writes\""),
        "{}",
        said.stderr
    );
    let said = trial.call(["expand", "plan.kdl", "--test", "writes"]).exits(0);
    assert!(!said.stdout.contains("mixed"), "{}", said.stdout);
}

#[test]
fn a_second_run_gets_a_folder_of_its_own() {
    let trial = Trial::new().plan(SMALL);
    run_small(&trial).exits(0);
    let first = trial.result();
    let before = std::fs::read(first.join("journal.jsonl")).expect("a journal");
    run_small(&trial).exits(0);
    assert_eq!(trial.results().len(), 2);
    assert_eq!(std::fs::read(first.join("journal.jsonl")).expect("still there"), before);
}

#[test]
fn quiet_prints_the_result_folder_last() {
    let trial = Trial::new().plan(SMALL);
    let said = trial.call(["run", "plan.kdl", "--scratch", "16MiB", "--quiet"]).exits(0);
    let last = said.stdout.lines().last().expect("a line");
    assert!(trial.path(last).join("journal.jsonl").is_file(), "{last}");
    assert_eq!(said.stderr, "");
}

#[test]
fn an_existing_file_is_not_touched_without_consent() {
    let content = vec![7_u8; 8 << 20];
    let trial = Trial::new().plan(SMALL).file("drive.img", &content);
    for wrong in [vec![], vec!["--destroy", "drive.img=1"], vec!["--destroy", "other"]] {
        let mut arguments = vec!["run", "plan.kdl", "--device", "dut=drive.img"];
        arguments.extend(wrong);
        let said = trial.call(arguments).exits(3);
        assert!(said.stderr.contains("device/no-consent") && said.stderr.contains("--destroy "), "{}", said.stderr);
        assert_eq!(std::fs::read(trial.path("drive.img")).expect("still there"), content);
        assert!(trial.results().is_empty(), "a refused run leaves no result folder");
    }
    trial.call(["run", "plan.kdl", "--device", "dut=drive.img", "--destroy", "drive.img=8388608"]).exits(0);
    let after = std::fs::read(trial.path("drive.img")).expect("still there");
    assert_eq!(after.len(), content.len());
    assert!(after.chunks(4096).all(|block| block != &content[..4096]), "every block was filled");
}

#[test]
fn targets_that_are_none_are_refused_and_never_created() {
    let trial = Trial::new().plan(SMALL);
    let missing = "/dev/shakedown-no-such-device";
    let said = trial.call(["run", "plan.kdl", "--device", &format!("dut={missing}")]).exits(3);
    assert!(said.stderr.contains("device/no-such-device"), "{}", said.stderr);
    assert!(!Path::new(missing).exists());
    trial.call(["run", "plan.kdl", "--device", "dut=."]).exits(3);
    trial.call(["run", "plan.kdl", "--device", "dut=/dev/null", "--destroy", "/dev/null=0"]).exits(3);
    let said = trial.call(["run", "plan.kdl", "--device", "drive=plan.kdl"]).exits(2);
    assert!(said.stderr.contains("device/role") && said.stderr.contains("dut"), "{}", said.stderr);
}

#[test]
fn results_are_never_made_among_the_devices() {
    let trial = Trial::new().plan(SMALL);
    let place = "/dev/shakedown-no-such-results";
    let said = trial.call(["run", "plan.kdl", "--scratch", "16MiB", "--results", place]).exits(4);
    assert!(said.stderr.contains("no place for results"), "{}", said.stderr);
    let said = trial.call(["expand", "plan.kdl", "--output", place]).exits(4);
    assert!(said.stderr.contains("no place for a file"), "{}", said.stderr);
    assert!(!Path::new(place).exists());
}

#[test]
fn an_engine_that_is_not_built_is_refused_at_run_alone() {
    let trial = Trial::new().plan(&SMALL.replace("engine \"sync\"", "engine \"io-uring\""));
    trial.call(["check", "plan.kdl"]).exits(0);
    let said = run_small(&trial).exits(1);
    assert!(said.stderr.contains("engine/not-built"), "{}", said.stderr);
}

#[test]
fn reads_of_a_new_scratch_file_are_refused_unless_something_fills_it() {
    let unfilled = SMALL.lines().filter(|line| !line.contains("fill")).collect::<Vec<_>>().join("\n");
    let unfilled = unfilled.lines().filter(|line| !line.contains("precondition")).collect::<Vec<_>>().join("\n");
    let trial = Trial::new().plan(&unfilled);
    let said = run_small(&trial).exits(1);
    assert!(said.stderr.contains("state/reads-unwritten"), "{}", said.stderr);
    let allowed =
        unfilled.replace("test \"mixed\" {", "test \"mixed\" {\nallow \"unwritten-reads\" because=\"to see it\"\n");
    run_small(&Trial::new().plan(&allowed)).exits(0);
}

#[test]
fn a_plan_that_does_not_fit_its_target_is_refused_before_any_write() {
    let said = Trial::new().plan(SMALL).call(["run", "plan.kdl", "--scratch", "512KiB"]).exits(1);
    assert!(said.stderr.contains("device/too-small"), "{}", said.stderr);
}

/// Starts the long run and waits until its endless step has told an interval.
fn start_long(trial: &Trial) -> Child {
    let mut command = trial.command(["run", "plan.kdl", "--scratch", "16MiB"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        let is_there = trial.results().first().is_some_and(|folder| {
            std::fs::read_to_string(folder.join("journal.jsonl")).is_ok_and(|journal| {
                journal.lines().any(|line| line.contains("\"interval-sampled\"") && line.contains("\"t/endless\""))
            })
        });
        if is_there {
            return child;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    panic!("the endless step never began: {:?}", child.wait_with_output());
}

fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
}

#[test]
fn signals_end_the_case_keep_what_was_measured_and_exit_with_130() {
    for name in ["-INT", "-TERM"] {
        let trial = Trial::new().plan(LONG);
        let child = start_long(&trial);
        signal(&child, name);
        let said = Said::from(child.wait_with_output().expect("the program ends")).exits(130);
        assert!(said.stdout.contains("INCOMPLETE"), "{}", said.stdout);
        let folder = trial.result();
        let again = trial.call(["report".as_ref(), folder.as_os_str()]).exits(0);
        assert_eq!(again.stdout, said.stdout);
        let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
        assert!(journal.contains("\"stop-requested\"") && journal.contains("\"stopped\""), "{name}");
        assert!(!journal.contains("\"t/never\",\"case\""), "the step after it is not begun");
    }
}

#[test]
fn a_killed_run_is_still_reported_and_called_incomplete() {
    let trial = Trial::new().plan(LONG);
    let mut child = start_long(&trial);
    child.kill().expect("SIGKILL");
    assert_eq!(child.wait().expect("ends").signal(), Some(9));
    let said = trial.call(["report".as_ref(), trial.result().as_os_str()]).exits(0);
    assert!(said.stdout.contains("INCOMPLETE"), "{}", said.stdout);
    assert!(said.stdout.contains("short"), "the case that was measured is there:\n{}", said.stdout);
    let left: Vec<_> = std::fs::read_dir(trial.path("results")).expect("results").flatten().collect();
    assert_eq!(left.len(), 1, "the scratch file is gone too: {left:?}");
}

#[test]
fn strict_ends_with_5_where_a_case_must_not_be_used() {
    let trial = Trial::new().plan(LONG);
    let child = start_long(&trial);
    signal(&child, "-INT");
    Said::from(child.wait_with_output().expect("the program ends")).exits(130);
    // The case that was stopped is one that must not be used.
    let folder = trial.result();
    let said = trial.call(["report".as_ref(), folder.as_os_str(), "--strict".as_ref()]).exits(5);
    assert!(said.stderr.contains("must not be used; exit code 5 because of --strict"), "{}", said.stderr);
    trial.call(["report".as_ref(), folder.as_os_str()]).exits(0);
}

#[test]
fn a_place_where_no_results_can_lie_is_told_in_words() {
    let trial = Trial::new().plan(SMALL);
    std::os::unix::fs::symlink("/nonexistent/there", trial.path("dangling")).expect("a link");
    for name in ["plan.kdl", "dangling", "plan.kdl/below"] {
        let said = trial.call(["run", "plan.kdl", "--scratch", "16MiB", "--results", name]).exits(4);
        assert!(said.stderr.contains("something that is no folder stands there"), "{name}: {}", said.stderr);
    }
    let said = trial.call(["run", "plan.kdl", "--scratch", "0B"]).exits(2);
    assert!(said.stderr.contains("a file without a byte measures nothing"), "{}", said.stderr);
}

#[test]
fn a_limit_on_file_sizes_is_told_and_kills_nothing() {
    let trial = Trial::new().plan(SMALL);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -f 100; exec \"$0\" run plan.kdl --scratch 16MiB"]);
    command.arg(trial.command([""; 0]).get_program()).current_dir(trial.path(""));
    let said = Said::from(command.output().expect("a shell")).exits(3);
    assert!(said.stderr.contains("File too large"), "{}", said.stderr);
}

#[test]
fn report_refuses_what_is_no_result_folder() {
    let trial = Trial::new().plan(SMALL);
    for name in ["plan.kdl", "missing", "."] {
        let said = trial.call(["report", name]).exits(2);
        assert!(said.stderr.contains("error"), "{name}: {}", said.stderr);
    }
}

#[test]
fn what_can_only_be_checked_is_refused_before_anything_is_touched() {
    let plan = "plan \"p\" { revision 1; }\n\
                workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n\
                test \"one\" { trim \"100%\"; measure \"w\" { threads 1; run \"10ms\"; sample \"10ms\"; }; }\n\
                test \"two\" { measure \"w\" { threads 1; run \"10ms\"; sample \"10ms\"; }; }\n";
    let trial = Trial::new().plan(plan);
    let said = trial.call(["run", "plan.kdl", "--scratch", "4MiB", "--buffered"]).exits(1);
    assert!(said.stderr.contains("error[plan/not-run]: this version cannot run `trim`"), "{}", said.stderr);
    assert!(!trial.path("results").exists(), "nothing was begun");
    // The test that does without it can be run by itself.
    trial.call(["run", "plan.kdl", "--scratch", "4MiB", "--buffered", "--test", "two"]).exits(0);
}

#[test]
fn a_limit_holds_for_what_follows_and_the_report_says_so() {
    let plan = "plan \"p\" { revision 1; }\n\
                workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n\
                setup { limit-to \"25%\"; fill passes=1 { block-size \"64KiB\"; threads 1; queue-depth 2; }; }\n\
                test \"t\" { measure \"w\" { threads 1; run passes=1; sample \"10ms\"; }; }\n";
    let trial = Trial::new().plan(plan).file("drive.img", &vec![0xee; 4 << 20]);
    let arguments = ["run", "plan.kdl", "--device", "dut=drive.img", "--buffered", "--destroy", "drive.img=4194304"];
    let said = trial.call(arguments).exits(0);
    for part in [
        "the area from here on is 25% of the device, 1.05 MB",
        "setup/fill      wrote 1.05 MB",
        "area 1.05 MB (25% of the device)",
    ] {
        assert!(said.stdout.contains(part), "{part:?} in\n{}", said.stdout);
    }
    let bytes = std::fs::read(trial.path("drive.img")).expect("still there");
    assert!(bytes[1 << 20..].iter().all(|byte| *byte == 0xee), "nothing beyond the limit was written");
    assert!(bytes[..1 << 20].chunks(4096).all(|block| block.iter().any(|byte| *byte != 0xee)), "all of it before");
}

#[test]
fn cases_of_two_areas_stand_in_two_tables() {
    let plan = "plan \"p\" { revision 1; }\n\
                workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n\
                test \"t\" { measure \"w\" as=\"all\" { threads 1; run passes=1; sample \"10ms\"; }\n\
                limit-to \"25%\"; measure \"w\" as=\"part\" { threads 1; run passes=1; sample \"10ms\"; }; }\n";
    let said = Trial::new().plan(plan).call(["run", "plan.kdl", "--scratch", "4MiB", "--buffered"]).exits(0);
    assert_eq!(said.stdout.matches("area 4.19 MB").count(), 1, "{}", said.stdout);
    assert_eq!(said.stdout.matches("area 1.05 MB (25% of the device)").count(), 1, "{}", said.stdout);
}
