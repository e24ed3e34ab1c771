//! shakedown: a declarative SSD test-plan interpreter.
//!
//! Data goes one way; each arrow is one function, each noun is one type:
//!
//! ```text
//! text -> document -> written plan -> plan -> schedule -> events -> record -> report
//! ```
//!
//! The modules below stand in layer order. A module may use its own folder and those above it in this list
//! (the exact table is data in `tests/layering.rs`).

// Layer 0
pub mod clock;
pub mod text;
pub mod units;

// Layer 1
pub mod diag;

// Layer 2
pub mod lang;

// Layer 3
pub mod device;
pub mod measure;
pub mod plan;

// Layer 4
pub mod schedule;

// Layer 5
pub mod diff;
pub mod engine;
pub mod event;

// Layer 6
pub mod record;
pub mod run;

// Layer 7
pub mod lsp;
pub mod report;

// Layer 8
pub mod cli;
