//! A difference to paste into a review.

use super::Difference;
use super::words::{self, Row, plain};

/// What differs, as Markdown.
pub fn markdown(difference: &Difference) -> String {
    let (old, new) = (&difference.old, &difference.new);
    let (verdict, reasons) = difference.verdict_in_words();
    let mut out = format!("**{}**\n\n", escaped(&verdict));
    out.extend(reasons.iter().map(|reason| format!("- {}\n", escaped(reason))));
    out.push_str(&format!("- {}\n", escaped(&words::estimates(difference))));
    out.extend(words::precision(difference).iter().map(|sentence| format!("- {}\n", escaped(sentence))));
    let side = |name: &str, method: &dyn std::fmt::Display| format!("{} (method `{method}`)", escaped(&plain(name)));
    out.push_str(&format!("- {} → {}\n", side(&old.name, &old.method), side(&new.name, &new.method)));
    table("What is done", &words::method_rows(difference), &mut out);
    table("Parameters", &words::param_rows(difference), &mut out);
    table("Provenance, no effect on the method", &words::provenance_rows(difference), &mut out);
    table("No effect on the method", &words::label_rows(difference), &mut out);
    out
}

fn table(title: &str, rows: &[Row], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    out.push_str(&format!("\n{title}:\n\n| section | step | value | change | |\n|---|---|---|---|---|\n"));
    for row in rows {
        let cells = [&row.section, &row.subject, &row.what, &row.change, &row.note].map(|cell| escaped(cell));
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// Names are the author's: nothing in them may become markup.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        if matches!(sign, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&') {
            out.push('\\');
        }
        out.push(if sign == '\n' { ' ' } else { sign });
    }
    out
}
