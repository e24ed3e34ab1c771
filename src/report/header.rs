//! What a report says of the run as a whole: what was run on what, how far it came, and what prepared the drive.

use super::number::{bytes, grouped, iops, megabytes_per_second, time};
use super::wording::{failure, plain, step_state};
use crate::event::RunEnd;
use crate::record::{RunRecord, RunState, StepRecord, StepState};
use crate::schedule::{self, Action, ScheduledStep};
use crate::units::NANOS_PER_SECOND;

/// The plan's name, revision and title.
pub(super) fn title(record: &RunRecord) -> String {
    let schedule = &record.started.schedule;
    let mut words = vec![plain(&schedule.plan)];
    words.extend(schedule.revision.map(|revision| format!("revision {revision}")));
    words.extend(schedule.title.as_deref().map(plain));
    words.join(" · ")
}

/// Facts of the run, each with what it is a fact of.
pub(super) fn facts(record: &RunRecord) -> Vec<(&'static str, String)> {
    let started = &record.started;
    let (whole, all) = record.measured_cases();
    let state = match record.state {
        RunState::Ended(RunEnd::Complete) => "complete",
        RunState::Ended(RunEnd::Stopped) => "stopped",
        RunState::Ended(RunEnd::Failed) => "failed",
        RunState::Begun => "cut off",
    };
    let took = time(record.elapsed_ns);
    let mut facts = vec![
        ("run", plain(&started.run_id)),
        ("started", format!("{}, took {took}: {state}, {whole} of {all} cases measured", plain(&started.started_at))),
        ("target", format!("{} ({})", plain(&started.target.summary()), plain(&started.target.path))),
        ("host", host(record)),
        ("I/O", io(record)),
        ("plan", format!("sha256 {}", plain(started.plan_sha256.get(..16).unwrap_or(&started.plan_sha256)))),
    ];
    if let Some(method) = &started.schedule.method {
        facts.push(("method", format!("{} ({})", method, plain(&method.version))));
    }
    if let Some(conditions) = &started.schedule.conditions {
        let version = schedule::CONDITIONS_VERSION;
        facts.push((
            "conditions",
            format!("{} ({version}): {}", conditions.fingerprint(), plain(&conditions.in_words())),
        ));
    }
    if !started.changed_params.is_empty() {
        facts.push(("set", plain(&started.changed_params.join(", "))));
    }
    facts
}

fn host(record: &RunRecord) -> String {
    let started = &record.started;
    let host = &started.host;
    let mut words = Vec::new();
    words.extend(host.cpu_model.as_deref().map(plain));
    words.push(match (started.cpus.len(), host.cpus_online.len()) {
        (used, online) if used == online => format!("{used} CPUs"),
        (used, online) => format!("{used} of {online} CPUs"),
    });
    words.extend(host.kernel.as_deref().map(|kernel| format!("Linux {}", plain(kernel))));
    words.push(format!("shakedown {}", plain(&started.tool_version)));
    words.join(", ")
}

fn io(record: &RunRecord) -> String {
    let started = &record.started;
    let engine = started.schedule.engine.name();
    let way = match (started.is_simulated, started.is_direct) {
        (true, _) => "SIMULATED: no drive was touched",
        (false, true) => "direct, around the page cache",
        (false, false) => "BUFFERED: through the page cache, so these are not the drive's figures",
    };
    let scratch = if started.is_scratch { ", scratch file made for this run" } else { "" };
    // Where steps have areas of their own, the tables and the steps say which.
    let is_whole = started.schedule.steps.iter().all(|step| step.area.is_none());
    let area = started.schedule.area.filter(|_| is_whole);
    let area = area.map(|area| format!(", area {}", area.human())).unwrap_or_default();
    format!("engine {engine}, {way}{scratch}{area}, seed {}", started.schedule.seed)
}

/// What an incomplete run must say first; `None` for a complete one.
pub(super) fn notice(record: &RunRecord) -> Option<String> {
    let (whole, all) = record.measured_cases();
    let last = record.steps.iter().rfind(|step| step.state != StepState::NotRun);
    let place =
        last.map(|step| format!(" in {}", plain(step.id.as_str()))).unwrap_or_else(|| " before its first step".into());
    let why = match record.state {
        RunState::Ended(RunEnd::Complete) => return None,
        RunState::Ended(RunEnd::Stopped) => {
            let by = record.stop_reason.as_deref().map(|reason| format!(" by {}", plain(reason))).unwrap_or_default();
            format!("stopped{by}{place}")
        }
        RunState::Ended(RunEnd::Failed) => match record.failure() {
            Some((step, why)) => format!("failed in {}: {}", plain(step.id.as_str()), plain(&failure(why))),
            None => format!("failed{place}"),
        },
        RunState::Begun => format!("cut off{place}; the journal has no end"),
    };
    Some(format!("INCOMPLETE: {why}; {whole} of {all} cases measured"))
}

/// One line for each step that is not measured: its name, and what it did.
pub(super) fn preparation(record: &RunRecord) -> Vec<(String, String)> {
    let is_preparation = |planned: &ScheduledStep| !matches!(planned.action, Action::Measure(_));
    let steps = record.steps().filter(|(planned, _)| is_preparation(planned));
    steps.map(|(planned, step)| (plain(planned.id.as_str()), deed(planned, step))).collect()
}

fn deed(planned: &ScheduledStep, step: &StepRecord) -> String {
    let mut words = Vec::new();
    if !step.state.is_whole() {
        words.push(step_state(step.state).replace('-', " "));
    }
    match planned.action {
        Action::Idle(_) => {
            words.extend(step.elapsed_ns.map(|elapsed| format!("idle {}", time(elapsed))));
            return words.join(", ");
        }
        Action::LimitTo(part) => {
            let bytes = planned.area_bytes.map(|area| format!(", {}", bytes(area.get()))).unwrap_or_default();
            words.push(format!("the area from here on is {part} of the device{bytes}"));
            return words.join(", ");
        }
        _ => {}
    }
    let (written, read) = (step.bytes_written.unwrap_or(0), step.bytes_read.unwrap_or(0));
    if written > 0 {
        words.push(format!("wrote {}", bytes(written)));
    }
    if read > 0 {
        words.push(format!("read {}", bytes(read)));
    }
    if let Some(elapsed) = step.elapsed_ns {
        words.push(format!("in {}", time(elapsed)));
        let moved = u128::from(written) + u128::from(read);
        if elapsed > 0 && moved > 0 {
            let per_second = moved as f64 * NANOS_PER_SECOND as f64 / elapsed as f64;
            words.push(format!("{} MB/s", megabytes_per_second(per_second)));
        }
    }
    if let (Action::Precondition(case), Some(figures)) =
        (&planned.action, step.cases.first().and_then(|case| case.figures()))
    {
        words.push(plain(case.id.as_str()));
        words.extend(figures.all.iops.map(|mean| format!("mean {} IOPS", iops(mean))));
        words.push(format!("{} operations", grouped(figures.all.operations)));
    }
    words.join(", ")
}
