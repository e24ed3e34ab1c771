//! Waiting on a number in memory, and waking whoever waits: the cheapest barrier and bell the kernel has.

use std::ptr;
use std::sync::atomic::AtomicU32;

/// Sleeps while `word` holds `expected`, at most `timeout_ns`; may also return for no reason.
pub(super) fn wait(word: &AtomicU32, expected: u32, timeout_ns: Option<u64>) {
    // A year is as good as for ever, and every kernel takes it.
    const LONGEST_NS: u64 = 31_536_000_000_000_000;
    let timeout_ns = timeout_ns.unwrap_or(LONGEST_NS).min(LONGEST_NS);
    let timeout = libc::timespec {
        tv_sec: (timeout_ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (timeout_ns % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: `word` and `timeout` outlive the call; the kernel reads both and writes neither.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG, expected, &timeout);
    }
}

/// Wakes all that wait on `word`.
pub(super) fn wake_all(word: &AtomicU32) {
    let none = ptr::null::<libc::timespec>();
    // SAFETY: the kernel uses the address of `word` as a name only; the call is safe in a signal handler.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, i32::MAX, none);
    }
}
