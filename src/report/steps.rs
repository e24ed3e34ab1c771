//! The steps of a schedule in words.

use super::wording::access;
use crate::plan::{Align, Arrivals, Data, Extent, RoundCount, Side, SpanOfArea, Start, VerifyTarget};
use crate::schedule::{
    Action, Case, CaseLoad, CaseSize, CaseSpread, CaseStream, PlainCase, ScheduledFill, ScheduledPurge,
    ScheduledSteadyState, ScheduledStep,
};
use crate::units::{ByteCount, Percent, RunTime};

/// Between the parts of a detail.
pub(super) const SEPARATOR: &str = " · ";

/// The step in words: what it is, and how it goes about it.
pub(super) fn describe(step: &ScheduledStep) -> (String, String) {
    let name = format!("{} {}", step.action.name(), step.label);
    let (what, mut details) = match &step.action {
        Action::SecureErase(purge) => (format!("secure-erase {}", purge.method.name()), purge_words(purge)),
        Action::Partition { size, keep } => {
            let end = if *keep { "kept at the end" } else { "removed at the end" };
            (format!("partition {size}"), vec![format!("the area from here on is {}", of_device(*size)), end.into()])
        }
        Action::LimitTo(part) => {
            (format!("limit-to {part}"), vec![format!("the area from here on is {}", of_device(*part))])
        }
        Action::Fill(fill) => (format!("fill {}", fill_amount(fill)), fill_words(fill)),
        Action::Trim(part) => (format!("trim {part}"), vec![format!("{} from its start", of_area(*part))]),
        Action::WriteCache(on) => {
            (format!("write-cache {}", if *on { "on" } else { "off" }), vec!["restored at the end".into()])
        }
        Action::Setting { name, value } => (format!("setting {name} {value}"), vec!["restored at the end".into()]),
        Action::Idle(_) => ("idle".into(), vec!["no command is sent".into()]),
        Action::CoolDown { to_celsius, at_most } => {
            (format!("cool-down to {to_celsius} °C"), vec![format!("at most {}", at_most.human())])
        }
        Action::Precondition(case) => (name, one_case(case)),
        Action::Measure(cases) => match cases.as_slice() {
            [case] => (name, one_case(case)),
            cases => (name, cases.first().map_or_else(Vec::new, |case| matrix(case, cases))),
        },
        Action::Rounds(rounds) => match rounds.count {
            RoundCount::Exactly(count) => (format!("rounds {count}"), Vec::new()),
            RoundCount::AtMost(most) => {
                (format!("rounds {} to {most}", rounds.least), vec!["until steady".to_string()])
            }
        },
        Action::Replay(replay) => {
            let mut words = vec![format!("{}T/{}Q", replay.threads, replay.queue_depth)];
            words.push(format!("speed {}", replay.speed));
            words.extend(replay.idle_cap.map(|cap| format!("pauses of at most {}", cap.human())));
            words.extend(replay.only.map(|side| format!("{}s only", side.name())));
            words.push(format!("offsets: {}", replay.map.name()));
            (format!("replay {}", replay.trace), words)
        }
        Action::Verify(target) => {
            let what = match target {
                VerifyTarget::Area => "area".to_string(),
                VerifyTarget::Workload(name) => name.clone(),
            };
            (format!("verify {what}"), vec!["reads back what was written".into()])
        }
        Action::Application(kind) => (format!("application {kind}"), Vec::new()),
        Action::Pick(pick) => (format!("pick {}", pick.name), vec![format!("from {}: {}", pick.from, pick.choice)]),
    };
    details.extend(step.steady_state.as_ref().map(steady_words));
    (what, details.join(SEPARATOR))
}

fn of_device(part: Extent) -> String {
    match part {
        Extent::Bytes(bytes) => bytes.to_string(),
        Extent::Share(share) => format!("{share} of the device"),
    }
}

fn of_area(part: Extent) -> String {
    match part {
        Extent::Bytes(bytes) => format!("{bytes} of the area"),
        Extent::Share(share) => format!("{share} of the area"),
    }
}

fn purge_words(purge: &ScheduledPurge) -> Vec<String> {
    let mut words = vec!["all data is lost".to_string()];
    words.extend(purge.action.map(|action| format!("{} erase", action.name())));
    words.extend(purge.at_least.map(|least| format!("at least {}", least.name())));
    words.extend(purge.lba_format.map(|size| format!("blocks of {size}")));
    words
}

fn steady_words(rule: &ScheduledSteadyState) -> String {
    let what = rule.at.as_ref().map_or(String::new(), |at| format!(" of {at}"));
    let ends = if rule.ends { "ends it" } else { "judged, does not end it" };
    format!("steady {}{what} over {}: range {}, slope {}: {ends}", rule.metric, window(rule), rule.range, rule.slope)
}

fn window(rule: &ScheduledSteadyState) -> String {
    match rule.window {
        crate::plan::SteadyWindow::Rounds(rounds) => format!("{rounds} rounds"),
        crate::plan::SteadyWindow::Time(time) => time.human(),
    }
}

fn one_case(case: &Case) -> Vec<String> {
    let mut words = vec![case.id.to_string()];
    words.extend(shape(case, &Varies::default()));
    words.push(limits(case));
    words
}

/// True where all cases last equally long.
pub(super) fn share_limits(cases: &[Case]) -> bool {
    cases.windows(2).all(|pair| pair[0].limits == pair[1].limits && pair[0].ramp == pair[1].ramp)
}

fn fill_amount(fill: &ScheduledFill) -> String {
    let whole = if fill.on_device { "the device" } else { "the area" };
    match (fill.extent, fill.passes) {
        (Extent::Share(Percent::HUNDRED), 1) => format!("{whole} once"),
        (Extent::Share(Percent::HUNDRED), passes) => format!("{whole} {passes} times"),
        (Extent::Share(share), _) => format!("{share} of {whole}"),
        (Extent::Bytes(bytes), _) => bytes.to_string(),
    }
}

fn fill_words(fill: &ScheduledFill) -> Vec<String> {
    let order = if fill.access.is_sequential() { "sequential" } else { "random, each block once," };
    let mut words =
        vec![format!("{}T/{}Q", fill.threads, fill.queue_depth), format!("{} {order} writes", fill.block_size)];
    words.extend((fill.data != Data::Incompressible).then(|| format!("data {}", fill.data)));
    words.extend(fill.rate.map(|rate| format!("at {rate}")));
    words
}

/// What all cases of a matrix share; what differs stands in their names.
fn matrix(first: &Case, cases: &[Case]) -> Vec<String> {
    let each = if share_limits(cases) { format!(" of {}", limits(first)) } else { String::new() };
    let mut words = vec![format!("{} cases{each}", cases.len())];
    let plain: Option<Vec<PlainCase<'_>>> = cases.iter().map(Case::plain).collect();
    let Some(plain) = plain else {
        words.extend(shape(first, &Varies::among(cases)));
        return words;
    };
    let Some(one) = plain.first() else { return words };
    let size = match plain.iter().all(|case| case.block_size == one.block_size) {
        true => format!("{} ", one.block_size),
        false => String::new(),
    };
    let read = match plain.iter().all(|case| case.read == one.read) {
        true => format!(", {} read", one.read),
        false => String::new(),
    };
    let span = if plain.iter().all(|case| case.span == one.span) { span_words(one.span) } else { String::new() };
    words.push(format!("{size}{}{read}{span}", access(one.access)));
    words
}

/// What differs between the cases of a step; it stands in their names, and not in what they share.
#[derive(Default)]
struct Varies {
    size: bool,
    read: bool,
    trim: bool,
    span: bool,
    rate: bool,
}

impl Varies {
    fn among(cases: &[Case]) -> Self {
        let differs = |same: fn(&CaseStream, &CaseStream) -> bool| {
            cases.windows(2).any(|pair| !pair[0].streams().zip(pair[1].streams()).all(|(a, b)| same(a, b)))
        };
        let rates = |case: &Case| case.loads.iter().map(|load| load.rate).collect::<Vec<_>>();
        Varies {
            size: differs(|a, b| a.sizes == b.sizes),
            read: differs(|a, b| a.read == b.read),
            trim: differs(|a, b| a.trim == b.trim),
            span: differs(|a, b| a.span == b.span),
            rate: cases.windows(2).any(|pair| rates(&pair[0]) != rates(&pair[1])),
        }
    }
}

/// What a case does: one part for each load, and for each stream of it.
fn shape(case: &Case, varies: &Varies) -> Vec<String> {
    let several = case.loads.len() > 1;
    let mut words: Vec<String> = case.loads.iter().flat_map(|load| load_words(load, several, varies)).collect();
    words.extend(case.on_curve.map(|_| "a curve in shares of the maximum".to_string()));
    words
}

fn load_words(load: &CaseLoad, several: bool, varies: &Varies) -> Vec<String> {
    let mut first = match several {
        true => format!("{} {}T/{}Q: ", load.name, load.threads, load.queue_depth),
        false => String::new(),
    };
    let mut parts = Vec::new();
    for stream in &load.streams {
        let name = stream.name.as_ref().map_or(String::new(), |name| format!("{name} {}: ", stream.share));
        parts.push(format!("{}{name}{}", std::mem::take(&mut first), stream_words(stream, varies)));
    }
    let mut pace = Vec::new();
    pace.extend(load.rate.filter(|_| !varies.rate).map(|rate| format!("at {rate}")));
    if let Some(Arrivals::Poisson) = load.arrivals {
        pace.push("Poisson arrivals".into());
    }
    if let Some((on, off)) = load.burst {
        pace.push(format!("{} on, {} off", on.human(), off.human()));
    }
    if load.start == Start::Continue {
        pace.push("goes on where the last one ended".into());
    }
    if let (Some(last), false) = (parts.last_mut(), pace.is_empty()) {
        last.push_str(&format!(", {}", pace.join(", ")));
    }
    parts
}

fn stream_words(stream: &CaseStream, varies: &Varies) -> String {
    let size = if varies.size { String::new() } else { format!("{} ", sizes(&stream.sizes)) };
    let mut words = format!("{size}{}{}", access(stream.access), spread_words(&stream.spread));
    if !varies.read {
        words.push_str(&format!(", {} read", stream.read));
    }
    if stream.trim > Percent::ZERO && !varies.trim {
        words.push_str(&format!(", {} trim", stream.trim));
    }
    if !varies.span {
        words.push_str(&span_words(stream.span));
    }
    if stream.data != Data::Incompressible {
        words.push_str(&format!(", data {}", stream.data));
    }
    if let Some(every) = stream.flush_every {
        words.push_str(&format!(", a flush every {every} writes"));
    }
    if let Some((time, after)) = stream.think_time {
        words.push_str(&format!(", a pause of {time} after {after}"));
    }
    words
}

fn sizes(sizes: &[CaseSize]) -> String {
    match sizes {
        [CaseSize { side: None, size, .. }] => size.to_string(),
        [.., last] if sizes.len() > 4 => {
            let least = sizes.iter().map(|size| size.size).min().unwrap_or(last.size);
            let most = sizes.iter().map(|size| size.size).max().unwrap_or(last.size);
            format!("{} sizes of {least} to {most}", sizes.len())
        }
        several => {
            let word = |size: &CaseSize| match size.side {
                Some(side) if size.share == Percent::HUNDRED => format!("{} ({}s)", size.size, side_name(side)),
                Some(side) => format!("{} ({} of {}s)", size.size, size.share, side_name(side)),
                None => format!("{} ({})", size.size, size.share),
            };
            several.iter().map(word).collect::<Vec<String>>().join(" ")
        }
    }
}

const fn side_name(side: Side) -> &'static str {
    side.name()
}

fn spread_words(spread: &CaseSpread) -> String {
    let mut words = String::new();
    if spread.once {
        words.push_str(", each block once in a pass");
    }
    if let Some(seek) = spread.seek {
        words.push_str(&format!(", {seek} seek"));
    }
    match spread.align {
        Some(Align::Own) => words.push_str(", aligned to their own size"),
        Some(Align::To(size)) => words.push_str(&format!(", aligned to {size}")),
        None => {}
    }
    if !spread.zones.is_empty() {
        let zones: Vec<String> = spread.zones.iter().map(|(length, share)| format!("{share} in {length}")).collect();
        words.push_str(&format!(", {}", zones.join(", ")));
    }
    if let Some(theta) = spread.zipf_theta {
        words.push_str(&format!(", Zipf {theta}"));
    }
    if let Some(h) = spread.pareto_h {
        words.push_str(&format!(", Pareto {h}"));
    }
    words
}

/// The part of the area, where it is not all of it.
fn span_words(span: SpanOfArea) -> String {
    if span == SpanOfArea::WHOLE {
        return String::new();
    }
    match span.offset {
        ByteCount::ZERO => format!(", span {}", span.length),
        offset => format!(", span {} from {offset}", span.length),
    }
}

/// When a case ends.
pub(super) fn limits(case: &Case) -> String {
    let mut parts = Vec::new();
    if let Some(time) = case.limits.time {
        parts.push(time.human());
    }
    match (case.limits.drive_writes, case.limits.written) {
        (Some(writes), _) => parts.push(format!("{writes} drive writes")),
        (None, Some(bytes)) => parts.push(format!("{bytes} written")),
        (None, None) => {}
    }
    if let Some(passes) = case.limits.passes {
        parts.push(format!("{passes} {}", if passes == 1 { "pass" } else { "passes" }));
    }
    if case.limits.steady {
        parts.push("steady".into());
    }
    let run = parts.join(" or ");
    if case.ramp == RunTime::ZERO { run } else { format!("{} ramp + {run}", case.ramp.human()) }
}
