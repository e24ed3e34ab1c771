//! Includes: the definitions of other files in the place of every `include`, before parameters are replaced.
//!
//! Must do no I/O: a [`Loader`] is handed in. Nothing is taken from outside of the folder of the plan's own file.

mod loader;
mod path;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::diag::{Diagnostic, Diagnostics, Severity, code};
use crate::lang::{self, Document, Literal, Node, NodeCursor};
use crate::text::{Span, Spanned};

use super::limits;
use super::names::{self, Place};
use super::texts::Texts;
use super::vocabulary::Words;

pub use loader::{Loader, NoFiles, NotLoaded};

/// The path behind an `include` in the file at `including`, both relative to the plan's folder (empty for the plan's own
/// file). `None` where it names no file, or one outside of that folder.
pub fn included_path(including: &str, written: &str) -> Option<String> {
    path::below(path::folder(including), written).ok()
}

/// What an included file may hold.
const DEFINITIONS: &[&str] = &["workload", "procedure", "param", "test", "include"];

/// Puts the nodes of included files in the place of every `include`. False where something could not be read, which has
/// been reported: what is missing then says nothing.
pub(super) fn put_in(
    document: &mut Document,
    loader: &dyn Loader,
    texts: &mut Texts,
    diagnostics: &mut Diagnostics,
) -> bool {
    if document.nodes.iter().all(|node| node.name() != "include") {
        return true;
    }
    let mut including = Including {
        loader,
        texts,
        diagnostics,
        found: HashMap::new(),
        taken: HashSet::new(),
        bytes: 0,
        words: 0,
        is_complete: true,
        is_full: false,
    };
    let own = Open { path: String::new(), real_path: loader.own(), include: None };
    let nodes = std::mem::take(&mut document.nodes);
    document.nodes = including.nodes(nodes, &mut vec![own]);
    including.is_complete
}

/// A file whose nodes are being put in.
struct Open {
    /// Relative to the plan's folder, as the includes spell it; empty for the plan's own.
    path: String,
    real_path: Option<String>,
    /// The path behind the `include` that led to it; none for the plan's own.
    include: Option<Span>,
}

/// The work of [`put_in`] on one plan.
struct Including<'p> {
    loader: &'p dyn Loader,
    texts: &'p mut Texts,
    diagnostics: &'p mut Diagnostics,
    /// The real paths of those that have been looked for.
    found: HashMap<String, Result<String, NotLoaded>>,
    /// The real paths of those that have been taken.
    taken: HashSet<String>,
    /// So many have been read.
    bytes: usize,
    /// So many nodes, values and properties have been read.
    words: usize,
    is_complete: bool,
    /// Some bound has been reached, which is said once.
    is_full: bool,
}

impl Including<'_> {
    /// The nodes of the file that was opened last, with those of the files that it includes.
    fn nodes(&mut self, nodes: Vec<Node>, open: &mut Vec<Open>) -> Vec<Node> {
        let mut all = Vec::new();
        for node in nodes {
            if node.name() == "include" {
                match self.included(&node, open) {
                    // The node stays, as the place where the file came from.
                    Ok(nodes) => all.extend(std::iter::once(node).chain(nodes)),
                    Err(refused) => {
                        self.is_complete = false;
                        if let Some(refused) = *refused {
                            self.diagnostics.push(refused);
                        }
                    }
                }
                continue;
            }
            // A word that nobody knows is reported where the words are read.
            let is_known = names::at(node.name(), Place::Top).is_some();
            if open.len() > 1 && is_known && !DEFINITIONS.contains(&node.name()) {
                self.diagnostics.push(no_definition(&node));
                continue;
            }
            all.push(node);
        }
        all
    }

    /// The nodes that one `include` stands for; none where its file has been taken before.
    fn included(&mut self, node: &Node, open: &mut Vec<Open>) -> Result<Vec<Node>, Refused> {
        let written = self.path(node).filter(|_| !self.is_full).ok_or_else(|| Box::new(None))?;
        let folder = open.last().map_or("", |file| path::folder(&file.path));
        let path = path::below(folder, &written.value).map_err(|fault| refused(fault.said(&written)))?;
        let known = self.found.entry(path.clone()).or_insert_with(|| self.loader.find(&path)).clone();
        let real_path = known.map_err(|reason| refused(not_loaded(&written, &reason)))?;
        if let Some(first) = open.iter().position(|file| file.real_path.as_ref() == Some(&real_path)) {
            return Err(refused(cycle(&written, &open[first..])));
        }
        if self.taken.contains(&real_path) {
            return Ok(Vec::new());
        }
        if open.len() > limits::INCLUDE_DEPTH {
            let most = format!("files include each other more than {} deep", limits::INCLUDE_DEPTH);
            return Err(self.full(too_much(most, &written, "this one is too deep")));
        }
        if self.taken.len() >= limits::INCLUDED_FILES {
            let most = format!("the plan includes more than {} files", limits::INCLUDED_FILES);
            return Err(self.full(too_much(most, &written, "this one is too many")));
        }
        self.taken.insert(real_path.clone());
        let document = self.document(&path, &real_path, &written)?;
        self.words += document.nodes.iter().map(words).sum::<usize>();
        if self.words > limits::INCLUDED_WORDS {
            let most =
                "the files that the plan includes have more than 100,000 nodes, values and properties".to_string();
            return Err(self.full(too_much(most, &written, "too much, with those before it")));
        }
        let start = self.texts.include(&document.source, written.span, &path);
        let mut nodes = document.nodes;
        nodes.iter_mut().for_each(|node| move_node(node, start));
        self.push_moved(document.remarks, start);
        open.push(Open { path, real_path: Some(real_path), include: Some(written.span) });
        let nodes = self.nodes(nodes, open);
        open.pop();
        Ok(nodes)
    }

    fn full(&mut self, diagnostic: Diagnostic) -> Refused {
        self.is_full = true;
        refused(diagnostic)
    }

    /// The text behind `include`, which says itself what it is.
    fn path(&mut self, node: &Node) -> Option<Spanned<String>> {
        let mut cursor = NodeCursor::new(node);
        let literal = cursor.need_argument("the path of a file", self.diagnostics);
        cursor.finish(&Words::of("include", Place::Top), self.diagnostics);
        let annotation = literal.and_then(|literal| literal.annotation.as_ref()).or(node.annotation.as_ref());
        if let Some(annotation) = annotation {
            self.diagnostics.push(
                Diagnostic::error(code::NAME_MISPLACED, "an annotation has no meaning at `include`")
                    .label(annotation.span, "does not reach into the file")
                    .help("annotate the nodes and values in the included file"),
            );
        }
        let literal = literal?;
        let text = literal.read_text("the path of a file", self.diagnostics)?;
        if literal.parameter().is_some() {
            self.diagnostics.push(names_itself(literal));
            return None;
        }
        Some(text.map(|text| text.to_string()))
    }

    fn document(&mut self, path: &str, real_path: &str, written: &Spanned<String>) -> Result<Document, Refused> {
        let room = limits::INCLUDED_BYTES.saturating_sub(self.bytes);
        let bytes = self.loader.read(real_path, room).map_err(|reason| refused(not_loaded(written, &reason)))?;
        if bytes.len() > room {
            let most = format!("the files that the plan includes have more than {} bytes", limits::INCLUDED_BYTES);
            return Err(self.full(too_much(most, written, "too large, with those before it")));
        }
        self.bytes += bytes.len();
        let name = self.loader.name(path);
        let source = lang::decode(&name, &bytes).map_err(|found| {
            let reason = NotLoaded::Because("it is no text".into());
            let diagnostic = not_loaded(written, &reason);
            refused(found.all().iter().cloned().fold(diagnostic, Diagnostic::related))
        })?;
        lang::read(&source).map_err(|found| {
            let start = self.texts.include(&source, written.span, path);
            self.push_moved(found, start);
            Box::new(None)
        })
    }

    /// Adds what was found in one text, with the places that it has among all texts.
    fn push_moved(&mut self, found: Diagnostics, start: usize) {
        let errors = found.all().iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        self.diagnostics.count_unlisted(found.count(Severity::Error) - errors);
        for diagnostic in found.all() {
            let mut moved = diagnostic.clone();
            moved.source = None;
            moved.labels.iter_mut().for_each(|label| move_span(&mut label.span, start));
            let edits = moved.remedies.iter_mut().flat_map(|remedy| &mut remedy.edits);
            edits.for_each(|(span, _)| move_span(span, start));
            self.diagnostics.push(moved);
        }
    }
}

/// Why nothing comes of an `include`; without a diagnostic where it has been pushed.
type Refused = Box<Option<Diagnostic>>;

fn refused(diagnostic: Diagnostic) -> Refused {
    Box::new(Some(diagnostic))
}

fn move_span(span: &mut Span, by: usize) {
    *span = Span::new(span.start + by, span.end + by);
}

fn move_node(node: &mut Node, by: usize) {
    let move_literal = |literal: &mut Literal| {
        literal.annotation.iter_mut().for_each(|annotation| move_span(&mut annotation.span, by));
        move_span(&mut literal.span, by);
    };
    node.annotation.iter_mut().for_each(|annotation| move_span(&mut annotation.span, by));
    move_span(&mut node.name.span, by);
    move_span(&mut node.span, by);
    node.arguments.iter_mut().for_each(move_literal);
    for property in &mut node.properties {
        move_span(&mut property.key.span, by);
        move_literal(&mut property.value);
    }
    node.children.iter_mut().flatten().for_each(|child| move_node(child, by));
}

/// The nodes, values and properties of a node. The reader bounds how deep children stand.
fn words(node: &Node) -> usize {
    let own = 1 + node.arguments.len() + node.properties.len();
    own + node.children().iter().map(words).sum::<usize>()
}

fn no_definition(node: &Node) -> Diagnostic {
    Diagnostic::error(code::INCLUDE_NO_DEFINITION, format!("`{}` cannot stand in an included file", node.name()))
        .label(node.head(), "is no definition")
        .help("move it to the plan; an included file holds `workload`, `procedure`, `param`, `test` and `include`")
}

fn names_itself(literal: &Literal) -> Diagnostic {
    Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{} is no path", literal.written))
        .label(literal.span, "parameters may be defined in the file itself")
        .help("write the path of the file")
}

fn not_loaded(written: &Spanned<String>, reason: &NotLoaded) -> Diagnostic {
    match reason {
        NotLoaded::Outside => path::Fault::Outside.said(written),
        NotLoaded::Because(reason) => {
            Diagnostic::error(code::INCLUDE_NOT_READ, format!("{:?} cannot be included", written.value))
                .label(written.span, reason.clone())
                .help("a path is relative to the file that the `include` stands in")
        }
    }
}

fn too_much(message: String, written: &Spanned<String>, label: &str) -> Diagnostic {
    Diagnostic::error(code::INCLUDE_TOO_MUCH, message)
        .label(written.span, label)
        .help("put the definitions of several files into one, or leave out what the plan does not use")
}

/// `circle` begins with the file that is included again.
fn cycle(written: &Spanned<String>, circle: &[Open]) -> Diagnostic {
    let message = match circle {
        [_] => format!("{:?} includes itself", written.value),
        _ => format!("{:?} is included by what it includes itself", written.value),
    };
    let diagnostic = Diagnostic::error(code::INCLUDE_CYCLE, message).label(written.span, "leads back");
    let ways = circle.iter().skip(1).filter_map(|file| Some((file.include?, &file.path)));
    ways.fold(diagnostic, |diagnostic, (span, path)| diagnostic.also(span, format!("leads to {path:?}")))
        .help("take one of these includes out; each file is taken once, whoever includes it")
}
