use crate::lang::{Node, Value};
use crate::plan::limits;

/// What templates grow to. Sums stay at the largest number rather than overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Size {
    /// Steps.
    pub(super) steps: u64,
    /// Nodes and values of these steps.
    pub(super) words: u64,
    /// Templates inside of each other.
    pub(super) depth: u64,
}

impl Size {
    /// The size of a list of steps. `procedure` gives that of a procedure by its name; where it has none, this has none.
    pub(super) fn of(nodes: &[Node], procedure: &dyn Fn(&str) -> Option<Size>) -> Option<Self> {
        nodes.iter().try_fold(Size::default(), |sum, node| Some(sum.and(&Self::of_node(node, procedure)?)))
    }

    /// The size of one step, or of what an `apply` stands for.
    pub(super) fn of_node(node: &Node, procedure: &dyn Fn(&str) -> Option<Size>) -> Option<Self> {
        if node.name() == "apply" {
            let own = Size { steps: 0, words: words(node), depth: 1 };
            let Some(Value::Text(name)) = node.arguments.first().map(|name| &name.value) else { return Some(own) };
            let inner = procedure(name)?;
            return Some(Size { depth: inner.depth.saturating_add(1), ..own.and(&inner) });
        }
        Some(Size { steps: 1, words: words(node), depth: 0 })
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
    let own = 1 + node.arguments.len() as u64 + node.properties.len() as u64;
    node.children().iter().map(words).fold(own, u64::saturating_add)
}
