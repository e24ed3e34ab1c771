//! Templates: every `apply` becomes the steps or loads of its procedure, and every `for-each` its steps once for each
//! value, before anything is decoded, with arguments and values in the place of `$name`.
//!
//! How much a plan grows by this is counted first, so that a short text cannot fill the memory. Must never decide what a
//! step means: that is `decode`.

mod apply;
mod for_each;
#[cfg(test)]
mod for_each_tests;
mod frame;
mod order;
mod procedure;
mod size;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Document, Node};
use crate::text::Span;

use super::limits;
use super::texts::Texts;
use frame::Frame;
use procedure::{Holds, Procedure};
use size::Size;

/// What templates left behind beside the steps.
#[derive(Debug, Default)]
pub(super) struct Filled {
    /// Where a `$name` has no value because its argument is missing, which has been reported.
    pub(super) unknown: HashSet<Span>,
    /// The steps of procedures that nothing applies, without their arguments: their shape is checked all the same.
    pub(super) unapplied: Vec<Node>,
}

/// True for nodes that stand for steps elsewhere; those that are still there after [`fill`] have been reported.
pub(super) fn is_template(name: &str) -> bool {
    matches!(name, "apply" | "for-each")
}

/// What can stand at a place that templates fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Steps.
    Steps,
    /// Loads of one `measure` or `precondition`.
    Loads,
}

impl Takes {
    /// What the nodes inside of a step, or of a part of one, can stand for; `None` where no template can.
    fn inside(name: &str) -> Option<Self> {
        match name {
            "rounds" | "for-each" | "between-cases" => Some(Takes::Steps),
            "measure" | "precondition" => Some(Takes::Loads),
            _ => None,
        }
    }
}

/// True where some template stands in a node, at whatever depth.
fn holds_template(node: &Node) -> bool {
    node.children().iter().any(|child| is_template(child.name()) || holds_template(child))
}

/// Puts what they stand for in the place of every `apply` and `for-each`, and reports what is wrong with either.
pub(super) fn fill(document: &mut Document, texts: &mut Texts, diagnostics: &mut Diagnostics) -> Filled {
    let procedures = procedure::all(document, diagnostics);
    let sizes = order::sizes(&procedures, diagnostics);
    let applied = procedure::applied(document);
    for_each::check(document, diagnostics);
    let mut filling = Filling {
        procedures: &procedures,
        sizes: &sizes,
        texts,
        diagnostics,
        unknown: HashSet::new(),
        grown: Size::default(),
    };
    for node in document.nodes.iter_mut().filter(|node| matches!(node.name(), "setup" | "before-each" | "test")) {
        if holds_template(node) {
            let mut steps = Vec::new();
            filling.put_in(node.children(), &Frame::outermost(), Takes::Steps, &mut steps);
            node.children = Some(steps);
        }
    }
    let mut unapplied = Vec::new();
    for procedure in procedures.iter().filter(|procedure| !applied.contains(&procedure.name.value)) {
        filling.diagnostics.push(
            Diagnostic::warning(
                code::PROCEDURE_UNUSED,
                format!("nothing applies the procedure {:?}", procedure.name.value),
            )
            .label(procedure.name.span, "has no effect")
            .help("apply it in a test, or leave it out"),
        );
        filling.alone(procedure, &mut unapplied);
    }
    Filled { unknown: filling.unknown, unapplied }
}

/// The work of [`fill`] on one document.
struct Filling<'p> {
    procedures: &'p [Procedure],
    /// What each procedure grows to; `None` where that has no end, or another reported reason not to apply it.
    sizes: &'p [Option<Size>],
    texts: &'p mut Texts,
    diagnostics: &'p mut Diagnostics,
    unknown: HashSet<Span>,
    /// All that has been put in so far.
    grown: Size,
}

impl Filling<'_> {
    /// Writes the steps or loads that `nodes` stand for, as seen from `frame`. What cannot be put in stays as it is.
    fn put_in(&mut self, nodes: &[Node], frame: &Frame, takes: Takes, steps: &mut Vec<Node>) {
        for node in nodes {
            let is_put_in = match node.name() {
                "apply" => {
                    let call = frame.written(node, self.texts, &mut self.unknown);
                    self.has_room(node, frame) && self.apply(node, &call, frame, takes, steps)
                }
                "for-each" if takes == Takes::Steps => self.has_room(node, frame) && self.for_each(node, frame, steps),
                _ => false,
            };
            if !is_put_in {
                let written = self.written(node, frame);
                steps.push(written);
            }
        }
    }

    /// A node that is no template, with what templates in it stand for.
    fn written(&mut self, node: &Node, frame: &Frame) -> Node {
        let takes = Takes::inside(node.name()).filter(|_| !is_template(node.name()) && holds_template(node));
        let Some(takes) = takes else { return frame.written(node, self.texts, &mut self.unknown) };
        let mut written = frame.head(node, self.texts, &mut self.unknown);
        let mut children = Vec::new();
        self.put_in(node.children(), &frame.inside(), takes, &mut children);
        written.children = Some(children);
        written
    }

    /// The steps of a procedure that nothing applies, with its parameters left open.
    fn alone(&mut self, procedure: &Procedure, steps: &mut Vec<Node>) {
        let Some(size) = self.size_of(procedure) else { return };
        if self.grown.and(&size).is_allowed() {
            self.grown = self.grown.and(&size);
            let frame = Frame::open(procedure);
            let takes = if procedure.holds == Holds::Loads { Takes::Loads } else { Takes::Steps };
            self.put_in(&procedure.body, &frame, takes, steps);
        }
    }

    fn size_of(&self, procedure: &Procedure) -> Option<Size> {
        self.sizes.get(procedure.index).copied().flatten()
    }

    /// Counts what a template at the outermost level grows to; false, with a report, where that is too much. What stands
    /// inside of a template has been counted with it.
    fn has_room(&mut self, node: &Node, frame: &Frame) -> bool {
        if !frame.is_outermost() {
            return true;
        }
        let Some(size) = Size::of_node(node, &|name| self.size_by_name(name)) else { return true };
        let grown = self.grown.and(&size);
        if grown.is_allowed() {
            self.grown = grown;
            return true;
        }
        let message = if grown.steps > limits::STEPS {
            format!("what `apply` and `for-each` stand for comes to more than {} steps", limits::STEPS)
        } else {
            format!("what `apply` and `for-each` stand for comes to more than {} words", limits::STEP_WORDS)
        };
        self.diagnostics.push(
            Diagnostic::error(code::PROCEDURE_TOO_LARGE, message)
                .label(node.head(), format!("{} with this one", grown.describe()))
                .help("cut the method into several plans"),
        );
        false
    }

    /// What a procedure of this name grows to, nothing for a name that is not known.
    fn size_by_name(&self, name: &str) -> Option<Size> {
        match procedure::find(self.procedures, name) {
            Some(procedure) => self.size_of(procedure),
            None => Some(Size::default()),
        }
    }
}
