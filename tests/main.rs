//! tests

mod device_codes;
mod book;
mod journals;
mod kdl_corpus;
mod layering;
mod refusals;
mod report;
mod support;
mod validity;
