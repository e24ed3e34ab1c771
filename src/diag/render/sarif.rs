//! A SARIF 2.1.0 log, uncapped, with what code scanning on GitHub asks for beyond the standard.

use std::collections::HashSet;

use serde_json::{Value, json as object};

use crate::text::{SourceFile, Span};

use super::super::{Code, Diagnostic, Remedy, Severity};
use super::{CheckedFile, FileState, full_message, lines_and_columns, plain_path};

/// A SARIF 2.1.0 log with one run. What is wrong with a file that several plans include is one result. Files that were skipped or could not be read are notifications of its invocation.
pub fn sarif(files: &[CheckedFile]) -> String {
    let mut told = HashSet::new();
    let mut all: Vec<(&str, &Diagnostic)> =
        files.iter().flat_map(|file| file.found.ordered().into_iter().map(|found| (&*file.name, found))).collect();
    all.retain(|(name, found)| {
        let source = found.source.as_ref().map_or(*name, |source| source.name());
        told.insert((source, found.primary().map(|label| label.span), found.code.id(), full_message(found)))
    });
    let mut rules: Vec<Code> = Vec::new();
    for (_, diagnostic) in &all {
        if !rules.contains(&diagnostic.code) {
            rules.push(diagnostic.code);
        }
    }
    let results: Vec<Value> = all.iter().map(|(name, diagnostic)| result(name, diagnostic, &rules)).collect();
    let rules: Vec<Value> = rules
        .iter()
        .map(|code| {
            object!({
                "id": code.id(),
                "shortDescription": { "text": code.title() },
                "fullDescription": { "text": code.why() },
                "help": { "text": code.explanation() },
            })
        })
        .collect();
    let notifications: Vec<Value> = CheckedFile::passed_over(files)
        .map(|file| {
            object!({
                "level": if file.state == FileState::Unreadable { "error" } else { "note" },
                "message": { "text": format!("{}: {}", file.state.word(), file.note) },
                "locations": [{ "physicalLocation": { "artifactLocation": artifact(&file.name) } }],
            })
        })
        .collect();
    let log = object!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "shakedown", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "invocations": [{
                "executionSuccessful": !files.iter().any(|file| file.state == FileState::Unreadable),
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn result(name: &str, diagnostic: &Diagnostic, rules: &[Code]) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "note",
    };
    // A result without a place is not shown, so what concerns the whole file stands at its start.
    let (start, end) = match (&diagnostic.source, diagnostic.primary()) {
        (Some(source), Some(label)) => lines_and_columns(source, label.span),
        _ => ((1, 1), (1, 1)),
    };
    let mut result = object!({
        "ruleId": diagnostic.code.id(),
        "ruleIndex": rules.iter().position(|code| *code == diagnostic.code),
        "level": level,
        "message": { "text": full_message(diagnostic) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": artifact(diagnostic.source.as_ref().map_or(name, |source| source.name())),
                "region": region(start, end),
            },
        }],
    });
    if let Some(source) = diagnostic.source.as_ref().filter(|_| !diagnostic.remedies.is_empty()) {
        result["fixes"] = diagnostic.remedies.iter().map(|remedy| fix(remedy, source)).collect();
    }
    result
}

fn region(start: (usize, usize), end: (usize, usize)) -> Value {
    object!({ "startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1 })
}

fn fix(remedy: &Remedy, source: &SourceFile) -> Value {
    let replacement = |(span, text): &(Span, String)| {
        let (start, end) = lines_and_columns(source, *span);
        object!({ "deletedRegion": region(start, end), "insertedContent": { "text": text } })
    };
    let replacements: Vec<Value> = remedy.edits.iter().map(replacement).collect();
    object!({
        "description": { "text": remedy.title },
        "artifactChanges": [{ "artifactLocation": artifact(source.name()), "replacements": replacements }],
    })
}

/// A file as a URI: one below the folder where the program ran is relative to the root of the sources.
fn artifact(path: &str) -> Value {
    let path = plain_path(path);
    if path.starts_with('/') {
        return object!({ "uri": format!("file://{}", escaped(path)) });
    }
    object!({ "uri": escaped(path), "uriBaseId": "%SRCROOT%" })
}

/// A path with everything escaped that a URI does not take as it is.
fn escaped(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::super::super::{Diagnostics, code};
    use super::*;

    #[test]
    fn it_names_its_rules_and_regions() {
        let mut found = Diagnostics::new(&SourceFile::new("a b.kdl", "run \"60\"\nthreads 0\n"));
        found.push(
            Diagnostic::error(code::UNIT_MISSING, "\"60\" has no unit")
                .label(Span::new(4, 8), "needs a time")
                .rewrite(Span::new(4, 8), "\"60s\""),
        );
        found.push(Diagnostic::remark(code::VALUE_MISSING, "no place"));
        let file = CheckedFile::new("a b.kdl", found);
        let log: Value = serde_json::from_str(&sarif(&[file])).expect("valid JSON");
        let run = &log["runs"][0];
        let result = &run["results"][1];
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startColumn"], 5);
        assert_eq!(place["artifactLocation"], object!({ "uri": "a%20b.kdl", "uriBaseId": "%SRCROOT%" }));
        assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        let change = &result["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"], place["artifactLocation"]);
        let replacement = object!({ "deletedRegion": place["region"], "insertedContent": { "text": "\"60s\"" } });
        assert_eq!(change["replacements"], object!([replacement]));
        assert!(run["results"][0].get("fixes").is_none(), "nothing is offered where nothing is known");
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(artifact("./plans/a.kdl")["uri"], "plans/a.kdl");
        assert_eq!(artifact("pläne/50%#1?.kdl")["uri"], "pl%C3%A4ne/50%25%231%3F.kdl");
        assert_eq!(artifact("/tmp/a.kdl"), object!({ "uri": "file:///tmp/a.kdl" }));
    }
}
