//! Loads.

use crate::plan::model::{
    Axis, AxisValue, Curve, CurvePoints, Expect, Given, Load, LoadPart, Mark, MetricValue, NamedWindow, OnError,
    Provenance, Rate, RunLimits, Setting, SteadyState, SteadyWindow, Step, WindowPart, Workload, WrittenLimit,
};
use crate::units::RunTime;

use super::workload::{closed, setting, span};
use super::{Page, annotation, in_quotes, quoted, value_in};

/// A load; what its workload says is not said again.
pub(super) fn load(name: &str, step: &Step, load: &Load, workloads: &[Workload], page: &mut Page) {
    match load.parts.as_slice() {
        [part] if part.name.is_none() => {
            let is_named = step.name() != part.workload.value;
            let label = if is_named { format!(" as={}", quoted(step.name())) } else { String::new() };
            page.open(&format!("{name} {}{label}", value_in(page.outer, &part.workload, |name| quoted(name))));
            self::part(part, load, workloads, page);
        }
        parts => {
            page.open(&format!("{name} as={}", quoted(step.name())));
            for part in parts {
                let workload = value_in(page.outer, &part.workload, |name| quoted(name));
                let label = part.name.as_ref().map(|label| value_in(page.outer, label, |label| quoted(label)));
                let label = label.map_or(String::new(), |label| format!(" as={label}"));
                page.open(&format!("load {workload}{label}"));
                self::part(part, load, workloads, page);
                page.close();
            }
        }
    }
    if !load.axes.is_empty() {
        page.open("matrix");
        for axis in &load.axes {
            page.leaf(axis.name(), &axis_values(page.outer, axis), false);
        }
        for skip in &load.skips {
            page.given("skip", Some(skip), |skip| quoted(skip.name()));
        }
        page.close();
    }
    page.given("load-of", load.load_of.as_ref(), |pick| quoted(pick));
    if let Some(curve) = &load.curve {
        page.leaf("curve", &self::curve(page.outer, curve), false);
    }
    if !load.between_cases.is_empty() {
        page.open("between-cases");
        super::step::steps_in(&load.between_cases, &step.variant, workloads, page);
        page.close();
    }
    page.given("ramp", Some(&load.ramp), time);
    page.leaf("run", &limits(page.outer, &load.run), false);
    page.given("sample", Some(&load.sample), time);
    if let Some(every) = &load.health_every {
        page.leaf("health", &[format!("every={}", value_in(page.outer, every, time))], false);
    }
    for window in &load.windows {
        page.leaf("window", &self::window(page.outer, window), false);
    }
    if let Some(rule) = &load.steady_state {
        steady_state(rule, page);
    }
    for expect in &load.expects {
        page.leaf("expect", &self::expect(page.outer, expect), false);
    }
    page.given("on-error", Some(&load.on_error), |what| match what {
        OnError::Fail => "\"fail\"".into(),
        OnError::Continue { max } => format!("\"continue\" max={max}"),
    });
    page.given("on-interruption", Some(&load.on_interruption), |what| quoted(what.name()));
    page.close();
}

/// What one load says for itself.
fn part(part: &LoadPart, load: &Load, workloads: &[Workload], page: &mut Page) {
    closed(part, workloads, page);
    setting("threads", &part.threads, ToString::to_string, page);
    setting("queue-depth", &part.queue_depth, ToString::to_string, page);
    pace(part, load, page);
}

/// The pace of a load; what has no effect in it is not said.
fn pace(part: &LoadPart, load: &Load, page: &mut Page) {
    if let Some(Setting::Fixed(given)) = &part.rate {
        page.leaf("rate", &[rate(page.outer, given)], given.is_default);
    }
    if part.rate.is_some() || load.curve.is_some() {
        page.given("arrivals", Some(&part.arrivals), |arrivals| quoted(arrivals.name()));
    }
    if let Some(burst) = &part.burst {
        let side = |name: &str, given: &Given<RunTime>| format!("{name}={}", value_in(page.outer, given, time));
        page.leaf("burst", &[side("on", &burst.on), side("off", &burst.off)], false);
    }
    if part.streams.iter().any(|stream| stream.access.value.is_sequential()) {
        page.given("start", Some(&part.start), |start| quoted(start.name()));
    }
}

fn rate(outer: Provenance, given: &Given<Rate>) -> String {
    let amount = value_in(outer, given, |rate| in_quotes(&rate.amount));
    match given.value.per {
        Some(per) => format!("{amount} per={}{}", annotation(given.provenance, outer), in_quotes(&per)),
        None => amount,
    }
}

fn curve(outer: Provenance, curve: &Curve) -> Vec<String> {
    let mut words = match &curve.points {
        CurvePoints::Listed(points) => points.iter().map(|point| value_in(outer, point, in_quotes)).collect(),
        CurvePoints::Steps { from, to, step } => [("from", from), ("to", to), ("step", step)]
            .into_iter()
            .map(|(name, given)| format!("{name}={}", value_in(outer, given, in_quotes)))
            .collect::<Vec<_>>(),
    };
    words.push(format!("repeat-max={}", value_in(outer, &curve.repeat_max, u32::to_string)));
    words.extend(curve.stop_above.as_ref().map(|above| format!("stop-above={}", value_in(outer, above, time))));
    words
}

fn window(outer: Provenance, window: &NamedWindow) -> Vec<String> {
    let mark = |name: &str, given: &Given<Mark>| format!("{name}={}", value_in(outer, given, in_quotes));
    let mut words = vec![value_in(outer, &window.name, |name| quoted(name))];
    match &window.part {
        WindowPart::Last(last) => words.push(mark("last", last)),
        WindowPart::Between { from, to } => words.extend([mark("from", from), mark("to", to)]),
    }
    words
}

/// A rule of steadiness, as a load or `rounds` has it.
pub(super) fn steady_state(rule: &SteadyState, page: &mut Page) {
    let outer = page.outer;
    let mut words = vec![value_in(outer, &rule.metric, in_quotes)];
    let window = value_in(outer, &rule.window, |window| match window {
        SteadyWindow::Rounds(rounds) => rounds.to_string(),
        SteadyWindow::Time(time) => in_quotes(time),
    });
    words.push(format!("window={window}"));
    words.push(format!("range={}", value_in(outer, &rule.range, in_quotes)));
    words.push(format!("slope={}", value_in(outer, &rule.slope, in_quotes)));
    words.extend(rule.not_before.as_ref().map(|given| format!("not-before={}", value_in(outer, given, in_quotes))));
    let Some(at) = &rule.at else {
        page.leaf("steady-state", &words, false);
        return;
    };
    page.open(&format!("steady-state {}", words.join(" ")));
    let mut words = vec![value_in(outer, &at.step, |step| quoted(step))];
    words.extend(at.values.iter().map(|given| axis_value(outer, given)));
    page.leaf("at", &words, false);
    page.close();
}

/// `read="0%"`, `threads=1`.
pub(super) fn axis_value(outer: Provenance, given: &Given<AxisValue>) -> String {
    let written = value_in(outer, given, |value| match value {
        AxisValue::Threads(_) | AxisValue::QueueDepth(_) => value.to_string(),
        _ => in_quotes(value),
    });
    format!("{}={written}", given.value.axis())
}

pub(super) fn expect(outer: Provenance, expect: &Expect) -> Vec<String> {
    let mut words = vec![value_in(outer, &expect.metric, in_quotes)];
    words.extend(expect.limits.iter().map(|(bound, given)| {
        let written = value_in(outer, given, |value| match value {
            MetricValue::Number(_) => value.to_string(),
            _ => in_quotes(value),
        });
        format!("{}={written}", bound.name())
    }));
    words.extend(expect.per.as_ref().map(|per| format!("per={}", value_in(outer, per, in_quotes))));
    words.extend(expect.window.as_ref().map(|name| format!("window={}", value_in(outer, name, |name| quoted(name)))));
    words
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
        Axis::Rate(values) => rates(outer, values),
    }
}

/// All rates of an axis are for the same capacity, which stands behind them.
fn rates(outer: Provenance, values: &[Given<Rate>]) -> Vec<String> {
    let mut words: Vec<String> =
        values.iter().map(|given| value_in(outer, given, |rate| in_quotes(&rate.amount))).collect();
    words.extend(values.first().and_then(|given| given.value.per).map(|per| format!("per={}", in_quotes(&per))));
    words
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
    limits.extend(run.steady.as_ref().map(|given| format!("steady={}", value_in(outer, given, |on| format!("#{on}")))));
    limits
}
