use std::fmt;
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::text::Spanned;

/// Where a value, or the very existence of a node, comes from: the word in parentheses before it.
///
/// The only annotations of the plan language, the same on every node and value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Provenance {
    /// Printed in the source that the plan follows.
    Published,
    /// Follows from what is printed there.
    Inferred,
    /// Fitted to published figures.
    Modelled,
    /// Taken over from another tool's file.
    Imported,
    /// Decided by the plan's author; what a value without an annotation is.
    #[default]
    Chosen,
}

impl Provenance {
    /// All five.
    pub const ALL: [Provenance; 5] =
        [Provenance::Published, Provenance::Inferred, Provenance::Modelled, Provenance::Imported, Provenance::Chosen];

    /// As a plan spells it.
    pub const fn word(self) -> &'static str {
        match self {
            Provenance::Published => "published",
            Provenance::Inferred => "inferred",
            Provenance::Modelled => "modelled",
            Provenance::Imported => "imported",
            Provenance::Chosen => "chosen",
        }
    }

    /// Reads an annotation; any other word than the five is reported and gives `None`.
    pub fn read(annotation: Option<&Spanned<Arc<str>>>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let annotation = annotation?;
        let found = Self::ALL.into_iter().find(|provenance| provenance.word() == &*annotation.value);
        if found.is_none() {
            let near = suggest::nearest(&annotation.value, Self::ALL.map(Self::word));
            let label = near.map_or("no word of provenance".into(), |near| format!("did you mean `({near})`?"));
            let mut diagnostic = Diagnostic::error(
                code::NAME_UNKNOWN_ANNOTATION,
                format!("`({})` is not an annotation of the plan language", annotation.value),
            )
            .label(annotation.span, label)
            .help("leave it out, or use (published), (inferred), (modelled), (imported) or (chosen)");
            if let Some(near) = near {
                diagnostic = diagnostic.rewrite(annotation.span, near);
            }
            diagnostics.push(diagnostic);
        }
        found
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
