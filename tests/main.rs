//! tests

mod layering;
