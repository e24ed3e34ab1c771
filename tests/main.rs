//! tests

mod layering;

mod kdl_corpus;
mod refusals;
