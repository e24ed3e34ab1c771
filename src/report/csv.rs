//! The measured cases as comma-separated values: tidy, one row for each case and direction, raw units in the header.

use super::json::{PERCENTILE_NAMES, access_name};
use crate::record::{CaseFigures, CaseRecord, RunRecord, SideFigures, judge};
use crate::schedule::{Action, Case, PlainCase, ScheduledStep};

/// All measured cases, those that were not run with empty figures. Rows of `all`, `read` and `write` stand together.
pub fn csv(record: &RunRecord) -> String {
    let mut out = header();
    for (planned, step) in record.steps() {
        let Action::Measure(cases) = &planned.action else { continue };
        for (case, measured) in cases.iter().zip(&step.cases) {
            push_case(&mut out, record, planned, case, measured);
        }
    }
    out
}

fn header() -> String {
    let mut names: Vec<String> = [
        "run_id",
        "step",
        "case",
        "operations_of",
        "workload",
        "access",
        "block_size_bytes",
        "read_share_asked",
        "threads",
        "queue_depth",
        "state",
        "grade",
        "remarks",
        "window_ns",
        "read_share_achieved",
        "operations",
        "bytes",
        "iops",
        "bytes_per_second",
        "latency_ns_mean",
        "latency_ns_min",
        "latency_ns_max",
        "latency_ns_max_is_lower_bound",
        "latency_ns_deviation",
        "latency_ns_deviation_mean_of_sides",
    ]
    .map(str::to_owned)
    .to_vec();
    for name in PERCENTILE_NAMES {
        names.push(format!("latency_ns_{name}"));
        names.push(format!("{name}_few_samples"));
    }
    format!("{}\n", names.join(","))
}

fn push_case(out: &mut String, record: &RunRecord, step: &ScheduledStep, planned: &Case, case: &CaseRecord) {
    let figures = case.figures();
    let validity = judge(record, planned, case);
    let remarks: Vec<String> = validity.iter().flat_map(|v| &v.remarks).map(ToString::to_string).collect();
    let plain = planned.plain();
    let only = |write: fn(&PlainCase<'_>) -> String| plain.as_ref().map(write).unwrap_or_default();
    let workloads: Vec<&str> = planned.loads.iter().map(|load| load.workload.as_str()).collect();
    let fixed = |part: &str| {
        [
            quoted(&record.started.run_id),
            quoted(step.id.as_str()),
            quoted(case.id.as_str()),
            part.to_owned(),
            quoted(&workloads.join(" + ")),
            only(|case| access_name(case.access).to_owned()),
            only(|case| case.block_size.get().to_string()),
            planned.read_share().map(|share| share.to_string()).unwrap_or_default(),
            only(|case| case.threads.get().to_string()),
            only(|case| case.queue_depth.get().to_string()),
            quoted(super::wording::case_state(case.state)),
            validity.as_ref().map(|validity| validity.grade.to_string()).unwrap_or_default(),
            quoted(&remarks.join("; ")),
        ]
    };
    for part in ["all", "read", "write"] {
        let mut fields = fixed(part).to_vec();
        push_figures(&mut fields, figures.as_ref(), part);
        out.push_str(&fields.join(","));
        out.push('\n');
    }
}

fn push_figures(fields: &mut Vec<String>, figures: Option<&CaseFigures>, part: &str) {
    let Some(figures) = figures else {
        fields.extend(std::iter::repeat_n(String::new(), 12 + 2 * PERCENTILE_NAMES.len()));
        return;
    };
    let is_all = part == "all";
    let side: &SideFigures = match part {
        "all" => &figures.all,
        "read" => &figures.read,
        _ => &figures.write,
    };
    fields.push(figures.window_ns.to_string());
    fields.push(number(figures.read_share));
    fields.push(side.operations.to_string());
    fields.push(side.bytes.to_string());
    fields.push(number(side.iops));
    fields.push(number(side.bytes_per_second));
    fields.push(number(side.mean_ns));
    fields.push(number(side.min_ns));
    fields.push(number(side.max_ns));
    fields.push((is_all && figures.is_max_lower_bound).to_string());
    fields.push(number(side.deviation_ns));
    fields.push(if is_all { number(figures.deviation_mean_of_sides_ns) } else { String::new() });
    for (value, few) in side.percentiles_ns.iter().zip(side.few_samples) {
        fields.push(number(*value));
        fields.push(few.to_string());
    }
}

fn number(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Quoted where a comma, a quote or a line break is inside; a leading sign that spreadsheets take for a formula is
/// kept from them by a quote mark in front.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r', ';']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("2T/4Q"), "2T/4Q");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
