use std::collections::BTreeMap;

use super::{Loader, NotLoaded};
use crate::plan::{Loaded, limits, load, load_with};
use crate::text::SourceFile;

const PLAN: &str = "plan \"p\"\n";
const TEST: &str = "test \"t\" { measure \"w\" { threads 1; run \"60s\"; }; }\n";
const WORKLOAD: &str = "workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n";

/// Files by their paths; `>x` is a link to `x`, and one to `/` leads out.
struct Files(BTreeMap<String, String>);

impl Files {
    fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect())
    }
}

impl Loader for Files {
    fn own(&self) -> Option<String> {
        Some("plan.kdl".into())
    }

    fn find(&self, path: &str) -> Result<String, NotLoaded> {
        match self.0.get(path).map(String::as_str) {
            Some(">/") => Err(NotLoaded::Outside),
            Some(text) => Ok(text.strip_prefix('>').unwrap_or(path).to_string()),
            None if path == "plan.kdl" => Ok("plan.kdl".into()),
            None => Err(NotLoaded::Because("no such file".into())),
        }
    }

    fn read(&self, real_path: &str, _: usize) -> Result<Vec<u8>, NotLoaded> {
        let text = self.0.get(real_path).map(|text| text.replace('?', "\u{0}").into_bytes());
        text.ok_or_else(|| NotLoaded::Because("no permission to read it".into()))
    }
}

fn loaded(plan: &str, files: &[(&str, &str)], sets: &[(&str, &str)]) -> Loaded {
    let sets: Vec<(String, String)> = sets.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    load_with(&SourceFile::new("plan.kdl", format!("{PLAN}{plan}")), &sets, &Files::of(files))
}

/// Codes with the file that they are about.
fn said(loaded: &Loaded) -> Vec<(&'static str, String)> {
    let file = |diagnostic: &crate::diag::Diagnostic| {
        diagnostic.source.as_ref().map_or(String::new(), |source| source.name().to_string())
    };
    loaded.diagnostics.all().iter().map(|diagnostic| (diagnostic.code.id(), file(diagnostic))).collect()
}

#[test]
fn definitions_of_other_files_are_used_as_if_they_stood_in_the_plan() {
    let files = [
        (
            "shared/all.kdl",
            "include \"parts/w.kdl\"\ninclude \"../deep.kdl\"\nworkload \"unused\" { access \"random\"; }\n",
        ),
        ("shared/parts/w.kdl", WORKLOAD),
        (
            "deep.kdl",
            "include \"shared/parts/w.kdl\"\nparam \"depth\" 4\nparam \"spare\" 4\n\
             procedure \"deep\" { needs \"as\"; for-each \"n\" 1 $depth { measure \"w\" as=$as { threads $n; run \"60s\"; }; }; }\n\
             procedure \"spare\" { idle \"1s\"; }\n\
             test \"u\" { apply \"deep\" as=\"mine\"; }\n",
        ),
    ];
    let plan = format!("include \"shared/all.kdl\"\n{TEST}test \"v\" {{ apply \"deep\" as=\"x\"; }}\n");
    let loaded = loaded(&plan, &files, &[("depth", "8")]);
    assert_eq!(said(&loaded), []);
    let plan = loaded.plan.expect("a plan");
    let tests: Vec<&str> = plan.tests.iter().map(|test| test.name.value.as_str()).collect();
    assert_eq!(tests, ["u", "t", "v"]);
    let labels: Vec<&str> = plan.tests[0].steps.iter().map(|step| step.label.as_str()).collect();
    assert_eq!(labels, ["mine n=1", "mine n=8"]);
    let included: Vec<&str> = plan.texts.included().map(|(path, _)| path).collect();
    assert_eq!(included, ["shared/all.kdl", "shared/parts/w.kdl", "deep.kdl"]);
    let workloads: Vec<&str> = plan.workloads.iter().map(|workload| workload.name.value.as_str()).collect();
    assert_eq!(workloads, ["w"], "what the plan does not use is not a part of it");
    // The place of a step in the plan is the `include` that leads to it.
    let place = plan.texts.in_plan(plan.tests[0].steps[0].span);
    assert_eq!((place.start, place.end), (17, 33));
}

#[test]
fn what_is_wrong_is_shown_in_its_own_file() {
    for (plan, files, expected) in [
        (
            TEST,
            &[("w.kdl", "workload \"w\" { access \"random\"; block-size \"4K\"; read \"0%\"; }")][..],
            &[("unit/ambiguous", "w.kdl")][..],
        ),
        (TEST, &[("w.kdl", "workload \"w\" {\n")], &[("syntax/unclosed-brace", "w.kdl")]),
        (
            TEST,
            &[("w.kdl", "wrokload \"w\" { access \"random\"; }")],
            &[("name/unknown-node", "w.kdl"), ("workload/undefined", "plan.kdl")],
        ),
        (TEST, &[("w.kdl", "a ?")], &[("include/not-read", "plan.kdl")]),
        (TEST, &[], &[("include/not-read", "plan.kdl")]),
        (TEST, &[("w.kdl", ">locked.kdl")], &[("include/not-read", "plan.kdl")]),
        (TEST, &[("w.kdl", ">/")], &[("include/outside", "plan.kdl")]),
        (TEST, &[("w.kdl", "include \"../x.kdl\"")], &[("include/outside", "w.kdl")]),
        (TEST, &[("w.kdl", "include \"w.kdl\"")], &[("include/cycle", "w.kdl")]),
        (TEST, &[("w.kdl", "include \"plan.kdl\"")], &[("include/cycle", "w.kdl")]),
        (TEST, &[("w.kdl", "include \"v.kdl\""), ("v.kdl", ">w.kdl")], &[("include/cycle", "w.kdl")]),
        (TEST, &[("w.kdl", "include $x")], &[("value/out-of-range", "w.kdl")]),
        (TEST, &[("w.kdl", "include")], &[("value/missing", "w.kdl")]),
        (TEST, &[("w.kdl", "include 4")], &[("value/wrong-type", "w.kdl")]),
        (TEST, &[("w.kdl", "include \"\"")], &[("value/out-of-range", "w.kdl")]),
    ] {
        let found = said(&loaded(&format!("include \"w.kdl\"\n{plan}"), files, &[]));
        let expected: Vec<_> = expected.iter().map(|(code, file)| (*code, file.to_string())).collect();
        assert_eq!(found, expected, "{files:?}");
    }
}

#[test]
fn an_included_file_holds_definitions_alone_and_the_rest_is_checked_all_the_same() {
    let text = format!("plan \"q\"\ndevice \"dut\"\nsetup {{ idle \"1s\"; }}\n{WORKLOAD}");
    let found = said(&loaded(&format!("include \"w.kdl\"\n{TEST}"), &[("w.kdl", &text)], &[]));
    assert_eq!(found, vec![("include/no-definition", "w.kdl".to_string()); 3]);
}

#[test]
fn two_definitions_of_one_name_are_shown_in_both_files() {
    let loaded = loaded(&format!("include \"w.kdl\"\n{WORKLOAD}{TEST}"), &[("w.kdl", WORKLOAD)], &[]);
    assert_eq!(said(&loaded), [("name/duplicate", "plan.kdl".to_string())]);
    let related = &loaded.diagnostics.all()[0].related;
    let files: Vec<&str> = related.iter().filter_map(|other| Some(other.source.as_ref()?.name())).collect();
    assert_eq!(files, ["w.kdl"]);
}

#[test]
fn a_call_across_files_names_both() {
    let procedure =
        format!("{WORKLOAD}procedure \"m\" {{ needs \"n\"; measure \"w\" {{ threads $n; run \"60s\"; }}; }}");
    let loaded = loaded("include \"w.kdl\"\ntest \"t\" { apply \"m\" n=0; }", &[("w.kdl", &procedure)], &[]);
    assert_eq!(said(&loaded), [("value/out-of-range", "w.kdl".to_string())]);
    let related: Vec<&str> = loaded.diagnostics.all()[0].related.iter().map(|other| other.message.as_str()).collect();
    assert_eq!(related, ["given here", "applied here"]);
}

#[test]
fn how_much_is_included_has_bounds() {
    let many = |count: usize| {
        let files: Vec<(String, String)> = (0..count).map(|at| (format!("{at}.kdl"), String::new())).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let includes: String = (0..count).map(|at| format!("include \"{at}.kdl\"\n")).collect();
        said(&loaded(&format!("{includes}{WORKLOAD}{TEST}"), &files, &[]))
    };
    assert_eq!(many(limits::INCLUDED_FILES), []);
    assert_eq!(many(limits::INCLUDED_FILES + 1), [("include/too-much", "plan.kdl".to_string())]);
    let chain = |count: usize| {
        let links: Vec<(String, String)> =
            (0..count).map(|at| (format!("{at}.kdl"), format!("include \"{}.kdl\"", at + 1))).collect();
        let last = format!("{count}.kdl");
        let mut files: Vec<(&str, &str)> = links.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        files.push((&last, WORKLOAD));
        said(&loaded(&format!("include \"0.kdl\"\n{TEST}"), &files, &[]))
    };
    assert_eq!(chain(limits::INCLUDE_DEPTH - 1), []);
    assert_eq!(chain(limits::INCLUDE_DEPTH), [("include/too-much", format!("{}.kdl", limits::INCLUDE_DEPTH - 1))]);
    let wide = "workload \"a\"\n".repeat(25_000);
    let files = [("a.kdl", wide.as_str()), ("b.kdl", wide.as_str()), ("c.kdl", WORKLOAD)];
    let found = said(&loaded(&format!("include \"c.kdl\"\ninclude \"a.kdl\"\ninclude \"b.kdl\"\n{TEST}"), &files, &[]));
    assert_eq!(found, [("include/too-much", "plan.kdl".to_string())]);
    let large = "// ".to_string() + &"x".repeat(limits::INCLUDED_BYTES / 2);
    let files = [("a.kdl", large.as_str()), ("b.kdl", large.as_str())];
    let found = said(&loaded(&format!("include \"a.kdl\"\ninclude \"b.kdl\"\n{WORKLOAD}{TEST}"), &files, &[]));
    assert_eq!(found, [("include/too-much", "plan.kdl".to_string())]);
}

#[test]
fn a_text_that_stands_alone_includes_nothing() {
    let loaded = load(&SourceFile::new("plan.kdl", format!("{PLAN}include \"w.kdl\"\n{TEST}")), &[]);
    assert_eq!(said(&loaded), [("include/not-read", "plan.kdl".to_string())]);
}
