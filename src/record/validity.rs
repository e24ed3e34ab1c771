use std::fmt;

use serde::Serialize;

use super::{CaseRecord, CaseState, RunRecord};
use crate::event::{IoCounters, RunStarted, StepEnd};
use crate::measure::WindowTotals;
use crate::schedule::{Action, Case};
use crate::units::{ByteCount, RunTime};

/// How far a case's figures can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Grade {
    /// Valid.
    A,
    /// Valid with remarks.
    B,
    /// Not to be used as figures of the drive.
    C,
}

/// Something that a reader of a case's figures must know.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remark {
    /// What kind of remark; the same kind on several cases is one footnote.
    pub kind: RemarkKind,
    /// The best grade that is left with it.
    pub grade: Grade,
    /// What is particular to this case, with its figures: `71.2 % instead of 70 %`.
    pub detail: Option<String>,
}

/// A kind of remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkKind {
    /// I/O went through the page cache.
    PageCache,
    /// The window is shorter than the plan asks.
    CutShort,
    /// Not one operation completed in the window.
    NothingCompleted,
    /// Operations failed.
    Errors,
    /// Operations had not come back when waiting for them ended.
    Unfinished,
    /// Histograms or intervals count other numbers of operations than the sums.
    Inconsistent,
    /// The kernel counted other bytes on the device than this run has moved.
    KernelCounts,
    /// The generator was at the end of its own speed.
    GeneratorSaturated,
    /// It was near it.
    GeneratorBusy,
    /// Workers waited for a processor; that time is in the latencies.
    GeneratorWaited,
    /// Nothing is known of the workers' waiting.
    GeneratorUnknown,
    /// The achieved read share is not the one asked for.
    ReadShare,
    /// The longest latency is that of an operation that was in flight at the end.
    InFlightLonger,
    /// The load was not at full strength when its window began.
    SlowStart,
    /// A byte limit came before ten intervals.
    FewIntervals,
    /// Operations are missing in the intervals.
    LateRecords,
}

/// The grade of a case, with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Validity {
    /// The worst that the remarks leave.
    pub grade: Grade,
    /// The remarks, by kind.
    pub remarks: Vec<Remark>,
}

/// Workers that wait for a processor for more than this part of their time have that in their latencies: B, then C.
/// Waking a thread on an idle core takes a few microseconds, thus 1 or 2 % beside a fast drive: that is no finding.
const WAITED_B: f64 = 0.03;
const WAITED_C: f64 = 0.10;
/// Processors that are busy for more than this part of the time: B, then C.
const BUSY_B: f64 = 0.85;
const BUSY_C: f64 = 0.95;
/// Bytes that the kernel counted beside ours, as a part of ours: above this the figures are of another load.
const FOREIGN_C: f64 = 0.001;
/// The achieved read share may be off by so many percentage points (S6).
const SHARE_POINTS: f64 = 0.5;
/// The first submissions may be spread over this part of a window that has no ramp.
const SPREAD: f64 = 0.01;
/// Fewer intervals before a byte limit say little about a course (S14).
const FEWEST_INTERVALS: usize = 10;

/// Judges a case by its record. `None` where nothing was measured.
pub fn judge(record: &RunRecord, planned: &Case, case: &CaseRecord) -> Option<Validity> {
    let figures = case.figures()?;
    let mut remarks = Vec::new();
    let mut add = |kind, grade, detail: Option<String>| remarks.push(Remark { kind, grade, detail });
    if !record.started.is_direct && !record.started.is_simulated {
        add(RemarkKind::PageCache, Grade::C, None);
    }
    if !case.state.is_whole() {
        add(RemarkKind::CutShort, Grade::C, Some(cut_short(planned, case, figures.window_ns)));
    }
    if figures.all.operations == 0 {
        add(RemarkKind::NothingCompleted, Grade::C, None);
    }
    if let (Some(share), Some(asked)) = (figures.read_share, planned.read_share()) {
        let asked = asked * 100.0;
        let achieved = share * 100.0;
        if (achieved - asked).abs() > SHARE_POINTS {
            let detail = format!("{achieved:.1} % instead of {asked:.1} %");
            add(RemarkKind::ReadShare, Grade::B, Some(detail));
        }
    }
    if figures.is_max_lower_bound {
        add(RemarkKind::InFlightLonger, Grade::B, None);
    }
    if let Some(totals) = &case.totals {
        judge_totals(&record.started, totals, &mut remarks);
        if let Some(kernel) = &case.kernel {
            judge_kernel(kernel, totals, &mut remarks);
        }
        judge_window(planned, case, totals, &mut remarks);
        // Late records may lack in the intervals; nothing can be in them that is not in the window.
        let in_intervals = case.intervals.iter().map(|interval| interval.sides.operations());
        let in_intervals = in_intervals.fold(0, u64::saturating_add);
        if in_intervals > totals.sides.operations() {
            let detail = format!("{in_intervals} in its intervals against {}", totals.sides.operations());
            remarks.push(Remark { kind: RemarkKind::Inconsistent, grade: Grade::C, detail: Some(detail) });
        }
    }
    remarks.sort_by_key(|remark| remark.kind);
    let grade = remarks.iter().map(|remark| remark.grade).max().unwrap_or(Grade::A);
    Some(Validity { grade, remarks })
}

/// How many of the measured cases have figures that must not be used (grade C).
pub fn unusable_cases(record: &RunRecord) -> usize {
    let measured = record.steps().filter(|(planned, _)| matches!(planned.action, Action::Measure(_)));
    let cases = measured.flat_map(|(planned, step)| step.planned_cases(planned));
    let is_unusable = |(planned, case): &(&Case, &CaseRecord)| {
        judge(record, planned, case).is_some_and(|validity| validity.grade == Grade::C)
    };
    cases.filter(is_unusable).count()
}

/// How much of its window a case has, and why not all of it.
fn cut_short(planned: &Case, case: &CaseRecord, window_ns: u64) -> String {
    let had = RunTime::from_nanos(window_ns).human();
    let of = planned.limits.time.map(|time| format!(" of {}", time.human())).unwrap_or_default();
    match case.state {
        CaseState::Ended(StepEnd::Failed) => format!("failed after {had}{of}"),
        CaseState::Ended(_) => format!("stopped after {had}{of}"),
        CaseState::Begun | CaseState::NotRun => format!("cut off after {had}{of}, figures from its intervals"),
    }
}

fn judge_totals(started: &RunStarted, totals: &WindowTotals, remarks: &mut Vec<Remark>) {
    let mut add = |kind, grade, detail: String| remarks.push(Remark { kind, grade, detail: Some(detail) });
    if totals.errors > 0 {
        add(RemarkKind::Errors, Grade::C, totals.errors.to_string());
    }
    if totals.in_flight.unfinished > 0 {
        add(RemarkKind::Unfinished, Grade::C, totals.in_flight.unfinished.to_string());
    }
    for (histogram, side) in
        [(&totals.histograms.read, &totals.sides.read), (&totals.histograms.write, &totals.sides.write)]
    {
        if histogram.count() != side.moments.count {
            let detail = format!("{} against {}", histogram.count(), side.moments.count);
            add(RemarkKind::Inconsistent, Grade::C, detail);
        }
    }
    if totals.late_records > 0 {
        add(RemarkKind::LateRecords, Grade::B, format!("{} operations", totals.late_records));
    }
    if !started.is_simulated {
        judge_generator(totals, remarks);
    }
}

/// The generator's own part: engine-notes' second means (the first, Little's law, does not see waits of blocking threads).
fn judge_generator(totals: &WindowTotals, remarks: &mut Vec<Remark>) {
    let generator = &totals.generator;
    let reporting = generator.workers.saturating_sub(generator.silent_workers);
    let wall_ns = totals.ramp_ns.saturating_add(totals.length_ns) as f64;
    let mut add = |kind, grade, detail: String| remarks.push(Remark { kind, grade, detail: Some(detail) });
    if reporting < generator.workers || generator.workers == 0 {
        add(
            RemarkKind::GeneratorUnknown,
            Grade::B,
            format!("{} of {}", generator.workers - reporting, generator.workers),
        );
    }
    if reporting == 0 || wall_ns <= 0.0 {
        return;
    }
    let waited = generator.run_delay_ns as f64 / (reporting as f64 * wall_ns);
    if waited > WAITED_B {
        let grade = if waited > WAITED_C { Grade::C } else { Grade::B };
        add(RemarkKind::GeneratorWaited, grade, percent(waited));
    }
    if generator.processors > 0 {
        let busy = generator.busy_ns as f64 / (generator.processors as f64 * wall_ns);
        if busy > BUSY_B {
            let (kind, grade) = match busy > BUSY_C {
                true => (RemarkKind::GeneratorSaturated, Grade::C),
                false => (RemarkKind::GeneratorBusy, Grade::B),
            };
            add(kind, grade, percent(busy.min(1.0)));
        }
    }
}

/// The kernel counts what reached the device, ours and everybody's. More than ours is another program's I/O, less is I/O
/// that was answered on the way; either way the figures are not those of the load alone.
fn judge_kernel(kernel: &IoCounters, totals: &WindowTotals, remarks: &mut Vec<Remark>) {
    // An operation that failed or never came back may or may not be in the kernel's count.
    let is_comparable = totals.errors == 0 && totals.in_flight.unfinished == 0;
    let keeps_count = kernel.reads_completed > 0 || kernel.writes_completed > 0;
    if !is_comparable || !keeps_count {
        return;
    }
    let sides = [
        ("read", kernel.bytes_read, totals.moved.bytes_read),
        ("written", kernel.bytes_written, totals.moved.bytes_written),
    ];
    let off: u64 = sides.iter().map(|(_, theirs, ours)| theirs.abs_diff(*ours)).sum();
    if off == 0 {
        return;
    }
    let moved = totals.moved.bytes_read.saturating_add(totals.moved.bytes_written);
    let grade = if off as f64 > FOREIGN_C * moved as f64 { Grade::C } else { Grade::B };
    let differing = sides.iter().filter(|(_, theirs, ours)| theirs != ours);
    let detail: Vec<String> = differing
        .map(|(what, theirs, ours)| {
            format!("{} {what} against {}", ByteCount::new(*theirs).human(), ByteCount::new(*ours).human())
        })
        .collect();
    remarks.push(Remark { kind: RemarkKind::KernelCounts, grade, detail: Some(detail.join(", ")) });
}

fn judge_window(planned: &Case, case: &CaseRecord, totals: &WindowTotals, remarks: &mut Vec<Remark>) {
    let spread_ns = totals.first_submission_spread_ns;
    if planned.ramp == RunTime::ZERO && spread_ns as f64 > SPREAD * totals.length_ns as f64 {
        let detail = format!("first {} ms", spread_ns.div_ceil(1_000_000));
        remarks.push(Remark { kind: RemarkKind::SlowStart, grade: Grade::B, detail: Some(detail) });
    }
    let whole = case.intervals.iter().filter(|interval| !interval.is_partial).count();
    let is_by_bytes = matches!(case.state, CaseState::Ended(StepEnd::Written | StepEnd::Passes));
    if is_by_bytes && whole < FEWEST_INTERVALS {
        let detail = Some(whole.to_string());
        remarks.push(Remark { kind: RemarkKind::FewIntervals, grade: Grade::B, detail });
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

impl RemarkKind {
    /// The footnote's sentence; what is particular to a case follows it.
    pub const fn sentence(self) -> &'static str {
        match self {
            RemarkKind::PageCache => "page cache: I/O was buffered, so these are not the drive's figures",
            RemarkKind::CutShort => "the window is not the one that the plan asks for",
            RemarkKind::NothingCompleted => "no operation completed in the window",
            RemarkKind::Errors => "operations that failed, and are in none of the figures",
            RemarkKind::Unfinished => "operations that did not come back while they were waited for",
            RemarkKind::Inconsistent => "histograms, intervals and sums count different numbers of operations",
            RemarkKind::KernelCounts => "the kernel counted other I/O on the device than this run's",
            RemarkKind::GeneratorSaturated => "not the drive's figure: generator saturated, CPUs busy",
            RemarkKind::GeneratorBusy => "generator: CPUs busy",
            RemarkKind::GeneratorWaited => "generator: time that workers waited for a CPU, which is in the latencies",
            RemarkKind::GeneratorUnknown => {
                "generator not judged: workers that could not tell how long they waited for a CPU"
            }
            RemarkKind::ReadShare => "achieved read share",
            RemarkKind::InFlightLonger => "the longest latency is of an operation in flight at the end of the window",
            RemarkKind::SlowStart => "without a ramp the load was not at full strength at the window's start",
            RemarkKind::FewIntervals => "whole intervals before the limit in bytes",
            RemarkKind::LateRecords => "missing in the intervals, though not in the figures",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Grade::A => "A",
            Grade::B => "B",
            Grade::C => "C",
        })
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.detail {
            Some(detail) => write!(f, "{}: {detail}", self.kind.sentence()),
            None => f.write_str(self.kind.sentence()),
        }
    }
}
