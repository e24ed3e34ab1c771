//! A document with the files that it includes, laid end to end: what names in it can stand for.

use gen_lsp_types::{Location, Range, Uri};

use crate::plan::{self, Loader};
use crate::text::Span;

use super::documents::Document;
use super::files::uri_of;
use super::names::entry_of;
use super::outline::{Cursor, Outline};
use super::position::{Encoding, Lines};

/// The word that takes other files in.
const INCLUDE: &str = "include";

/// The text of a document and behind it those of the included files, with the nodes of all of them.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) text: String,
    pub(super) outline: Outline,
    /// How many bytes are the document's own.
    own: usize,
    /// The included files: where each begins, and what it is.
    files: Vec<(usize, Uri, Lines)>,
}

impl Scope {
    /// Of a document and what it includes. What cannot be read is left out, which the diagnostics tell.
    pub(super) fn of(document: &Document, loader: &dyn Loader, encoding: Encoding) -> Self {
        let text = document.text().to_string();
        let own = text.len();
        let mut scope = Self { text, outline: document.outline.clone(), own, files: Vec::new() };
        let mut taken: Vec<String> = Vec::new();
        // The paths still to be looked at.
        let mut wanted = included_in(&document.outline, "");
        wanted.reverse();
        while let Some(path) = wanted.pop() {
            let Ok(real_path) = loader.find(&path) else { continue };
            if taken.contains(&real_path) || taken.len() >= plan::limits::INCLUDED_FILES {
                continue;
            }
            let Ok(bytes) = loader.read(&real_path, plan::limits::INCLUDED_BYTES) else { continue };
            taken.push(real_path);
            let Ok(text) = String::from_utf8(bytes) else { continue };
            if scope.text.len() + text.len() > plan::limits::INCLUDED_BYTES {
                continue;
            }
            let outline = Outline::of(&text);
            let mut further = included_in(&outline, &path);
            further.reverse();
            wanted.extend(further);
            scope.text.push('\n');
            let start = scope.text.len();
            scope.files.push((start, uri_of(&loader.name(&path)), Lines::of(&text, encoding)));
            scope.text.push_str(&text);
            scope.outline.append(outline, start);
        }
        scope
    }

    /// Of a text that includes nothing.
    #[cfg(test)]
    pub(super) fn alone(text: &str) -> Self {
        Self { text: text.into(), outline: Outline::of(text), own: text.len(), files: Vec::new() }
    }

    /// What is being written at a byte of the document.
    pub(super) fn cursor(&self, offset: usize) -> Cursor {
        let mut cursor = Cursor::at(&self.text[..self.own], offset);
        // The nodes of the other files stand behind all of the document's own, parents before children.
        let first = self.outline.nodes.partition_point(|node| node.name.span.start <= self.own);
        let shift = cursor.outline.nodes.len();
        for node in &self.outline.nodes[first..] {
            let mut node = node.clone();
            node.parent = node.parent.map(|parent| parent - first + shift);
            cursor.outline.nodes.push(node);
        }
        cursor
    }

    /// A place as one of its own file; `uri` and `lines` are those of the document.
    pub(super) fn location(&self, span: Span, uri: &Uri, lines: &Lines) -> Location {
        match self.files.iter().rfind(|(start, ..)| *start <= span.start) {
            None => Location::new(uri.clone(), lines.range(&self.text[..self.own], span)),
            Some((start, uri, lines)) => {
                let end = self.files.iter().map(|(next, ..)| next - 1).find(|next| next > start);
                let text = &self.text[*start..end.unwrap_or(self.text.len())];
                Location::new(uri.clone(), lines.range(text, Span::new(span.start - start, span.end - start)))
            }
        }
    }
}

/// Where a document takes in each of the files that it includes, itself or by another one: the name that diagnostics use,
/// and the path behind the first `include` that leads there.
pub(super) fn ways_in(outline: &Outline, loader: &dyn Loader) -> Vec<(String, Span)> {
    let mut ways: Vec<(String, Span)> = Vec::new();
    for (index, node) in outline.children(None) {
        let Some(word) = node.label().filter(|_| is_include(outline, index)) else { continue };
        let mut wanted: Vec<String> = plan::included_path("", &word.text).into_iter().collect();
        while let Some(path) = wanted.pop() {
            let name = loader.name(&path);
            if ways.iter().any(|(known, _)| *known == name) || ways.len() >= plan::limits::INCLUDED_FILES {
                continue;
            }
            ways.push((name, word.span));
            let Ok(real_path) = loader.find(&path) else { continue };
            let Ok(bytes) = loader.read(&real_path, plan::limits::INCLUDED_BYTES) else { continue };
            let outline = Outline::of(&String::from_utf8_lossy(&bytes));
            wanted.extend(included_in(&outline, &path));
        }
    }
    ways
}

fn is_include(outline: &Outline, node: usize) -> bool {
    outline.nodes[node].name.text == INCLUDE && entry_of(outline, node).is_some()
}

/// The file behind the `include` that stands at a node of a document.
pub(super) fn included_at(outline: &Outline, node: usize, loader: &dyn Loader) -> Option<Location> {
    let word = outline.nodes[node].label().filter(|_| is_include(outline, node))?;
    let path = plan::included_path("", &word.text)?;
    loader.find(&path).ok()?;
    Some(Location::new(uri_of(&loader.name(&path)), Range::default()))
}

/// The paths that the file at `path` includes, relative to the plan's folder.
pub(super) fn included_in(outline: &Outline, path: &str) -> Vec<String> {
    let includes = outline.children(None).filter(|(index, _)| is_include(outline, *index));
    includes.filter_map(|(_, node)| plan::included_path(path, &node.label()?.text)).collect()
}
