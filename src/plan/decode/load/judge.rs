//! What is judged of a load: `window`, `steady-state`, `expect`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor, Value};
use crate::plan::limits;
use crate::plan::model::{
    Bound, Expect, Given, Mark, MetricValue, NamedWindow, NotBefore, Provenance, SteadyState, SteadyWindow,
    TrackedCase, WindowPart,
};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::Leaf;
use crate::text::Spanned;
use crate::units::{ByteCount, Metric, MetricUnit, Percent, Quantity, RunTime};

use super::super::metric::metric;
use super::super::{missing, name, origin, value};
use super::{matrix, pace};

/// `window NAME last=Q` or `window NAME from=Q to=Q`.
pub(super) fn window(
    node: &Node,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<NamedWindow> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let name = name(&mut cursor, "the window's name", outer, diagnostics);
    let mut mark = |key, diagnostics: &mut Diagnostics| {
        let literal = cursor.take_property(key, diagnostics)?;
        Some(value::leaf(literal, outer, diagnostics, |l, d| self::mark(l, key == "from", d)))
    };
    let marks = [mark("last", diagnostics), mark("from", diagnostics), mark("to", diagnostics)];
    cursor.finish(&Words::of("window", place), diagnostics);
    let part = match marks {
        [Some(last), None, None] => WindowPart::Last(*last.given()?),
        [None, Some(from), Some(to)] => WindowPart::Between { from: *from.given()?, to: *to.given()? },
        _ => {
            diagnostics.push(
                Diagnostic::error(code::WINDOW_BOUNDS, "the window does not say which part of the run it is")
                    .label(node.head(), "needs `last=`, or `from=` and `to=`")
                    .help("write `last=\"400s\"`, or `from=\"0s\" to=\"60s\"`"),
            );
            return None;
        }
    };
    let name = name.given()?.clone();
    if ["read", "write", "trim", "response", "service"].contains(&name.value.as_str()) {
        diagnostics.push(
            Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{:?} is not possible as a window's name", name.value))
                .label(name.span, "has a meaning of its own in metrics")
                .help("give it another name"),
        );
        return None;
    }
    Some(NamedWindow { name, part })
}

/// A time or bytes written; zero as a start alone.
fn mark(literal: &Literal, may_be_zero: bool, diagnostics: &mut Diagnostics) -> Option<Spanned<Mark>> {
    let accept = |quantity| match quantity {
        Quantity::Time(time) => Some(Mark::Time(time)),
        Quantity::Bytes(bytes) => Some(Mark::Written(bytes)),
        _ => None,
    };
    let mark = literal.read_quantity("a time or a size", accept, diagnostics)?;
    let is_zero = matches!(mark.value, Mark::Time(RunTime::ZERO) | Mark::Written(ByteCount::ZERO));
    if is_zero && !may_be_zero {
        value::refuse(literal, "above zero".into(), "the end of a window", diagnostics);
        return None;
    }
    Some(mark)
}

/// `steady-state`: in `rounds` its window is a number of rounds, elsewhere a time.
pub(in crate::plan::decode) fn steady_state(
    node: &Node,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Leaf<SteadyState> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let in_rounds = place == Place::Rounds;
    let metric = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, metric),
        None => missing(node, place, "a metric, as \"iops\"", diagnostics),
    };
    let window = cursor
        .take_property("window", diagnostics)
        .map(|literal| value::leaf(literal, outer, diagnostics, |l, d| steady_window(l, in_rounds, d)));
    let mut share = |key, diagnostics: &mut Diagnostics| {
        let literal = cursor.take_property(key, diagnostics)?;
        Some(value::leaf(literal, outer, diagnostics, tolerance))
    };
    let (range, slope) = (share("range", diagnostics), share("slope", diagnostics));
    let not_before = match cursor.take_property("not-before", diagnostics) {
        Some(literal) if in_rounds => {
            diagnostics.push(
                Diagnostic::error(code::STEADY_WINDOW, "`not-before=` has no effect in rounds")
                    .label(literal.span, "rounds are judged as soon as there are enough of them")
                    .help("leave it out"),
            );
            Some(Leaf::Faulty)
        }
        Some(literal) => Some(value::leaf(literal, outer, diagnostics, not_before)),
        None if in_rounds => None,
        None => Some(Leaf::Written(Given::default_at(NotBefore::Passes(1.0), node.name.span))),
    };
    let at = cursor.take_child("at", diagnostics).map(|node| at(node, in_rounds, outer, diagnostics));
    cursor.finish(&Words::of("steady-state", place), diagnostics);
    let lacking: Vec<&str> = [("window", window.is_none()), ("range", range.is_none()), ("slope", slope.is_none())]
        .into_iter()
        .filter_map(|(name, is_lacking)| is_lacking.then_some(name))
        .collect();
    if let Some((last, most)) = lacking.split_last() {
        let names: Vec<String> = most.iter().map(|name| format!("`{name}=`")).collect();
        let names = if names.is_empty() { format!("`{last}=`") } else { format!("{} and `{last}=`", names.join(", ")) };
        let window = if in_rounds { "window=5" } else { "window=\"30m\"" };
        diagnostics.push(
            Diagnostic::error(code::STEADY_INCOMPLETE, "the rule of steadiness is not complete")
                .label(node.name.span, format!("needs {names}"))
                .help(format!("write it whole, as `steady-state \"iops\" {window} range=\"20%\" slope=\"10%\"`")),
        );
    }
    let rule = || {
        Some(SteadyState {
            metric: metric.given()?.clone(),
            window: *window?.given()?,
            range: *range?.given()?,
            slope: *slope?.given()?,
            not_before: match not_before {
                Some(leaf) => Some(*leaf.given()?),
                None => None,
            },
            at: match at {
                Some(at) => Some(at?),
                None => None,
            },
            span: node.name.span,
        })
    };
    match rule() {
        Some(rule) => Leaf::Written(Given::written(rule, outer, node.name.span)),
        None => Leaf::Faulty,
    }
}

/// A number of rounds in `rounds`, a time elsewhere.
fn steady_window(literal: &Literal, in_rounds: bool, diagnostics: &mut Diagnostics) -> Option<Spanned<SteadyWindow>> {
    let other = |label: &str, help: &str| {
        Diagnostic::error(code::STEADY_WINDOW, format!("{} is no window here", literal.written))
            .label(literal.span, label)
            .help(help)
    };
    match (&literal.value, in_rounds) {
        (Value::Text(_), true) => {
            diagnostics.push(other("rounds are judged by their number", "write how many, as `window=5`"));
            None
        }
        (Value::Integer(_), false) => {
            diagnostics.push(other("a load is judged over a time", "write how long, as `window=\"30m\"`"));
            None
        }
        (_, true) => {
            let rounds = literal.read_count("a number of rounds", 2..=limits::REPEAT, diagnostics)?;
            Some(Spanned::new(SteadyWindow::Rounds(u32::try_from(rounds.value).ok()?), rounds.span))
        }
        (_, false) => {
            let time = value::time(literal, "a window", RunTime::from_nanos(1), diagnostics)?;
            Some(time.map(SteadyWindow::Time))
        }
    }
}

/// A share of the mean, above zero.
fn tolerance(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<Percent>> {
    let share = literal.read_percent(diagnostics)?;
    if share.value == Percent::ZERO {
        value::refuse(literal, "above zero: no drive is as steady as that".into(), "a tolerance", diagnostics);
        return None;
    }
    Some(share)
}

fn not_before(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<NotBefore>> {
    let accept = |quantity| match quantity {
        Quantity::Passes(passes) => Some(NotBefore::Passes(passes)),
        Quantity::Bytes(bytes) => Some(NotBefore::Bytes(bytes)),
        Quantity::DriveWrites(writes) => Some(NotBefore::DriveWrites(writes)),
        Quantity::Time(time) => Some(NotBefore::Time(time)),
        _ => None,
    };
    literal.read_quantity("a number of passes, a size, a number of drive writes or a time", accept, diagnostics)
}

/// `at STEP axis=value…`, in rounds alone.
fn at(node: &Node, in_rounds: bool, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<TrackedCase> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let step = name(&mut cursor, "the name of a step of the rounds", outer, diagnostics);
    let values = matrix::axis_values(&mut cursor, node, outer, diagnostics);
    cursor.finish(&Words::of("at", Place::SteadyState), diagnostics);
    if !in_rounds {
        diagnostics.push(
            Diagnostic::error(code::STEADY_WINDOW, "`at` has no effect here")
                .label(node.name.span, "a load is judged as it is")
                .help("leave it out; in `rounds` it says which case of which step is judged"),
        );
        return None;
    }
    Some(TrackedCase { step: step.given()?.clone(), values: values? })
}

/// `expect METRIC above=Q …`.
pub(super) fn expect(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Expect> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let metric = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, metric),
        None => missing(node, Place::Measure, "a metric, as \"read.p99\"", diagnostics),
    };
    let limits = limits(&mut cursor, node.name(), metric.given(), outer, diagnostics);
    let per_place = cursor_place(node, "per");
    let per = pace::per(&mut cursor, outer, diagnostics);
    let window = match cursor.take_property("window", diagnostics) {
        Some(literal) => {
            let wanted = "the name of a window";
            let leaf = value::leaf(literal, outer, diagnostics, |l, d| value::name(l, wanted, d));
            leaf.given().cloned().map(Some)
        }
        None => Some(None),
    };
    cursor.finish(&Words::of("expect", Place::Measure), diagnostics);
    let metric = metric.given()?.clone();
    let unit = metric.value.name.unit();
    if let Some(place) = per_place
        && !matches!(unit, MetricUnit::Iops | MetricUnit::Throughput | MetricUnit::Bytes)
    {
        diagnostics.push(
            Diagnostic::error(code::EXPECT_LIMITS, format!("`per=` scales no limit of {:?}", metric.value.to_string()))
                .label(place, "it does not grow with the drive")
                .help("leave it out"),
        );
        return None;
    }
    Some(Expect { metric, limits: limits?, per: per?, window: window? })
}

/// `where METRIC above=Q …` of a pick.
pub(in crate::plan::decode) fn condition(
    node: &Node,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<Expect> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let metric = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, metric),
        None => missing(node, Place::Pick, "a metric, as \"latency.mean\"", diagnostics),
    };
    let limits = limits(&mut cursor, node.name(), metric.given(), outer, diagnostics);
    cursor.finish(&Words::of("where", Place::Pick), diagnostics);
    Some(Expect { metric: metric.given()?.clone(), limits: limits?, per: None, window: None })
}

fn cursor_place(node: &Node, key: &str) -> Option<crate::text::Span> {
    node.properties.iter().find(|property| &*property.key.value == key).map(|property| property.key.span)
}

/// The limits of an `expect`, in the unit of its metric: at least one, at most one on each side, and with room between.
fn limits(
    cursor: &mut NodeCursor<'_>,
    word: &str,
    metric: Option<&Given<Metric>>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<(Bound, Given<MetricValue>)>> {
    let (head, mut is_whole) = (cursor.head(), true);
    let mut limits: Vec<(Bound, Given<MetricValue>)> = Vec::new();
    for bound in Bound::ALL {
        let Some(literal) = cursor.take_property(bound.name(), diagnostics) else { continue };
        let Some(metric) = metric else {
            is_whole = false;
            continue;
        };
        match value::leaf(literal, outer, diagnostics, |l, d| limit(l, metric.value.name.unit(), d)) {
            Leaf::Written(value) => limits.push((bound, value)),
            Leaf::Absent | Leaf::Faulty => is_whole = false,
        }
    }
    if !is_whole || metric.is_none() {
        return None;
    }
    let side = |is_low: bool| {
        let of_side =
            |(bound, _): &&(Bound, Given<MetricValue>)| matches!(bound, Bound::Above | Bound::AtLeast) == is_low;
        limits.iter().filter(of_side).collect::<Vec<_>>()
    };
    let (low, high) = (side(true), side(false));
    for both in [&low, &high] {
        if let [first, again] = both.as_slice() {
            diagnostics.push(
                Diagnostic::error(code::EXPECT_LIMITS, "two limits on the same side")
                    .label(again.1.span, format!("`{}` here", again.0))
                    .also(first.1.span, format!("`{}` here", first.0))
                    .help("keep one of them"),
            );
            return None;
        }
    }
    if let ([low], [high]) = (low.as_slice(), high.as_slice()) {
        let is_open = low.0 == Bound::Above || high.0 == Bound::Below;
        let has_room = if is_open { low.1.value < high.1.value } else { low.1.value <= high.1.value };
        if !has_room {
            diagnostics.push(
                Diagnostic::error(code::EXPECT_LIMITS, "no result can meet both limits")
                    .label(high.1.span, format!("`{}` this", high.0))
                    .also(low.1.span, format!("and `{}` this", low.0))
                    .help("write the smaller one as the lower limit"),
            );
            return None;
        }
    }
    if limits.is_empty() {
        diagnostics.push(
            Diagnostic::error(code::EXPECT_LIMITS, format!("`{word}` says no limit"))
                .label(head, "needs a limit")
                .help("add one of `above=`, `at-least=`, `below=` and `at-most=`"),
        );
        return None;
    }
    Some(limits)
}

/// A value in the unit of a metric.
pub(in crate::plan::decode) fn limit(
    literal: &Literal,
    unit: MetricUnit,
    diagnostics: &mut Diagnostics,
) -> Option<Spanned<MetricValue>> {
    let wanted = match unit {
        MetricUnit::Iops => "a rate in IOPS",
        MetricUnit::Throughput => "a throughput",
        MetricUnit::Time => "a time",
        MetricUnit::Bytes => "a size",
        MetricUnit::Celsius => "a temperature",
        MetricUnit::Number => return number(literal, diagnostics),
    };
    let accept = |quantity| match (unit, quantity) {
        (MetricUnit::Iops, Quantity::Iops(iops)) => Some(MetricValue::Iops(iops.0)),
        (MetricUnit::Throughput, Quantity::Throughput(bytes)) => Some(MetricValue::Throughput(bytes.0)),
        (MetricUnit::Time, Quantity::Time(time)) => Some(MetricValue::Time(time)),
        (MetricUnit::Bytes, Quantity::Bytes(bytes)) => Some(MetricValue::Bytes(bytes)),
        (MetricUnit::Celsius, Quantity::Celsius(degrees)) => Some(MetricValue::Celsius(degrees)),
        _ => None,
    };
    literal.read_quantity(wanted, accept, diagnostics)
}

/// A bare number.
fn number(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<MetricValue>> {
    let number = match literal.value {
        Value::Integer(number) => Some(number as f64),
        Value::Float(number) if number.is_finite() => Some(number),
        _ => None,
    };
    if number.is_none() {
        diagnostics.push(
            Diagnostic::error(
                code::VALUE_WRONG_TYPE,
                format!("{} is {}, not a number", literal.written, literal.value.kind()),
            )
            .label(literal.span, "needs a bare number")
            .help("write it without a unit and without quotes"),
        );
    }
    Some(Spanned::new(MetricValue::Number(number?), literal.span))
}
