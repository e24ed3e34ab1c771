use crate::diag::{Diagnostic, code};
use crate::text::Span;

use super::Scan;

/// A place in the text that moves forward, with the blanks and newlines of KDL.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// The newlines of KDL 2, beside CR LF, which counts as one.
pub(super) fn is_newline(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{b}' | '\u{c}' | '\u{2028}' | '\u{2029}')
}

/// The blanks of KDL 2 within a line.
pub(in crate::lang) fn is_blank(c: char) -> bool {
    matches!(c, '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 } }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    /// Over a word without quotes: up to a blank, a sign of the grammar, a comment or the end of the line.
    pub(super) fn skip_word(&mut self) {
        while let Some(c) = self.peek() {
            let ends = is_blank(c) || is_newline(c) || matches!(c, '(' | ')' | '{' | '}' | ';' | '"' | '=');
            if ends || self.starts_with("//") || self.starts_with("/*") || self.continues_line() {
                return;
            }
            self.at += c.len_utf8();
        }
    }

    /// The end of the line in which the reader stands, before its newline.
    pub(super) fn line_end(&self) -> usize {
        self.at + self.rest().find(is_newline).unwrap_or(self.rest().len())
    }

    /// Over one newline, if one stands here.
    pub(super) fn newline(&mut self) -> bool {
        if self.starts_with("\r\n") {
            self.at += 2;
            return true;
        }
        match self.peek() {
            Some(c) if is_newline(c) => {
                self.at += c.len_utf8();
                true
            }
            _ => false,
        }
    }

    /// True where a line comment or the end of a node stands here.
    pub(super) fn ends_node(&self) -> bool {
        self.peek().is_none_or(|c| is_newline(c) || c == ';' || c == '}') || self.starts_with("//")
    }

    /// Over blanks, block comments and continued lines. True if there was any.
    pub(super) fn blanks(&mut self, scan: &mut Scan) -> bool {
        let start = self.at;
        loop {
            self.skip_while(is_blank);
            if self.starts_with("/*") {
                self.block_comment(scan);
            } else if self.continues_line() {
                self.continuation(scan);
            } else {
                return self.at > start;
            }
        }
    }

    /// Over blanks, newlines and all comments.
    pub(super) fn line_space(&mut self, scan: &mut Scan) {
        loop {
            let start = self.at;
            self.blanks(scan);
            self.line_comment(scan);
            while self.newline() {}
            if self.at == start {
                return;
            }
        }
    }

    /// Over a line comment, up to its newline.
    pub(super) fn line_comment(&mut self, scan: &mut Scan) {
        if self.starts_with("//") {
            let end = self.line_end();
            scan.blank(self.at, end);
            self.at = end;
        }
    }

    /// True where a backslash stands that continues the line: nothing but blanks and comments behind it.
    pub(super) fn continues_line(&self) -> bool {
        if !self.starts_with("\\") {
            return false;
        }
        let mut ahead = Reader { text: self.text, at: self.at };
        // Nothing is recorded here: whoever takes the continuation goes over its comments again.
        ahead.continuation(&mut Scan::default())
    }

    /// Over a backslash, the comments behind it and the newline. False where something else follows.
    fn continuation(&mut self, scan: &mut Scan) -> bool {
        self.at += '\\'.len_utf8();
        loop {
            self.skip_while(is_blank);
            if !self.starts_with("/*") {
                break;
            }
            self.block_comment(scan);
        }
        self.line_comment(scan);
        self.newline() || self.peek().is_none()
    }

    /// Over a block comment with the comments nested in it.
    pub(super) fn block_comment(&mut self, scan: &mut Scan) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 2;
        let mut depth = 1_usize;
        while depth > 0 && at < bytes.len() {
            match &bytes[at..] {
                [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
                [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
                _ => at += 1,
            }
        }
        self.at = at.min(bytes.len());
        scan.blank(start, self.at);
        if depth > 0 {
            let nested = if depth > 1 {
                format!("; {} further ones in it are not closed either", depth - 1)
            } else {
                String::new()
            };
            scan.mistake(
                Diagnostic::error(code::SYNTAX_UNCLOSED_COMMENT, "a block comment is never closed")
                    .label(Span::new(start, start + 2), format!("opened here{nested}"))
                    .help("close it with `*/`; comments nest, so each `/*` needs its own"),
            );
        }
    }
}
