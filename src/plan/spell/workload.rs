//! Workloads, and the parts of one that a load may say.

use crate::plan::model::{
    Access, Data, Extent, Given, LoadPart, Parts, Provenance, Setting, Side, SizeShare, Sizes, SpanOfArea, Spread,
    Stream, ThinkTime, Workload,
};
use crate::units::{ByteCount, Percent};

use super::{Page, annotation, in_quotes, quoted, value, value_in};

pub(super) fn workload(workload: &Workload, page: &mut Page) {
    page.open(&format!("workload {}", value(&workload.name, |name| quoted(name))));
    parts(&workload.parts, page);
    for stream in &workload.streams {
        let mark = annotation(stream.name.provenance, page.outer);
        let outer = std::mem::replace(&mut page.outer, stream.name.provenance);
        page.open(&format!("{mark}stream {}", quoted(&stream.name.value)));
        page.given("share", Some(&stream.share), in_quotes);
        parts(&stream.parts, page);
        page.close();
        page.outer = outer;
    }
    page.close();
}

fn parts(parts: &Parts, page: &mut Page) {
    if let Some(access) = &parts.access {
        self::access(access, parts.spread.as_ref(), page);
    }
    if let Some(sizes) = &parts.block_size {
        self::sizes(sizes, page);
    }
    page.given("read", parts.read.as_ref(), in_quotes);
    page.given("trim", parts.trim.as_ref(), in_quotes);
    if let Some(given) = &parts.span {
        page.leaf("span", &[span(page.outer, given)], false);
    }
    if let Some(given) = &parts.data {
        data(given, page);
    }
    flush(parts.flush_every.as_ref(), page);
    think_time(parts.think_time.as_ref(), page);
}

/// What a load says of the streams of its workload: that which the workload leaves open in some of them.
pub(super) fn closed(part: &LoadPart, workloads: &[Workload], page: &mut Page) {
    let workload = workloads.iter().find(|workload| workload.name.value == part.workload.value);
    let streams = &part.streams;
    let open = |is_open: fn(&Parts) -> bool| {
        streams.iter().enumerate().find(|(index, _)| {
            let beside = workload.is_none_or(|workload| is_open(&workload.parts));
            let own = workload.and_then(|workload| workload.streams.get(*index));
            beside && own.is_none_or(|own| is_open(&own.parts))
        })
    };
    if let Some((_, stream)) = open(|parts| parts.access.is_none()) {
        access(&stream.access, Some(&stream.spread), page);
    }
    if let Some((_, stream)) = open(|parts| parts.block_size.is_none()) {
        sizes(&stream.block_size, page);
    }
    if let Some((_, stream)) = open(|parts| parts.read.is_none()) {
        setting("read", &stream.read, in_quotes, page);
    }
    if let Some((_, stream)) = open(|parts| parts.trim.is_none()) {
        setting("trim", &stream.trim, in_quotes, page);
    }
    if let Some((_, stream)) = open(|parts| parts.span.is_none())
        && let Setting::Fixed(given) = &stream.span
    {
        page.leaf("span", &[span(page.outer, given)], given.is_default);
    }
    // What writes carry is said of nothing that only reads.
    if let Some((_, stream)) = open(|parts| parts.data.is_none())
        && (!stream.data.is_default || streams.iter().all(surely_writes))
    {
        data(&stream.data, page);
    }
    if let Some((_, stream)) = open(|parts| parts.flush_every.is_none()) {
        flush(stream.flush_every.as_ref(), page);
    }
    if let Some((_, stream)) = open(|parts| parts.think_time.is_none()) {
        think_time(stream.think_time.as_ref(), page);
    }
}

/// True where the shares of reads and trims are no axis and leave some writes.
fn surely_writes(stream: &Stream) -> bool {
    stream.read.fixed().is_some() && stream.trim.fixed().is_some() && stream.sides(&[]).contains(&Side::Write)
}

/// The order of offsets and how random ones fall.
fn access(access: &Given<Access>, spread: Option<&Spread>, page: &mut Page) {
    let head = format!("access {}", value_in(page.outer, access, order));
    let mark = if access.is_default { "    // default" } else { "" };
    let Some(spread) = spread.filter(|spread| !spread.is_uniform()) else {
        page.line(&format!("{head}{mark}"));
        return;
    };
    let mut words = vec![head];
    words.extend(spread.once.as_ref().map(|once| format!("order={}", value_in(page.outer, once, |()| quoted("once")))));
    words.extend(spread.seek.as_ref().map(|seek| format!("seek={}", value_in(page.outer, seek, in_quotes))));
    words.extend(spread.align.as_ref().map(|align| format!("align={}", value_in(page.outer, align, in_quotes))));
    let head = words.join(" ");
    if spread.zones.is_empty() && spread.zipf_theta.is_none() && spread.pareto_h.is_none() {
        page.line(&head);
        return;
    }
    page.open(&head);
    for zone in &spread.zones {
        let length = value_in(page.outer, &zone.length, in_quotes);
        let share = value_in(page.outer, &zone.share, in_quotes);
        page.line(&format!("zone {length} share={share}"));
    }
    for (law, given) in [("zipf theta", &spread.zipf_theta), ("pareto h", &spread.pareto_h)] {
        if let Some(given) = given {
            page.line(&format!("{law}={}", value_in(page.outer, given, |number| format!("{number:?}"))));
        }
    }
    page.close();
}

/// An order of offsets; the provenance stands before the first word alone.
pub(super) fn order(access: &Access) -> String {
    match access {
        Access::Random => "\"random\"".into(),
        Access::SequentialShared => "\"sequential\" cursor=\"shared\"".into(),
        Access::SequentialLanes => "\"sequential\" cursor=\"lanes\"".into(),
    }
}

/// What writes carry; the provenance stands before each value.
pub(super) fn data(data: &Given<Data>, page: &mut Page) {
    let values = match data.value {
        Data::Incompressible | Data::Zeros => vec![value_in(page.outer, data, in_quotes)],
        Data::Reducible { compressible, duplicate } => {
            let mark = annotation(data.provenance, page.outer);
            let parts = [("compressible", compressible), ("duplicate", duplicate)].into_iter();
            let parts = parts.filter(|(_, share)| *share > Percent::ZERO);
            parts.map(|(key, share)| format!("{key}={mark}{}", in_quotes(&share))).collect()
        }
    };
    page.leaf("data", &values, data.is_default);
}

fn flush(every: Option<&Given<u32>>, page: &mut Page) {
    if let Some(every) = every {
        page.line(&format!("flush every={}", value_in(page.outer, every, u32::to_string)));
    }
}

fn think_time(think: Option<&ThinkTime>, page: &mut Page) {
    if let Some(ThinkTime { time, after }) = think {
        let after = value_in(page.outer, after, u32::to_string);
        page.line(&format!("think-time {} after={after}", value_in(page.outer, time, in_quotes)));
    }
}

pub(super) fn span(outer: Provenance, given: &Given<SpanOfArea>) -> String {
    let length = value_in(outer, given, |span| extent(&span.length));
    match given.value.offset {
        ByteCount::ZERO => length,
        offset => format!("{length} offset={}{}", annotation(given.provenance, outer), in_quotes(&offset)),
    }
}

pub(super) fn extent(extent: &Extent) -> String {
    match extent {
        Extent::Bytes(bytes) => in_quotes(bytes),
        Extent::Share(share) => in_quotes(share),
    }
}

fn sizes(sizes: &Sizes, page: &mut Page) {
    match sizes {
        Sizes::One(one) => setting("block-size", one, in_quotes, page),
        Sizes::Mix(mix) => self::mix("block-size", mix, page),
        Sizes::Sides(sides) => {
            for (side, mix) in sides {
                let head = format!("for={}", quoted(side.name()));
                match mix.as_slice() {
                    [one] if one.share.is_default => {
                        page.line(&format!("block-size {} {head}", value_in(page.outer, &one.size, in_quotes)));
                    }
                    mix => self::mix(&format!("block-size {head}"), mix, page),
                }
            }
        }
    }
}

/// Sizes with their shares; a provenance that all of them have stands once, before the node.
fn mix(head: &str, mix: &[SizeShare], page: &mut Page) {
    let mut all = mix.iter().flat_map(|size| [size.size.provenance, size.share.provenance]);
    let common = all.next().filter(|first| all.all(|other| other == *first)).unwrap_or(page.outer);
    let mark = annotation(common, page.outer);
    let outer = std::mem::replace(&mut page.outer, common);
    page.open(&format!("{mark}{head}"));
    for SizeShare { size, share } in mix {
        let values = [value_in(page.outer, size, in_quotes), value_in(page.outer, share, in_quotes)];
        page.leaf("size", &values, false);
    }
    page.close();
    page.outer = outer;
}

pub(super) fn setting<T>(name: &str, setting: &Setting<T>, write: impl Fn(&T) -> String, page: &mut Page) {
    if let Setting::Fixed(given) = setting {
        page.given(name, Some(given), write);
    }
}
