//! A plan fully spelled as text: parameters put in, defaults written out and marked, provenance shown.
//!
//! The text is a plan again and means the same.

mod load;
mod report;
mod step;
mod workload;

use std::fmt::Write as _;

use crate::units::ByteCount;

use super::model::{DeviceNeed, Given, Plan, Provenance, ReportView, Test, Workload};
use step::steps;

/// The plan as KDL, with every default written out behind `// default`.
pub fn spell(plan: &Plan) -> String {
    let mut page = Page::default();
    header(plan, &mut page);
    for device in &plan.devices {
        page.blank();
        self::device(device, &mut page);
    }
    page.blank();
    page.open("host");
    page.leaf("engine", &[value(&plan.host.engine, |engine| quoted(engine.name()))], plan.host.engine.is_default);
    page.given("batch", plan.host.batch.as_ref(), u32::to_string);
    if !plan.host.completions.is_default {
        page.given("completions", Some(&plan.host.completions), |kind| quoted(kind.name()));
    }
    page.given("data-pool", plan.host.data_pool.as_ref(), in_quotes);
    page.close();
    if !plan.params.is_empty() {
        page.blank();
    }
    for param in &plan.params {
        let changed =
            if param.is_changed() { format!(", which the plan gives as {}", param.plan_value) } else { String::new() };
        page.line(&format!("// the parameter ${} is {}{changed}", param.name, param.value));
    }
    for workload in &plan.workloads {
        page.blank();
        workload::workload(workload, &mut page);
    }
    for (name, steps) in [("setup", &plan.setup), ("before-each", &plan.before_each)] {
        if !steps.is_empty() {
            page.blank();
            page.open(name);
            step::steps(steps, &plan.workloads, &mut page);
            page.close();
        }
    }
    for test in &plan.tests {
        page.blank();
        self::test(test, &plan.workloads, &mut page);
    }
    if plan.report != ReportView::default() {
        report::report(&plan.report, &mut page);
    }
    page.text
}

/// A string as a plan writes it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || is_refused_raw(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Characters that KDL forbids as they are, or that end a line: direction marks, the byte order mark, line separators.
const fn is_refused_raw(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{85}')
}

/// Lines with their indentation.
#[derive(Default)]
struct Page {
    text: String,
    depth: usize,
    /// The provenance of the node around, which its values need not repeat.
    outer: Provenance,
}

impl Page {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = self.depth * 4);
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// A node without children, marked where nobody wrote it.
    fn leaf(&mut self, name: &str, values: &[String], is_default: bool) {
        let mark = if is_default { "    // default" } else { "" };
        self.line(&format!("{name} {}{mark}", values.join(" ")));
    }

    /// The same for a value that may be absent altogether.
    fn given<T>(&mut self, name: &str, given: Option<&Given<T>>, write: impl Fn(&T) -> String) {
        if let Some(given) = given {
            self.leaf(name, &[value_in(self.outer, given, write)], given.is_default);
        }
    }
}

/// The annotation of a value inside of a node whose own provenance is `outer`; none where the two agree.
fn annotation(provenance: Provenance, outer: Provenance) -> &'static str {
    if provenance == outer {
        return "";
    }
    match provenance {
        Provenance::Published => "(published)",
        Provenance::Inferred => "(inferred)",
        Provenance::Modelled => "(modelled)",
        Provenance::Imported => "(imported)",
        Provenance::Chosen => "(chosen)",
    }
}

/// A value with its provenance, outside of steps: what is chosen has none.
fn value<T>(given: &Given<T>, write: impl Fn(&T) -> String) -> String {
    value_in(Provenance::Chosen, given, write)
}

/// A value with its provenance, inside of a node of that provenance.
fn value_in<T>(outer: Provenance, given: &Given<T>, write: impl Fn(&T) -> String) -> String {
    format!("{}{}", annotation(given.provenance, outer), write(&given.value))
}

fn in_quotes<T: std::fmt::Display>(value: &T) -> String {
    format!("\"{value}\"")
}

fn header(plan: &Plan, page: &mut Page) {
    let header = &plan.header;
    page.open(&format!("plan {}", quoted(&header.name.value)));
    let mut text = |name: &str, text: &Option<String>| {
        if let Some(text) = text {
            page.leaf(name, &[quoted(text)], false);
        }
    };
    text("title", &header.title);
    text("source", &header.source);
    text("note", &header.note);
    if let Some(revision) = header.revision {
        page.leaf("revision", &[revision.to_string()], false);
    }
    page.given("seed", Some(&header.seed), u64::to_string);
    page.given("max-time", header.max_time.as_ref(), in_quotes);
    page.given("max-written", header.max_written.as_ref(), in_quotes);
    page.close();
}

fn device(device: &DeviceNeed, page: &mut Page) {
    page.open(&format!("device {}", value(&device.role, |role| quoted(role))));
    for (name, words) in [("media", &device.media), ("interface", &device.interfaces)] {
        if !words.is_empty() {
            let words: Vec<String> = words.iter().map(|word| value(word, |word| quoted(word))).collect();
            page.leaf(name, &words, false);
        }
    }
    let bounds = [("min", &device.capacity_min), ("max", &device.capacity_max)];
    let bounds: Vec<String> = bounds
        .iter()
        .filter_map(|(key, bound)| bound.as_ref().map(|given| format!("{key}={}", value(given, in_quotes))))
        .collect();
    if !bounds.is_empty() {
        page.leaf("capacity", &bounds, false);
    }
    page.given("rated-endurance", device.rated_endurance.as_ref(), in_quotes);
    page.given("slc-cache", device.slc_cache.as_ref(), in_quotes);
    page.given("at-most", device.at_most_bytes_per_second.as_ref(), |rate| format!("\"{}/s\"", ByteCount::new(*rate)));
    page.close();
}

fn test(test: &Test, workloads: &[Workload], page: &mut Page) {
    let repeat =
        if test.repeat.is_default { String::new() } else { format!(" repeat={}", value(&test.repeat, u32::to_string)) };
    page.open(&format!("test {}{repeat}", value(&test.name, |name| quoted(name))));
    if let Some(title) = &test.title {
        page.leaf("title", &[quoted(title)], false);
    }
    for allow in &test.allows {
        let mut parts = vec![value(&allow.what, |what| quoted(what))];
        parts.extend(allow.in_step.as_ref().map(|step| format!("in={}", value(step, |step| quoted(step)))));
        parts.push(format!("because={}", value(&allow.because, |reason| quoted(reason))));
        page.leaf("allow", &parts, false);
    }
    steps(&test.steps, workloads, page);
    page.close();
}
