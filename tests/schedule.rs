//! Plans expanded, bound and estimated: exact where the plan limits, open where nothing does.

use shakedown::diag::{Diagnostics, Severity};
use shakedown::schedule::{Action, Amount, Ground, History, Schedule, bind, check_state, expand};
use shakedown::units::{ByteCount, RunTime};

use crate::support::simulated::{ground, plan_of};

const GIB: u64 = 1 << 30;

fn plan(device: &str, setup: &str, load: &str) -> String {
    format!(
        "plan \"p\" {{ revision 1; }}\ndevice \"dut\" {{ {device} }}\nhost {{ engine \"sync\"; }}\n\
         workload \"w\" {{ access \"random\"; read \"30%\"; }}\n\
         setup {{ {setup} }}\n\
         test \"t\" {{ measure \"w\" {{ {load} }} }}\n"
    )
}

const FILL: &str = "fill passes=1 { block-size \"128KiB\"; threads 1; queue-depth 4; }";
const LOAD: &str = "block-size \"4KiB\"; threads 2; queue-depth 4; run \"60s\"";

fn expanded(text: &str, ground: Option<&Ground>) -> Schedule {
    expand(&plan_of(text).1, ground)
}

fn bound(text: &str, ground: &Ground) -> Diagnostics {
    bind(&plan_of(text).1, ground)
}

fn codes(found: &Diagnostics) -> Vec<&'static str> {
    found.all().iter().map(|finding| finding.code.id()).collect()
}

#[test]
fn the_last_axis_is_the_fastest_and_ids_name_what_differs() {
    let text = plan("", FILL, "matrix { block-size \"4KiB\" \"8KiB\"; threads 1 2; queue-depth 1 4; }; run \"1s\"");
    let schedule = expanded(&text, None);
    let ids: Vec<&str> = schedule.steps[1].action.cases().iter().map(|case| case.id.as_str()).collect();
    let expected = [
        "1T/1Q 4KiB",
        "1T/4Q 4KiB",
        "2T/1Q 4KiB",
        "2T/4Q 4KiB",
        "1T/1Q 8KiB",
        "1T/4Q 8KiB",
        "2T/1Q 8KiB",
        "2T/4Q 8KiB",
    ];
    assert_eq!(ids, expected);
    assert_eq!(schedule.measured_cases(), 8);
    let seeds: std::collections::BTreeSet<u64> =
        schedule.steps[1].action.cases().iter().map(|case| case.seed).collect();
    assert_eq!(seeds.len(), 8, "each case has its own seed");
}

#[test]
fn setup_comes_once_and_before_each_before_every_repetition() {
    let text = "plan \"p\" { revision 1; }\nworkload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n\
                setup { idle \"1s\"; }\nbefore-each { idle \"2s\"; }\n\
                test \"a\" repeat=2 { measure \"w\" { threads 1; run \"1s\"; } }\n\
                test \"b\" { measure \"w\" { threads 1; run \"1s\"; } }";
    let schedule = expanded(text, None);
    let ids: Vec<&str> = schedule.steps.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(
        ids,
        ["setup/idle", "a/before-each/idle", "a/w", "a#2/before-each/idle", "a#2/w", "b/before-each/idle", "b/w"]
    );
}

#[test]
fn the_same_input_gives_the_same_bytes_and_survives_json() {
    let text = plan("", FILL, LOAD);
    let json = |schedule: &Schedule| serde_json::to_string(schedule).expect("a schedule is JSON");
    let schedule = expanded(&text, Some(&ground(GIB)));
    assert_eq!(json(&schedule), json(&expanded(&text, Some(&ground(GIB)))));
    let back: Schedule = serde_json::from_str(&json(&schedule)).expect("reads back");
    assert_eq!(back, schedule);
}

#[test]
fn without_a_drive_a_fill_is_a_multiple_of_the_area_and_never_an_invented_figure() {
    let schedule = expanded(&plan("", FILL, LOAD), None);
    let fill = &schedule.steps[0].estimate;
    assert_eq!((fill.written.low.device_millionths, fill.time_high), (1_000_000, None));
    let load = &schedule.steps[1].estimate;
    assert_eq!((load.time_low, load.time_high), (RunTime::from_secs(60), Some(RunTime::from_secs(60))));
    assert_eq!((load.written.low, load.written.high), (Amount::NOTHING, None));
    assert!(load.written.source.as_deref().is_some_and(|source| source.contains("at-most")));
}

#[test]
fn a_stated_rate_bounds_what_time_alone_leaves_open() {
    let schedule = expanded(&plan("at-most \"500MB/s\";", FILL, LOAD), Some(&ground(10_000_000_000)));
    let fill = &schedule.steps[0].estimate;
    assert!(fill.written.is_exact());
    assert_eq!(fill.written.low.bytes.get(), 10_000_000_000 / 512 * 512);
    assert_eq!(fill.time_low.as_secs_f64().round(), 20.0);
    let load = &schedule.steps[1].estimate;
    // 60 s at that rate are 30 GB, of which the mix writes 70 %, within a block of its operations in each of 8 slots.
    assert_eq!(load.written.high, Some(Amount::bytes(ByteCount::new(21_000_000_000 + 8 * 100 * 4096))));
}

#[test]
fn byte_limits_are_exact_where_nothing_else_can_write() {
    let exact = |load: &str| {
        let text = plan("", FILL, load).replace("read \"30%\"", "read \"0%\"");
        expanded(&text, Some(&ground(GIB))).steps[1].estimate.written.clone()
    };
    let written = exact("block-size \"4KiB\"; threads 1; run written=\"1GB\"");
    assert!(written.is_exact() && written.low.bytes.get() == 1_000_000_000 && written.source.is_none(), "{written:?}");
    let written = exact("block-size \"4KiB\"; threads 1; run passes=3");
    assert!(written.is_exact() && written.low.bytes.get() == 3 * GIB, "{written:?}");
    // Time may end it earlier: then the limit is only the upper bound.
    let written = exact("block-size \"4KiB\"; threads 1; run \"60s\" written=\"1GB\"");
    assert_eq!((written.low.bytes.get(), written.high.map(|high| high.bytes.get())), (0, Some(1_000_000_000)));
    // A ramp writes too, and nothing bounds it.
    let written = exact("block-size \"4KiB\"; threads 1; ramp \"10s\"; run written=\"1GB\"");
    assert_eq!((written.low.bytes.get(), written.high), (1_000_000_000, None));
    assert!(written.source.is_some());
}

#[test]
fn a_mix_writes_its_share_within_a_block_of_operations_for_each_slot() {
    let text = plan("", FILL, "block-size \"4KiB\"; threads 2; queue-depth 2; run passes=1");
    let written = expanded(&text, Some(&ground(GIB))).steps[1].estimate.written.clone();
    let expected = GIB * 7 / 10;
    let slack = 4 * 100 * 4096;
    assert_eq!(
        (written.low.bytes.get(), written.high.map(|high| high.bytes.get())),
        (expected - slack, Some(expected + slack))
    );
}

#[test]
fn a_plan_that_fits_is_bound_without_a_word() {
    let found = bound(&plan("capacity min=\"1GB\";", FILL, LOAD), &ground(GIB));
    assert!(found.is_empty(), "{:?}", found.all());
}

#[test]
fn sizes_that_are_no_whole_blocks_are_named_with_what_would_be() {
    let native = Ground { logical_block_bytes: 4096, ..ground(GIB) };
    let text = plan("", FILL, "matrix { block-size \"512B\" \"4KiB\" \"6KiB\"; }; threads 1; run \"1s\"");
    let found = bound(&text, &native);
    assert_eq!(codes(&found), ["device/block-size", "device/block-size"]);
    let helps: Vec<&str> = found.all().iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(helps, ["use \"4KiB\"", "use \"4KiB\" or \"8KiB\""]);
    let place = found.all()[1].primary().expect("a place").span;
    assert_eq!(&text[place.start..place.end], "\"6KiB\"");
    assert!(bound(&text, &ground(GIB)).is_empty(), "512-byte blocks take all three");
}

#[test]
fn what_does_not_fit_is_refused_with_the_drives_size() {
    let small = ground(1 << 20);
    for (text, part) in [
        (plan("", "fill \"2MiB\" { block-size \"64KiB\"; threads 1; }", LOAD), "does not fit"),
        (plan("", FILL, &format!("span \"4MiB\"; {LOAD}")), "beyond the area"),
        (plan("", FILL, &format!("span \"1MiB\" offset=\"512KiB\"; {LOAD}")), "beyond the area"),
        (plan("", "fill passes=1 { block-size \"2MiB\"; threads 1; }", LOAD), "0 blocks"),
        (
            plan("", FILL, "block-size \"128KiB\"; threads 64; queue-depth 4; run \"1s\"")
                .replace("\"random\"", "\"sequential\" cursor=\"shared\""),
            "too few",
        ),
    ] {
        let found = bound(&text, &small);
        assert!(found.has_errors() && codes(&found).contains(&"device/too-small"), "{text}\n{:?}", found.all());
        assert!(found.all().iter().any(|finding| finding.message.contains(part)), "{part}: {:?}", found.all());
    }
}

#[test]
fn the_plans_capacity_binds_drives_and_not_files() {
    let text = plan("capacity min=\"400GB\";", FILL, LOAD);
    assert_eq!(codes(&bound(&text, &ground(GIB))), ["device/capacity"]);
    assert!(bound(&text, &Ground { is_block_device: false, ..ground(GIB) }).is_empty());
    let text = plan("capacity max=\"1MiB\";", FILL, LOAD);
    assert_eq!(codes(&bound(&text, &ground(GIB))), ["device/capacity"]);
}

#[test]
fn an_engine_that_nobody_named_is_warned_of_where_it_matters() {
    let unnamed = plan("", FILL, LOAD).replace("host { engine \"sync\"; }", "");
    let found = bound(&unnamed, &ground(GIB));
    assert_eq!(codes(&found), ["engine/unstated"]);
    assert_eq!(found.count(Severity::Warning), 1);
    assert!(bound(&unnamed, &Ground { is_block_device: false, ..ground(GIB) }).is_empty());
    let shallow = unnamed.replace("queue-depth 4; run", "queue-depth 1; run");
    assert!(bound(&shallow, &ground(GIB)).is_empty());
}

fn state(text: &str, history: History) -> Vec<(&'static str, Severity)> {
    let (_, plan) = plan_of(text);
    let schedule = expand(&plan, None);
    let found = check_state(&plan, &schedule, None, history);
    found.all().iter().map(|finding| (finding.code.id(), finding.severity)).collect()
}

#[test]
fn measured_reads_want_written_blocks() {
    let refused = [("state/reads-unwritten", Severity::Error)];
    let remarked = [("state/unknown", Severity::Remark)];
    let idle = "idle \"1s\"";
    assert_eq!(state(&plan("", idle, LOAD), History::Empty), refused);
    assert_eq!(state(&plan("", idle, LOAD), History::Unknown), remarked);
    assert_eq!(state(&plan("", FILL, LOAD), History::Empty), []);
    assert_eq!(state(&plan("", FILL, LOAD), History::Unknown), []);
    // Half an area and a bit is enough for no error; less is not.
    let part = |share: &str| FILL.replace("passes=1", &format!("\"{share}\""));
    assert_eq!(state(&plan("", &part("40%"), LOAD), History::Empty), refused);
    assert_eq!(state(&plan("", &part("60%"), LOAD), History::Empty), []);
    // A span inside of what was filled has no hole, however small it is.
    let inside = format!("span \"30%\"; {LOAD}");
    assert_eq!(state(&plan("", &part("40%"), &inside), History::Empty), []);
    // Also where both are given in bytes, and the drive's size is not known.
    let bytes = format!("span \"1GiB\"; {LOAD}");
    let fill = |size: &str| FILL.replace("passes=1", &format!("\"{size}\""));
    assert_eq!(state(&plan("", &fill("1GiB"), &bytes), History::Unknown), []);
    assert_eq!(state(&plan("", &fill("1GB"), &bytes), History::Unknown), remarked);
    // Writes alone read nothing.
    let writes = plan("", idle, LOAD).replace("read \"30%\"", "read \"0%\"");
    assert_eq!(state(&writes, History::Empty), []);
    // The reason for an exception stands in the plan.
    let allowed =
        plan("", idle, LOAD).replace("test \"t\" {", "test \"t\" { allow \"unwritten-reads\" because=\"to see it\";");
    assert_eq!(state(&allowed, History::Empty), []);
}

#[test]
fn a_repeated_test_is_refused_once() {
    let text = plan("", "idle \"1s\"", LOAD).replace("test \"t\" {", "test \"t\" repeat=3 {");
    assert_eq!(state(&text, History::Empty).len(), 1);
}

#[test]
fn fills_know_where_they_go() {
    let schedule = expanded(&plan("", &FILL.replace("passes=1", "\"25%\""), LOAD), Some(&ground(GIB + 100)));
    let Action::Fill(fill) = &schedule.steps[0].action else { panic!("a fill") };
    assert_eq!(schedule.area, Some(ByteCount::new(GIB)));
    assert_eq!(ground(GIB + 100).fill_region(fill).length, GIB / 4);
}

#[test]
fn limit_to_sets_the_area_of_what_follows() {
    let text = plan("", "limit-to \"25%\"; fill passes=2 { block-size \"128KiB\"; threads 1; }", LOAD);
    let without = expanded(&text, None);
    assert_eq!(without.steps[1].estimate.written.low.device_millionths, 500_000, "a quarter, twice");
    let schedule = expanded(&text, Some(&ground(GIB)));
    assert_eq!(schedule.steps[1].estimate.written.low.bytes.get(), GIB / 2);
    let areas: Vec<Option<String>> = schedule.steps.iter().map(|step| step.area.map(|area| area.to_string())).collect();
    assert_eq!(areas, [Some("25%".into()), Some("25%".into()), Some("25%".into())]);
    assert_eq!(schedule.steps[2].area_bytes, Some(ByteCount::new(GIB / 4)));
    assert!(bound(&text, &ground(GIB)).is_empty());
    assert_eq!(codes(&bound(&text.replace("25%", "2GiB"), &ground(GIB))), ["device/too-small"]);
    // What is too large for the area is refused although the device has room for it.
    let fill = text.replace("passes=2", "\"600MiB\"");
    assert_eq!(codes(&bound(&fill, &ground(GIB))), ["device/too-small"]);
}

#[test]
fn a_trim_takes_away_what_was_written_and_the_diagnostic_shows_both_places() {
    let text = plan("", &format!("{FILL}; trim \"100%\""), LOAD);
    let schedule = expanded(&text, None);
    let found = check_state(&plan_of(&text).1, &schedule, None, History::Unknown);
    assert_eq!(codes(&found), ["state/reads-unwritten"]);
    let labels: Vec<(&str, &str)> = found.all()[0]
        .labels
        .iter()
        .map(|label| (&text[label.span.start..label.span.end], label.text.as_str()))
        .collect();
    assert_eq!(
        labels,
        [("measure", "at most 0 % of the area is written here"), ("trim", "the area is empty from here on")]
    );
    let half = text.replace("\"100%\"", "\"40%\"");
    let found = check_state(&plan_of(&half).1, &expanded(&half, None), None, History::Unknown);
    assert!(found.is_empty(), "60 % are there still");
}

#[test]
fn preconditioning_that_reads_what_nothing_wrote_is_remarked_on_unless_it_is_allowed() {
    let text = plan("", "trim \"100%\"", LOAD).replace(
        "measure \"w\" {",
        "precondition \"w\" as=\"condition\" { block-size \"4KiB\"; threads 2; run passes=4; }\n measure \"w\" {",
    );
    let state = |text: &str| check_state(&plan_of(text).1, &expanded(text, None), None, History::Unknown);
    let found = state(&text);
    assert_eq!(codes(&found), ["state/conditions-unwritten"]);
    assert_eq!(found.all()[0].severity, Severity::Remark);
    let allowed = text
        .replace("test \"t\" {", "test \"t\" { allow \"unwritten-reads\" in=\"condition\" because=\"it is meant\"\n");
    assert!(state(&allowed).is_empty());
}

#[test]
fn what_is_done_before_each_test_must_fit_the_area_that_the_test_before_has_left() {
    let text = "plan \"p\"\nworkload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n\
                before-each { fill \"600MiB\" { block-size \"1MiB\"; threads 1; }; }\n\
                test \"a\" { limit-to \"25%\"; measure \"w\" { threads 1; run \"1s\"; sample \"50ms\"; }; }\n\
                test \"b\" { measure \"w\" { threads 1; run \"1s\"; sample \"50ms\"; }; }\n";
    assert_eq!(codes(&bound(text, &ground(GIB))), ["device/too-small"]);
    let alone = &text[..text.find("test \"b\"").expect("the second test")];
    assert!(bound(alone, &ground(GIB)).is_empty());
    assert_eq!(codes(&bound(&alone.replace("test \"a\"", "test \"a\" repeat=9"), &ground(GIB))), ["device/too-small"]);
}
