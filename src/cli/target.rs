//! The target that the command line names, or a scratch file where it names none.

use std::path::Path;

use super::{Outcome, Screen};
use crate::clock::{Clock as _, RealClock};
use crate::device::{
    self, Device, DeviceError, Facts, FileIo, FileTarget, Refusal, ScratchProbe, ScratchRequest, TargetKind,
    WritePermit,
};
use crate::diag::{Diagnostic, code};
use crate::plan::Plan;
use crate::schedule::{self, Action, Conditions, Ground, Schedule, TargetState};
use crate::units::{ByteCount, NANOS_PER_SECOND, Quantity, RunTime, parse_quantity};

/// The role of a target in a plan that has no `device` node.
const ONLY_ROLE: &str = "dut";
/// What the probe of the disk may take.
const PROBE: RunTime = RunTime::from_nanos(NANOS_PER_SECOND);
/// The probe's file: enough for the second on a fast drive.
const PROBE_BYTES: u64 = 1 << 30;
/// A run on a scratch file should be over in this time, where the plan's own times allow it.
const SCRATCH_RUN: RunTime = RunTime::from_secs(40);
/// The least that filling a scratch file is given, however long the plan runs.
const LEAST_FILLING_SECONDS: f64 = 2.0;
/// The most: a plan of hours is tried on a file, not lived in.
const MOST_FILLING_SECONDS: f64 = 8.0;

/// The role that the plan gives its one target.
pub(super) fn role(plan: &Plan) -> String {
    plan.devices.first().map_or(ONLY_ROLE.into(), |device| device.role.value.clone())
}

/// The target that `--device` names for the plan's role; none where it names none.
pub(super) fn named(
    plan: &Plan,
    devices: &[(String, String)],
    is_buffered: bool,
    screen: &Screen,
) -> Result<Option<Box<dyn Device>>, Outcome> {
    let role = role(plan);
    let mut targets = devices.iter();
    let Some((given, path)) = targets.next() else { return Ok(None) };
    if *given != role {
        let message = format!("the plan has no device {given:?}; its device is {role:?}");
        let help = format!("write `--device {role}={path}`");
        screen.refuse(Diagnostic::error(code::DEVICE_ROLE, message).help(help));
        return Err(Outcome::WrongCommandLine);
    }
    if let Some((again, _)) = targets.next() {
        let message = format!("--device names a second target ({again:?}), and a run has one");
        screen.refuse(Diagnostic::error(code::DEVICE_ROLE, message).help("run the plan once for each drive"));
        return Err(Outcome::WrongCommandLine);
    }
    let file_io = if is_buffered { FileIo::BufferedIfNeeded } else { FileIo::Direct };
    device::find(Path::new(path), file_io).map(Some).map_err(|error| refused(&error, screen))
}

/// Says why a target cannot be had, with all that a person needs to act on it.
pub(super) fn refused(error: &DeviceError, screen: &Screen) -> Outcome {
    if let DeviceError::Refused(refusal) = error {
        return not_approved(refusal, screen);
    }
    let help = match error {
        DeviceError::DirectIoRefused { .. } => {
            Some("use another file system, or add --buffered: such results are marked".into())
        }
        // Only a scratch file is ever created.
        DeviceError::Denied { action: "create it", .. } => {
            Some("choose a folder that you may write to, with `--results DIR`".into())
        }
        other => other.help(),
    };
    screen.complain(&format!("error[{}]: {error}", error.code()));
    if let Some(help) = help {
        screen.complain(&format!("  help: {help}"));
    }
    Outcome::DeviceRefused
}

/// Says why the guard gives no permit.
pub(super) fn not_approved(refusal: &Refusal, screen: &Screen) -> Outcome {
    screen.complain(&format!("error[{}]: {}", refusal.code(), refusal.message()));
    screen.complain(&refusal.details());
    screen.complain(&format!("  help: {}", refusal.help()));
    Outcome::DeviceRefused
}

/// What the schedule needs to know of a target. Direct I/O on a file needs the file system's alignment.
pub(super) fn ground(facts: &Facts) -> Ground {
    let logical = facts.logical_block_bytes.max(facts.direct_io.offset_alignment_bytes).max(1);
    Ground {
        device_capacity: facts.capacity_bytes,
        capacity: facts.capacity_bytes,
        logical_block_bytes: u64::from(logical),
        physical_block_bytes: u64::from(facts.physical_block_bytes),
        is_block_device: facts.kind == TargetKind::BlockDevice,
    }
}

/// What binding a plan to a target has settled.
pub(super) fn conditions(plan: &Plan, bound: &Schedule, facts: &Facts) -> Conditions {
    let unbound = schedule::expand(plan, None);
    let state = TargetState { write_cache: facts.write_cache.clone() };
    Conditions::of(&unbound, bound, &ground(facts), &state, env!("CARGO_PKG_VERSION"))
}

/// The size that `--scratch` asks for.
pub(super) fn scratch_argument(text: &str, screen: &Screen) -> Result<ByteCount, Outcome> {
    match parse_quantity(text) {
        Ok(Quantity::Bytes(bytes)) if bytes > ByteCount::ZERO => Ok(bytes.align_down(4096).max(ByteCount::new(4096))),
        Ok(Quantity::Bytes(_)) => {
            screen.complain(&format!(
                "error: --scratch {text}: a file without a byte measures nothing; write a size as 1GiB"
            ));
            Err(Outcome::WrongCommandLine)
        }
        Ok(other) => {
            screen.complain(&format!("error: --scratch wants a size, as 1GiB, not {} ({text:?})", other.kind()));
            Err(Outcome::WrongCommandLine)
        }
        Err(error) => {
            screen.complain(&format!("error: --scratch: {error}; {}", error.remedy()));
            Err(Outcome::WrongCommandLine)
        }
    }
}

/// A scratch file in `folder`, of the size asked for or of one that a probe of the disk finds fit for the plan.
pub(super) fn scratch(
    folder: &Path,
    name: &str,
    asked: Option<ByteCount>,
    schedule: &Schedule,
    is_buffered: bool,
    screen: &Screen,
) -> Result<(FileTarget, WritePermit), Outcome> {
    let file_io = if is_buffered { FileIo::BufferedIfNeeded } else { FileIo::Direct };
    let request = |name: &str, bytes| ScratchRequest { directory: folder.into(), name: name.into(), bytes, file_io };
    let create = |name: &str, bytes| FileTarget::create_scratch(&request(name, bytes));
    let bytes = match asked {
        Some(bytes) => bytes,
        None => probed(&create, name, schedule).map_err(|error| refused(&error, screen))?,
    };
    let (file, permit) = create(name, bytes).map_err(|error| refused(&error, screen))?;
    let how = if asked.is_some() { "as asked for" } else { "sized by a one-second probe of the disk" };
    let path = &file.facts().path;
    screen.say(&format!("target: a scratch file of {} ({path}), {how}; it is removed at the end", human(bytes)));
    Ok((file, permit))
}

fn human(bytes: ByteCount) -> String {
    format!("{bytes} ({})", bytes.human())
}

type Create<'a> = dyn Fn(&str, ByteCount) -> Result<(FileTarget, WritePermit), DeviceError> + 'a;

/// The size that lets the run end in time: what the plan's own times leave is for filling.
fn probed(create: &Create<'_>, name: &str, schedule: &Schedule) -> Result<ByteCount, DeviceError> {
    let (probe_file, permit) = create_probe(create, &format!("{name}-probe"))?;
    let free = probe_file.facts().file.as_ref().map_or(0, |file| file.free_bytes.get());
    let free = free.saturating_add(probe_file.facts().capacity_bytes.get());
    let probe: ScratchProbe = device::probe_scratch(&probe_file, &permit, PROBE.as_nanos(), &|| RealClock.now_ns())?;
    drop(probe_file);
    let left = SCRATCH_RUN.as_secs_f64() - schedule.estimate().time_low.as_secs_f64();
    let seconds = left.clamp(LEAST_FILLING_SECONDS, MOST_FILLING_SECONDS);
    device::scratch_size(&probe, fills(schedule), seconds, free).ok_or_else(|| DeviceError::NoSpace {
        path: name.into(),
        wanted_bytes: 2 * device::SCRATCH_SMALLEST_BYTES,
        free_bytes: free,
    })
}

/// The probe's file, smaller where the disk is nearly full.
fn create_probe(create: &Create<'_>, name: &str) -> Result<(FileTarget, WritePermit), DeviceError> {
    let mut bytes = PROBE_BYTES;
    loop {
        match create(name, ByteCount::new(bytes)) {
            Err(DeviceError::NoSpace { .. }) if bytes > device::SCRATCH_SMALLEST_BYTES => bytes /= 2,
            result => return result,
        }
    }
}

/// How often the plan writes the whole area by a number of bytes and not of seconds.
fn fills(schedule: &Schedule) -> u32 {
    let of_step = |action: &Action| match action {
        Action::Fill(fill) => fill.passes,
        other => other.cases().iter().filter_map(|case| case.limits.passes).sum(),
    };
    schedule.steps.iter().map(|step| of_step(&step.action)).sum::<u32>().max(1)
}
