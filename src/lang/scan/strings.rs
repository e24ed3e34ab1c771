//! Strings in quotes: plain, raw, and over several lines.

use crate::diag::{Diagnostic, code};
use crate::text::Span;

use super::Scan;
use super::reader::{Reader, is_blank, is_newline};

const THREE_QUOTES: &str = "\"\"\"";

impl Reader<'_> {
    /// The `#`s of a raw string that begins here; `None` where none begins.
    pub(super) fn raw_string_hashes(&self) -> Option<usize> {
        let hashes = self.rest().bytes().take_while(|byte| *byte == b'#').count();
        (hashes > 0 && self.rest()[hashes..].starts_with('"')).then_some(hashes)
    }

    /// Over a string in quotes that begins here, with `hashes` `#`s before it if it is raw.
    pub(super) fn string(&mut self, hashes: usize, scan: &mut Scan) {
        let start = self.at;
        self.at += hashes;
        if self.starts_with(THREE_QUOTES) {
            self.at += THREE_QUOTES.len();
            self.long_string(start, hashes, scan);
        } else if hashes > 0 {
            self.at += 1;
            self.raw_string(start, hashes, scan);
        } else {
            self.at += 1;
            self.plain_string(start, scan);
        }
    }

    fn plain_string(&mut self, start: usize, scan: &mut Scan) {
        loop {
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return;
                }
                Some('\\') => self.escape(scan),
                Some(c) if !is_newline(c) => self.at += c.len_utf8(),
                _ => return self.unclosed(start, scan),
            }
        }
    }

    /// Over a string in quotes that begins here. One quote that its line does not close ends with the line, whatever
    /// follows: somebody is typing.
    pub(super) fn string_as_typed(&mut self, hashes: usize, scan: &mut Scan) {
        if hashes > 0 || self.starts_with(THREE_QUOTES) {
            self.string(hashes, scan);
            return;
        }
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return;
                }
                Some('\\') => self.escape(scan),
                Some(c) if !is_newline(c) => self.at += c.len_utf8(),
                _ => return self.back_to_brace(start),
            }
        }
    }

    /// A plain string that its line does not close. Where the next line holds an odd number of quotes, the string most
    /// likely goes on there; otherwise the quote was forgotten, and the next line is read as usual.
    fn unclosed(&mut self, start: usize, scan: &mut Scan) {
        let end = self.at;
        let mut next = Reader { text: self.text, at: self.at };
        next.newline();
        let line = &self.text[next.at..next.line_end()];
        if line.matches('"').count() % 2 == 1 {
            let close = next.at + line.find('"').unwrap_or(0);
            scan.mistake(
                Diagnostic::error(code::SYNTAX_NEWLINE_IN_STRING, "a string in quotes goes over the end of its line")
                    .label(Span::new(start, end), "begins here")
                    .also(Span::new(close, close + 1), "seems to end here")
                    .help("end the line inside the string with a backslash, or use three quotes on lines of their own"),
            );
            self.at = close + 1;
        } else {
            scan.mistake(
                Diagnostic::error(code::SYNTAX_UNCLOSED_STRING, "a string is not closed on its line")
                    .label(Span::new(start, end), "no quote ends it"),
            );
            self.back_to_brace(start);
        }
    }

    fn raw_string(&mut self, start: usize, hashes: usize, scan: &mut Scan) {
        let line = &self.text[self.at..self.line_end()];
        let closing = format!("\"{}", "#".repeat(hashes));
        if let Some(offset) = line.find(&closing) {
            let body = &line[..offset];
            self.at += offset + closing.len();
            if body == "\"" {
                scan.mistake(
                    Diagnostic::error(
                        code::SYNTAX_MULTI_LINE_STRING,
                        "a raw string of one quote looks like one of several lines",
                    )
                    .label(Span::new(start, self.at), "write \"\\\"\""),
                );
            }
            return;
        }
        let end = self.line_end();
        let last_quote = line.rfind('"').map(|offset| self.at + offset);
        let mut mistake = Diagnostic::error(code::SYNTAX_UNCLOSED_STRING, "a raw string is not closed on its line")
            .label(Span::new(start, start + hashes + 1), format!("opened with {}", numbered(hashes)));
        if let Some(quote) = last_quote {
            let found = self.text[quote + 1..end].bytes().take_while(|byte| *byte == b'#').count();
            mistake = mistake.also(Span::new(quote, quote + 1 + found), format!("followed by {}", numbered(found)));
        }
        scan.mistake(mistake.help(format!("close it with `{closing}`")));
        self.at = end;
        self.back_to_brace(start);
    }

    /// Where a line ends with a brace, that hardly belongs to the string that was left open on it.
    fn back_to_brace(&mut self, start: usize) {
        let line = self.text[start..self.at].trim_end();
        if line.ends_with('{') {
            self.at = start + line.len() - 1;
        }
    }

    fn long_string(&mut self, start: usize, hashes: usize, scan: &mut Scan) {
        let opening = Span::new(start, self.at);
        let closing = format!("{THREE_QUOTES}{}", "#".repeat(hashes));
        if !self.newline() {
            let line = &self.text[self.at..self.line_end()];
            let end = line.find(&closing).map_or(self.line_end(), |offset| self.at + offset + closing.len());
            self.at = end;
            scan.mistake(
                Diagnostic::error(code::SYNTAX_MULTI_LINE_STRING, "text follows three quotes on their line")
                    .label(Span::new(start, end), "three quotes begin a string of several lines")
                    .help("begin the text on the next line, or use one quote"),
            );
            return;
        }
        let body = self.at;
        while !self.starts_with(&closing) {
            match self.peek() {
                None => {
                    scan.mistake(
                        Diagnostic::error(code::SYNTAX_UNCLOSED_STRING, "a string of several lines is never closed")
                            .label(opening, "opened here")
                            .help(format!("close it with `{closing}` on a line of its own")),
                    );
                    return;
                }
                Some('\\') if hashes == 0 => self.escape(scan),
                Some(c) => self.at += c.len_utf8(),
            }
        }
        check_indentation(&self.text[body..self.at], body, hashes > 0, scan);
        self.at += closing.len();
    }

    /// Over a backslash and what it stands for.
    fn escape(&mut self, scan: &mut Scan) {
        let start = self.at;
        self.at += 1;
        let (label, help) = match self.peek() {
            Some('\\' | '"' | 'b' | 'f' | 'n' | 'r' | 't' | 's') => {
                self.at += 1;
                return;
            }
            Some(c) if is_blank(c) || is_newline(c) => {
                self.skip_while(|c| is_blank(c) || is_newline(c));
                return;
            }
            Some('u') => {
                self.at += 1;
                if self.unicode_escape() {
                    return;
                }
                ("not a character", "write \\u{...} with one to six hexadecimal digits of a character")
            }
            Some('/') => {
                self.at += 1;
                ("needs no backslash", "write / alone")
            }
            Some(c) => {
                self.at += c.len_utf8();
                (
                    "not an escape",
                    "write \\\\ for a backslash, or put `#` before and behind the quotes of a string with many",
                )
            }
            None => return,
        };
        let span = Span::new(start, self.at);
        let written = super::words::shortened(&self.text[start..self.at]);
        let plain = &self.text[start + 1..self.at];
        let instead = if plain == "/" { "/".to_string() } else { format!("\\\\{plain}") };
        scan.mistake(
            Diagnostic::error(code::SYNTAX_UNKNOWN_ESCAPE, format!("`{written}` stands for nothing in a string"))
                .label(span, label)
                .help(help)
                .rewrite(span, instead),
        );
    }

    /// Over `{hex}` behind `\u`. False where it is no character.
    fn unicode_escape(&mut self) -> bool {
        if !self.starts_with("{") {
            return false;
        }
        self.at += 1;
        let digits = self.rest().bytes().take_while(u8::is_ascii_hexdigit).count();
        let value = u32::from_str_radix(&self.rest()[..digits.min(6)], 16).ok();
        self.at += digits;
        if !self.starts_with("}") {
            return false;
        }
        self.at += 1;
        (1..=6).contains(&digits) && value.and_then(char::from_u32).is_some()
    }
}

/// Every line of a long string begins with the blanks before its closing quotes.
fn check_indentation(body: &str, start: usize, raw: bool, scan: &mut Scan) {
    // Where backslashes join lines, what counts as a line is left to the parser.
    if !raw && body.contains('\\') {
        return;
    }
    let prefix_at = body.rfind(is_newline).map_or(0, |at| at + body[at..].chars().next().map_or(1, char::len_utf8));
    let prefix = &body[prefix_at..];
    let closing = Span::new(start + prefix_at, start + body.len());
    if !prefix.chars().all(is_blank) {
        scan.mistake(
            Diagnostic::error(code::SYNTAX_MULTI_LINE_STRING, "the closing three quotes follow text on their line")
                .label(Span::new(closing.end, closing.end + THREE_QUOTES.len()), "must stand on a line of their own"),
        );
        return;
    }
    let mut at = 0;
    for line in body[..prefix_at].split_inclusive(is_newline) {
        let text = line.trim_end_matches(is_newline);
        if !text.starts_with(prefix) && !text.chars().all(is_blank) {
            let indented = text.len() - text.trim_start_matches(is_blank).len();
            let place = start + at;
            scan.mistake(
                Diagnostic::error(
                    code::SYNTAX_MULTI_LINE_STRING,
                    "a line of a long string is indented less than its closing quotes",
                )
                .label(Span::new(place, place + indented.max(1)), "indented less")
                .also(Span::new(closing.end, closing.end + THREE_QUOTES.len()), "than these quotes")
                .help("indent every line at least as far as the closing quotes, with the same blanks"),
            );
            return;
        }
        at += line.len();
    }
}

fn numbered(hashes: usize) -> String {
    match hashes {
        0 => "no `#`".into(),
        1 => "one `#`".into(),
        _ => format!("{hashes} `#`"),
    }
}
