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
    assert!(said.stderr.contains(".: no file in this folder ends in .kdl"), "{}", said.stderr);
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

/// A folder with everything that a folder of plans may hold.
fn folder() -> Trial {
    let trial = Trial::new();
    for folder in ["plans/common", "plans/.drafts", "empty"] {
        std::fs::create_dir_all(trial.path(folder)).expect("a folder");
    }
    trial
        .file("plans/a.kdl", SOUND.as_bytes())
        .file("plans/b.kdl", SOUND.replace("\"4KiB\"", "\"4K\"").replace("threads 2", "threads 0").as_bytes())
        .file("plans/bench.kdl", b"rig \"bench\" { results \"/srv\"; }")
        .file("plans/c.kdl", format!("{SOUND}workload \"x\" {{ access \"random\"; }}").as_bytes())
        .file("plans/common/loads.kdl", b"workload \"w\" { access \"random\"; }\nparam \"n\" 4\n")
        .file("plans/.drafts/d.kdl", b"not a plan")
        .file("plans/note.txt", b"not a plan")
}

#[test]
fn a_folder_means_all_plans_in_it() {
    let said = folder().call(["check", "plans"]).exits(1);
    assert_eq!(said.stdout, "");
    let headings: Vec<&str> = said.stderr.lines().filter(|line| line.starts_with("plans/")).collect();
    assert_eq!(
        headings,
        [
            "plans/a.kdl: sound; 2 steps, 1 measured case",
            "plans/b.kdl: refused; 2 errors",
            "plans/bench.kdl: skipped; a rig, which is not built yet: only its syntax was checked",
            "plans/c.kdl: sound; 2 steps, 1 measured case; 1 warning",
            "plans/common/loads.kdl: sound; definitions for other plans",
        ]
    );
    let last = said.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("5 files, 1 skipped, 2 errors, 1 warning. `shakedown explain "), "{last}");
}

#[test]
fn a_file_is_checked_once_however_often_it_is_named() {
    let said = folder().call(["check", "plans/a.kdl", "plans/common/../a.kdl", "./plans/a.kdl"]).exits(0);
    assert_eq!(said.stderr, "plans/a.kdl: sound; 2 steps, 1 measured case\n\n1 file, no mistakes.\n");
}

#[test]
fn this_folder_is_named_as_in_the_repository() {
    let trial = folder();
    let mut command = trial.command(["check", ".", "--format", "github"]);
    let said = Said::from(command.current_dir(trial.path("plans")).output().expect("the program starts")).exits(1);
    assert!(said.stdout.starts_with("::error file=b.kdl,line="), "{}", said.stdout);
}

#[test]
fn quiet_shows_of_several_files_those_that_are_refused() {
    let trial = folder();
    let said = trial.call(["check", "-q", "plans"]).exits(1);
    for (part, is_there) in [("b.kdl: refused", true), ("a.kdl", false), ("bench", false), ("5 files", true)] {
        assert_eq!(said.stderr.contains(part), is_there, "{part} in\n{}", said.stderr);
    }
    let said = trial.call(["check", "-q", "plans/a.kdl", "plans/c.kdl"]).exits(0);
    assert_eq!(said.stderr, "");
    let said = trial.call(["check", "-q", "--deny-warnings", "plans/a.kdl", "plans/c.kdl"]).exits(1);
    for part in ["plans/c.kdl: refused; 1 warning", "warning[workload/unused]", "as `--deny-warnings` asks"] {
        assert!(said.stderr.contains(part), "{part} in\n{}", said.stderr);
    }
}

#[test]
fn an_empty_folder_a_missing_and_an_unreadable_file_end_with_2_and_the_rest_is_checked() {
    let trial = folder();
    let said = trial.call(["check", "plans/a.kdl", "empty"]).exits(2);
    assert!(said.stderr.contains("error: empty: no file in this folder ends in .kdl\n"), "{}", said.stderr);
    assert!(said.stderr.contains("plans/a.kdl: sound"), "{}", said.stderr);
    assert!(said.stderr.ends_with("2 files, 1 unreadable, no mistakes.\n"), "{}", said.stderr);
    let said = trial.call(["check", "plans/b.kdl", "missing.kdl", "--format", "json"]).exits(2);
    assert_eq!(said.stderr, "error: missing.kdl: no such file\n");
    let document: serde_json::Value = serde_json::from_str(&said.stdout).expect("one JSON document");
    let state = |index: usize| (&document["files"][index]["file"], &document["files"][index]["state"]);
    assert_eq!(state(0), (&"plans/b.kdl".into(), &"refused".into()));
    assert_eq!(state(1), (&"missing.kdl".into(), &"unreadable".into()));
    assert_eq!(document["files"][1]["note"], "no such file");
    let said = trial.call(["check", "missing.kdl", "--format", "github"]).exits(2);
    assert_eq!(said.stdout, "::error file=missing.kdl,title=unreadable::no such file\n");
}

#[test]
fn text_goes_to_a_file_where_that_is_asked_for() {
    let trial = folder();
    let shown = trial.call(["check", "plans"]).exits(1).stderr;
    let said = trial.call(["check", "plans", "--output", "out.txt"]).exits(1);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", ""));
    assert_eq!(std::fs::read_to_string(trial.path("out.txt")).expect("was written"), shown);
}

/// What the schema of SARIF 2.1.0 and code scanning on GitHub ask of a log, as far as we write it.
fn assert_sarif(log: &serde_json::Value) {
    let text = |value: &serde_json::Value, what: &str| {
        assert!(value.as_str().is_some_and(|text| !text.is_empty()), "{what}: {value}");
    };
    let only = |value: &serde_json::Value, known: &[&str]| {
        for key in value.as_object().expect("an object").keys() {
            assert!(known.contains(&key.as_str()), "{key} is not of the schema, or not known to this test");
        }
    };
    only(log, &["$schema", "version", "runs"]);
    assert_eq!(
        (&log["version"], &log["$schema"]),
        (&"2.1.0".into(), &"https://json.schemastore.org/sarif-2.1.0.json".into())
    );
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let run = &log["runs"][0];
    only(run, &["tool", "invocations", "columnKind", "results"]);
    assert!(["utf16CodeUnits", "unicodeCodePoints"].map(Into::into).contains(&run["columnKind"]));
    let driver = &run["tool"]["driver"];
    only(driver, &["name", "version", "rules"]);
    text(&driver["name"], "the tool's name");
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        only(rule, &["id", "shortDescription", "fullDescription", "help"]);
        text(&rule["id"], "id");
        for (part, most) in [("shortDescription", 1024), ("fullDescription", 1024), ("help", usize::MAX)] {
            text(&rule[part]["text"], part);
            assert!(rule[part]["text"].as_str().is_some_and(|text| text.chars().count() <= most), "{part} is too long");
        }
    }
    let ids: std::collections::BTreeSet<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids.len(), rules.len(), "a rule stands there once");
    let artifact = |artifact: &serde_json::Value| {
        only(artifact, &["uri", "uriBaseId"]);
        let uri = artifact["uri"].as_str().expect("a URI");
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)), "{uri}");
        assert_eq!(artifact.get("uriBaseId").is_some(), !uri.starts_with("file://"), "{uri}");
    };
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    for notification in run["invocations"][0]["toolExecutionNotifications"].as_array().expect("notifications") {
        only(notification, &["level", "message", "locations"]);
        text(&notification["message"]["text"], "message");
        artifact(&notification["locations"][0]["physicalLocation"]["artifactLocation"]);
    }
    for result in run["results"].as_array().expect("results") {
        only(result, &["ruleId", "ruleIndex", "level", "message", "locations", "fixes"]);
        for fix in result.get("fixes").and_then(serde_json::Value::as_array).into_iter().flatten() {
            only(fix, &["description", "artifactChanges"]);
            only(&fix["artifactChanges"][0], &["artifactLocation", "replacements"]);
            artifact(&fix["artifactChanges"][0]["artifactLocation"]);
            assert!(fix["artifactChanges"][0]["replacements"][0]["deletedRegion"]["startLine"].is_u64());
        }
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["none", "note", "warning", "error"].map(Into::into).contains(&result["level"]));
        text(&result["message"]["text"], "message");
        assert_eq!(result["locations"].as_array().map(Vec::len), Some(1));
        let place = &result["locations"][0]["physicalLocation"];
        only(place, &["artifactLocation", "region"]);
        artifact(&place["artifactLocation"]);
        let region = |key: &str| place["region"][key].as_u64().expect("a number");
        let (start, end) = ((region("startLine"), region("startColumn")), (region("endLine"), region("endColumn")));
        assert!(start.0 >= 1 && start.1 >= 1 && end.1 >= 1 && start <= end, "{place}");
    }
}

#[test]
fn sarif_logs_are_of_the_schema_for_every_refusal() {
    let trial = folder().file("plans/a b#.kdl", b"\xff\xfe");
    let refusals = crate::support::pages::root().join("tests/refusals");
    for arguments in [vec!["plans".into(), "missing.kdl".into()], vec![refusals.into_os_string()], vec!["empty".into()]]
    {
        let mut command = trial.command(["check", "--format", "sarif"]);
        let said = Said::from(command.args(&arguments).output().expect("the program starts"));
        let log: serde_json::Value = serde_json::from_str(&said.stdout).expect("one JSON document");
        assert_sarif(&log);
        let run = &log["runs"][0];
        let has_results = run["results"].as_array().is_some_and(|results| !results.is_empty());
        assert_eq!(has_results, arguments != ["empty"], "{arguments:?}");
        let is_unreadable = said.code == Some(2);
        assert_eq!(run["invocations"][0]["executionSuccessful"], !is_unreadable, "{arguments:?}");
    }
}

/// What GitHub takes as a workflow command that annotates a file, from its runner's rules.
fn assert_annotation(line: &str) {
    let rest = line.strip_prefix("::").expect("a command begins with two colons");
    let (head, message) = rest.split_once("::").expect("and the message stands behind two more");
    let (command, properties) = head.split_once(' ').expect("properties");
    assert!(["error", "warning", "notice"].contains(&command), "{line}");
    assert!(!message.is_empty() && !message.contains('\r'), "{line}");
    for property in properties.split(',') {
        let (key, value) = property.split_once('=').expect("KEY=VALUE");
        match key {
            "file" | "title" => assert!(!value.is_empty() && !value.contains(':'), "{line}"),
            "line" | "endLine" | "col" | "endColumn" => {
                assert!(value.parse::<u32>().is_ok_and(|number| number >= 1), "{line}");
            }
            other => panic!("{other} is no property of an annotation: {line}"),
        }
    }
    for escape in line.match_indices('%').map(|(at, _)| &line[at + 1..]) {
        assert!(["25", "0D", "0A", "3A", "2C"].iter().any(|code| escape.starts_with(code)), "{line}");
    }
}

#[test]
fn annotations_are_workflow_commands_for_every_refusal() {
    let trial = folder();
    let refusals = crate::support::pages::root().join("tests/refusals");
    let mut command = trial.command(["check", "--format", "github", "plans", "missing.kdl"]);
    let said = Said::from(command.arg(refusals).output().expect("the program starts")).exits(2);
    assert!(said.stdout.lines().count() > 90, "{}", said.stdout);
    said.stdout.lines().for_each(assert_annotation);
}

#[test]
fn what_is_wrong_with_an_included_file_is_annotated_once() {
    let trial = folder().file("plans/common/loads.kdl", b"workload \"x\" { access \"random\"; block-size \"4K\"; }\n");
    for name in ["plans/a.kdl", "plans/c.kdl"] {
        std::fs::write(trial.path(name), format!("{SOUND}include \"common/loads.kdl\"\n")).expect("a file");
    }
    let files = ["plans/a.kdl", "plans/c.kdl", "plans/common"];
    let call = |format| trial.call(["check", "--format", format].into_iter().chain(files)).exits(1).stdout;
    let github = call("github");
    assert_eq!(github.matches("::error file=plans/common/loads.kdl,line=1").count(), 1, "{github}");
    let log: serde_json::Value = serde_json::from_str(&call("sarif")).expect("a log");
    assert_sarif(&log);
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1), "{log}");
    // All three are refused, and each says why.
    let document: serde_json::Value = serde_json::from_str(&call("json")).expect("a document");
    let states = document["files"].as_array().expect("files").iter().map(|file| &file["state"]);
    assert!(states.into_iter().all(|state| state == "refused"), "{document}");
    assert_eq!(document["errors"], 3);
}

#[test]
fn definitions_for_other_plans_are_checked_by_themselves() {
    let trial = Trial::new().file("loads.kdl", b"workload \"w\" { access \"random\"; block-size \"4K\"; }\n");
    let said = trial.call(["check", "loads.kdl", "--set", "n=1"]).exits(1);
    assert!(said.stderr.contains("error[unit/ambiguous]") && said.stderr.contains("1 error."), "{}", said.stderr);
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
