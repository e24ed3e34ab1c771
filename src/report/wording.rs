//! Phrases that several reports share, and the breaking of lines.

use super::number::{block_size, bytes, percent, time};
use crate::event::{Failure, StepEnd};
use crate::plan::{Access, SpanOfArea};
use crate::record::{CaseState, StepState};
use crate::schedule::{Case, CaseLimits, PlainCase};
pub(super) use crate::text::{plain, wrapped};

/// What the cases of a step have in common: `8 KiB random, 70 % read`. What differs stands in the rows.
pub(super) fn workload(cases: &[&Case]) -> String {
    let plain: Option<Vec<PlainCase<'_>>> = cases.iter().map(|case| case.plain()).collect();
    let Some(plain) = plain else { return workloads(cases) };
    let Some(first) = plain.first() else { return String::new() };
    let mut words = Vec::new();
    if plain.iter().all(|case| case.block_size == first.block_size) {
        words.push(block_size(first.block_size));
    }
    words.push(access(first.access).to_owned());
    let text = words.join(" ");
    if !plain.iter().all(|case| case.read == first.read) {
        return text;
    }
    match (first.read.has_reads(), first.read.has_writes()) {
        (true, true) => format!("{text}, {} read", percent(first.read.percent().parts_per_million())),
        (true, false) => format!("{text} read"),
        (false, _) => format!("{text} write"),
    }
}

/// The order of offsets in words.
pub(super) const fn access(access: Access) -> &'static str {
    match access {
        Access::Random => "random",
        Access::SequentialShared => "sequential (one cursor)",
        Access::SequentialLanes => "sequential (a lane for each thread)",
    }
}

/// The names of the workloads, where their operations are too many-sided for a line.
fn workloads(cases: &[&Case]) -> String {
    let mut names: Vec<&str> = cases.iter().flat_map(|case| &case.loads).map(|load| load.workload.as_str()).collect();
    names.dedup();
    names.join(" + ")
}

/// How long a case is measured: `5m after 1m ramp`.
pub(super) fn window(case: &Case) -> String {
    let CaseLimits { time: limit, written, passes, drive_writes: _, steady } = case.limits;
    let mut limits = Vec::new();
    limits.extend(limit.map(|limit| time(limit.as_nanos())));
    limits.extend(written.map(|written| format!("{} written", bytes(written.get()))));
    limits.extend(passes.map(|passes| format!("{passes} passes")));
    limits.extend(steady.then(|| "steady".to_owned()));
    let ramp = match case.ramp.as_nanos() {
        0 => "without a ramp".to_owned(),
        ramp => format!("after {} ramp", time(ramp)),
    };
    format!("window {} {ramp}", limits.join(" or "))
}

/// The part of the area that a load touches, where it is not the whole: `span 50 %`.
pub(super) fn span(case: &Case) -> Option<String> {
    use crate::plan::Extent;
    let span = case.plain()?.span;
    if span == SpanOfArea::WHOLE {
        return None;
    }
    let length = match span.length {
        Extent::Bytes(length) => bytes(length.get()),
        Extent::Share(share) => percent(share.parts_per_million()),
    };
    Some(match span.offset.get() {
        0 => format!("span {length}"),
        offset => format!("span {length} from {}", bytes(offset)),
    })
}

/// How far a step came, in a word for programs.
pub(super) const fn step_state(state: StepState) -> &'static str {
    match state {
        StepState::NotRun => "not-run",
        StepState::Begun => "cut-off",
        StepState::Ended(end) => ending(end),
    }
}

/// The same of a case.
pub(super) const fn case_state(state: CaseState) -> &'static str {
    match state {
        CaseState::NotRun => "not-run",
        CaseState::Begun => "cut-off",
        CaseState::Ended(end) => ending(end),
    }
}

const fn ending(end: StepEnd) -> &'static str {
    match end {
        StepEnd::Complete => "complete",
        StepEnd::Written => "written",
        StepEnd::Passes => "passes",
        StepEnd::Stopped => "stopped",
        StepEnd::Failed => "failed",
    }
}

/// A failure in one line: what happened, to which operation, where.
pub(super) fn failure(failure: &Failure) -> String {
    let mut text = failure.message.clone();
    let mut facts = Vec::new();
    facts.extend(failure.operation.clone());
    facts.extend(failure.length_bytes.map(|length| format!("{length} bytes")));
    facts.extend(failure.offset_bytes.map(|offset| format!("at byte {offset}")));
    facts.extend(failure.lba.map(|lba| format!("LBA {lba}")));
    if !facts.is_empty() {
        text.push_str(&format!(" ({})", facts.join(", ")));
    }
    format!("{text}; plan line {}, column {}", failure.place.line, failure.place.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(plain("a\u{1b}[31mb\nc"), "a [31mb c");
    }
}
