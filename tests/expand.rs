//! `shakedown expand`: what it prints where, without a drive and with one.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::support::trial::{Said, Trial};

const PLAN: &str = r#"
plan "p" { title "A title"; revision 2; }
device "dut" { at-most "500MB/s"; }
host { engine "sync"; }
param "depth" 4 { max 8; }
workload "w" { access "random"; block-size "4KiB"; read "70%"; }
workload "s" { access "sequential" cursor="lanes"; block-size "64KiB"; read "0%"; span "50%"; }
setup { fill passes=2 { block-size "128KiB"; threads 1; queue-depth 4; } }
test "t" {
    idle "1m"
    precondition "w" as="condition" { threads 2; queue-depth 4; run "10m" passes=2; }
    measure "w" { matrix { threads 1 2; queue-depth 1 4; }; ramp "5s"; run "60s"; }
    measure "s" { threads 2; queue-depth $depth; run written="1GiB"; }
}
"#;

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", said.stdout))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn it_needs_no_drive_and_sums_up_on_stdout_alone() {
    let said = Trial::new().plan(PLAN).call(["expand", "plan.kdl"]).exits(0);
    assert_eq!(said.stderr, "");
    for part in [
        "p · revision 2 · engine sync · seed 1 · method 8119-267f-4b82-2ab6\nA title\nno target",
        " 1 fill the area 2 times",
        "2 × device",
        " 2 idle",
        " 3 precondition condition",
        "2T/4Q · 4KiB random, 70% read · 10m or 2 passes",
        "4 cases of 5s ramp + 1m · 4KiB random, 70% read",
        "   2T/4Q",
        "     2T/4Q · 64KiB sequential (a lane for each thread), 0% read, span 50%\n     1GiB written\n",
        "2 to 2.6 × device + 1.07 GB to 40.1 GB¹\n",
        "total, 5 measured cases",
        " ¹ bytes: the device's `at-most`",
    ] {
        assert!(said.stdout.contains(part), "{part:?} in\n{}", said.stdout);
    }
}

#[test]
fn no_line_is_wider_than_80_when_piped_and_what_does_not_fit_stands_below() {
    let said = Trial::new().plan(PLAN).call(["expand", "plan.kdl"]).exits(0);
    for line in said.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let lines: Vec<&str> = said.stdout.lines().collect();
    let at = lines.iter().position(|line| line.contains("3 precondition condition")).expect("the step");
    assert!(lines[at + 1].starts_with("     2T/4Q · "), "{}", said.stdout);
}

#[test]
fn a_bound_plan_has_exact_bytes_and_the_target_stays_as_it_was() {
    let image = vec![9_u8; 64 << 20];
    let trial = Trial::new().plan(PLAN).file("drive.img", &image);
    let said = trial.call(["expand", "plan.kdl", "--device", "dut=drive.img"]).exits(0);
    assert!(said.stdout.contains("target drive.img = "), "{}", said.stdout);
    assert!(said.stdout.contains("area 67.1 MB (67108864 bytes)"), "{}", said.stdout);
    assert!(said.stdout.contains("134 MB") && !said.stdout.contains("× device"), "{}", said.stdout);
    let document = json(&trial.call(["expand", "plan.kdl", "--device", "dut=drive.img", "--format", "json"]).exits(0));
    assert_eq!(document["schedule"]["area_bytes"], 64 << 20);
    assert_eq!(document["schedule"]["steps"][0]["estimate"]["written"]["low"]["bytes"], 2 * (64 << 20));
    assert_eq!(document["target"]["path"], "drive.img");
    assert_eq!(std::fs::read(trial.path("drive.img")).expect("still there"), image);
}

#[test]
fn what_cannot_be_bound_is_refused_by_its_kind() {
    let trial = Trial::new().plan(PLAN).file("small.img", &[0; 1 << 20]);
    for (target, code, part) in [
        ("dut=small.img", 1, "device/too-small"),
        ("dut=missing.img", 3, "device/no-such-device"),
        ("drive=small.img", 2, "device/role"),
        ("dut", 2, "NAME=VALUE"),
    ] {
        let said = trial.call(["expand", "plan.kdl", "--device", target]).exits(code);
        assert!(said.stderr.contains(part), "{target}: {}", said.stderr);
        assert_eq!(said.stdout, "", "{target}");
    }
    assert!(!trial.path("missing.img").exists());
}

#[test]
fn json_is_one_document_with_stable_keys_and_units_in_them() {
    let document = json(&Trial::new().plan(PLAN).call(["expand", "plan.kdl", "--format", "json"]).exits(0));
    assert_eq!(document["format"], "shakedown-schedule-1");
    assert_eq!(keys(&document), ["format", "schedule", "target", "total", "measured_cases"]);
    assert_eq!(document["measured_cases"], 5);
    assert_eq!(document["target"], Value::Null);
    let schedule = &document["schedule"];
    assert_eq!(keys(schedule), ["plan", "title", "revision", "engine", "seed", "area_bytes", "method", "steps"]);
    let steps = schedule["steps"].as_array().expect("steps");
    let kinds: Vec<Vec<&str>> = steps.iter().map(|step| keys(&step["action"])).collect();
    assert_eq!(kinds, [["fill"], ["idle_ns"], ["precondition"], ["measure"], ["measure"]]);
    for step in steps {
        assert_eq!(keys(step), ["id", "section", "label", "action", "estimate", "place"]);
        assert_eq!(keys(&step["estimate"]), ["time_low_ns", "time_high_ns", "written"]);
        let written = keys(&step["estimate"]["written"]);
        assert_eq!(written, ["low", "high", "source"]);
        assert_eq!(keys(&step["estimate"]["written"]["low"]), ["bytes", "device_millionths"]);
    }
    let case = &steps[4]["action"]["measure"][0];
    assert_eq!(keys(case), ["id", "loads", "ramp_ns", "limits", "sample_ns", "seed", "estimate"]);
    let load = &case["loads"][0];
    assert_eq!(keys(load), ["name", "workload", "threads", "queue_depth", "streams"]);
    let stream = &load["streams"][0];
    assert_eq!(keys(stream), ["access", "sizes", "read_millionths", "span"]);
    assert_eq!(keys(&stream["sizes"][0]), ["bytes"]);
    assert_eq!(keys(&case["limits"]), ["time_ns", "written_bytes", "passes"]);
    assert_eq!(case["limits"]["written_bytes"], 1 << 30);
    assert_eq!(stream["span"], serde_json::json!({"length": {"share_millionths": 500_000}, "offset_bytes": 0}));
    assert_eq!(steps[1]["action"]["idle_ns"], 60_000_000_000_u64);
}

#[test]
fn parameters_take_their_value_from_the_command_line() {
    let trial = Trial::new().plan(PLAN);
    assert!(trial.call(["expand", "plan.kdl", "--set", "depth=8"]).exits(0).stdout.contains("2T/8Q"));
    let said = trial.call(["expand", "plan.kdl", "--set", "depth=9"]).exits(1);
    assert!(said.stderr.contains("param/not-allowed") && said.stdout.is_empty(), "{}", said.stderr);
}

#[test]
fn findings_go_to_stderr_and_a_refused_plan_prints_nothing_else() {
    let unwritten =
        PLAN.replace("setup {", "before-each { idle \"1s\"; }\nsetup {").replace("fill passes=2", "fill \"1MiB\"");
    let said = Trial::new().plan(&unwritten).call(["expand", "plan.kdl"]).exits(0);
    assert!(said.stderr.starts_with("remark[state/unknown]"), "{}", said.stderr);
    assert!(said.stdout.starts_with("p · revision 2"), "{}", said.stdout);
    let said = Trial::new().plan(&unwritten).call(["expand", "plan.kdl", "--quiet"]).exits(0);
    assert_eq!(said.stderr, "");
    let said = Trial::new().plan(&PLAN.replace("threads 2;", "threads 0;")).call(["expand", "plan.kdl"]).exits(1);
    assert!(said.stderr.contains("value/out-of-range") && said.stdout.is_empty(), "{}", said.stderr);
    let said = Trial::new().call(["expand", "missing.kdl"]).exits(2);
    assert!(said.stderr.contains("missing.kdl: no such file") && said.stdout.is_empty(), "{}", said.stderr);
}

#[test]
fn a_plan_may_come_from_standard_input() {
    let trial = Trial::new().plan(PLAN);
    let mut command = trial.command(["expand", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(PLAN.as_bytes()).expect("the program reads");
    let piped = Said::from(child.wait_with_output().expect("the program ends")).exits(0);
    assert_eq!(piped.stdout, trial.call(["expand", "plan.kdl"]).exits(0).stdout);
}

#[test]
fn a_matrix_is_a_grid_in_the_order_in_which_its_cases_run() {
    let plan = r#"
plan "p"
workload "w" { access "random"; read "0%"; }
test "one" { measure "w" as="single" { block-size "4KiB"; threads 1; run "1s"; sample "50ms"; } }
test "t" {
    measure "w" {
        matrix { block-size "4KiB" "64KiB"; threads 1 16; queue-depth 1 2 4 8; }
        ramp "5s"
        run "60s"
    }
}
"#;
    let said = Trial::new().plan(plan).call(["expand", "plan.kdl", "--format", "matrix"]).exits(0);
    let expected = "\
one/single · 1T/1Q · 1s
  1

t/w · 16 cases · each 5s ramp + 1m
             1Q  2Q  4Q  8Q
  1T 4KiB     2   3   4   5
  16T 4KiB    6   7   8   9
  1T 64KiB   10  11  12  13
  16T 64KiB  14  15  16  17

17 measured cases; each number is a case's place in their order
";
    assert_eq!(said.stdout, expected);
    let wide = plan.replace("1 2 4 8;", &format!("{};", (1..=40).map(|d| d.to_string()).collect::<Vec<_>>().join(" ")));
    let said = Trial::new().plan(&wide).call(["expand", "plan.kdl", "--format", "matrix"]).exits(0);
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    assert!(said.stdout.contains("40Q") && said.stdout.contains("161"), "{}", said.stdout);
}

#[test]
fn what_is_said_of_a_matrix_holds_for_all_its_cases() {
    let plan = r#"
plan "p"
workload "w" {
    stream "data" { share "90%"; access "random"; block-size "8KiB"; }
    stream "log" { share "rest"; access "sequential" cursor="shared"; block-size "64KiB"; read "0%"; }
}
test "t" { measure "w" { threads 1; matrix { read "15%" "70%"; }; run "60s"; } }
"#;
    let said = Trial::new().plan(plan).call(["expand", "plan.kdl"]).exits(0);
    let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("2 cases of 1m · data 90%: 8KiB random log 10%: 64KiB sequential"), "{}", said.stdout);
    assert!(words.contains("1T/1Q 15%") && words.contains("1T/1Q 70%"), "{}", said.stdout);
    assert_eq!(said.stdout.matches("15%").count(), 1, "{}", said.stdout);
}
