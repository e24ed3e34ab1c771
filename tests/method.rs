//! The fingerprint of a method: the same where the same is done and judged, another where anything of that is changed.

use std::collections::BTreeMap;
use std::path::Path;

use shakedown::plan::method::{Method, VERSION};
use shakedown::plan::{self, Plan};
use shakedown::text::{Fingerprint, SourceFile};

use crate::support::pages::{collect, name, read, root};
use crate::support::plans::{Folder, checked};
use crate::support::trial::Trial;

/// One of nearly everything that is carried out.
const PLAN: &str = r#"
plan "one" { title "A title"; revision 3; seed 5; source "somewhere"; note "nothing"; }
device "dut" { at-most "600MB/s"; }
host { engine "sync"; }

workload "reads"  { access "random"; block-size "4KiB"; read "100%"; }
workload "writes" { access "sequential" cursor="shared"; block-size "128KiB"; read "0%"; span "1GiB"; }

setup {
    fill passes=1 { block-size "128KiB"; threads 1; queue-depth 8; }
}

before-each {
    idle "10s"
}

test "first" repeat=2 {
    title "The first"
    allow "unwritten-reads" because="a test"
    precondition "writes" as="condition" { threads 1; queue-depth 8; run written="2GiB"; }
    measure "reads" {
        matrix { threads 1 4; queue-depth 1 16; }
        ramp "5s"
        run "1m"
        sample "500ms"
    }
}

test "second" {
    measure "writes" { threads 2; queue-depth 8; run passes=3; }
}
"#;

fn plan(text: &str) -> Plan {
    let loaded = plan::load(&SourceFile::new("plan.kdl", text), &[]);
    loaded.plan.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics.all()))
}

fn fingerprint(text: &str) -> Fingerprint {
    Method::of(&plan(text)).fingerprint()
}

/// `PLAN` with other words in the place of some.
fn with(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(PLAN.to_string(), |text, (old, new)| {
        assert!(text.contains(old), "{old:?} does not stand in {text}");
        text.replace(old, new)
    })
}

#[test]
fn fingerprints_of_known_plans_do_not_drift() {
    // Another value here without a change of the plan: the canonical form has changed, and needs a new version.
    let known = [
        ("examples/first-run.kdl", "eeee-a44b-2ac8-f87b"),
        ("examples/for-each.kdl", "f88d-6e10-5b9d-b87e"),
        ("examples/matrix.kdl", "db56-b77d-c254-7f18"),
        ("examples/parameters.kdl", "be15-109c-07c0-bf29"),
        ("examples/procedure.kdl", "6f8b-a126-0149-b485"),
        ("plans/smoke.kdl", "d2f7-32c6-fc97-2af5"),
        ("plans/mixed-8k-70-30.kdl", "879c-81a1-f5a7-c212"),
        ("plans/desktop.kdl", "22ea-b215-2f4a-db59"),
    ];
    let found = known.map(|(file, _)| {
        let (plan, _) = checked(&root().join(file)).sound.expect("a plan that is sound");
        (file, Method::of(&plan).fingerprint().to_string())
    });
    assert_eq!(found, known.map(|(file, short)| (file, short.to_string())));
}

#[test]
fn the_canonical_form_is_known() {
    assert_eq!(VERSION, "method-1");
    let text = r#"
        plan "p" { }
        workload "w" { access "random"; block-size "4KiB"; read "70%"; }
        test "t" { measure "w" { threads 2; matrix { queue-depth 1 8; }; run "1m"; }; }
    "#;
    let canonical = Method::of(&plan(text)).canonical();
    let value: serde_json::Value = serde_json::from_str(&canonical).expect("JSON");
    assert_eq!(value.to_string(), canonical, "no white space, and every text escaped as JSON has it");
    assert_eq!(
        canonical,
        r#"{"host":{"engine":"sync","completions":"interrupt"},"sections":[{},{"repeat":"1","steps":[{"do":"measure","with":{"loads":[{"streams":[{"share":"1000000ppm","access":"random","block-size":"4096B","read":"700000ppm","trim":"0ppm","span":"1000000ppm+0B","data":"incompressible"}],"threads":"2","queue-depth":"axis","start":"beginning"}],"matrix":[{"queue-depth":["1","8"]}],"ramp":"0ns","run":{"time":"60000000000ns"},"sample":"1000000000ns","on-error":"fail","on-interruption":"repeat"}}]}]}"#
    );
    assert_eq!(Method::of(&plan(PLAN)).fingerprint().to_string(), "8481-da0f-363e-5112");
}

#[test]
fn what_only_names_explains_or_shows_is_no_part() {
    let same = [
        ("layout and comments", with(&[("; ", ";  "), ("test \"first\"", "// a remark\n\n\ntest \"first\"")])),
        ("the order of definitions", {
            let line = "workload \"reads\"  { access \"random\"; block-size \"4KiB\"; read \"100%\"; }\n";
            with(&[(line, ""), ("setup {", &format!("{line}setup {{"))])
        }),
        ("units", with(&[("\"1m\"", "\"60s\""), ("\"500ms\"", "\"0.5s\""), ("\"1GiB\"", "\"1024MiB\"")])),
        ("a fill of everything", with(&[("fill passes=1", "fill \"100%\"")])),
        ("the seed", with(&[("seed 5; ", "")])),
        (
            "what is said of the plan",
            with(&[
                ("plan \"one\"", "plan \"two\""),
                ("title \"A title\"; revision 3; ", ""),
                ("source \"somewhere\"; note \"nothing\";", ""),
                ("    title \"The first\"\n", ""),
            ]),
        ),
        ("names of workloads", with(&[("\"reads\"", "\"4k\""), ("\"writes\"", "\"128k\"")])),
        ("names of tests and steps", with(&[("\"first\"", "\"1\""), ("as=\"condition\"", "as=\"warm-up\"")])),
        (
            "what a drive must be",
            with(&[("device \"dut\" { at-most \"600MB/s\"; }", "device \"d\" { media \"qlc\"; }")]),
        ),
        (
            "provenance",
            with(&[("run \"1m\"", "run (published)\"1m\""), ("    precondition", "    (inferred)precondition")]),
        ),
        ("what is allowed", with(&[("    allow \"unwritten-reads\" because=\"a test\"\n", "")])),
        (
            "defaults written out",
            with(&[("run passes=3", "run passes=3; sample \"1s\"; ramp \"0s\""), ("host { engine \"sync\"; }", "")]),
        ),
        ("a workload without use", with(&[("setup {", "workload \"idle\" { access \"random\"; }\nsetup {")])),
        (
            "a parameter",
            with(&[("setup {", "param \"length\" \"60s\"\nparam \"other\" 3\nsetup {"), ("run \"1m\"", "run $length")]),
        ),
        (
            "a procedure",
            with(&[
                (
                    "setup {",
                    "procedure \"writing\" { needs \"passes\"; measure \"writes\" { threads 2; queue-depth 8; run passes=$passes; }; }\nsetup {",
                ),
                (
                    "    measure \"writes\" { threads 2; queue-depth 8; run passes=3; }",
                    "    apply \"writing\" passes=3",
                ),
            ]),
        ),
        (
            "steps before each test in each test",
            with(&[
                ("before-each {\n    idle \"10s\"\n}\n", ""),
                ("    precondition", "    idle \"10s\"\n    precondition"),
                ("test \"second\" {", "test \"second\" {\n    idle \"10s\""),
            ]),
        ),
        ("the spelled out plan", plan::spell(&plan(PLAN))),
    ];
    for (what, text) in same {
        assert_eq!(
            fingerprint(&text),
            fingerprint(PLAN),
            "{what}: {}\n{}",
            Method::of(&plan(&text)).canonical(),
            Method::of(&plan(PLAN)).canonical()
        );
    }
}

#[test]
fn a_changed_parameter_is_another_method_where_something_uses_it() {
    let text =
        with(&[("setup {", "param \"length\" \"60s\"\nparam \"other\" 3\nsetup {"), ("run \"1m\"", "run $length")]);
    let set = |name: &str, value: &str| {
        let loaded = plan::load(&SourceFile::new("plan.kdl", &*text), &[(name.into(), value.into())]);
        Method::of(&loaded.plan.expect("a plan")).fingerprint()
    };
    assert_eq!(set("other", "4"), fingerprint(PLAN));
    assert_eq!(set("length", "1m"), fingerprint(PLAN));
    assert_ne!(set("length", "2m"), fingerprint(PLAN));
}

#[test]
fn an_included_definition_is_as_good_as_a_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "workload \"reads\"  { access \"random\"; block-size \"4KiB\"; read \"100%\"; }\n";
    let more = "workload \"further\" { access \"random\"; }\n";
    std::fs::write(folder.path().join("loads.kdl"), format!("{line}{more}")).expect("a file");
    let text = with(&[(line, ""), ("setup {", "include \"loads.kdl\"\nsetup {")]);
    let loader = Folder::of(&folder.path().join("plan.kdl"));
    let loaded = plan::load_with(&SourceFile::new("plan.kdl", text), &[], &loader);
    assert_eq!(Method::of(&loaded.plan.expect("a plan")).fingerprint(), fingerprint(PLAN));
}

#[test]
fn everything_that_is_done_or_judged_is_a_part() {
    let others = [
        with(&[("idle \"10s\"", "idle \"11s\"")]),
        with(&[("repeat=2", "repeat=3")]),
        with(&[("threads 1 4", "threads 4 1")]),
        with(&[("matrix { threads 1 4; queue-depth 1 16; }", "matrix { queue-depth 1 16; threads 1 4; }")]),
        with(&[("sample \"500ms\"", "sample \"1s\"")]),
        with(&[("ramp \"5s\"", "ramp \"6s\"")]),
        with(&[("before-each {\n    idle \"10s\"\n}\n", "")]),
        with(&[("    measure \"writes\"", "    precondition \"writes\"")]),
        with(&[("fill passes=1", "fill \"1GiB\"")]),
        with(&[("span \"1GiB\"", "span \"1GiB\" offset=\"1GiB\"")]),
        with(&[("run passes=3", "run \"3s\"")]),
        with(&[("cursor=\"shared\"", "cursor=\"lanes\"")]),
    ];
    let mut seen = BTreeMap::from([(fingerprint(PLAN).sha256, PLAN.to_string())]);
    for text in others {
        if let Some(same) = seen.insert(fingerprint(&text).sha256, text.clone()) {
            panic!("one fingerprint of two methods:\n{same}\n{text}");
        }
    }
    let mut io_uring = plan(PLAN);
    io_uring.host.engine.value = plan::EngineKind::IoUring;
    assert_ne!(Method::of(&io_uring).fingerprint(), fingerprint(PLAN));
    let mut fewer = plan(PLAN);
    fewer.keep_tests(&["second".to_string()]).expect("a test of the plan");
    assert_ne!(Method::of(&fewer).fingerprint(), fingerprint(PLAN), "fewer tests are another method");
}

/// Nodes whose values are no part of the method, and parameters, whose use is not to be seen in a line.
const NO_PART: [&str; 12] = [
    "plan",
    "title",
    "revision",
    "seed",
    "source",
    "note",
    "device",
    "capacity",
    "at-most",
    "rated-endurance",
    "allow",
    "param",
];

/// The places of numbers in a line of a plan: its digits, and what makes another value of them.
fn numbers(line: &str) -> Vec<(std::ops::Range<usize>, [u64; 2])> {
    let code = line.split("//").next().unwrap_or(line);
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digits = code[at..].bytes().take_while(u8::is_ascii_digit).count();
        // In the place of a value or right behind the quote of one; names hold numbers too.
        let begins = at > 0 && matches!(bytes[at - 1], b' ' | b'"' | b'=');
        if digits > 0
            && begins
            && let Ok(value) = code[at..at + digits].parse::<u64>()
        {
            found.push((at..at + digits, [value + 1, value * 2]));
        }
        at += digits.max(1);
    }
    found
}

/// Loads and checks a text in the place of a file.
fn loaded(file: &Path, text: String) -> Option<Plan> {
    plan::load_with(&SourceFile::new(name(file), text), &[], &Folder::of(file)).plan
}

#[test]
fn another_number_anywhere_is_another_method() {
    let mut tried = 0;
    for file in sound_files() {
        let text = read(&file);
        let own = Method::of(&loaded(&file, text.clone()).expect("a sound plan")).fingerprint();
        let mut offset = 0;
        // A text that goes on in the next line is still of its node.
        let (mut first, mut goes_on) = ("", false);
        for line in text.split_inclusive('\n') {
            if !goes_on {
                first = line.trim_start().split([' ', ';']).next().unwrap_or("");
            }
            goes_on = line.trim_end().ends_with('\\');
            for (place, values) in numbers(line) {
                let quoted_name = line[..place.start].trim_start().trim_end_matches('"').trim_end();
                let is_name = ["as=", "in="].iter().any(|name| quoted_name.ends_with(name));
                if is_name
                    || NO_PART.contains(&first)
                    || ["workload", "test", "measure", "precondition", "procedure", "apply"].contains(&quoted_name)
                {
                    continue;
                }
                for value in values.into_iter().filter(|value| value.to_string() != line[place.clone()]) {
                    let range = offset + place.start..offset + place.end;
                    let changed = format!("{}{value}{}", &text[..range.start], &text[range.end..]);
                    // What the change makes wrong, or what names something else now, is refused.
                    let Some(plan) = loaded(&file, changed) else { continue };
                    tried += 1;
                    assert_ne!(
                        Method::of(&plan).fingerprint(),
                        own,
                        "{}: {} to {value} in {line}",
                        name(&file),
                        &line[place.clone()]
                    );
                }
            }
            offset += line.len();
        }
    }
    assert!(tried > 100, "only {tried} changes");
}

/// Plans and examples that are sound.
fn sound_files() -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for folder in ["plans", "examples", "tests/fixtures/methods"] {
        collect(&root().join(folder), "kdl", &mut files);
    }
    files.sort();
    files.retain(|file| checked(file).sound.is_some());
    assert!(files.len() >= 8, "{files:?}");
    files
}

#[test]
fn another_name_anywhere_is_the_same_method() {
    let mut renamed = 0;
    for file in sound_files() {
        let text = read(&file);
        let plan = loaded(&file, text.clone()).expect("a sound plan");
        let own = Method::of(&plan).fingerprint();
        let mut changed = text.clone();
        let names =
            plan.workloads.iter().map(|workload| &workload.name).chain(plan.tests.iter().map(|test| &test.name));
        for given in names.map(|name| &name.value).collect::<std::collections::BTreeSet<_>>() {
            if text.contains(&format!("workload \"{given}\"")) || text.contains(&format!("test \"{given}\"")) {
                changed = changed.replace(&format!("\"{given}\""), &format!("\"{given} renamed\""));
                renamed += 1;
            }
        }
        let changed = changed.replace(" as=\"", " as=\"renamed ").replace(" in=\"", " in=\"renamed ");
        let Some(again) = loaded(&file, changed.clone()) else { continue };
        assert_eq!(Method::of(&again).fingerprint(), own, "{}", name(&file));
        // Laid out anew and spelled out it is the same too.
        let spelled = plan::load(&SourceFile::new("spelled.kdl", plan::spell(&again)), &[]).plan.expect("a plan");
        assert_eq!(Method::of(&spelled).fingerprint(), own, "{}", name(&file));
    }
    assert!(renamed > 10, "only {renamed} names");
}

#[test]
fn what_binding_settles_is_said_and_has_a_fingerprint_of_its_own() {
    let plan = "plan \"p\" { }\nworkload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; span \"1MiB\" offset=\"1MiB\"; }\n\
                test \"t\" { fill \"50%\" { block-size \"128KiB\"; threads 1; queue-depth 1; }\n\
                measure \"w\" { threads 1; queue-depth 1; run written=\"64KiB\"; }; }\n";
    let trial = Trial::new().plan(plan);
    let settled = |bytes: u64| {
        let file = std::fs::File::create(trial.path("drive.img")).expect("a file");
        file.set_len(bytes).expect("there is room");
        let bound = ["expand", "plan.kdl", "--device", "dut=drive.img"];
        let said = trial.call(bound).exits(0).stdout;
        let line = said.lines().find(|line| line.starts_with("conditions ")).expect("a line").to_string();
        let document = trial.call(bound.into_iter().chain(["--format", "json"])).exits(0).stdout;
        let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
        (line, document["schedule"]["conditions"].clone(), document["schedule"]["method"].clone())
    };
    let (line, conditions, method) = settled(64 << 20);
    let regions: Vec<_> = conditions["regions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|of| (of["start_bytes"].as_u64(), of["length_bytes"].as_u64()))
        .collect();
    assert_eq!(regions, [(Some(0), Some(32 << 20)), (Some(1 << 20), Some(1 << 20))]);
    assert_eq!(conditions["engine"], "sync");
    assert_eq!(conditions["device_bytes"], 64 << 20);
    assert_eq!(settled(64 << 20), (line.clone(), conditions, method.clone()), "the same again");
    let (other_line, _, same_method) = settled(32 << 20);
    assert_ne!(other_line, line, "other bytes are other conditions");
    assert_eq!(same_method, method, "on any target the method is the same");
    let unbound = trial.call(["expand", "plan.kdl"]).exits(0).stdout;
    assert!(!unbound.contains("conditions"), "{unbound}");
}

#[test]
fn a_run_and_its_report_carry_both() {
    let plan = "plan \"p\" { }\ntest \"t\" { fill \"1MiB\" { block-size \"64KiB\"; threads 1; queue-depth 1; }; }\n";
    let trial = Trial::new().plan(plan);
    let said = trial.call(["run", "plan.kdl", "--scratch", "4MiB", "--buffered", "--format", "json"]).exits(0);
    let document: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let own = fingerprint(plan);
    assert_eq!(document["run"]["method"]["sha256"], own.sha256.as_str());
    assert_eq!(document["run"]["conditions"]["settled"]["device_bytes"], 4 << 20);
    let folder = trial.result();
    let tables = trial.call(["report".as_ref(), folder.as_os_str()]).exits(0).stdout;
    assert!(tables.contains(&own.to_string()) && tables.contains("conditions"), "{tables}");
}
