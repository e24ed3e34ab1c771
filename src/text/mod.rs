//! Plan text: where it came from and which part of it is meant. Knows nothing of KDL, devices or diagnostics.

mod shown;
mod source;
mod span;

pub use shown::{is_hidden, shown};
pub use source::SourceFile;
pub use span::{Span, Spanned};
