//! A load's axes multiplied out into cases, or its curve into points.

use super::{Case, CaseId, CaseLimits, CaseLoad, CaseSize, CaseSpread, CaseStream, Estimate, Ground, OnCurve};
use crate::plan::{
    Axis, Given, Load, LoadPart, Rate, Setting, Sizes, Skip, SpanOfArea, Spread, Stream, ThinkTime, WrittenLimit,
};
use crate::units::{BlockSize, ByteCount, OutstandingIo, Percent, QueueDepth, ReadShare, RunTime, Threads};

/// The values that one case takes from the axes or from a pick; what neither gives is the load's own.
#[derive(Clone, Copy, Default)]
pub(super) struct Point {
    threads: Option<Threads>,
    queue_depth: Option<QueueDepth>,
    block_size: Option<BlockSize>,
    read: Option<ReadShare>,
    trim: Option<Percent>,
    rate: Option<Rate>,
    span: Option<SpanOfArea>,
}

/// What a pick chooses from, as far as sizes and lengths need it.
#[derive(Clone, Copy)]
pub(super) struct Picked<'p> {
    /// The pick's name.
    pub(super) name: &'p str,
    /// The cell with the most outstanding operations.
    pub(super) largest: Point,
}

/// All cases of a load in the order in which they run: axes as written, the last one fastest; of a curve the maximum,
/// then its points.
///
/// `seed_root` is what the cases' seeds are derived from: the plan's seed, the test, its repetition and the step (semantics S16).
/// A case's seed depends on its own name and not on its place, so that an edit of one axis leaves the other cases' sequences alone.
/// With a drive, the sizes that the matrix may skip and the drive cannot do are left out.
pub(super) fn cases(load: &Load, picked: Option<Picked<'_>>, seed_root: &str, ground: Option<&Ground>) -> Vec<Case> {
    let mut cases: Vec<Case> = match picked {
        Some(picked) => {
            let mut case = close(load, picked.largest, seed_root, &format!("of {}", picked.name));
            case.picked_by = Some(picked.name.to_string());
            vec![case]
        }
        None => points(&load.axes).into_iter().map(|point| close(load, point, seed_root, "")).collect(),
    };
    if let Some(curve) = &load.curve {
        cases = cases.iter().flat_map(|case| along_curve(case, curve, seed_root)).collect();
    }
    if let Some(ground) = ground {
        cases.retain(|case| !is_skipped(load, case, ground));
        for case in &mut cases {
            bind_limits(case, ground);
        }
    }
    cases
}

fn points(axes: &[Axis]) -> Vec<Point> {
    let mut points = vec![Point::default()];
    for axis in axes {
        points = points.into_iter().flat_map(|point| along(axis, point)).collect();
    }
    points
}

/// The point of a load's axes with the most outstanding operations, its own values put in where it has no such axis.
pub(super) fn largest_point(load: &Load) -> Point {
    let own = |point: Point| {
        let part = load.parts.first();
        let stream = part.and_then(|part| part.streams.first());
        let own_size = stream.and_then(|stream| match &stream.block_size {
            Sizes::One(size) => size.fixed(),
            Sizes::Mix(_) | Sizes::Sides(_) => None,
        });
        Point {
            threads: point.threads.or(part.and_then(|part| Some(part.threads.fixed()?.value))),
            queue_depth: point.queue_depth.or(part.and_then(|part| Some(part.queue_depth.fixed()?.value))),
            block_size: point.block_size.or(own_size.map(|size| size.value)),
            read: point.read.or(stream.and_then(|stream| Some(stream.read.fixed()?.value))),
            trim: point.trim.or(stream.and_then(|stream| Some(stream.trim.fixed()?.value))),
            rate: point.rate,
            span: point.span.or(stream.and_then(|stream| Some(stream.span.fixed()?.value))),
        }
    };
    let slots = |point: &Point| match (point.threads, point.queue_depth) {
        (Some(threads), Some(depth)) => OutstandingIo::of(threads, depth).get(),
        _ => 0,
    };
    points(&load.axes).into_iter().map(own).max_by_key(slots).unwrap_or_default()
}

fn along(axis: &Axis, point: Point) -> Vec<Point> {
    match axis {
        Axis::Threads(values) => values.iter().map(|v| Point { threads: Some(v.value), ..point }).collect(),
        Axis::QueueDepth(values) => values.iter().map(|v| Point { queue_depth: Some(v.value), ..point }).collect(),
        Axis::BlockSize(values) => values.iter().map(|v| Point { block_size: Some(v.value), ..point }).collect(),
        Axis::Read(values) => values.iter().map(|v| Point { read: Some(v.value), ..point }).collect(),
        Axis::Trim(values) => values.iter().map(|v| Point { trim: Some(v.value), ..point }).collect(),
        Axis::Rate(values) => values.iter().map(|v| Point { rate: Some(v.value), ..point }).collect(),
        Axis::Span(values) => values.iter().map(|v| Point { span: Some(v.value), ..point }).collect(),
    }
}

/// The load's own value, or that of the axis or pick. The checker has seen to it that one of them is there.
fn closed<T: Copy>(setting: &Setting<T>, from_point: Option<T>, name: &str) -> T {
    match (setting, from_point) {
        (Setting::Fixed(given), _) => given.value,
        (Setting::Axis | Setting::Picked, Some(value)) => value,
        (Setting::Axis | Setting::Picked, None) => {
            unreachable!("the checker lets no load pass whose {name} nothing closes")
        }
    }
}

fn close(load: &Load, point: Point, seed_root: &str, picked: &str) -> Case {
    let loads: Vec<CaseLoad> = load.parts.iter().map(|part| close_part(load, part, point)).collect();
    let mut name = match (loads.as_slice(), picked) {
        (_, picked) if !picked.is_empty() => picked.to_string(),
        ([one], _) => format!("{}T/{}Q", one.threads, one.queue_depth),
        (several, _) => format!("{} loads", several.len()),
    };
    for axis in &load.axes {
        match (axis, loads.first().and_then(|load| load.streams.first())) {
            (Axis::BlockSize(_), _) => name.extend(point.block_size.map(|size| format!(" {size}"))),
            (Axis::Read(_), _) => name.extend(point.read.map(|read| format!(" {read}"))),
            (Axis::Trim(_), _) => name.extend(point.trim.map(|trim| format!(" trim {trim}"))),
            (Axis::Rate(_), _) => name.extend(point.rate.map(|rate| format!(" {rate}"))),
            (Axis::Span(_), _) => name.extend(point.span.map(|span| format!(" span {span}"))),
            (Axis::Threads(_) | Axis::QueueDepth(_), _) => {}
        }
    }
    let seed = seed_of(&format!("{seed_root}/{name}"));
    let written = load.run.written.map(|given| given.value);
    Case {
        id: CaseId::new(name),
        loads,
        on_curve: None,
        picked_by: None,
        ramp: load.ramp.value,
        limits: CaseLimits {
            time: load.run.time.map(|given| given.value),
            written: written.and_then(|limit| match limit {
                WrittenLimit::Bytes(bytes) => Some(bytes),
                WrittenLimit::DriveWrites(_) => None,
            }),
            drive_writes: written.and_then(|limit| match limit {
                WrittenLimit::Bytes(_) => None,
                WrittenLimit::DriveWrites(writes) => Some(writes),
            }),
            passes: load.run.passes.map(|given| given.value),
            steady: load.run.ends_when_steady(),
        },
        sample: load.sample.value,
        seed,
        estimate: Estimate::nothing(),
    }
}

fn close_part(load: &Load, part: &LoadPart, point: Point) -> CaseLoad {
    let rate = part.rate.as_ref().map(|rate| closed(rate, point.rate, "rate"));
    let is_rated = rate.is_some() || load.curve.is_some();
    CaseLoad {
        name: part.label().to_string(),
        workload: part.workload.value.clone(),
        threads: closed(&part.threads, point.threads, "threads"),
        queue_depth: closed(&part.queue_depth, point.queue_depth, "queue-depth"),
        rate,
        arrivals: is_rated.then_some(part.arrivals.value),
        burst: part.burst.map(|burst| (burst.on.value, burst.off.value)),
        start: part.start.value,
        streams: part.streams.iter().map(|stream| close_stream(stream, point)).collect(),
    }
}

fn close_stream(stream: &Stream, point: Point) -> CaseStream {
    let sizes = match &stream.block_size {
        Sizes::One(size) => {
            vec![CaseSize { side: None, size: closed(size, point.block_size, "block-size"), share: Percent::HUNDRED }]
        }
        Sizes::Mix(mix) => {
            mix.iter().map(|size| CaseSize { side: None, size: size.size.value, share: size.share.value }).collect()
        }
        Sizes::Sides(sides) => {
            let of_side = sides.iter().flat_map(|(side, mix)| mix.iter().map(|size| (*side, size)));
            of_side
                .map(|(side, size)| CaseSize { side: Some(side), size: size.size.value, share: size.share.value })
                .collect()
        }
    };
    CaseStream {
        name: stream.name.as_ref().map(|name| name.value.clone()),
        share: stream.share.value,
        access: stream.access.value,
        spread: close_spread(&stream.spread),
        sizes,
        read: closed(&stream.read, point.read, "read"),
        trim: closed(&stream.trim, point.trim, "trim"),
        span: closed(&stream.span, point.span, "span"),
        data: stream.data.value,
        flush_every: stream.flush_every.map(|given| given.value),
        think_time: stream.think_time.map(|ThinkTime { time, after }| (time.value, after.value)),
    }
}

fn close_spread(spread: &Spread) -> CaseSpread {
    fn value<T: Copy>(given: Option<Given<T>>) -> Option<T> {
        given.map(|given| given.value)
    }
    CaseSpread {
        once: spread.once.is_some(),
        seek: value(spread.seek),
        align: value(spread.align),
        zones: spread.zones.iter().map(|zone| (zone.length.value, zone.share.value)).collect(),
        zipf_theta: value(spread.zipf_theta),
        pareto_h: value(spread.pareto_h),
    }
}

/// The closed loop that gives the maximum, as often as asked, then the rated points in rising order (semantics S8).
fn along_curve(case: &Case, curve: &crate::plan::Curve, seed_root: &str) -> Vec<Case> {
    let at = |on_curve: OnCurve, suffix: String| {
        let name = format!("{} {suffix}", case.id);
        let mut case = Case { on_curve: Some(on_curve), seed: seed_of(&format!("{seed_root}/{name}")), ..case.clone() };
        case.id = CaseId::new(name);
        if matches!(on_curve, OnCurve::Maximum(_)) {
            case.loads.iter_mut().for_each(|load| load.arrivals = None);
        }
        case
    };
    let maxima = (1..=curve.repeat_max.value).map(|number| match number {
        1 => at(OnCurve::Maximum(1), "max".into()),
        number => at(OnCurve::Maximum(number), format!("max-{number}")),
    });
    let points = curve.points.shares().into_iter().map(|share| at(OnCurve::Share(share), share.to_string()));
    maxima.chain(points).collect()
}

fn is_skipped(load: &Load, case: &Case, ground: &Ground) -> bool {
    load.skips.iter().any(|skip| match skip.value {
        Skip::UnsupportedBlockSize => case
            .streams()
            .flat_map(|stream| &stream.sizes)
            .any(|size| !size.size.get().is_multiple_of(ground.logical_block_bytes)),
    })
}

/// Drive writes in bytes of this drive.
fn bind_limits(case: &mut Case, ground: &Ground) {
    if let Some(writes) = case.limits.drive_writes {
        // A drive has fewer bytes than a double counts exactly.
        case.limits.written = Some(ByteCount::new((writes * ground.device_capacity.get() as f64) as u64));
    }
}

/// 64 bits from a name: FNV-1a, finished by a mix so that near names give far seeds.
pub(super) fn seed_of(name: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The shortest and the longest time that a case may take by its own limits, its ramp included.
pub(super) fn times(case: &Case) -> (RunTime, Option<RunTime>) {
    let longest = case.limits.time.map(|time| time.saturating_add(case.ramp));
    let limits = &case.limits;
    let ends_by_time_alone =
        limits.written.is_none() && limits.drive_writes.is_none() && limits.passes.is_none() && !limits.steady;
    let shortest = if ends_by_time_alone { longest.unwrap_or(case.ramp) } else { case.ramp };
    (shortest, longest)
}
