//! How much of the area is written when a step begins: an interval that is walked along the steps (semantics S20).

use super::bind::Ground;
use super::{Action, Case, CaseStream, Schedule, ScheduledFill, ScheduledStep};
use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::{Extent, Plan};
use crate::text::Span;
use crate::units::Percent;

/// What is known of the area before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// Nothing: anything from never written to full.
    Unknown,
    /// Not a block is written: a file that was just created.
    Empty,
}

/// The share of the area's blocks that are written, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
struct WrittenShare {
    low: f64,
    high: f64,
    /// From the start of the area, this share is written without a hole.
    prefix: f64,
    /// The same as a number of bytes that the plan itself gives; what holds on a drive of any size.
    prefix_bytes: u64,
    /// The step that took away what was there last.
    emptied: Option<Span>,
}

impl WrittenShare {
    const UNKNOWN: WrittenShare = WrittenShare { low: 0.0, high: 1.0, prefix: 0.0, prefix_bytes: 0, emptied: None };
    const EMPTY: WrittenShare = WrittenShare { low: 0.0, high: 0.0, prefix: 0.0, prefix_bytes: 0, emptied: None };
    const FULL: WrittenShare = WrittenShare { low: 1.0, high: 1.0, prefix: 1.0, prefix_bytes: u64::MAX, emptied: None };

    /// Of another area on the same device: only what holds for all of the device holds there too.
    fn elsewhere(self) -> Self {
        if self.high == 0.0 {
            return self;
        }
        if self.low >= 1.0 { Self::FULL } else { Self { emptied: self.emptied, ..Self::UNKNOWN } }
    }
}

/// Walks the steps and finds measured reads over blocks that nothing has written.
///
/// An area whose written share can be at most 50 % when it is measured with reads is an error, unknown history a remark;
/// reads of such an area while preconditioning are a remark. `allow "unwritten-reads"` answers all of them.
pub fn check_state(plan: &Plan, schedule: &Schedule, ground: Option<&Ground>, history: History) -> Diagnostics {
    let share = match history {
        History::Unknown => WrittenShare::UNKNOWN,
        History::Empty => WrittenShare::EMPTY,
    };
    let mut walk = Walk { plan, ground, share, device: share, seen: Vec::new(), found: Diagnostics::without_source() };
    walk.all(&schedule.steps);
    walk.found
}

/// The walk along the steps.
struct Walk<'p> {
    plan: &'p Plan,
    ground: Option<&'p Ground>,
    /// Of the area as it is at the time.
    share: WrittenShare,
    /// Of the device around it, when the area was last set.
    device: WrittenShare,
    /// Steps that have been reported: a repeated test would say the same again.
    seen: Vec<Span>,
    found: Diagnostics,
}

impl Walk<'_> {
    fn all(&mut self, steps: &[ScheduledStep]) {
        for step in steps {
            let ground = self.ground.map(|ground| ground.limited_to(step.area));
            self.judge(step, ground.as_ref());
            self.share = self.after(step, ground.as_ref());
            // What is true after the first pause between cases is true after the others.
            self.all(&step.between_cases);
            self.all(step.action.inner());
        }
    }

    fn judge(&mut self, step: &ScheduledStep, ground: Option<&Ground>) {
        let is_measured = matches!(step.action, Action::Measure(_));
        if step.action.cases().is_empty() || self.seen.contains(&step.place) || is_allowed(self.plan, step) {
            return;
        }
        if let Some(diagnostic) = judge(&self.share, step, ground, is_measured) {
            self.seen.push(step.place);
            self.found.push(diagnostic);
        }
    }

    fn after(&mut self, step: &ScheduledStep, ground: Option<&Ground>) -> WrittenShare {
        let share = self.share;
        let emptied = |part: WrittenShare| WrittenShare { emptied: Some(step.place), ..part };
        match &step.action {
            Action::SecureErase(_) => {
                self.device = emptied(WrittenShare::EMPTY);
                self.device
            }
            Action::Partition { .. } | Action::LimitTo(_) => share.elsewhere(),
            Action::Trim(part) => after_trim(share, *part, step.place),
            Action::Fill(fill) => after_fill(share, fill, ground),
            Action::Precondition(_) | Action::Measure(_) => step.action.cases().iter().fold(share, after_case),
            Action::Replay(_) | Action::Application(_) => WrittenShare { high: 1.0, ..share },
            Action::Rounds(_)
            | Action::WriteCache(_)
            | Action::Setting { .. }
            | Action::Idle(_)
            | Action::CoolDown { .. }
            | Action::Verify(_)
            | Action::Pick(_) => share,
        }
    }
}

/// By the whole label, or by the name that all values of a `for-each` have in common.
fn is_allowed(plan: &Plan, step: &ScheduledStep) -> bool {
    let section = &step.section;
    let test_name = section.split('#').next().unwrap_or(section);
    let test = plan.tests.iter().find(|test| test.name.value == *section || test.name.value == test_name);
    test.is_some_and(|test| {
        let is_meant = |name: &str| name == step.label || name == step.name();
        test.allows.iter().any(|allow| {
            allow.what.value == "unwritten-reads"
                && allow.in_step.as_ref().is_none_or(|in_step| is_meant(&in_step.value))
        })
    })
}

fn judge(share: &WrittenShare, step: &ScheduledStep, ground: Option<&Ground>, is_measured: bool) -> Option<Diagnostic> {
    let label = &step.label;
    let reads = |stream: &CaseStream| stream.read.has_reads() && !lies_in_prefix(stream, share, ground);
    step.action.cases().iter().flat_map(Case::streams).find(|stream| reads(stream))?;
    if share.high < 0.5 {
        let most = (share.high * 100.0).round();
        let said = format!("{label:?} reads blocks that nothing has written");
        let diagnostic = match is_measured {
            true => Diagnostic::error(code::STATE_READS_UNWRITTEN, said),
            false => Diagnostic::remark(code::STATE_CONDITIONS_UNWRITTEN, said),
        };
        let mut diagnostic = diagnostic
            .label(step.place, format!("at most {most} % of the area is written here"))
            .help("add `fill passes=1 { … }` before it, or `allow \"unwritten-reads\"` with a reason");
        if let Some(emptied) = share.emptied {
            diagnostic = diagnostic.also(emptied, "the area is empty from here on");
        }
        return Some(diagnostic);
    }
    (is_measured && share.low < 0.5 && share.prefix < 0.5).then(|| {
        let least = (share.low * 100.0).round();
        Diagnostic::remark(code::STATE_UNKNOWN, format!("{label:?} may read blocks that nothing has written"))
            .label(step.place, format!("as far as the plan tells, {least} % of the area is sure to be written here"))
            .help("add `fill passes=1 { … }` before it; never-written blocks are answered without reading the media")
    })
}

/// True where all that the stream touches lies in the part that is written without a hole.
fn lies_in_prefix(stream: &CaseStream, share: &WrittenShare, ground: Option<&Ground>) -> bool {
    if share.prefix >= 1.0 {
        return true;
    }
    let span = stream.span;
    match (ground, span.length) {
        (Some(ground), _) => {
            let region = ground.stream_region(stream);
            let end = (region.start + region.length) as f64 / ground.area().get().max(1) as f64;
            end <= share.prefix
        }
        (None, Extent::Share(part)) => span.offset.get() == 0 && part.as_factor() <= share.prefix,
        (None, Extent::Bytes(bytes)) => span.offset.get().saturating_add(bytes.get()) <= share.prefix_bytes,
    }
}

/// A trim from the start of the area.
fn after_trim(share: WrittenShare, part: Extent, place: Span) -> WrittenShare {
    match part {
        Extent::Share(Percent::HUNDRED) => WrittenShare { emptied: Some(place), ..WrittenShare::EMPTY },
        Extent::Share(part) => {
            let part = part.as_factor();
            let (low, high) = ((share.low - part).max(0.0), share.high.min(1.0 - part));
            WrittenShare { low, high, prefix: 0.0, prefix_bytes: 0, emptied: Some(place) }
        }
        Extent::Bytes(_) => WrittenShare { low: 0.0, prefix: 0.0, prefix_bytes: 0, ..share },
    }
}

fn after_fill(share: WrittenShare, fill: &ScheduledFill, ground: Option<&Ground>) -> WrittenShare {
    if fill.on_device {
        // Only a whole device is sure to have the area in what is written.
        return if fill.extent == Extent::Share(Percent::HUNDRED) {
            WrittenShare::FULL
        } else {
            WrittenShare { high: 1.0, ..share }
        };
    }
    let part = match (fill.extent, ground) {
        (Extent::Share(part), _) => part.min(Percent::HUNDRED).as_factor(),
        (Extent::Bytes(_), Some(ground)) => ground.fill_region(fill).length as f64 / ground.area().get().max(1) as f64,
        // So many bytes of an area that nobody knows yet.
        (Extent::Bytes(bytes), None) => {
            let prefix_bytes = share.prefix_bytes.max(bytes.get());
            return WrittenShare { high: 1.0, prefix_bytes, ..share };
        }
    };
    // Blocks in an order by chance are all there only at the end of a pass.
    let prefix = if fill.access.is_sequential() || part >= 1.0 { share.prefix.max(part) } else { share.prefix };
    WrittenShare { low: share.low.max(part), high: (share.high + part).min(1.0).max(prefix), prefix, ..share }
}

/// Random writes of b areas leave e^-b of the blocks unwritten. What ends by time has no lower bound here.
fn after_case(share: WrittenShare, case: &Case) -> WrittenShare {
    if !case.has_writes() {
        return share;
    }
    if case.streams().any(|stream| stream.trim > Percent::ZERO) {
        // Who wins, the writes or the trims, is known only when it is done.
        return WrittenShare { low: 0.0, high: 1.0, prefix: 0.0, prefix_bytes: 0, ..share };
    }
    let writing = || case.streams().filter(|stream| stream.write_share() > Percent::ZERO);
    let high = writing().fold(share.high, |high, stream| match stream.span.length {
        Extent::Share(part) => (high + part.as_factor()).min(1.0),
        Extent::Bytes(_) => 1.0,
    });
    let low = case.plain().map_or(share.low, |plain| {
        let limits = &case.limits;
        let passes = limits.passes.filter(|_| limits.time.is_none() && limits.written.is_none());
        match (passes, plain.span.length) {
            (Some(passes), Extent::Share(part)) => {
                let writes = 1.0 - plain.read.percent().as_factor();
                let touched = match plain.access.is_sequential() && !plain.read.has_reads() {
                    true => 1.0,
                    false => 1.0 - (-f64::from(passes) * writes).exp(),
                };
                share.low.max(touched * part.as_factor())
            }
            _ => share.low,
        }
    });
    WrittenShare { low, high, ..share }
}
