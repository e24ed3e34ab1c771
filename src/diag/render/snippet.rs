//! The places of one diagnostic, drawn: each line that a label touches, shortened to the width, with its labels below.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents,
};

use crate::text::{SourceFile, Span, is_hidden, shown};

use super::super::Label;
use super::super::fill::fill;
use super::Look;

/// A label text is not squeezed below this; the line is shifted to the left instead.
const LABEL_ROOM: usize = 36;
/// Nor is it below this, where the line cannot be shifted any further.
const LEAST_LABEL_ROOM: usize = 12;
/// The frame is drawn for so many columns, however few there are.
const LEAST_WIDTH: usize = 40;

/// All places in one frame, in the order in which they stand in the text. Empty where there are none.
pub(super) fn places(source: &SourceFile, labels: &[Label], look: &Look) -> String {
    let Some(primary) = labels.iter().find(|label| label.primary).or_else(|| labels.first()) else {
        return String::new();
    };
    let mut lines = touched_lines(source, labels);
    lines.sort_by_key(|line| line.number);
    let digits = lines.last().map_or(1, |line| line.number.to_string().len());
    let margin = " ".repeat(digits + 2);
    let characters = theme(look).characters;
    let (line, column) = source.line_column(primary.span.start);
    let mut out = format!("{margin}{}{}[{}:{line}:{column}]\n", characters.ltop, characters.hbar, shown(source.name()));
    let mut last_number = None;
    for line in &lines {
        if last_number.is_some_and(|last| line.number > last + 1) {
            out.push_str(&format!("{margin}{}\n", characters.vbar_break));
        }
        last_number = Some(line.number);
        let pad = " ".repeat(digits - line.number.to_string().len());
        for row in line.drawn(digits, look) {
            out.push_str(&format!("{pad}{}\n", row.trim_end()));
        }
    }
    out.push_str(&format!("{margin}{}{}\n", characters.lbot, characters.hbar.to_string().repeat(4)));
    out
}

fn theme(look: &Look) -> GraphicalTheme {
    match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    }
}

/// One line of the text and the labels that begin on it.
struct TouchedLine<'s> {
    number: usize,
    start: usize,
    text: &'s str,
    labels: Vec<&'s Label>,
}

fn touched_lines<'s>(source: &'s SourceFile, labels: &'s [Label]) -> Vec<TouchedLine<'s>> {
    let text = source.text();
    let mut lines: Vec<TouchedLine<'s>> = Vec::new();
    for label in labels {
        // A place past the end is shown at the end: a wrong span must not hide the message.
        let mut at = label.span.start.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        match lines.iter_mut().find(|line| line.start == start) {
            Some(line) => line.labels.push(label),
            None => {
                let end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
                let number = source.line_column(start).0;
                lines.push(TouchedLine { number, start, text: &text[start..end], labels: vec![label] });
            }
        }
    }
    lines
}

/// A label moved to where its place stands in the shortened line, in bytes of that.
struct DrawnLabel {
    start: usize,
    end: usize,
    text: String,
    primary: bool,
}

impl TouchedLine<'_> {
    /// The line, and the rows with its labels.
    fn drawn(&self, digits: usize, look: &Look) -> Vec<String> {
        let room = look.width.max(LEAST_WIDTH).saturating_sub(digits + 4);
        let (text, labels) = self.shortened(room);
        let excerpt = Excerpt { number: self.number, text, labels };
        let handler = GraphicalReportHandler::new_themed(theme(look))
            .with_links(false)
            .with_context_lines(0)
            .with_width(1000)
            .without_syntax_highlighting();
        let mut drawn = String::new();
        if handler.render_report(&mut drawn, &excerpt).is_err() {
            return vec![format!(" {} {} {}", self.number, theme(look).characters.vbar, excerpt.text)];
        }
        // Above stand the empty message and the frame's upper edge, below its lower edge: the frame is ours.
        let rows: Vec<&str> = drawn.lines().collect();
        let rows = rows.get(2..rows.len().saturating_sub(1)).unwrap_or_default();
        let is_too_wide = rows.iter().any(|row| columns(row) > digits + 4 + room);
        if is_too_wide && self.labels.len() > 1 {
            // In the order of their places, each with the stretch of the line that it needs.
            let mut labels = self.labels.clone();
            labels.sort_by_key(|label| label.span.start);
            let alone = |label| TouchedLine { labels: vec![label], ..*self };
            return labels.into_iter().flat_map(|label| alone(label).drawn(digits, look)).collect();
        }
        rows.iter().map(|row| row.to_string()).collect()
    }

    /// The part of the line that fits, with invisible characters made visible, and its labels.
    fn shortened(&self, room: usize) -> (String, Vec<DrawnLabel>) {
        let column = |offset: usize| -> usize {
            let mut end = offset.saturating_sub(self.start).min(self.text.len());
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            self.text[..end].chars().map(shown_width).sum()
        };
        let total = column(usize::MAX);
        let first = self.labels.iter().map(|label| column(label.span.start)).min().unwrap_or(0);
        let middle = |span: Span| (column(span.start) + column(span.end.max(span.start))) / 2;
        let last = self.labels.iter().map(|label| middle(label.span)).max().unwrap_or(0);
        let widest = self.labels.iter().map(|label| label.text.chars().count()).max().unwrap_or(0).min(LABEL_ROOM);
        // Shift as far as the labels need, but never past the first of them; before it stands what there is room for.
        let needed = last + widest + 6;
        let before = if room < 60 { 2 } else { 8 };
        let shift = if needed > room { (needed - room).min(first.saturating_sub(before)) } else { 0 };
        // The marks of what is cut take a column each, and so does the blank behind a line that is not.
        let marks = 1 + usize::from(shift > 0);
        let until = if total > shift + room - marks { shift + room - marks } else { usize::MAX };
        let (mut text, mut at_column) = (String::new(), 0);
        for c in self.text.chars() {
            let width = shown_width(c);
            if at_column >= shift && at_column + width <= until {
                push_shown(&mut text, c);
            }
            at_column += width;
        }
        // One blank behind the line gives a place to labels that point behind its end.
        text.push(if until < total { '\u{2026}' } else { ' ' });
        let mark = if shift > 0 { "\u{2026}" } else { "" };
        let text = format!("{mark}{text}");
        let last = text.char_indices().last().map_or(0, |(at, _)| at);
        let place = |column: usize| {
            let wanted = column.saturating_sub(shift) + mark.chars().count();
            text.char_indices().nth(wanted).map_or(last, |(at, _)| at)
        };
        let labels = self.labels.iter().map(|label| {
            let start = place(column(label.span.start));
            let mut end = place(column(label.span.end)).max(start);
            if end == start {
                end = start + text[start..].chars().next().map_or(0, char::len_utf8);
            }
            let arrow = text[..start].chars().count() + text[start..end].chars().count() / 2;
            let label_room = room.saturating_sub(arrow + 4).max(LEAST_LABEL_ROOM);
            let wrapped = fill(&broken(&label.text, label_room), label_room, "", "");
            DrawnLabel { start, end, text: wrapped, primary: label.primary }
        });
        let labels = labels.collect();
        (text, labels)
    }
}

/// The text with words that are wider than `width` broken: within the frame nothing else can give way.
fn broken(text: &str, width: usize) -> String {
    let (mut out, mut column) = (String::with_capacity(text.len()), 0);
    for c in text.chars() {
        column = if c == ' ' || c == '\n' { 0 } else { column + 1 };
        if column > width {
            out.push('\n');
            column = 1;
        }
        out.push(c);
    }
    out
}

/// The width of a row without the escapes that colour it.
fn columns(row: &str) -> usize {
    let mut parts = row.trim_end().split('\u{1b}');
    let first = parts.next().map_or(0, |part| part.chars().count());
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, shown)| shown.chars().count())).sum::<usize>()
}

/// Columns in characters; a tab takes four, so that lines look alike everywhere.
fn shown_width(c: char) -> usize {
    if c == '\t' { 4 } else { 1 }
}

fn push_shown(text: &mut String, c: char) {
    match c {
        '\t' => text.push_str("    "),
        '\r' => text.push(' '),
        _ if is_hidden(c) => text.push('\u{fffd}'),
        _ => text.push(c),
    }
}

/// One line as a whole source, which keeps its number.
#[derive(Debug)]
struct Excerpt {
    number: usize,
    text: String,
    labels: Vec<DrawnLabel>,
}

impl fmt::Debug for DrawnLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{} {}", self.start, self.end, self.text)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("-")
    }
}

impl std::error::Error for Excerpt {}

impl miette::Diagnostic for Excerpt {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().map(|label| {
            let text = (!label.text.is_empty()).then(|| label.text.clone());
            let span = SourceSpan::from(label.start..label.end);
            if label.primary {
                LabeledSpan::new_primary_with_span(text, span)
            } else {
                LabeledSpan::new_with_span(text, span)
            }
        })))
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from(0..self.text.len());
        Ok(Box::new(MietteSpanContents::new(self.text.as_bytes(), whole, self.number - 1, 0, 1)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drawn(text: &str, places_and_texts: &[(usize, usize, &str)], width: usize) -> String {
        let label = |(index, (start, end, text)): (usize, &(usize, usize, &str))| Label {
            span: Span::new(*start, *end),
            text: (*text).to_string(),
            primary: index == 0,
        };
        let labels: Vec<Label> = places_and_texts.iter().enumerate().map(label).collect();
        places(&SourceFile::new("a.kdl", text), &labels, &Look { width, ..Look::PLAIN })
    }

    #[test]
    fn a_long_line_is_cut_around_its_label() {
        let text = format!("{}bad{}", "x ".repeat(300), " y".repeat(300));
        let shown = drawn(&text, &[(600, 603, "what is wrong here")], 80);
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        assert!(shown.contains("bad") && shown.contains("[a.kdl:1:601]"), "{shown}");
    }

    #[test]
    fn places_behind_the_end_are_shown_at_the_end() {
        for (start, end) in [(3, 3), (2, 99), (50, 60), (usize::MAX, usize::MAX), (2, 1)] {
            assert!(drawn("a b", &[(start, end, "here")], 80).contains("here"), "{start}..{end}");
        }
        assert!(drawn("", &[(0, 0, "nothing stands here")], 80).contains("nothing stands here"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

        #[test]
        fn any_place_in_any_text_is_drawn_within_the_width(
            text in "[a\u{e9}\u{202e}\t\r\n #]{0,300}",
            start in 0_usize..400, length in 0_usize..100, width in 40_usize..120,
            further in 0_usize..400, with_further in any::<bool>(),
        ) {
            let mut labels = vec![(start, start + length, "a label of some words that say what is wrong")];
            if with_further {
                labels.push((further, further + 5, "`an-uncommonly-long-word-in-a-label` is there too"));
            }
            let shown = drawn(&text, &labels, width);
            for line in shown.lines() {
                prop_assert!(line.chars().count() <= width, "{} > {width}\n{shown}", line.chars().count());
            }
        }
    }
}
