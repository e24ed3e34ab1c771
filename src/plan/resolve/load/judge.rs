//! What is judged of a load: windows within the run, a rule behind `steady=#true`, limits on numbers that exist.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::plan::check::{listed, load_label, named_instead};
use crate::plan::limits;
use crate::plan::model::{
    Expect, Given, Mark, NamedWindow, RateAmount, RunLimits, SteadyWindow, WindowPart, WrittenLimit,
};
use crate::plan::written::{Load, Step};
use crate::units::{LatencyKind, Metric, MetricName, NANOS_PER_SECOND, Percent, RunTime};

use super::pace::is_paced;

/// Everything of it.
pub(super) fn check(
    load: &Load,
    step: &Step,
    run: Option<&RunLimits>,
    sample: Option<Given<RunTime>>,
    diagnostics: &mut Diagnostics,
) {
    steady(load, run, sample, diagnostics);
    windows(load, run, sample, diagnostics);
    for expect in &load.expects {
        window_is_defined(expect, load, diagnostics);
        few_samples(expect, load, run, diagnostics);
    }
    let metrics = load.expects.iter().map(|expect| &expect.metric);
    let steady = load.steady_state.given().map(|rule| &rule.value.metric);
    for metric in metrics.chain(steady) {
        names_something(metric, load, step, diagnostics);
        is_of_paced(metric, load, diagnostics);
    }
}

/// `steady=#true` needs a rule, and the rule a window that fits in the run and holds intervals.
fn steady(load: &Load, run: Option<&RunLimits>, sample: Option<Given<RunTime>>, diagnostics: &mut Diagnostics) {
    if let Some(steady) = run.and_then(|run| run.steady).filter(|steady| steady.value)
        && load.steady_state.is_absent()
        && !load.is_partial
    {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NO_STEADY_STATE, "the load does not say what steady means")
                .label(steady.span, "a steady state is to end it")
                .help("add `steady-state \"iops\" window=\"30m\" range=\"20%\" slope=\"10%\"`, or leave `steady=` out"),
        );
    }
    let Some(rule) = load.steady_state.given() else { return };
    let SteadyWindow::Time(window) = rule.value.window.value else { return };
    let place = rule.value.window.span;
    if let Some(time) = run.and_then(|run| run.time).filter(|time| time.value < window) {
        diagnostics.push(
            Diagnostic::error(
                code::WINDOW_BOUNDS,
                format!("a window of {window} does not fit in a run of {}", time.value),
            )
            .label(place, "would never be judged")
            .also(time.span, "the run")
            .help("write a shorter window, or a longer `run`"),
        );
    }
    if let Some(sample) = sample
        && window.as_nanos() < sample.value.as_nanos().saturating_mul(2)
    {
        let mut diagnostic = Diagnostic::error(
            code::LOAD_SAMPLE_TOO_LONG,
            format!("a window of {window} does not hold two intervals of {}", sample.value),
        )
        .label(place, "drift over a single value means nothing");
        if !sample.is_default {
            diagnostic = diagnostic.also(sample.span, "the interval");
        }
        diagnostics.push(diagnostic.help("write a shorter `sample`, or a longer window"));
    }
}

/// Names once, parts that lie within the run.
fn windows(load: &Load, run: Option<&RunLimits>, sample: Option<Given<RunTime>>, diagnostics: &mut Diagnostics) {
    for (index, window) in load.windows.iter().enumerate() {
        if let Some(first) = load.windows[..index].iter().find(|earlier| earlier.name.value == window.name.value) {
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("two windows have the name {:?}", window.name.value))
                    .label(window.name.span, "again here")
                    .also(first.name.span, "first here")
                    .help("give one of them another name"),
            );
        }
        within_run(window, run, diagnostics);
        if let (Some(length), Some(sample)) = (length(window), sample)
            && length.as_nanos() / sample.value.as_nanos().max(1) < limits::INTERVALS
        {
            let intervals = length.as_nanos() / sample.value.as_nanos().max(1);
            let noun = if intervals == 1 { "interval" } else { "intervals" };
            let message = format!("the window {:?} of {length} has only {intervals} {noun}", window.name.value);
            diagnostics.push(
                Diagnostic::remark(code::LOAD_FEW_INTERVALS, message)
                    .label(window.name.span, format!("each {} long", sample.value))
                    .help("write a shorter `sample` where deviation over time matters"),
            );
        }
    }
}

fn within_run(window: &NamedWindow, run: Option<&RunLimits>, diagnostics: &mut Diagnostics) {
    let end = match &window.part {
        WindowPart::Last(last) => last,
        WindowPart::Between { from, to } => {
            let is_rising = match (from.value, to.value) {
                (Mark::Time(from), Mark::Time(to)) => from < to,
                (Mark::Written(from), Mark::Written(to)) => from < to,
                (Mark::Time(_), Mark::Written(_)) | (Mark::Written(_), Mark::Time(_)) => {
                    diagnostics.push(
                        Diagnostic::error(code::WINDOW_BOUNDS, "the window begins and ends in different units")
                            .label(to.span, "its end")
                            .also(from.span, "its start")
                            .help("write two times, or two amounts written"),
                    );
                    return;
                }
            };
            if !is_rising {
                diagnostics.push(
                    Diagnostic::error(code::WINDOW_BOUNDS, "the window ends before it begins")
                        .label(to.span, "its end")
                        .also(from.span, "its start")
                        .help("write a later end"),
                );
                return;
            }
            to
        }
    };
    let run_end = run.and_then(|run| match end.value {
        Mark::Time(_) => run.time.map(|time| (Mark::Time(time.value), time.span)),
        Mark::Written(_) => run.written.and_then(|written| match written.value {
            WrittenLimit::Bytes(bytes) => Some((Mark::Written(bytes), written.span)),
            WrittenLimit::DriveWrites(_) => None,
        }),
    });
    if let Some((run, place)) = run_end.filter(|(run, _)| end.value > *run) {
        diagnostics.push(
            Diagnostic::error(code::WINDOW_BOUNDS, format!("the window reaches beyond the run of {run}"))
                .label(end.span, "longer than the run")
                .also(place, "the run")
                .help("write a shorter window, or a longer `run`"),
        );
    }
}

/// The length of a window, where it is a time.
fn length(window: &NamedWindow) -> Option<RunTime> {
    match &window.part {
        WindowPart::Last(Given { value: Mark::Time(time), .. }) => Some(*time),
        WindowPart::Between {
            from: Given { value: Mark::Time(from), .. },
            to: Given { value: Mark::Time(to), .. },
        } => Some(RunTime::from_nanos(to.as_nanos().checked_sub(from.as_nanos())?)),
        _ => None,
    }
}

fn window_is_defined(expect: &Expect, load: &Load, diagnostics: &mut Diagnostics) {
    let Some(named) = &expect.window else { return };
    if load.has_faulty_windows || load.is_partial || load.windows.iter().any(|window| window.name.value == named.value)
    {
        return;
    }
    let names: Vec<&str> = load.windows.iter().map(|window| window.name.value.as_str()).collect();
    let near = suggest::nearest(&named.value, names.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean {near:?}?"),
        None if names.is_empty() => format!("define it with `window {:?} last=\"60s\"` in this load", named.value),
        None => format!("the load has {}", listed(&names)),
    };
    let undefined = Diagnostic::error(code::WINDOW_UNDEFINED, format!("the load has no window {:?}", named.value))
        .label(named.span, "named here")
        .help(help);
    diagnostics.push(named_instead(undefined, named.span, near));
}

/// What stands before a metric must be names of the step, of a load in it, and of a window, in this order.
fn names_something(metric: &Given<Metric>, load: &Load, step: &Step, diagnostics: &mut Diagnostics) {
    let scope = metric.value.scope.as_str();
    if scope.is_empty() || load.is_partial || load.has_faulty_windows {
        return;
    }
    let own = |names: Vec<String>| std::iter::once(String::new()).chain(names).collect::<Vec<_>>();
    let steps = own(load_label(step).map(|label| label.value).into_iter().collect());
    let loads = own(load.parts.iter().filter_map(|part| Some(part.label()?.to_string())).collect());
    let windows = own(load.windows.iter().map(|window| window.name.value.clone()).collect());
    let mut known = BTreeSet::new();
    for step in &steps {
        for load in &loads {
            for window in &windows {
                let parts: Vec<&str> =
                    [step, load, window].map(String::as_str).into_iter().filter(|p| !p.is_empty()).collect();
                known.insert(parts.join("."));
            }
        }
    }
    if known.contains(scope) {
        return;
    }
    let near = suggest::nearest(scope, known.iter().map(String::as_str).filter(|name| !name.is_empty()));
    let help = match near {
        Some(near) => format!("did you mean {near:?}?"),
        None => "leave it out for the numbers of the load as a whole".into(),
    };
    let diagnostic = Diagnostic::error(code::METRIC_SCOPE, format!("{scope:?} is no step, load or window here"))
        .label(metric.span, "its numbers are asked for")
        .help(help);
    let address = near.map(|near| Metric { scope: near.to_string(), ..metric.value.clone() }.to_string());
    diagnostics.push(named_instead(diagnostic, metric.span, address.as_deref()));
}

/// Response times exist only where operations are due at a time.
fn is_of_paced(metric: &Given<Metric>, load: &Load, diagnostics: &mut Diagnostics) {
    if metric.value.latency != Some(LatencyKind::Response)
        || load.is_partial
        || load.has_faulty_axes
        || load.parts.iter().any(|part| is_paced(part, load))
    {
        return;
    }
    let service = Metric { latency: Some(LatencyKind::Service), ..metric.value.clone() }.to_string();
    diagnostics.push(
        Diagnostic::error(code::METRIC_NOT_PACED, "a load without a rate has no response times")
            .label(metric.span, "its operations are due when a slot is free")
            .help(format!("add `rate` or a `curve`, or ask for {service:?}")),
    );
}

/// A percentile needs ten samples beyond it; where rate and time are known, so is whether there will be as many.
fn few_samples(expect: &Expect, load: &Load, run: Option<&RunLimits>, diagnostics: &mut Diagnostics) {
    let MetricName::Percentile(parts) = expect.metric.value.name else { return };
    let [part] = load.parts.as_slice() else { return };
    let Some(rate) = part.rate.given().filter(|rate| rate.value.per.is_none()) else { return };
    let RateAmount::Operations(rate_amount) = rate.value.amount else { return };
    let window = match &expect.window {
        Some(named) => load.windows.iter().find(|window| window.name.value == named.value).and_then(length),
        None => run.and_then(|run| Some(run.time?.value)),
    };
    let Some(time) = window else { return };
    let operations = rate_amount * time.as_nanos() as f64 / NANOS_PER_SECOND as f64;
    let beyond = operations * f64::from(1_000_000 - parts) / 1e6;
    if beyond >= 10.0 {
        return;
    }
    let share = Percent::from_parts_per_million(1_000_000 - parts);
    diagnostics.push(
        Diagnostic::remark(
            code::EXPECT_FEW_SAMPLES,
            format!("{} rests on fewer than ten operations", expect.metric.value.name),
        )
        .label(expect.metric.span, format!("{share} of about {operations:.0} operations in {time}"))
        .also(rate.span, "at this rate")
        .help("run longer, or judge a lower percentile; the verdict would be \"not proven\""),
    );
}
