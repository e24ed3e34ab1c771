//! Workflow commands that annotate a change on GitHub, uncapped, one line for each diagnostic.

use std::collections::HashSet;

use super::super::{Diagnostic, Severity};
use super::{CheckedFile, FileState, full_message, lines_and_columns, plain_path};

/// Workflow commands: `error`, `warning` and `notice` (for a remark) with `file`, the place and the code as `title`. A
/// file that was skipped is a notice, one that could not be read an error. What is wrong with a file that several plans
/// include is told once.
pub fn github(files: &[CheckedFile]) -> String {
    let (mut out, mut told) = (String::new(), HashSet::new());
    for file in files {
        for line in file.found.ordered().into_iter().map(annotation) {
            if !told.contains(&line) {
                out.push_str(&line);
                told.insert(line);
            }
        }
        let command = match file.state {
            FileState::Skipped => "notice",
            FileState::Unreadable => "error",
            FileState::Sound | FileState::Refused => continue,
        };
        let name = escaped_property(plain_path(&file.name));
        out.push_str(&format!("::{command} file={name},title={}::{}\n", file.state.word(), escaped(&file.note)));
    }
    out
}

fn annotation(diagnostic: &Diagnostic) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "notice",
    };
    let mut properties = Vec::new();
    if let Some(source) = &diagnostic.source {
        properties.push(format!("file={}", escaped_property(plain_path(source.name()))));
        if let Some(label) = diagnostic.primary() {
            let (start, end) = lines_and_columns(source, label.span);
            properties.push(if start.0 == end.0 {
                format!("line={},col={},endLine={},endColumn={}", start.0, start.1, end.0, end.1)
            } else {
                // Columns are only taken together with a single line.
                format!("line={},endLine={}", start.0, end.0)
            });
        }
    }
    properties.push(format!("title={}", escaped_property(diagnostic.code.id())));
    format!("::{command} {}::{}\n", properties.join(","), escaped(&full_message(diagnostic)))
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::super::{Diagnostics, code};
    use super::*;
    use crate::text::{SourceFile, Span};

    fn lines(name: &str, diagnostic: Diagnostic) -> Vec<String> {
        let mut found = Diagnostics::new(&SourceFile::new(name, "run \"60\"\nthreads 0\n"));
        found.push(diagnostic);
        github(&[CheckedFile::new(name, found)]).lines().map(str::to_string).collect()
    }

    #[test]
    fn commands_are_escaped() {
        let diagnostic = Diagnostic::error(code::UNIT_MISSING, "\"60\" has no unit")
            .label(Span::new(4, 8), "needs a time")
            .help("write 100%");
        assert_eq!(
            lines("a,b:c%.kdl", diagnostic),
            ["::error file=a%2Cb%3Ac%25.kdl,line=1,col=5,endLine=1,endColumn=9,title=unit/missing::\
              \"60\" has no unit%0Aneeds a time%0Awrite 100%25"]
        );
        let nowhere = lines("./a.kdl", Diagnostic::remark(code::VALUE_MISSING, "no place"));
        assert_eq!(nowhere, ["::notice file=a.kdl,title=value/missing::no place"]);
    }

    #[test]
    fn several_lines_have_no_columns() {
        let diagnostic = Diagnostic::warning(code::VALUE_OUT_OF_RANGE, "0").label(Span::new(4, 18), "");
        assert_eq!(lines("a.kdl", diagnostic), ["::warning file=a.kdl,line=1,endLine=2,title=value/out-of-range::0"]);
    }

    #[test]
    fn what_was_not_checked_is_told_too() {
        let file = |name: &str, state, note: &str| CheckedFile {
            name: name.into(),
            kind: None,
            state,
            note: note.into(),
            found: Diagnostics::without_source(),
        };
        let files = [
            file("a.kdl", FileState::Sound, "2 steps"),
            file("rig.kdl", FileState::Skipped, "a rig"),
            file("gone.kdl", FileState::Unreadable, "no such file"),
        ];
        assert_eq!(
            github(&files),
            "::notice file=rig.kdl,title=skipped::a rig\n::error file=gone.kdl,title=unreadable::no such file\n"
        );
    }
}
