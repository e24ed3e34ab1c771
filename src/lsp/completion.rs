//! What can be written at a place.

use gen_lsp_types::CompletionItemKind;

use crate::lang::Provenance;
use crate::plan::names::{self, Built, Entry, Word as Named};
use crate::text::Span;
use crate::units::{parse_quantity, plain};

use super::form::{Slot, named_values};
use super::names::{Role, applied, definitions, entry_of, needs, place_in, slots, variables};
use super::outline::{Cursor, Outline, Word, Writing};
use super::probe::fitting_units;
use super::scope::Scope;

/// One thing that can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// What is offered.
    pub(super) label: String,
    /// What kind of thing it is, for the editor's signs.
    pub(super) kind: CompletionItemKind,
    /// A line beside it.
    pub(super) detail: String,
    /// What it means.
    pub(super) meaning: String,
    /// What is written.
    pub(super) text: String,
    /// In whose place.
    pub(super) span: Span,
}

/// What can be written, and whether other things can be once more is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Offer {
    /// The candidates, the likeliest first.
    pub(super) candidates: Vec<Candidate>,
    /// True where the list depends on what has been typed of the word.
    pub(super) is_incomplete: bool,
}

/// What can be written at a byte of a document.
pub(super) fn complete(scope: &Scope, offset: usize) -> Offer {
    let cursor = scope.cursor(offset);
    let (text, whole) = (scope.text.as_str(), &scope.outline);
    let mut offering = Offering { text, whole, cursor: &cursor, offset, offer: Offer::default() };
    match &cursor.writing {
        Writing::Nothing => {}
        Writing::Annotation => offering.annotations(),
        Writing::Name => offering.nodes(),
        Writing::Entry(node) => {
            let index = cursor.outline.nodes[*node].arguments.len();
            offering.values(*node, &Role::Argument(index));
            if offering.quoted().is_none() {
                offering.properties(*node);
            }
        }
        Writing::Value(node, key) => offering.values(*node, &Role::Property(key.clone())),
    }
    offering.offer
}

struct Offering<'a> {
    text: &'a str,
    /// All nodes, those behind the place, too.
    whole: &'a Outline,
    cursor: &'a Cursor,
    offset: usize,
    offer: Offer,
}

impl Offering<'_> {
    /// The begun word, if it stands in quotes.
    fn quoted(&self) -> Option<&Word> {
        self.cursor.word.as_ref().filter(|word| word.is_quoted)
    }

    /// What a candidate takes the place of: the begun word, within its quotes.
    fn span(&self) -> Span {
        match &self.cursor.word {
            Some(word) => word.content(self.text),
            None => Span::new(self.offset, self.offset),
        }
    }

    fn push(&mut self, kind: CompletionItemKind, label: &str, text: String, detail: &str, meaning: &str) {
        let span = self.span();
        if self.offer.candidates.iter().any(|other| other.label == label && other.kind == kind) {
            return;
        }
        let (label, detail, meaning) = (label.to_string(), detail.to_string(), meaning.to_string());
        self.offer.candidates.push(Candidate { label, kind, detail, meaning, text, span });
    }

    /// A value that stands in quotes, which are added where they are not there yet.
    fn push_value(&mut self, kind: CompletionItemKind, name: &str, detail: &str, meaning: &str) {
        let text = if self.quoted().is_some() { name.to_string() } else { format!("\"{name}\"") };
        self.push(kind, name, text, detail, meaning);
    }

    fn annotations(&mut self) {
        for provenance in Provenance::ALL {
            let word = provenance.word();
            self.push(CompletionItemKind::EnumMember, word, word.into(), "provenance", "");
        }
    }

    /// Nodes that may stand here; of those that stand once, the ones that do not stand yet.
    fn nodes(&mut self) {
        let cursor = self.cursor;
        let Some(place) = place_in(&cursor.outline, &cursor.around) else { return };
        let siblings = self.siblings();
        let is_open =
            |entry: &&Entry| entry.repeats || place.holds_steps() || !siblings.iter().any(|name| name == entry.name);
        for entry in names::allowed_in(place).filter(|entry| entry.built != Built::NotYet).filter(is_open) {
            self.push(CompletionItemKind::Keyword, entry.name, entry.name.into(), entry.form, &entry.to_string());
        }
    }

    /// The names of the nodes beside the one that is being written, before and behind it.
    fn siblings(&self) -> Vec<String> {
        let whole = self.whole;
        let name_of = |node: &usize| self.cursor.outline.nodes[*node].name.span;
        let parent = self.cursor.around.last().map(name_of);
        let parent = parent.and_then(|span| whole.nodes.iter().position(|node| node.name.span == span));
        let own = self.cursor.word.as_ref().map(|word| word.span);
        let others = whole.children(parent).filter(|(_, node)| Some(node.name.span) != own);
        others.map(|(_, node)| node.name.text.clone()).collect()
    }

    fn properties(&mut self, node: usize) {
        let outline = &self.cursor.outline;
        let written = |name: &str| outline.nodes[node].properties.iter().any(|property| property.key.text == name);
        if let Some(procedure) = applied(outline, node) {
            let open = needs(outline, procedure).into_iter().filter(|need| !written(&need.word.text));
            for need in open {
                let name = &need.word.text;
                self.push(
                    CompletionItemKind::Property,
                    &format!("{name}="),
                    format!("{name}="),
                    "needed by the procedure",
                    "",
                );
            }
        }
        let Some(entry) = entry_of(outline, node) else { return };
        for property in
            entry.properties.iter().filter(|property| property.built != Built::NotYet && !written(property.name))
        {
            let label = format!("{}=", property.name);
            self.push(CompletionItemKind::Property, &label, label.clone(), entry.form, property.meaning);
        }
    }

    fn values(&mut self, node: usize, role: &Role) {
        let outline = &self.cursor.outline;
        let entry = entry_of(outline, node);
        if let Some(entry) = entry {
            for value in named(entry, role) {
                self.push_value(CompletionItemKind::EnumMember, value.0, entry.form, value.1);
            }
            for slot in slots(entry, role) {
                self.slot(node, role, &slot);
            }
            if slots(entry, role) == [Slot::Name("NAME")] {
                return;
            }
        }
        for variable in variables(outline, &outline.around(node)) {
            let name = format!("${}", variable.word.text);
            let given: Vec<&str> =
                outline.nodes[variable.node].arguments.iter().skip(1).map(|word| self.written(word)).collect();
            let detail = if outline.nodes[variable.node].label() == Some(variable.word) {
                given.join(" ")
            } else {
                String::new()
            };
            self.push(CompletionItemKind::Variable, &name, name.clone(), &detail, "");
        }
    }

    fn written(&self, word: &Word) -> &str {
        self.text.get(word.span.start..word.span.end).unwrap_or_default()
    }

    fn slot(&mut self, node: usize, role: &Role, slot: &Slot) {
        match slot {
            Slot::Text(text) => self.push_value(CompletionItemKind::EnumMember, text, "", ""),
            Slot::Quantity | Slot::Name("VALUE") => self.units(node, role),
            Slot::Name(kind) => {
                let outline = &self.cursor.outline;
                // What is defined below counts as well.
                let whole = self.whole;
                let user = whole.nodes.iter().position(|other| other.name.span == outline.nodes[node].name.span);
                let Some(user) = user else { return };
                for found in definitions(whole, kind, user) {
                    let definer = &whole.nodes[found.node];
                    let detail = format!("{} {}", definer.name.text, self.written(found.word));
                    self.push_value(CompletionItemKind::Reference, &found.word.text, &detail, "");
                }
            }
            Slot::Count | Slot::Other => {}
        }
    }

    /// The begun number with each unit that fits.
    fn units(&mut self, node: usize, role: &Role) {
        let Some(word) = &self.cursor.word else { return };
        let digits = word.text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.text.len());
        if digits == 0 {
            return;
        }
        let number = word.text[..digits].to_string();
        self.offer.is_incomplete = true;
        for unit in fitting_units(self.text, &self.cursor.outline, node, role) {
            let quantity = format!("{number}{unit}");
            if let Ok(read) = parse_quantity(&quantity) {
                self.push_value(CompletionItemKind::Unit, &quantity, &plain(&read), "");
            }
        }
    }
}

/// The values by name that are carried out, with what they mean.
fn named(entry: &'static Entry, role: &Role) -> Vec<(&'static str, &'static str)> {
    let is_built = |word: &&Named| word.built != Built::NotYet;
    match role {
        Role::Argument(_) => entry.values.iter().filter(is_built).map(|word| (word.name, word.meaning)).collect(),
        Role::Property(key) => entry.property(key).filter(is_built).map(named_values).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "plan \"p\"\nparam \"size\" \"4KiB\"\nworkload \"w-1\" { access \"random\"; }\n\
        procedure \"q\" { needs \"depth\"; measure \"w-1\" { queue-depth $depth; }; }\n";

    /// What is offered where `|` stands behind [`BEFORE`].
    fn offered(text: &str) -> Vec<String> {
        let text = format!("{BEFORE}{text}");
        let offset = text.find('|').expect("a mark");
        let offer = complete(&Scope::alone(&text.replacen('|', "", 1)), offset);
        offer.candidates.into_iter().map(|candidate| candidate.label).collect()
    }

    #[track_caller]
    fn offers(text: &str, some: &[&str], none: &[&str]) {
        let offered = offered(text);
        for label in some {
            assert!(offered.iter().any(|other| other == label), "{text}: {label} is not in {offered:?}");
        }
        for label in none {
            assert!(!offered.iter().any(|other| other == label), "{text}: {label} is in {offered:?}");
        }
    }

    #[test]
    fn nodes_are_those_of_the_place() {
        offers("|", &["workload", "test", "setup"], &["plan", "measure", "threads", "rig"]);
        offers("te|", &["test"], &["plan"]);
        offers("test \"t\" { me|", &["measure", "fill", "apply"], &["threads", "workload", "application"]);
        offers("test \"t\" {\n measure \"w {\n  thr|\n", &["threads", "queue-depth", "run"], &["measure"]);
        offers("test \"t\" { measure \"w-1\" { threads 4; |; run \"1s\" }", &["ramp"], &["threads", "run"]);
        offers("nonsense { |", &[], &["workload", "threads"]);
    }

    #[test]
    fn values_and_properties_are_those_of_the_node() {
        offers("workload \"x\" { access |", &["random", "sequential", "cursor=", "order=", "$size"], &["threads"]);
        offers("workload \"x\" { access \"|\" }", &["random", "sequential"], &["cursor="]);
        offers("workload \"x\" { access \"sequential\" cursor=\"|", &["shared", "lanes"], &["random"]);
        offers("test \"t\" { fill |", &["passes=", "on="], &["as="]);
        offers("(|", &["published", "chosen"], &["plan"]);
        offers("workload \"x\" { read (pub|", &["published"], &[]);
    }

    #[test]
    fn names_are_those_that_are_defined_anywhere() {
        offers("test \"t\" { measure \"|\n}\nworkload \"later\" {}", &["w-1", "later"], &["q", "t"]);
        offers("test \"t\" { apply |", &["q"], &["w-1"]);
        offers("test \"t\" { apply \"q\" |", &["depth="], &[]);
        offers("test \"t\" { measure \"w-1\" as=\"m\" { }; allow \"unwritten-reads\" in=|", &["m"], &["w-1"]);
        offers("procedure \"r\" { needs \"a\"; measure $|", &["$a", "$size"], &["$depth"]);
        offers("workload \"|", &[], &["w-1", "$size"]);
    }

    #[test]
    fn numbers_get_the_units_that_fit() {
        offers("workload \"x\" { block-size \"4|", &["4KiB", "4kB"], &["4s", "4%"]);
        offers("workload \"x\" { block-size 4K|", &["4KiB", "4kB"], &["4s"]);
        offers("test \"t\" { measure \"w-1\" { run \"1h30|\" } }", &["1h", "1s"], &["1KiB"]);
        offers("workload \"x\" { read \"70|\"; }", &["70%"], &["70KiB"]);
        let text = "workload \"x\" { block-size 4K";
        let offer = complete(&Scope::alone(text), text.len());
        let first = offer.candidates.iter().find(|candidate| candidate.label == "4KiB").expect("is offered");
        assert_eq!(
            (first.text.as_str(), first.span, first.detail.as_str()),
            ("\"4KiB\"", Span::new(26, 28), "4,096 bytes")
        );
        assert!(offer.is_incomplete);
    }

    #[test]
    fn comments_and_closed_strings_are_left_alone() {
        for text in ["// |", "/* | */", "test \"t\"|"] {
            assert!(offered(text).is_empty(), "{text}");
        }
    }
}
