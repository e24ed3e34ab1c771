//! A plan fully spelled as text: parameters put in, defaults written out and marked, provenance shown.
//!
//! The text is a plan again and means the same.

use std::fmt::Write as _;

use crate::units::{ByteCount, RunTime};

use super::model::{
    Access, Axis, DeviceNeed, Extent, Fill, FillAmount, Given, Load, Plan, Provenance, RunLimits, Setting, Sizes,
    SpanOfArea, Step, StepKind, Test, Workload, WrittenLimit,
};

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
        self::workload(workload, &mut page);
    }
    for (name, steps) in [("setup", &plan.setup), ("before-each", &plan.before_each)] {
        if !steps.is_empty() {
            page.blank();
            page.open(name);
            self::steps(steps, &plan.workloads, &mut page);
            page.close();
        }
    }
    for test in &plan.tests {
        page.blank();
        self::test(test, &plan.workloads, &mut page);
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

fn workload(workload: &Workload, page: &mut Page) {
    page.open(&format!("workload {}", value(&workload.name, |name| quoted(name))));
    let parts = &workload.parts;
    page.given("access", parts.access.as_ref(), access);
    if let Some(sizes) = &parts.block_size {
        self::sizes(sizes, page);
    }
    page.given("read", parts.read.as_ref(), in_quotes);
    if let Some(given) = &parts.span {
        page.leaf("span", &[span(page.outer, given)], false);
    }
    page.close();
}

/// The order of offsets; the provenance stands before the first word alone.
fn access(access: &Access) -> String {
    match access {
        Access::Random => "\"random\"".into(),
        Access::SequentialShared => "\"sequential\" cursor=\"shared\"".into(),
        Access::SequentialLanes => "\"sequential\" cursor=\"lanes\"".into(),
    }
}

fn span(outer: Provenance, given: &Given<SpanOfArea>) -> String {
    let length = value_in(outer, given, |span| extent(&span.length));
    match given.value.offset {
        ByteCount::ZERO => length,
        offset => format!("{length} offset={}{}", annotation(given.provenance, outer), in_quotes(&offset)),
    }
}

fn extent(extent: &Extent) -> String {
    match extent {
        Extent::Bytes(bytes) => in_quotes(bytes),
        Extent::Share(share) => in_quotes(share),
    }
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

/// Steps one after the other. What a `for-each` has put in for a value stands in one of this value alone, which does
/// nothing but name them: they have the same names again.
fn steps(steps: &[Step], workloads: &[Workload], page: &mut Page) {
    let mut open: &[(String, String)] = &[];
    for step in steps {
        let common = open.iter().zip(&step.variant).take_while(|(a, b)| a == b).count();
        open[common..].iter().for_each(|_| page.close());
        for (name, value) in &step.variant[common..] {
            page.open(&format!("for-each {} {}", quoted(name), quoted(value)));
        }
        open = &step.variant;
        self::step(step, workloads, page);
    }
    open.iter().for_each(|_| page.close());
}

fn step(step: &Step, workloads: &[Workload], page: &mut Page) {
    let mark = annotation(step.provenance, page.outer);
    let outer = std::mem::replace(&mut page.outer, step.provenance);
    match &step.kind {
        StepKind::SecureErase(_)
        | StepKind::Partition(_)
        | StepKind::WriteCache(_)
        | StepKind::Set(_)
        | StepKind::CoolDown(_)
        | StepKind::Rounds(_)
        | StepKind::Replay(_)
        | StepKind::Verify(_)
        | StepKind::Application(_)
        | StepKind::Pick(_) => page.line(&format!("{mark}{}", step.kind.name())),
        StepKind::LimitTo(part) | StepKind::Trim(part) => {
            page.line(&format!("{mark}{} {}", step.kind.name(), value_in(page.outer, part, extent)));
        }
        StepKind::Idle(time) => page.line(&format!("{mark}idle {}", value_in(page.outer, time, in_quotes))),
        StepKind::Fill(fill) => self::fill(mark, fill, page),
        StepKind::Precondition(load) => self::load(&format!("{mark}precondition"), step, load, workloads, page),
        StepKind::Measure(load) => self::load(&format!("{mark}measure"), step, load, workloads, page),
    }
    page.outer = outer;
}

fn fill(mark: &str, fill: &Fill, page: &mut Page) {
    let origin = annotation(fill.amount.provenance, page.outer);
    let amount = match fill.amount.value {
        FillAmount::Passes(passes) => format!("passes={origin}{passes}"),
        FillAmount::Extent(part) => format!("{origin}{}", extent(&part)),
    };
    page.open(&format!("{mark}fill {amount}"));
    page.given("block-size", Some(&fill.block_size), in_quotes);
    page.given("threads", Some(&fill.threads), ToString::to_string);
    page.given("queue-depth", Some(&fill.queue_depth), ToString::to_string);
    page.close();
}

/// A load; what its workload says is not said again.
fn load(name: &str, step: &Step, load: &Load, workloads: &[Workload], page: &mut Page) {
    let [part] = load.parts.as_slice() else { return };
    let [stream] = part.streams.as_slice() else { return };
    let label = if step.name() == part.workload.value { String::new() } else { format!(" as={}", quoted(step.name())) };
    page.open(&format!("{name} {}{label}", value_in(page.outer, &part.workload, |name| quoted(name))));
    let workload = workloads.iter().find(|workload| workload.name.value == part.workload.value);
    let theirs = workload.map(|workload| &workload.parts);
    if theirs.is_none_or(|theirs| theirs.access.is_none()) {
        page.given("access", Some(&stream.access), access);
    }
    if theirs.is_none_or(|theirs| theirs.block_size.is_none()) {
        sizes(&stream.block_size, page);
    }
    if theirs.is_none_or(|theirs| theirs.read.is_none()) {
        setting("read", &stream.read, in_quotes, page);
    }
    if let Setting::Fixed(given) = &stream.span
        && theirs.is_none_or(|theirs| theirs.span.is_none())
    {
        page.leaf("span", &[span(page.outer, given)], given.is_default);
    }
    setting("threads", &part.threads, ToString::to_string, page);
    setting("queue-depth", &part.queue_depth, ToString::to_string, page);
    if !load.axes.is_empty() {
        page.open("matrix");
        for axis in &load.axes {
            page.leaf(axis.name(), &axis_values(page.outer, axis), false);
        }
        page.close();
    }
    page.given("ramp", Some(&load.ramp), time);
    page.leaf("run", &limits(page.outer, &load.run), false);
    page.given("sample", Some(&load.sample), time);
    page.close();
}

fn time(time: &RunTime) -> String {
    in_quotes(time)
}

fn sizes(sizes: &Sizes, page: &mut Page) {
    if let Sizes::One(one) = sizes {
        setting("block-size", one, in_quotes, page);
    }
}

fn setting<T>(name: &str, setting: &Setting<T>, write: impl Fn(&T) -> String, page: &mut Page) {
    if let Setting::Fixed(given) = setting {
        page.given(name, Some(given), write);
    }
}

fn axis_values(outer: Provenance, axis: &Axis) -> Vec<String> {
    match axis {
        Axis::Threads(values) => values.iter().map(|given| value_in(outer, given, ToString::to_string)).collect(),
        Axis::QueueDepth(values) => values.iter().map(|given| value_in(outer, given, ToString::to_string)).collect(),
        Axis::BlockSize(values) => values.iter().map(|given| value_in(outer, given, in_quotes)).collect(),
        Axis::Read(values) => values.iter().map(|given| value_in(outer, given, in_quotes)).collect(),
        Axis::Trim(values) => values.iter().map(|given| value_in(outer, given, in_quotes)).collect(),
        Axis::Span(values) => values.iter().map(|given| span(outer, given)).collect(),
        Axis::Rate(_) => Vec::new(),
    }
}

fn written(limit: &WrittenLimit) -> String {
    match limit {
        WrittenLimit::Bytes(bytes) => in_quotes(bytes),
        WrittenLimit::DriveWrites(writes) => format!("\"{writes} drive-writes\""),
    }
}

fn limits(outer: Provenance, run: &RunLimits) -> Vec<String> {
    let mut limits = Vec::new();
    limits.extend(run.time.as_ref().map(|given| value_in(outer, given, time)));
    limits.extend(run.written.as_ref().map(|given| format!("written={}", value_in(outer, given, written))));
    limits.extend(run.passes.as_ref().map(|given| format!("passes={}", value_in(outer, given, u32::to_string))));
    limits
}
