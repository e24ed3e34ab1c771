//! Plan text: where it came from, which part of it is meant, and what stands for all of it. Knows nothing of KDL, devices or diagnostics.

mod digest;
mod lines;
mod shown;
mod source;
mod span;

pub use digest::Fingerprint;
pub use lines::wrapped;
pub use shown::{is_hidden, plain, shown};
pub use source::SourceFile;
pub use span::{Span, Spanned};
