//! The layout itself: lines of tokens, the blanks between two of them, and where lines break.

use std::borrow::Cow;

use super::super::decode::BYTES_AT_MOST;
use super::super::scan::{Token, TokenKind, tokens};
use super::blocks::{Shape, shapes};
use super::comment;

/// So many blanks for each level.
pub(super) const INDENT: usize = 4;

/// The text in its layout; `None` where it would be larger than a plan may be.
pub(super) fn laid_out(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let shapes = shapes(&tokens);
    let mut lines = Lines::default();
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, shapes[at]) {
            // Not a line end to be seen: nothing stands between the braces.
            (_, Shape::Dropped) => {}
            (TokenKind::Newline, _) => lines.newline(),
            (TokenKind::Sign('}'), Shape::OneLine) => lines.close_on_its_line(token),
            (TokenKind::Sign('}'), _) => lines.close(token),
            (TokenKind::Sign('{'), Shape::SeveralLines) => lines.open(token, &tokens[at + 1..]),
            _ => lines.push(token),
        }
        if lines.out.len() > BYTES_AT_MOST {
            return None;
        }
    }
    lines.end();
    (lines.out.len() <= BYTES_AT_MOST).then_some(lines.out)
}

/// The same text with `\n` at the end of each line.
pub(super) fn unix_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// One token of the line being gathered.
struct Piece<'t> {
    token: Token<'t>,
    /// True where the person had it as the first thing on its line.
    was_first: bool,
}

/// The lines so far, and the one being gathered.
#[derive(Default)]
struct Lines<'t> {
    out: String,
    line: Vec<Piece<'t>>,
    /// Blocks over several lines that are open.
    depth: usize,
    /// The line that is gathered goes on with the node of the line before.
    continues: bool,
    /// Nothing stands in the innermost block yet.
    is_fresh: bool,
    /// An empty line was met since the last line.
    has_gap: bool,
    /// The last token was a line end that the person wrote.
    at_line_start: bool,
}

const SEMICOLON: Token<'static> = Token { kind: TokenKind::Sign(';'), text: ";", blanks: "" };

impl<'t> Lines<'t> {
    fn push(&mut self, token: &Token<'t>) {
        let was_first = self.at_line_start || self.out.is_empty() && self.line.is_empty();
        self.line.push(Piece { token: *token, was_first });
        self.at_line_start = false;
    }

    fn newline(&mut self) {
        if self.line.is_empty() {
            self.has_gap = true;
            // An empty line ends what a backslash continues.
            self.continues = false;
        } else {
            self.end();
        }
        self.at_line_start = true;
    }

    /// Opens a block over several lines: nothing but a comment stays behind its brace.
    fn open(&mut self, token: &Token<'t>, following: &[Token<'t>]) {
        self.push(token);
        let next = following.iter().find(|token| !token.is_comment());
        if next.is_some_and(|next| next.kind != TokenKind::Newline) {
            self.end();
        }
    }

    /// Closes a block over several lines, on a line of its own.
    fn close(&mut self, token: &Token<'t>) {
        if !self.line.is_empty() {
            self.end();
        }
        // Neither an empty line nor a continuation matters before a brace.
        (self.has_gap, self.continues) = (false, false);
        self.push(token);
    }

    /// Closes a block on one line: every node in it ends with `;`, save one that ends with its own block.
    fn close_on_its_line(&mut self, token: &Token<'t>) {
        if let Some(last) = self.last_that_counts(self.line.len()) {
            let sign = self.line[last].token;
            if sign.is_sign(';') {
                let before = self.last_that_counts(last);
                if before.is_some_and(|before| self.line[before].token.is_sign('}')) {
                    self.line.remove(last);
                }
            } else if !sign.is_sign('{') && !sign.is_sign('}') {
                self.line.insert(last + 1, Piece { token: SEMICOLON, was_first: false });
            }
        }
        self.push(token);
    }

    /// The last piece before `end` that is no comment.
    fn last_that_counts(&self, end: usize) -> Option<usize> {
        self.line[..end].iter().rposition(|piece| !piece.token.is_comment())
    }

    /// Writes the gathered line.
    fn end(&mut self) {
        let last = self.last_that_counts(self.line.len());
        // The end of the line ends the node as well. A line that is nothing else stays: its node began further up.
        if let Some(last) = last.filter(|last| *last > 0 && self.line[*last].token.is_sign(';')) {
            self.line.remove(last);
        }
        let Some(first) = self.line.first() else { return };
        if self.has_gap && !self.is_fresh && !self.out.is_empty() {
            self.out.push('\n');
        }
        let closes = first.token.is_sign('}');
        let level = self.depth - usize::from(closes && self.depth > 0);
        let goes_on = self.continues && !first.token.is_sign('{');
        let indent = (level + usize::from(goes_on)) * INDENT;
        self.out.extend(std::iter::repeat_n(' ', indent));
        let mut before: Option<&Token<'_>> = None;
        for piece in &self.line {
            if let Some(before) = before {
                self.out.extend(std::iter::repeat_n(' ', blanks_between(before, &piece.token)));
            }
            match piece.token.kind {
                TokenKind::BlockComment => {
                    let moved_to = before.is_none().then_some(indent).filter(|_| piece.was_first);
                    self.out.push_str(&comment::block(&piece.token, moved_to));
                }
                TokenKind::LineComment => self.out.push_str(comment::line(piece.token.text)),
                _ => self.out.push_str(&unix_line_ends(piece.token.text)),
            }
            before = Some(&piece.token);
        }
        self.out.push('\n');
        self.after_line();
    }

    /// What the line that was written means for the next one.
    fn after_line(&mut self) {
        let mut open = 0_usize;
        for piece in &self.line {
            if piece.token.is_sign('{') {
                open += 1;
            } else if piece.token.is_sign('}') {
                if open > 0 {
                    open -= 1;
                } else {
                    self.depth = self.depth.saturating_sub(1);
                }
            }
        }
        self.depth += open;
        let last = self.last_that_counts(self.line.len()).map(|last| (last, self.line[last].token.kind));
        self.continues = match last {
            Some((_, TokenKind::Continuation)) => true,
            // What is dropped may stand on the next line; behind a node's name it belongs to that node.
            Some((last, TokenKind::Slashdash)) => last > 0,
            _ => false,
        };
        self.is_fresh = open > 0;
        self.has_gap = false;
        self.line.clear();
    }
}

/// How many blanks stand between two tokens of a line. Two or more that the person wrote between the parts of a node,
/// behind one or before a comment, stay: they line up columns.
fn blanks_between(before: &Token<'_>, token: &Token<'_>) -> usize {
    let written = match token.blanks {
        "" => 0,
        blanks if blanks.bytes().all(|byte| byte == b' ') => blanks.len(),
        _ => 1,
    };
    match (before.kind, token.kind) {
        (_, TokenKind::Continuation) => written.max(1),
        (TokenKind::Sign('(' | '='), _) | (_, TokenKind::Sign(')' | '=' | ';')) => 0,
        (TokenKind::Sign(')'), TokenKind::Word) => 0,
        (TokenKind::Slashdash, _) if !token.is_comment() => written.min(1),
        // Columns are lined up in front of a block, not within its braces.
        (TokenKind::Sign('{'), kind) if kind != TokenKind::LineComment => 1,
        (_, TokenKind::Sign('}')) => 1,
        _ => written.max(1),
    }
}
