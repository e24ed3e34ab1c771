//! A schedule as a person reads it before a run: every step and case with its length and the bytes it writes.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use crate::device::Facts;
use crate::plan::{Access, Extent};
use crate::schedule::{Action, Case, Estimate, Schedule, ScheduledFill, ScheduledStep, Written};
use crate::units::{ByteCount, Percent, RunTime};

/// The schedule as text for a terminal. `target` is the drive that it is bound to, if any.
pub fn schedule_text(schedule: &Schedule, target: Option<&Facts>) -> String {
    let mut notes = Notes::default();
    let mut table = Builder::default();
    table.push_record(["step", "length", "writes", ""]);
    let mut section = "";
    for (index, step) in schedule.steps.iter().enumerate() {
        if step.section != section {
            section = &step.section;
            table.push_record([section, "", "", ""]);
        }
        push_step(&mut table, index + 1, step, &mut notes);
    }
    let total = schedule.estimate();
    let written = writes(&total.written, &mut notes);
    table.push_record([&format!("total, {}", counted(schedule.measured_cases())), &length(&total), &written, ""]);
    let mut table = table.build();
    table.with(Style::blank()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::one(1), Alignment::right());
    table.modify(Columns::one(2), Alignment::right());
    let text = table.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n{}\n{}", heading(schedule, target), lines.join("\n"), notes.text(schedule))
}

fn counted(cases: usize) -> String {
    format!("{cases} measured {}", if cases == 1 { "case" } else { "cases" })
}

fn heading(schedule: &Schedule, target: Option<&Facts>) -> String {
    let mut line = schedule.plan.clone();
    if let Some(revision) = schedule.revision {
        line.push_str(&format!(" · revision {revision}"));
    }
    line.push_str(&format!(" · engine {} · seed {}\n", schedule.engine.name(), schedule.seed));
    if let Some(title) = &schedule.title {
        line.push_str(&format!("{title}\n"));
    }
    match (target, schedule.area) {
        (Some(facts), Some(area)) => {
            line.push_str(&format!("target {} = {}\n", facts.path, facts.summary()));
            line.push_str(&format!("area {} ({} bytes)\n", area.human(), area.get()));
        }
        _ => line.push_str("no target: what depends on its size is given in areas\n"),
    }
    line
}

fn push_step(table: &mut Builder, number: usize, step: &ScheduledStep, notes: &mut Notes) {
    let written = writes(&step.estimate.written, notes);
    let (what, detail) = describe(step);
    table.push_record([&format!("{number:>2} {what}"), &length(&step.estimate), &written, &detail]);
    if let Action::Measure(cases) = &step.action
        && cases.len() > 1
    {
        for case in cases {
            let name = format!("   {}", case.id);
            let written = writes(&case.estimate.written, notes);
            table.push_record([&name, &length(&case.estimate), &written, &limits(case)]);
        }
    }
}

/// The step in words: what it is, and how it goes about it.
fn describe(step: &ScheduledStep) -> (String, String) {
    match &step.action {
        Action::Fill(fill) => (format!("fill {}", extent_words(fill)), fill_words(fill)),
        Action::Idle(time) => ("idle".into(), format!("no command for {}", time.human())),
        Action::Precondition(case) => {
            (format!("precondition {}", step.label), format!("{} · {} · {}", case.id, shape(case), limits(case)))
        }
        Action::Measure(cases) => match cases.as_slice() {
            [case] => (format!("measure {}", step.label), format!("{} · {} · {}", case.id, shape(case), limits(case))),
            cases => {
                (format!("measure {}", step.label), cases.first().map_or_else(String::new, |case| matrix(case, cases)))
            }
        },
    }
}

fn extent_words(fill: &ScheduledFill) -> String {
    match (fill.extent, fill.passes) {
        (Extent::Share(Percent::HUNDRED), 1) => "the area once".into(),
        (Extent::Share(Percent::HUNDRED), passes) => format!("the area {passes} times"),
        (Extent::Share(share), _) => format!("{share} of the area"),
        (Extent::Bytes(bytes), _) => bytes.to_string(),
    }
}

fn fill_words(fill: &ScheduledFill) -> String {
    format!("{}T/{}Q · {} sequential writes", fill.threads, fill.queue_depth, fill.block_size)
}

/// What all cases of a matrix share; what differs stands in their names.
fn matrix(first: &Case, cases: &[Case]) -> String {
    let same_size = cases.iter().all(|case| case.block_size == first.block_size);
    let same_read = cases.iter().all(|case| case.read == first.read);
    let size = if same_size { format!("{} ", first.block_size) } else { String::new() };
    let read = if same_read { format!(", {} read", first.read) } else { String::new() };
    format!("{} cases · {size}{}{read}", cases.len(), access_words(first.access))
}

fn shape(case: &Case) -> String {
    format!("{} {}, {} read", case.block_size, access_words(case.access), case.read)
}

const fn access_words(access: Access) -> &'static str {
    match access {
        Access::Random => "random",
        Access::SequentialShared => "sequential (one cursor)",
        Access::SequentialLanes => "sequential (a lane for each thread)",
    }
}

fn limits(case: &Case) -> String {
    let mut parts = Vec::new();
    if let Some(time) = case.limits.time {
        parts.push(time.human());
    }
    if let Some(bytes) = case.limits.written {
        parts.push(format!("{bytes} written"));
    }
    if let Some(passes) = case.limits.passes {
        parts.push(format!("{passes} {}", if passes == 1 { "pass" } else { "passes" }));
    }
    let run = parts.join(" or ");
    if case.ramp == RunTime::ZERO { run } else { format!("{} ramp + {run}", case.ramp.human()) }
}

/// A time: exact, a range, or as much as is known.
fn length(estimate: &Estimate) -> String {
    let low = estimate.time_low;
    match estimate.time_high {
        Some(high) if high == low => low.human(),
        Some(high) if low == RunTime::ZERO => format!("≤ {}", high.human()),
        Some(high) => format!("{} – {}", low.human(), high.human()),
        None if low == RunTime::ZERO => "?".into(),
        None => format!("≥ {}", low.human()),
    }
}

/// Bytes: exact, a range, or as much as is known, with a note on where a bound comes from.
fn writes(written: &Written, notes: &mut Notes) -> String {
    if written.is_nothing() {
        return "–".into();
    }
    let mut parts = Vec::new();
    if written.areas_millionths > 0 {
        parts.push(areas(written.areas_millionths));
    }
    let mark = written.source.as_ref().map(|source| notes.mark(source)).unwrap_or_default();
    let bytes = |bytes: ByteCount| bytes.human();
    match (written.low, written.high) {
        (ByteCount::ZERO, Some(ByteCount::ZERO)) => {}
        (low, Some(high)) if low == high => parts.push(bytes(low)),
        (low, Some(high)) => parts.push(format!("{} – {}{mark}", bytes(low), bytes(high))),
        (ByteCount::ZERO, None) => parts.push(format!("?{mark}")),
        (low, None) => parts.push(format!("≥ {}{mark}", bytes(low))),
    }
    parts.join(" + ")
}

fn areas(millionths: u64) -> String {
    if millionths.is_multiple_of(1_000_000) {
        return format!("{} × area", millionths / 1_000_000);
    }
    let text = format!("{:.6}", millionths as f64 / 1e6);
    format!("{} × area", text.trim_end_matches('0'))
}

/// Footnotes, each said once.
#[derive(Default)]
struct Notes {
    sources: Vec<String>,
}

const MARKS: [&str; 4] = ["¹", "²", "³", "⁴"];

impl Notes {
    fn mark(&mut self, source: &str) -> &'static str {
        let index = self.sources.iter().position(|known| known == source).unwrap_or_else(|| {
            self.sources.push(source.to_string());
            self.sources.len() - 1
        });
        MARKS.get(index).copied().unwrap_or("*")
    }

    fn text(&self, schedule: &Schedule) -> String {
        let mut lines = String::new();
        for (source, mark) in self.sources.iter().zip(MARKS) {
            lines.push_str(&format!("\n {mark} bytes: {source}"));
        }
        if schedule.steps.iter().any(|step| step.estimate.time_high.is_none()) {
            lines.push_str("\n ? the drive's speed decides how long this takes");
        }
        if lines.is_empty() { lines } else { format!("{lines}\n") }
    }
}

/// The schedule as one JSON document: raw units in the field names, the target's facts, and the sums.
pub fn schedule_json(schedule: &Schedule, target: Option<&Facts>) -> String {
    let document = serde_json::json!({
        "format": "shakedown-schedule-1",
        "schedule": schedule,
        "target": target,
        "total": schedule.estimate(),
        "measured_cases": schedule.measured_cases(),
    });
    pretty(&document)
}

/// A JSON document for people and programs, with a newline at its end.
pub(super) fn pretty(document: &serde_json::Value) -> String {
    format!("{document:#}\n")
}
