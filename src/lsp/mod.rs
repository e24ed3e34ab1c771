//! The language server: what an editor asks about a plan while it is written, answered as messages of the protocol.
//!
//! Pure: messages in, messages out. The text need not be KDL for completion and pointing: they work from an outline of
//! what stands there. All words come from `plan::names`. Must never touch a device, the terminal or the clock.

mod completion;
mod documents;
mod files;
mod findings;
mod form;
mod hover;
mod names;
mod outline;
mod position;
mod probe;
mod scope;
mod server;
mod symbols;

pub use files::{Disk, NoDisk};
pub use server::{Answer, Ended, Server};
