//! The block devices of a machine, each with a plain verdict.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use crate::device::{Facts, Listed, Verdict};

/// The list as text: a table, and below it why a device is refused and what could not be read.
pub fn devices_text(listed: &[Listed], width: usize) -> String {
    if listed.is_empty() {
        return "no block devices\n".into();
    }
    let mut table = Builder::default();
    table.push_record(["device", "model", "serial", "size", "block", "bus", "verdict"]);
    for device in listed {
        table.push_record(row(device));
    }
    let mut table = table.build();
    table.with(Style::blank()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::one(3), Alignment::right());
    table.modify(Columns::one(4), Alignment::right());
    let text = table.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let is_wide = lines.iter().any(|line| line.chars().count() > width);
    let mut out = if is_wide { blocks(listed) } else { format!("{}\n", lines.join("\n")) };
    for device in listed {
        out.push_str(&details(device));
    }
    out
}

fn row(device: &Listed) -> [String; 7] {
    let facts = &device.facts;
    let or_dash = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".into());
    [
        facts.path.clone(),
        or_dash(&facts.model),
        or_dash(&facts.serial),
        facts.capacity_bytes.human(),
        block(facts),
        facts.transport.to_string(),
        verdict(&device.verdict).into(),
    ]
}

/// Logical block, and the physical one where it differs.
fn block(facts: &Facts) -> String {
    if facts.logical_block_bytes == facts.physical_block_bytes {
        return facts.logical_block_bytes.to_string();
    }
    format!("{}/{}", facts.logical_block_bytes, facts.physical_block_bytes)
}

const fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Usable { .. } => "usable",
        Verdict::UsableWithConsent { .. } => "usable with consent",
        Verdict::Refused(_) => "refused",
    }
}

/// One block for each device where a table would be too wide.
fn blocks(listed: &[Listed]) -> String {
    let mut out = String::new();
    for device in listed {
        let [path, model, serial, size, block, bus, verdict] = row(device);
        out.push_str(&format!("{path}\n  {model}, serial {serial}\n  {size}, block {block}, {bus}\n  {verdict}\n"));
    }
    out
}

fn details(device: &Listed) -> String {
    let facts = &device.facts;
    let mut lines = Vec::new();
    match &device.verdict {
        Verdict::Refused(refusal) => {
            lines.push(format!("refused: {}", refusal.message()));
            // The first line of the details is the drive, which the table has already.
            lines.extend(refusal.details().lines().skip(1).map(str::to_string));
        }
        Verdict::UsableWithConsent { consent } => {
            let found: Vec<String> = facts.contents.iter().flatten().map(ToString::to_string).collect();
            let what = match (&facts.contents, found.is_empty()) {
                (None, _) => "what is on it could not be read".to_string(),
                (Some(_), true) => "nothing known was found on it".to_string(),
                (Some(_), false) => format!("found on it: {}", found.join(", ")),
            };
            lines.push(format!("{what}; to write to it, add `--destroy {consent}`"));
        }
        Verdict::Usable { consent } => {
            lines.push(format!("nothing known was found on it; to write to it, add `--destroy {consent}`"));
        }
    }
    lines.extend(facts.unread.iter().map(|what| format!("not read: {what}")));
    if lines.is_empty() {
        return String::new();
    }
    let indented: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    format!("\n{}\n{}\n", facts.path, indented.join("\n"))
}

/// The list as one JSON document.
pub fn devices_json(listed: &[Listed]) -> String {
    super::schedule::pretty(&serde_json::json!({ "format": "shakedown-devices-1", "devices": listed }))
}
