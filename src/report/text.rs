//! The report for a terminal.

use super::columns::{Column, Value};
use super::groups::{Group, groups};
use super::header::{facts, notice, preparation, title};
use super::number::superscript;
use super::table::{Laid, Look, cases, sides};
use super::wording::{plain, wrapped};
use crate::record::{RunRecord, unusable_cases};

/// How the text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Characters in a line. Tables leave out columns to keep to it, and say which.
    pub width: usize,
}

impl Default for TextOptions {
    /// What a pipe gets.
    fn default() -> Self {
        Self { width: 80 }
    }
}

/// The whole report as text, without colours: the run, what prepared the drive, the tables, their legend, and notes.
pub fn text(record: &RunRecord, options: &TextOptions) -> String {
    let width = options.width;
    let mut out = wrapped(&title(record), "", "  ", width);
    let facts = facts(record);
    pairs(&mut out, &facts, width);
    if let Some(notice) = notice(record) {
        out.push('\n');
        out.push_str(&wrapped(&notice, "", "  ", width));
    }
    let preparation = preparation(record);
    if !preparation.is_empty() {
        out.push_str("\npreparation\n");
        pairs(&mut out, &preparation, width);
    }
    let groups = groups(record);
    let mut legend = Legend::default();
    for group in &groups {
        out.push('\n');
        push_group(&mut out, group, width, &mut legend);
    }
    out.push_str(&legend.text(width));
    let unusable = unusable_cases(record);
    if unusable > 0 {
        let text = format!("{unusable} of {} cases must not be used.", record.measured_cases().1);
        out.push_str(&wrapped(&text, " ", "   ", width));
    }
    push_notes(&mut out, record, width);
    out
}

fn pairs<N: AsRef<str>>(out: &mut String, pairs: &[(N, String)], width: usize) {
    let names = pairs.iter().map(|(name, _)| name.as_ref().chars().count()).max().unwrap_or(0);
    for (name, value) in pairs {
        let first = format!("  {:names$}  ", name.as_ref());
        out.push_str(&wrapped(value, &first, &" ".repeat(names + 4), width));
    }
}

fn push_group(out: &mut String, group: &Group<'_>, width: usize, legend: &mut Legend) {
    out.push_str(&wrapped(&group.heading, "", "  ", width));
    for note in &group.notes {
        out.push_str(&wrapped(note, "  ", "    ", width));
    }
    if !group.rows.is_empty() {
        out.push('\n');
        let laid = cases(group, Some(width), Look::Terminal);
        out.push_str(&laid.text);
        let apart = sides(group, Some(width), Look::Terminal);
        if let Some(apart) = &apart {
            out.push_str("\nreads and writes apart\n");
            out.push_str(&apart.text);
        }
        push_below(out, group, &laid, apart.as_ref(), width);
        legend.add(group, &laid);
    }
    if !group.not_run.is_empty() {
        let what = if group.rows.is_empty() { "not measured" } else { "not measured:" };
        let names = if group.rows.is_empty() { String::new() } else { group.not_run.join(", ") };
        out.push_str(&wrapped(&format!("{what} {names}"), " ", "   ", width));
    }
}

/// What did not fit, and the footnotes.
fn push_below(out: &mut String, group: &Group<'_>, laid: &Laid, apart: Option<&Laid>, width: usize) {
    let mut lost: Vec<Column> = laid.left_out.clone();
    lost.extend(apart.iter().flat_map(|apart| &apart.left_out).filter(|column| !laid.left_out.contains(column)));
    if !lost.is_empty() || !group.footnotes.is_empty() {
        out.push('\n');
    }
    if !lost.is_empty() {
        let names: Vec<&str> = lost.iter().map(|column| column.title()).collect();
        let text = format!("left out at {width} characters: {}", names.join(", "));
        out.push_str(&wrapped(&text, " ", "   ", width));
    }
    for footnote in &group.footnotes {
        let first = format!(" {} ", superscript(footnote.number));
        out.push_str(&wrapped(&footnote.text, &first, "   ", width));
    }
}

/// What the legend must explain, gathered over all tables.
#[derive(Default)]
struct Legend {
    columns: Vec<Column>,
    has_star: bool,
    has_lower_bound: bool,
}

impl Legend {
    fn add(&mut self, group: &Group<'_>, laid: &Laid) {
        for column in &laid.shown {
            if !self.columns.contains(column) {
                self.columns.push(*column);
            }
        }
        let parts = [super::columns::Part::All, super::columns::Part::Read, super::columns::Part::Write];
        for (row, part) in group.rows.iter().flat_map(|row| parts.map(|part| (row, part))) {
            let values = laid.shown.iter().map(|column| column.value(&row.figures, part));
            for value in values {
                self.has_star |= Value::is_starred(value);
                self.has_lower_bound |= value.is_lower_bound();
            }
        }
    }

    fn text(&self, width: usize) -> String {
        if self.columns.is_empty() {
            return String::new();
        }
        let mut out = String::from("\n");
        for is_latency in [false, true] {
            let mut meanings: Vec<&str> = Vec::new();
            for column in self.columns.iter().filter(|column| column.is_latency() == is_latency) {
                if !meanings.contains(&column.meaning()) {
                    meanings.push(column.meaning());
                }
            }
            if !meanings.is_empty() {
                out.push_str(&wrapped(&format!("{}.", meanings.join("; ")), " ", "   ", width));
            }
        }
        if self.has_star {
            let text = "* few samples: fewer than ten operations are expected above this percentile.";
            out.push_str(&wrapped(text, " ", "   ", width));
        }
        if self.has_lower_bound {
            let text =
                ">= lower bound: an operation in flight at the window's end had taken longer than any that counts.";
            out.push_str(&wrapped(text, " ", "   ", width));
        }
        out.push_str(&wrapped("A valid · B with remarks · C do not use", " ", "   ", width));
        out
    }
}

/// Footnotes of the plan's provenance and remarks of the checks.
fn push_notes(out: &mut String, record: &RunRecord, width: usize) {
    for (title, notes) in [("provenance", &record.started.provenance), ("remarks", &record.started.remarks)] {
        if notes.is_empty() {
            continue;
        }
        out.push_str(&format!("\n{title}\n"));
        for note in notes {
            out.push_str(&wrapped(&plain(note), "  ", "    ", width));
        }
    }
}
