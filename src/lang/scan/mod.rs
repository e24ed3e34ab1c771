//! Looks at the text before the parser does: finds the mistakes of syntax, with our own words and exact places, and
//! hands on a text without comments and without what `/-` drops.
//!
//! One pass, no recursion, time in proportion to the length. Three faults of the parser cannot show behind it: its stack
//! grows with each level of children and with each `*` or `/` in a block comment, its time doubles with each level of
//! `a /-{`, and its recovery after a mistake misleads. Never decides what a node means.

mod entries;
mod grammar;
mod reader;
mod strings;
mod tokens;
mod words;

use crate::diag::{Diagnostic, code};
use crate::text::Span;

pub(super) use reader::is_blank;
pub use tokens::{Token, TokenKind, tokens};

/// Children may stand so deep in each other; a plan needs less than ten levels.
pub(super) const DEPTH_AT_MOST: usize = 64;

/// After so many mistakes the pass ends: nobody corrects more at once, and what a single mistake costs (a look at the
/// rest of its line) cannot add up in a text that is nothing but mistakes.
const KEPT_AT_MOST: usize = 100;

/// Nodes, values and properties of a text. The longest axis that makes sense fits in; beyond, what a look at each costs,
/// and a look from each at all others, would be felt.
const WORDS_AT_MOST: usize = 100_000;

/// What the pass found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The mistakes, in the order in which they were met.
    pub(super) mistakes: Vec<Diagnostic>,
    /// Comments and what `/-` drops.
    blanks: Vec<Span>,
    /// Nodes, values and properties so far.
    words: usize,
    /// True once the pass has ended because there are too many of them.
    too_many: bool,
}

impl Scan {
    /// Goes over the whole text.
    pub(super) fn of(text: &str) -> Self {
        let mut scan = Scan::default();
        words::disallowed_characters(text, &mut scan);
        grammar::check(text, &mut scan);
        scan
    }

    /// The text with comments and dropped parts replaced by blanks, byte for byte, so that every place stays where it is.
    pub(super) fn blanked(&self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for blank in &self.blanks {
            bytes[blank.start..blank.end].fill(b' ');
        }
        String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
    }

    fn mistake(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.mistakes.push(diagnostic);
        }
    }

    fn is_full(&self) -> bool {
        self.mistakes.len() >= KEPT_AT_MOST || self.too_many
    }

    /// Counts one more node, value or property, which begins at `at`.
    fn count_word(&mut self, at: usize) {
        self.words += 1;
        if self.words <= WORDS_AT_MOST || self.too_many {
            return;
        }
        self.mistake(
            Diagnostic::error(code::SYNTAX_TOO_LARGE, "the text has more than 100,000 nodes, values and properties")
                .label(Span::new(at, at + 1), "one more than a plan may have")
                .help("name the plan file; a method of that length should be cut into several plans"),
        );
        self.too_many = true;
    }

    fn blank(&mut self, start: usize, end: usize) {
        self.blanks.push(Span::new(start, end));
    }
}
