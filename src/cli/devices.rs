use super::args::{DevicesArgs, ListFormat};
use super::{Outcome, Screen};
use crate::device;
use crate::report;

/// `shakedown devices`
pub(super) fn devices(args: &DevicesArgs, screen: &Screen) -> Outcome {
    let listed = match device::list(&device::KernelRoot::live()) {
        Ok(listed) => listed,
        Err(reason) => {
            screen.complain(&format!("error: the block devices of this machine cannot be listed: {reason}"));
            return Outcome::DeviceRefused;
        }
    };
    let text = match args.format {
        ListFormat::Text => report::devices_text(&listed, screen.width()),
        ListFormat::Json => report::devices_json(&listed),
    };
    match screen.print(&text, &args.output) {
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
}
