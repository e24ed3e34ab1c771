use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::text::{Span, Spanned};

use super::{Advice, Document, Literal, Node, Property, Provenance, Vocabulary};

/// Takes one node apart: what has been taken is gone, and [`NodeCursor::finish`] reports everything that nobody took.
///
/// So nothing in a plan is ignored in silence. A cursor borrows its node; to decode a node whose parameters have been
/// replaced, make the changed [`Node`] first and a cursor over it.
#[derive(Debug)]
pub struct NodeCursor<'n> {
    name: Option<Spanned<&'n str>>,
    head: Span,
    arguments: &'n [Literal],
    properties: Vec<(&'n Property, bool)>,
    children: Vec<(&'n Node, bool)>,
    annotation: Option<&'n Spanned<std::sync::Arc<str>>>,
    asked_keys: Vec<String>,
    asked_nodes: Vec<String>,
}

impl<'n> NodeCursor<'n> {
    /// Over one node.
    pub fn new(node: &'n Node) -> Self {
        Self {
            name: Some(Spanned::new(node.name(), node.name.span)),
            head: node.head(),
            arguments: &node.arguments,
            properties: node.properties.iter().map(|property| (property, false)).collect(),
            children: node.children().iter().map(|child| (child, false)).collect(),
            annotation: node.annotation.as_ref(),
            asked_keys: Vec::new(),
            asked_nodes: Vec::new(),
        }
    }

    /// Over the top-level nodes of a document, as if they were the children of one node.
    pub fn over(document: &'n Document) -> Self {
        Self {
            name: None,
            head: Span::default(),
            arguments: &[],
            properties: Vec::new(),
            children: document.nodes.iter().map(|node| (node, false)).collect(),
            annotation: None,
            asked_keys: Vec::new(),
            asked_nodes: Vec::new(),
        }
    }

    /// The node's name with its place; an empty one for a document.
    pub fn name(&self) -> Spanned<&'n str> {
        self.name.unwrap_or(Spanned::new("", Span::default()))
    }

    /// From the name to the last value: what a diagnostic about the whole node underlines.
    pub fn head(&self) -> Span {
        self.head
    }

    /// Where the node as a whole comes from; an annotation that is no provenance is reported.
    pub fn provenance(&self, diagnostics: &mut Diagnostics) -> Option<Provenance> {
        Provenance::read(self.annotation, diagnostics)
    }

    /// The next argument, if there is one.
    pub fn take_argument(&mut self) -> Option<&'n Literal> {
        let (first, rest) = self.arguments.split_first()?;
        self.arguments = rest;
        Some(first)
    }

    /// The next argument, which must be there. `wanted` says what it is, with its article: `a size`.
    pub fn need_argument(&mut self, wanted: &str, diagnostics: &mut Diagnostics) -> Option<&'n Literal> {
        let taken = self.take_argument();
        if taken.is_none() {
            let name = self.name();
            diagnostics.push(
                Diagnostic::error(code::VALUE_MISSING, format!("`{}` stands without its value", name.value))
                    .label(name.span, format!("needs {wanted}")),
            );
        }
        taken
    }

    /// All arguments that are left.
    pub fn take_arguments(&mut self) -> &'n [Literal] {
        std::mem::take(&mut self.arguments)
    }

    /// The value of a property, if it is there. A second one of the same key is reported.
    pub fn take_property(&mut self, key: &str, diagnostics: &mut Diagnostics) -> Option<&'n Literal> {
        self.asked_keys.push(key.to_string());
        let mut found: Option<&'n Property> = None;
        for (property, taken) in &mut self.properties {
            if &*property.key.value != key || *taken {
                continue;
            }
            *taken = true;
            match found {
                None => found = Some(property),
                Some(first) => {
                    let name = format!("{key}=");
                    diagnostics.push(given_twice(&name, first.key.span, property.key.span, property.span()));
                }
            }
        }
        found.map(|property| &property.value)
    }

    /// The value of a property that must be there. `wanted` says what it is, with its article.
    pub fn need_property(&mut self, key: &str, wanted: &str, diagnostics: &mut Diagnostics) -> Option<&'n Literal> {
        let taken = self.take_property(key, diagnostics);
        if taken.is_none() {
            let name = self.name();
            diagnostics.push(
                Diagnostic::error(code::VALUE_MISSING, format!("`{}` needs the property `{key}=`", name.value))
                    .label(name.span, format!("needs `{key}=` with {wanted}")),
            );
        }
        taken
    }

    /// All properties that are left, in order, for nodes that take any key. Repeated keys are reported.
    pub fn take_properties(&mut self, diagnostics: &mut Diagnostics) -> Vec<&'n Property> {
        let mut all: Vec<&'n Property> = Vec::new();
        for (property, taken) in &mut self.properties {
            if std::mem::replace(taken, true) {
                continue;
            }
            match all.iter().find(|earlier| earlier.key.value == property.key.value) {
                None => all.push(property),
                Some(first) => {
                    let name = format!("{}=", property.key.value);
                    diagnostics.push(given_twice(&name, first.key.span, property.key.span, property.span()));
                }
            }
        }
        all
    }

    /// The child of a name that may stand once. A second one is reported, and the first counts.
    pub fn take_child(&mut self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'n Node> {
        let all = self.take_children(name);
        let (first, further) = all.split_first()?;
        for again in further {
            diagnostics.push(given_twice(name, first.name.span, again.name.span, again.span));
        }
        Some(first)
    }

    /// All children of a name, in order.
    pub fn take_children(&mut self, name: &str) -> Vec<&'n Node> {
        self.asked_nodes.push(name.to_string());
        let mut found = Vec::new();
        for (child, taken) in &mut self.children {
            if child.name() == name && !*taken {
                *taken = true;
                found.push(*child);
            }
        }
        found
    }

    /// The children of any of some names that are left, in the order in which they stand: a list of steps.
    pub fn take_children_of(&mut self, names: &[&str]) -> Vec<&'n Node> {
        self.asked_nodes.extend(names.iter().map(|name| name.to_string()));
        let mut found = Vec::new();
        for (child, taken) in &mut self.children {
            if names.contains(&child.name()) && !*taken {
                *taken = true;
                found.push(*child);
            }
        }
        found
    }

    /// Reports everything that nobody took: arguments, properties and children that mean nothing here.
    pub fn finish(self, vocabulary: &dyn Vocabulary, diagnostics: &mut Diagnostics) {
        let parent = self.name().value;
        if let [first, .., last] | [first @ last] = self.arguments {
            let (noun, verb) = if self.arguments.len() == 1 { ("value", "is") } else { ("values", "are") };
            let written: Vec<&str> = self.arguments.iter().take(3).map(|literal| &*literal.written).collect();
            let more = if self.arguments.len() > 3 { " \u{2026}" } else { "" };
            diagnostics.push(
                Diagnostic::error(
                    code::NAME_SURPLUS_ARGUMENT,
                    format!("{}{more} {verb} more than `{parent}` takes", written.join(" ")),
                )
                .label(first.span.to(last.span), format!("surplus {noun}")),
            );
        }
        for (property, _) in self.properties.iter().filter(|(_, taken)| !taken) {
            let key = &*property.key.value;
            let advice = or_nearest(vocabulary.property(key, parent), key, &self.asked_keys);
            diagnostics.push(unknown_property(&property.key, parent, &advice));
        }
        for (child, _) in self.children.iter().filter(|(_, taken)| !taken) {
            let advice = or_nearest(vocabulary.node(child.name(), parent), child.name(), &self.asked_nodes);
            diagnostics.push(unknown_node(child, parent, &advice));
        }
    }
}

/// `whole` is all that the second one is.
fn given_twice(name: &str, first: Span, again: Span, whole: Span) -> Diagnostic {
    Diagnostic::error(code::NAME_DUPLICATE, format!("`{name}` is given more than once"))
        .label(again, "given again here")
        .also(first, "first given here")
        .help("keep one of them")
        .remedy("leave the second one out", whole, "")
}

/// What the vocabulary says, or the nearest of the names that were asked for.
fn or_nearest(advice: Advice, written: &str, asked: &[String]) -> Advice {
    match advice {
        Advice::Unheard => suggest::nearest(written, asked.iter().map(String::as_str))
            .map_or(Advice::Unheard, |name| Advice::Similar(name.to_string())),
        told => told,
    }
}

fn unknown_property(key: &Spanned<std::sync::Arc<str>>, parent: &str, advice: &Advice) -> Diagnostic {
    let name = &*key.value;
    let (code, message, label) = match advice {
        Advice::NotBuiltYet => {
            (code::NAME_NOT_BUILT_YET, format!("`{name}=` is not built yet"), "this version cannot do it".into())
        }
        Advice::Misplaced(belongs) => {
            (code::NAME_MISPLACED, format!("`{name}=` has no meaning at `{parent}`"), belongs.clone())
        }
        Advice::Foreign(instead, _) => {
            (code::NAME_UNKNOWN_PROPERTY, format!("`{parent}` has no property `{name}=`"), instead.clone())
        }
        Advice::Similar(near) => (
            code::NAME_UNKNOWN_PROPERTY,
            format!("`{parent}` has no property `{name}=`"),
            format!("did you mean `{near}=`?"),
        ),
        Advice::Unheard => {
            (code::NAME_UNKNOWN_PROPERTY, format!("`{parent}` has no property `{name}=`"), "not known here".into())
        }
    };
    renamed(Diagnostic::error(code, message).label(key.span, label), key.span, advice)
}

/// With the remedy that puts another name in the place of the one that means nothing.
fn renamed(diagnostic: Diagnostic, name: Span, advice: &Advice) -> Diagnostic {
    match advice {
        Advice::Similar(near) => diagnostic.rewrite(name, near),
        Advice::Foreign(_, Some(word)) => diagnostic.rewrite(name, *word),
        _ => diagnostic,
    }
}

fn unknown_node(node: &Node, parent: &str, advice: &Advice) -> Diagnostic {
    let name = node.name();
    let unknown = || format!("`{name}` is not a word of the plan language");
    let (code, message, label) = match advice {
        Advice::NotBuiltYet => {
            (code::NAME_NOT_BUILT_YET, format!("`{name}` is not built yet"), "this version cannot do it".into())
        }
        Advice::Misplaced(belongs) if parent.is_empty() => {
            (code::NAME_MISPLACED, format!("`{name}` has no meaning at the top level"), belongs.clone())
        }
        Advice::Misplaced(belongs) => {
            (code::NAME_MISPLACED, format!("`{name}` has no meaning in `{parent}`"), belongs.clone())
        }
        Advice::Foreign(instead, _) => (code::NAME_UNKNOWN_NODE, unknown(), instead.clone()),
        Advice::Similar(near) => (code::NAME_UNKNOWN_NODE, unknown(), format!("did you mean `{near}`?")),
        Advice::Unheard => (code::NAME_UNKNOWN_NODE, unknown(), "not known here".into()),
    };
    renamed(Diagnostic::error(code, message).label(node.name.span, label), node.name.span, advice)
}

#[cfg(test)]
mod tests {
    use super::super::{NoWords, read};
    use super::*;
    use crate::text::SourceFile;

    fn document(text: &str) -> Document {
        read(&SourceFile::new("a.kdl", text)).expect("is KDL")
    }

    fn told(diagnostics: &Diagnostics) -> Vec<(&'static str, String)> {
        let told = |diagnostic: &&Diagnostic| {
            (diagnostic.code.id(), diagnostic.primary().map_or(String::new(), |label| label.text.clone()))
        };
        diagnostics.ordered().iter().map(told).collect()
    }

    #[test]
    fn what_is_taken_is_gone_and_the_rest_is_reported() {
        let document = document("fill 1 2 3 pases=2 on=\"device\" { thread 4; run \"1s\"; }");
        let mut found = Diagnostics::new(&document.source);
        let mut cursor = NodeCursor::new(&document.nodes[0]);
        assert_eq!(cursor.take_argument().map(|literal| &*literal.written), Some("1"));
        assert!(cursor.take_property("on", &mut found).is_some());
        assert!(cursor.take_property("passes", &mut found).is_none());
        assert!(cursor.take_child("threads", &mut found).is_none());
        assert!(cursor.take_child("run", &mut found).is_some());
        cursor.finish(&NoWords, &mut found);
        let expected = [
            ("name/surplus-argument", "surplus values"),
            ("name/unknown-property", "did you mean `passes=`?"),
            ("name/unknown-node", "did you mean `threads`?"),
        ];
        assert_eq!(told(&found), expected.map(|(code, label)| (code, label.to_string())));
    }

    #[test]
    fn what_may_stand_once_labels_both_places() {
        let document = document("a x=1 x=2 { b 1; c; b 2; }");
        let mut found = Diagnostics::new(&document.source);
        let mut cursor = NodeCursor::new(&document.nodes[0]);
        assert_eq!(cursor.take_property("x", &mut found).map(|literal| &*literal.written), Some("1"));
        let first = cursor.take_child("b", &mut found).expect("is there");
        assert_eq!(&*first.arguments[0].written, "1");
        assert_eq!(cursor.take_children_of(&["c", "d"]).len(), 1);
        cursor.finish(&NoWords, &mut found);
        assert_eq!(
            told(&found),
            [("name/duplicate", "given again here".into()), ("name/duplicate", "given again here".into())]
        );
        assert!(found.all().iter().all(|diagnostic| diagnostic.labels.len() == 2));
    }

    #[test]
    fn what_must_be_there_is_asked_for_by_kind() {
        let document = document("run; curve");
        let mut found = Diagnostics::new(&document.source);
        assert!(NodeCursor::new(&document.nodes[0]).need_argument("a time", &mut found).is_none());
        assert!(NodeCursor::new(&document.nodes[1]).need_property("from", "a percentage", &mut found).is_none());
        let expected = [("value/missing", "needs a time"), ("value/missing", "needs `from=` with a percentage")];
        assert_eq!(told(&found), expected.map(|(code, label)| (code, label.to_string())));
    }

    #[test]
    fn a_vocabulary_answers_for_names_that_nobody_took() {
        struct Words;
        impl Vocabulary for Words {
            fn node(&self, name: &str, parent: &str) -> Advice {
                match (name, parent) {
                    ("ramp", "workload") => Advice::Misplaced("stands in `measure`".into()),
                    ("replay", _) => Advice::NotBuiltYet,
                    ("iodepth", _) => Advice::Foreign("fio's `iodepth` is written `queue-depth` here".into(), None),
                    _ => Advice::Unheard,
                }
            }
            fn property(&self, _: &str, _: &str) -> Advice {
                Advice::Unheard
            }
        }
        let document = document("workload { ramp; replay; iodepth; zzz; }");
        let mut found = Diagnostics::new(&document.source);
        NodeCursor::new(&document.nodes[0]).finish(&Words, &mut found);
        let expected = [
            ("name/misplaced", "stands in `measure`"),
            ("name/not-built-yet", "this version cannot do it"),
            ("name/unknown-node", "fio's `iodepth` is written `queue-depth` here"),
            ("name/unknown-node", "not known here"),
        ];
        assert_eq!(told(&found), expected.map(|(code, label)| (code, label.to_string())));
    }

    #[test]
    fn annotations_are_provenance_or_refused() {
        let document = document("(published)a (chosen)1 (u8)2");
        let mut found = Diagnostics::new(&document.source);
        let mut cursor = NodeCursor::new(&document.nodes[0]);
        assert_eq!(cursor.provenance(&mut found), Some(Provenance::Published));
        let values = cursor.take_arguments();
        assert_eq!(values[0].provenance(&mut found), Some(Provenance::Chosen));
        assert_eq!(values[1].provenance(&mut found), None);
        assert_eq!(told(&found), [("name/unknown-annotation", "no word of provenance".into())]);
    }
}
