//! Plan text: where it came from and which part of it is meant. Knows nothing of KDL, devices or diagnostics.

mod source;
mod span;

pub use source::SourceFile;
pub use span::{Span, Spanned};
