//! KDL without meaning: from bytes to a tree with exact places, or to diagnostics; never both.
//! Never knows what a node means, and never prints a tree back (comments would be lost).

mod convert;
mod cursor;
mod decode;
mod document;
mod format;
mod literal;
mod provenance;
mod read;
mod scan;
mod typed;
mod vocabulary;

pub use cursor::NodeCursor;
pub use decode::{BYTES_AT_MOST, decode};
pub use document::{Document, Node, Property};
pub use format::format;
pub use literal::{Literal, Value};
pub use provenance::Provenance;
pub use read::read;
pub use scan::{Token, TokenKind, tokens};
pub use vocabulary::{Advice, NoWords, Vocabulary};
