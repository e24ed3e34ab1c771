//! What is remarked on a case, and the grade that is left.

use shakedown::event::{IoCounters, RunStarted, StepEnd};
use shakedown::measure::{InFlight, WindowTotals};
use shakedown::record::{Grade, RemarkKind, fold, judge};
use shakedown::schedule::Action;
use shakedown::units::RunTime;

use crate::support::events::{Latencies, Story, started, window};

const READS: Latencies<'_> = &[(100_000, 7_000)];
const WRITES: Latencies<'_> = &[(50_000, 3_000)];

/// The remarks on the first cell of the matrix, which is 70 % reads, after its window told `totals`.
fn remarks_of(started: RunStarted, end: StepEnd, totals: WindowTotals) -> (Grade, Vec<RemarkKind>) {
    let mut story = Story::begin(started);
    let step = story.start_step("8k-70-30/8k-70-30");
    let case = story.start_case(&step, "2T/2Q");
    let sides = totals.sides;
    story.interval(&step, &case, 0, sides);
    story.finish_case(&step, case, end, totals);
    judged(&story)
}

fn remarks(change: impl FnOnce(&mut WindowTotals)) -> (Grade, Vec<RemarkKind>) {
    let mut totals = window(READS, WRITES, 8192);
    change(&mut totals);
    remarks_of(started(), StepEnd::Complete, totals)
}

/// After so many intervals, each with all operations of the window.
fn intervals_of(count: u64) -> (Grade, Vec<RemarkKind>) {
    let totals = window(READS, WRITES, 8192);
    let mut story = Story::begin(started());
    let step = story.start_step("8k-70-30/8k-70-30");
    let case = story.start_case(&step, "2T/2Q");
    (0..count).for_each(|index| story.interval(&step, &case, index, totals.sides));
    story.finish_case(&step, case, StepEnd::Complete, totals);
    judged(&story)
}

fn judged(story: &Story) -> (Grade, Vec<RemarkKind>) {
    let record = fold(&story.events).expect("the events fit");
    let (planned, step) = record.steps().nth(2).expect("five steps");
    let Action::Measure(cases) = &planned.action else { panic!("the third step measures") };
    let validity = judge(&record, &cases[0], &step.cases[0]).expect("it has figures");
    (validity.grade, validity.remarks.iter().map(|remark| remark.kind).collect())
}

#[test]
fn a_clean_case_is_valid_and_bears_no_remark() {
    assert_eq!(remarks(|_| {}), (Grade::A, vec![]));
}

#[test]
fn few_samples_leave_the_grade_alone() {
    let totals = window(&[(100_000, 7)], &[(50_000, 3)], 8192);
    assert_eq!(remarks_of(started(), StepEnd::Complete, totals), (Grade::A, vec![]));
}

#[test]
fn the_read_share_may_be_half_a_point_off() {
    for (reads, writes, expected) in [(7_050, 2_950, vec![]), (7_060, 2_940, vec![RemarkKind::ReadShare])] {
        let totals = window(&[(100_000, reads)], &[(50_000, writes)], 8192);
        assert_eq!(remarks_of(started(), StepEnd::Complete, totals).1, expected, "{reads}");
    }
}

#[test]
fn in_flight_counts_where_it_is_longer_than_the_maximum() {
    let flight = |longest_ns| InFlight { operations: 4, longest_ns, unfinished: 0 };
    assert_eq!(remarks(|totals| totals.in_flight = flight(100_000)), (Grade::A, vec![]));
    assert_eq!(remarks(|totals| totals.in_flight = flight(100_001)), (Grade::B, vec![RemarkKind::InFlightLonger]));
    let (grade, kinds) = remarks(|totals| totals.in_flight = InFlight { unfinished: 1, ..flight(9) });
    assert_eq!((grade, kinds), (Grade::C, vec![RemarkKind::Unfinished]));
}

#[test]
fn the_generator_is_judged_by_waiting_and_by_busy_processors() {
    // 4 workers on 4 processors over 12 s of ramp and window: 48 s of each.
    let percent = |share: u64| share * 480_000_000;
    assert_eq!(remarks(|totals| totals.generator.run_delay_ns = percent(3)), (Grade::A, vec![]));
    let waited = vec![RemarkKind::GeneratorWaited];
    assert_eq!(remarks(|totals| totals.generator.run_delay_ns = percent(4)), (Grade::B, waited.clone()));
    assert_eq!(remarks(|totals| totals.generator.run_delay_ns = percent(11)), (Grade::C, waited));
    let busy = |share| remarks(|totals| totals.generator.busy_ns = percent(share));
    assert_eq!(busy(85), (Grade::A, vec![]));
    assert_eq!(busy(90), (Grade::B, vec![RemarkKind::GeneratorBusy]));
    assert_eq!(busy(96), (Grade::C, vec![RemarkKind::GeneratorSaturated]));
    let silent = remarks(|totals| totals.generator.silent_workers = 1);
    assert_eq!(silent, (Grade::B, vec![RemarkKind::GeneratorUnknown]));
}

#[test]
fn a_simulated_run_has_no_generator_to_judge() {
    let mut simulated = started();
    (simulated.is_simulated, simulated.is_direct) = (true, false);
    let mut totals = window(READS, WRITES, 8192);
    totals.generator = Default::default();
    assert_eq!(remarks_of(simulated, StepEnd::Complete, totals), (Grade::A, vec![]));
}

#[test]
fn what_must_not_be_used() {
    let mut buffered = started();
    buffered.is_direct = false;
    let whole = || window(READS, WRITES, 8192);
    assert_eq!(remarks_of(buffered, StepEnd::Complete, whole()), (Grade::C, vec![RemarkKind::PageCache]));
    for end in [StepEnd::Stopped, StepEnd::Failed] {
        assert_eq!(remarks_of(started(), end, whole()), (Grade::C, vec![RemarkKind::CutShort]));
    }
    assert_eq!(remarks(|totals| totals.errors = 1), (Grade::C, vec![RemarkKind::Errors]));
    let lost = remarks(|totals| totals.histograms.read.record(5));
    assert_eq!(lost, (Grade::C, vec![RemarkKind::Inconsistent]));
    let shifted = remarks(|totals| {
        totals.histograms.read.record(5);
        totals.histograms.write = shakedown::measure::LatencyHistogram::new();
        totals.histograms.write.record_many(50_000, 2_999);
    });
    assert_eq!(shifted, (Grade::C, vec![RemarkKind::Inconsistent; 2]), "the sum of both sides is right");
    assert_eq!(intervals_of(2), (Grade::C, vec![RemarkKind::Inconsistent]), "more than the window has");
    assert_eq!(intervals_of(1), (Grade::A, vec![]));
    let nothing = window(&[], &[], 8192);
    let (grade, kinds) = remarks_of(started(), StepEnd::Complete, nothing);
    assert_eq!((grade, kinds), (Grade::C, vec![RemarkKind::NothingCompleted]));
}

#[test]
fn late_records_and_a_byte_limit_that_comes_early() {
    assert_eq!(remarks(|totals| totals.late_records = 1), (Grade::B, vec![RemarkKind::LateRecords]));
    let totals = window(READS, WRITES, 8192);
    let early = remarks_of(started(), StepEnd::Written, totals);
    assert_eq!(early, (Grade::B, vec![RemarkKind::FewIntervals]));
}

#[test]
fn without_a_ramp_the_first_submissions_must_be_close() {
    let spread = |ns| {
        let mut started = started();
        let Action::Measure(cases) = &mut started.schedule.steps[2].action else { panic!("it measures") };
        cases[0].ramp = RunTime::ZERO;
        let mut totals = window(READS, WRITES, 8192);
        totals.first_submission_spread_ns = ns;
        remarks_of(started, StepEnd::Complete, totals).1
    };
    assert_eq!(spread(100_000_000), vec![]);
    assert_eq!(spread(100_000_001), vec![RemarkKind::SlowStart]);
    assert_eq!(remarks(|totals| totals.first_submission_spread_ns = u64::MAX), (Grade::A, vec![]));
}

#[test]
fn a_load_that_ended_in_its_ramp_has_no_figures_to_show() {
    let mut totals = window(&[], &[], 8192);
    totals.length_ns = 0;
    totals.in_flight = InFlight { operations: 4, longest_ns: 9, unfinished: 0 };
    let mut story = Story::begin(started());
    let step = story.start_step("8k-70-30/8k-70-30");
    let case = story.start_case(&step, "2T/2Q");
    story.finish_case(&step, case, StepEnd::Stopped, totals);
    let record = fold(&story.events).expect("the events fit");
    let figures = record.steps[2].cases[0].figures().expect("a window of no length");
    assert_eq!((figures.all.iops, figures.all.max_ns, figures.is_max_lower_bound), (None, None, false));
}

#[test]
fn what_the_kernel_counted_beside_ours_is_another_load() {
    let counted = |read: u64, written: u64| IoCounters {
        reads_completed: read / 8192,
        bytes_read: read,
        writes_completed: written / 8192,
        bytes_written: written,
        ..IoCounters::default()
    };
    let (read, written) = (7_000 * 8192, 3_000 * 8192);
    for (kernel, expected) in [
        (counted(read, written), (Grade::A, vec![])),
        // A stray probe of some sectors, and a program that reads along.
        (counted(read + 4096, written), (Grade::B, vec![RemarkKind::KernelCounts])),
        (counted(read + (10 << 20), written), (Grade::C, vec![RemarkKind::KernelCounts])),
        // Fewer: something answered before the device.
        (counted(read / 2, written), (Grade::C, vec![RemarkKind::KernelCounts])),
        // A kernel that keeps no count says nothing.
        (counted(0, 0), (Grade::A, vec![])),
    ] {
        let mut story = Story::begin(started());
        let step = story.start_step("8k-70-30/8k-70-30");
        let case = story.start_case(&step, "2T/2Q");
        let totals = window(READS, WRITES, 8192);
        story.interval(&step, &case, 0, totals.sides);
        story.finish_case_counted(&step, case, StepEnd::Complete, totals, Some(kernel));
        let record = fold(&story.events).expect("the events fit");
        let (planned, step) = record.steps().nth(2).expect("five steps");
        let Action::Measure(cases) = &planned.action else { panic!("the third step measures") };
        let validity = judge(&record, &cases[0], &step.cases[0]).expect("it has figures");
        let kinds: Vec<RemarkKind> = validity.remarks.iter().map(|remark| remark.kind).collect();
        assert_eq!((validity.grade, kinds), expected, "{kernel:?}");
    }
}
