//! The pieces that a method is written down in: values under names, in a fixed order.

use crate::plan::model::{Given, Provenance, Setting};

use super::value::Said;

/// A part of a method.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// One value.
    Value(Value),
    /// Parts under names. What is not there is not said.
    Record(Vec<(&'static str, Term)>),
    /// Parts in an order.
    List(Vec<Entry>),
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What people call it; not part of the meaning.
    pub label: Option<String>,
    /// What it is.
    pub term: Term,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// What it means, in one spelling: `60000000000ns`.
    pub meaning: String,
    /// As a plan spells it: `1m`.
    pub shown: String,
    /// Its provenance; not part of the meaning.
    pub provenance: Provenance,
    /// True where the tool's default holds; not part of the meaning.
    pub is_default: bool,
    /// True where it names another step or a workload. The meaning is that one's place, what is shown its name.
    pub is_reference: bool,
}

impl Term {
    /// The canonical text: JSON without white space, every value as a string.
    pub fn canonical(&self) -> String {
        match self {
            Term::Value(value) => in_quotes(&value.meaning),
            Term::Record(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|(name, term)| format!("{}:{}", in_quotes(name), term.canonical())).collect();
                format!("{{{}}}", parts.join(","))
            }
            Term::List(entries) => {
                let entries: Vec<String> = entries.iter().map(|entry| entry.term.canonical()).collect();
                format!("[{}]", entries.join(","))
            }
        }
    }

    /// Every value in it with the path to it: names, and in lists labels or numbers from 1.
    pub fn values(&self) -> Vec<(Vec<String>, &Value)> {
        let mut found = Vec::new();
        self.push_values(&mut Vec::new(), &mut found);
        found
    }

    fn push_values<'t>(&'t self, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, &'t Value)>) {
        match self {
            Term::Value(value) => found.push((path.clone(), value)),
            Term::Record(parts) => {
                for (name, term) in parts {
                    path.push((*name).into());
                    term.push_values(path, found);
                    path.pop();
                }
            }
            Term::List(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    let is_only = entries.len() == 1 && matches!(entry.term, Term::Record(_));
                    let name = entry.label.clone().unwrap_or_else(|| (index + 1).to_string());
                    // One alone needs no name: another name for it would be no other value.
                    path.extend((!is_only).then_some(name));
                    entry.term.push_values(path, found);
                    path.truncate(path.len() - usize::from(!is_only));
                }
            }
        }
    }
}

fn in_quotes(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A record that is being filled.
#[derive(Default)]
pub(super) struct Record(Vec<(&'static str, Term)>);

impl Record {
    /// Puts in a part.
    pub(super) fn put(&mut self, name: &'static str, term: Term) {
        self.0.push((name, term));
    }

    /// Puts in a value.
    pub(super) fn given<T: Said>(&mut self, name: &'static str, given: &Given<T>) {
        self.put(name, value(given));
    }

    /// Puts in a value that may be absent.
    pub(super) fn maybe<T: Said>(&mut self, name: &'static str, given: Option<&Given<T>>) {
        if let Some(given) = given {
            self.given(name, given);
        }
    }

    /// Puts in a value, or that an axis or a pick gives it.
    pub(super) fn setting<T: Said>(&mut self, name: &'static str, setting: &Setting<T>) {
        match setting {
            Setting::Fixed(given) => self.given(name, given),
            Setting::Axis => self.put(name, word("axis")),
            Setting::Picked => self.put(name, word("picked")),
        }
    }

    /// Puts in a list, unless there is nothing in it.
    pub(super) fn list(&mut self, name: &'static str, entries: Vec<Entry>) {
        if !entries.is_empty() {
            self.put(name, Term::List(entries));
        }
    }

    /// All of it.
    pub(super) fn done(self) -> Term {
        Term::Record(self.0)
    }
}

/// A value of the plan.
pub(super) fn value<T: Said>(given: &Given<T>) -> Term {
    Term::Value(Value {
        meaning: given.value.meaning(),
        shown: given.value.shown(),
        provenance: given.provenance,
        is_default: given.is_default,
        is_reference: false,
    })
}

/// A word that stands for itself.
pub(super) fn word(word: &str) -> Term {
    said(word, word, Provenance::Chosen)
}

/// A value that is put together of others.
pub(super) fn said(meaning: &str, shown: &str, provenance: Provenance) -> Term {
    Term::Value(Value {
        meaning: meaning.into(),
        shown: shown.into(),
        provenance,
        is_default: false,
        is_reference: false,
    })
}

/// The name of a step or workload, which means the place of it.
pub(super) fn reference(place: &str, name: &Given<String>) -> Term {
    Term::Value(Value {
        meaning: place.into(),
        shown: name.value.clone(),
        provenance: name.provenance,
        is_default: name.is_default,
        is_reference: true,
    })
}

/// A part of a list without a name.
pub(super) const fn entry(term: Term) -> Entry {
    Entry { label: None, term }
}

/// Parts whose order has no meaning, in the order of their canonical texts.
pub(super) fn unordered(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_cached_key(|entry| entry.term.canonical());
    entries
}
