//! `access`: the order of offsets, and how random ones fall.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor, Value};
use crate::plan::decode::{missing, origin, value};
use crate::plan::model::{Align, Extent, Given, Provenance, Spread, Zone, ZoneLength};
use crate::plan::names::{Built, Place, Word};
use crate::plan::vocabulary::Words;
use crate::plan::written::{Access, Cursor, Leaf};
use crate::text::{Span, Spanned};
use crate::units::Percent;

use super::weights::{Weight, is_rest, share, weight, whole};

const CURSORS: &[Word] = &[
    Word { name: "shared", meaning: "one cursor for all slots", built: Built::Yes },
    Word { name: "lanes", meaning: "one lane for each thread", built: Built::Yes },
];

const ORDERS: &[Word] = &[Word { name: "once", meaning: "every block once in a pass", built: Built::Checked }];

/// An `access` node of a workload, stream, load or fill.
pub(in crate::plan::decode) fn access(
    node: &Node,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Leaf<Access> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let (order, order_span) = match cursor.take_argument() {
        Some(literal) => {
            let known = value::values_of("access", place);
            let leaf = value::leaf(literal, outer, diagnostics, |l, d| {
                value::named(l, "access", "an order of offsets", known, d)
            });
            (leaf, literal.span)
        }
        None if node.children().is_empty() => {
            (missing(node, place, "\"random\" or \"sequential\"", diagnostics), node.name.span)
        }
        None => {
            diagnostics.push(
                Diagnostic::error(code::VALUE_MISSING, "`access` stands without its value")
                    .label(node.name.span, "needs \"random\" or \"sequential\""),
            );
            (Leaf::Faulty, node.name.span)
        }
    };
    let cursor_property = cursor.take_property("cursor", diagnostics).map(|literal| {
        let leaf =
            value::leaf(literal, outer, diagnostics, |l, d| value::named(l, "cursor", "a kind of cursor", CURSORS, d));
        (leaf, literal.span)
    });
    let spread = spread(&mut cursor, outer, diagnostics);
    cursor.finish(&Words::of("access", place), diagnostics);
    let Some(order) = order.given() else { return Leaf::Faulty };
    let access = match (order.value, cursor_property) {
        ("random", None) => match spread.value {
            Some(spread) => Access::Random(spread),
            None => return Leaf::Faulty,
        },
        ("random", Some((_, span))) => {
            diagnostics.push(
                Diagnostic::error(code::ACCESS_CURSOR_ON_RANDOM, "random access has no cursor")
                    .label(span, "has no effect")
                    .also(order_span, "offsets are drawn anew for every operation")
                    .help("leave `cursor=` out, or write `access \"sequential\"`"),
            );
            return Leaf::Faulty;
        }
        (_, _) if !spread.places.is_empty() => {
            for (name, span) in spread.places {
                diagnostics.push(
                    Diagnostic::error(code::ACCESS_ON_SEQUENTIAL, format!("{name} has no effect on sequential access"))
                        .label(span, "has no effect")
                        .also(order_span, "each block follows the one before it")
                        .help(format!("leave {name} out, or write `access \"random\"`")),
                );
            }
            return Leaf::Faulty;
        }
        (_, None) => Access::Sequential(None),
        (_, Some((Leaf::Written(word), _))) => {
            Access::Sequential(Some(if word.value == "lanes" { Cursor::Lanes } else { Cursor::Shared }))
        }
        (_, Some(_)) => return Leaf::Faulty,
    };
    Leaf::Written(Given::written(access, order.provenance, order.span))
}

/// What is said of how random offsets fall.
struct Said {
    /// None where some of it is faulty.
    value: Option<Spread>,
    /// Each word with its place.
    places: Vec<(&'static str, Span)>,
}

fn spread(cursor: &mut NodeCursor<'_>, outer: Provenance, diagnostics: &mut Diagnostics) -> Said {
    let mut places = Vec::new();
    let mut is_whole = true;
    let mut property = |key: &str, name, diagnostics: &mut Diagnostics| {
        let literal = cursor.take_property(key, diagnostics)?;
        places.push((name, literal.span));
        Some(literal)
    };
    let once = property("order", "`order=`", diagnostics).map(|literal| {
        let read =
            |l: &Literal, d: &mut Diagnostics| Some(value::named(l, "order", "an order", ORDERS, d)?.map(|_| ()));
        value::leaf(literal, outer, diagnostics, read)
    });
    let seek = property("seek", "`seek=`", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |l, d| share(l, "the share of operations that draw a new offset", d))
    });
    let align =
        property("align", "`align=`", diagnostics).map(|literal| value::leaf(literal, outer, diagnostics, align));
    let zones_nodes = cursor.take_children("zone");
    places.extend(zones_nodes.first().map(|node| ("`zone`", node.name.span)));
    let zones = zones(&zones_nodes, outer, diagnostics);
    let zipf = cursor.take_child("zipf", diagnostics).map(|node| {
        places.push(("`zipf`", node.name.span));
        law(node, "theta", "the exponent of Zipf's law", 5.0, outer, diagnostics)
    });
    let pareto = cursor.take_child("pareto", diagnostics).map(|node| {
        places.push(("`pareto`", node.name.span));
        law(node, "h", "the skew of Pareto's law", 1.0, outer, diagnostics)
    });
    is_whole &= do_not_exclude_each_other(&places, diagnostics);
    let mut take = |leaf: Option<&Leaf<f64>>| {
        is_whole &= leaf.is_none_or(|leaf| !leaf.is_faulty());
        leaf.and_then(Leaf::given).copied()
    };
    let (zipf_theta, pareto_h) = (take(zipf.as_ref()), take(pareto.as_ref()));
    is_whole &= !once.is_some_and(|leaf| leaf.is_faulty());
    is_whole &= !seek.is_some_and(|leaf| leaf.is_faulty());
    is_whole &= !align.is_some_and(|leaf| leaf.is_faulty());
    let spread = zones.map(|zones| Spread {
        once: once.and_then(|leaf| leaf.given().copied()),
        seek: seek.and_then(|leaf| leaf.given().copied()),
        align: align.and_then(|leaf| leaf.given().copied()),
        zones,
        zipf_theta,
        pareto_h,
    });
    Said { value: spread.filter(|_| is_whole), places }
}

/// Zones and laws each say where all offsets fall; an order of every block once leaves nothing to draw.
fn do_not_exclude_each_other(places: &[(&'static str, Span)], diagnostics: &mut Diagnostics) -> bool {
    let laws: Vec<_> = places.iter().filter(|(name, _)| matches!(*name, "`zone`" | "`zipf`" | "`pareto`")).collect();
    let once = places.iter().find(|(name, _)| *name == "`order=`");
    let pair = match (laws.as_slice(), once) {
        ([first, again, ..], _) => Some((**first, **again)),
        (_, Some(once)) => places.iter().find(|(name, _)| *name != "`order=`").map(|other| (*once, *other)),
        _ => None,
    };
    let Some(((first, first_span), (again, again_span))) = pair else { return true };
    let label = match first {
        "`order=`" => "every block comes once, so nothing is drawn",
        _ => "says where offsets fall",
    };
    diagnostics.push(
        Diagnostic::error(code::ACCESS_TWO_SPREADS, format!("{first} and {again} exclude each other"))
            .label(again_span, "would have to win or lose")
            .also(first_span, label)
            .help("keep one of them"),
    );
    false
}

fn align(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<Align>> {
    if matches!(&literal.value, Value::Text(text) if &**text == "own") {
        return Some(Spanned::new(Align::Own, literal.span));
    }
    Some(value::block_size(literal, diagnostics)?.map(Align::To))
}

/// `zipf theta=N` or `pareto h=N`: the one number, above zero.
fn law(node: &Node, key: &str, wanted: &str, most: f64, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<f64> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let leaf = cursor.need_property(key, "a number", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| {
            let number = match literal.value {
                Value::Float(number) => number,
                Value::Integer(number) => number as f64,
                _ => {
                    d.push(
                        Diagnostic::error(code::VALUE_WRONG_TYPE, format!("{} is no number", literal.written))
                            .label(literal.span, format!("needs {wanted}, a number without a unit")),
                    );
                    return None;
                }
            };
            // The skew of Pareto's law is below 1, the exponent of Zipf's law at most 5.
            let is_possible = number > 0.0 && (number < most || (most > 1.0 && number <= most));
            if !is_possible {
                let bound = if most > 1.0 { "at most" } else { "below" };
                value::refuse(literal, format!("above 0 and {bound} {most}"), wanted, d);
                return None;
            }
            Some(Spanned::new(number, literal.span))
        })
    });
    cursor.finish(&Words::of(node.name(), Place::Access), diagnostics);
    leaf.unwrap_or(Leaf::Faulty)
}

/// The zones with their lengths and shares; `None` where something about them is wrong.
fn zones(nodes: &[&Node], outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Vec<Zone>> {
    if nodes.is_empty() {
        return Some(Vec::new());
    }
    let mut lengths: Vec<Leaf<ZoneLength>> = Vec::new();
    let mut weights: Vec<Leaf<Weight>> = Vec::new();
    for node in nodes {
        let mut cursor = NodeCursor::new(node);
        let outer = origin(&cursor, outer, diagnostics);
        lengths.push(match cursor.take_argument() {
            Some(literal) => value::leaf(literal, outer, diagnostics, zone_length),
            None => missing(node, Place::Access, "a size, a percentage of the span, or \"rest\"", diagnostics),
        });
        let share = cursor.need_property("share", "a percentage of the operations, or \"rest\"", diagnostics);
        weights.push(share.map_or(Leaf::Faulty, |literal| {
            value::leaf(literal, outer, diagnostics, |literal, d| weight(literal, "the share of a zone", d))
        }));
        cursor.finish(&Words::of("zone", Place::Access), diagnostics);
    }
    let shares = whole("zones", &weights, diagnostics);
    let lengths: Option<Vec<Given<ZoneLength>>> = lengths.iter().map(|length| length.given().copied()).collect();
    let lengths = within_the_span(lengths?, diagnostics)?;
    Some(lengths.into_iter().zip(shares?).map(|(length, share)| Zone { length, share }).collect())
}

fn zone_length(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<ZoneLength>> {
    if is_rest(literal) {
        return Some(Spanned::new(ZoneLength::Rest, literal.span));
    }
    Some(value::extent(literal, "the length of a zone", diagnostics)?.map(ZoneLength::Part))
}

/// The lengths, `"rest"` put in where shares of the span alone decide it.
fn within_the_span(
    mut lengths: Vec<Given<ZoneLength>>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Given<ZoneLength>>> {
    let share_of = |length: &Given<ZoneLength>| match length.value {
        ZoneLength::Part(Extent::Share(share)) => u64::from(share.parts_per_million()),
        _ => 0,
    };
    let sum: u64 = lengths.iter().map(share_of).sum();
    let has_bytes = lengths.iter().any(|length| matches!(length.value, ZoneLength::Part(Extent::Bytes(_))));
    let rests: Vec<Span> =
        lengths.iter().filter(|length| length.value == ZoneLength::Rest).map(|length| length.span).collect();
    let all = u64::from(Percent::WHOLE);
    if let [first, again, ..] = rests.as_slice() {
        diagnostics.push(
            Diagnostic::error(code::ZONE_OUTSIDE, "two zones are the rest of the span")
                .label(*again, "again here")
                .also(*first, "first here")
                .help("keep one of them, and give the others a length"),
        );
        return None;
    }
    let leaves_nothing = !rests.is_empty() && sum >= all;
    if sum > all || leaves_nothing || (sum == all && has_bytes) {
        let together = Percent::from_parts_per_million(u32::try_from(sum).unwrap_or(u32::MAX));
        let message = match leaves_nothing {
            true => format!("the zones are {together} of the span, and leave nothing for the rest"),
            false => format!("the zones are longer than the span: {together} together"),
        };
        let mut diagnostic =
            Diagnostic::error(code::ZONE_OUTSIDE, message).help("zones follow each other from the start of the span");
        for length in lengths.iter().rev() {
            diagnostic = diagnostic.label(length.span, length.value.to_string());
        }
        diagnostics.push(diagnostic);
        return None;
    }
    if !has_bytes {
        let rest = Percent::from_parts_per_million(u32::try_from(all - sum).unwrap_or(0));
        for length in lengths.iter_mut().filter(|length| length.value == ZoneLength::Rest) {
            length.value = ZoneLength::Part(Extent::Share(rest));
        }
    }
    Some(lengths)
}
