//! The grammar of KDL 2 as a loop with its own stack: nodes, entries, children, and what `/-` drops.

use crate::diag::{Diagnostic, code};
use crate::text::Span;

use super::reader::{Reader, is_blank, is_newline};
use super::words::Word;
use super::{DEPTH_AT_MOST, Scan};

/// A children block that has been opened, with what is needed when it closes.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Where its brace stands.
    brace: usize,
    /// Where `/-` stands, if the block is dropped.
    dropped_from: Option<usize>,
    /// The node it belongs to; `None` for a brace without one.
    node: Option<OpenNode>,
}

/// A node that is not finished.
#[derive(Debug, Clone, Copy)]
struct OpenNode {
    /// Where `/-` stands, if the node is dropped.
    dropped_from: Option<usize>,
    /// True once a children block that counts has been seen.
    has_children: bool,
}

pub(super) struct Grammar<'t, 's> {
    pub(super) reader: Reader<'t>,
    pub(super) scan: &'s mut Scan,
    blocks: Vec<Block>,
    /// The innermost block closed by a brace that stands further left than its line: most likely the brace of another.
    doubtful: Option<(usize, usize)>,
    /// Behind the last comma that was reported.
    pub(super) comma_end: usize,
    /// The last brace that closed a block.
    last_closed: Option<usize>,
}

/// Goes over the whole text and reports what is no KDL.
pub(super) fn check(text: &str, scan: &mut Scan) {
    let mut grammar = Grammar {
        reader: Reader::new(text),
        scan,
        blocks: Vec::new(),
        doubtful: None,
        comma_end: 0,
        last_closed: None,
    };
    while !grammar.scan.is_full() && grammar.node_or_end() {}
}

/// What comes after something has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// More of the same node.
    Entry,
    /// The node is over.
    Done,
}

impl Grammar<'_, '_> {
    /// One node up to its children block or its end, or the end of a block. False at the end of the text.
    fn node_or_end(&mut self) -> bool {
        self.reader.line_space(self.scan);
        let start = self.reader.at;
        match self.reader.peek() {
            None => {
                self.end_of_text();
                return false;
            }
            Some('}') => {
                self.reader.at += 1;
                return match self.close_block(start) {
                    Some(node) => self.after_children(node),
                    None => true,
                };
            }
            Some(';') => {
                self.reader.at += 1;
                self.scan.mistake(
                    Diagnostic::error(code::SYNTAX_EMPTY_STATEMENT, "a semicolon ends nothing")
                        .label(Span::new(start, start + 1), "no node stands before it")
                        .remedy("leave it out", Span::new(start, start + 1), ""),
                );
                return true;
            }
            Some('{') => {
                self.scan.mistake(
                    Diagnostic::error(code::SYNTAX_BRACE_ALONE, "a brace opens without a node before it")
                        .label(Span::new(start, start + 1), "no node stands before it on its line")
                        .help("move it to the end of the line of its node"),
                );
                return self.open_block(None, None);
            }
            _ => {}
        }
        let mut node = OpenNode { dropped_from: None, has_children: false };
        if self.reader.starts_with("/-") {
            self.reader.at += 2;
            self.reader.line_space(self.scan);
            if !self.begins_node() {
                self.lone_slashdash(start);
                return true;
            }
            node.dropped_from = Some(start);
        }
        self.node_name();
        self.entries(node)
    }

    /// True where something stands that can be a node: not an end, not a brace.
    fn begins_node(&self) -> bool {
        !self.reader.starts_with("/-") && self.reader.peek().is_some_and(|c| !matches!(c, '{' | '}' | ';'))
    }

    fn lone_slashdash(&mut self, start: usize) {
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_LONE_SLASHDASH, "`/-` stands before nothing that it could drop")
                .label(Span::new(start, start + 2), "drops what follows it"),
        );
    }

    fn node_name(&mut self) {
        let begin = self.reader.at;
        self.scan.count_word(begin);
        if self.reader.peek() == Some('(') {
            self.annotation();
            self.reader.blanks(self.scan);
            if self.reader.ends_node() || self.reader.peek() == Some('{') {
                self.annotation_before_nothing(begin);
                return;
            }
        }
        let start = self.reader.at;
        if self.string() {
            return;
        }
        if self.hash_comment() {
            return;
        }
        let Some(word) = self.word() else {
            let end = self.reader.at + self.reader.advance().map_or(0, char::len_utf8);
            let what = &self.reader.text[start..end];
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_NODE_NAME, format!("`{what}` is no name of a node"))
                    .label(Span::new(start, end), "a node begins with its name"),
            );
            return;
        };
        let span = Span::new(start, self.reader.at);
        if matches!(word, Word::Number | Word::Keyword) {
            let written = super::words::shortened(&self.reader.text[start..self.reader.at]);
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_NODE_NAME, format!("`{written}` is no name of a node"))
                    .label(span, "a node begins with its name"),
            );
        }
    }

    /// What stands behind a node's name, up to its children or its end. False when the text cannot be read on.
    fn entries(&mut self, mut node: OpenNode) -> bool {
        loop {
            let blank = self.reader.blanks(self.scan);
            if self.reader.ends_node() || self.scan.is_full() {
                self.finish(node);
                return true;
            }
            let start = self.reader.at;
            if self.reader.peek() == Some('{') {
                node.has_children = true;
                return self.open_block(Some(node), None);
            }
            if !blank && self.missing_blank(start) {
                continue;
            }
            if self.reader.starts_with("/-") {
                self.reader.at += 2;
                self.reader.line_space(self.scan);
                if self.reader.peek() == Some('{') {
                    return self.open_block(Some(node), Some(start));
                }
                if self.reader.starts_with("/-") || self.reader.peek().is_none_or(|c| matches!(c, '}' | ';')) {
                    self.lone_slashdash(start);
                    continue;
                }
                let next = self.entry();
                self.scan.blank(start, self.reader.at);
                if next == Next::Entry {
                    continue;
                }
            } else if self.entry() == Next::Entry {
                continue;
            }
            self.skip_rest();
        }
    }

    /// To the end of the node, or to its children.
    fn skip_rest(&mut self) {
        loop {
            self.reader.blanks(self.scan);
            if self.reader.ends_node() || self.reader.peek() == Some('{') {
                return;
            }
            let before = self.reader.at;
            if !self.string() {
                self.reader.skip_word();
            }
            if self.reader.at == before {
                self.reader.advance();
            }
        }
    }

    /// The end of a node: over its terminator, unless that belongs to the block around it.
    fn finish(&mut self, node: OpenNode) {
        let end = self.reader.at;
        self.reader.line_comment(self.scan);
        let semicolon = self.reader.peek() == Some(';');
        if semicolon {
            self.reader.at += 1;
        } else {
            self.reader.newline();
        }
        if let Some(start) = node.dropped_from {
            self.scan.blank(start, if semicolon { self.reader.at } else { end });
        }
    }

    /// Opens a children block. False where it lies too deep to be read on.
    fn open_block(&mut self, node: Option<OpenNode>, dropped_from: Option<usize>) -> bool {
        let brace = self.reader.at;
        self.reader.at += 1;
        if self.blocks.len() >= DEPTH_AT_MOST {
            self.scan.mistake(
                Diagnostic::error(
                    code::SYNTAX_TOO_DEEP,
                    format!("children stand more than {DEPTH_AT_MOST} levels deep"),
                )
                .label(Span::new(brace, brace + 1), "one level too deep"),
            );
            return false;
        }
        self.blocks.push(Block { brace, dropped_from, node });
        true
    }

    /// Behind a closing brace: the node that may go on behind it.
    fn close_block(&mut self, brace: usize) -> Option<OpenNode> {
        let Some(block) = self.blocks.pop() else {
            let mistake = Diagnostic::error(code::SYNTAX_STRAY_BRACE, "a brace closes nothing")
                .label(Span::new(brace, brace + 1), "every block is closed already");
            self.scan.mistake(match self.last_closed {
                Some(last) => mistake.also(Span::new(last, last + 1), "the last open block is closed here"),
                None => mistake,
            });
            return None;
        };
        self.last_closed = Some(brace);
        if self.doubtful.is_none() && stands_left_of(self.reader.text, brace, block.brace) {
            self.doubtful = Some((block.brace, brace));
        }
        if let Some(start) = block.dropped_from {
            self.scan.blank(start, self.reader.at);
        }
        block.node
    }

    /// What may still stand behind the children of a node. False when the text cannot be read on.
    fn after_children(&mut self, node: OpenNode) -> bool {
        loop {
            self.reader.blanks(self.scan);
            if self.reader.ends_node() {
                self.finish(node);
                return true;
            }
            let start = self.reader.at;
            if self.reader.starts_with("/-") {
                self.reader.at += 2;
                self.reader.line_space(self.scan);
                if self.reader.peek() == Some('{') {
                    return self.open_block(Some(node), Some(start));
                }
                self.reader.at = start;
            }
            if self.reader.peek() == Some('{') {
                if node.has_children {
                    self.scan.mistake(
                        Diagnostic::error(code::SYNTAX_SECOND_CHILDREN, "a node has a second block of children")
                            .label(Span::new(start, start + 1), "second block")
                            .help("put all children into one block, or begin a new node on a new line"),
                    );
                }
                return self.open_block(Some(OpenNode { has_children: true, ..node }), None);
            }
            self.skip_rest();
            let end = self.reader.text[..self.reader.at].trim_end().len().max(start + 1);
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_AFTER_CHILDREN, "something follows the children of a node")
                    .label(Span::new(start, end), "does not belong to the node any more")
                    .help("move it before the brace, or onto a new line"),
            );
        }
    }

    fn end_of_text(&mut self) {
        let Some(innermost) = self.blocks.last() else { return };
        let open = self.blocks.len();
        let message =
            if open == 1 { "a brace is never closed".to_string() } else { format!("{open} braces are never closed") };
        let mistake = Diagnostic::error(code::SYNTAX_UNCLOSED_BRACE, message);
        self.scan.mistake(match self.doubtful {
            Some((brace, closed_by)) => mistake
                .label(Span::new(brace, brace + 1), "this block seems to lack its `}`")
                .also(Span::new(closed_by, closed_by + 1), "this brace closes it, but stands further left"),
            None => mistake.label(Span::new(innermost.brace, innermost.brace + 1), "no `}` closes this block"),
        });
    }
}

/// True where a closing brace is the first thing on its line and stands further left than the line of its opening brace.
fn stands_left_of(text: &str, closing: usize, opening: usize) -> bool {
    let before = text[..closing].trim_end_matches(is_blank);
    if !before.ends_with(is_newline) || opening > before.len() {
        return false;
    }
    let line_start =
        text[..opening].char_indices().rev().find(|(_, c)| is_newline(*c)).map_or(0, |(at, c)| at + c.len_utf8());
    let indentation = text[line_start..].chars().take_while(|c| is_blank(*c)).count();
    text[before.len()..closing].chars().count() < indentation
}
