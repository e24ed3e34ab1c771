//! One JSON document, uncapped, in the order of the files and of the places in them.

use serde_json::{Value, json as object};

use crate::text::Span;

use super::super::{Diagnostic, Remedy, Severity};
use super::CheckedFile;

/// One JSON document for all files of a check.
///
/// `version` 1: `errors`, `warnings`, `remarks` are counts over all files; each of `files` has `file`, `kind` (or null),
/// `state` and `note`; each of `diagnostics` has `code`, `severity`, `message`, `help` (or null), `labels`, `remedies` and
/// `related` (of the same form). Each of `remedies` has a `title` and `edits`; each edit has `file`, `start`, `end` (bytes)
/// and the `text` that is written there instead. Each label has `file`, `line`, `column` (from 1, in characters), `start`, `end` (bytes from 0,
/// half-open), `text`, `primary`; those of the primary one (null where there is none) stand in the diagnostic itself as
/// well.
pub fn json(files: &[CheckedFile]) -> String {
    let listed: Vec<Value> = files
        .iter()
        .map(|file| object!({ "file": file.name, "kind": file.kind, "state": file.state.word(), "note": file.note }))
        .collect();
    let all: Vec<Value> = files.iter().flat_map(|file| file.found.ordered()).map(json_of).collect();
    let document = object!({
        "version": 1,
        "errors": CheckedFile::count(files, Severity::Error),
        "warnings": CheckedFile::count(files, Severity::Warning),
        "remarks": CheckedFile::count(files, Severity::Remark),
        "files": listed,
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

#[cfg(test)]
mod tests {
    use super::super::super::{Diagnostics, code};
    use super::super::FileState;
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn it_has_places_in_lines_and_in_bytes_and_every_file() {
        let mut found = Diagnostics::new(&SourceFile::new("a.kdl", "run \"60\"\nthreads 0\n"));
        found.push(
            Diagnostic::error(code::UNIT_MISSING, "\"60\" has no unit")
                .label(Span::new(4, 8), "needs a time")
                .rewrite(Span::new(4, 8), "\"60s\""),
        );
        found.push(Diagnostic::warning(code::VALUE_OUT_OF_RANGE, "0").label(Span::new(17, 18), ""));
        found.push(Diagnostic::remark(code::VALUE_MISSING, "no place"));
        found.count_unlisted(2);
        let file =
            |name: &str, state, found| CheckedFile { name: name.into(), kind: None, state, note: "why".into(), found };
        let files = [
            file("b.kdl", FileState::Unreadable, Diagnostics::without_source()),
            file("a.kdl", FileState::Refused, found),
        ];
        let document: Value = serde_json::from_str(&json(&files)).expect("valid JSON");
        assert_eq!(
            (&document["errors"], &document["warnings"], &document["remarks"]),
            (&3.into(), &1.into(), &1.into())
        );
        let expected = object!({ "file": "b.kdl", "kind": null, "state": "unreadable", "note": "why" });
        assert_eq!(document["files"][0], expected);
        let found = &document["diagnostics"];
        assert_eq!(found[0]["code"], "value/missing");
        assert_eq!((&found[0]["file"], &found[0]["line"]), (&"a.kdl".into(), &Value::Null));
        assert_eq!(found[1]["message"], "\"60\" has no unit");
        assert_eq!((&found[1]["start"], &found[1]["end"]), (&4.into(), &8.into()));
        assert_eq!((&found[2]["line"], &found[2]["column"]), (&2.into(), &9.into()));
        assert_eq!(found[1]["labels"][0]["text"], "needs a time");
        assert_eq!(found[1]["remedies"][0]["title"], "write \"60s\"");
        let edit = object!({ "file": "a.kdl", "start": 4, "end": 8, "text": "\"60s\"" });
        assert_eq!(found[1]["remedies"][0]["edits"][0], edit);
    }
}
