//! What must hold of a stream whose values are closed: sizes, alignment, kinds of operations.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::limits;
use crate::plan::model::{Axis, Extent, Given, Setting, Side, Sizes, SpanOfArea, Stream, ZoneLength};
use crate::text::Span;
use crate::units::{BlockSize, ByteCount, Percent};

use super::window;

type Rule = fn(&Stream, &[Axis], &mut Diagnostics);

const RULES: &[Rule] = &[
    mix_is_possible,
    sides_have_sizes,
    data_moving_sizes_are_possible,
    several_sizes_are_aligned,
    once_is_writes_of_one_size,
    writes_have_an_effect,
    spans_hold_a_block,
    zones_hold_a_block,
];

/// Applies every rule. What one workload draws in each load that uses it is said once.
pub(super) fn check(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let mut found = Diagnostics::without_source();
    for rule in RULES {
        rule(stream, axes, &mut found);
    }
    for diagnostic in found.all() {
        let place = diagnostic.primary().map(|label| label.span);
        let is_known = |known: &Diagnostic| {
            known.code == diagnostic.code
                && known.message == diagnostic.message
                && known.primary().map(|label| label.span) == place
        };
        if !diagnostics.all().iter().any(is_known) {
            diagnostics.push(diagnostic.clone());
        }
    }
}

/// The place that says that nothing is written in some case, and how; none where every case writes.
pub(super) fn nothing_written(streams: &[Stream], axes: &[Axis]) -> Option<(Span, &'static str)> {
    let of = |stream: &Stream| {
        let read = largest(&stream.reads(axes)?)?;
        let trim = largest(&stream.trims(axes)?)?;
        let others = u64::from(read.value.parts_per_million()) + u64::from(trim.value.parts_per_million());
        let is_read = read.value == Percent::HUNDRED;
        let place = if is_read || trim.value == Percent::ZERO { read.span } else { trim.span };
        (others >= u64::from(Percent::WHOLE))
            .then_some((place, if is_read { "reads alone" } else { "nothing is written" }))
    };
    let places: Option<Vec<_>> = streams.iter().map(of).collect();
    places?.first().copied()
}

fn largest(shares: &[Given<Percent>]) -> Option<Given<Percent>> {
    shares.iter().max_by_key(|share| share.value).copied()
}

fn mix_is_possible(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let (Some(reads), Some(trims)) = (stream.reads(axes), stream.trims(axes)) else { return };
    let (Some(read), Some(trim)) = (largest(&reads), largest(&trims)) else { return };
    let sum = u64::from(read.value.parts_per_million()) + u64::from(trim.value.parts_per_million());
    if sum <= u64::from(Percent::WHOLE) {
        return;
    }
    let together = Percent::from_parts_per_million(u32::try_from(sum).unwrap_or(u32::MAX));
    diagnostics.push(
        Diagnostic::error(code::MIX_OVER_WHOLE, format!("reads and trims are {together} of the operations together"))
            .label(trim.span, format!("{} trims", trim.value))
            .also(read.span, format!("{} reads", read.value))
            .help("keep both at 100% or below together; the rest are writes"),
    );
}

fn sides_have_sizes(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let Sizes::Sides(sides) = &stream.block_size else { return };
    if stream.reads(axes).is_none() || stream.trims(axes).is_none() {
        return;
    }
    let (Some(first), occurring) = (sides.first().and_then(|(_, mix)| mix.first()), stream.sides(axes)) else { return };
    for side in [Side::Read, Side::Write, Side::Trim] {
        let name = side.name();
        let size = sides.iter().find(|(of, _)| *of == side).and_then(|(_, mix)| mix.first());
        let diagnostic = match (size, occurring.contains(&side)) {
            (None, true) => Diagnostic::error(code::BLOCK_SIZE_SIDES, format!("nothing says the size of {name}s"))
                .label(first.size.span, format!("no size for {name}s, of which there are some"))
                .help(format!("add `block-size … for=\"{name}\"`, or write one size for all operations")),
            (Some(size), false) => {
                Diagnostic::error(code::BLOCK_SIZE_SIDES, format!("a size for {name}s stands where there are none"))
                    .label(size.size.span, "has no effect")
                    .help(format!("leave it out, or let some operations be {name}s"))
            }
            _ => continue,
        };
        let share = if side == Side::Trim { share_place(&stream.trim) } else { share_place(&stream.read) };
        diagnostics.push(match share {
            Some((place, share)) => {
                diagnostic.also(place, format!("{share} {}", if side == Side::Trim { "trims" } else { "reads" }))
            }
            None => diagnostic,
        });
    }
}

/// The place of a share that is written.
fn share_place<T: std::fmt::Display>(setting: &Setting<T>) -> Option<(Span, String)> {
    setting.fixed().filter(|given| !given.is_default).map(|given| (given.span, given.value.to_string()))
}

fn data_moving_sizes_are_possible(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let occurring = stream.sides(axes);
    let moves = |side: Option<Side>| match side {
        Some(side) => side != Side::Trim,
        None => occurring.iter().any(|side| *side != Side::Trim),
    };
    for (side, size) in sizes(stream, axes) {
        if size.value.get() > limits::BLOCK_SIZE && moves(side) {
            let most = ByteCount::new(limits::BLOCK_SIZE);
            diagnostics.push(
                Diagnostic::error(
                    code::VALUE_OUT_OF_RANGE,
                    format!("\"{}\" is not possible as the block size of reads and writes", size.value),
                )
                .label(size.span, format!("must be at most {most}"))
                .help("only trims may be larger, for they move no data"),
            );
        }
    }
}

/// Every size that some operation has, with the side that it is for.
fn sizes(stream: &Stream, axes: &[Axis]) -> Vec<(Option<Side>, Given<BlockSize>)> {
    match &stream.block_size {
        Sizes::One(Setting::Fixed(size)) => vec![(None, *size)],
        Sizes::One(Setting::Picked) => Vec::new(),
        Sizes::One(Setting::Axis) => axes
            .iter()
            .filter_map(|axis| if let Axis::BlockSize(values) = axis { Some(values) } else { None })
            .flatten()
            .map(|size| (None, *size))
            .collect(),
        Sizes::Mix(mix) => mix.iter().map(|size| (None, size.size)).collect(),
        Sizes::Sides(sides) => {
            sides.iter().flat_map(|(side, mix)| mix.iter().map(|size| (Some(*side), size.size))).collect()
        }
    }
}

/// The sizes of a mix, where there is more than one.
fn several(stream: &Stream) -> Option<[Given<BlockSize>; 2]> {
    if matches!(stream.block_size, Sizes::One(_)) {
        return None;
    }
    let all = sizes(stream, &[]);
    let (_, first) = *all.first()?;
    let (_, other) = *all.iter().find(|(_, size)| size.value != first.value)?;
    Some([first, other])
}

fn several_sizes_are_aligned(stream: &Stream, _: &[Axis], diagnostics: &mut Diagnostics) {
    if stream.access.value.is_sequential() || stream.spread.align.is_some() || stream.spread.once.is_some() {
        return;
    }
    let Some([first, other]) = several(stream) else { return };
    let smallest = sizes(stream, &[]).into_iter().map(|(_, size)| size.value).min().unwrap_or(first.value);
    diagnostics.push(
        Diagnostic::error(
            code::ACCESS_NO_ALIGN,
            "random access with several sizes does not say what offsets are a multiple of",
        )
        .label(stream.access.span, "needs `align=`")
        .also(other.span, format!("{} and {}", first.value, other.value))
        .help(format!(
            "write `align=\"own\"` for each operation's own size, or one size for all, as `align=\"{smallest}\"`"
        )),
    );
}

fn once_is_writes_of_one_size(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let Some(once) = stream.spread.once else { return };
    if let Some([first, other]) = several(stream) {
        diagnostics.push(
            Diagnostic::error(code::ACCESS_ONCE, "every block once needs blocks of one size")
                .label(once.span, "in which blocks?")
                .also(other.span, format!("{} and {}", first.value, other.value))
                .help("write one size, or leave `order=` out"),
        );
    }
    let shares = [(stream.reads(axes), "reads"), (stream.trims(axes), "trims")];
    for (shares, kind) in shares {
        let some = shares.unwrap_or_default().into_iter().find(|share| share.value > Percent::ZERO);
        let Some(share) = some else { continue };
        diagnostics.push(
            Diagnostic::error(code::ACCESS_ONCE, format!("every block once is for writes, and there are {kind}"))
                .label(once.span, "orders writes alone")
                .also(share.span, format!("{} {kind}", share.value))
                .help("write `read \"0%\"` without trims, or leave `order=` out"),
        );
    }
}

fn writes_have_an_effect(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let (Some(reads), Some(_)) = (stream.reads(axes), stream.trims(axes)) else { return };
    if stream.sides(axes).contains(&Side::Write) {
        return;
    }
    let data = Some(stream.data.span).filter(|_| !stream.data.is_default).map(|span| ("data", span));
    let flush = stream.flush_every.map(|flush| ("flush", flush.span));
    for (name, span) in data.into_iter().chain(flush) {
        let mut diagnostic =
            Diagnostic::error(code::WORKLOAD_NO_WRITES, format!("`{name}` stands where nothing is written"))
                .label(span, "has no effect")
                .help(format!("leave `{name}` out, or let some operations be writes"));
        if let Some(read) = largest(&reads) {
            diagnostic = diagnostic.also(read.span, format!("{} reads", read.value));
        }
        diagnostics.push(diagnostic);
    }
}

fn spans_hold_a_block(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let largest = sizes(stream, axes).into_iter().map(|(_, size)| size).max_by_key(|size| size.value);
    for span in spans(stream, axes) {
        window::fits_span(Some(span), largest, diagnostics);
    }
}

fn spans(stream: &Stream, axes: &[Axis]) -> Vec<Given<SpanOfArea>> {
    match &stream.span {
        Setting::Fixed(span) => vec![*span],
        Setting::Picked => Vec::new(),
        Setting::Axis => axes
            .iter()
            .filter_map(|axis| if let Axis::Span(values) = axis { Some(values) } else { None })
            .flatten()
            .copied()
            .collect(),
    }
}

fn zones_hold_a_block(stream: &Stream, axes: &[Axis], diagnostics: &mut Diagnostics) {
    let largest = sizes(stream, axes).into_iter().map(|(_, size)| size).max_by_key(|size| size.value);
    let Some(block) = largest else { return };
    let mut sum = 0_u64;
    for zone in &stream.spread.zones {
        let ZoneLength::Part(Extent::Bytes(bytes)) = zone.length.value else { continue };
        sum = sum.saturating_add(bytes.get());
        if bytes < block.value.bytes() {
            diagnostics.push(
                Diagnostic::error(code::ZONE_OUTSIDE, format!("a zone of {bytes} holds no block of {}", block.value))
                    .label(zone.length.span, "too small")
                    .also(block.span, "the size of one operation")
                    .help("write a longer zone"),
            );
        }
    }
    let bounded = spans(stream, axes).into_iter().find_map(|span| match span.value.length {
        Extent::Bytes(length) if length.get() < sum => Some((span, length)),
        _ => None,
    });
    if let (Some((span, length)), Some(zone)) = (bounded, stream.spread.zones.last()) {
        let together = ByteCount::new(sum);
        diagnostics.push(
            Diagnostic::error(
                code::ZONE_OUTSIDE,
                format!("the zones are {together}, longer than the span of {length}"),
            )
            .label(zone.length.span, "the last of the zones")
            .also(span.span, "the span")
            .help("zones follow each other from the start of the span"),
        );
    }
}
