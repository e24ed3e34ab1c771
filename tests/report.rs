//! Reports of runs told by hand, and of the journals kept from each version of the format.

use shakedown::event::{Cause, Event, EventKind, Failure, Place, RunEnd, StepEnd};
use shakedown::record::{RunRecord, fold};
use shakedown::report::{TextOptions, csv, json, markdown, text};
use shakedown::schedule::{CaseId, StepId};
use snapbox::{Data, assert_data_eq};

use crate::support::events::{Story, complete_run, cut_off_run, started, stopped_run, window};

fn record(events: &[Event]) -> RunRecord {
    fold(events).expect("the events fit")
}

fn golden(name: &str) -> Data {
    let path = format!("{}/tests/fixtures/reports/{name}", env!("CARGO_MANIFEST_DIR"));
    Data::read_from(std::path::Path::new(&path), Some(snapbox::data::DataFormat::Text))
}

fn at_width(events: &[Event], width: usize) -> String {
    text(&record(events), &TextOptions { width })
}

#[test]
fn a_complete_run_at_80_columns() {
    assert_data_eq!(at_width(&complete_run(), 80), golden("complete-80.txt").raw());
}

#[test]
fn a_complete_run_at_120_columns() {
    assert_data_eq!(at_width(&complete_run(), 120), golden("complete-120.txt").raw());
}

#[test]
fn a_stopped_run() {
    assert_data_eq!(at_width(&stopped_run(), 80), golden("stopped-80.txt").raw());
}

#[test]
fn a_run_that_was_cut_off() {
    assert_data_eq!(at_width(&cut_off_run(), 80), golden("cut-off-80.txt").raw());
}

#[test]
fn markdown_and_csv_show_the_same_figures() {
    let record = record(&complete_run());
    assert_data_eq!(markdown(&record), golden("complete.md").raw());
    assert_data_eq!(csv(&record), golden("complete.csv").raw());
}

/// A pipe in a name would begin a column.
#[test]
fn a_name_breaks_no_table_of_markdown() {
    let events = serde_json::to_string(&complete_run()).expect("serialises").replace("4k-random-read", "4k|*r*");
    let events: Vec<Event> = serde_json::from_str(&events).expect("reads back");
    let shown = markdown(&record(&events));
    let rows: Vec<&str> = shown.lines().filter(|line| line.starts_with('|') && line.contains("4k")).collect();
    assert!(rows.iter().any(|row| row.starts_with("| 4k\\|\\*r\\*")), "{shown}");
}

/// Tables leave out columns; headings, notes and footnotes break.
#[test]
fn no_line_is_wider_than_asked() {
    for width in [60, 72, 80, 100, 132, 200] {
        for events in [complete_run(), stopped_run(), cut_off_run()] {
            for line in at_width(&events, width).lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn a_narrow_table_says_what_it_left_out() {
    let narrow = at_width(&complete_run(), 60);
    assert!(narrow.contains("left out at 60 characters:"), "{narrow}");
    assert!(!at_width(&complete_run(), 160).contains("left out"));
    assert!(narrow.contains("16T/16Q"), "nothing is cut");
}

#[test]
fn json_has_every_key_always_and_null_for_nothing() {
    let record = record(&stopped_run());
    let document = json(&record);
    assert_eq!(document["format"]["version"], 1);
    assert_eq!(document["run"]["state"], "stopped");
    assert_eq!(document["run"]["stop_reason"], "SIGINT");
    let steps = document["steps"].as_array().expect("steps");
    let keys = |value: &serde_json::Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let cases: Vec<_> = steps.iter().flat_map(|step| step["cases"].as_array().expect("cases")).collect();
    assert_eq!(cases.len(), 7);
    for case in &cases {
        assert_eq!(keys(case), keys(cases[0]));
    }
    let not_run = cases.last().expect("seven");
    assert_eq!(not_run["state"], "not-run");
    assert!(not_run["all"].is_null() && not_run["grade"].is_null() && not_run["window_ns"].is_null());
}

#[test]
fn json_holds_raw_figures() {
    let document = json(&record(&complete_run()));
    let case = &document["steps"][3]["cases"][0];
    assert_eq!(case["all"]["operations"], 200_000);
    assert_eq!(case["all"]["iops"], 20_000.0);
    assert_eq!(case["all"]["bytes_per_second"], 81_920_000.0);
    assert_eq!(case["all"]["latency_ns_max"], 2_000_000);
    assert_eq!(case["read"], case["all"]);
    assert_eq!(case["write"]["operations"], 0);
    assert!(case["write"]["latency_ns_mean"].is_null() && case["write"]["latency_ns_p50"].is_null());
    assert_eq!(case["read_share_achieved"], 1.0);
    assert_eq!(case["grade"], "A");
    let cell = &document["steps"][2]["cases"][2];
    assert_eq!(
        (&cell["latency_ns_max_is_lower_bound"], &cell["all"]["latency_ns_max"]),
        (&true.into(), &40_123_456.into())
    );
    assert_eq!(cell["grade"], "C");
    let pooled = cell["all"]["latency_ns_deviation"].as_f64().expect("a number");
    let of_sides = cell["latency_ns_deviation_mean_of_sides"].as_f64().expect("a number");
    let read = cell["read"]["latency_ns_deviation"].as_f64().expect("a number");
    let write = cell["write"]["latency_ns_deviation"].as_f64().expect("a number");
    assert_eq!(of_sides, (read + write) / 2.0);
    assert!((pooled - of_sides).abs() > 1.0, "two different numbers");
}

/// Every percentile again from the list of latencies, by S18: the smallest v with count(x <= v) >= ceil(p x N).
#[test]
fn percentiles_are_those_of_the_latencies() {
    let latencies = [(80_000_u64, 180_000_u64), (95_000, 19_500), (2_000_000, 500)];
    let document = json(&record(&complete_run()));
    let read = &document["steps"][3]["cases"][0]["read"];
    let count: u64 = latencies.iter().map(|(_, count)| count).sum();
    for (name, numerator, denominator) in
        [("p50", 1, 2), ("p90", 9, 10), ("p99", 99, 100), ("p99_9", 999, 1000), ("p99_99", 9_999, 10_000)]
    {
        let rank = (count * numerator).div_ceil(denominator);
        let mut seen = 0;
        let exact = latencies.iter().find(|(_, count)| {
            seen += count;
            seen >= rank
        });
        let exact = exact.expect("the last one at the latest").0;
        let told = read[format!("latency_ns_{name}")].as_u64().expect("a number");
        assert!(told >= exact && told - exact <= exact / 1000, "{name}: {told} for {exact}");
    }
    assert_eq!(read["p99_99_few_samples"], false);
    assert_eq!(document["steps"][4]["cases"][0]["write"]["p99_99_few_samples"], true);
}

#[test]
fn a_side_without_operations_prints_a_dash() {
    let mut story = Story::begin(started());
    let step = story.start_step("8k-70-30/8k-70-30");
    story.whole_case(&step, "2T/2Q", window(&[(100_000, 50)], &[], 8192));
    let text = at_width(&story.events, 120);
    let row = text.lines().find(|line| line.starts_with("2T/2Q write")).expect("a row");
    assert!(row["2T/2Q write".len()..].split_whitespace().all(|cell| cell == "-"), "{row}");
    assert!(text.contains("achieved read share: 100.0 % instead of 70.0 %"));
}

#[test]
fn buffered_figures_bear_their_mark() {
    let mut buffered = started();
    buffered.is_direct = false;
    let mut story = Story::begin(buffered);
    let step = story.start_step("corners/4k-random-read");
    story.whole_case(&step, "4T/4Q", window(&[(1_000, 5_000)], &[], 4096));
    let record = record(&story.events);
    let document = json(&record);
    assert_eq!(document["steps"][3]["cases"][0]["grade"], "C");
    for text in [text(&record, &TextOptions::default()), markdown(&record)] {
        assert!(text.contains("BUFFERED") && text.contains("page cache"), "{text}");
    }
    assert!(csv(&record).contains("page cache"));
}

#[test]
fn a_failure_is_told_with_its_place() {
    let mut story = Story::begin(started());
    let step = story.start_step("corners/4k-random-read");
    let case = story.start_case(&step, "4T/4Q");
    let mut totals = window(&[(80_000, 1_000)], &[], 4096);
    totals.errors = 1;
    story.finish_case(&step, case, StepEnd::Failed, totals);
    let mut failure = Failure::new("input/output error", Cause::Errno(5), Place { line: 31, column: 9 });
    failure.operation = Some("read".to_owned());
    failure.offset_bytes = Some(1_048_576);
    failure.lba = Some(2_048);
    story.tell(EventKind::StepFailed { step: step.clone(), failure });
    story.finish_step(step, StepEnd::Failed, 0, 4_096_000);
    story.tell(EventKind::RunFinished { end: RunEnd::Failed });
    let text = at_width(&story.events, 100);
    let flowing = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flowing.contains(
            "INCOMPLETE: failed in corners/4k-random-read: input/output error (read, at byte 1048576, LBA 2048); \
             plan line 31, column 9; 0 of 5 cases measured"
        ),
        "{text}"
    );
    assert_eq!(json(&record(&story.events))["run"]["failed_step"]["failure"]["lba"], 2_048);
}

#[test]
fn a_run_that_ended_before_it_began_has_a_report() {
    let mut story = Story::begin(started());
    story.tell(EventKind::StopRequested { reason: "SIGTERM".to_owned() });
    story.tell(EventKind::RunFinished { end: RunEnd::Stopped });
    let text = at_width(&story.events, 80);
    assert!(text.contains("INCOMPLETE: stopped by SIGTERM before its first step; 0 of 5 cases measured"), "{text}");
    assert!(text.contains("not measured"));
    let document = json(&record(&story.events));
    assert_eq!(document["steps"][2]["cases"].as_array().map(Vec::len), Some(3));
}

#[test]
fn what_the_journal_says_does_not_reach_the_terminal_as_an_escape() {
    let mut hostile = started();
    hostile.run_id = "\u{1b}]0;owned\u{7}".to_owned();
    hostile.remarks = vec!["\u{1b}[2J".to_owned()];
    hostile.schedule.steps[3].label = "\u{1b}[31mred".to_owned();
    let mut story = Story::begin(hostile);
    let step = StepId::new("corners", "4k-random-read");
    story.tell(EventKind::StepStarted { step: step.clone() });
    let case = CaseId::new("4T/4Q");
    story.tell(EventKind::CaseStarted { step, case });
    let record = record(&story.events);
    for text in [text(&record, &TextOptions::default()), markdown(&record)] {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'));
    }
}

/// The page of the formats names every key that the document has.
#[test]
fn every_key_of_the_json_document_is_described() {
    fn keys(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(object) => object.iter().for_each(|(key, value)| {
                found.push(key.clone());
                // Facts, failures and the insides of totals are described with the journal.
                if !["target", "host", "around_the_window", "failure"].contains(&key.as_str()) {
                    keys(value, found);
                }
            }),
            serde_json::Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/results.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let mut found = Vec::new();
    keys(&json(&record(&complete_run())), &mut found);
    found.sort_unstable();
    found.dedup();
    let missing: Vec<_> = found.iter().filter(|key| !page.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "not in results.md: {missing:?}");
}
