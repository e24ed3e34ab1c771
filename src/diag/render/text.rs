use super::super::fill::fill;
use super::super::{Diagnostic, Diagnostics, Severity};
use super::snippet;

/// What the place can show where diagnostics are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns.
    pub width: usize,
    /// True where ANSI colours may be used. Nothing is said by colour alone.
    pub color: bool,
    /// True where lines may be drawn with box characters; else with ASCII.
    pub unicode: bool,
}

impl Look {
    /// 80 columns, no colour, box characters: the same everywhere, for files and tests.
    pub const PLAIN: Look = Look { width: 80, color: false, unicode: true };
}

/// All that is shown of a sink, in order, with the count of what is not, and the closing line. Empty for an empty sink.
pub fn text(diagnostics: &Diagnostics, look: &Look) -> String {
    let mut out = listed(diagnostics, look);
    if let Some(summary) = diagnostics.summary() {
        out.push_str(&format!("\n{}\n", fill(&summary, look.width, "", "")));
    }
    out
}

/// The same without the closing line.
pub fn listed(diagnostics: &Diagnostics, look: &Look) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.shown() {
        out.push_str(&one(diagnostic, look));
    }
    if diagnostics.hidden() > 0 {
        out.push_str(&format!("\u{2026} and {} more\n", diagnostics.hidden()));
    }
    out
}

/// One diagnostic: headline, the places with their labels, help, and what is related.
pub fn one(diagnostic: &Diagnostic, look: &Look) -> String {
    let headline = format!("{}[{}]: {}", diagnostic.severity, diagnostic.code, diagnostic.message);
    let mut out = fill(&headline, look.width, "", "  ");
    out.push('\n');
    if look.color {
        let color = match diagnostic.severity {
            Severity::Error => "\u{1b}[1;31m",
            Severity::Warning => "\u{1b}[1;33m",
            Severity::Remark => "\u{1b}[1;36m",
        };
        // The tag never breaks across lines, since it holds no blank.
        let tag = headline.find(": ").unwrap_or(headline.len());
        out.insert_str(tag, "\u{1b}[0m");
        out.insert_str(0, color);
    }
    if let Some(source) = &diagnostic.source {
        out.push_str(&snippet::places(source, &diagnostic.labels, look));
    }
    if let Some(help) = &diagnostic.help {
        out.push_str(&fill(help, look.width, "  help: ", "        "));
        out.push('\n');
    }
    for related in &diagnostic.related {
        out.push_str(&note(related, look));
    }
    out
}

/// What explains a diagnostic in another text: part of it, and not counted.
fn note(related: &Diagnostic, look: &Look) -> String {
    let mut out = fill(&related.message, look.width, "  note: ", "        ");
    out.push('\n');
    if let Some(source) = &related.source {
        out.push_str(&snippet::places(source, &related.labels, look));
    }
    if let Some(help) = &related.help {
        out.push_str(&fill(help, look.width, "  help: ", "        "));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::code;
    use super::*;
    use crate::text::{SourceFile, Span};

    const PLAN: &str =
        "setup {\n    secure-erase \"auto\"\n}\ntest \"a\" {\n    measure \"4k\" {\n        block-size \"4K\"\n";

    fn at(text: &str) -> Span {
        let start = PLAN.find(text).expect("stands in the plan");
        Span::new(start, start + text.len())
    }

    fn rendered(diagnostic: Diagnostic) -> String {
        let mut sink = Diagnostics::new(&SourceFile::new("qlc.kdl", PLAN));
        sink.push(diagnostic);
        text(&sink, &Look::PLAIN)
    }

    #[test]
    fn one_place() {
        let shown = rendered(
            Diagnostic::error(code::UNIT_AMBIGUOUS, "\"4K\" can mean two sizes")
                .label(at("\"4K\""), "write \"4KiB\" (4,096 bytes) or \"4kB\" (4,000 bytes)"),
        );
        let expected = "\
error[unit/ambiguous]: \"4K\" can mean two sizes
   ╭─[qlc.kdl:6:20]
 6 │         block-size \"4K\"
   ·                    ──┬─
   ·                      ╰── write \"4KiB\" (4,096 bytes) or \"4kB\" (4,000 bytes)
   ╰────

1 error. `shakedown explain unit/ambiguous` tells more.
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn two_places_stand_in_one_frame() {
        let shown = rendered(
            Diagnostic::error(code::VALUE_MISSING, "\"4k\" reads blocks that nothing has written")
                .label(at("measure \"4k\""), "at most 0 % of the area is written here")
                .also(at("secure-erase \"auto\""), "the area is empty from here on")
                .help("add `fill passes=1 { \u{2026} }` before it, or `allow \"unwritten-reads\"` with a reason"),
        );
        let expected = "\
error[value/missing]: \"4k\" reads blocks that nothing has written
   ╭─[qlc.kdl:5:5]
 2 │     secure-erase \"auto\"
   ·     ─────────┬─────────
   ·              ╰── the area is empty from here on
   ·
 5 │     measure \"4k\" {
   ·     ──────┬─────
   ·           ╰── at most 0 % of the area is written here
   ╰────
  help: add `fill passes=1 { … }` before it, or `allow \"unwritten-reads\"` with a
        reason

1 error. `shakedown explain value/missing` tells more.
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_place_in_another_text_is_a_note() {
        let other = SourceFile::new("common.kdl", "workload \"4k\" { }");
        let further = Diagnostic::error(code::NAME_DUPLICATE, "first here").label(Span::new(9, 13), "");
        let shown = rendered(
            Diagnostic::error(code::NAME_DUPLICATE, "two workloads have the name \"4k\"")
                .label(at("\"4k\""), "again here")
                .related(further.in_source(&other)),
        );
        let expected = "\
error[name/duplicate]: two workloads have the name \"4k\"
   ╭─[qlc.kdl:5:13]
 5 │     measure \"4k\" {
   ·             ──┬─
   ·               ╰── again here
   ╰────
  note: first here
   ╭─[common.kdl:1:10]
 1 │ workload \"4k\" { }
   ·          ────
   ╰────

1 error. `shakedown explain name/duplicate` tells more.
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn colour_changes_nothing_but_colour() {
        let diagnostic = Diagnostic::warning(code::VALUE_MISSING, "something")
            .label(at("setup"), "here")
            .in_source(&SourceFile::new("qlc.kdl", PLAN));
        let colored = one(&diagnostic, &Look { color: true, ..Look::PLAIN });
        assert!(colored.starts_with("\u{1b}[1;33mwarning[value/missing]\u{1b}[0m: something\n"), "{colored:?}");
        let mut bare = String::new();
        let mut rest = colored.as_str();
        while let Some(escape) = rest.find('\u{1b}') {
            bare.push_str(&rest[..escape]);
            rest = &rest[escape + rest[escape..].find('m').expect("an ANSI colour ends") + 1..];
        }
        bare.push_str(rest);
        assert_eq!(bare, one(&diagnostic, &Look::PLAIN));
    }

    #[test]
    fn a_headline_is_broken_at_the_width() {
        let shown = rendered(Diagnostic::error(code::VALUE_MISSING, "word ".repeat(40).trim_end()));
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        assert!(shown.starts_with("error[value/missing]: word"));
    }
}
