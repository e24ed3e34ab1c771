//! Comments: kept word for word; those over several lines move as a whole.

use super::super::scan::{Token, is_blank};
use super::layout::{INDENT, unix_line_ends};

/// A line comment without blanks at its end.
pub(super) fn line(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

/// A block comment. Where it began a line and now begins at column `moved_to`, its other lines move as far as its first
/// one, so that they keep their places relative to each other.
pub(super) fn block(token: &Token<'_>, moved_to: Option<usize>) -> String {
    let text = unix_line_ends(token.text);
    let mut lines = text.split('\n').map(|line| line.trim_end_matches(is_blank));
    let first = lines.next().unwrap_or_default().to_string();
    let rest: Vec<(usize, &str)> = lines.map(indentation).collect();
    let from = columns(token.blanks);
    let by = match moved_to {
        Some(to) => {
            let least = rest.iter().filter(|(_, line)| !line.is_empty()).map(|(indent, _)| *indent).min();
            // Never so far that a line would lose its place among the others.
            (to as isize - from as isize).max(-(least.unwrap_or(0) as isize))
        }
        None => 0,
    };
    rest.iter().fold(first, |mut text, (indent, line)| {
        text.push('\n');
        if !line.is_empty() {
            text.extend(std::iter::repeat_n(' ', indent.saturating_add_signed(by)));
            text.push_str(line);
        }
        text
    })
}

/// How far a line is indented, and the line without that.
fn indentation(line: &str) -> (usize, &str) {
    let text = line.trim_start_matches(is_blank);
    (columns(&line[..line.len() - text.len()]), text)
}

/// The width of blanks, where a tab is as wide as one level.
fn columns(blanks: &str) -> usize {
    blanks.chars().map(|c| if c == '\t' { INDENT } else { 1 }).sum()
}
