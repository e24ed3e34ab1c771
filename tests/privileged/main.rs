//! Tests that need root, on loop and zram devices that they create and remove themselves. No other device is opened for
//! writing.
//!
//! A test that cannot run says so on stderr (`skipped: …`). With `SHAKEDOWN_REQUIRE_PRIVILEGED=1` a skip that more
//! rights or one more program would have avoided is a failure; what this kernel does not have stays a skip.

mod failures;
mod guard;
mod load;
mod placement;
mod program;
#[path = "../support/recorded.rs"]
mod recorded;
mod refused;
mod stopping;
mod support;
mod system_calls;
mod targets;
#[path = "../support/trial.rs"]
mod trial;
mod whole;
