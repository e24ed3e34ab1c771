//! At which pace a load goes: `rate`, `arrivals`, `burst`, `start`, `curve`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::limits;
use crate::plan::model::{Arrivals, Burst, Curve, CurvePoints, Given, Provenance, Rate, RateAmount, Start};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::Leaf;
use crate::plan::{defaults, names};
use crate::text::{Span, Spanned};
use crate::units::{ByteCount, Percent, Quantity, RunTime};

use super::super::{missing, origin, single, value};

/// `rate Q per=Q`.
pub(super) fn rate(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Rate> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let amount = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, rate_amount),
        None => missing(node, place, "a rate, as \"20k IOPS\" or \"500MB/s\"", diagnostics),
    };
    let per = per(&mut cursor, outer, diagnostics);
    cursor.finish(&Words::of("rate", place), diagnostics);
    let (Leaf::Written(amount), Some(per)) = (amount, per) else { return Leaf::Faulty };
    let rate = Rate { amount: amount.value, per: per.map(|per| per.value) };
    Leaf::Written(Given::written(rate, amount.provenance, amount.span))
}

/// The values of the axis `rate`, all for the same capacity.
pub(super) fn rates(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Vec<Given<Rate>>> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let arguments = cursor.take_arguments();
    let per = per(&mut cursor, outer, diagnostics);
    cursor.finish(&Words::of("rate", Place::Matrix), diagnostics);
    let amounts = super::matrix::read_values(node, arguments, outer, diagnostics, rate_amount)?;
    let per = per?.map(|per| per.value);
    let rate =
        |given: Given<RateAmount>| Given::written(Rate { amount: given.value, per }, given.provenance, given.span);
    Some(amounts.into_iter().map(rate).collect())
}

/// `per=`: the capacity that a value is for; the outer `None` where it is wrong.
pub(super) fn per(
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<Option<Given<ByteCount>>> {
    let Some(literal) = cursor.take_property("per", diagnostics) else { return Some(None) };
    match value::leaf(literal, outer, diagnostics, value::positive_size) {
        Leaf::Written(per) => Some(Some(per)),
        Leaf::Absent | Leaf::Faulty => None,
    }
}

/// Operations or bytes per second, above zero.
pub(in crate::plan::decode) fn rate_amount(
    literal: &Literal,
    diagnostics: &mut Diagnostics,
) -> Option<Spanned<RateAmount>> {
    let accept = |quantity| match quantity {
        Quantity::Iops(iops) => Some(RateAmount::Operations(iops.0)),
        Quantity::Throughput(bytes) => Some(RateAmount::Bytes(bytes.0)),
        _ => None,
    };
    let rate = literal.read_quantity("a rate in IOPS or bytes per second", accept, diagnostics)?;
    let (RateAmount::Operations(amount) | RateAmount::Bytes(amount)) = rate.value;
    if amount <= 0.0 {
        value::refuse(
            literal,
            "above zero; a load without `rate` goes as fast as it can".into(),
            "a rate",
            diagnostics,
        );
        return None;
    }
    Some(rate)
}

/// `arrivals NAME`.
pub(super) fn arrivals(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Arrivals> {
    word(node, place, "a spacing of operations", outer, diagnostics, |name| match name {
        "poisson" => Arrivals::Poisson,
        _ => Arrivals::Fixed,
    })
}

/// `start NAME`.
pub(super) fn start(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Start> {
    word(node, place, "a place to begin at", outer, diagnostics, |name| match name {
        "continue" => Start::Continue,
        _ => Start::Beginning,
    })
}

/// The one of the values by name of a node.
pub(super) fn word<T>(
    node: &Node,
    place: Place,
    wanted: &str,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    meant: impl Fn(&str) -> T,
) -> Leaf<T> {
    let known = value::values_of(node.name(), place);
    let listed: Vec<String> = known.iter().map(|word| format!("\"{}\"", word.name)).collect();
    single(node, place, &names::either(&listed), outer, diagnostics, |literal, d| {
        Some(value::named(literal, node.name(), wanted, known, d)?.map(&meant))
    })
}

/// `burst on=Q off=Q`.
pub(super) fn burst(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Burst> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let mut side = |key, wanted: &str, diagnostics: &mut Diagnostics| {
        let literal = cursor.need_property(key, "a time", diagnostics)?;
        let leaf = value::leaf(literal, outer, diagnostics, |l, d| value::time(l, wanted, RunTime::from_nanos(1), d));
        leaf.given().copied()
    };
    let on = side("on", "the length of a burst", diagnostics);
    let off = side("off", "the length of a pause", diagnostics);
    cursor.finish(&Words::of("burst", place), diagnostics);
    match (on, off) {
        (Some(on), Some(off)) => Leaf::Written(Given::written(Burst { on, off }, outer, node.name.span)),
        _ => Leaf::Faulty,
    }
}

/// `curve from= to= step=` or `curve Q% …`.
pub(super) fn curve(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Curve> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let arguments = cursor.take_arguments();
    let mut side = |key, diagnostics: &mut Diagnostics| {
        let literal = cursor.take_property(key, diagnostics)?;
        Some(value::leaf(literal, outer, diagnostics, point))
    };
    let sides = [side("from", diagnostics), side("to", diagnostics), side("step", diagnostics)];
    let repeat_max = match cursor.take_property("repeat-max", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, |literal, d| {
            let count = literal.read_count("a number of repetitions", 1..=limits::REPEAT, d)?;
            Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
        }),
        None => Leaf::Written(Given::default_at(defaults::REPEAT_MAX, node.name.span)),
    };
    let stop_above = cursor.take_property("stop-above", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |l, d| value::time(l, "a latency", RunTime::from_nanos(1), d))
    });
    cursor.finish(&Words::of("curve", Place::Measure), diagnostics);
    let points = points(node, arguments, sides, outer, diagnostics);
    let stop_above = match stop_above {
        Some(leaf) => leaf.given().copied().map(Some),
        None => Some(None),
    };
    match (points, repeat_max, stop_above) {
        (Some(points), Leaf::Written(repeat_max), Some(stop_above)) => {
            Leaf::Written(Given::written(Curve { points, repeat_max, stop_above }, outer, node.name.span))
        }
        _ => Leaf::Faulty,
    }
}

/// A share of the maximum; more than all of it offers more than the drive can do.
fn point(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<Percent>> {
    let share = literal.read_percent(diagnostics)?;
    let bound = if share.value == Percent::ZERO {
        "above zero"
    } else if share.value > limits::CURVE {
        "at most 1000%"
    } else {
        return Some(share);
    };
    value::refuse(literal, bound.into(), "a share of the maximum", diagnostics);
    None
}

/// The points of a curve, which rise.
fn points(
    node: &Node,
    arguments: &[Literal],
    sides: [Option<Leaf<Percent>>; 3],
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<CurvePoints> {
    let mut refuse = |place: Span, message: &str, label: &str| {
        diagnostics.push(Diagnostic::error(code::CURVE_POINTS, message).label(place, label).help(
            "write `curve from=\"10%\" to=\"120%\" step=\"10%\"`, or its points, as `curve \"50%\" \"80%\" \"100%\"`",
        ));
    };
    match (arguments, sides) {
        ([], [Some(from), Some(to), Some(step)]) => {
            let (from, to, step) = (*from.given()?, *to.given()?, *step.given()?);
            if from.value >= to.value {
                refuse(to.span, "the last point of the curve is not above the first", "the points rise");
                return None;
            }
            Some(CurvePoints::Steps { from, to, step })
        }
        ([], [None, None, None]) => {
            refuse(node.name.span, "the curve has no points", "needs its points");
            None
        }
        ([], _) => {
            refuse(node.head(), "the curve does not say all of `from=`, `to=` and `step=`", "one of them is missing");
            None
        }
        (_, [None, None, None]) => {
            let all: Option<Vec<Given<Percent>>> = arguments
                .iter()
                .map(|literal| value::leaf(literal, outer, diagnostics, point).given().copied())
                .collect();
            let all = all?;
            if let Some(pair) = all.windows(2).find(|pair| pair[0].value >= pair[1].value) {
                diagnostics.push(
                    Diagnostic::error(code::CURVE_POINTS, "the points of the curve do not rise")
                        .label(pair[1].span, "not above the one before it")
                        .also(pair[0].span, "the one before it")
                        .help("write them from the smallest to the largest, each once"),
                );
                return None;
            }
            Some(CurvePoints::Listed(all))
        }
        (_, _) => {
            refuse(node.head(), "the curve says its points twice", "both in steps and one by one");
            None
        }
    }
}
