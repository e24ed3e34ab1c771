//! Whole runs without hardware and without time: runner, events, fold and figures on simulated targets.

use shakedown::engine::{ConstantLatency, Fault, FaultyTarget, Request, Response};
use shakedown::event::{Cause, EventKind, RunEnd, StepEnd};
use shakedown::measure::Percentile;
use shakedown::record::{CaseState, StepState};
use shakedown::report;

use crate::support::simulated::{names, simulate, simulate_heard};

const MIB: u64 = 1 << 20;

const STEADY: ConstantLatency = ConstantLatency { read_ns: 100_000, write_ns: 20_000 };

const PLAN: &str = r#"plan "p" { revision 1; }
workload "mix" { access "random"; block-size "4KiB"; read "50%"; }
setup {
    fill passes=1 { block-size "128KiB"; threads 1; queue-depth 2; }
    idle "10m"
}
test "t" repeat=2 {
    precondition "mix" as="condition" { threads 2; run "2s"; }
    measure "mix" { matrix { threads 1 2; queue-depth 1 4; }; ramp "1s"; run "10s"; }
}
"#;

#[test]
fn events_come_in_the_order_of_the_plan() {
    let ran = simulate(PLAN, 64 * MIB, STEADY);
    assert_eq!(ran.end, RunEnd::Complete);
    let names: Vec<String> = names(&ran.events).into_iter().filter(|name| name != "interval").collect();
    let of_test = |test: &str| {
        let mut names = vec![format!("step {test}/condition"), "case 2T/1Q".into(), "case ends Complete".into()];
        names.extend(["step ends Complete".into(), format!("step {test}/mix")]);
        for case in ["1T/1Q", "1T/4Q", "2T/1Q", "2T/4Q"] {
            names.extend([format!("case {case}"), "case ends Complete".into()]);
        }
        names.push("step ends Complete".into());
        names
    };
    let mut expected: Vec<String> = ["run", "step setup/fill", "case 1T/2Q", "case ends Written", "step ends Written"]
        .into_iter()
        .chain(["step setup/idle", "step ends Complete"])
        .map(String::from)
        .collect();
    expected.extend(of_test("t"));
    expected.extend(of_test("t#2"));
    expected.push("run ends Complete".into());
    assert_eq!(names, expected);
    for (index, event) in ran.events.iter().enumerate() {
        assert_eq!(event.sequence, index as u64);
    }
    assert!(ran.events.is_sorted_by_key(|event| event.at_ns));
}

#[test]
fn figures_are_those_of_the_target() {
    let ran = simulate(PLAN, 64 * MIB, STEADY);
    let step = ran.record.steps.iter().find(|step| step.id.as_str() == "t/mix").expect("the measured step");
    for (case, slots) in step.cases.iter().zip([1.0, 4.0, 2.0, 8.0]) {
        let totals = case.totals.as_ref().expect("measured");
        assert_eq!(totals.length_ns, 10_000_000_000);
        // Half the operations take 100 us and half 20 us: 60 us each on average, in every slot.
        let iops = totals.iops().expect("a window with length");
        assert!((iops / (slots / 60e-6) - 1.0).abs() < 0.001, "{}: {iops}", case.id);
        let pooled = totals.sides.pooled();
        assert!((pooled.mean_ns().expect("operations") - 60_000.0).abs() < 60.0);
        assert!((pooled.deviation_ns().expect("operations") - 40_000.0).abs() < 40.0);
        assert_eq!((pooled.min_ns, pooled.max_ns), (20_000, 100_000));
        assert_eq!(totals.sides.deviation_mean_of_sides_ns(), Some(0.0));
        assert_eq!(totals.percentile_ns(Percentile::P99), Some(100_000));
        // Whole intervals of a second sum up to the window.
        assert_eq!(case.intervals.len(), 10);
        let summed: u64 = case.intervals.iter().map(|interval| interval.sides.operations()).sum();
        assert_eq!(summed + totals.late_records, totals.sides.operations());
    }
}

#[test]
fn a_simulated_run_is_the_same_each_time() {
    let (once, again) = (simulate(PLAN, 64 * MIB, STEADY), simulate(PLAN, 64 * MIB, STEADY));
    assert!(once.events == again.events);
    let other = simulate(&PLAN.replace("revision 1;", "revision 1; seed 2;"), 64 * MIB, STEADY);
    assert!(once.events != other.events);
}

#[test]
fn an_edit_of_one_case_leaves_the_others_sequences_alone() {
    let offsets = |text: &str| {
        let mut seen = Vec::new();
        simulate(text, 64 * MIB, |request: &Request| {
            seen.push((request.direction, request.offset_bytes));
            Response { latency_ns: 1_000_000, result: Ok(request.length_bytes) }
        });
        seen
    };
    let plan = |first: &str| {
        format!(
            "plan \"p\" {{ revision 1; }}\nworkload \"w\" {{ access \"random\"; block-size \"4KiB\"; read \"50%\"; }}\n\
             test \"t\" {{\n measure \"w\" as=\"a\" {{ threads {first}; run \"1s\"; }}\n \
             measure \"w\" as=\"b\" {{ threads 1; run \"1s\"; }}\n}}"
        )
    };
    let (one, three) = (offsets(&plan("1")), offsets(&plan("3")));
    let tail = 900;
    assert_ne!(one.len(), three.len());
    assert_eq!(one[one.len() - tail..], three[three.len() - tail..]);
}

#[test]
fn a_failed_read_ends_the_step_with_its_lba_and_keeps_what_was_before() {
    // After the fill, the condition and the first case, in the midst of the second one.
    let target = FaultyTarget { inner: STEADY, fault: Fault::AfterOperations(300_000), result: Err(5) };
    let ran = simulate(PLAN, 64 * MIB, target);
    assert_eq!(ran.end, RunEnd::Failed);
    let (step, failure) = ran.record.failure().expect("a failure");
    assert_eq!(failure.cause, Cause::Errno(5));
    assert!(failure.message.contains("LBA") && failure.message.contains("Input/output error"), "{}", failure.message);
    let (offset, lba) = (failure.offset_bytes.expect("an offset"), failure.lba.expect("an LBA"));
    assert_eq!(offset, lba * 512);
    assert_eq!(failure.place.line, 9, "the place in the plan");
    let whole: Vec<bool> = step.cases.iter().map(|case| case.state.is_whole()).collect();
    assert!(whole[0] && !whole[3], "{whole:?}");
    let broken = step.cases.iter().find(|case| case.state == CaseState::Ended(StepEnd::Failed)).expect("the case");
    assert_eq!(broken.totals.as_ref().map(|totals| totals.errors > 0), Some(true));
    assert!(matches!(ran.events.last().map(|event| &event.kind), Some(EventKind::RunFinished { end: RunEnd::Failed })));
    let begun = ran.record.steps.iter().filter(|step| step.state != StepState::NotRun).count();
    assert_eq!(begun, 4, "what follows a failure is not begun");
    let text = report::text(&ran.record, &report::TextOptions { width: 80 });
    assert!(text.contains("Input/output error"), "{text}");
}

#[test]
fn each_kind_of_failure_has_its_words() {
    for (result, part, cause) in [
        (Err(61), "medium error", Cause::Errno(61)),
        (Err(28), "is full", Cause::Errno(28)),
        (Err(19), "the device is gone", Cause::Errno(19)),
        (Err(6), "the device is gone", Cause::Errno(6)),
        (Ok(512), "only 512 bytes", Cause::ShortTransfer { moved_bytes: 512 }),
        (Ok(0), "ends here", Cause::ShortTransfer { moved_bytes: 0 }),
    ] {
        let ran = simulate(PLAN, 64 * MIB, FaultyTarget { inner: STEADY, fault: Fault::AtByte(MIB), result });
        let (step, failure) = ran.record.failure().expect("a failure");
        assert_eq!((step.id.as_str(), &failure.cause), ("setup/fill", &cause));
        assert!(failure.message.contains(part), "{part}: {}", failure.message);
        assert_eq!((failure.lba, failure.place.line), (Some(2048), 4));
    }
}

#[test]
fn a_stop_in_each_kind_of_step_ends_the_run_there() {
    for (at, last) in [
        ("case 1T/2Q", "setup/fill"),
        ("step setup/idle", "setup/idle"),
        ("case 2T/1Q", "t/condition"),
        ("case 1T/4Q", "t/mix"),
    ] {
        let mut listener = |event: &shakedown::event::Event, stop: &shakedown::engine::StopFlag| {
            if names(std::slice::from_ref(event)) == [at] {
                stop.raise();
            }
            false
        };
        let ran = simulate_heard(PLAN, 64 * MIB, STEADY, &mut listener);
        assert_eq!(ran.end, RunEnd::Stopped, "{at}");
        let stopped = ran.record.steps.iter().find(|step| step.state == StepState::Ended(StepEnd::Stopped));
        assert_eq!(stopped.map(|step| step.id.as_str()), Some(last));
        assert!(names(&ran.events).contains(&"stop".to_string()), "{at}");
        assert!(!ran.record.is_complete());
        let text = report::text(&ran.record, &report::TextOptions { width: 80 });
        assert!(text.contains("INCOMPLETE"), "{text}");
    }
}

#[test]
fn a_journal_that_takes_nothing_more_never_ends_as_a_success() {
    // Full in the middle of a load, and full only at its very end.
    for full_at in ["interval", "case ends Complete", "case ends Written"] {
        let mut heard = 0;
        let mut listener = |event: &shakedown::event::Event, _: &shakedown::engine::StopFlag| {
            heard += usize::from(names(std::slice::from_ref(event)) == [full_at]);
            heard > 0
        };
        let ran = simulate_heard(PLAN, 64 * MIB, STEADY, &mut listener);
        assert_eq!(ran.end, RunEnd::Failed, "{full_at}");
        let (_, failure) = ran.record.failure().expect("a failure");
        assert_eq!(failure.cause, Cause::Journal);
    }
}

#[test]
fn a_fill_writes_every_byte_of_the_area_once_and_its_tail() {
    let capacity = 5 * MIB + 512 * 3;
    let plan =
        "plan \"p\" { revision 1; }\nsetup { fill passes=2 { block-size \"64KiB\"; threads 2; queue-depth 2; } }";
    let mut written = vec![0_u8; capacity as usize];
    let ran = simulate(plan, capacity, |request: &Request| {
        let range = request.offset_bytes as usize..(request.offset_bytes + request.length_bytes) as usize;
        written[range].iter_mut().for_each(|count| *count += 1);
        Response { latency_ns: 1000 + request.offset_bytes % 977, result: Ok(request.length_bytes) }
    });
    assert_eq!(ran.end, RunEnd::Complete);
    assert!(written.iter().all(|count| *count == 2));
    assert_eq!(ran.record.steps[0].bytes_written, Some(2 * capacity));
}

#[test]
fn a_load_stays_inside_its_span() {
    let plan = "plan \"p\" { revision 1; }\n\
                workload \"w\" { access \"random\"; block-size \"8KiB\"; read \"0%\"; span \"1MiB\" offset=\"512KiB\"; }\n\
                test \"t\" { measure \"w\" { threads 3; queue-depth 3; run passes=20; } }";
    let (mut low, mut high) = (u64::MAX, 0);
    let ran = simulate(plan, 4 * MIB, |request: &Request| {
        low = low.min(request.offset_bytes);
        high = high.max(request.offset_bytes + request.length_bytes);
        Response { latency_ns: 5000, result: Ok(request.length_bytes) }
    });
    assert_eq!((low, high), (512 << 10, (512 << 10) + MIB));
    assert_eq!(ran.record.steps[0].bytes_written, Some(20 * MIB), "exact to the operation");
}
