/// Which words there are beside those that a cursor was asked for: answers for a name that nobody took.
pub trait Vocabulary {
    /// About a node of this name among the children of `parent` (empty at the top level).
    fn node(&self, name: &str, parent: &str) -> Advice;
    /// About a property of this key on a node of this name.
    fn property(&self, key: &str, node: &str) -> Advice;
}

/// What is known about a name that means nothing where it stands. The texts become the label at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// A word of the language that stands elsewhere; the text says where: ``stands in `measure` ``.
    Misplaced(String),
    /// A word of the language that this version does not understand yet.
    NotBuiltYet,
    /// A word of another tool: what is said of it (``fio's `iodepth` is written `queue-depth` here``), and the word that
    /// can stand in its place, where there is one.
    Foreign(String, Option<&'static str>),
    /// Probably a slip; the name that is meant.
    Similar(String),
    /// Nothing. The cursor then suggests the nearest name that it was asked for.
    Unheard,
}

/// A vocabulary without words: suggestions come from the names that the cursor was asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoWords;

impl Vocabulary for NoWords {
    fn node(&self, _: &str, _: &str) -> Advice {
        Advice::Unheard
    }

    fn property(&self, _: &str, _: &str) -> Advice {
        Advice::Unheard
    }
}
