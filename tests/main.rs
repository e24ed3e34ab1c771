//! tests

mod device_codes;
mod journals;
mod kdl_corpus;
mod layering;
mod refusals;
mod report;
mod support;
mod validity;
