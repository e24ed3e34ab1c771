//! A difference for a terminal.

use super::Difference;
use super::words::{self, Row, plain};
use crate::text::wrapped;

/// What differs, in lines of at most `width` characters as far as names allow.
pub fn text(difference: &Difference, width: usize) -> String {
    let (old, new) = (&difference.old, &difference.new);
    let mut out = String::new();
    if difference.is_same_method() {
        out.push_str(&hanging(&format!("{} → {}", plain(&old.name), plain(&new.name)), "", width));
        out.push_str(&format!("method {} in both\n", new.method));
    } else {
        out.push_str(&hanging(&format!("{} · method {} →", plain(&old.name), old.method), "", width));
        out.push_str(&hanging(&format!("{} · method {}", plain(&new.name), new.method), "", width));
    }
    table(&words::method_rows(difference), &mut out, width);
    titled("parameters", &words::param_rows(difference), &mut out, width);
    titled("provenance, no effect on the method", &words::provenance_rows(difference), &mut out, width);
    titled("no effect on the method", &words::label_rows(difference), &mut out, width);
    out.push('\n');
    let estimates = words::estimates(difference);
    let is_wide = estimates.chars().count() > width;
    let parts = if is_wide { estimates.split(" · ").collect() } else { vec![estimates.as_str()] };
    parts.into_iter().for_each(|part| out.push_str(&hanging(part, "", width)));
    for sentence in words::precision(difference) {
        out.push_str(&hanging(&sentence, "", width));
    }
    let (verdict, reasons) = difference.verdict_in_words();
    out.push_str(&hanging(&verdict, "", width));
    for reason in reasons {
        out.push_str(&hanging(&reason, "  ", width));
    }
    out
}

fn titled(title: &str, rows: &[Row], out: &mut String, width: usize) {
    if !rows.is_empty() {
        out.push_str(&format!("\n{title}\n"));
        lines(rows, out, width);
    }
}

/// Rows below the names of their sections.
fn table(rows: &[Row], out: &mut String, width: usize) {
    for of_section in rows.chunk_by(|a, b| a.section == b.section) {
        out.push_str(&format!("\n{}\n", of_section[0].section));
        lines(of_section, out, width);
    }
}

fn lines(rows: &[Row], out: &mut String, width: usize) {
    let widest = |of: fn(&Row) -> &str, most: usize| {
        rows.iter().map(|row| of(row).chars().count()).filter(|count| *count <= most).max().unwrap_or(0)
    };
    let (subject, what) = (widest(|row| &row.subject, 24), widest(|row| &row.what, 26));
    let change = widest(|row| &row.change, 36);
    let lead = if subject == 0 { 2 } else { 4 + subject };
    for row in rows {
        let mut line = if subject == 0 { "  ".into() } else { format!("  {:<subject$}  ", row.subject) };
        line.push_str(&format!("{:<what$}  {:<change$}  {}", row.what, row.change, row.note));
        let line = line.trim_end();
        if line.chars().count() <= width {
            out.push_str(&format!("{line}\n"));
            continue;
        }
        let words = [&row.subject, &row.what, &row.change, &row.note].map(String::as_str);
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        out.push_str(&wrapped(&words.join("  "), "  ", &" ".repeat(lead.min(16) + 2), width));
    }
}

/// With lines after the first further in.
fn hanging(text: &str, indent: &str, width: usize) -> String {
    wrapped(text, indent, &format!("{indent}  "), width)
}
