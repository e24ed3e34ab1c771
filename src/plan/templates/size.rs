use crate::lang::{Node, Value};
use crate::plan::limits;

use super::for_each;

/// What templates grow to. Sums stay at the largest number rather than overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Size {
    /// Steps.
    pub(super) steps: u64,
    /// Nodes and values of these steps.
    pub(super) words: u64,
    /// Procedures inside of each other.
    pub(super) depth: u64,
}

impl Size {
    /// The size of a list of steps. `procedure` gives that of a procedure by its name; where it has none, this has none.
    pub(super) fn of(nodes: &[Node], procedure: &dyn Fn(&str) -> Option<Size>) -> Option<Self> {
        nodes.iter().try_fold(Size::default(), |sum, node| Some(sum.and(&Self::of_node(node, procedure)?)))
    }

    /// The size of one step, or of what a template stands for.
    pub(super) fn of_node(node: &Node, procedure: &dyn Fn(&str) -> Option<Size>) -> Option<Self> {
        match node.name() {
            "apply" => {
                let own = Size { steps: 0, words: words(node), depth: 1 };
                let Some(Value::Text(name)) = node.arguments.first().map(|name| &name.value) else { return Some(own) };
                let inner = procedure(name)?;
                Some(Size { depth: inner.depth.saturating_add(1), ..own.and(&inner) })
            }
            "for-each" => {
                let once = Self::of(node.children(), procedure)?.and(&Size { words: 1, ..Size::default() });
                Some(once.times(for_each::values(node).len() as u64))
            }
            _ => {
                let own = Size { steps: 1, words: own_words(node), depth: 0 };
                let within = |sum: Size, child| Some(sum.and(&Self::within(child, procedure)?));
                node.children().iter().try_fold(own, within)
            }
        }
    }

    /// The size of what stands inside of a step: its words, and the steps that templates in it stand for.
    fn within(node: &Node, procedure: &dyn Fn(&str) -> Option<Size>) -> Option<Self> {
        if super::is_template(node.name()) {
            return Self::of_node(node, procedure);
        }
        let own = Size { steps: 0, words: own_words(node), depth: 0 };
        node.children().iter().try_fold(own, |sum, child| Some(sum.and(&Self::within(child, procedure)?)))
    }

    const fn times(&self, count: u64) -> Self {
        Self { steps: self.steps.saturating_mul(count), words: self.words.saturating_mul(count), depth: self.depth }
    }

    /// Both, one after the other.
    pub(super) fn and(&self, other: &Size) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            words: self.words.saturating_add(other.words),
            depth: self.depth.max(other.depth),
        }
    }

    /// True where a plan may grow by so much.
    pub(super) const fn is_allowed(&self) -> bool {
        self.steps <= limits::STEPS && self.words <= limits::STEP_WORDS
    }

    /// For a label.
    pub(super) fn describe(&self) -> String {
        format!("{} steps of {} words", self.steps, self.words)
    }
}

/// The nodes, values and properties of a node. The reader bounds how deep children stand.
fn words(node: &Node) -> u64 {
    node.children().iter().map(words).fold(own_words(node), u64::saturating_add)
}

const fn own_words(node: &Node) -> u64 {
    1 + node.arguments.len() as u64 + node.properties.len() as u64
}
