//! The record as one JSON document for other programs. Raw units stand in the keys; a key is always there, and `null`
//! where there is no such value.

use serde_json::{Map, Value, json};

use super::wording::{case_state, step_state};
use crate::event::RunEnd;
use crate::measure::{Interval, Side, Sides, WindowTotals};
use crate::plan::{Access, Extent};
use crate::record::{CaseFigures, CaseRecord, RunRecord, RunState, SideFigures, StepRecord, judge, unusable_cases};
use crate::schedule::{Action, Case, PlainCase, ScheduledFill, ScheduledStep};

/// The version of the document. A new key leaves it as it is; a key that goes or changes its meaning raises it.
pub const JSON_FORMAT: u32 = 1;

/// As they stand in keys, in the order of `SideFigures::percentiles_ns`.
pub(super) const PERCENTILE_NAMES: [&str; 5] = ["p50", "p90", "p99", "p99_9", "p99_99"];

/// The record as a JSON document. `docs/src/reference/results.md` describes it.
pub fn json(record: &RunRecord) -> Value {
    let steps: Vec<Value> = record.steps().map(|(planned, step)| step_json(record, planned, step)).collect();
    json!({
        "format": { "name": "shakedown-report", "version": JSON_FORMAT },
        "run": run_json(record),
        "target": record.started.target,
        "host": record.started.host,
        "steps": steps,
    })
}

fn run_json(record: &RunRecord) -> Value {
    let started = &record.started;
    let schedule = &started.schedule;
    let (whole, all) = record.measured_cases();
    let failure = record.failure().map(|(step, failure)| json!({ "step": step.id, "failure": failure }));
    let state = match record.state {
        RunState::Begun => "cut-off",
        RunState::Ended(RunEnd::Complete) => "complete",
        RunState::Ended(RunEnd::Stopped) => "stopped",
        RunState::Ended(RunEnd::Failed) => "failed",
    };
    json!({
        "id": started.run_id,
        "tool_version": started.tool_version,
        "started_at": started.started_at,
        "elapsed_ns": record.elapsed_ns,
        "state": state,
        "stop_reason": record.stop_reason,
        "failed_step": failure,
        "cases_measured": whole,
        "cases_planned": all,
        "cases_not_to_be_used": unusable_cases(record),
        "plan": schedule.plan,
        "plan_title": schedule.title,
        "plan_revision": schedule.revision,
        "plan_sha256": started.plan_sha256,
        "method": schedule.method,
        "conditions": schedule.conditions.as_ref().map(|conditions| json!({
            "fingerprint": conditions.fingerprint(),
            "settled": conditions,
        })),
        "changed_params": started.changed_params,
        "engine": schedule.engine,
        "seed": schedule.seed,
        "area_bytes": schedule.area,
        "role": started.role,
        "is_direct": started.is_direct,
        "is_scratch": started.is_scratch,
        "is_simulated": started.is_simulated,
        "cpus": started.cpus,
        "clock_read_ns": started.clock_read_ns,
        "remarks": started.remarks,
        "provenance": started.provenance,
    })
}

fn step_json(record: &RunRecord, planned: &ScheduledStep, step: &StepRecord) -> Value {
    let cases: Vec<Value> = step
        .cases
        .iter()
        .enumerate()
        .map(|(place, case)| case_json(record, &planned.action, planned.action.cases().get(place), case))
        .collect();
    json!({
        "id": planned.id,
        "section": planned.section,
        "label": planned.label,
        "variant": planned.variant,
        "kind": planned.action.name(),
        "state": step_state(step.state),
        "started_at_ns": step.started_at_ns,
        "elapsed_ns": step.elapsed_ns,
        "bytes_written": step.bytes_written,
        "bytes_read": step.bytes_read,
        "failure": step.failure,
        "cases": cases,
    })
}

/// What is asked of a case, of a measured one and of a fill alike.
fn asked_json(action: &Action, planned: Option<&Case>) -> Map<String, Value> {
    let fill = match action {
        Action::Fill(fill) => Some(fill),
        _ => None,
    };
    let either = |of_case: fn(&Case) -> Value, of_fill: fn(&ScheduledFill) -> Value| match (planned, fill) {
        (Some(case), _) => of_case(case),
        (None, Some(fill)) => of_fill(fill),
        (None, None) => Value::Null,
    };
    // What is not one value for the whole case stands in the journal's schedule alone.
    let only = |of_case: fn(&PlainCase<'_>) -> Value, of_fill: fn(&ScheduledFill) -> Value| match (planned, fill) {
        (Some(case), _) => case.plain().as_ref().map_or(Value::Null, of_case),
        (None, Some(fill)) => of_fill(fill),
        (None, None) => Value::Null,
    };
    let entries = [
        ("workload", only(|case| json!(case.workload), |_| Value::Null)),
        ("access", only(|case| json!(access_name(case.access)), |fill| json!(access_name(fill.access)))),
        ("block_size_bytes", only(|case| json!(case.block_size), |fill| json!(fill.block_size))),
        ("read_share_asked", either(|case| json!(case.read_share()), |_| json!(0.0))),
        ("threads", only(|case| json!(case.threads), |fill| json!(fill.threads))),
        ("queue_depth", only(|case| json!(case.queue_depth), |fill| json!(fill.queue_depth))),
        ("span_offset_bytes", only(|case| json!(case.span.offset), |_| json!(0))),
        ("span_length_bytes", only(|case| extent(case.span.length).0, |fill| extent(fill.extent).0)),
        ("span_length_share_of_area", only(|case| extent(case.span.length).1, |fill| extent(fill.extent).1)),
        ("ramp_asked_ns", either(|case| json!(case.ramp), |_| json!(0))),
        ("window_asked_ns", either(|case| json!(case.limits.time), |_| Value::Null)),
        ("written_asked_bytes", either(|case| json!(case.limits.written), |_| Value::Null)),
        ("passes_asked", either(|case| json!(case.limits.passes), |fill| json!(fill.passes))),
        ("sample_ns", either(|case| json!(case.sample), |_| Value::Null)),
        ("seed", either(|case| json!(case.seed), |fill| json!(fill.seed))),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// In bytes, or as a share of the area.
fn extent(extent: Extent) -> (Value, Value) {
    match extent {
        Extent::Bytes(bytes) => (json!(bytes), Value::Null),
        Extent::Share(share) => (Value::Null, json!(share.as_factor())),
    }
}

fn case_json(record: &RunRecord, action: &Action, planned: Option<&Case>, case: &CaseRecord) -> Value {
    let figures = case.figures();
    let figures = figures.as_ref();
    let validity = match action {
        Action::Measure(_) => planned.and_then(|planned| judge(record, planned, case)),
        _ => None,
    };
    let remarks = validity.as_ref().map(|validity| {
        let one = |remark: &crate::record::Remark| {
            json!({ "kind": remark.kind, "grade": remark.grade, "text": remark.to_string() })
        };
        validity.remarks.iter().map(one).collect::<Vec<Value>>()
    });
    let side = |of: fn(&CaseFigures) -> &SideFigures| figures.map(|figures| side_json(of(figures)));
    let mut object = Map::new();
    object.insert("id".to_owned(), json!(case.id));
    object.extend(asked_json(action, planned));
    let measured = json!({
        "state": case_state(case.state),
        "started_at_ns": case.started_at_ns,
        "grade": validity.as_ref().map(|validity| validity.grade),
        "remarks": remarks,
        "figures_from": figures.map(|figures| figures.source),
        "window_ns": figures.map(|figures| figures.window_ns),
        "read_share_achieved": figures.and_then(|figures| figures.read_share),
        "latency_ns_max_is_lower_bound": figures.map(|figures| figures.is_max_lower_bound),
        "latency_ns_deviation_mean_of_sides": figures.and_then(|figures| figures.deviation_mean_of_sides_ns),
        "all": side(|figures| &figures.all),
        "read": side(|figures| &figures.read),
        "write": side(|figures| &figures.write),
        "around_the_window": case.totals.as_ref().map(around_json),
        "intervals": case.intervals.iter().map(interval_json).collect::<Vec<Value>>(),
    });
    if let Value::Object(measured) = measured {
        object.extend(measured);
    }
    Value::Object(object)
}

fn side_json(side: &SideFigures) -> Value {
    let mut object = Map::new();
    let mut insert = |key: &str, value: Value| object.insert(key.to_owned(), value);
    insert("operations", json!(side.operations));
    insert("bytes", json!(side.bytes));
    insert("iops", json!(side.iops));
    insert("bytes_per_second", json!(side.bytes_per_second));
    insert("latency_ns_mean", json!(side.mean_ns));
    insert("latency_ns_min", json!(side.min_ns));
    insert("latency_ns_max", json!(side.max_ns));
    insert("latency_ns_deviation", json!(side.deviation_ns));
    for (place, name) in PERCENTILE_NAMES.iter().enumerate() {
        insert(&format!("latency_ns_{name}"), json!(side.percentiles_ns[place]));
        insert(&format!("{name}_few_samples"), json!(side.few_samples[place]));
    }
    Value::Object(object)
}

/// What lies before, after and beside the window.
fn around_json(totals: &WindowTotals) -> Value {
    json!({
        "ramp_ns": totals.ramp_ns,
        "ramp": totals.ramp,
        "moved": totals.moved,
        "in_flight": totals.in_flight,
        "first_submission_spread_ns": totals.first_submission_spread_ns,
        "late_records": totals.late_records,
        "errors": totals.errors,
        "generator": totals.generator,
    })
}

fn interval_json(interval: &Interval) -> Value {
    let Sides { read, write } = &interval.sides;
    let pooled = Side { moments: interval.sides.pooled(), bytes: interval.sides.bytes() };
    let side = |side: &Side| {
        let is_some = side.moments.count > 0;
        json!({
            "operations": side.moments.count,
            "bytes": side.bytes,
            "latency_ns_mean": side.moments.mean_ns(),
            "latency_ns_max": is_some.then_some(side.moments.max_ns),
            "latency_ns_deviation": side.moments.deviation_ns(),
        })
    };
    json!({
        "index": interval.index,
        "start_ns": interval.start_ns,
        "length_ns": interval.length_ns,
        "is_partial": interval.is_partial,
        "iops": interval.iops(),
        "bytes_per_second": interval.bytes_per_second(),
        "latency_ns_deviation_mean_of_sides": interval.sides.deviation_mean_of_sides_ns(),
        "all": side(&pooled),
        "read": side(read),
        "write": side(write),
    })
}

pub(super) const fn access_name(access: Access) -> &'static str {
    match access {
        Access::Random => "random",
        Access::SequentialShared => "sequential-shared",
        Access::SequentialLanes => "sequential-lanes",
    }
}
