//! What is said about a word when somebody points at it.

use crate::lang::Provenance;
use crate::plan::names::{self, Built, Place, Word as Named};
use crate::units::{Quantity, parse_quantity, plain};

use super::form::{Slot, named_values};
use super::names::{Role, Spot, applied, definitions, entry_of, needs, place_of, slots, variables};
use super::outline::{Node, Outline, Word};

/// What is said about the spot, in Markdown. `None` where nothing is known.
pub(super) fn hover(text: &str, outline: &Outline, spot: &Spot) -> Option<String> {
    match spot {
        Spot::Name(node) => of_name(outline, *node),
        Spot::Key(node, key) => of_key(outline, *node, key),
        Spot::Value(node, role, word) => of_value(text, outline, *node, role, word),
    }
}

/// The entry of a word of the language where it stands; where it means nothing, all its entries, or how it is written here.
fn of_name(outline: &Outline, node: usize) -> Option<String> {
    let name = outline.nodes[node].name.text.as_str();
    if let Some(entry) = entry_of(outline, node) {
        return Some(fenced(&entry.to_string()));
    }
    if let Some(entries) = names::entry(name) {
        return Some(format!("means nothing here\n\n{}", fenced(&entries)));
    }
    names::foreign_word(name).map(names::Foreign::says)
}

fn of_key(outline: &Outline, node: usize, key: &Word) -> Option<String> {
    if let Some(procedure) = applied(outline, node) {
        let name = &outline.nodes[procedure].label()?.text;
        let is_needed = needs(outline, procedure).iter().any(|need| need.word.text == key.text);
        return is_needed.then(|| format!("`${}` of the procedure `{name}`", key.text));
    }
    let word = entry_of(outline, node)?.property(&key.text)?;
    Some(meaning(&format!("{}=", word.name), word))
}

fn meaning(shown: &str, word: &Named) -> String {
    let later = if word.built == Built::NotYet { "\n\nnot built yet: a plan that uses it is refused" } else { "" };
    format!("`{shown}`: {}{later}", word.meaning)
}

fn of_value(text: &str, outline: &Outline, node: usize, role: &Role, word: &Word) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(name) = word.parameter() {
        parts.push(of_variable(text, outline, node, name)?);
    } else if let Some(part) = of_named_value(outline, node, role, word) {
        parts.push(part);
    } else if let Some(part) = of_reference(text, outline, node, role, word) {
        parts.push(part);
    } else if let Ok(quantity) = parse_quantity(&word.text)
        && word.is_quoted
    {
        let of = match (role, quantity) {
            (Role::Argument(_), Quantity::Percent(_)) => percent_of(outline, node, None),
            (Role::Property(key), Quantity::Percent(_)) => percent_of(outline, node, Some(key)),
            _ => None,
        };
        let amount = of.map_or_else(|| plain(&quantity), |of| format!("{} {of}", word.text));
        parts.push(format!("`\"{}\"`: {}, {amount}", word.text, quantity.kind()));
    }
    // What a value is for is of interest where nothing else is known of it, too.
    if let Some(entry) = entry_of(outline, node) {
        parts.push(match role {
            Role::Property(key) => match entry.property(key) {
                Some(property) => meaning(&format!("{key}="), property),
                None => format!("`{}`: {}", entry.form, entry.meaning),
            },
            Role::Argument(_) => format!("`{}`: {}", entry.form, entry.meaning),
        });
    }
    parts.push(provenance(outline, node, word));
    Some(parts.join("\n\n"))
}

/// What a percentage is a share of.
fn percent_of(outline: &Outline, node: usize, key: Option<&str>) -> Option<&'static str> {
    names::percent_of(&outline.nodes[node].name.text, place_of(outline, node)?, key)
}

/// A value by name: what it means.
fn of_named_value(outline: &Outline, node: usize, role: &Role, word: &Word) -> Option<String> {
    let entry = entry_of(outline, node)?;
    match role {
        Role::Argument(_) => entry.value(&word.text).map(|value| meaning(&format!("\"{}\"", value.name), value)),
        Role::Property(key) => {
            let values = named_values(entry.property(key)?);
            let (name, means) = values.into_iter().find(|(name, _)| *name == word.text)?;
            Some(format!("`\"{name}\"`: {means}"))
        }
    }
}

/// The name of a workload, a procedure, a step: the text that defines it.
fn of_reference(text: &str, outline: &Outline, node: usize, role: &Role, word: &Word) -> Option<String> {
    let entry = entry_of(outline, node)?;
    let kinds = slots(entry, role).into_iter().filter_map(|slot| match slot {
        Slot::Name(kind) => Some(kind),
        _ => None,
    });
    let found = kinds.flat_map(|kind| definitions(outline, kind, node)).find(|found| found.word.text == word.text)?;
    Some(fenced_kdl(&shown(text, &outline.nodes[found.node])))
}

/// `$name`: what gives it its value, and the value in plain bytes or nanoseconds.
fn of_variable(text: &str, outline: &Outline, node: usize, name: &str) -> Option<String> {
    let found = variables(outline, &outline.around(node)).into_iter().find(|found| found.word.text == name)?;
    let definer = &outline.nodes[found.node];
    if place_of(outline, found.node) == Some(Place::Procedure) {
        let given = values_given(outline, found.node, name);
        let mut said = format!("`${name}`: what each call of the procedure gives");
        for value in given.iter().take(8) {
            said.push_str(&format!("\n- {}", told(value)));
        }
        return Some(said);
    }
    let mut said = fenced_kdl(&shown(text, definer));
    for value in definer.arguments.iter().skip(1).take(16) {
        said.push_str(&format!("\n- {}", told(value)));
    }
    Some(said)
}

/// The values that calls of the procedure around `list` give a name.
fn values_given<'o>(outline: &'o Outline, list: usize, name: &str) -> Vec<&'o Word> {
    let procedure = outline.nodes[list].parent;
    let calls = (0..outline.nodes.len()).filter(|node| applied(outline, *node) == procedure && procedure.is_some());
    calls.filter_map(|call| outline.nodes[call].property(name)).collect()
}

fn told(value: &Word) -> String {
    if !value.is_quoted {
        return format!("`{}`", value.text);
    }
    match parse_quantity(&value.text) {
        Ok(quantity) => format!("`\"{}\"`: {}", value.text, plain(&quantity)),
        Err(_) => format!("`\"{}\"`", value.text),
    }
}

/// Where a value comes from: its own annotation, or the nearest of the nodes around it.
fn provenance(outline: &Outline, node: usize, word: &Word) -> String {
    let known = |annotation: &Option<String>| {
        let annotation = annotation.as_deref()?;
        Provenance::ALL.into_iter().find(|provenance| provenance.word() == annotation)
    };
    if let Some(own) = known(&word.annotation) {
        return format!("({own})");
    }
    if let Some(name) = word.parameter()
        && let Some(found) = variables(outline, &outline.around(node)).into_iter().find(|found| found.word.text == name)
    {
        let definer = &outline.nodes[found.node];
        let of_value = definer.arguments.get(1).and_then(|value| known(&value.annotation));
        if let Some(given) = of_value.or_else(|| known(&definer.name.annotation)) {
            return format!("({given}), by `{}`", definer.name.text);
        }
    }
    let outer = outline.around(node).into_iter().chain([node]).rev();
    for outer in outer {
        if let Some(found) = known(&outline.nodes[outer].name.annotation) {
            return format!("({found}), by `{}`", outline.nodes[outer].name.text);
        }
    }
    format!("({}): no annotation covers it", Provenance::default())
}

/// The text of a node, cut where it is long.
fn shown(text: &str, node: &Node) -> String {
    const LINES: usize = 16;
    let whole = text.get(node.span.start..node.span.end).unwrap_or_default();
    let mut lines: Vec<&str> = whole.lines().take(LINES).collect();
    if whole.lines().count() > LINES {
        lines.push("\u{2026}");
    }
    lines.join("\n")
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

fn fenced_kdl(text: &str) -> String {
    // A fence of its own length cannot be closed by what stands in it.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2);
    let fence = "`".repeat(longest + 1);
    format!("{fence}kdl\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
plan "p"
param "size" (published)"4KiB" { one-of "4KiB" "8KiB"; }
workload "w" { access "random"; block-size $size; read "70%"; }
procedure "q" { needs "depth"; measure "w" { queue-depth $depth; }; }
test "t" {
    (inferred)precondition "w" { run "1m"; }
    apply "q" depth=4
    for-each "pace" "4KiB" "8KiB" { measure "w" as=$pace { block-size $pace; }; }
    measure "w" { ramp (chosen)"30s"; iodepth 4; access "sequential" cursor="lanes"; }
}
"#;

    fn said(at: &str) -> String {
        let outline = Outline::of(PLAN);
        let offset = PLAN.find(at).expect("is there") + 1;
        hover(PLAN, &outline, &outline.spot(offset).expect("a spot")).unwrap_or_default()
    }

    #[test]
    fn values_are_told_in_plain_units_with_their_provenance() {
        assert!(said("\"1m\"").contains("60,000,000,000 ns"));
        assert!(said("\"1m\"").ends_with("(inferred), by `precondition`"));
        assert!(said("\"30s\"").ends_with("(chosen)"));
        let pace = said("$pace;");
        assert!(pace.contains("`\"4KiB\"`: 4,096 bytes") && pace.contains("`\"8KiB\"`: 8,192 bytes"), "{pace}");
        let size = said("$size");
        assert!(size.contains("4,096 bytes") && size.contains("one-of \"4KiB\" \"8KiB\""), "{size}");
        assert!(size.ends_with("(published), by `param`"), "{size}");
        assert!(said("$depth").contains("what each call of the procedure gives\n- `4`"));
        assert!(said("\"70%\"").contains("a percentage, 70% of the operations"));
        assert!(said("\"70%\"").ends_with("(chosen): no annotation covers it"));
    }

    #[test]
    fn words_are_told_from_the_table_of_names() {
        assert!(said("ramp").contains("time at full pace before the window"));
        assert!(said("iodepth").contains("fio's `iodepth` is written `queue-depth` here"));
        assert!(said("cursor").contains("one cursor for all slots"));
        assert!(said("\"lanes\"").contains("one lane for each thread"));
        assert!(said("\"sequential\"").contains("rising from block to block"));
        assert!(said("\"w\" { run").contains("workload \"w\" { access"));
        assert!(said("depth=4").contains("`$depth` of the procedure `q`"));
    }
}
