//! Workloads, their streams, and the parts of them that a load may close.

mod access;
mod sizes;
mod weights;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::defaults;
use crate::plan::limits;
use crate::plan::model::{Data, Given, Provenance, SpanOfArea, ThinkTime};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Leaf, Parts, Stream, Workload};
use crate::text::Spanned;
use crate::units::{ByteCount, Percent, RunTime};

use super::load::one_only;
use super::{may_say_more, missing, name, origin, value};

pub(super) use access::access;
use weights::{Weight, share, weight, whole};

/// A `workload` node.
pub(super) fn decode(node: &Node, outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Workload> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let name = name(&mut cursor, "the workload's name", outer, diagnostics);
    let parts = parts(&mut cursor, Place::Workload, outer, diagnostics);
    let nodes = cursor.take_children("stream");
    let streams = streams(&nodes, outer, diagnostics);
    cursor.finish(&Words::of("workload", Place::Top), diagnostics);
    let is_partial = streams.is_none() || may_say_more(node, Place::Workload, &[]);
    let is_partial = is_partial || nodes.iter().any(|node| may_say_more(node, Place::Stream, &[]));
    Some(Workload { name: name.given()?.clone(), parts, streams: streams.unwrap_or_default(), is_partial })
}

/// The streams with their shares; `None` where something about them is wrong.
fn streams(nodes: &[&Node], outer: Provenance, diagnostics: &mut Diagnostics) -> Option<Vec<Stream>> {
    if nodes.is_empty() {
        return Some(Vec::new());
    }
    let mut read: Vec<(Leaf<String>, Parts)> = Vec::new();
    let mut weights: Vec<Leaf<Weight>> = Vec::new();
    for node in nodes {
        let mut cursor = NodeCursor::new(node);
        let outer = origin(&cursor, outer, diagnostics);
        let name = name(&mut cursor, "the stream's name", outer, diagnostics);
        let weight = match cursor.take_child("share", diagnostics) {
            Some(child) => super::single(
                child,
                Place::Stream,
                "a percentage of the operations, or \"rest\"",
                outer,
                diagnostics,
                |literal, d| weight(literal, "the share of a stream", d),
            ),
            None => {
                diagnostics.push(
                    Diagnostic::error(code::STREAM_NO_SHARE, "the stream does not say its share of the operations")
                        .label(node.head(), "needs `share`")
                        .help("add `share \"50%\"`, or `share \"rest\"` for what the others leave"),
                );
                Leaf::Faulty
            }
        };
        let parts = parts(&mut cursor, Place::Stream, outer, diagnostics);
        cursor.finish(&Words::of("stream", Place::Workload), diagnostics);
        read.push((name, parts));
        weights.push(weight);
    }
    let mut is_distinct = true;
    for (index, (name, _)) in read.iter().enumerate() {
        let Some(name) = name.given() else { continue };
        let earlier = read[..index].iter().filter_map(|(name, _)| name.given());
        if let Some(first) = earlier.into_iter().find(|earlier| earlier.value == name.value) {
            is_distinct = false;
            diagnostics.push(
                Diagnostic::error(code::NAME_DUPLICATE, format!("two streams have the name {:?}", name.value))
                    .label(name.span, "again here")
                    .also(first.span, "first here")
                    .help("give one of them another name"),
            );
        }
    }
    let shares = whole("streams", &weights, diagnostics)?;
    let streams: Option<Vec<Stream>> = read
        .into_iter()
        .zip(shares)
        .map(|((name, parts), share)| Some(Stream { name: name.given()?.clone(), share, parts }))
        .collect();
    streams.filter(|_| is_distinct)
}

/// The parts that stand in a workload, in a stream, or in a load that closes it.
pub(super) fn parts(
    cursor: &mut NodeCursor<'_>,
    place: Place,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Parts {
    let sizes_nodes = cursor.take_children("block-size");
    let block_size = sizes::sizes(&sizes_nodes, place, outer, diagnostics);
    let mut child = |name, diagnostics: &mut Diagnostics| cursor.take_child(name, diagnostics);
    let access = child("access", diagnostics).map(|node| access(node, place, outer, diagnostics));
    let read = child("read", diagnostics)
        .map(|node| one_only(node, place, "a percentage", outer, diagnostics, value::read_share));
    let trim = child("trim", diagnostics)
        .map(|node| one_only(node, place, "a percentage", outer, diagnostics, value::trim_share));
    let span = child("span", diagnostics).map(|node| span(node, place, outer, diagnostics));
    let data = child("data", diagnostics).map(|node| data(node, place, outer, diagnostics));
    let flush = child("flush", diagnostics).map(|node| flush(node, place, outer, diagnostics));
    let think_time = child("think-time", diagnostics).map(|node| think_time(node, place, outer, diagnostics));
    Parts {
        access: access.unwrap_or_default(),
        block_size,
        read: read.unwrap_or_default(),
        trim: trim.unwrap_or_default(),
        span: span.unwrap_or_default(),
        data: data.unwrap_or_default(),
        flush_every: flush.unwrap_or_default(),
        think_time: think_time.unwrap_or_default(),
    }
}

/// `data`: a name, or shares of what can be saved.
pub(super) fn data(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Data> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let name = cursor.take_argument().map(|literal| {
        let known = value::values_of("data", place);
        value::leaf(literal, outer, diagnostics, |l, d| value::named(l, "data", "a kind of data", known, d))
    });
    let mut saved = |key, wanted, diagnostics: &mut Diagnostics| {
        let literal = cursor.take_property(key, diagnostics)?;
        Some(value::leaf(literal, outer, diagnostics, |l, d| share(l, wanted, d)))
    };
    let compressible = saved("compressible", "the share of each block that compresses away", diagnostics);
    let duplicate = saved("duplicate", "the share of the blocks that repeat another", diagnostics);
    cursor.finish(&Words::of("data", place), diagnostics);
    let shares = [&compressible, &duplicate].into_iter().flatten();
    let first = shares.clone().next();
    match (name, first) {
        (Some(Leaf::Written(name)), None) => {
            let data = if name.value == "zeros" { Data::Zeros } else { Data::Incompressible };
            Leaf::Written(Given::written(data, name.provenance, name.span))
        }
        (Some(Leaf::Written(name)), Some(Leaf::Written(share))) => {
            diagnostics.push(
                Diagnostic::error(code::DATA_TWO_KINDS, format!("data of \"{}\" has no share to set", name.value))
                    .label(share.span, "has no effect")
                    .also(name.span, "says already what every write carries")
                    .help("keep the name, or the shares, as `data compressible=\"40%\" duplicate=\"10%\"`"),
            );
            Leaf::Faulty
        }
        (None, Some(Leaf::Written(one))) if shares.clone().all(|share| !share.is_faulty()) => {
            let part = |leaf: &Option<Leaf<Percent>>| {
                leaf.as_ref().and_then(Leaf::given).map_or(Percent::ZERO, |given| given.value)
            };
            let data = Data::Reducible { compressible: part(&compressible), duplicate: part(&duplicate) };
            Leaf::Written(Given::written(data, one.provenance, one.span))
        }
        (None, None) => missing(node, place, "a kind of data, `compressible=` or `duplicate=`", diagnostics),
        _ => Leaf::Faulty,
    }
}

fn flush(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<u32> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let every = cursor.need_property("every", "a number of writes", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| operations(literal, "a number of writes", d))
    });
    cursor.finish(&Words::of("flush", place), diagnostics);
    every.unwrap_or(Leaf::Faulty)
}

fn think_time(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<ThinkTime> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let time = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, |literal, d| {
            value::time(literal, "a pause", RunTime::from_nanos(1), d)
        }),
        None => missing(node, place, "a time", diagnostics),
    };
    let after = cursor.take_property("after", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| operations(literal, "a number of operations", d))
    });
    cursor.finish(&Words::of("think-time", place), diagnostics);
    let after = match after {
        None => Given::default_at(defaults::THINK_AFTER, node.name.span),
        Some(Leaf::Written(after)) => after,
        Some(_) => return Leaf::Faulty,
    };
    match time {
        Leaf::Written(time) => Leaf::Written(Given::written(ThinkTime { time, after }, time.provenance, time.span)),
        _ => Leaf::Faulty,
    }
}

fn operations(literal: &Literal, wanted: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
    let count = literal.read_count(wanted, 1..=limits::OPERATIONS, diagnostics)?;
    Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
}

fn span(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<SpanOfArea> {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let length = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, |l, d| value::extent(l, "a span", d)),
        None => missing(node, place, "a size or a percentage", diagnostics),
    };
    let offset = cursor
        .take_property("offset", diagnostics)
        .map(|literal| value::leaf(literal, outer, diagnostics, |l, d| l.read_size(d)));
    cursor.finish(&Words::of("span", place), diagnostics);
    let offset = match offset {
        None => ByteCount::ZERO,
        Some(Leaf::Written(offset)) => offset.value,
        Some(_) => return Leaf::Faulty,
    };
    match length {
        Leaf::Written(length) => {
            Leaf::Written(Given::written(SpanOfArea { length: length.value, offset }, length.provenance, length.span))
        }
        other => {
            debug_assert!(other.is_faulty());
            Leaf::Faulty
        }
    }
}
