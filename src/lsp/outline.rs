//! The nodes of a text as good as they can be told, also where it is no KDL: what stands there while somebody types.

use crate::lang::{Token, TokenKind, tokens};
use crate::text::Span;

/// A word or string as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// What it reads, without quotes. Escapes stay as they are written.
    pub(super) text: String,
    /// With its quotes.
    pub(super) span: Span,
    /// The word in parentheses before it.
    pub(super) annotation: Option<String>,
    /// True where it stands in quotes, be they closed or not.
    pub(super) is_quoted: bool,
}

impl Word {
    fn new(token: &Token<'_>, start: usize) -> Self {
        let (before, content) = unquoted(token.text);
        let is_quoted = before > 0;
        Self {
            text: content.to_string(),
            span: Span::new(start, start + token.text.len()),
            annotation: None,
            is_quoted,
        }
    }

    /// The name of the parameter that it stands for, as `$name`.
    pub(super) fn parameter(&self) -> Option<&str> {
        self.text.strip_prefix('$').filter(|name| !name.is_empty())
    }

    /// The place of what it reads, without quotes.
    pub(super) fn content(&self, text: &str) -> Span {
        let written = text.get(self.span.start..self.span.end).unwrap_or_default();
        let (before, content) = unquoted(written);
        Span::new(self.span.start + before, self.span.start + before + content.len())
    }
}

/// How many bytes the opening quotes take, and what stands behind them up to the closing ones.
fn unquoted(written: &str) -> (usize, &str) {
    let hashes = written.len() - written.trim_start_matches('#').len();
    let Some(inside) = written[hashes..].strip_prefix('"') else { return (0, written) };
    let closing = format!("\"{}", &written[..hashes]);
    (hashes + 1, inside.strip_suffix(closing.as_str()).unwrap_or(inside))
}

/// One `key=value`; the value is absent while it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    /// The key.
    pub(super) key: Word,
    /// The value.
    pub(super) value: Option<Word>,
}

/// A node, with its place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// The node around it.
    pub(super) parent: Option<usize>,
    /// Its name.
    pub(super) name: Word,
    /// Values without a key.
    pub(super) arguments: Vec<Word>,
    /// Values with a key.
    pub(super) properties: Vec<Property>,
    /// The braces around its children; the closing one is absent where the text ends first.
    pub(super) braces: Option<(usize, Option<usize>)>,
    /// True where `/-` drops it.
    pub(super) is_dropped: bool,
    /// From its name to its last value or closing brace.
    pub(super) span: Span,
}

impl Node {
    /// What it is called, if its first value is a name.
    pub(super) fn label(&self) -> Option<&Word> {
        self.arguments.first()
    }

    /// The value of a property.
    pub(super) fn property(&self, key: &str) -> Option<&Word> {
        self.properties.iter().find(|property| property.key.text == key)?.value.as_ref()
    }
}

/// All nodes of a text, a node before its children.
#[derive(Debug, Clone, Default)]
pub(super) struct Outline {
    /// The nodes.
    pub(super) nodes: Vec<Node>,
    /// The comments.
    pub(super) comments: Vec<Span>,
}

/// What is being written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Writing {
    /// A node's name.
    Name,
    /// A value or property of this node.
    Entry(usize),
    /// The value of this property of this node.
    Value(usize, String),
    /// A word in parentheses.
    Annotation,
    /// Nothing that means anything: a comment, or behind a closed string.
    Nothing,
}

/// A place in a text that is being written.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    /// The nodes that end before the place, and those that it stands in.
    pub(super) outline: Outline,
    /// The nodes whose braces are open around it, from the outside in.
    pub(super) around: Vec<usize>,
    /// What is being written.
    pub(super) writing: Writing,
    /// The word that has been begun, whole.
    pub(super) word: Option<Word>,
}

impl Outline {
    /// Of this text.
    pub(super) fn of(text: &str) -> Self {
        let mut builder = Builder::default();
        for (token, start) in placed(text) {
            builder.take(&token, start);
        }
        builder.end(text.len());
        builder.outline
    }

    /// The nodes around a node, from the outside in, without it.
    pub(super) fn around(&self, node: usize) -> Vec<usize> {
        let mut around = Vec::new();
        let mut at = self.nodes.get(node).and_then(|node| node.parent);
        while let Some(parent) = at {
            around.push(parent);
            at = self.nodes[parent].parent;
        }
        around.reverse();
        around
    }

    /// The children of a node, or of the top level, that are not dropped.
    pub(super) fn children(&self, parent: Option<usize>) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.parent == parent && !node.is_dropped)
    }

    /// Adds the nodes of a text that stands behind this one, from `start` on.
    pub(super) fn append(&mut self, other: Outline, start: usize) {
        let first = self.nodes.len();
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
        for mut node in other.nodes {
            node.parent = node.parent.map(|parent| parent + first);
            node.span = moved(node.span);
            node.braces = node.braces.map(|(open, close)| (open + start, close.map(|close| close + start)));
            let properties = node.properties.iter_mut();
            let words = properties.flat_map(|property| std::iter::once(&mut property.key).chain(&mut property.value));
            words.chain(&mut node.arguments).chain([&mut node.name]).for_each(|word| word.span = moved(word.span));
            self.nodes.push(node);
        }
    }

    /// True where the node or one around it is dropped.
    pub(super) fn is_dropped(&self, node: usize) -> bool {
        self.nodes[node].is_dropped || self.around(node).into_iter().any(|outer| self.nodes[outer].is_dropped)
    }
}

impl Cursor {
    /// What is being written at a byte of a text.
    pub(super) fn at(text: &str, offset: usize) -> Self {
        let mut builder = Builder::default();
        let mut word = None;
        let mut nothing = false;
        for (token, start) in placed(text) {
            let end = start + token.text.len();
            if start >= offset {
                break;
            }
            if end >= offset {
                match token.kind {
                    TokenKind::Word => {
                        let written = Word::new(&token, start);
                        let content = written.content(text);
                        nothing = written.is_quoted && !(content.start..=content.end).contains(&offset);
                        word = Some(written);
                        break;
                    }
                    // The newline behind a line comment does not end here, so a place at its end is in it.
                    TokenKind::LineComment => nothing = true,
                    TokenKind::BlockComment => nothing = end > offset,
                    _ => {}
                }
            }
            builder.take(&token, start);
        }
        let writing = if nothing { Writing::Nothing } else { builder.writing() };
        Self { around: builder.open.clone(), outline: builder.outline, writing, word }
    }
}

/// The tokens of a text with their starts.
fn placed(text: &str) -> impl Iterator<Item = (Token<'_>, usize)> {
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    tokens(text).into_iter().map(move |token| {
        let start = at + token.blanks.len();
        at = start + token.text.len();
        (token, start)
    })
}

#[derive(Debug, Default)]
struct Builder {
    outline: Outline,
    /// Nodes with open braces.
    open: Vec<usize>,
    /// The node whose values are being read.
    current: Option<usize>,
    /// The value of its last property is still to come.
    wants_value: bool,
    /// The last value of it can still turn out to be a key.
    may_be_key: bool,
    in_annotation: bool,
    annotation: Option<String>,
    /// `/-` stands before what comes next.
    drops: bool,
    /// A backslash takes the next line end away.
    continues: bool,
}

impl Builder {
    fn take(&mut self, token: &Token<'_>, start: usize) {
        let end = start + token.text.len();
        match token.kind {
            TokenKind::LineComment | TokenKind::BlockComment => self.outline.comments.push(Span::new(start, end)),
            TokenKind::Continuation => self.continues = true,
            TokenKind::Newline if self.continues => self.continues = false,
            TokenKind::Newline => self.finish(),
            TokenKind::Slashdash => self.drops = true,
            TokenKind::Sign('(') => (self.in_annotation, self.annotation) = (true, None),
            TokenKind::Sign(')') => self.in_annotation = false,
            TokenKind::Sign(';') => self.finish(),
            TokenKind::Sign('{') => self.open(start),
            TokenKind::Sign('}') => self.close(end),
            TokenKind::Sign(_) => self.equals(end),
            TokenKind::Word if self.in_annotation => self.annotation = Some(Word::new(token, start).text),
            TokenKind::Word => {
                let annotation = self.annotation.take();
                self.word(Word { annotation, ..Word::new(token, start) });
            }
        }
    }

    fn word(&mut self, word: Word) {
        let end = word.span.end;
        let drops = std::mem::take(&mut self.drops);
        let Some(node) = self.current.and_then(|current| self.outline.nodes.get_mut(current)) else {
            self.add(word, drops);
            return;
        };
        node.span.end = end;
        if self.wants_value {
            if let Some(property) = node.properties.last_mut() {
                property.value = Some(word);
            }
            (self.wants_value, self.may_be_key) = (false, false);
        } else if drops {
            self.may_be_key = false;
        } else {
            node.arguments.push(word);
            self.may_be_key = true;
        }
    }

    fn add(&mut self, name: Word, is_dropped: bool) {
        let span = name.span;
        self.current = Some(self.outline.nodes.len());
        (self.wants_value, self.may_be_key) = (false, false);
        self.outline.nodes.push(Node {
            parent: self.open.last().copied(),
            name,
            arguments: Vec::new(),
            properties: Vec::new(),
            braces: None,
            is_dropped,
            span,
        });
    }

    fn equals(&mut self, end: usize) {
        let Some(node) = self.current.and_then(|current| self.outline.nodes.get_mut(current)) else { return };
        if self.may_be_key
            && let Some(key) = node.arguments.pop()
        {
            node.properties.push(Property { key, value: None });
            node.span.end = end;
            (self.wants_value, self.may_be_key) = (true, false);
        }
    }

    fn open(&mut self, brace: usize) {
        let drops = std::mem::take(&mut self.drops);
        if self.current.is_none() {
            let nameless =
                Word { text: String::new(), span: Span::new(brace, brace), annotation: None, is_quoted: false };
            self.add(nameless, drops);
        }
        if let Some(current) = self.current {
            let node = &mut self.outline.nodes[current];
            node.braces = Some((brace, None));
            node.span.end = brace + 1;
            self.open.push(current);
        }
        self.finish();
    }

    fn close(&mut self, end: usize) {
        self.finish();
        if let Some(node) = self.open.pop().and_then(|open| self.outline.nodes.get_mut(open)) {
            node.span.end = end;
            if let Some((_, closing)) = &mut node.braces {
                *closing = Some(end - 1);
            }
        }
    }

    fn finish(&mut self) {
        self.current = None;
        (self.wants_value, self.may_be_key, self.in_annotation) = (false, false, false);
        (self.annotation, self.drops, self.continues) = (None, false, false);
    }

    /// The end of the text closes what is open.
    fn end(&mut self, at: usize) {
        for open in &self.open {
            self.outline.nodes[*open].span.end = at;
        }
    }

    fn writing(&self) -> Writing {
        match self.current {
            _ if self.in_annotation => Writing::Annotation,
            None => Writing::Name,
            Some(node) if self.wants_value => {
                let key = self.outline.nodes[node].properties.last().map(|property| property.key.text.clone());
                Writing::Value(node, key.unwrap_or_default())
            }
            Some(node) => Writing::Entry(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(outline: &Outline) -> Vec<String> {
        let name = |index: usize| {
            let path: Vec<&str> = outline
                .around(index)
                .into_iter()
                .chain([index])
                .map(|node| outline.nodes[node].name.text.as_str())
                .collect();
            path.join("/")
        };
        (0..outline.nodes.len()).map(name).collect()
    }

    #[test]
    fn a_sound_text_is_read_as_it_is() {
        let text = "a (published)\"x y\" k=(chosen)1 { /- b 1; c \\\n 2 // note\n}\nd /-3 4\n/-e { f; }";
        let outline = Outline::of(text);
        assert_eq!(names(&outline), ["a", "a/b", "a/c", "d", "e", "e/f"]);
        let a = &outline.nodes[0];
        assert_eq!(a.arguments[0].text, "x y");
        assert_eq!(a.arguments[0].annotation.as_deref(), Some("published"));
        assert_eq!(a.property("k").map(|word| word.text.as_str()), Some("1"));
        assert_eq!(&text[a.span.start..a.span.end], text.split("\nd").next().expect("a part"));
        assert!(outline.nodes[1].is_dropped && outline.is_dropped(5) && !outline.is_dropped(2));
        assert_eq!(outline.nodes[2].arguments.len(), 1);
        assert_eq!(outline.nodes[3].arguments.len(), 1);
        assert_eq!(outline.comments.len(), 1);
    }

    #[test]
    fn a_broken_text_keeps_what_stands_before_and_behind() {
        let outline = Outline::of(
            "test \"t\" {\n  measure \"w {\n    threads 4\n    block-size \"4\n  }\n  fill passes= \n}\nb 1",
        );
        assert_eq!(
            names(&outline),
            ["test", "test/measure", "test/measure/threads", "test/measure/block-size", "test/fill", "b"]
        );
        assert_eq!(outline.nodes[3].arguments[0].text, "4");
        assert_eq!(outline.nodes[4].properties[0].value, None);
    }

    fn writing(text: &str) -> (Writing, Vec<String>, Option<String>) {
        let offset = text.find('|').expect("a mark");
        let text = text.replacen('|', "", 1);
        let cursor = Cursor::at(&text, offset);
        let around = cursor.around.iter().map(|node| cursor.outline.nodes[*node].name.text.clone()).collect();
        (cursor.writing, around, cursor.word.map(|word| word.text))
    }

    #[test]
    fn what_is_being_written_is_known_in_the_middle_of_it() {
        let entry = Writing::Entry;
        for (text, wanted, around, word) in [
            ("|", Writing::Name, &[][..], None),
            ("wor|", Writing::Name, &[], Some("wor")),
            ("test \"t\" { mea| }", Writing::Name, &["test"], Some("mea")),
            ("test \"t\" {\n measure \"w|\n}", entry(1), &["test"], Some("w")),
            ("test \"t\" { measure |", entry(1), &["test"], None),
            ("a { b 1; | }", Writing::Name, &["a"], None),
            ("a x=|", Writing::Value(0, "x".into()), &[], None),
            ("a x=\"|\"", Writing::Value(0, "x".into()), &[], Some("")),
            ("a x|", entry(0), &[], Some("x")),
            ("a (pub|", Writing::Annotation, &[], Some("pub")),
            ("(|", Writing::Annotation, &[], None),
            ("a \"b\"|", Writing::Nothing, &[], Some("b")),
            ("a // b|", Writing::Nothing, &[], None),
            ("a // b\n|", Writing::Name, &[], None),
            ("a /* | */", Writing::Nothing, &[], None),
            ("a \\\n |", entry(0), &[], None),
            ("a { b { c } |", Writing::Name, &["a"], None),
        ] {
            let around: Vec<String> = around.iter().map(ToString::to_string).collect();
            assert_eq!(writing(text), (wanted, around, word.map(String::from)), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_is_too_odd(text in "[ab \"#{}()=;/*\\\\$\\r\\n\u{1f600}-]{0,40}") {
            let outline = Outline::of(&text);
            for node in &outline.nodes {
                prop_assert!(text.get(node.span.start..node.span.end).is_some(), "{node:?}");
            }
            for offset in 0..=text.len() {
                Cursor::at(&text, offset);
            }
        }
    }
}
