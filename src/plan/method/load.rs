//! Loads: what an operation is, who issues it, over which axes, how long, and what is judged.

use super::place::Places;
use super::term::{Entry, Record, Term, entry, reference, said, unordered, value, word};
use super::value::Said;
use crate::plan::model::{
    Axis, AxisValue, Bound, Burst, Curve, CurvePoints, Expect, Given, Load, LoadPart, NamedWindow, Provenance, Side,
    SizeShare, Sizes, Spread, Start, SteadyState, Stream, ThinkTime, WindowPart,
};

/// A load, without the steps between its cases.
pub(super) fn load(load: &Load, places: &mut Places<'_>, record: &mut Record) {
    let parts = load.parts.iter().map(|part| {
        let label = Some(part.label().to_string());
        Entry { label, term: self::part(part, load.curve.is_some(), places) }
    });
    record.list("loads", unordered(parts.collect()));
    record.list("matrix", load.axes.iter().map(axis).collect());
    let mut skips: Vec<&str> = load.skips.iter().map(|skip| skip.value.name()).collect();
    skips.sort_unstable();
    skips.dedup();
    record.list("skip", skips.into_iter().map(|skip| entry(word(skip))).collect());
    if let Some(curve) = &load.curve {
        record.put("curve", self::curve(curve));
    }
    if let Some(pick) = &load.load_of {
        record.put("load-of", reference(&places.pick(&pick.value), pick));
    }
    record.given("ramp", &load.ramp);
    record.put("run", run(load));
    record.given("sample", &load.sample);
    record.maybe("health", load.health_every.as_ref());
    record.list("windows", unordered(load.windows.iter().map(window).collect()));
    if let Some(rule) = &load.steady_state {
        record.put("steady-state", steady_state(rule, places));
    }
    record.given("on-error", &load.on_error);
    record.given("on-interruption", &load.on_interruption);
    record.list("expect", unordered(load.expects.iter().map(|limit| expect(limit, &load.windows)).collect()));
}

fn part(part: &LoadPart, has_curve: bool, places: &mut Places<'_>) -> Term {
    let mut record = Record::default();
    let streams = part
        .streams
        .iter()
        .map(|stream| Entry { label: stream.name.as_ref().map(|name| name.value.clone()), term: self::stream(stream) });
    record.list("streams", unordered(streams.collect()));
    record.setting("threads", &part.threads);
    record.setting("queue-depth", &part.queue_depth);
    if let Some(rate) = &part.rate {
        record.setting("rate", rate);
    }
    if part.rate.is_some() || has_curve {
        record.given("arrivals", &part.arrivals);
    }
    if let Some(Burst { on, off }) = &part.burst {
        record.given("burst on", on);
        record.given("burst off", off);
    }
    record.given("start", &part.start);
    let before = places.used(&part.workload.value);
    if part.start.value == Start::Continue {
        // Names of workloads only label; where the load goes on from is meant.
        let place = before.unwrap_or_else(|| "nothing".into());
        record.put("start after", reference(&place, &part.workload));
    }
    record.done()
}

fn stream(stream: &Stream) -> Term {
    let mut record = Record::default();
    record.given("share", &stream.share);
    record.given("access", &stream.access);
    spread(&stream.spread, &mut record);
    match &stream.block_size {
        Sizes::One(size) => record.setting("block-size", size),
        Sizes::Mix(mix) => record.list("block-size", self::mix(mix)),
        Sizes::Sides(sides) => {
            let mut sides: Vec<_> = sides.iter().collect();
            sides.sort_by_key(|(side, _)| *side);
            let of_side = |(side, mix): &(Side, Vec<SizeShare>)| {
                let mut record = Record::default();
                record.list(side.name(), self::mix(mix));
                entry(record.done())
            };
            record.list("block-size", sides.into_iter().map(of_side).collect());
        }
    }
    record.setting("read", &stream.read);
    record.setting("trim", &stream.trim);
    record.setting("span", &stream.span);
    record.given("data", &stream.data);
    record.maybe("flush", stream.flush_every.as_ref());
    if let Some(ThinkTime { time, after }) = &stream.think_time {
        record.given("think-time", time);
        record.given("think-time after", after);
    }
    record.done()
}

fn spread(spread: &Spread, record: &mut Record) {
    record.maybe("order", spread.once.as_ref());
    record.maybe("seek", spread.seek.as_ref());
    record.maybe("align", spread.align.as_ref());
    let zones = spread.zones.iter().map(|zone| {
        let mut record = Record::default();
        record.given("length", &zone.length);
        record.given("share", &zone.share);
        entry(record.done())
    });
    record.list("zones", zones.collect());
    record.maybe("zipf", spread.zipf_theta.as_ref());
    record.maybe("pareto", spread.pareto_h.as_ref());
}

/// Sizes with their shares; the order in which they are written has no meaning.
fn mix(mix: &[SizeShare]) -> Vec<Entry> {
    let mut mix: Vec<&SizeShare> = mix.iter().collect();
    mix.sort_by_key(|size| (size.size.value, size.share.value.parts_per_million()));
    let shares = mix.into_iter().map(|SizeShare { size, share }| {
        let mut record = Record::default();
        record.given("size", size);
        record.given("share", share);
        Entry { label: Some(size.value.to_string()), term: record.done() }
    });
    shares.collect()
}

fn axis(axis: &Axis) -> Entry {
    fn values<T: Said>(values: &[Given<T>]) -> Term {
        Term::List(values.iter().map(|given| entry(value(given))).collect())
    }
    let values = match axis {
        Axis::Threads(list) => values(list),
        Axis::QueueDepth(list) => values(list),
        Axis::BlockSize(list) => values(list),
        Axis::Read(list) => values(list),
        Axis::Trim(list) => values(list),
        Axis::Rate(list) => values(list),
        Axis::Span(list) => values(list),
    };
    let mut record = Record::default();
    record.put(axis.name(), values);
    entry(record.done())
}

fn curve(curve: &Curve) -> Term {
    let mut record = Record::default();
    // However the points are written, they are what is done.
    let points = curve.points.shares();
    let (meaning, shown): (Vec<String>, Vec<String>) =
        points.iter().map(|share| (share.meaning(), share.shown())).unzip();
    let provenance = match &curve.points {
        CurvePoints::Steps { from, .. } => Some(from.provenance),
        CurvePoints::Listed(points) => points.first().map(|point| point.provenance),
    };
    record.put("points", said(&meaning.join(" "), &shown.join(" "), provenance.unwrap_or(Provenance::Chosen)));
    record.given("repeat-max", &curve.repeat_max);
    record.maybe("stop-above", curve.stop_above.as_ref());
    record.done()
}

fn run(load: &Load) -> Term {
    let run = &load.run;
    let mut record = Record::default();
    record.maybe("time", run.time.as_ref());
    record.maybe("written", run.written.as_ref());
    record.maybe("passes", run.passes.as_ref());
    record.maybe("steady", run.steady.as_ref().filter(|steady| steady.value));
    record.done()
}

fn window(window: &NamedWindow) -> Entry {
    Entry { label: Some(window.name.value.clone()), term: window_part(&window.part) }
}

fn window_part(part: &WindowPart) -> Term {
    let mut record = Record::default();
    match part {
        WindowPart::Last(length) => record.given("last", length),
        WindowPart::Between { from, to } => {
            record.given("from", from);
            record.given("to", to);
        }
    }
    record.done()
}

/// A rule of steadiness.
pub(super) fn steady_state(rule: &SteadyState, places: &Places<'_>) -> Term {
    let mut record = Record::default();
    record.given("metric", &rule.metric);
    record.given("window", &rule.window);
    record.given("range", &rule.range);
    record.given("slope", &rule.slope);
    record.maybe("not-before", rule.not_before.as_ref());
    if let Some(at) = &rule.at {
        record.put("at", reference(&places.step(&at.step.value), &at.step));
        record.list("at case", at_values(&at.values));
    }
    record.done()
}

/// A case by the values of its axes, in whatever order they are written.
pub(super) fn at_values(values: &[Given<AxisValue>]) -> Vec<Entry> {
    unordered(values.iter().map(|given| entry(value(given))).collect())
}

/// A limit on a result. Its window is meant, not the name of it.
pub(super) fn expect(expect: &Expect, windows: &[NamedWindow]) -> Entry {
    let mut record = Record::default();
    record.given("metric", &expect.metric);
    for bound in Bound::ALL {
        for (_, limit) in expect.limits.iter().filter(|(of, _)| *of == bound) {
            record.given(bound.name(), limit);
        }
    }
    record.maybe("per", expect.per.as_ref());
    if let Some(name) = &expect.window {
        let meant = windows.iter().find(|window| window.name.value == name.value);
        record.put("window", meant.map_or_else(|| value(name), |window| window_part(&window.part)));
    }
    Entry { label: Some(expect.metric.value.to_string()), term: record.done() }
}
