//! The values of two terms side by side.

use std::collections::HashMap;

use super::ValueChange;
use crate::plan::Provenance;
use crate::plan::method::{Entry, Term, Value};

/// A value, or a list of values, with what it is called.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) what: String,
    pub(super) meaning: String,
    shown: String,
    provenance: Provenance,
    is_reference: bool,
}

/// Names in a term that a plan does not write, or that say nothing beside the others.
const UNSAID: [&str; 3] = ["loads", "streams", "time"];

/// All values of a term in their order.
pub(super) fn lines(term: &Term) -> Vec<Line> {
    let mut lines = Vec::new();
    push(term, &mut Vec::new(), &mut lines);
    lines
}

fn push(term: &Term, path: &mut Vec<String>, lines: &mut Vec<Line>) {
    match term {
        Term::Value(value) => lines.push(line(path, std::slice::from_ref(&value))),
        Term::Record(parts) => {
            for (name, term) in parts {
                path.push((*name).to_string());
                push(term, path, lines);
                path.pop();
            }
        }
        Term::List(entries) => {
            let values: Vec<&Value> = entries.iter().filter_map(as_value).collect();
            if values.len() == entries.len() {
                lines.push(line(path, &values));
                return;
            }
            if path.last().is_some_and(|name| name == "matrix") {
                lines.push(order_of_axes(entries));
            }
            for (index, entry) in entries.iter().enumerate() {
                let name = name_in_list(entry, index, entries.len());
                let depth = path.len();
                path.extend(name);
                push(&entry.term, path, lines);
                path.truncate(depth);
            }
        }
    }
}

const fn as_value(entry: &Entry) -> Option<&Value> {
    match &entry.term {
        Term::Value(value) => Some(value),
        _ => None,
    }
}

/// One alone, an axis and a side need no name: another name for it would be no other value.
fn name_in_list(entry: &Entry, index: usize, count: usize) -> Option<String> {
    let names_itself = matches!(&entry.term, Term::Record(parts) if parts.len() == 1 && entry.label.is_none());
    (count > 1 && !names_itself).then(|| entry.label.clone().unwrap_or_else(|| (index + 1).to_string()))
}

/// The last axis varies fastest, so their order is a value of its own.
fn order_of_axes(entries: &[Entry]) -> Line {
    let names = entries.iter().filter_map(|entry| match &entry.term {
        Term::Record(parts) => parts.first().map(|(name, _)| *name),
        _ => None,
    });
    let names = names.collect::<Vec<_>>().join(", ");
    Line {
        what: "matrix".into(),
        meaning: names.clone(),
        shown: names,
        provenance: Provenance::Chosen,
        is_reference: false,
    }
}

fn line(path: &[String], values: &[&Value]) -> Line {
    let words: Vec<&str> = path.iter().map(String::as_str).filter(|word| !UNSAID.contains(word)).collect();
    let all = |of: fn(&Value) -> &str| values.iter().map(|value| of(value)).collect::<Vec<_>>().join(" ");
    Line {
        what: if words.is_empty() { "length".into() } else { words.join(" ") },
        meaning: all(|value| &value.meaning),
        shown: all(|value| &value.shown),
        provenance: values.first().map_or(Provenance::Chosen, |value| value.provenance),
        is_reference: values.iter().any(|value| value.is_reference),
    }
}

impl Line {
    /// True where both mean the same. What refers to a step means the same where the name is, though steps that were
    /// put in before it moved its place, or where the place is and the name is another.
    fn means(&self, other: &Line) -> bool {
        self.meaning == other.meaning || (self.is_reference && other.is_reference && self.shown == other.shown)
    }
}

/// What a step says, for finding it again: places that steps before it move are left out.
pub(super) fn content(term: &Term) -> String {
    let said = |line: Line| format!("{}={}\n", line.what, if line.is_reference { line.shown } else { line.meaning });
    lines(term).into_iter().map(said).collect()
}

/// Values with another meaning.
pub(super) fn compare(old: &Term, new: &Term) -> Vec<ValueChange> {
    let mut changes = Vec::new();
    for (old, new) in side_by_side(old, new) {
        let is_same = matches!((&old, &new), (Some(old), Some(new)) if old.means(new));
        let given = new.as_ref().or(old.as_ref());
        if let (false, Some(given)) = (is_same, given) {
            changes.push(ValueChange {
                what: given.what.clone(),
                provenance: Some(given.provenance),
                old: old.map(|line| line.shown),
                new: new.map(|line| line.shown),
            });
        }
    }
    changes
}

/// Values with the same meaning and another provenance.
pub(super) fn compare_provenance(old: &Term, new: &Term) -> Vec<ValueChange> {
    let pairs = side_by_side(old, new).into_iter();
    let both = pairs.filter_map(|(old, new)| old.zip(new));
    let differ = both.filter(|(old, new)| old.means(new) && old.provenance != new.provenance);
    differ.map(|(old, new)| provenance_change(&old.what, old.provenance, new.provenance)).collect()
}

/// Another provenance of the same.
pub(super) fn provenance_change(what: &str, old: Provenance, new: Provenance) -> ValueChange {
    ValueChange { what: what.into(), old: Some(old.word().into()), new: Some(new.word().into()), provenance: Some(new) }
}

/// Values of the same name, in the order of the new term; what only the old one has stands at the end.
fn side_by_side(old: &Term, new: &Term) -> Vec<(Option<Line>, Option<Line>)> {
    let mut left: HashMap<String, Vec<Line>> = HashMap::new();
    let old = lines(old);
    let order: Vec<String> = old.iter().map(|line| line.what.clone()).collect();
    for line in old {
        left.entry(line.what.clone()).or_default().push(line);
    }
    let mut take = |what: &str| {
        let of_name = left.get_mut(what)?;
        (!of_name.is_empty()).then(|| of_name.remove(0))
    };
    let mut pairs: Vec<_> = lines(new).into_iter().map(|line| (take(&line.what), Some(line))).collect();
    pairs.extend(order.iter().filter_map(|what| take(what)).map(|line| (Some(line), None)));
    pairs
}
