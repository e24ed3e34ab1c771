//! The caps of a plan against what its schedule comes to.

use super::{Ground, Schedule};
use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::{Plan, WrittenCap};
use crate::units::ByteCount;

/// Refuses a plan that is sure to pass its own `max-time` or `max-written`, and warns where it may.
///
/// Without a drive only what is counted in bytes or in devices on both sides can be compared; the rest stays open.
pub(super) fn check_budget(plan: &Plan, schedule: &Schedule, ground: Option<&Ground>) -> Diagnostics {
    let mut found = Diagnostics::without_source();
    let estimate = schedule.estimate();
    if let Some(cap) = plan.header.max_time {
        let (low, high) = (estimate.time_low, estimate.time_high);
        let diagnostic = if low > cap.value {
            Some(over(format!("the plan takes at least {}, and `max-time` is {}", low.human(), cap.value)))
        } else if high.is_none_or(|high| high > cap.value) {
            let most = high.map_or("as long as the drive needs".into(), |high| format!("up to {}", high.human()));
            Some(may(format!("the plan may take {most}, and `max-time` is {}", cap.value)))
        } else {
            None
        };
        if let Some(diagnostic) = diagnostic {
            found.push(diagnostic.label(cap.span, "the run would be ended here"));
        }
    }
    if let Some(cap) = plan.header.max_written {
        let millionths = |writes: f64| (writes * 1e6).round() as u64;
        let bytes_of =
            |devices: u64| ground.map(|ground| u128::from(ground.device_capacity.get()) * u128::from(devices));
        let endurance = plan.devices.iter().find_map(|device| device.rated_endurance).map(|given| given.value);
        // Both sides in one unit: bytes where a drive or the plan gives them, else millionths of the device.
        let in_devices = matches!(cap.value, WrittenCap::DriveWrites(_)) && ground.is_none();
        let limit = match cap.value {
            WrittenCap::Bytes(bytes) => Some(u128::from(bytes.get())),
            WrittenCap::DriveWrites(writes) if in_devices => Some(u128::from(millionths(writes))),
            WrittenCap::DriveWrites(writes) => bytes_of(millionths(writes)).map(|bytes| bytes / 1_000_000),
            WrittenCap::ShareOfEndurance(share) => endurance.map(|bytes| u128::from(share.of(bytes.get()))),
        };
        let side = |amount: super::Amount| match (in_devices, amount.device_millionths, amount.bytes) {
            (true, devices, _) => u128::from(devices),
            (false, 0, bytes) => u128::from(bytes.get()),
            (false, devices, bytes) => u128::from(bytes.get()) + bytes_of(devices).map_or(0, |bytes| bytes / 1_000_000),
        };
        let Some(limit) = limit else { return found };
        let is_whole = |amount: super::Amount| match in_devices {
            true => amount.bytes == ByteCount::ZERO,
            false => amount.device_millionths == 0 || ground.is_some(),
        };
        let (low, high) = (estimate.written.low, estimate.written.high);
        let diagnostic = if side(low) > limit {
            Some(over(format!("the plan writes more than its `max-written` of {}", cap.value)))
        } else if high.is_none_or(|high| !is_whole(high) || side(high) > limit) {
            Some(may(format!("the plan may write more than its `max-written` of {}", cap.value)))
        } else {
            None
        };
        if let Some(diagnostic) = diagnostic {
            found.push(diagnostic.label(cap.span, "the run would be ended here"));
        }
    }
    found
}

fn over(message: String) -> Diagnostic {
    Diagnostic::error(code::PLAN_OVER_BUDGET, message)
        .help("raise the cap, or make the plan smaller; `shakedown expand` shows what each step comes to")
}

fn may(message: String) -> Diagnostic {
    Diagnostic::warning(code::PLAN_MAY_EXCEED, message)
        .help("bind it to a drive with `expand --device`, or state `at-most` in `device`, to know more")
}
