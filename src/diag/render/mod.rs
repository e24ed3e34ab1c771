//! How diagnostics look: on a terminal, and for tools.

mod files;
mod github;
mod json;
mod sarif;
mod snippet;
mod text;

pub use files::{CheckedFile, FileState};
pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use text::{Look, listed, one, text};

use super::Diagnostic;
use crate::text::{SourceFile, Span};

/// What a tool shows of one diagnostic in one text: message, what its place contributes, remedy.
fn full_message(diagnostic: &Diagnostic) -> String {
    let label = diagnostic.primary().map(|label| label.text.as_str()).filter(|text| !text.is_empty());
    let parts = [Some(diagnostic.message.as_str()), label, diagnostic.help.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Line and column of the first character and of the one behind the last.
fn lines_and_columns(source: &SourceFile, span: Span) -> ((usize, usize), (usize, usize)) {
    (source.line_column(span.start), source.line_column(span.end.max(span.start)))
}

/// A path as tools compare it with those of a repository: without a leading `./`.
fn plain_path(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    path
}
