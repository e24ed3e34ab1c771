use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nix::time::{ClockId, clock_gettime};

use super::Clock;

/// The kernel's monotonic clock, read without a system call where the machine allows that (vDSO).
#[derive(Debug, Clone, Copy, Default)]
pub struct RealClock;

impl Clock for RealClock {
    #[inline]
    fn now_ns(&self) -> u64 {
        let time = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("Linux always has a monotonic clock");
        time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
    }

    fn sleep_until(&self, at_ns: u64) {
        loop {
            let now = self.now_ns();
            if now >= at_ns {
                return;
            }
            std::thread::sleep(Duration::from_nanos(at_ns - now));
        }
    }

    fn wall_ns(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_never_returns_early() {
        let clock = RealClock;
        let until = clock.now_ns() + 2_000_000;
        clock.sleep_until(until);
        assert!(clock.now_ns() >= until);
        clock.sleep_until(0);
    }
}
