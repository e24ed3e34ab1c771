//! What several modules of the tests share.

pub(crate) mod editor;
pub(crate) mod events;

pub(crate) mod pages;
pub(crate) mod plans;
pub(crate) mod simulated;
pub(crate) mod trial;
