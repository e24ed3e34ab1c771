//! Words that this version checks and expands but does not carry out: the table of names says which.

use std::collections::HashSet;

use crate::lang::{Document, Literal, Node, Value};
use crate::text::Span;

use super::model::NotRun;
use super::names::{self, Built, Entry, Place, Word};

/// All such words of a document whose templates have been put in, each where it stands first.
pub(super) fn of(document: &Document) -> Vec<NotRun> {
    let mut found = Finding { all: Vec::new(), seen: HashSet::new(), test: None };
    found.nodes(&document.nodes, Place::Top);
    found.all
}

struct Finding {
    all: Vec<NotRun>,
    /// The words that are known, each with the test that it stands in.
    seen: HashSet<(String, Option<String>)>,
    /// The test that is looked at.
    test: Option<String>,
}

impl Finding {
    fn nodes(&mut self, nodes: &[Node], place: Place) {
        for node in nodes {
            // A word that is not known here has been reported.
            let Some(entry) = names::at(node.name(), place) else { continue };
            if place == Place::Top {
                self.test = (node.name() == "test").then(|| name_of(node)).flatten();
                if node.name() == "procedure" {
                    // What is applied stands where it is applied.
                    continue;
                }
            }
            if entry.built == Built::Checked && !says_the_default(entry, node) {
                self.push(format!("`{}`", entry.name), node.name.span);
            }
            for property in &node.properties {
                if entry.property(&property.key.value).is_some_and(|word| word.built == Built::Checked) {
                    self.push(format!("`{} {}=`", entry.name, property.key.value), property.key.span);
                }
                self.value(entry.name, &property.value, entry.values);
            }
            for literal in &node.arguments {
                self.value(entry.name, literal, entry.values);
            }
            if let Some(inside) = entry.inside {
                self.nodes(node.children(), inside);
            }
        }
    }

    fn value(&mut self, node: &str, literal: &Literal, values: &[Word]) {
        let Value::Text(text) = &literal.value else { return };
        if values.iter().any(|word| word.built == Built::Checked && word.name == &**text) {
            self.push(format!("`{node} \"{text}\"`"), literal.span);
        }
    }

    fn push(&mut self, word: String, span: Span) {
        if self.seen.insert((word.clone(), self.test.clone())) {
            self.all.push(NotRun { word, span, test: self.test.clone() });
        }
    }
}

/// True where a node says in so many words what holds without it, as a plan does that is spelled out.
fn says_the_default(entry: &Entry, node: &Node) -> bool {
    let [literal] = node.arguments.as_slice() else { return false };
    let is_bare = node.properties.is_empty() && node.children().is_empty();
    is_bare && entry.default == format!("{} {}", entry.name, literal.written)
}

fn name_of(node: &Node) -> Option<String> {
    match &node.arguments.first()?.value {
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    }
}
