//! A schedule as a person reads it before a run: every step and case with its length and the bytes it writes.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::wording::{plain, wrapped};
use crate::device::Facts;
use crate::plan::{Access, Extent, SpanOfArea};
use crate::schedule::{Action, Case, Estimate, Schedule, ScheduledFill, ScheduledStep, Written};
use crate::units::{ByteCount, Percent, RunTime};

/// The schedule as text in lines of at most `width` characters, as far as names allow: what does not fit beside the
/// figures stands below them. `target` is the drive that it is bound to, if any.
pub fn schedule_text(schedule: &Schedule, target: Option<&Facts>, width: usize) -> String {
    let mut notes = Notes::default();
    let mut rows = Rows::default();
    rows.push(["step", "length", "writes"], "");
    let mut section = "";
    for (index, step) in schedule.steps.iter().enumerate() {
        if step.section != section {
            section = &step.section;
            rows.push([section, "", ""], "");
        }
        push_step(&mut rows, index + 1, step, &mut notes);
    }
    let total = schedule.estimate();
    let written = writes(&total.written, &mut notes);
    rows.push([&format!("total, {}", counted(schedule.measured_cases())), &length(&total), &written], "");
    format!("{}\n{}{}", heading(schedule, target, width), rows.text(width), notes.text(schedule, width))
}

/// The lines of the table: columns of figures, and what is said of a step in words.
#[derive(Default)]
struct Rows {
    figures: Builder,
    details: Vec<String>,
}

impl Rows {
    fn push(&mut self, figures: [&str; 3], detail: impl Into<String>) {
        self.figures.push_record(figures);
        self.details.push(detail.into());
    }

    /// Details stand beside the figures where all of them fit, else each below its own. Nothing is cut.
    fn text(self, width: usize) -> String {
        let mut table = self.figures.build();
        table.with(Style::blank()).with(Padding::new(0, 2, 0, 0));
        table.modify(Columns::one(1), Alignment::right());
        table.modify(Columns::one(2), Alignment::right());
        let figures = table.to_string();
        let lines: Vec<(&str, String)> = figures.lines().zip(self.details).collect();
        let fit_beside = lines.iter().all(|(figures, detail)| {
            detail.is_empty() || figures.chars().count() + 1 + detail.chars().count() <= width
        });
        let mut text = String::new();
        for (figures, detail) in lines {
            if fit_beside {
                text.push_str(format!("{figures} {detail}").trim_end());
                text.push('\n');
                continue;
            }
            text.push_str(figures.trim_end());
            text.push('\n');
            if !detail.is_empty() {
                text.push_str(&below(&detail, width));
            }
        }
        text
    }
}

/// A detail in lines of its own, broken between its parts where they fit.
fn below(detail: &str, width: usize) -> String {
    const INDENT: &str = "     ";
    let mut lines: Vec<String> = Vec::new();
    for part in detail.split(SEPARATOR) {
        match lines.last_mut() {
            Some(line) if INDENT.len() + line.chars().count() + 3 + part.chars().count() <= width => {
                line.push_str(SEPARATOR);
                line.push_str(part);
            }
            _ => lines.push(part.into()),
        }
    }
    lines.iter().map(|line| wrapped(line, INDENT, "       ", width)).collect()
}

/// Between the parts of a detail.
const SEPARATOR: &str = " · ";

fn counted(cases: usize) -> String {
    format!("{cases} measured {}", if cases == 1 { "case" } else { "cases" })
}

fn heading(schedule: &Schedule, target: Option<&Facts>, width: usize) -> String {
    let mut line = schedule.plan.clone();
    if let Some(revision) = schedule.revision {
        line.push_str(&format!(" · revision {revision}"));
    }
    line.push_str(&format!(" · engine {} · seed {}", schedule.engine.name(), schedule.seed));
    let mut lines = vec![line];
    lines.extend(schedule.title.clone());
    match (target, schedule.area) {
        (Some(facts), Some(area)) => {
            lines.push(format!("target {} = {}", facts.path, facts.summary()));
            lines.push(format!("area {} ({} bytes)", area.human(), area.get()));
        }
        _ => lines.push("no target: what depends on its size is given in areas".into()),
    }
    lines.iter().map(|line| wrapped(&plain(line), "", "  ", width)).collect()
}

fn push_step(rows: &mut Rows, number: usize, step: &ScheduledStep, notes: &mut Notes) {
    let written = writes(&step.estimate.written, notes);
    let (what, detail) = describe(step);
    rows.push([&format!("{number:>2} {what}"), &length(&step.estimate), &written], detail);
    let Action::Measure(cases) = &step.action else { return };
    if cases.len() > 1 {
        for case in cases {
            let written = writes(&case.estimate.written, notes);
            let limits = if share_limits(cases) { String::new() } else { limits(case) };
            rows.push([&format!("   {}", case.id), &length(&case.estimate), &written], limits);
        }
    }
}

/// The step in words: what it is, and how it goes about it.
fn describe(step: &ScheduledStep) -> (String, String) {
    let name = format!("{} {}", step.action.name(), step.label);
    match &step.action {
        Action::Fill(fill) => (format!("fill {}", extent_words(fill)), fill_words(fill)),
        Action::Idle(_) => ("idle".into(), "no command is sent".into()),
        Action::Precondition(case) => (name, one_case(case)),
        Action::Measure(cases) => match cases.as_slice() {
            [case] => (name, one_case(case)),
            cases => (name, cases.first().map_or_else(String::new, |case| matrix(case, cases))),
        },
    }
}

fn one_case(case: &Case) -> String {
    format!("{} · {} · {}", case.id, shape(case), limits(case))
}

fn share_limits(cases: &[Case]) -> bool {
    cases.windows(2).all(|pair| pair[0].limits == pair[1].limits && pair[0].ramp == pair[1].ramp)
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
    let each = if share_limits(cases) { format!(" of {}", limits(first)) } else { String::new() };
    format!("{} cases{each} · {size}{}{read}{}", cases.len(), access_words(first.access), span_words(first))
}

fn shape(case: &Case) -> String {
    format!("{} {}, {} read{}", case.block_size, access_words(case.access), case.read, span_words(case))
}

/// The part of the area, where it is not all of it.
fn span_words(case: &Case) -> String {
    if case.span == SpanOfArea::WHOLE {
        return String::new();
    }
    let length = match case.span.length {
        Extent::Bytes(bytes) => bytes.to_string(),
        Extent::Share(share) => share.to_string(),
    };
    match case.span.offset {
        ByteCount::ZERO => format!(", span {length}"),
        offset => format!(", span {length} from {offset}"),
    }
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
        Some(high) => format!("{} to {}", low.human(), high.human()),
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
        (ByteCount::ZERO, Some(high)) => {
            let bound = if parts.is_empty() { "≤" } else { "up to" };
            parts.push(format!("{bound} {}{mark}", bytes(high)));
        }
        (low, Some(high)) => parts.push(format!("{} to {}{mark}", bytes(low), bytes(high))),
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

    fn text(&self, schedule: &Schedule, width: usize) -> String {
        let mut lines = String::new();
        for (source, mark) in self.sources.iter().zip(MARKS) {
            lines.push_str(&wrapped(&format!("bytes: {source}"), &format!(" {mark} "), "   ", width));
        }
        if schedule.steps.iter().any(|step| step.estimate.time_high.is_none()) {
            lines.push_str(&wrapped("the drive's speed decides how long this takes", " ? ", "   ", width));
        }
        if lines.is_empty() { lines } else { format!("\n{lines}") }
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
