//! What can be wrong and how it is said: codes, diagnostics, their order, and their looks on a terminal and for tools.
//! Knows neither KDL nor devices, and decides nothing: whoever finds a mistake words it.

pub mod code;
mod diagnostic;
mod fill;
mod remedy;
pub mod render;
mod severity;
mod sink;
pub mod suggest;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label};
pub use remedy::Remedy;
pub use render::Look;
pub use severity::Severity;
pub use sink::Diagnostics;
