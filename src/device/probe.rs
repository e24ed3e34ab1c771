use super::{Device, DeviceError, WritePermit, raw_io};
use crate::units::ByteCount;

/// The smallest scratch file that is ever proposed, in bytes.
pub const SCRATCH_SMALLEST_BYTES: u64 = 64 << 20;
/// The largest scratch file that is ever proposed, in bytes.
pub const SCRATCH_LARGEST_BYTES: u64 = 4 << 30;
/// The grain of the proposed size, in bytes.
const GRAIN_BYTES: u64 = 16 << 20;

/// What a short probe of the file system saw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScratchProbe {
    /// Bytes per second of large sequential writes.
    pub write_bytes_per_second: f64,
    /// Bytes per second of large sequential reads.
    pub read_bytes_per_second: f64,
}

/// Probes a scratch file: fresh data is written from its start for half of `budget_ns`, then as much of that is read as the
/// other half allows. `now_ns` is the clock, in nanoseconds from any start.
///
/// # Errors
///
/// The file cannot be opened, written, synced or read.
pub fn probe_scratch(
    scratch: &dyn Device,
    permit: &WritePermit,
    budget_ns: u64,
    now_ns: &dyn Fn() -> u64,
) -> Result<ScratchProbe, DeviceError> {
    const PIECE_BYTES: usize = 1 << 20;
    let path = &scratch.facts().path;
    let open = scratch.open_for_write(permit)?;
    let timed = |file_bytes: u64, is_write: bool, action: &'static str| {
        let start = now_ns();
        let mut is_over = || now_ns().saturating_sub(start) >= budget_ns / 2;
        let moved = raw_io::stream(open.file(), file_bytes, PIECE_BYTES, is_write, &mut is_over)
            // Buffered data that is not on the disk yet has not been written.
            .and_then(|moved| if is_write { open.file().sync_data().map(|()| moved) } else { Ok(moved) })
            .map_err(|error| DeviceError::from_io(path, action, error))?;
        let seconds = now_ns().saturating_sub(start).max(1) as f64 / 1e9;
        Ok::<(u64, f64), DeviceError>((moved, moved as f64 / seconds))
    };
    let (written, write_bytes_per_second) = timed(scratch.facts().capacity_bytes.get(), true, "write the probe")?;
    let (_, read_bytes_per_second) = timed(written, false, "read the probe")?;
    Ok(ScratchProbe { write_bytes_per_second, read_bytes_per_second })
}

/// The size of a scratch file that can be filled `fills` times and read once within `budget_seconds`, given what the probe saw
/// and how many bytes are free.
///
/// The result is a power of two times 1 or 1.5 (64, 96, 128, 192 MiB …), so that two runs on one machine agree although
/// the probe wavers; it lies between the two bounds, and takes at most half of the free space. `None` if the smallest
/// does not fit.
pub fn scratch_size(probe: &ScratchProbe, fills: u32, budget_seconds: f64, free_bytes: u64) -> Option<ByteCount> {
    let largest = SCRATCH_LARGEST_BYTES.min(free_bytes / 2);
    if largest < SCRATCH_SMALLEST_BYTES {
        return None;
    }
    let seconds_per_byte = f64::from(fills) / probe.write_bytes_per_second + 1.0 / probe.read_bytes_per_second;
    let affordable = budget_seconds / seconds_per_byte;
    // A probe that saw nothing (0, infinity or no number) says nothing: then the smallest is the safe choice.
    let affordable = if affordable.is_finite() && affordable > 0.0 { affordable as u64 } else { 0 };
    let wanted = affordable.clamp(SCRATCH_SMALLEST_BYTES, largest);
    Some(ByteCount::new(step_down(wanted)).align_down(GRAIN_BYTES))
}

/// The largest 2^n or 1.5 x 2^n that is not above `bytes` (at least 2).
fn step_down(bytes: u64) -> u64 {
    let power = 1_u64 << bytes.ilog2();
    if power + power / 2 <= bytes { power + power / 2 } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(write: f64, read: f64) -> ScratchProbe {
        ScratchProbe { write_bytes_per_second: write, read_bytes_per_second: read }
    }

    #[test]
    fn sizes_follow_speed_between_the_bounds() {
        const MIB: u64 = 1 << 20;
        for (write, read, expected) in [
            (1e6, 1e6, 64 * MIB),
            (100e6, 100e6, 256 * MIB),
            (100e6, 1e9, 384 * MIB),
            (500e6, 500e6, 1536 * MIB),
            (10e9, 10e9, 4096 * MIB),
            (0.0, 0.0, 64 * MIB),
            (f64::NAN, 1.0, 64 * MIB),
        ] {
            let size = scratch_size(&probe(write, read), 2, 10.0, u64::MAX).expect("room enough");
            assert_eq!(size.get(), expected, "{write} {read}");
        }
    }

    #[test]
    fn half_of_the_free_space_is_left() {
        let fast = probe(1e10, 1e10);
        assert_eq!(scratch_size(&fast, 1, 10.0, 400 << 20).map(ByteCount::get), Some(192 << 20));
        assert_eq!(scratch_size(&fast, 1, 10.0, 128 << 20).map(ByteCount::get), Some(64 << 20));
        assert_eq!(scratch_size(&fast, 1, 10.0, (128 << 20) - 1), None);
    }

    #[test]
    fn a_probe_counts_what_it_moved_on_the_given_clock() {
        use crate::device::{Consent, FakeDevice, approve};
        use std::cell::Cell;
        let device = FakeDevice::new("PROBE", 8 << 20);
        let permit = approve(device.facts(), &Consent::from_arguments(&["PROBE"])).expect("consent by serial");
        // Each look at the clock takes 100 ms: five pieces are written until half a second has passed, then one look ends it.
        let now = Cell::new(0_u64);
        let tick = || now.replace(now.get() + 100_000_000);
        let probe = probe_scratch(&device, &permit, 1_000_000_000, &tick).expect("memory takes it");
        let expected = (5_u64 << 20) as f64 / 0.6;
        assert!((probe.write_bytes_per_second - expected).abs() < 1.0, "{probe:?}");
        assert!((probe.read_bytes_per_second - expected).abs() < 1.0, "{probe:?}");
    }

    proptest::proptest! {
        #[test]
        fn a_size_is_a_multiple_of_the_grain_within_all_bounds(write in 0.0..1e11, read in 0.0..1e11, fills in 0_u32..20, free in 0_u64..(1 << 40)) {
            match scratch_size(&probe(write, read), fills, 10.0, free) {
                Some(size) => {
                    let bytes = size.get();
                    assert!((SCRATCH_SMALLEST_BYTES..=SCRATCH_LARGEST_BYTES).contains(&bytes));
                    assert!(bytes <= free / 2);
                    assert_eq!(bytes % GRAIN_BYTES, 0);
                }
                None => assert!(free / 2 < SCRATCH_SMALLEST_BYTES),
            }
        }
    }
}
