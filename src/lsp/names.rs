//! What names in a text stand for: where a word of the language stands, what a name is a name of, where it is defined.

use crate::plan::names::{self, Entry, Place};
use crate::text::Span;

use super::form::{Form, Slot};
use super::outline::{Node, Outline, Word};

/// The place that nodes stand in inside of these nodes, from the outside in. `None` where one of them is no word there.
pub(super) fn place_in(outline: &Outline, around: &[usize]) -> Option<Place> {
    around.iter().try_fold(Place::Top, |place, node| names::at(&outline.nodes[*node].name.text, place)?.inside)
}

/// The place of a node.
pub(super) fn place_of(outline: &Outline, node: usize) -> Option<Place> {
    place_in(outline, &outline.around(node))
}

/// What the table of names says of a node.
pub(super) fn entry_of(outline: &Outline, node: usize) -> Option<&'static Entry> {
    names::at(&outline.nodes[node].name.text, place_of(outline, node)?)
}

/// Where a value stands in its node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// Without a key, the how manieth.
    Argument(usize),
    /// Behind this key.
    Property(String),
}

/// What the table of names allows for a value.
pub(super) fn slots(entry: &Entry, role: &Role) -> Vec<Slot> {
    let form = Form::of(entry);
    match role {
        Role::Argument(index) => form.argument(*index).to_vec(),
        Role::Property(key) => form.property(key).to_vec(),
    }
}

/// What stands at a place of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// The name of a node.
    Name(usize),
    /// The key of a property.
    Key(usize, Word),
    /// A value.
    Value(usize, Role, Word),
}

impl Spot {
    /// Its place.
    pub(super) fn span(&self, outline: &Outline) -> Span {
        match self {
            Spot::Name(node) => outline.nodes[*node].name.span,
            Spot::Key(_, word) | Spot::Value(_, _, word) => word.span,
        }
    }
}

impl Outline {
    /// What stands at a byte.
    pub(super) fn spot(&self, offset: usize) -> Option<Spot> {
        let holds = |word: &Word| word.span.start <= offset && offset <= word.span.end && !word.span.is_empty();
        for (index, node) in self.nodes.iter().enumerate() {
            if node.span.start > offset || node.span.end < offset {
                continue;
            }
            if holds(&node.name) {
                return Some(Spot::Name(index));
            }
            if let Some(at) = node.arguments.iter().position(holds) {
                return Some(Spot::Value(index, Role::Argument(at), node.arguments[at].clone()));
            }
            for property in &node.properties {
                if holds(&property.key) {
                    return Some(Spot::Key(index, property.key.clone()));
                }
                if let Some(value) = property.value.as_ref().filter(|value| holds(value)) {
                    return Some(Spot::Value(index, Role::Property(property.key.text.clone()), value.clone()));
                }
            }
        }
        None
    }
}

/// A name that can be used elsewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition<'o> {
    /// Where it is written.
    pub(super) word: &'o Word,
    /// The node that defines it.
    pub(super) node: usize,
}

/// What the names of a kind (`WORKLOAD`, `STEP`) can be at a node: the workloads of the plan, the steps around it.
pub(super) fn definitions<'o>(outline: &'o Outline, kind: &str, user: usize) -> Vec<Definition<'o>> {
    if kind == "STEP" {
        return steps(outline, user);
    }
    let node_name = kind.to_ascii_lowercase();
    let defines = |(index, node): (usize, &'o Node)| {
        let is_meant = node.name.text == node_name && index != user && !outline.is_dropped(index);
        Some(Definition { word: node.label().filter(|_| is_meant)?, node: index })
    };
    outline.nodes.iter().enumerate().filter_map(defines).collect()
}

/// The steps that stand in the same test, by their names.
fn steps(outline: &Outline, user: usize) -> Vec<Definition<'_>> {
    let outermost = outline.around(user).first().copied().unwrap_or(user);
    let mut found = Vec::new();
    for (index, node) in outline.nodes.iter().enumerate() {
        let around = outline.around(index);
        if around.first() != Some(&outermost) || outline.is_dropped(index) {
            continue;
        }
        let Some(entry) = place_in(outline, &around)
            .filter(|place| place.holds_steps())
            .and_then(|place| names::at(&node.name.text, place))
        else {
            continue;
        };
        // Only what can have a name of its own can be named.
        if entry.property("as").is_some()
            && let Some(word) = node.property("as").or_else(|| node.label())
        {
            found.push(Definition { word, node: index });
        }
    }
    found
}

/// What `$name` stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variable<'o> {
    /// Where it gets its name.
    pub(super) word: &'o Word,
    /// The node that does so: `param`, `for-each`, or `needs` of a procedure.
    pub(super) node: usize,
}

/// Every `$name` that may be used inside of these nodes, the innermost first.
pub(super) fn variables<'o>(outline: &'o Outline, around: &[usize]) -> Vec<Variable<'o>> {
    let mut found = Vec::new();
    for outer in around.iter().rev() {
        let node = &outline.nodes[*outer];
        if values_follow(outline, *outer) {
            found.extend(node.label().map(|word| Variable { word, node: *outer }));
        }
        for (index, child) in outline.children(Some(*outer)) {
            if is_list_of_names(outline, index) {
                found.extend(child.arguments.iter().map(|word| Variable { word, node: index }));
            }
        }
    }
    for (index, node) in outline.children(None) {
        if values_follow(outline, index) && !around.contains(&index) {
            found.extend(node.label().map(|word| Variable { word, node: index }));
        }
    }
    found
}

/// True for words that give values a name: `param NAME VALUE`, `for-each NAME VALUE...`.
fn values_follow(outline: &Outline, node: usize) -> bool {
    entry_of(outline, node).is_some_and(|entry| {
        let form = Form::of(entry);
        form.argument(0) == [Slot::Name("NAME")] && form.argument(1) == [Slot::Name("VALUE")] && entry.inside.is_some()
    })
}

/// True for words that list names of parameters: `needs NAME...`.
fn is_list_of_names(outline: &Outline, node: usize) -> bool {
    let is_inside = place_of(outline, node).is_some_and(|place| place == Place::Procedure);
    let lists = |entry: &Entry| {
        let form = Form::of(entry);
        form.argument(0) == [Slot::Name("NAME")] && form.argument(9) == [Slot::Name("NAME")]
    };
    is_inside && entry_of(outline, node).is_some_and(lists)
}

/// The names that a procedure needs values for.
pub(super) fn needs(outline: &Outline, procedure: usize) -> Vec<Variable<'_>> {
    let lists = outline.children(Some(procedure)).filter(|(index, _)| is_list_of_names(outline, *index));
    lists.flat_map(|(node, list)| list.arguments.iter().map(move |word| Variable { word, node })).collect()
}

/// The procedure that a node applies, where keys are its parameters.
pub(super) fn applied(outline: &Outline, node: usize) -> Option<usize> {
    let form = Form::of(entry_of(outline, node)?);
    let Some(Slot::Name(kind)) = form.argument(0).first().filter(|_| form.takes_any_key) else { return None };
    let name = &outline.nodes[node].label()?.text;
    definitions(outline, kind, node).into_iter().find(|found| found.word.text == *name).map(|found| found.node)
}

/// Where what stands at a spot is defined: the word that gives it its name.
pub(super) fn defined_at<'o>(outline: &'o Outline, spot: &Spot) -> Option<&'o Word> {
    match spot {
        Spot::Name(_) => None,
        Spot::Key(node, key) => {
            let procedure = applied(outline, *node)?;
            needs(outline, procedure).into_iter().find(|need| need.word.text == key.text).map(|need| need.word)
        }
        Spot::Value(node, role, word) => {
            if let Some(name) = word.parameter() {
                return variables(outline, &outline.around(*node))
                    .into_iter()
                    .find(|v| v.word.text == name)
                    .map(|v| v.word);
            }
            let entry = entry_of(outline, *node)?;
            let kinds = slots(entry, role).into_iter().filter_map(|slot| match slot {
                Slot::Name(kind) => Some(kind),
                _ => None,
            });
            kinds
                .flat_map(|kind| definitions(outline, kind, *node))
                .find(|found| found.word.text == word.text)
                .map(|found| found.word)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
plan "p"
param "size" "4KiB"
workload "w" { access "random"; block-size $size; }
procedure "q" { needs "depth"; measure "w" { queue-depth $depth; }; }
test "t" {
    allow "unwritten-reads" in="s" because="x"
    precondition "w" as="s" { run "1s" }
    apply "q" depth=4
    measure "w
"#;

    /// Where the definition of what stands at the last `text` is written, up to a line end.
    fn definition(text: &str) -> Option<&'static str> {
        let outline = Outline::of(PLAN);
        let spot = outline.spot(PLAN.rfind(text)? + 1)?;
        let word = defined_at(&outline, &spot)?;
        let start = PLAN[..word.span.start].rfind('\n')? + 1;
        PLAN[start..].lines().next().map(str::trim)
    }

    #[test]
    fn names_lead_to_their_definitions_also_in_a_broken_text() {
        assert_eq!(definition("$size"), Some("param \"size\" \"4KiB\""));
        assert_eq!(definition("\"w"), Some("workload \"w\" { access \"random\"; block-size $size; }"));
        assert_eq!(definition("\"s\" because"), Some("precondition \"w\" as=\"s\" { run \"1s\" }"));
        let procedure = PLAN.lines().find(|line| line.starts_with("procedure"));
        assert_eq!(definition("$depth"), procedure);
        assert_eq!(definition("\"q\" depth"), procedure);
        assert_eq!(definition("depth=4"), procedure);
        assert_eq!(definition("unwritten"), None);
    }
}
