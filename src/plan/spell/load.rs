//! Loads.

use crate::plan::model::{Axis, Load, Provenance, RunLimits, Step, Workload, WrittenLimit};
use crate::units::RunTime;

use super::workload::{closed, setting, span};
use super::{Page, in_quotes, quoted, value_in};

/// A load; what its workload says is not said again.
pub(super) fn load(name: &str, step: &Step, load: &Load, workloads: &[Workload], page: &mut Page) {
    let [part] = load.parts.as_slice() else { return };
    let label = if step.name() == part.workload.value { String::new() } else { format!(" as={}", quoted(step.name())) };
    page.open(&format!("{name} {}{label}", value_in(page.outer, &part.workload, |name| quoted(name))));
    closed(part, workloads, page);
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
