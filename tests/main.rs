//! The integration tests: one binary, one module for each subject.

mod accepted;
mod book;
mod catalogue;
mod check;
mod devices;
mod expand;
mod explain;
mod explained_codes;
mod fmt;
mod journals;
mod kdl_corpus;
mod layering;
mod links;
mod methods;
mod output;
mod reference;
mod refusals;
mod remedies;
mod report;
mod run;
mod schedule;
mod shipped;
mod simulated;
mod support;
mod tree;
mod validity;
