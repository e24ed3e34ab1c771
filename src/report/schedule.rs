//! A schedule as a person reads it before a run: every step and case with its length and the bytes it writes.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::steps::{self, SEPARATOR, limits, share_limits};
use super::wording::{plain, wrapped};
use crate::device::Facts;
use crate::schedule::{Amount, Conditions, Estimate, Schedule, ScheduledStep, Written};
use crate::units::{ByteCount, RunTime};

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
        push_step(&mut rows, &format!("{:>2} ", index + 1), 0, step, &mut notes);
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

fn counted(cases: usize) -> String {
    format!("{cases} measured {}", if cases == 1 { "case" } else { "cases" })
}

fn heading(schedule: &Schedule, target: Option<&Facts>, width: usize) -> String {
    let mut line = schedule.plan.clone();
    if let Some(revision) = schedule.revision {
        line.push_str(&format!(" · revision {revision}"));
    }
    line.push_str(&format!(" · engine {} · seed {}", schedule.engine.name(), schedule.seed));
    line.extend(schedule.method.iter().map(|method| format!(" · method {method}")));
    let mut lines = vec![line];
    lines.extend(schedule.title.clone());
    match (target, schedule.area) {
        (Some(facts), Some(area)) => {
            lines.push(format!("target {} = {}", facts.path, facts.summary()));
            lines.push(format!("area {} ({} bytes)", area.human(), area.get()));
            lines.extend(schedule.conditions.iter().map(conditions));
        }
        _ => lines.push("no target: what depends on its size is given in devices".into()),
    }
    lines.iter().map(|line| wrapped(&plain(line), "", "  ", width)).collect()
}

fn conditions(conditions: &Conditions) -> String {
    format!("conditions {} · {}", conditions.fingerprint(), conditions.in_words())
}

/// A step, the cases of a matrix below it, and what is inside of it, further in.
fn push_step(rows: &mut Rows, lead: &str, depth: usize, step: &ScheduledStep, notes: &mut Notes) {
    let written = writes(&step.estimate.written, notes);
    let (what, detail) = steps::describe(step);
    rows.push([&format!("{lead}{what}"), &length(&step.estimate), &written], detail);
    let inner = " ".repeat(3 + 2 * depth);
    let cases = step.action.cases();
    if cases.len() > 1 {
        for case in cases {
            let written = writes(&case.estimate.written, notes);
            let limits = if share_limits(cases) { String::new() } else { limits(case) };
            rows.push([&format!("{inner}{}", case.id), &length(&case.estimate), &written], limits);
        }
    }
    for between in &step.between_cases {
        push_step(rows, &format!("{inner}between cases: "), depth + 1, between, notes);
    }
    for step in step.action.inner() {
        push_step(rows, &inner, depth + 1, step, notes);
    }
}

/// A time: exact, a range, or as much as is known.
fn length(estimate: &Estimate) -> String {
    let low = estimate.time_low;
    match estimate.time_high {
        Some(RunTime::ZERO) => "–".into(),
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
    let mark = written.source.as_ref().map(|source| notes.mark(source)).unwrap_or_default();
    let Written { low, high, .. } = written;
    let Some(high) = high else {
        let rest = match low.bytes {
            ByteCount::ZERO => "?".to_string(),
            bytes => format!("≥ {}", bytes.human()),
        };
        return match low.device_millionths {
            0 => format!("{rest}{mark}"),
            millionths => format!("{} + {rest}{mark}", devices(millionths)),
        };
    };
    if high == low {
        return amount(*low);
    }
    // Each unit has a range of its own: `2 to 2.6 × device + 1.07 GB to 130 GB`.
    let mut parts = Vec::new();
    match (low.device_millionths, high.device_millionths) {
        (0, 0) => {}
        (least, most) if least == most => parts.push(devices(most)),
        (0, most) => parts.push(format!("≤ {}", devices(most))),
        (least, most) => parts.push(format!("{} to {}", millionths(least), devices(most))),
    }
    match (low.bytes, high.bytes) {
        (ByteCount::ZERO, ByteCount::ZERO) => {}
        (least, most) if least == most => parts.push(most.human()),
        (ByteCount::ZERO, most) if parts.is_empty() => parts.push(format!("≤ {}", most.human())),
        (ByteCount::ZERO, most) => parts.push(format!("up to {}", most.human())),
        (least, most) => parts.push(format!("{} to {}", least.human(), most.human())),
    }
    format!("{}{mark}", parts.join(" + "))
}

fn amount(amount: Amount) -> String {
    match (amount.device_millionths, amount.bytes) {
        (0, bytes) => bytes.human(),
        (millionths, ByteCount::ZERO) => devices(millionths),
        (millionths, bytes) => format!("{} + {}", devices(millionths), bytes.human()),
    }
}

fn devices(parts: u64) -> String {
    format!("{} × device", millionths(parts))
}

fn millionths(parts: u64) -> String {
    if parts.is_multiple_of(1_000_000) {
        return (parts / 1_000_000).to_string();
    }
    let text = format!("{:.6}", parts as f64 / 1e6);
    text.trim_end_matches('0').to_string()
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
