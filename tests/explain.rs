//! `shakedown explain`: a plan spelled out, a diagnostic's story, a word's entry.

use crate::support::trial::Trial;

const PLAN: &str = r#"
plan "p" { revision 1; }
param "depth" 4 { max 8; }
workload "w" { access "random"; block-size "4KiB"; read "70%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; } }
test "t" { measure "w" { threads 2; queue-depth $depth; run "60s"; } }
"#;

#[test]
fn a_plan_is_spelled_out_and_is_a_plan_again() {
    let trial = Trial::new().plan(PLAN);
    let said = trial.call(["explain", "plan.kdl"]).exits(0);
    assert_eq!(said.stderr, "");
    for part in [
        "queue-depth 1    // default",
        "ramp \"0s\"    // default · 0 ns",
        "queue-depth 4",
        "engine \"sync\"",
        "block-size \"4KiB\"    // 4,096 bytes",
        "read \"70%\"    // 70% of the operations",
        "run \"1m\"    // 60,000,000,000 ns",
    ] {
        assert!(said.stdout.contains(part), "{part:?} in\n{}", said.stdout);
    }
    let again = Trial::new().plan(&said.stdout);
    again.call(["check", "--deny-warnings", "plan.kdl"]).exits(0);
    let said = trial.call(["explain", "plan.kdl", "--set", "depth=8"]).exits(0);
    assert!(said.stdout.contains("queue-depth 8"), "{}", said.stdout);
}

#[test]
fn a_refused_plan_is_not_spelled_out() {
    let said = Trial::new().plan(&PLAN.replace("\"4KiB\"", "\"4K\"")).call(["explain", "plan.kdl"]).exits(1);
    assert!(said.stderr.contains("unit/ambiguous") && said.stdout.is_empty(), "{}", said.stderr);
}

#[test]
fn a_code_tells_its_story() {
    let said = Trial::new().call(["explain", "unit/ambiguous"]).exits(0);
    assert_eq!(said.stderr, "");
    for part in ["unit/ambiguous: ", "\nRefused:\n", "    block-size \"4K\"", "\nCorrected:\n"] {
        assert!(said.stdout.contains(part), "{part:?} in\n{}", said.stdout);
    }
}

#[test]
fn a_word_has_one_part_for_each_meaning() {
    let said = Trial::new().call(["explain", "run"]).exits(0);
    assert!(said.stdout.starts_with("run ") && said.stdout.contains("written="), "{}", said.stdout);
    let said = Trial::new().call(["explain", "at"]).exits(0);
    assert_eq!(said.stdout.matches("    stands ").count(), 2, "{}", said.stdout);
    let said = Trial::new().call(["explain", "application"]).exits(0);
    assert!(said.stdout.contains("not built yet"), "{}", said.stdout);
    let said = Trial::new().call(["explain", "pick"]).exits(0);
    assert!(said.stdout.contains("checked and expanded; this version cannot run it"), "{}", said.stdout);
}

#[test]
fn what_is_none_of_them_ends_with_2_and_a_suggestion() {
    for (subject, meant) in
        [("queue-dept", "`queue-depth`"), ("unit/ambigous", "`unit/ambiguous`"), ("preconditon", "`precondition`")]
    {
        let said = Trial::new().call(["explain", subject]).exits(2);
        assert_eq!(said.stdout, "");
        assert!(
            said.stderr.contains(subject) && said.stderr.contains(&format!("did you mean {meant}")),
            "{}",
            said.stderr
        );
    }
    let said = Trial::new().call(["explain", "zzzzzzzzzz"]).exits(2);
    assert!(!said.stderr.contains("did you mean"), "{}", said.stderr);
    Trial::new().call(["explain"]).exits(2);
}

#[test]
fn a_file_comes_before_a_word_of_the_same_name() {
    let trial = Trial::new().file("measure", PLAN.as_bytes());
    assert!(trial.call(["explain", "measure"]).exits(0).stdout.contains("\nplan \"p\""));
}
