//! Procedures: every `apply` becomes the steps of its procedure before anything is decoded, with arguments in the place
//! of `$name`.
//!
//! How much a plan grows by this is counted first, so that a short text cannot fill the memory. Must never decide what a
//! step means: that is `decode`.

mod apply;
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
use procedure::Procedure;
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
    name == "apply"
}

/// Puts the steps of procedures in the place of every `apply`, and reports what is wrong with either.
pub(super) fn fill(document: &mut Document, texts: &mut Texts, diagnostics: &mut Diagnostics) -> Filled {
    let procedures = procedure::all(document, diagnostics);
    let sizes = order::sizes(&procedures, diagnostics);
    let applied = procedure::applied(document);
    let mut filling = Filling {
        procedures: &procedures,
        sizes: &sizes,
        texts,
        diagnostics,
        unknown: HashSet::new(),
        grown: Size::default(),
    };
    for node in document.nodes.iter_mut().filter(|node| matches!(node.name(), "setup" | "before-each" | "test")) {
        if node.children().iter().any(|child| is_template(child.name())) {
            let mut steps = Vec::new();
            filling.steps(node.children(), &Frame::outermost(), &mut steps);
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
    /// Writes the steps that `nodes` stand for, as seen from `frame`. What cannot be put in stays as it is.
    fn steps(&mut self, nodes: &[Node], frame: &Frame, steps: &mut Vec<Node>) {
        for node in nodes {
            let written = frame.written(node, self.texts, &mut self.unknown);
            let is_put_in =
                node.name() == "apply" && self.has_room(node, frame) && self.apply(node, &written, frame, steps);
            if !is_put_in {
                steps.push(written);
            }
        }
    }

    /// The steps of a procedure that nothing applies, with its parameters left open.
    fn alone(&mut self, procedure: &Procedure, steps: &mut Vec<Node>) {
        let Some(size) = self.size_of(procedure) else { return };
        if self.grown.and(&size).is_allowed() {
            self.grown = self.grown.and(&size);
            let frame = Frame::open(procedure);
            self.steps(&procedure.body, &frame, steps);
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
            format!("the procedures of the plan come to more than {} steps", limits::STEPS)
        } else {
            format!("the steps of the plan's procedures come to more than {} words", limits::STEP_WORDS)
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
