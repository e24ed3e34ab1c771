//! The documents that are open, as the editor has them.

use std::collections::HashMap;

use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::diag::Diagnostic;
use crate::lang::BYTES_AT_MOST;
use crate::plan::Loader;
use crate::text::SourceFile;

use super::files::path_of;
use super::findings;
use super::outline::Outline;
use super::position::{Encoding, Lines};
use super::scope::included_in;

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    /// Counted by the editor.
    pub(super) version: i32,
    /// Its text under the name of its address.
    pub(super) source: SourceFile,
    /// Its lines.
    pub(super) lines: Lines,
    /// Its nodes.
    pub(super) outline: Outline,
    /// What is wrong with it; `None` until somebody asks.
    found: Option<Vec<Diagnostic>>,
    /// True until its diagnostics have been published.
    pub(super) is_new: bool,
}

impl Document {
    fn new(uri: &Uri, version: i32, text: String, encoding: Encoding) -> Self {
        let lines = Lines::of(&text, encoding);
        // What is larger than a plan is refused as a whole; nobody needs its nodes.
        let outline = if text.len() > BYTES_AT_MOST { Outline::default() } else { Outline::of(&text) };
        let source = SourceFile::new(uri.0.as_str(), text);
        Self { version, source, lines, outline, found: None, is_new: true }
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        self.source.text()
    }

    /// What is wrong with it, looked for once; `loader` has what it includes.
    pub(super) fn found(&mut self, loader: &dyn Loader) -> &[Diagnostic] {
        self.found.get_or_insert_with(|| findings::found_in(&self.source, loader))
    }
}

/// All open documents.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: HashMap<Uri, Document>,
    /// What was agreed on for places.
    pub(super) encoding: Encoding,
}

impl Documents {
    /// A document that is open.
    pub(super) fn get(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    /// Takes a document in, in the place of an open one of the same address.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let document = Document::new(&uri, version, text, self.encoding);
        self.open.insert(uri, document);
    }

    /// Changes a document, one change after the other. What is not open, or older than what is here, is left alone.
    pub(super) fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(document) = self.open.get(uri).filter(|document| version >= document.version) else { return };
        let mut text = document.text().to_string();
        let mut lines = document.lines.clone();
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let span = lines.span(&text, part.range);
                    text.replace_range(span.start..span.end, &part.text);
                }
            }
            lines = Lines::of(&text, self.encoding);
        }
        self.open.insert(uri.clone(), Document::new(uri, version, text, self.encoding));
    }

    /// The texts of the open files by their paths.
    pub(super) fn texts(&self) -> HashMap<String, String> {
        let text = |(uri, document): (&Uri, &Document)| Some((path_of(uri)?, document.text().to_string()));
        self.open.iter().filter_map(text).collect()
    }

    /// True where another open document includes the one at this address.
    pub(super) fn is_included(&self, uri: &Uri) -> bool {
        let Some(path) = path_of(uri) else { return false };
        self.open.iter().any(|(other, document)| {
            let folder = path_of(other).and_then(|other| other.rsplit_once('/').map(|(folder, _)| folder.to_string()));
            let beside = folder.and_then(|folder| path.strip_prefix(&format!("{folder}/")).map(String::from));
            beside.is_some_and(|beside| included_in(&document.outline, "").contains(&beside))
        })
    }

    /// Has everything that includes other files looked at again, since one of them may have changed, and everything that is
    /// included told again.
    pub(super) fn renew_including(&mut self) {
        let included: Vec<Uri> = self.open.keys().filter(|uri| self.is_included(uri)).cloned().collect();
        for (uri, document) in &mut self.open {
            if !included_in(&document.outline, "").is_empty() {
                (document.found, document.is_new) = (None, true);
            }
            document.is_new |= included.contains(uri);
        }
    }

    /// Lets a document go; true where it was open.
    pub(super) fn close(&mut self, uri: &Uri) -> bool {
        self.open.remove(uri).is_some()
    }

    /// The documents whose diagnostics have not been published yet, in the order of their addresses.
    pub(super) fn new_ones(&self) -> Vec<Uri> {
        let new = self.open.iter().filter(|(_, document)| document.is_new);
        let mut new: Vec<Uri> = new.map(|(uri, _)| uri.clone()).collect();
        new.sort_by(|a, b| a.0.cmp(&b.0));
        new
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{Position, Range, TextDocumentContentChangePartial, TextDocumentContentChangeWholeDocument};

    use super::*;

    fn part(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        #[allow(deprecated)]
        TextDocumentContentChangePartial { range, range_length: None, text: text.into() }.into()
    }

    #[test]
    fn changes_are_made_one_after_the_other() {
        let mut documents = Documents::default();
        let uri = Uri::from("file:///p.kdl");
        documents.open(uri.clone(), 1, "a \u{1f600} 1\nb 2\n".into());
        // The second change counts in the text that the first one leaves.
        documents.change(
            &uri,
            2,
            vec![part((0, 2), (0, 4), "x\ny"), part((1, 0), (1, 1), "\u{1f600}z"), part((1, 3), (1, 3), "!")],
        );
        let document = documents.get(&uri).expect("is open");
        assert_eq!((document.text(), document.version), ("a x\n\u{1f600}z! 1\nb 2\n", 2));
        let whole = TextDocumentContentChangeWholeDocument { text: "c 3".into() };
        documents.change(&uri, 3, vec![whole.into(), part((0, 0), (9, 9), "d")]);
        assert_eq!(documents.get(&uri).map(|document| document.text().to_string()).as_deref(), Some("d"));
    }

    #[test]
    fn what_is_older_or_not_open_is_left_alone() {
        let mut documents = Documents::default();
        let uri = Uri::from("file:///p.kdl");
        documents.change(&uri, 1, vec![part((0, 0), (0, 0), "x")]);
        assert!(documents.get(&uri).is_none() && !documents.close(&uri));
        documents.open(uri.clone(), 5, "a".into());
        documents.change(&uri, 4, vec![part((0, 0), (0, 0), "x")]);
        assert_eq!(documents.get(&uri).map(|document| document.text().to_string()).as_deref(), Some("a"));
        assert!(documents.close(&uri));
    }
}
