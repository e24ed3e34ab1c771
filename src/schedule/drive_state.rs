//! How much of the area is written when a step begins: an interval that is walked along the steps (semantics S20).

use super::bind::Ground;
use super::{Action, Case, Schedule, ScheduledFill, ScheduledStep};
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
}

/// Walks the steps and finds measured reads over blocks that nothing has written.
///
/// An area whose written share can be at most 50 % when it is measured with reads is an error, unknown history a remark;
/// `allow "unwritten-reads"` answers both.
pub fn check_state(plan: &Plan, schedule: &Schedule, ground: Option<&Ground>, history: History) -> Diagnostics {
    let mut found = Diagnostics::without_source();
    let mut share = match history {
        History::Unknown => WrittenShare { low: 0.0, high: 1.0, prefix: 0.0, prefix_bytes: 0 },
        History::Empty => WrittenShare { low: 0.0, high: 0.0, prefix: 0.0, prefix_bytes: 0 },
    };
    let mut seen: Vec<Span> = Vec::new();
    for step in &schedule.steps {
        if let Action::Measure(cases) = &step.action
            && !seen.contains(&step.place)
            && !is_allowed(plan, step)
            && let Some(diagnostic) = judge(&share, cases, ground, step.place, &step.label)
        {
            // A repeated test would say the same again.
            seen.push(step.place);
            found.push(diagnostic);
        }
        share = after(share, &step.action, ground);
    }
    found
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

fn judge(
    share: &WrittenShare,
    cases: &[Case],
    ground: Option<&Ground>,
    place: Span,
    label: &str,
) -> Option<Diagnostic> {
    let reads = |case: &&Case| case.read.has_reads() && !lies_in_prefix(case, share, ground);
    cases.iter().find(reads)?;
    if share.high < 0.5 {
        let most = (share.high * 100.0).round();
        return Some(
            Diagnostic::error(code::STATE_READS_UNWRITTEN, format!("{label:?} reads blocks that nothing has written"))
                .label(place, format!("at most {most} % of the area is written here"))
                .help("add `fill passes=1 { … }` before it, or `allow \"unwritten-reads\"` with a reason"),
        );
    }
    (share.low < 0.5 && share.prefix < 0.5).then(|| {
        let least = (share.low * 100.0).round();
        Diagnostic::remark(code::STATE_UNKNOWN, format!("{label:?} may read blocks that nothing has written"))
            .label(place, format!("as far as the plan tells, {least} % of the area is sure to be written here"))
            .help("add `fill passes=1 { … }` before it; never-written blocks are answered without reading the media")
    })
}

/// True where all that the case touches lies in the part that is written without a hole.
fn lies_in_prefix(case: &Case, share: &WrittenShare, ground: Option<&Ground>) -> bool {
    if share.prefix >= 1.0 {
        return true;
    }
    match (ground, case.span.length) {
        (Some(ground), _) => {
            let region = ground.case_region(case);
            let end = (region.start + region.length) as f64 / ground.area().get().max(1) as f64;
            end <= share.prefix
        }
        (None, Extent::Share(part)) => case.span.offset.get() == 0 && part.as_factor() <= share.prefix,
        (None, Extent::Bytes(bytes)) => case.span.offset.get().saturating_add(bytes.get()) <= share.prefix_bytes,
    }
}

fn after(share: WrittenShare, action: &Action, ground: Option<&Ground>) -> WrittenShare {
    match action {
        Action::Idle(_) => share,
        Action::Fill(fill) => after_fill(share, fill, ground),
        Action::Precondition(case) => after_case(share, case),
        Action::Measure(cases) => cases.iter().fold(share, after_case),
    }
}

fn after_fill(share: WrittenShare, fill: &ScheduledFill, ground: Option<&Ground>) -> WrittenShare {
    let part = match (fill.extent, ground) {
        (Extent::Share(part), _) => part.min(Percent::HUNDRED).as_factor(),
        (Extent::Bytes(_), Some(ground)) => {
            ground.fill_region(fill.extent).length as f64 / ground.area().get().max(1) as f64
        }
        // So many bytes of an area that nobody knows yet.
        (Extent::Bytes(bytes), None) => {
            let prefix_bytes = share.prefix_bytes.max(bytes.get());
            return WrittenShare { high: 1.0, prefix_bytes, ..share };
        }
    };
    let prefix = share.prefix.max(part);
    WrittenShare { low: share.low.max(prefix), high: (share.high + part).min(1.0).max(prefix), prefix, ..share }
}

/// Random writes of b areas leave e^-b of the blocks unwritten. What ends by time has no lower bound here.
fn after_case(share: WrittenShare, case: &Case) -> WrittenShare {
    if !case.read.has_writes() {
        return share;
    }
    let part = case.span.length;
    let high = match part {
        Extent::Share(part) => (share.high + part.as_factor()).min(1.0),
        Extent::Bytes(_) => 1.0,
    };
    let passes = case.limits.passes.filter(|_| case.limits.time.is_none() && case.limits.written.is_none());
    let low = match (passes, part) {
        (Some(passes), Extent::Share(part)) => {
            let writes = 1.0 - case.read.percent().as_factor();
            let touched = 1.0 - (-f64::from(passes) * writes).exp();
            share.low.max(touched * part.as_factor())
        }
        _ => share.low,
    };
    WrittenShare { low, high, ..share }
}
