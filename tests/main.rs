//! The integration tests: one binary, one module for each subject.

mod accepted;
mod book;
mod catalogue;
mod check;
mod explained_codes;
mod journals;
mod kdl_corpus;
mod layering;
mod refusals;
mod report;
mod run;
mod schedule;
mod simulated;
mod support;
mod validity;
