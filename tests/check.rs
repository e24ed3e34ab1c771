//! `shakedown check`: what it takes, what it prints where, how it ends.

use std::io::Write as _;
use std::process::Stdio;

use crate::support::trial::{Said, Trial};

const SOUND: &str = r#"
plan "p" { revision 1; }
workload "w" { access "random"; block-size "4KiB"; read "70%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; } }
test "t" { measure "w" { threads 2; queue-depth 4; run "60s"; } }
"#;

#[test]
fn a_sound_plan_ends_with_0_and_nothing_on_stdout() {
    let said = Trial::new().plan(SOUND).call(["check", "plan.kdl"]).exits(0);
    assert_eq!(said.stdout, "");
    assert!(said.stderr.contains("plan.kdl: sound; 2 steps, 1 measured case"), "{}", said.stderr);
    let said = Trial::new().plan(SOUND).call(["check", "-q", "plan.kdl"]).exits(0);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", ""));
}

#[test]
fn a_refused_plan_ends_with_1_and_says_where_and_what_to_type() {
    let said = Trial::new().plan(&SOUND.replace("\"4KiB\"", "\"4K\"")).call(["check", "plan.kdl"]).exits(1);
    assert_eq!(said.stdout, "");
    for part in ["error[unit/ambiguous]", "plan.kdl:3:", "\"4KiB\" (4,096 bytes)", "explain unit/ambiguous"] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
    assert!(!said.stderr.contains('\u{1b}'), "no colour when piped");
}

#[test]
fn standard_input_is_a_plan_too() {
    let trial = Trial::new();
    let mut child = trial
        .command(["check", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"plan \"p\" { revision 0x; }").expect("the program reads");
    drop(stdin);
    let said = Said::from(child.wait_with_output().expect("the program ends")).exits(1);
    let document: serde_json::Value = serde_json::from_str(&said.stdout).expect("one JSON document");
    assert!(document.to_string().contains("\"file\":\"-\""), "{document}");
    assert_eq!(said.stderr, "");
}

#[test]
fn what_is_no_plan_file_ends_with_2() {
    let trial = Trial::new();
    let said = trial.call(["check", "missing.kdl"]).exits(2);
    assert!(said.stderr.contains("missing.kdl: no such file"), "{}", said.stderr);
    let said = trial.call(["check", "."]).exits(2);
    assert!(said.stderr.contains("is a directory"), "{}", said.stderr);
    trial.call(["check"]).exits(2);
    trial.call(["no-such-subcommand"]).exits(2);
}

#[test]
fn bad_bytes_are_refused_with_a_reason() {
    let huge = b"a 1\n".repeat(5 << 20);
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty", b"", "plan"),
        ("binary", b"\x7fELF\x00\x01\x02\x03", "binary"),
        ("latin", b"plan \"caf\xe9\" { }", "UTF-8"),
        ("wide", b"\xff\xfea\x00", "UTF-16"),
        ("huge", &huge, "4,194,304 bytes"),
        ("comment", b"// nothing\n", "plan"),
    ];
    for (name, bytes, part) in cases {
        let said = Trial::new().file("plan.kdl", bytes).call(["check", "plan.kdl"]).exits(1);
        assert!(said.stderr.contains(part), "{name}: {part:?} in\n{}", said.stderr);
        assert!(said.stderr.contains("error["), "{name}:\n{}", said.stderr);
    }
}

#[test]
fn a_byte_order_mark_and_foreign_line_ends_do_no_harm() {
    let text = format!("\u{feff}{}", SOUND.replace('\n', "\r\n"));
    Trial::new().plan(&text).call(["check", "plan.kdl"]).exits(0);
    // Places are counted in lines of the person's editor.
    let said = Trial::new().plan(&text.replace("\"70%\"", "\"170%\"")).call(["check", "plan.kdl"]).exits(1);
    assert!(said.stderr.contains("plan.kdl:3:"), "{}", said.stderr);
}

#[test]
fn several_plans_are_checked_in_one_go() {
    let trial = Trial::new().plan(SOUND).file("bad.kdl", b"plan \"b\" { revison 1; }");
    let said = trial.call(["check", "plan.kdl", "bad.kdl", "missing.kdl"]).exits(2);
    for part in ["plan.kdl: sound", "bad.kdl:1:", "missing.kdl: no such file"] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
}

#[test]
fn warnings_refuse_only_when_asked() {
    let unused = format!("{SOUND}\nworkload \"spare\" {{ access \"random\"; block-size \"8KiB\"; read \"0%\"; }}\n");
    let trial = Trial::new().plan(&unused);
    let said = trial.call(["check", "plan.kdl"]).exits(0);
    assert!(said.stderr.contains("warning[") && said.stderr.contains("spare"), "{}", said.stderr);
    trial.call(["check", "--deny-warnings", "plan.kdl"]).exits(1);
}

#[test]
fn machine_formats_are_one_document_on_stdout() {
    let trial = Trial::new().plan(&SOUND.replace("threads 2", "threads 0"));
    let json = trial.call(["check", "--format", "json", "plan.kdl"]).exits(1);
    let document: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert!(document.to_string().contains("value/"), "{document}");
    let sarif = trial.call(["check", "--format", "sarif", "plan.kdl"]).exits(1);
    let document: serde_json::Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    assert_eq!(document["version"], "2.1.0");
    let github = trial.call(["check", "--format", "github", "plan.kdl"]).exits(1);
    assert!(github.stdout.starts_with("::error file=plan.kdl,line=5"), "{}", github.stdout);
}

#[test]
fn a_parameter_can_be_given_another_value() {
    let plan = SOUND
        .replace("plan \"p\"", "param \"deep\" 4 { max 8; }\nplan \"p\"")
        .replace("queue-depth 4", "queue-depth $deep");
    let trial = Trial::new().plan(&plan);
    trial.call(["check", "plan.kdl", "--set", "deep=8"]).exits(0);
    let said = trial.call(["check", "plan.kdl", "--set", "deep=9"]).exits(1);
    assert!(said.stderr.contains("deep"), "{}", said.stderr);
    let said = trial.call(["check", "plan.kdl", "--set", "dep=8"]).exits(1);
    assert!(said.stderr.contains("deep"), "did you mean: {}", said.stderr);
    trial.call(["check", "plan.kdl", "--set", "deep"]).exits(2);
}
