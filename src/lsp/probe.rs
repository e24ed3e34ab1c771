//! Which units fit in a place: asked of the decoder itself, with a text of the same nodes and one value after the other.

use crate::diag::Code;
use crate::plan;
use crate::text::{SourceFile, Span};
use crate::units::{parse_quantity, unit_spellings};

use super::names::Role;
use super::outline::{Outline, Property, Word};

/// The units that the decoder takes for this value of this node; all where it takes any or does not say.
pub(super) fn fitting_units(text: &str, outline: &Outline, node: usize, role: &Role) -> Vec<&'static str> {
    let mut judged: Vec<(&'static str, bool)> = Vec::new();
    let mut fits = |unit: &str| {
        let Ok(quantity) = parse_quantity(&format!("1{unit}")) else { return false };
        let kind = quantity.kind();
        if let Some((_, fits)) = judged.iter().find(|(judged, _)| *judged == kind) {
            return *fits;
        }
        let fits = takes(text, outline, node, role, unit);
        judged.push((kind, fits));
        fits
    };
    let fitting: Vec<&'static str> = unit_spellings().filter(|unit| fits(unit)).collect();
    if fitting.is_empty() { unit_spellings().collect() } else { fitting }
}

/// Whether `1` with this unit is of a kind that the decoder takes.
fn takes(text: &str, outline: &Outline, node: usize, role: &Role, unit: &str) -> bool {
    let (plan, place) = asking(text, outline, node, role, &format!("\"1{unit}\""));
    let found = plan::load(&SourceFile::new("asked", plan), &[]).diagnostics;
    let is_of_units = |code: Code| code.id().starts_with("unit/");
    !found
        .all()
        .iter()
        .any(|diagnostic| is_of_units(diagnostic.code) && diagnostic.primary().is_some_and(|label| label.span == place))
}

/// A text that holds the node in the nodes around it, with `value` in its place, and that place.
fn asking(text: &str, outline: &Outline, node: usize, role: &Role, value: &str) -> (String, Span) {
    let around = outline.around(node);
    let mut plan = String::new();
    for outer in &around {
        let outer = &outline.nodes[*outer];
        plan.push_str(&written(text, &outer.name));
        for word in &outer.arguments {
            plan.push_str(&format!(" {}", written(text, word)));
        }
        for Property { key, value } in &outer.properties {
            plan.push_str(&format!(
                " {}={}",
                key.text,
                value.as_ref().map_or("0".into(), |value| written(text, value))
            ));
        }
        plan.push_str(" {\n");
    }
    let asked = &outline.nodes[node];
    plan.push_str(&written(text, &asked.name));
    plan.push(' ');
    match role {
        Role::Argument(index) => {
            for word in asked.arguments.iter().take(*index) {
                plan.push_str(&format!("{} ", written(text, word)));
            }
        }
        Role::Property(key) => plan.push_str(&format!("{key}=")),
    }
    let start = plan.len();
    plan.push_str(value);
    let place = Span::new(start, plan.len());
    plan.push('\n');
    plan.push_str(&"}\n".repeat(around.len()));
    (plan, place)
}

/// A word as it is written, with its quotes closed.
fn written(text: &str, word: &Word) -> String {
    let raw = text.get(word.span.start..word.span.end).unwrap_or_default();
    let is_closed = !word.is_quoted || (raw.len() > 1 && raw.ends_with(['"', '#']));
    if is_closed { raw.to_string() } else { format!("\"{}\"", word.text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str, at: &str, role: &Role) -> Vec<&'static str> {
        let outline = Outline::of(text);
        let node = outline.nodes.iter().position(|node| node.name.text == at).expect("a node");
        fitting_units(text, &outline, node, role)
    }

    #[test]
    fn the_decoder_says_which_kinds_fit() {
        let text = "test \"t\" {\n measure \"w {\n  block-size \"4\n  ramp \"4\n read \"7\n run \"1s\" written=\"1\n";
        let argument = Role::Argument(0);
        let sizes = units(text, "block-size", &argument);
        assert!(sizes.contains(&"KiB") && sizes.contains(&"MB") && !sizes.contains(&"s"), "{sizes:?}");
        assert_eq!(units(text, "ramp", &argument), ["ns", "us", "ms", "s", "m", "h", "d"]);
        assert_eq!(units(text, "read", &argument), ["%"]);
        assert!(units(text, "run", &Role::Property("written".into())).contains(&"GiB"));
        let any = units("param \"x\" \"1\"", "param", &Role::Argument(1));
        assert_eq!(any.len(), unit_spellings().count());
    }
}
