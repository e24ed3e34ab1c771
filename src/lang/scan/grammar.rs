//! The grammar of KDL 2 as a loop with its own stack: nodes, entries, children, and what `/-` drops.

use crate::diag::{Diagnostic, code};
use crate::text::Span;

use super::reader::{Reader, is_blank, is_newline};
use super::words::{Word, classify};
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

struct Grammar<'t, 's> {
    reader: Reader<'t>,
    scan: &'s mut Scan,
    blocks: Vec<Block>,
    /// The innermost block closed by a brace that stands further left than its line: most likely the brace of another.
    doubtful: Option<(usize, usize)>,
    /// Behind the last comma that was reported.
    comma_end: usize,
}

/// Goes over the whole text and reports what is no KDL.
pub(super) fn check(text: &str, scan: &mut Scan) {
    let mut grammar = Grammar { reader: Reader::new(text), scan, blocks: Vec::new(), doubtful: None, comma_end: 0 };
    while grammar.node_or_end() {}
}

/// What comes after something has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
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
                        .label(Span::new(start, start + 1), "no node stands before it"),
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
            if self.reader.ends_node() {
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

    /// One argument or property.
    fn entry(&mut self) -> Next {
        let start = self.reader.at;
        match self.reader.peek() {
            Some('=') => {
                let end = start + self.reader.rest().bytes().take_while(|byte| *byte == b'=').count();
                self.reader.at = end;
                self.scan.mistake(
                    Diagnostic::error(code::SYNTAX_LONE_EQUALS, "an equals sign stands without a property name before it")
                        .label(Span::new(start, end), "leave it out")
                        .help("a word and its value are separated by a blank, as `block-size \"4KiB\"`; `name=value` modifies a word"),
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
            let written = super::words::shortened(&self.reader.text[start..key_end]);
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
                .help(format!("write {key}={annotation}\u{2026}")),
        );
        self.reader.at += 1;
        self.reader.blanks(self.scan);
        self.property_value(before)
    }

    fn annotation_before_nothing(&mut self, start: usize) {
        let end = self.reader.text[..self.reader.at].trim_end().len().max(start + 1);
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_ANNOTATION, "an annotation stands before nothing")
                .label(Span::new(start, end), "belongs right before a value or a node's name"),
        );
    }

    /// `(word)`.
    fn annotation(&mut self) {
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
    fn string(&mut self) -> bool {
        let hashes = self.reader.raw_string_hashes();
        if hashes.is_none() && self.reader.peek() != Some('"') {
            return false;
        }
        self.reader.string(hashes.unwrap_or(0), self.scan);
        true
    }

    /// Over a word without quotes. `None` where none stands here.
    fn word(&mut self) -> Option<Word> {
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
            let remedy = if hashes.is_empty() { format!("#{string}#") } else { string.to_string() };
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_RAW_STRING, "a raw string is written without `r`")
                    .label(Span::new(start, start + 1), "leave it out")
                    .help(format!("write {}", super::words::shortened(&remedy))),
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
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_BRACKETS, "square brackets have no meaning")
                .label(Span::new(start, self.reader.at), "a list is several values with blanks between them")
                .help(format!("write `{}`", super::words::shortened(&values.join(" ")))),
        );
    }

    fn comma(&mut self, at: usize) {
        self.comma_end = at + 1;
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_COMMA, "a comma stands behind a value")
                .label(Span::new(at, at + 1), "leave it out")
                .help("values are separated by blanks"),
        );
    }

    /// Over a `# comment`, which KDL does not have. False where none stands here.
    fn hash_comment(&mut self) -> bool {
        let Some(after) = self.reader.rest().strip_prefix('#') else { return false };
        if !after.chars().next().is_none_or(|c| is_blank(c) || is_newline(c)) {
            return false;
        }
        let start = self.reader.at;
        self.reader.at = self.reader.line_end();
        self.scan.mistake(
            Diagnostic::error(code::SYNTAX_HASH_COMMENT, "`#` begins no comment")
                .label(Span::new(start, start + 1), "write `//`"),
        );
        true
    }

    /// Reports what stands too close. True where it was a comma, which is gone over.
    fn missing_blank(&mut self, at: usize) -> bool {
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
                Diagnostic::error(code::SYNTAX_MISSING_BLANK, "two things stand together without a blank between them")
                    .label(Span::new(at, at + c.len_utf8()), "needs a blank before it"),
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
            self.scan.mistake(
                Diagnostic::error(code::SYNTAX_STRAY_BRACE, "a brace closes nothing")
                    .label(Span::new(brace, brace + 1), "every block is closed already"),
            );
            return None;
        };
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
                Diagnostic::error(code::SYNTAX_AFTER_CHILDREN, "something follows the children of a node on its line")
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
