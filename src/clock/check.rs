use serde::{Deserialize, Serialize};

use super::Clock;

/// What the self-test of a clock found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClockCheck {
    /// Mean cost of one read, in nanoseconds of the clock itself.
    pub read_ns: f64,
    /// The smallest step seen between two reads that differ, in nanoseconds; 0 where the clock stood still.
    pub smallest_step_ns: u64,
    /// Reads that lay before the read preceding them; anything but 0 makes every latency doubtful.
    pub backward_steps: u64,
}

/// Reads the clock `reads` times in a row (at least twice) and looks at the answers.
pub fn check_clock<C: Clock>(clock: &C, reads: u32) -> ClockCheck {
    let reads = reads.max(2);
    let first = clock.now_ns();
    let (mut last, mut smallest, mut backward) = (first, u64::MAX, 0);
    for _ in 1..reads {
        let now = clock.now_ns();
        if now < last {
            backward += 1;
        } else if now > last {
            smallest = smallest.min(now - last);
        }
        last = now;
    }
    ClockCheck {
        read_ns: last.saturating_sub(first) as f64 / f64::from(reads - 1),
        smallest_step_ns: if smallest == u64::MAX { 0 } else { smallest },
        backward_steps: backward,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::clock::RealClock;

    /// Answers from a list, then the last one for ever.
    struct Scripted(Cell<usize>, &'static [u64]);

    impl Clock for Scripted {
        fn now_ns(&self) -> u64 {
            let at = self.0.get();
            self.0.set(at + 1);
            self.1[at.min(self.1.len() - 1)]
        }

        fn sleep_until(&self, _: u64) {}

        fn wall_ns(&self) -> u64 {
            0
        }
    }

    #[test]
    fn cost_step_and_backward_steps_are_found() {
        let check = check_clock(&Scripted(Cell::new(0), &[10, 40, 35, 100, 110]), 5);
        assert_eq!(check, ClockCheck { read_ns: 25.0, smallest_step_ns: 10, backward_steps: 1 });
    }

    #[test]
    fn the_real_clock_never_goes_back() {
        assert_eq!(check_clock(&RealClock, 10_000).backward_steps, 0);
    }
}
