//! A plan fully spelled, with every quantity in plain bytes, nanoseconds and counts beside it.

use std::collections::BTreeMap;

use crate::lang::{self, Literal, Node, Value};
use crate::text::SourceFile;
use crate::units::{Quantity, parse_quantity, plain_parts};

use super::names::{self, Place};
use super::{Plan, spell};

/// The plan as [`spell`] writes it; behind each line stands what its quantities come to, and of what its percentages are.
pub fn explained(plan: &Plan) -> String {
    annotated(&spell(plan))
}

fn annotated(text: &str) -> String {
    let source = SourceFile::new("plan", text);
    let Ok(document) = lang::read(&source) else {
        debug_assert!(false, "what is spelled is a plan");
        return text.to_string();
    };
    let mut notes = BTreeMap::new();
    collect(&document.nodes, Place::Top, &source, &mut notes);
    let mut out = String::with_capacity(text.len() * 2);
    for (index, line) in text.lines().enumerate() {
        out.push_str(line);
        if let Some(notes) = notes.get(&(index + 1)) {
            out.push_str(if line.contains("    // default") { " · " } else { "    // " });
            out.push_str(&in_words(notes));
        }
        out.push('\n');
    }
    out
}

/// A figure with its unit or meaning, as `8,192` `bytes`.
type Note = (String, &'static str);

fn collect(nodes: &[Node], place: Place, source: &SourceFile, notes: &mut BTreeMap<usize, Vec<Note>>) {
    for node in nodes {
        let Some(entry) = names::at(node.name(), place) else { continue };
        let mut found: Vec<Note> = Vec::new();
        // Names and texts may look like quantities.
        if entry.form.contains('Q') {
            let arguments = node.arguments.iter().map(|literal| (None, literal));
            let properties = node.properties.iter().map(|property| (Some(&*property.key.value), &property.value));
            found.extend(arguments.chain(properties).filter_map(|(key, literal)| note(node, place, key, literal)));
        }
        if !found.is_empty() {
            let (line, _) = source.line_column(node.head().end);
            notes.entry(line).or_default().extend(found);
        }
        if let Some(inside) = entry.inside {
            collect(node.children(), inside, source, notes);
        }
    }
}

fn note(node: &Node, place: Place, key: Option<&str>, literal: &Literal) -> Option<Note> {
    let Value::Text(text) = &literal.value else { return None };
    let quantity = parse_quantity(text).ok()?;
    let (figure, unit) = plain_parts(&quantity);
    if !matches!(quantity, Quantity::Percent(_)) {
        return Some((figure, unit));
    }
    let whole_device = node.name() == "fill" && node.properties.iter().any(|p| &*p.key.value == "on");
    let of = if whole_device { "of the device" } else { names::percent_of(node.name(), place, key)? };
    Some((figure, of))
}

/// What has the same unit is said with it once: `4,096 · 8,192 bytes`.
fn in_words(notes: &[Note]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (index, (figure, unit)) in notes.iter().enumerate() {
        let is_last_of_unit = notes.get(index + 1).is_none_or(|(_, next)| next != unit);
        parts.push(if is_last_of_unit { format!("{figure} {unit}") } else { figure.clone() });
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_plain_and_percentages_say_of_what() {
        let text = "plan \"4KiB\" {\n    title \"60s\"\n}\nworkload \"w\" {\n    block-size \"8KiB\"\n    read \"70%\"\n}\n\
                    setup {\n    fill \"50%\" {\n        block-size \"128KiB\"\n    }\n    fill \"50%\" on=\"device\" {\n    \
                    }\n    limit-to \"75%\"\n    trim \"1%\"\n    idle \"1m\"    // default\n    measure \"1%\" {\n        \
                    matrix {\n            block-size \"4KiB\" (published)\"1MiB\"\n        }\n        run \"1h\" \
                    written=\"1GB\"\n    }\n}\n";
        let expected = "plan \"4KiB\" {\n    title \"60s\"\n}\nworkload \"w\" {\n    block-size \"8KiB\"    // 8,192 bytes\n    \
                        read \"70%\"    // 70% of the operations\n}\n\
                        setup {\n    fill \"50%\" {    // 50% of the area\n        block-size \"128KiB\"    // 131,072 bytes\n    }\n    \
                        fill \"50%\" on=\"device\" {    // 50% of the device\n    }\n    \
                        limit-to \"75%\"    // 75% of the device\n    trim \"1%\"    // 1% of the area\n    \
                        idle \"1m\"    // default · 60,000,000,000 ns\n    measure \"1%\" {\n        matrix {\n            \
                        block-size \"4KiB\" (published)\"1MiB\"    // 4,096 · 1,048,576 bytes\n        }\n        \
                        run \"1h\" written=\"1GB\"    // 3,600,000,000,000 ns · 1,000,000,000 bytes\n    }\n}\n";
        assert_eq!(annotated(text), expected);
    }
}
