//! Workloads, and the parts of one that a load may say.

use crate::plan::model::{Access, Extent, Given, LoadPart, Provenance, Setting, Sizes, SpanOfArea, Workload};
use crate::units::ByteCount;

use super::{Page, annotation, in_quotes, quoted, value, value_in};

pub(super) fn workload(workload: &Workload, page: &mut Page) {
    page.open(&format!("workload {}", value(&workload.name, |name| quoted(name))));
    let parts = &workload.parts;
    page.given("access", parts.access.as_ref(), access);
    if let Some(sizes) = &parts.block_size {
        self::sizes(sizes, page);
    }
    page.given("read", parts.read.as_ref(), in_quotes);
    if let Some(given) = &parts.span {
        page.leaf("span", &[span(page.outer, given)], false);
    }
    page.close();
}

/// What a load says of its workload; what the workload says itself is not said again.
pub(super) fn closed(part: &LoadPart, workloads: &[Workload], page: &mut Page) {
    let [stream] = part.streams.as_slice() else { return };
    let workload = workloads.iter().find(|workload| workload.name.value == part.workload.value);
    let theirs = workload.map(|workload| &workload.parts);
    if theirs.is_none_or(|theirs| theirs.access.is_none()) {
        page.given("access", Some(&stream.access), access);
    }
    if theirs.is_none_or(|theirs| theirs.block_size.is_none()) {
        sizes(&stream.block_size, page);
    }
    if theirs.is_none_or(|theirs| theirs.read.is_none()) {
        setting("read", &stream.read, in_quotes, page);
    }
    if let Setting::Fixed(given) = &stream.span
        && theirs.is_none_or(|theirs| theirs.span.is_none())
    {
        page.leaf("span", &[span(page.outer, given)], given.is_default);
    }
}

/// The order of offsets; the provenance stands before the first word alone.
fn access(access: &Access) -> String {
    match access {
        Access::Random => "\"random\"".into(),
        Access::SequentialShared => "\"sequential\" cursor=\"shared\"".into(),
        Access::SequentialLanes => "\"sequential\" cursor=\"lanes\"".into(),
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
    if let Sizes::One(one) = sizes {
        setting("block-size", one, in_quotes, page);
    }
}

pub(super) fn setting<T>(name: &str, setting: &Setting<T>, write: impl Fn(&T) -> String, page: &mut Page) {
    if let Setting::Fixed(given) = setting {
        page.given(name, Some(given), write);
    }
}
