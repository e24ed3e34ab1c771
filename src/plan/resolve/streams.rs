//! The streams of a load: what the workload leaves open is closed by the load or an axis of its matrix, once (R4).

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::defaults;
use crate::plan::model::{self, Access, Axis, Given, Setting, Sizes, Spread, Stream};
use crate::plan::written::{self, Cursor, Leaf, Parts, Workload};
use crate::text::Span;
use crate::units::{Percent, Threads};

use super::{given_as, rules};

/// What says something about the streams of a load.
pub(super) struct Around<'p> {
    /// The workload, where it is defined.
    pub(super) workload: Option<&'p Workload>,
    /// What the load says itself.
    pub(super) own: &'p Parts,
    /// The axes of its matrix.
    pub(super) axes: &'p [written::Axis],
    /// The axes whose values a pick gives, as the plan spells them.
    pub(super) picked: &'p [&'static str],
    /// Something was refused, or is not known, that may say what seems to be missing.
    pub(super) is_partial: bool,
    /// The most threads that a case has, where they are known.
    pub(super) threads: Option<Given<Threads>>,
    /// From the load's name to its last value.
    pub(super) head: Span,
    /// The load's node.
    pub(super) at: Span,
}

/// A value of one stream, or where it comes from.
enum Closed<T> {
    Value(Given<T>),
    Axis,
    Picked,
    /// Nobody says it.
    Open,
    /// Somebody says it wrongly, which has been reported.
    Faulty,
}

impl<T> Closed<T> {
    const fn is_open(&self) -> bool {
        matches!(self, Closed::Open)
    }

    /// With the value that holds where nobody says one.
    fn or(self, default: T, at: Span) -> Self {
        match self {
            Closed::Open => Closed::Value(Given::default_at(default, at)),
            closed => closed,
        }
    }

    fn setting(self) -> Option<Setting<T>> {
        match self {
            Closed::Value(given) => Some(Setting::Fixed(given)),
            Closed::Axis => Some(Setting::Axis),
            Closed::Picked => Some(Setting::Picked),
            Closed::Open | Closed::Faulty => None,
        }
    }

    fn value(self) -> Option<Given<T>> {
        match self {
            Closed::Value(given) => Some(given),
            _ => None,
        }
    }

    /// A value that may be absent: `None` only where it is faulty.
    fn optional(self) -> Option<Option<Given<T>>> {
        match self {
            Closed::Value(given) => Some(Some(given)),
            Closed::Faulty => None,
            Closed::Open | Closed::Axis | Closed::Picked => Some(None),
        }
    }
}

/// The streams of a load, each with every value closed; `None` where one is missing or wrong, which has been reported.
pub(super) fn streams(around: &Around<'_>, diagnostics: &mut Diagnostics) -> Option<Vec<Stream>> {
    let count = around.workload.map_or(1, |workload| workload.streams.len().max(1));
    let mut access = around.closed("access", |parts| &parts.access, diagnostics).into_iter();
    let mut block_size = around.closed("block-size", |parts| &parts.block_size, diagnostics).into_iter();
    let mut read = around.closed("read", |parts| &parts.read, diagnostics).into_iter();
    let mut trim = around.closed("trim", |parts| &parts.trim, diagnostics).into_iter();
    let mut span = around.closed("span", |parts| &parts.span, diagnostics).into_iter();
    let mut data = around.closed("data", |parts| &parts.data, diagnostics).into_iter();
    let mut flush = around.closed("flush", |parts| &parts.flush_every, diagnostics).into_iter();
    let mut think = around.closed("think-time", |parts| &parts.think_time, diagnostics).into_iter();
    let axes: Vec<Axis> = around.axes.iter().map(|axis| axis.axis.clone()).collect();
    let mut all = Vec::with_capacity(count);
    for index in 0..count {
        let (access, block_size, read) = (access.next()?, block_size.next()?, read.next()?);
        let written = around.workload.and_then(|workload| workload.streams.get(index));
        let open = [
            ("access", access.is_open(), "access \"random\""),
            ("block-size", block_size.is_open(), "block-size \"4KiB\""),
            ("read", read.is_open(), "read \"100%\""),
        ];
        around.report_open(written, &open, diagnostics);
        let trim = trim.next()?.or(Percent::ZERO, around.at);
        let span = span.next()?.or(defaults::SPAN, around.at);
        let data = data.next()?.or(defaults::DATA, around.at);
        let (flush, think) = (flush.next()?.optional(), think.next()?.optional());
        let access = access.value().and_then(|access| around.cursor_is_named(access, diagnostics));
        let block_size = match block_size {
            Closed::Value(sizes) => Some(sizes.value),
            other => other.setting().map(|setting| Sizes::One(only_axis(&setting))),
        };
        let stream = (|| {
            let (access, spread) = access?;
            Some(Stream {
                name: written.map(|stream| stream.name.clone()),
                share: written.map_or(Given::default_at(Percent::HUNDRED, around.at), |stream| stream.share),
                access,
                spread,
                block_size: block_size?,
                read: read.setting()?,
                trim: trim.setting()?,
                span: span.setting()?,
                data: data.value()?,
                flush_every: flush?,
                think_time: think?.map(|think| think.value),
            })
        })();
        if let Some(stream) = &stream {
            rules::check(stream, &axes, diagnostics);
        }
        all.push(stream);
    }
    all.into_iter().collect()
}

/// An axis or a pick, of another kind of value.
const fn only_axis<T, U>(setting: &Setting<T>) -> Setting<U> {
    match setting {
        Setting::Picked => Setting::Picked,
        Setting::Fixed(_) | Setting::Axis => Setting::Axis,
    }
}

impl<'p> Around<'p> {
    /// A part of every stream, from the stream, its workload, the load, an axis or a pick.
    fn closed<T: Clone>(
        &self,
        name: &str,
        part: impl Fn(&Parts) -> &Leaf<T>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Closed<T>> {
        let theirs = self.workload.map(|workload| in_streams(workload, &part)).unwrap_or_else(|| vec![&Leaf::Absent]);
        let own = part(self.own);
        let axis = self.axes.iter().find(|axis| axis.axis.name() == name);
        let are_all_set = theirs.iter().all(|leaf| leaf.given().is_some());
        let mut places: Vec<(Span, String)> = Vec::new();
        if are_all_set && let Some(given) = theirs.first().and_then(|leaf| leaf.given()) {
            let workload = self.workload.map_or("", |workload| &workload.name.value);
            let of = if theirs.len() > 1 { "every stream of " } else { "" };
            let verb = if theirs.len() > 1 { "has it" } else { "sets it" };
            places.push((given.span, format!("{of}workload {workload:?} {verb}")));
        }
        if let Some(given) = own.given() {
            places.push((
                given.span,
                if places.is_empty() { "the load sets it" } else { "the load sets it again" }.into(),
            ));
        }
        if let Some(axis) = axis {
            places.push((axis.span, if places.is_empty() { "" } else { "the matrix sets it again" }.into()));
        }
        if let [first, again, ..] = places.as_slice() {
            diagnostics.push(
                Diagnostic::error(code::LOAD_SET_TWICE, format!("the `{name}` of this load is set twice"))
                    .label(again.0, again.1.clone())
                    .also(first.0, first.1.clone())
                    .help("keep one of them; what loads are to vary is left open by the workload"),
            );
            return theirs.iter().map(|_| Closed::Faulty).collect();
        }
        let from_load = || match own {
            Leaf::Written(given) => Closed::Value(given.clone()),
            Leaf::Faulty => Closed::Faulty,
            Leaf::Absent if axis.is_some() => Closed::Axis,
            Leaf::Absent if self.picked.contains(&name) => Closed::Picked,
            Leaf::Absent => Closed::Open,
        };
        theirs
            .iter()
            .map(|leaf| match leaf {
                Leaf::Written(given) => Closed::Value(given.clone()),
                Leaf::Faulty => Closed::Faulty,
                Leaf::Absent => from_load(),
            })
            .collect()
    }

    /// Reports, in one diagnostic, what nobody says of a stream.
    fn report_open(
        &self,
        stream: Option<&written::Stream>,
        parts: &[(&str, bool, &str)],
        diagnostics: &mut Diagnostics,
    ) {
        let Some(workload) = self.workload else { return };
        let open: Vec<&(&str, bool, &str)> = parts.iter().filter(|(_, is_open, _)| *is_open).collect();
        if workload.is_partial || self.is_partial || open.is_empty() {
            return;
        }
        let names: Vec<String> = open.iter().map(|(name, ..)| format!("`{name}`")).collect();
        let names = match names.as_slice() {
            [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
            _ => names.concat(),
        };
        let examples: Vec<String> = open.iter().map(|(.., example)| format!("`{example}`")).collect();
        let (what, place, holder) = match stream {
            Some(stream) => (format!("the stream {:?} of this load", stream.name.value), stream.name.span, "stream"),
            None => ("this load".to_string(), workload.name.span, "workload"),
        };
        diagnostics.push(
            Diagnostic::error(code::WORKLOAD_OPEN, format!("nothing says {names} of {what}"))
                .label(self.head, "the load has to say what its workload leaves open")
                .also(place, "left open here")
                .help(format!("write {} here or in the {holder}, as the method has it", examples.join(" and "))),
        );
    }

    /// Several threads have no default for how they divide sequential access (S3).
    fn cursor_is_named(
        &self,
        access: Given<written::Access>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Given<Access>, Spread)> {
        if let (written::Access::Sequential(None), Some(threads)) = (&access.value, self.threads)
            && threads.value > Threads::ONE
        {
            diagnostics.push(
                Diagnostic::error(
                    code::ACCESS_NO_CURSOR,
                    format!("sequential access does not say how {} threads divide the span", threads.value),
                )
                .label(access.span, "needs `cursor=`")
                .also(threads.span, format!("{} threads", threads.value))
                .help(
                    "write `cursor=\"shared\"` for one cursor of all threads, or `cursor=\"lanes\"` for one lane each",
                ),
            );
            return None;
        }
        let (order, spread) = resolved(&access.value);
        Some((given_as(&access, order), spread))
    }
}

/// What a workload says of each of its streams: what stands beside them holds for those that leave it open.
fn in_streams<'w, T>(workload: &'w Workload, part: impl Fn(&'w Parts) -> &'w Leaf<T>) -> Vec<&'w Leaf<T>> {
    let beside = part(&workload.parts);
    if workload.streams.is_empty() {
        return vec![beside];
    }
    let own = workload.streams.iter().map(|stream| part(&stream.parts));
    own.map(|leaf| if leaf.is_absent() { beside } else { leaf }).collect()
}

/// With one thread a shared cursor and a lane are the same.
pub(super) fn resolved(access: &written::Access) -> (Access, Spread) {
    match access {
        written::Access::Random(spread) => (Access::Random, spread.clone()),
        written::Access::Sequential(Some(Cursor::Lanes)) => (Access::SequentialLanes, Spread::default()),
        written::Access::Sequential(_) => (Access::SequentialShared, Spread::default()),
    }
}

/// A workload as defined; reports what stands beside its streams and none of them leaves open.
pub(super) fn workload(workload: &Workload, diagnostics: &mut Diagnostics) -> model::Workload {
    beside_streams(workload, diagnostics);
    model::Workload {
        name: workload.name.clone(),
        parts: parts(&workload.parts),
        streams: workload
            .streams
            .iter()
            .map(|stream| model::OpenStream {
                name: stream.name.clone(),
                share: stream.share,
                parts: parts(&stream.parts),
            })
            .collect(),
    }
}

fn parts(parts: &Parts) -> model::Parts {
    let access = parts.access.given().map(|given| (given, resolved(&given.value)));
    model::Parts {
        access: access.as_ref().map(|(given, (order, _))| given_as(given, *order)),
        spread: access.map(|(_, (_, spread))| spread).filter(|spread| !spread.is_uniform()),
        block_size: parts.block_size.given().map(|given| given.value.clone()),
        read: parts.read.given().copied(),
        trim: parts.trim.given().copied(),
        span: parts.span.given().copied(),
        data: parts.data.given().copied(),
        flush_every: parts.flush_every.given().copied(),
        think_time: parts.think_time.given().map(|given| given.value),
    }
}

fn beside_streams(workload: &Workload, diagnostics: &mut Diagnostics) {
    if workload.streams.is_empty() {
        return;
    }
    type Place = fn(&Parts) -> Option<Span>;
    fn of<T>(leaf: &Leaf<T>) -> Option<Span> {
        leaf.given().map(|given| given.span)
    }
    const PARTS: [(&str, Place); 8] = [
        ("access", |parts| of(&parts.access)),
        ("block-size", |parts| of(&parts.block_size)),
        ("read", |parts| of(&parts.read)),
        ("trim", |parts| of(&parts.trim)),
        ("span", |parts| of(&parts.span)),
        ("data", |parts| of(&parts.data)),
        ("flush", |parts| of(&parts.flush_every)),
        ("think-time", |parts| of(&parts.think_time)),
    ];
    for (name, place) in PARTS {
        let own: Option<Vec<Span>> = workload.streams.iter().map(|stream| place(&stream.parts)).collect();
        let (Some(beside), Some(own)) = (place(&workload.parts), own) else { continue };
        let diagnostic = Diagnostic::error(code::LOAD_SET_TWICE, format!("the `{name}` of every stream is set twice"))
            .label(beside, "is for streams that leave it open, and none does")
            .help("leave it out here, or in the streams that it is meant for");
        diagnostics.push(own.into_iter().fold(diagnostic, |diagnostic, place| diagnostic.also(place, "set here")));
    }
}
