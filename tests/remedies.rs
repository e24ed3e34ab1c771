//! Every remedy, applied to the text, takes its diagnostic away and brings no mistake of syntax.

use std::fs;
use std::path::Path;

use shakedown::diag::{Diagnostic, Diagnostics, Remedy};
use shakedown::text::SourceFile;
use shakedown::{lang, plan};

fn found_in(text: &str) -> Diagnostics {
    plan::load(&SourceFile::new("plan.kdl", text), &[]).diagnostics
}

/// How often this diagnostic is said, whatever the place.
fn times(found: &Diagnostics, diagnostic: &Diagnostic) -> usize {
    found.all().iter().filter(|other| other.code == diagnostic.code && other.message == diagnostic.message).count()
}

/// What is wrong with a remedy of a diagnostic in a text, if anything is.
fn fault(text: &str, found: &Diagnostics, diagnostic: &Diagnostic, remedy: &Remedy) -> Option<String> {
    let Some(after) = remedy.applied(text) else { return Some("lies outside of the text".into()) };
    let again = found_in(&after);
    if times(&again, diagnostic) >= times(found, diagnostic) {
        return Some(format!("it is still said of\n{after}"));
    }
    let is_kdl = |text: &str| lang::read(&SourceFile::new("plan.kdl", text)).is_ok();
    if is_kdl(text) && !is_kdl(&after) {
        return Some(format!("no KDL any more:\n{after}"));
    }
    None
}

/// What a text of `name` has of remedies that do not help, and how many it has at all.
fn faults(name: &str, text: &str, wrong: &mut Vec<String>) -> usize {
    let (found, mut seen) = (found_in(text), 0);
    for diagnostic in found.all() {
        for remedy in &diagnostic.remedies {
            seen += 1;
            let fault = fault(text, &found, diagnostic, remedy);
            wrong.extend(fault.map(|fault| format!("{name}: {:?}: {}: {fault}", diagnostic.message, remedy.title)));
        }
    }
    seen
}

#[test]
fn the_remedies_of_all_refused_plans_help() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals");
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let Ok(text) = fs::read_to_string(entry.path().join("plan.kdl")) else { continue };
        seen += faults(&entry.file_name().to_string_lossy(), &text, &mut wrong);
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert!(seen > 30, "only {seen} remedies");
}

/// A plan with `text` in a load, or at the place of `@` in it.
fn in_a_load(text: &str) -> String {
    format!(
        "plan \"p\"\nparam \"size\" \"4K\"\nworkload \"steady\" {{ access \"random\"; block-size \"4KiB\"; read \"0%\"; }}\n\
         test \"t\" {{\n    measure \"steady\" {{\n        {text}\n    }}\n}}\n"
    )
}

/// The titles of all remedies in a load with this text.
fn titles(text: &str) -> Vec<String> {
    let found = found_in(&in_a_load(text));
    found.all().iter().flat_map(|found| &found.remedies).map(|remedy| remedy.title.clone()).collect()
}

#[test]
fn what_people_write_has_the_remedy_that_they_want() {
    for (text, expected) in [
        ("span \"4K\"", &["write \"4KiB\"", "write \"4kB\""][..]),
        ("span 4k", &["write \"4KiB\"", "write \"4kB\""]),
        ("span 4KiB", &["write \"4KiB\""]),
        ("ramp 5min", &["write \"5m\""]),
        ("ramp 30", &["write \"30s\"", "write \"30m\""]),
        ("ramp \"30\"", &["write \"30s\"", "write \"30m\""]),
        ("threads \"16\"", &["write 16"]),
        ("threads 1e1", &["write 10"]),
        ("thraeds 4", &["write threads"]),
        ("iodepth 4", &["write queue-depth"]),
        ("runtime \"60s\"", &["write run"]),
        ("run \"60s\" pases=2", &["write passes"]),
        ("run \"60s\" passes=2 passes=3", &["leave the second one out"]),
        ("threads 4; threads 4", &["leave the second one out"]),
        ("(publisehd)threads 4", &["write published"]),
        ("threads = 4", &["leave the `=` out"]),
        ("threads 4 # four", &["write //"]),
        ("threads true", &["write #true", "write \"true\""]),
        ("matrix { threads [1, 2]; }", &["write 1 2"]),
        ("matrix { threads 1,2; }", &["write 1 2"]),
        ("matrix { threads 1, 2; }", &["leave the comma out"]),
        ("block-size \"4kB\"", &["write \"4KiB\""]),
        ("access \"sequential\" cursor=\"lane\"", &["write \"lanes\""]),
        ("access \"radnom\"", &["write \"random\""]),
        ("span $sise", &["write $size"]),
        // The value is that of a parameter: what has to be edited is elsewhere.
        ("span $size", &[]),
        ("span \"60s\"", &[]),
        ("threads 0", &[]),
    ] {
        assert_eq!(titles(text), expected, "{text}");
        let mut wrong = Vec::new();
        faults(text, &in_a_load(text), &mut wrong);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn a_name_that_is_nearly_one_of_the_plan_is_offered() {
    let text = in_a_load("threads 4; run \"60s\"").replace("measure \"steady\"", "measure \"staedy\"");
    let found = found_in(&text);
    let titles: Vec<&str> = found.all().iter().flat_map(|found| &found.remedies).map(|r| r.title.as_str()).collect();
    assert_eq!(titles, ["write \"steady\""]);
}
