//! What stands behind a node's name: values, properties, annotations, and words and strings in general.

use crate::diag::{Diagnostic, Remedy, code};
use crate::text::Span;

use super::Scan;
use super::grammar::{Grammar, Next};
use super::reader::{Reader, is_blank, is_newline};
use super::words::{Word, classify, shortened};

impl Grammar<'_, '_> {
    /// One argument or property.
    pub(super) fn entry(&mut self) -> Next {
        let start = self.reader.at;
        self.scan.count_word(start);
        match self.reader.peek() {
            Some('=') => {
                let end = start + self.reader.rest().bytes().take_while(|byte| *byte == b'=').count();
                self.reader.at = end;
                self.scan.mistake(
                    Diagnostic::error(code::SYNTAX_LONE_EQUALS, "an equals sign has no property name before it")
                        .label(Span::new(start, end), "leave it out")
                        .help("a word and its value are separated by a blank, as `block-size \"4KiB\"`; `name=value` modifies a word")
                        .remedy("leave the `=` out", Span::new(start, end), ""),
                );
                return Next::Entry;
            }
            Some('(') => {
                self.annotation();
                self.reader.blanks(self.scan);
                return self.annotated_value(start);
            }
            _ => {}
        }
        if self.hash_comment() {
            return Next::Entry;
        }
        let kind = if self.string() {
            Word::Name
        } else if let Some(word) = self.word() {
            word
        } else {
            return self.unexpected();
        };
        let key_end = self.reader.at;
        if !self.equals_follows() {
            return Next::Entry;
        }
        if matches!(kind, Word::Number | Word::Keyword) {
            let written = shortened(&self.reader.text[start..key_end]);
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_PROPERTY, format!("`{written}` cannot be the name of a property"))
                    .label(Span::new(start, key_end), "a property is written name=value"),
            );
        }
        self.reader.at += 1;
        self.reader.blanks(self.scan);
        self.property_value(start)
    }

    /// Over the blanks before an equals sign, if one follows.
    fn equals_follows(&mut self) -> bool {
        let mut ahead = Reader { text: self.reader.text, at: self.reader.at };
        ahead.blanks(&mut Scan::default());
        if ahead.peek() != Some('=') {
            return false;
        }
        self.reader.blanks(self.scan) || self.reader.peek() == Some('=')
    }

    fn property_value(&mut self, key: usize) -> Next {
        if self.reader.peek() == Some('(') {
            self.annotation();
            self.reader.blanks(self.scan);
        }
        if self.string() || (!self.reader.starts_with("/-") && self.word().is_some()) {
            return Next::Entry;
        }
        let at = self.reader.at;
        let mut mistake = Diagnostic::error(code::SYNTAX_PROPERTY, "a property has no value")
            .label(Span::new(key, at), "needs a value behind `=`");
        if self.reader.starts_with("/-") {
            mistake = mistake
                .also(Span::new(at, at + 2), "may not stand here")
                .help("to drop a property, write `/-` before its name");
        }
        self.scan.mistake(mistake);
        if self.reader.ends_node() || self.reader.peek() == Some('{') { Next::Entry } else { Next::Done }
    }

    fn annotated_value(&mut self, start: usize) -> Next {
        let before = self.reader.at;
        if !self.string() && (self.reader.starts_with("/-") || self.word().is_none()) {
            self.annotation_before_nothing(start);
            return if self.reader.ends_node() { Next::Entry } else { Next::Done };
        }
        let end = self.reader.at;
        if !self.equals_follows() {
            return Next::Entry;
        }
        let annotation = self.reader.text[start..before].trim_end();
        let key = &self.reader.text[before..end];
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_ANNOTATION, "an annotation stands before the name of a property")
                .label(Span::new(start, start + annotation.len()), "belongs to the value")
                .help(format!("write {key}={annotation}\u{2026}"))
                .remedy_of(Remedy {
                    title: format!("write {key}={annotation}\u{2026}"),
                    edits: vec![
                        (Span::new(start, before), String::new()),
                        (Span::new(self.reader.at + 1, self.reader.at + 1), annotation.to_string()),
                    ],
                }),
        );
        self.reader.at += 1;
        self.reader.blanks(self.scan);
        self.property_value(before)
    }

    pub(super) fn annotation_before_nothing(&mut self, start: usize) {
        let end = self.reader.text[..self.reader.at].trim_end().len().max(start + 1);
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_ANNOTATION, "an annotation stands before nothing")
                .label(Span::new(start, end), "belongs right before a value or a node's name"),
        );
    }

    /// `(word)`.
    pub(super) fn annotation(&mut self) {
        let start = self.reader.at;
        self.reader.at += 1;
        self.reader.blanks(self.scan);
        let word_start = self.reader.at;
        let kind = if self.string() { Some(Word::Name) } else { self.word() };
        let wrong = match kind {
            Some(Word::Name) => false,
            // Already reported.
            Some(Word::Wrong) => {
                self.skip_to_parenthesis();
                return;
            }
            _ => true,
        };
        let word = Span::new(word_start, self.reader.at);
        self.reader.blanks(self.scan);
        if !wrong && self.reader.peek() == Some(')') {
            self.reader.at += 1;
            return;
        }
        self.skip_to_parenthesis();
        let place = if wrong && !word.is_empty() { word } else { Span::new(start, self.reader.at) };
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_ANNOTATION, "parentheses hold something else than one word")
                .label(place, "needs one word in parentheses, as (published)"),
        );
    }

    fn skip_to_parenthesis(&mut self) {
        self.reader.skip_while(|c| !is_newline(c) && !matches!(c, ')' | '{' | '}' | ';' | '"'));
        if self.reader.peek() == Some(')') {
            self.reader.at += 1;
        }
    }

    /// Over a string in quotes. False where none stands here.
    pub(super) fn string(&mut self) -> bool {
        let hashes = self.reader.raw_string_hashes();
        if hashes.is_none() && self.reader.peek() != Some('"') {
            return false;
        }
        self.reader.string(hashes.unwrap_or(0), self.scan);
        true
    }

    /// Over a word without quotes. `None` where none stands here.
    pub(super) fn word(&mut self) -> Option<Word> {
        let start = self.reader.at;
        self.reader.skip_word();
        let end = self.reader.at;
        if end == start {
            return None;
        }
        let word = &self.reader.text[start..end];
        if word.starts_with('[') {
            self.brackets(start);
            return Some(Word::Wrong);
        }
        if let Some(hashes) = word.strip_prefix('r')
            && hashes.bytes().all(|byte| byte == b'#')
            && self.reader.peek() == Some('"')
        {
            self.reader.at = start + 1;
            self.reader.string(hashes.len(), self.scan);
            let string = &self.reader.text[start + 1..self.reader.at];
            let whole = Span::new(start, self.reader.at);
            let remedy = if hashes.is_empty() { format!("#{string}#") } else { string.to_string() };
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_RAW_STRING, "a raw string is written without `r`")
                    .label(Span::new(start, start + 1), "leave it out")
                    .help(format!("write {}", shortened(&remedy)))
                    .remedy(format!("write {}", shortened(&remedy)), whole, remedy),
            );
            return Some(Word::Wrong);
        }
        if let Some(before) = word.strip_suffix(',')
            && !before.is_empty()
            && before.starts_with(|c: char| c.is_ascii_digit())
            && !before.contains(',')
        {
            // The value before the comma is judged for itself.
            let kind = classify(before, Span::new(start, end - 1), self.scan);
            self.comma(end - 1);
            return Some(kind);
        }
        Some(classify(word, Span::new(start, end), self.scan))
    }

    /// Over everything in brackets on this line.
    fn brackets(&mut self, start: usize) {
        self.reader.at = start;
        self.reader.skip_while(|c| !is_newline(c) && !matches!(c, ']' | '{' | '}' | ';'));
        if self.reader.peek() == Some(']') {
            self.reader.at += 1;
        }
        let inside = self.reader.text[start + 1..self.reader.at].trim_end_matches(']').replace(',', " ");
        let values: Vec<&str> = inside.split_whitespace().collect();
        let mistake = Diagnostic::error(code::SYNTAX_BRACKETS, "square brackets have no meaning")
            .label(Span::new(start, self.reader.at), "a list is several values with blanks between them");
        self.scan.mistake(match values.is_empty() {
            true => mistake.help("what stands in a node is written in braces, as `test \"a\" { … }`"),
            false => mistake
                .help(format!("write `{}`", shortened(&values.join(" "))))
                .rewrite(Span::new(start, self.reader.at), values.join(" ")),
        });
    }

    fn comma(&mut self, at: usize) {
        self.comma_end = at + 1;
        let is_apart = self.reader.text[at + 1..].starts_with(|c: char| is_blank(c) || is_newline(c) || c == ';');
        let instead = if is_apart { "" } else { " " };
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_COMMA, "a comma stands behind a value")
                .label(Span::new(at, at + 1), "leave it out")
                .help("values are separated by blanks")
                .remedy("leave the comma out", Span::new(at, at + 1), instead),
        );
    }

    /// Over a `# comment`, which KDL does not have. False where none stands here.
    pub(super) fn hash_comment(&mut self) -> bool {
        let Some(after) = self.reader.rest().strip_prefix('#') else { return false };
        if !after.chars().next().is_none_or(|c| is_blank(c) || is_newline(c)) {
            return false;
        }
        let start = self.reader.at;
        self.reader.at = self.reader.line_end();
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_HASH_COMMENT, "`#` begins no comment")
                .label(Span::new(start, start + 1), "write `//`")
                .rewrite(Span::new(start, start + 1), "//"),
        );
        true
    }

    /// Reports what stands too close. True where it was a comma, which is gone over.
    pub(super) fn missing_blank(&mut self, at: usize) -> bool {
        let c = self.reader.peek().unwrap_or(' ');
        let before = self.reader.text[..at].chars().next_back().unwrap_or(' ');
        if c == ',' {
            self.reader.at += 1;
            self.comma(at);
            return true;
        }
        // A sign that is a mistake by itself is reported where it is read.
        if !matches!(c, '=' | ')') && !matches!(before, '=' | ')') && at != self.comma_end {
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_MISSING_BLANK, "a blank is missing between two things")
                    .label(Span::new(at, at + c.len_utf8()), "needs a blank before it")
                    .remedy("put a blank before it", Span::new(at, at), " "),
            );
        }
        false
    }

    fn unexpected(&mut self) -> Next {
        let start = self.reader.at;
        let Some(c) = self.reader.advance() else { return Next::Entry };
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_UNEXPECTED, format!("`{c}` has no meaning here"))
                .label(Span::new(start, self.reader.at), "not expected here"),
        );
        Next::Entry
    }
}
