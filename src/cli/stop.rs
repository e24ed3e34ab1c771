//! Ctrl-C and SIGTERM: the first one ends the run cleanly, a second one at once.

use std::io;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::Outcome;
use crate::engine::StopFlag;
use crate::run::StopReason;

/// Listens for signals on a thread of its own until the process ends.
///
/// # Errors
/// Where the system refuses to install a handler.
pub(super) fn listen(stop: &StopFlag, reason: &Arc<StopReason>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let (stop, reason) = (stop.clone(), Arc::clone(reason));
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            if stop.is_raised() {
                // The person asked twice: the kernel may be holding an operation for minutes. What was measured is in
                // the journal.
                signal_hook::low_level::exit(i32::from(Outcome::Interrupted.code()));
            }
            reason.set(if signal == SIGINT { "SIGINT (Ctrl-C)" } else { "SIGTERM" });
            stop.raise();
        }
    })?;
    Ok(())
}
