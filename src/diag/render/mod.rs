//! How diagnostics look: on a terminal, and for tools.

mod snippet;
mod text;
mod tools;

pub use text::{Look, one, text};
pub use tools::{github, json, sarif};
