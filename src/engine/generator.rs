//! How a worker itself fared: the kernel's numbers of the calling thread.

use nix::sys::resource::{UsageWho, getrusage};

use crate::measure::GeneratorFacts;

/// The calling thread's numbers so far. Reads the thread's own `schedstat`, the one kernel file that this folder knows.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThreadFacts {
    busy_ns: u64,
    run_delay_ns: u64,
    involuntary_switches: u64,
}

impl ThreadFacts {
    /// Reads them; `None` where the kernel keeps none.
    pub(super) fn read() -> Option<Self> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        let busy_ns = numbers.next()?.ok()?;
        let run_delay_ns = numbers.next()?.ok()?;
        let switches = getrusage(UsageWho::RUSAGE_THREAD).ok()?.involuntary_context_switches();
        Some(Self { busy_ns, run_delay_ns, involuntary_switches: u64::try_from(switches).ok()? })
    }

    /// Adds what came on top of these numbers until `later`.
    pub(super) fn add_since(self, later: Self, facts: &mut GeneratorFacts) {
        facts.busy_ns += later.busy_ns.saturating_sub(self.busy_ns);
        facts.run_delay_ns += later.run_delay_ns.saturating_sub(self.run_delay_ns);
        facts.involuntary_switches += later.involuntary_switches.saturating_sub(self.involuntary_switches);
    }
}
