//! The lab: a small virtual machine with emulated drives, in which the program is run as on a real machine.
//!
//! Everything is emulated in software by qemu; no device of this machine is touched and no right beyond a user's is
//! needed. One boot serves many checks. What a failed check needs to be understood stays in `target/lab`.
//!
//! Where a program or the kernel package is missing, a test says so on stderr (`skipped: …`). With
//! `SHAKEDOWN_REQUIRE_LAB=1` a skip is a failure.

mod drive;
mod failing;
mod in_use;
mod initramfs;
mod kernel;
mod listing;
mod machine;
mod needs;
mod odd;
mod plans;
mod qmp;
#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/said.rs"]
mod said;
mod shaped;
mod stand;
