//! Journals: written, read back, torn, altered; and those kept from each version of the format.

use std::path::PathBuf;

use proptest::prelude::*;
use shakedown::event::{Event, EventKind, EventSink};
use shakedown::record::{CaseState, Fold, JournalWriter, LiveRecord, ResultFolder, fold, read_journal, replay, run_id};
use shakedown::report::{TextOptions, csv, json, markdown, text};

use crate::support::events::{complete_run, cut_off_run, started, stopped_run};

fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journals/v1").join(name)
}

fn lines(events: &[Event]) -> String {
    events.iter().map(|event| serde_json::to_string(event).expect("serialises") + "\n").collect()
}

/// The journals of version 1 stay as they are: what was written then must be read for ever. They are made anew only
/// while a format is not released, by REMAKE_JOURNALS=v1 (not together with the snapshots).
#[test]
fn journals_of_version_1_read_as_ever() {
    for (name, events) in
        [("complete.jsonl", complete_run()), ("stopped.jsonl", stopped_run()), ("cut-off.jsonl", cut_off_run())]
    {
        if std::env::var_os("REMAKE_JOURNALS").is_some_and(|version| version == "v1") {
            std::fs::write(kept(name), lines(&events)).expect("the fixture can be written");
        }
        let journal = read_journal(&kept(name)).expect("a journal");
        assert!(!journal.has_torn_tail);
        assert!(journal.events == events, "{name} tells another run");
    }
}

#[test]
fn a_journal_folds_to_the_record_of_the_live_run() {
    for events in [complete_run(), stopped_run(), cut_off_run()] {
        let results = tempfile::tempdir().expect("a folder");
        let id = run_id("2026-11-30", "sr-fio-ri-2017", "S3610-0042");
        let folder = ResultFolder::create(results.path(), &id).expect("made");
        let mut journal = JournalWriter::create(&folder.journal_path()).expect("a new file");
        let mut live = LiveRecord::new();
        for event in &events {
            journal.take(event);
            live.take(event);
        }
        journal.close().expect("there is room");
        let (replayed, has_torn_tail) = folder.read_record().expect("a journal");
        assert!(!has_torn_tail);
        assert!(live.finish().expect("the events fit") == replayed);
    }
}

#[test]
fn a_torn_last_line_is_left_out_and_said() {
    let whole = lines(&stopped_run());
    let last = whole.trim_end().rfind('\n').expect("several lines") + 1;
    let (record, has_torn_tail) = replay(&whole.as_bytes()[..last + 10]).expect("all but the last line");
    assert!(has_torn_tail && !record.is_complete());
    // Only the line break is missing: the event is whole.
    let (_, has_torn_tail) = replay(whole.trim_end().as_bytes()).expect("whole");
    assert!(!has_torn_tail);
}

#[test]
fn every_cut_of_a_journal_is_a_record_or_says_why_not() {
    let whole = lines(&cut_off_run());
    let first = whole.find('\n').expect("several lines") + 1;
    for length in [0, 1, first - 2] {
        assert_eq!(replay(&whole.as_bytes()[..length]).expect_err("no event").code(), "journal/empty");
    }
    for length in (first..whole.len()).step_by(997) {
        let (record, _) = replay(&whole.as_bytes()[..length]).expect("a part of a run");
        text(&record, &TextOptions::default());
    }
}

#[test]
fn a_bad_line_in_the_middle_is_named() {
    let mut bad: Vec<String> = lines(&complete_run()).lines().map(str::to_owned).collect();
    bad[3].truncate(20);
    let error = replay(bad.join("\n").as_bytes()).expect_err("line 4");
    assert_eq!(error.code(), "journal/bad-line");
    assert!(error.to_string().starts_with("line 4 of the journal"), "{error}");
    assert!(error.help().is_some());
}

#[test]
fn another_major_version_is_refused_by_its_number() {
    let text = r#"{"sequence":0,"at_ns":0,"event":"run-started","format":{"major":2,"minor":0},"shape":"new"}"#;
    let error = replay(format!("{text}\n").as_bytes()).expect_err("unknown");
    assert_eq!(error.code(), "journal/unknown-format");
    assert!(error.to_string().contains("2.0"), "{error}");
}

#[test]
fn unknown_fields_of_a_later_minor_version_are_skipped() {
    let text = lines(&stopped_run()).replace("{\"sequence\":", "{\"colour\":{\"a\":[1]},\"sequence\":");
    let text = text.replacen("\"minor\":0", "\"minor\":7", 1);
    let (mut record, _) = replay(text.as_bytes()).expect("read all the same");
    record.started.format = started().format; // the only difference
    assert!(record == fold(&stopped_run()).expect("fits"));
}

#[test]
fn events_that_do_not_fit_are_refused() {
    let good = complete_run();
    let renumbered = |mut events: Vec<Event>| {
        for (sequence, event) in events.iter_mut().enumerate() {
            event.sequence = sequence as u64;
            event.at_ns = sequence as u64;
        }
        events
    };
    let without = |place: usize| {
        let mut events = good.clone();
        events.remove(place);
        events
    };
    // A gap in the numbers; no start; a case in no step; a step that ends before its case.
    assert!(fold(&without(5)).is_err());
    assert!(fold(&renumbered(without(0))).is_err());
    assert!(fold(&renumbered(without(1))).is_err());
    assert!(fold(&renumbered(without(4))).is_err());
    let mut twice = good.clone();
    twice.insert(1, good[0].clone());
    assert!(fold(&renumbered(twice)).is_err());
    let mut behind_the_end = good.clone();
    behind_the_end.push(good[1].clone());
    assert!(fold(&renumbered(behind_the_end)).is_err());
    let mut back_in_time = good.clone();
    back_in_time[3].at_ns = 0;
    let error = fold(&back_in_time).expect_err("goes back");
    assert_eq!((error.sequence, error.code()), (3, "journal/contradicts-itself"));
    assert!(fold(&[]).is_err());
}

#[test]
fn figures_that_no_run_can_reach_are_refused() {
    let mut events = complete_run();
    for event in &mut events {
        if let EventKind::CaseFinished(finished) = &mut event.kind {
            finished.totals.sides.read.moments.count = u64::MAX;
            finished.totals.sides.write.moments.count = u64::MAX;
        }
    }
    assert!(fold(&events).is_err());
}

#[test]
fn a_case_that_was_cut_off_keeps_its_intervals() {
    let record = fold(&cut_off_run()).expect("fits");
    let case = &record.steps[2].cases[1];
    assert_eq!((case.state, case.intervals.len()), (CaseState::Begun, 3));
    let figures = case.figures().expect("of the intervals");
    assert_eq!((figures.window_ns, figures.all.operations), (3_000_000_000, 3 * 1_010));
    assert_eq!(figures.all.percentiles_ns, [None; 5]);
}

/// An altered line: one byte replaced, a number made huge, a line lost or doubled.
fn altered(text: &str, place: usize, byte: u8, how: usize) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
    let line = place % lines.len();
    match how {
        0 => {
            let at = (place / lines.len()) % lines[line].len();
            lines[line][at] = byte;
        }
        1 => {
            let at = (place / lines.len()) % lines[line].len();
            if let Some(digit) = lines[line][at..].iter().position(u8::is_ascii_digit) {
                let start = at + digit;
                let end = start + lines[line][start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                lines[line].splice(start..end, *b"18446744073709551615");
            }
        }
        2 => {
            lines.remove(line);
        }
        _ => {
            let double = lines[line].clone();
            lines.insert(line, double);
        }
    }
    lines.concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Whatever is done to a journal, there is a record that can be printed, or a typed error; never a panic.
    #[test]
    fn an_altered_journal_never_panics(place in any::<usize>(), byte in any::<u8>(), how in 0..4_usize) {
        let text_of_run = lines(&stopped_run());
        let bytes = altered(&text_of_run, place, byte, how);
        if let Ok((record, _)) = replay(bytes.as_slice()) {
            text(&record, &TextOptions::default());
            json(&record);
            csv(&record);
            markdown(&record);
        }
    }

    /// Events in any order, numbered as if nothing had happened.
    #[test]
    fn events_in_any_order_never_panic(order in proptest::collection::vec(any::<prop::sample::Index>(), 1..60)) {
        let told = complete_run();
        let mut fold = Fold::new();
        fold.apply(&told[0]).expect("the start");
        for (place, index) in order.iter().enumerate() {
            let mut event = index.get(&told).clone();
            event.sequence = place as u64 + 1;
            event.at_ns = u64::MAX;
            if fold.apply(&event).is_err() {
                break;
            }
        }
        let record = fold.finish().expect("at least the start");
        text(&record, &TextOptions { width: 1 });
        json(&record);
    }

    #[test]
    fn any_bytes_are_an_error_or_a_record(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = replay(bytes.as_slice());
    }
}
