use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::bind::Ground;
use super::{Action, Case, ScheduledFill};
use crate::plan::{Extent, Plan};
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

/// Bytes that a step writes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// At least so many bytes, beside `areas`.
    #[serde(rename = "low_bytes")]
    pub low: ByteCount,
    /// At most so many bytes, beside `areas`; none where nothing bounds them.
    #[serde(rename = "high_bytes")]
    pub high: Option<ByteCount>,
    /// Whole areas on top of that, in millionths, for as long as no drive says how large the area is.
    pub areas_millionths: u64,
    /// What the upper bound rests on, where it is not the plan's own limit.
    pub source: Option<String>,
}

impl Written {
    /// Nothing.
    pub const fn nothing() -> Self {
        Self::exactly(ByteCount::ZERO)
    }

    /// So many bytes.
    pub const fn exactly(bytes: ByteCount) -> Self {
        Self { low: bytes, high: Some(bytes), areas_millionths: 0, source: None }
    }

    /// True where not one byte is written.
    pub fn is_nothing(&self) -> bool {
        *self == Self::nothing()
    }

    /// True where the plan alone fixes the number of bytes (or of areas).
    pub fn is_exact(&self) -> bool {
        self.high == Some(self.low)
    }
}

impl Estimate {
    /// No time and no bytes.
    pub const fn nothing() -> Self {
        Self { time_low: RunTime::ZERO, time_high: Some(RunTime::ZERO), written: Written::nothing() }
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
const NO_RATE: &str = "nothing bounds the drive's speed: state `at-most` in `device`";

/// Time and bytes of one step.
pub(super) fn of(action: &Action, ground: Option<&Ground>, rates: &Rates) -> Estimate {
    match action {
        Action::Idle(time) => Estimate { time_low: *time, time_high: Some(*time), written: Written::nothing() },
        Action::Fill(fill) => of_fill(fill, ground, rates),
        Action::Precondition(case) => case.estimate.clone(),
        Action::Measure(cases) => cases.iter().fold(Estimate::nothing(), |mut sum, case| {
            sum += &case.estimate;
            sum
        }),
    }
}

fn of_fill(fill: &ScheduledFill, ground: Option<&Ground>, rates: &Rates) -> Estimate {
    let times = |bytes: u64| bytes.saturating_mul(u64::from(fill.passes));
    let written = match (fill.extent, ground) {
        (Extent::Bytes(bytes), _) => Written::exactly(ByteCount::new(times(bytes.get()))),
        (Extent::Share(_), Some(ground)) => {
            Written::exactly(ByteCount::new(times(ground.fill_region(fill.extent).length)))
        }
        (Extent::Share(share), None) => Written { areas_millionths: times(millionths(share)), ..Written::nothing() },
    };
    Estimate { time_low: rates.least_for(written.low.get()), time_high: None, written }
}

const fn millionths(share: Percent) -> u64 {
    share.parts_per_million() as u64
}

/// Time and bytes of one case: it ends by the first of its limits; its ramp writes too.
pub(super) fn of_case(case: &Case, ground: Option<&Ground>, rates: &Rates) -> Estimate {
    let time_high =
        case.limits.time.map(|time| RunTime::from_nanos(time.as_nanos().saturating_add(case.ramp.as_nanos())));
    let ends_by_time_alone = case.limits.written.is_none() && case.limits.passes.is_none();
    let time_low = if ends_by_time_alone { time_high.unwrap_or(case.ramp) } else { case.ramp };
    Estimate { time_low, time_high, written: written_by(case, ground, rates, time_high) }
}

fn written_by(case: &Case, ground: Option<&Ground>, rates: &Rates, longest: Option<RunTime>) -> Written {
    if !case.read.has_writes() {
        return Written::nothing();
    }
    // The window's own byte limits, without the ramp.
    let by_passes = case.limits.passes.map(|passes| pass_writes(case, passes, ground));
    let mut limits: Vec<Written> = case.limits.written.map(Written::exactly).into_iter().chain(by_passes).collect();
    let ramp_is_silent = case.ramp == RunTime::ZERO;
    if case.limits.time.is_none() && ramp_is_silent && limits.len() == 1 {
        return limits.remove(0);
    }
    if case.limits.time.is_none() && limits.len() == 1 && limits[0].areas_millionths > 0 {
        // Without a drive the ramp's bytes stand beside a multiple of the area.
        let ramp = rates.most_in(case.ramp);
        let source = Some(if ramp.is_some() { STATED_RATE } else { NO_RATE }.to_string());
        return Written { high: ramp, source, ..limits.remove(0) };
    }
    let low = if case.limits.time.is_none() {
        limits.iter().map(|limit| limit.low).min().unwrap_or_default()
    } else {
        ByteCount::ZERO
    };
    let most_written = |time| rates.most_in(time).map(|moved| around(case, moved.get()).high.unwrap_or(moved));
    let by_rate = longest.and_then(most_written);
    let ramp = if ramp_is_silent { Some(ByteCount::ZERO) } else { most_written(case.ramp) };
    let by_limit = limits
        .iter()
        .filter(|limit| limit.areas_millionths == 0)
        .filter_map(|limit| Some(limit.high?.get().saturating_add(ramp?.get())))
        .min()
        .map(ByteCount::new);
    let high = match (by_rate, by_limit) {
        (Some(rate), Some(limit)) => Some(rate.min(limit)),
        (one, other) => one.or(other),
    };
    let source = match (high, by_limit) {
        (Some(high), Some(limit)) if high == limit && ramp_is_silent => None,
        (Some(_), _) => Some(STATED_RATE.to_string()),
        (None, _) => Some(NO_RATE.to_string()),
    };
    Written { low, high, areas_millionths: 0, source }
}

/// What so many passes write: all of the span for pure writes; for a mix its share, kept within a block of the mix per slot.
fn pass_writes(case: &Case, passes: u32, ground: Option<&Ground>) -> Written {
    match (ground, case.span.length) {
        (Some(ground), _) => {
            let moved = ground.case_region(case).length.saturating_mul(u64::from(passes));
            around(case, moved)
        }
        (None, Extent::Bytes(bytes)) => around(case, bytes.get().saturating_mul(u64::from(passes))),
        (None, Extent::Share(share)) => {
            let parts = write_share(case).of(millionths(share)).saturating_mul(u64::from(passes));
            Written { areas_millionths: parts, ..Written::nothing() }
        }
    }
}

fn write_share(case: &Case) -> Percent {
    Percent::from_parts_per_million(Percent::WHOLE - case.read.percent().parts_per_million())
}

/// What is written of so many bytes that are read and written.
fn around(case: &Case, moved: u64) -> Written {
    let expected = write_share(case).of(moved);
    if !case.read.has_reads() {
        return Written::exactly(ByteCount::new(expected));
    }
    // One block of the mix, which is longer for finer shares, may be partly done in each slot (semantics S6).
    let parts = case.read.percent().parts_per_million();
    let block =
        [100, 10_000].into_iter().find(|block| parts.is_multiple_of(Percent::WHOLE / block)).unwrap_or(1_000_000);
    let block = u64::from(block);
    let slots = u64::from(case.threads.get()) * u64::from(case.queue_depth.get());
    let slack = slots.saturating_mul(block).saturating_mul(case.block_size.get());
    let high = expected.saturating_add(slack).min(moved);
    Written { high: Some(ByteCount::new(high)), ..Written::exactly(ByteCount::new(expected.saturating_sub(slack))) }
}

impl AddAssign<&Estimate> for Estimate {
    fn add_assign(&mut self, other: &Estimate) {
        self.time_low = RunTime::from_nanos(self.time_low.as_nanos().saturating_add(other.time_low.as_nanos()));
        self.time_high = match (self.time_high, other.time_high) {
            (Some(a), Some(b)) => Some(RunTime::from_nanos(a.as_nanos().saturating_add(b.as_nanos()))),
            _ => None,
        };
        let sum = |a: ByteCount, b: ByteCount| ByteCount::new(a.get().saturating_add(b.get()));
        let written = &mut self.written;
        written.low = sum(written.low, other.written.low);
        written.high = match (written.high, other.written.high) {
            (Some(a), Some(b)) => Some(sum(a, b)),
            _ => None,
        };
        written.areas_millionths = written.areas_millionths.saturating_add(other.written.areas_millionths);
        if written.source.is_none() {
            written.source.clone_from(&other.written.source);
        }
    }
}
