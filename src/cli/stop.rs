//! Ctrl-C and SIGTERM: the first one ends the run cleanly, a second one at once.

use std::io;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::Outcome;
use crate::engine::StopFlag;
use crate::run::StopReason;

/// Lets a write beyond a limit on file sizes (`ulimit -f`) fail, so that it is reported. Without a handler the signal
/// would end the process without a word.
pub(super) fn outlive_file_size_limits() {
    // Where that is refused nothing is lost but the words.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Listens for signals on a thread of its own until the process ends, and says what each will do.
///
/// # Errors
/// Where the system refuses to install a handler.
pub(super) fn listen(stop: &StopFlag, reason: &Arc<StopReason>, say: impl Fn(&str) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let (stop, reason) = (stop.clone(), Arc::clone(reason));
    thread::Builder::new().name("signals".into()).spawn(move || {
        // Not the flag: the run raises that too, and then a first signal is no order to leave at once.
        let mut is_second = false;
        for signal in signals.forever() {
            let name = if signal == SIGINT { "SIGINT (Ctrl-C)" } else { "SIGTERM" };
            if is_second {
                // The person asked twice: the kernel may be holding an operation for minutes. What was measured is in
                // the journal.
                say(&format!("{name} again: ended at once; what was measured before is kept"));
                signal_hook::low_level::exit(i32::from(Outcome::Interrupted.code()));
            }
            is_second = true;
            reason.set(name);
            stop.raise();
            say(&format!("stopping: {name}; what is in flight is waited for, a second signal ends the run at once"));
        }
    })?;
    Ok(())
}
