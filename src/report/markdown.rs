//! The report as Markdown.

use super::groups::{Group, groups};
use super::header::{facts, notice, preparation, title};
use super::number::superscript;
use super::table::{Look, cases, sides};
use super::wording::plain;
use crate::record::RunRecord;

/// The whole report as Markdown: the same figures as on a terminal, all columns.
pub fn markdown(record: &RunRecord) -> String {
    let mut out = format!("# {}\n\n", escaped(&title(record)));
    for (name, value) in facts(record) {
        out.push_str(&format!("- {name}: {}\n", escaped(&value)));
    }
    if let Some(notice) = notice(record) {
        out.push_str(&format!("\n**{}**\n", escaped(&notice)));
    }
    let preparation = preparation(record);
    if !preparation.is_empty() {
        out.push_str("\n## preparation\n\n");
        for (name, value) in preparation {
            out.push_str(&format!("- {}: {}\n", escaped(&name), escaped(&value)));
        }
    }
    for group in groups(record) {
        push_group(&mut out, &group);
    }
    for (title, notes) in [("provenance", &record.started.provenance), ("remarks", &record.started.remarks)] {
        if !notes.is_empty() {
            out.push_str(&format!("\n## {title}\n\n"));
            notes.iter().for_each(|note| out.push_str(&format!("- {}\n", escaped(&plain(note)))));
        }
    }
    out
}

fn push_group(out: &mut String, group: &Group<'_>) {
    out.push_str(&format!("\n## {}\n", escaped(&group.heading)));
    if !group.notes.is_empty() {
        out.push('\n');
        group.notes.iter().for_each(|note| out.push_str(&format!("- {}\n", escaped(note))));
    }
    if !group.rows.is_empty() {
        out.push_str(&format!("\n{}", cases(group, None, Look::Markdown).text));
        if let Some(apart) = sides(group, None, Look::Markdown) {
            out.push_str(&format!("\nReads and writes apart:\n\n{}", apart.text));
        }
    }
    if !group.footnotes.is_empty() {
        out.push('\n');
    }
    for footnote in &group.footnotes {
        out.push_str(&format!("- {} {}\n", superscript(footnote.number), escaped(&footnote.text)));
    }
    if !group.not_run.is_empty() {
        out.push_str(&format!("\nNot measured: {}\n", escaped(&group.not_run.join(", "))));
    }
}

/// Text that Markdown shows as it is, inside and outside of tables.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
