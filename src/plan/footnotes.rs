//! What a report says of where a plan's values come from.

use super::{
    Access, Axis, Fill, FillAmount, Given, Load, Plan, Provenance, Setting, Sizes, Step, StepKind, Workload,
    WrittenLimit,
};

/// One line for each kind of provenance that occurs, in the words of the annotations:
/// `(published) 8k-70-30: block-size 8KiB, read 70%`. What is `(chosen)` by annotation or by silence is left out,
/// and so are defaults, which `explain` shows.
pub fn provenance_notes(plan: &Plan) -> Vec<String> {
    let mut found: Vec<(Provenance, String, Vec<String>)> = Vec::new();
    let mut note = |provenance: Provenance, place: &str, words: String| {
        let known = found.iter_mut().find(|(kind, at, _)| *kind == provenance && at == place);
        match known {
            Some((_, _, all)) if all.contains(&words) => {}
            Some((_, _, all)) => all.push(words),
            None => found.push((provenance, place.to_string(), vec![words])),
        }
    };
    for workload in &plan.workloads {
        of_workload(workload, &mut note);
    }
    for step in &plan.setup {
        of_step(step, &format!("setup/{}", step.label), &mut note);
    }
    for step in &plan.before_each {
        of_step(step, &format!("before-each/{}", step.label), &mut note);
    }
    for test in &plan.tests {
        for step in &test.steps {
            of_step(step, &format!("{}/{}", test.name.value, step.label), &mut note);
        }
    }
    found.sort_by_key(|(provenance, _, _)| *provenance);
    found
        .into_iter()
        .map(|(provenance, place, words)| format!("({}) {place}: {}", provenance.word(), words.join(", ")))
        .collect()
}

type Note<'a> = dyn FnMut(Provenance, &str, String) + 'a;

fn given<T: std::fmt::Display>(value: &Given<T>, name: &str, place: &str, note: &mut Note<'_>) {
    if value.provenance != Provenance::Chosen && !value.is_default {
        note(value.provenance, place, format!("{name} {}", value.value));
    }
}

fn of_workload(workload: &Workload, note: &mut Note<'_>) {
    let place = &workload.name.value;
    let parts = &workload.parts;
    if let Some(access) = parts.access {
        given(&spelled(access), "access", place, note);
    }
    if let Some(Sizes::One(Setting::Fixed(size))) = &parts.block_size {
        given(size, "block-size", place, note);
    }
    if let Some(read) = &parts.read {
        given(read, "read", place, note);
    }
    if let Some(span) = &parts.span
        && span.provenance != Provenance::Chosen
    {
        note(span.provenance, place, "span".into());
    }
}

fn spelled(access: Given<Access>) -> Given<&'static str> {
    let value = match access.value {
        Access::Random => "random",
        Access::SequentialShared | Access::SequentialLanes => "sequential",
    };
    Given { value, provenance: access.provenance, is_default: access.is_default, span: access.span }
}

fn of_step(step: &Step, place: &str, note: &mut Note<'_>) {
    if step.provenance != Provenance::Chosen {
        note(step.provenance, place, "the step itself".into());
    }
    match &step.kind {
        StepKind::Idle(time) => given(time, "idle", place, note),
        StepKind::Fill(fill) => of_fill(fill, place, note),
        StepKind::Precondition(load) | StepKind::Measure(load) => of_load(load, place, note),
        _ => {}
    }
}

fn of_fill(fill: &Fill, place: &str, note: &mut Note<'_>) {
    let amount = match fill.amount.value {
        FillAmount::Passes(passes) => format!("passes={passes}"),
        FillAmount::Extent(super::Extent::Bytes(bytes)) => bytes.to_string(),
        FillAmount::Extent(super::Extent::Share(share)) => share.to_string(),
    };
    if fill.amount.provenance != Provenance::Chosen {
        note(fill.amount.provenance, place, amount);
    }
    given(&fill.block_size, "block-size", place, note);
    given(&fill.threads, "threads", place, note);
    given(&fill.queue_depth, "queue-depth", place, note);
}

fn of_load(load: &Load, place: &str, note: &mut Note<'_>) {
    for part in &load.parts {
        if let Setting::Fixed(threads) = &part.threads {
            given(threads, "threads", place, note);
        }
        if let Setting::Fixed(queue_depth) = &part.queue_depth {
            given(queue_depth, "queue-depth", place, note);
        }
    }
    // Block size and read share mostly come from the workload, which has its own line.
    for axis in &load.axes {
        of_axis(axis, place, note);
    }
    given(&load.ramp, "ramp", place, note);
    if let Some(time) = &load.run.time {
        given(time, "run", place, note);
    }
    if let Some(Given { value: WrittenLimit::Bytes(bytes), provenance, is_default, span }) = load.run.written {
        given(&Given { value: bytes, provenance, is_default, span }, "run written", place, note);
    }
    if let Some(passes) = &load.run.passes {
        given(passes, "run passes", place, note);
    }
    given(&load.sample, "sample", place, note);
}

fn of_axis(axis: &Axis, place: &str, note: &mut Note<'_>) {
    fn all<T: std::fmt::Display>(values: &[Given<T>], name: &str, place: &str, note: &mut Note<'_>) {
        values.iter().for_each(|value| given(value, name, place, note));
    }
    match axis {
        Axis::Threads(values) => all(values, "threads", place, note),
        Axis::QueueDepth(values) => all(values, "queue-depth", place, note),
        Axis::BlockSize(values) => all(values, "block-size", place, note),
        Axis::Read(values) => all(values, "read", place, note),
        Axis::Trim(values) => all(values, "trim", place, note),
        Axis::Rate(_) | Axis::Span(_) => {}
    }
}
