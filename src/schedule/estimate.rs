//! How long a schedule takes and how much it writes: exact where the plan limits it, else a range with its source.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::bind::Ground;
use super::step::{Action, ScheduledFill, ScheduledStep};
use super::written::{Amount, Written};
use super::{Case, CaseLoad, matrix};
use crate::plan::{Arrivals, Extent, Plan, Rate, RateAmount, Side};
use crate::units::{ByteCount, NANOS_PER_SECOND, Percent, RunTime};

/// How long something takes and how much it writes, as far as the plan and the drive tell. Never an invented figure:
/// what nothing bounds stays open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The shortest possible time.
    #[serde(rename = "time_low_ns")]
    pub time_low: RunTime,
    /// The longest possible time; none where the drive's speed decides.
    #[serde(rename = "time_high_ns")]
    pub time_high: Option<RunTime>,
    /// Bytes that are written.
    pub written: Written,
}

impl Estimate {
    /// No time and no bytes.
    pub const fn nothing() -> Self {
        Self { time_low: RunTime::ZERO, time_high: Some(RunTime::ZERO), written: Written::nothing() }
    }

    /// What is left out where a run goes that way takes nothing at least.
    pub(super) fn may_be_left_out(&mut self) {
        self.time_low = RunTime::ZERO;
        self.written.low = Amount::NOTHING;
    }

    /// From so many times to so many times this.
    fn repeated(&self, least: u64, most: u64) -> Self {
        Self {
            time_low: self.time_low.saturating_mul(least),
            time_high: self.time_high.map(|time| time.saturating_mul(most)),
            written: Written {
                low: self.written.low.times(least),
                high: self.written.high.map(|amount| amount.times(most)),
                source: self.written.source.clone(),
            },
        }
    }
}

/// What is known of the drive's speed: an upper bound that the plan states, never a guess.
pub(super) struct Rates {
    at_most_bytes_per_second: Option<u64>,
}

impl Rates {
    pub(super) fn of(plan: &Plan) -> Self {
        let at_most = plan.devices.iter().filter_map(|device| device.at_most_bytes_per_second);
        Self { at_most_bytes_per_second: at_most.map(|given| given.value).next() }
    }

    /// The most bytes that fit into a time.
    fn most_in(&self, time: RunTime) -> Option<ByteCount> {
        let rate = u128::from(self.at_most_bytes_per_second?);
        let bytes = rate * u128::from(time.as_nanos()) / u128::from(NANOS_PER_SECOND);
        Some(ByteCount::new(u64::try_from(bytes).unwrap_or(u64::MAX)))
    }

    /// The least time that bytes take.
    fn least_for(&self, bytes: u64) -> RunTime {
        match self.at_most_bytes_per_second {
            Some(rate) if rate > 0 => {
                let nanos = u128::from(bytes) * u128::from(NANOS_PER_SECOND) / u128::from(rate);
                RunTime::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
            }
            _ => RunTime::ZERO,
        }
    }
}

const STATED_RATE: &str = "the device's `at-most`";
const ASKED_RATE: &str = "the rates that the loads ask for";
const NO_RATE: &str = "nothing bounds the drive's speed: state `at-most` in `device`";
const NOT_COUNTED: &str = "what an application or a trace writes is not counted";

/// Time and bytes of one step. `ground` is the area, if a drive is known.
pub(super) fn of(
    action: &Action,
    between_cases: &[ScheduledStep],
    area: Option<Extent>,
    ground: Option<&Ground>,
    rates: &Rates,
) -> Estimate {
    let time = |low: RunTime, high: Option<RunTime>| Estimate { time_low: low, time_high: high, ..Estimate::nothing() };
    match action {
        Action::Idle(length) => time(*length, Some(*length)),
        Action::CoolDown { at_most, .. } => time(RunTime::ZERO, Some(*at_most)),
        Action::SecureErase(purge) => time(RunTime::ZERO, purge.timeout),
        Action::Trim(_) | Action::Verify(_) => time(RunTime::ZERO, None),
        Action::Partition { .. }
        | Action::LimitTo(_)
        | Action::WriteCache(_)
        | Action::Setting { .. }
        | Action::Pick(_) => Estimate::nothing(),
        Action::Replay(_) | Action::Application(_) => Estimate {
            time_high: None,
            written: Written { high: None, source: Some(NOT_COUNTED.into()), ..Written::nothing() },
            ..Estimate::nothing()
        },
        Action::Fill(fill) => of_fill(fill, area, ground, rates),
        Action::Precondition(case) => case.estimate.clone(),
        Action::Measure(cases) => {
            let mut sum = sum_of(cases.iter().map(|case| &case.estimate));
            let pauses = (cases.len() as u64).saturating_sub(1);
            sum += &sum_of(between_cases.iter().map(|step| &step.estimate)).repeated(pauses, pauses);
            sum
        }
        Action::Rounds(rounds) => sum_of(rounds.steps.iter().map(|step| &step.estimate))
            .repeated(u64::from(rounds.least), u64::from(rounds.most())),
    }
}

/// The sum of several.
pub(super) fn sum_of<'e>(estimates: impl Iterator<Item = &'e Estimate>) -> Estimate {
    estimates.fold(Estimate::nothing(), |mut sum, estimate| {
        sum += estimate;
        sum
    })
}

fn of_fill(fill: &ScheduledFill, area: Option<Extent>, ground: Option<&Ground>, rates: &Rates) -> Estimate {
    let area = if fill.on_device { None } else { area };
    let once = match (fill.extent, ground) {
        (Extent::Bytes(bytes), _) => Amount::bytes(bytes),
        (Extent::Share(_), Some(ground)) => Amount::bytes(ByteCount::new(ground.fill_region(fill).length)),
        (Extent::Share(share), None) => Amount::of_area(share, area),
    };
    let written = Written::exactly(once.times(u64::from(fill.passes)));
    Estimate { time_low: rates.least_for(written.low.bytes.get()), time_high: None, written }
}

/// Time and bytes of one case: it ends by the first of its limits; its ramp writes too.
pub(super) fn of_case(case: &Case, area: Option<Extent>, ground: Option<&Ground>, rates: &Rates) -> Estimate {
    let (time_low, time_high) = matrix::times(case);
    Estimate { time_low, time_high, written: written_by(case, area, ground, rates, time_high) }
}

fn written_by(
    case: &Case,
    area: Option<Extent>,
    ground: Option<&Ground>,
    rates: &Rates,
    longest: Option<RunTime>,
) -> Written {
    if case.streams().all(|stream| stream.write_share() == Percent::ZERO) {
        return Written::nothing();
    }
    // The window's own byte limits, without the ramp.
    let drive_writes = case.limits.drive_writes.filter(|_| ground.is_none()).map(|writes| {
        Written::exactly(Amount { bytes: ByteCount::ZERO, device_millionths: (writes * 1e6).round() as u64 })
    });
    let by_bytes = case.limits.written.map(|bytes| Written::exactly(Amount::bytes(bytes)));
    let by_passes = case.limits.passes.and_then(|passes| pass_writes(case, passes, area, ground));
    let limits: Vec<Written> = by_bytes.into_iter().chain(drive_writes).chain(by_passes).collect();
    let ramp_is_silent = case.ramp == RunTime::ZERO;
    let may_end_early = case.limits.time.is_some() || case.limits.steady || limits.len() > 1;
    if let ([limit], true, false) = (limits.as_slice(), ramp_is_silent, may_end_early) {
        return limit.clone();
    }
    let low = match limits.as_slice() {
        [limit] if !may_end_early => limit.low,
        _ => Amount::NOTHING,
    };
    let (by_time, time_source) = most_in(case, longest, ground, rates);
    let (ramp, ramp_source) = most_in(case, Some(case.ramp), ground, rates);
    let by_limit = smallest(limits.iter().filter_map(|limit| Some(limit.high?.plus(Amount::bytes(ramp?)))));
    match (by_limit, by_time.map(Amount::bytes)) {
        (Some(limit), Some(time)) if limit.device_millionths == 0 && time.bytes < limit.bytes => {
            Written { low, high: Some(time), source: Some(time_source.into()) }
        }
        (Some(limit), _) => {
            let source = (!ramp_is_silent).then(|| ramp_source.to_string());
            Written { low, high: Some(limit), source }
        }
        (None, time) => Written { low, high: time, source: Some(time_source.into()) },
    }
}

/// The smallest of upper bounds; those in bytes alone come first, for what is counted in devices cannot be compared.
fn smallest(bounds: impl Iterator<Item = Amount>) -> Option<Amount> {
    bounds.min_by_key(|amount| (amount.device_millionths, amount.bytes))
}

/// The most bytes that the case writes in a time, and what says so.
fn most_in(
    case: &Case,
    time: Option<RunTime>,
    ground: Option<&Ground>,
    rates: &Rates,
) -> (Option<ByteCount>, &'static str) {
    let Some(time) = time else { return (None, NO_RATE) };
    if time == RunTime::ZERO {
        return (Some(ByteCount::ZERO), STATED_RATE);
    }
    let stated = rates.most_in(time).map(|moved| around(case, moved).high.map_or(moved, |high| high.bytes));
    let asked: Option<u64> = case.loads.iter().map(|load| asked_in(load, time, ground)).sum();
    match (stated, asked.map(ByteCount::new)) {
        (Some(stated), Some(asked)) if asked < stated => (Some(asked), ASKED_RATE),
        (None, Some(asked)) => (Some(asked), ASKED_RATE),
        (Some(stated), _) => (Some(stated), STATED_RATE),
        (None, None) => (None, NO_RATE),
    }
}

/// The most bytes that a rated load writes in a time; none where it is as fast as the drive.
fn asked_in(load: &CaseLoad, time: RunTime, ground: Option<&Ground>) -> Option<u64> {
    let writes = |stream: &super::CaseStream| stream.share.as_factor() * stream.write_share().as_factor();
    if load.streams.iter().all(|stream| writes(stream) == 0.0) {
        return Some(0);
    }
    let Rate { amount, per } = load.rate?;
    let scale = match (per, ground) {
        (None, _) => 1.0,
        (Some(per), Some(ground)) => ground.device_capacity.get() as f64 / per.get().max(1) as f64,
        (Some(_), None) => return None,
    };
    let largest = load.streams.iter().filter_map(|stream| stream.largest()).map(|size| size.get()).max()?;
    let bytes_per_operation = |side: Side| -> f64 {
        let of = |stream: &super::CaseStream| {
            stream.share.as_factor() * stream.side_share(side).as_factor() * stream.mean_bytes(side)
        };
        load.streams.iter().map(of).sum()
    };
    let written = bytes_per_operation(Side::Write);
    let all: f64 = [Side::Read, Side::Write, Side::Trim].into_iter().map(bytes_per_operation).sum();
    let seconds = time.as_secs_f64();
    let operations = match amount {
        RateAmount::Operations(rate) => rate * scale * seconds,
        RateAmount::Bytes(rate) => rate * scale * seconds / all.max(1.0),
    };
    // Arrivals by chance may be more; six deviations are beyond any run. The mix is exact within a block of the mix.
    let spread = if load.arrivals == Some(Arrivals::Poisson) { 6.0 * operations.sqrt() } else { 0.0 };
    let slack = MIX_BLOCK as f64 * largest as f64;
    Some(((operations + spread + 1.0) * written + slack) as u64)
}

/// Operations in the longest block of a mix of usual shares (semantics S6).
const MIX_BLOCK: u64 = 10_000;

/// What so many passes write: all of the span for pure writes; for a mix its share, kept within a block of the mix per
/// slot. None where streams of several spans leave it open.
fn pass_writes(case: &Case, passes: u32, area: Option<Extent>, ground: Option<&Ground>) -> Option<Written> {
    let mut streams = case.streams();
    let first = streams.next()?;
    if streams.any(|other| other.span != first.span) {
        return None;
    }
    let times = u64::from(passes);
    Some(match (ground, first.span.length) {
        (Some(ground), _) => around(case, ByteCount::new(ground.stream_region(first).length.saturating_mul(times))),
        (None, Extent::Bytes(bytes)) => around(case, ByteCount::new(bytes.get().saturating_mul(times))),
        (None, Extent::Share(share)) => {
            Written::exactly(Amount::of_area(share, area).share(write_share(case)).times(times))
        }
    })
}

/// Share of the moved bytes that are written.
fn write_share(case: &Case) -> Percent {
    if let Some(plain) = case.plain() {
        return Percent::from_parts_per_million(Percent::WHOLE - plain.read.percent().parts_per_million());
    }
    let bytes = |side: Side| -> f64 {
        let of = |stream: &super::CaseStream| {
            stream.share.as_factor() * stream.side_share(side).as_factor() * stream.mean_bytes(side)
        };
        case.streams().map(of).sum()
    };
    let all: f64 = [Side::Read, Side::Write, Side::Trim].into_iter().map(bytes).sum();
    let share = if all > 0.0 { bytes(Side::Write) / all } else { 0.0 };
    Percent::from_parts_per_million((share * f64::from(Percent::WHOLE)).round() as u32)
}

/// What is written of so many bytes that are read and written.
fn around(case: &Case, moved: ByteCount) -> Written {
    let moved = moved.get();
    if !case.has_reads() && case.streams().all(|stream| stream.trim == Percent::ZERO) {
        return Written::exactly(Amount::bytes(ByteCount::new(moved)));
    }
    if case.loads.len() > 1 {
        // Who of them writes how much is up to the drive.
        let high = Some(Amount::bytes(ByteCount::new(moved)));
        return Written { low: Amount::NOTHING, high, source: None };
    }
    let expected = write_share(case).of(moved);
    // One block of the mix, which is longer for finer shares, may be partly done in each slot (semantics S6).
    let parts = case.plain().map(|plain| plain.read.percent().parts_per_million());
    let fits = |block: &u32| parts.is_some_and(|parts| parts.is_multiple_of(Percent::WHOLE / block));
    let block = u64::from([100, 10_000].into_iter().find(fits).unwrap_or(1_000_000));
    let largest = case.streams().filter_map(|stream| stream.largest()).map(|size| size.get()).max().unwrap_or(0);
    let slack = case.slots().saturating_mul(block).saturating_mul(largest);
    let bytes = |bytes: u64| Amount::bytes(ByteCount::new(bytes));
    Written {
        low: bytes(expected.saturating_sub(slack)),
        high: Some(bytes(expected.saturating_add(slack).min(moved))),
        source: None,
    }
}

impl AddAssign<&Estimate> for Estimate {
    fn add_assign(&mut self, other: &Estimate) {
        self.time_low = self.time_low.saturating_add(other.time_low);
        self.time_high = match (self.time_high, other.time_high) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            _ => None,
        };
        let written = &mut self.written;
        written.low = written.low.plus(other.written.low);
        written.high = match (written.high, other.written.high) {
            (Some(a), Some(b)) => Some(a.plus(b)),
            _ => None,
        };
        if written.source.is_none() {
            written.source.clone_from(&other.written.source);
        }
    }
}
