use std::sync::Arc;

use crate::diag::Diagnostics;
use crate::text::{SourceFile, Span, Spanned};

use super::Literal;

/// A text that is KDL: its nodes with the places of everything in them. Says nothing about their meaning.
#[derive(Debug, Clone)]
pub struct Document {
    /// Where it was read from.
    pub source: SourceFile,
    /// The top-level nodes, in the order in which they stand.
    pub nodes: Vec<Node>,
    /// Warnings and remarks about the text itself.
    pub remarks: Diagnostics,
}

/// One node: a name, arguments, properties and children.
///
/// Plain data that may be changed (a parameter replaced by its value); the spans keep pointing at what was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The word in parentheses before the name; the span is that of the word.
    pub annotation: Option<Spanned<Arc<str>>>,
    /// The name, as it reads (quotes and escapes resolved).
    pub name: Spanned<Arc<str>>,
    /// Values without a key, in order.
    pub arguments: Vec<Literal>,
    /// Values with a key, in order; the same key may occur twice.
    pub properties: Vec<Property>,
    /// The nodes in braces. `None` where no braces stand, so that `a {}` and `a` can be told apart.
    pub children: Option<Vec<Node>>,
    /// From the annotation or name to the closing brace or last value.
    pub span: Span,
}

/// One `key=value` of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// The key.
    pub key: Spanned<Arc<str>>,
    /// The value.
    pub value: Literal,
}

impl Property {
    /// Key and value.
    pub fn span(&self) -> Span {
        self.key.span.to(self.value.span)
    }
}

impl Node {
    /// A node without anything but its name, which is also its whole extent.
    pub fn new(name: &str, span: Span) -> Self {
        Self {
            annotation: None,
            name: Spanned::new(name.into(), span),
            arguments: Vec::new(),
            properties: Vec::new(),
            children: None,
            span,
        }
    }

    /// The name alone.
    pub fn name(&self) -> &str {
        &self.name.value
    }

    /// From the name to the last value, without the children: what a diagnostic underlines that is about the whole node.
    pub fn head(&self) -> Span {
        let ends = self.arguments.iter().map(|argument| argument.span);
        let ends = ends.chain(self.properties.iter().map(Property::span));
        ends.fold(self.name.span, Span::to)
    }

    /// The children, none where no braces stand.
    pub fn children(&self) -> &[Node] {
        self.children.as_deref().unwrap_or_default()
    }
}
