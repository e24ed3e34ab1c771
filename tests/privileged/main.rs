//! Tests that need root, on loop and zram devices that they create and remove themselves. No other device is opened for
//! writing.
//!
//! A test that cannot run says so on stderr (`skipped: …`). With `SHAKEDOWN_REQUIRE_PRIVILEGED=1` a skip that more
//! rights or one more program would have avoided is a failure; what this kernel does not have stays a skip.

mod guard;
mod load;
mod support;
mod targets;
