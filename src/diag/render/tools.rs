//! Diagnostics for other programs. All of them, uncapped, in the order of their places.

use serde_json::{Value, json as object};

use crate::text::{SourceFile, Span};

use super::super::{Code, Diagnostic, Diagnostics, Remedy, Severity};

/// One JSON document for all.
///
/// `version` 1: `errors`, `warnings`, `remarks` are counts; each of `diagnostics` has `code`, `severity`, `message`,
/// `help` (or null), `labels`, `remedies` and `related` (of the same form). Each of `remedies` has a `title` and `edits`;
/// each edit has `file`, `start`, `end` (bytes) and the `text` that is written there instead. Each label has `file`, `line`, `column` (from 1, in
/// characters), `start`, `end` (bytes from 0, half-open), `text`, `primary`; those of the primary one (null where there
/// is none) stand in the diagnostic itself as well.
pub fn json(diagnostics: &Diagnostics) -> String {
    let all: Vec<Value> = diagnostics.ordered().into_iter().map(json_of).collect();
    let document = object!({
        "version": 1,
        "errors": diagnostics.count(Severity::Error),
        "warnings": diagnostics.count(Severity::Warning),
        "remarks": diagnostics.count(Severity::Remark),
        "diagnostics": all,
    });
    format!("{document:#}\n")
}

fn json_of(diagnostic: &Diagnostic) -> Value {
    let place = |span: Span| -> (Value, Value, Value) {
        match &diagnostic.source {
            Some(source) => {
                let (line, column) = source.line_column(span.start);
                (source.name().into(), line.into(), column.into())
            }
            None => (Value::Null, Value::Null, Value::Null),
        }
    };
    let labels: Vec<Value> = diagnostic
        .labels
        .iter()
        .map(|label| {
            let (file, line, column) = place(label.span);
            object!({
                "file": file, "line": line, "column": column, "start": label.span.start, "end": label.span.end,
                "text": label.text, "primary": label.primary,
            })
        })
        .collect();
    let primary = diagnostic.primary().map(|label| (place(label.span), label.span));
    let ((file, line, column), start, end) = match primary {
        Some((place, span)) => (place, Value::from(span.start), Value::from(span.end)),
        None => {
            let file = diagnostic.source.as_ref().map_or(Value::Null, |source| source.name().into());
            ((file, Value::Null, Value::Null), Value::Null, Value::Null)
        }
    };
    let remedies: Vec<Value> = diagnostic.remedies.iter().map(|remedy| json_of_remedy(remedy, diagnostic)).collect();
    object!({
        "code": diagnostic.code.id(),
        "severity": diagnostic.severity.word(),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "file": file, "line": line, "column": column, "start": start, "end": end,
        "labels": labels,
        "remedies": remedies,
        "related": diagnostic.related.iter().map(json_of).collect::<Vec<_>>(),
    })
}

fn json_of_remedy(remedy: &Remedy, diagnostic: &Diagnostic) -> Value {
    let file = diagnostic.source.as_ref().map_or(Value::Null, |source| source.name().into());
    let edit =
        |(span, text): &(Span, String)| object!({ "file": file, "start": span.start, "end": span.end, "text": text });
    object!({ "title": remedy.title, "edits": remedy.edits.iter().map(edit).collect::<Vec<_>>() })
}

/// Workflow commands that annotate a change on GitHub, one line for each diagnostic.
pub fn github(diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.ordered() {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "notice",
        };
        let mut properties = Vec::new();
        if let Some(source) = &diagnostic.source {
            properties.push(format!("file={}", escaped_property(source.name())));
            if let Some(label) = diagnostic.primary() {
                let (start, end) = lines_and_columns(source, label.span);
                properties.push(format!("line={},col={},endLine={},endColumn={}", start.0, start.1, end.0, end.1));
            }
        }
        properties.push(format!("title={}", escaped_property(diagnostic.code.id())));
        let message = escaped(&full_message(diagnostic));
        out.push_str(&format!("::{command} {}::{message}\n", properties.join(",")));
    }
    out
}

fn full_message(diagnostic: &Diagnostic) -> String {
    let label = diagnostic.primary().map(|label| label.text.as_str()).filter(|text| !text.is_empty());
    let parts = [Some(diagnostic.message.as_str()), label, diagnostic.help.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

fn lines_and_columns(source: &SourceFile, span: Span) -> ((usize, usize), (usize, usize)) {
    (source.line_column(span.start), source.line_column(span.end.max(span.start)))
}

/// A SARIF 2.1.0 log with one run.
pub fn sarif(diagnostics: &Diagnostics) -> String {
    let ordered = diagnostics.ordered();
    let mut rules: Vec<Code> = Vec::new();
    for diagnostic in &ordered {
        if !rules.contains(&diagnostic.code) {
            rules.push(diagnostic.code);
        }
    }
    let results: Vec<Value> = ordered.iter().map(|diagnostic| sarif_result(diagnostic, &rules)).collect();
    let rules: Vec<Value> = rules
        .iter()
        .map(|code| {
            object!({
                "id": code.id(),
                "shortDescription": { "text": code.title() },
                "fullDescription": { "text": code.why() },
            })
        })
        .collect();
    let log = object!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "shakedown", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn sarif_result(diagnostic: &Diagnostic, rules: &[Code]) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "note",
    };
    let mut result = object!({
        "ruleId": diagnostic.code.id(),
        "ruleIndex": rules.iter().position(|code| *code == diagnostic.code),
        "level": level,
        "message": { "text": full_message(diagnostic) },
    });
    let Some(source) = &diagnostic.source else { return result };
    let mut location = object!({ "physicalLocation": { "artifactLocation": { "uri": source.name() } } });
    if let Some(label) = diagnostic.primary() {
        let (start, end) = lines_and_columns(source, label.span);
        location["physicalLocation"]["region"] = region(start, end);
    }
    result["locations"] = object!([location]);
    if !diagnostic.remedies.is_empty() {
        result["fixes"] = diagnostic.remedies.iter().map(|remedy| sarif_fix(remedy, source)).collect();
    }
    result
}

fn region(start: (usize, usize), end: (usize, usize)) -> Value {
    object!({ "startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1 })
}

fn sarif_fix(remedy: &Remedy, source: &SourceFile) -> Value {
    let replacement = |(span, text): &(Span, String)| {
        let (start, end) = lines_and_columns(source, *span);
        object!({ "deletedRegion": region(start, end), "insertedContent": { "text": text } })
    };
    let replacements: Vec<Value> = remedy.edits.iter().map(replacement).collect();
    object!({
        "description": { "text": remedy.title },
        "artifactChanges": [{ "artifactLocation": { "uri": source.name() }, "replacements": replacements }],
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::code;
    use super::*;

    fn sink() -> Diagnostics {
        let mut sink = Diagnostics::new(&SourceFile::new("a,b.kdl", "run \"60\"\nthreads 0\n"));
        sink.push(
            Diagnostic::error(code::UNIT_MISSING, "\"60\" has no unit")
                .label(Span::new(4, 8), "needs a time")
                .help("write 100%")
                .rewrite(Span::new(4, 8), "\"60s\""),
        );
        sink.push(Diagnostic::warning(code::VALUE_OUT_OF_RANGE, "0").label(Span::new(17, 18), ""));
        sink.push(Diagnostic::remark(code::VALUE_MISSING, "no place"));
        sink
    }

    #[test]
    fn json_has_places_in_lines_and_in_bytes() {
        let document: Value = serde_json::from_str(&json(&sink())).expect("valid JSON");
        assert_eq!((&document["errors"], &document["warnings"]), (&1.into(), &1.into()));
        let found = &document["diagnostics"];
        assert_eq!(found[0]["code"], "value/missing");
        assert_eq!(found[0]["line"], Value::Null);
        assert_eq!(found[1]["message"], "\"60\" has no unit");
        assert_eq!((&found[1]["start"], &found[1]["end"]), (&4.into(), &8.into()));
        assert_eq!((&found[2]["line"], &found[2]["column"]), (&2.into(), &9.into()));
        assert_eq!(found[1]["labels"][0]["text"], "needs a time");
        assert_eq!(found[1]["remedies"][0]["title"], "write \"60s\"");
        assert_eq!(
            found[1]["remedies"][0]["edits"][0],
            object!({ "file": "a,b.kdl", "start": 4, "end": 8, "text": "\"60s\"" })
        );
    }

    #[test]
    fn github_commands_are_escaped() {
        let lines = github(&sink());
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines[1],
            "::error file=a%2Cb.kdl,line=1,col=5,endLine=1,endColumn=9,title=unit/missing::\
             \"60\" has no unit%0Aneeds a time%0Awrite 100%25"
        );
        assert!(lines[0].starts_with("::notice file=a%2Cb.kdl,title=value/missing::"), "{}", lines[0]);
    }

    #[test]
    fn sarif_names_its_rules_and_regions() {
        let log: Value = serde_json::from_str(&sarif(&sink())).expect("valid JSON");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let result = &run["results"][1];
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 5);
        let change = &result["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "a,b.kdl");
        assert_eq!(
            change["replacements"][0],
            object!({
                "deletedRegion": { "startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 9 },
                "insertedContent": { "text": "\"60s\"" },
            })
        );
        assert!(run["results"][0].get("fixes").is_none(), "nothing is offered where nothing is known");
    }
}
