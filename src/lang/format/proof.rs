//! That a formatted text says what it said before.

use crate::diag::{Diagnostic, code};
use crate::text::SourceFile;

use super::super::scan::tokens;
use super::super::{Document, Literal, Node, Value, read};
use super::layout::{laid_out, unix_line_ends};

/// What the formatted text no longer has of the one before; `None` where all is kept and a second pass changes nothing.
pub(super) fn difference(before: &Document, formatted: &str) -> Option<String> {
    let Ok(after) = read(&SourceFile::new(before.source.name(), formatted)) else {
        return Some("it would no longer be KDL".into());
    };
    if let Some(node) = first_unlike(&before.nodes, &after.nodes) {
        return Some(format!("the node `{node}` would read otherwise"));
    }
    if comments(before.source.text()) != comments(formatted) {
        return Some("a comment would be lost or changed".into());
    }
    (laid_out(formatted).as_deref() != Some(formatted)).then(|| "a second pass would change it again".into())
}

/// The refusal; it can only be a mistake of the formatter.
pub(super) fn not_kept(difference: &str) -> Diagnostic {
    Diagnostic::error(code::FORMAT_NOT_KEPT, format!("the formatter is mistaken about this text: {difference}"))
        .help("the plan is fine and stays as it is; please report this together with the text")
}

/// The name of the first node that differs in what it says, places aside.
fn first_unlike<'n>(before: &'n [Node], after: &'n [Node]) -> Option<&'n str> {
    let pairs = before.iter().zip(after);
    for (one, other) in pairs {
        if !alike(one, other) {
            return Some(one.name());
        }
        if let Some(name) = first_unlike(one.children(), other.children()) {
            return Some(name);
        }
    }
    let rest = before.get(after.len()).or_else(|| after.get(before.len()));
    rest.map(Node::name)
}

/// The same name, values and properties, and children braces on both or on neither.
fn alike(one: &Node, other: &Node) -> bool {
    let properties = |node: &Node| node.properties.len();
    word(one.annotation.as_ref()) == word(other.annotation.as_ref())
        && one.name.value == other.name.value
        && one.children.is_some() == other.children.is_some()
        && one.arguments.len() == other.arguments.len()
        && one.arguments.iter().zip(&other.arguments).all(|(one, other)| same_literal(one, other))
        && properties(one) == properties(other)
        && one
            .properties
            .iter()
            .zip(&other.properties)
            .all(|(one, other)| one.key.value == other.key.value && same_literal(&one.value, &other.value))
}

fn word(annotation: Option<&crate::text::Spanned<std::sync::Arc<str>>>) -> Option<&str> {
    annotation.map(|annotation| &*annotation.value)
}

/// The same value in the same spelling, save for the line ends within a string.
fn same_literal(one: &Literal, other: &Literal) -> bool {
    let same_value = match (&one.value, &other.value) {
        // Not a number is unlike itself.
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    };
    same_value
        && word(one.annotation.as_ref()) == word(other.annotation.as_ref())
        && unix_line_ends(&one.written) == unix_line_ends(&other.written)
}

/// The comments and what `/-` drops have no place in the tree: every token but line ends and `;`, in order, save that
/// the lines of a comment may be indented otherwise.
fn comments(text: &str) -> Vec<String> {
    tokens(text)
        .iter()
        .filter(|token| token.kind != super::super::scan::TokenKind::Newline && !token.is_sign(';'))
        .map(|token| {
            let text = unix_line_ends(token.text);
            if token.is_comment() { text.lines().map(str::trim).collect::<Vec<_>>().join("\n") } else { text.into() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &str, after: &str) -> Option<String> {
        let before = read(&SourceFile::new("a.kdl", before)).expect("is KDL");
        difference(&before, after)
    }

    #[test]
    fn every_loss_is_found() {
        let before = "a 1 x=2 { b \"s\"; } // c\n/- d 0x10\n(t)e (u)#nan\n";
        assert_eq!(found(before, before), None);
        for (from, to, part) in [
            ("a 1", "a 2", "`a`"),
            ("x=2", "y=2", "`a`"),
            ("x=2", "x=3", "`a`"),
            ("x=2", "x=2 x=2", "`a`"),
            ("\"s\"", "s", "`b`"),
            ("b \"s\"; ", "", "`b`"),
            ("{ b \"s\"; } ", "", "`a`"),
            ("(t)", "(v)", "`e`"),
            ("(u)", "", "`e`"),
            ("(t)e (u)#nan\n", "", "`e`"),
            ("(t)e (u)#nan\n", "(t)e (u)#nan\nf\n", "`f`"),
            ("// c", "", "comment"),
            ("// c", "// cc", "comment"),
            ("/- d 0x10\n", "", "comment"),
            ("0x10", "16", "comment"),
            ("{ b", "{ b {", "KDL"),
            ("\n/-", "\n\n\n/-", "second pass"),
        ] {
            let changed = before.replace(from, to);
            assert_ne!(before, changed);
            let difference = found(before, &changed).expect("a difference");
            assert!(difference.contains(part), "{from:?} to {to:?}: {difference}");
        }
    }

    #[test]
    fn the_refusal_asks_for_a_report() {
        let refusal = not_kept("x");
        assert_eq!(refusal.code, code::FORMAT_NOT_KEPT);
        assert!(refusal.help.is_some_and(|help| help.contains("report")));
    }
}
