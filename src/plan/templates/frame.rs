use std::collections::HashSet;
use std::sync::Arc;

use crate::lang::{Literal, Node, Property};
use crate::plan::texts::Texts;
use crate::text::{Span, Spanned};

use super::procedure::Procedure;

/// What a template is seen from at one of its calls: the values of its names, and where its text is put.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// Where the template's text begins, and where the stretch of this call does; both 0 at the outermost level.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The names with their values, the innermost last.
    pub(super) values: Vec<Bound>,
    /// What steps come from that do not say so themselves: the annotation of the procedure, or of the call.
    pub(super) annotation: Option<Spanned<Arc<str>>>,
    pub(super) is_inner: bool,
    /// The names of all `for-each` around, those of the callers too, with their places.
    pub(super) axes: Vec<(String, Span)>,
}

/// A name of a template with its value.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub(super) name: String,
    /// `None` where it has none, which has been reported.
    pub(super) value: Option<Literal>,
}

impl Frame {
    /// Outside of all templates.
    pub(super) fn outermost() -> Self {
        Self::default()
    }

    /// Of a procedure by itself: no name has a value, and the text stays where it is.
    pub(super) fn open(procedure: &Procedure) -> Self {
        let values = procedure.needs.iter().map(|name| Bound { name: name.value.clone(), value: None }).collect();
        Self { values, annotation: procedure.annotation.clone(), is_inner: true, ..Self::default() }
    }

    pub(super) const fn is_outermost(&self) -> bool {
        !self.is_inner
    }

    /// The same for what stands inside of a step: what that step comes from holds for it.
    pub(super) fn inside(&self) -> Self {
        Self { annotation: None, ..self.clone() }
    }

    /// A step of the template as it stands in the plan.
    pub(super) fn written(&self, node: &Node, texts: &mut Texts, unknown: &mut HashSet<Span>) -> Node {
        let children = node.children.as_ref();
        let children =
            children.map(|children| children.iter().map(|child| self.inner(child, texts, unknown)).collect());
        Node { children, ..self.head(node, texts, unknown) }
    }

    /// The same without what stands in braces.
    pub(super) fn head(&self, node: &Node, texts: &mut Texts, unknown: &mut HashSet<Span>) -> Node {
        let mut head = self.inner_head(node, texts, unknown);
        if head.annotation.is_none() {
            head.annotation.clone_from(&self.annotation);
        }
        head
    }

    fn inner(&self, node: &Node, texts: &mut Texts, unknown: &mut HashSet<Span>) -> Node {
        let children = node.children.as_ref();
        let children =
            children.map(|children| children.iter().map(|child| self.inner(child, texts, unknown)).collect());
        Node { children, ..self.inner_head(node, texts, unknown) }
    }

    fn inner_head(&self, node: &Node, texts: &mut Texts, unknown: &mut HashSet<Span>) -> Node {
        Node {
            annotation: self.annotation(&node.annotation),
            name: self.name(&node.name),
            arguments: node.arguments.iter().map(|value| self.value(value, texts, unknown)).collect(),
            properties: node
                .properties
                .iter()
                .map(|property| Property {
                    key: self.name(&property.key),
                    value: self.value(&property.value, texts, unknown),
                })
                .collect(),
            children: None,
            span: self.place(node.span),
        }
    }

    /// A value, or what stands in for `$name`. The value's own annotation wins, else that of the place holds.
    pub(super) fn value(&self, literal: &Literal, texts: &mut Texts, unknown: &mut HashSet<Span>) -> Literal {
        let span = self.place(literal.span);
        let mut written = Literal { annotation: self.annotation(&literal.annotation), span, ..literal.clone() };
        let Some(name) = literal.parameter() else { return written };
        match self.values.iter().rev().find(|bound| bound.name == name) {
            Some(Bound { value: Some(given), .. }) => {
                written.annotation = given.annotation.clone().or(written.annotation);
                written.value = given.value.clone();
                written.written = given.written.clone();
                texts.note_given(span, given.span);
                if unknown.contains(&given.span) {
                    unknown.insert(span);
                }
            }
            Some(Bound { value: None, .. }) => {
                unknown.insert(span);
            }
            None => {}
        }
        written
    }

    /// A place of the template as one of this call.
    pub(super) fn place(&self, span: Span) -> Span {
        let moved = |at: usize| at.saturating_sub(self.from) + self.to;
        Span::new(moved(span.start), moved(span.end))
    }

    fn name(&self, name: &Spanned<Arc<str>>) -> Spanned<Arc<str>> {
        Spanned::new(name.value.clone(), self.place(name.span))
    }

    pub(super) fn annotation(&self, annotation: &Option<Spanned<Arc<str>>>) -> Option<Spanned<Arc<str>>> {
        annotation.as_ref().map(|annotation| self.name(annotation))
    }
}
