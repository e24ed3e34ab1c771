//! From the parser's tree to ours: the only place that knows how its places are counted.

use std::sync::Arc;

use kdl::{KdlDocument, KdlEntry, KdlIdentifier, KdlNode, KdlValue};

use crate::text::{Span, Spanned};

use super::{Literal, Node, Property, Value};

/// The nodes of a document, with the text that was parsed: comments and dropped parts are blanks in it, all else is as written.
pub(super) fn converted(text: &str, document: &KdlDocument) -> Vec<Node> {
    document.nodes().iter().map(|node| converted_node(text, node)).collect()
}

fn converted_node(text: &str, node: &KdlNode) -> Node {
    let (mut arguments, mut properties) = (Vec::new(), Vec::new());
    for entry in node.entries() {
        let value = converted_value(text, entry);
        match entry.name() {
            Some(key) => properties.push(Property { key: converted_name(text, key), value }),
            None => arguments.push(value),
        }
    }
    let name = converted_name(text, node.name());
    let annotation = node.ty().map(|ty| converted_name(text, ty));
    let start = annotation.as_ref().map_or(name.span.start, |annotation| {
        text[..annotation.span.start].rfind('(').unwrap_or(annotation.span.start)
    });
    let children = node.children().map(|children| converted(text, children));
    // The parser's end takes blanks behind the node along.
    let parsed_end = node.span().offset() + node.span().len();
    let end = text.get(..parsed_end).map_or(name.span.end, |upto| upto.trim_end().len()).max(name.span.end);
    Node { annotation, name, arguments, properties, children, span: Span::new(start, end) }
}

fn converted_name(text: &str, name: &KdlIdentifier) -> Spanned<Arc<str>> {
    let start = name.span().offset();
    let length = name.repr().map_or(name.span().len(), str::len);
    Spanned::new(name.value().into(), within(text, Span::new(start, start + length)))
}

fn converted_value(text: &str, entry: &KdlEntry) -> Literal {
    // An entry's span also covers its key and annotation; the value is the last of it.
    let end = entry.span().offset() + entry.span().len();
    let length = entry.format().map_or(entry.span().len(), |format| format.value_repr.len());
    let span = within(text, Span::new(end.saturating_sub(length), end));
    Literal {
        annotation: entry.ty().map(|ty| converted_name(text, ty)),
        value: match entry.value() {
            KdlValue::String(string) => Value::Text(string.as_str().into()),
            KdlValue::Integer(number) => Value::Integer(*number),
            KdlValue::Float(number) => Value::Float(*number),
            KdlValue::Bool(on) => Value::Bool(*on),
            KdlValue::Null => Value::Null,
        },
        written: text[span.start..span.end].into(),
        span,
    }
}

/// The span, or an empty one at the end of the text should the parser ever count otherwise than we think.
fn within(text: &str, span: Span) -> Span {
    if text.get(span.start..span.end).is_some() { span } else { Span::new(text.len(), text.len()) }
}
