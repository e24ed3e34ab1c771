//! Rules of loading as tables: text in, codes and places out.

use proptest::prelude::*;

use super::names::{self, Built, Place};
use super::*;
use crate::diag::Severity;
use crate::units::{Percent, QueueDepth, Threads};

const WORKLOAD: &str = "workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"70%\"; }\n";

fn loaded(text: &str) -> Loaded {
    load(&SourceFile::new("plan.kdl", text), &[])
}

fn with_sets(text: &str, sets: &[(&str, &str)]) -> Loaded {
    let sets: Vec<(String, String)> = sets.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    load(&SourceFile::new("plan.kdl", text), &sets)
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diagnostics.ordered().iter().map(|diagnostic| diagnostic.code.id()).collect()
}

/// The codes that a list of steps raises, in a plan with the workload `w`.
fn codes_of_steps(steps: &str) -> Vec<&'static str> {
    codes(&loaded(&format!(
        "plan \"p\"\n{WORKLOAD}test \"t\" {{ measure \"w\" as=\"used\" {{ threads 1; run \"1m\"; }}\n{steps}\n}}"
    )))
}

fn plan(text: &str) -> Plan {
    let loaded = loaded(text);
    let codes = codes(&loaded);
    loaded.plan.unwrap_or_else(|| panic!("refused: {codes:?}"))
}

#[test]
fn defaults_are_filled_in_and_marked() {
    let plan = plan(&format!("plan \"p\"\n{WORKLOAD}test \"t\" {{ measure \"w\" {{ threads 4; run \"1m\"; }}; }}"));
    assert_eq!((plan.header.seed.value, plan.header.seed.is_default), (defaults::SEED, true));
    assert_eq!((plan.host.engine.value, plan.host.engine.is_default), (EngineKind::Sync, true));
    assert_eq!((plan.tests[0].repeat.value, plan.tests[0].repeat.is_default), (1, true));
    let StepKind::Measure(load) = &plan.tests[0].steps[0].kind else { panic!("a measurement") };
    assert!(
        matches!(&load.parts[0].queue_depth, Setting::Fixed(depth) if depth.value == QueueDepth::ONE && depth.is_default)
    );
    assert!(
        load.ramp.is_default
            && load.sample.is_default
            && matches!(&load.parts[0].streams[0].span, Setting::Fixed(span) if span.is_default)
    );
    assert_eq!(load.sample.value, defaults::SAMPLE);
}

#[test]
fn provenance_comes_from_the_value_then_the_parameter_then_the_node() {
    let plan = plan(
        "plan \"p\"\nparam \"d\" (published)8\n(modelled)workload \"w\" { access \"random\"; block-size (chosen)\"4KiB\"; read \"70%\"; }
         test \"t\" { (inferred)measure \"w\" { threads 4; queue-depth $d; run (imported)\"1m\"; }; }",
    );
    let workload = &plan.workloads[0];
    assert_eq!(workload.parts.read.map(|read| read.provenance), Some(Provenance::Modelled));
    assert!(
        matches!(&workload.parts.block_size, Some(Sizes::One(Setting::Fixed(size))) if size.provenance == Provenance::Chosen)
    );
    let step = &plan.tests[0].steps[0];
    assert_eq!(step.provenance, Provenance::Inferred);
    let StepKind::Measure(load) = &step.kind else { panic!("a measurement") };
    assert!(matches!(&load.parts[0].threads, Setting::Fixed(threads) if threads.provenance == Provenance::Inferred));
    assert!(matches!(&load.parts[0].queue_depth, Setting::Fixed(depth) if depth.provenance == Provenance::Published));
    assert_eq!(load.run.time.map(|time| time.provenance), Some(Provenance::Imported));
}

#[test]
fn axes_keep_their_order_and_close_what_is_open() {
    let plan = plan(
        "plan \"p\"\nworkload \"w\" { access \"random\"; }
         test \"t\" { measure \"w\" { matrix { read \"0%\" \"100%\"; threads 2 1; block-size \"4KiB\"; }; run \"1m\"; }; }",
    );
    let StepKind::Measure(load) = &plan.tests[0].steps[0].kind else { panic!("a measurement") };
    let names: Vec<&str> = load.axes.iter().map(Axis::name).collect();
    assert_eq!(names, ["read", "threads", "block-size"]);
    assert_eq!(
        (&load.parts[0].streams[0].read, &load.parts[0].threads, &load.parts[0].streams[0].block_size),
        (&Setting::Axis, &Setting::Axis, &Sizes::One(Setting::Axis))
    );
    let Axis::Threads(threads) = &load.axes[1] else { panic!("threads") };
    assert_eq!(threads.iter().map(|given| given.value.get()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn steps_without_a_name_are_numbered_and_leave_names_of_loads_alone() {
    let plan = plan(&format!(
        "plan \"p\"\n{WORKLOAD}test \"t\" {{ idle \"1s\"; idle \"2s\"; measure \"w\" as=\"idle-2\" {{ threads 1; run \"1m\"; }}; idle \"3s\"; }}"
    ));
    let labels: Vec<&str> = plan.tests[0].steps.iter().map(|step| step.label.as_str()).collect();
    assert_eq!(labels, ["idle", "idle-3", "idle-2", "idle-4"]);
}

#[test]
fn ten_thousand_steps_without_a_name_are_numbered_at_once() {
    let plan = plan(&format!("plan \"p\"\ntest \"t\" {{ {} }}", "idle \"1s\"\n".repeat(9_000)));
    assert_eq!(plan.tests[0].steps.last().map(|step| step.label.as_str()), Some("idle-9000"));
}

#[test]
fn no_two_steps_have_one_name_in_the_results() {
    let step = |name: &str| format!("measure \"w\" as=\"{name}\" {{ threads 1; run \"1m\"; }}");
    let test = |name: &str, more: &str, step_name: &str| format!("test \"{name}\" {more} {{ {} }}\n", step(step_name));
    for (tests, expected) in [
        (test("a/b", "", "c") + &test("a", "", "b/c"), &["step/same-name"][..]),
        (test("a/b", "", "c") + &test("a", "", "c"), &[]),
        (test("a", "repeat=2", "x") + &test("a#2", "", "x"), &["step/same-name"]),
        (test("setup", "", "x"), &["step/same-name"]),
        (test("set #up", "", "x"), &[]),
        (test("a", "", "x\" { threads 1; run \"1m\"; }; measure \"w\" as=\"x"), &["step/same-name"]),
        (format!("before-each {{ {} }}\n", step("x")) + &test("a", "", "before-each/x"), &["step/same-name"]),
    ] {
        assert_eq!(codes(&loaded(&format!("plan \"p\"\n{WORKLOAD}{tests}"))), expected, "{tests}");
    }
}

#[test]
fn one_thread_needs_no_cursor() {
    let text = |threads: u32| {
        format!(
            "plan \"p\"\nworkload \"w\" {{ access \"sequential\"; block-size \"4KiB\"; read \"0%\"; }}
             test \"t\" {{ measure \"w\" {{ matrix {{ threads 1 {threads}; }}; run \"1m\"; }}; }}"
        )
    };
    assert_eq!(codes(&loaded(&text(2))), ["access/no-cursor"]);
    let single = text(2).replace("threads 1 2", "threads 1");
    let plan = plan(&single);
    let StepKind::Measure(load) = &plan.tests[0].steps[0].kind else { panic!("a measurement") };
    assert_eq!(load.parts[0].streams[0].access.value, Access::SequentialShared);
}

#[test]
fn what_each_mistake_raises() {
    for (steps, expected) in [
        ("fill passes=0 { block-size \"4KiB\"; threads 1; }", &["value/out-of-range"][..]),
        ("fill \"101%\" { block-size \"4KiB\"; threads 1; }", &["value/out-of-range"]),
        ("fill \"0B\" { block-size \"4KiB\"; threads 1; }", &["value/out-of-range"]),
        ("fill \"10GiB\" { block-size \"4KiB\"; threads 1; }", &[]),
        ("fill \"10s\" { block-size \"4KiB\"; threads 1; }", &["unit/wrong-kind"]),
        ("fill passes=1 on=\"device\" { block-size \"4KiB\"; threads 1; }", &[]),
        ("fill passes=1 { block-size \"4KiB\" \"8KiB\"; threads 1; }", &["matrix/several-outside"]),
        ("idle", &["value/missing"]),
        ("idle 10", &["unit/missing"]),
        ("idle \"2000d\"", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run passes=0; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run written=\"4 drive-writes\"; }", &[]),
        ("measure \"w\" { threads 1; run written=\"0 drive-writes\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run written=\"50%\"; }", &["unit/wrong-kind"]),
        ("measure \"w\" { threads 1; run steady=#true; }", &["load/never-ends", "load/no-steady-state"]),
        ("measure \"w\" { threads 1; run \"1m\"; rate \"0 IOPS\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"1m\"; rate 5; }", &["unit/missing"]),
        ("measure \"w\" { threads 1; run \"1m\"; rate \"1k IOPS\" \"2k IOPS\"; }", &["matrix/several-outside"]),
        ("measure \"w\" { threads 1; run \"1m\"; rate \"1k IOPS\"; curve \"50%\"; }", &["load/set-twice"]),
        ("measure \"w\" { threads 1; run \"1m\"; matrix { rate \"1k IOPS\" \"1k IOPS\"; }; }", &["matrix/value-twice"]),
        ("measure \"w\" { threads 1; run \"1m\"; matrix { rate \"1k IOPS\" \"2MB/s\" per=\"1TB\"; }; }", &[]),
        ("measure \"w\" { threads 1; run \"1m\"; burst on=\"1s\"; }", &["value/missing"]),
        ("measure \"w\" { threads 1; run \"1m\"; health every=\"10ms\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"1m\"; on-error \"continue\"; }", &["value/missing"]),
        ("precondition \"w\" { threads 1; run \"1m\"; expect \"iops\" above=\"1 IOPS\"; }", &["name/misplaced"]),
        ("precondition \"w\" { threads 1; run \"1m\"; curve \"50%\"; }", &["name/misplaced"]),
        (
            "measure \"w\" { threads 1; run \"1m\"; window \"a\" last=\"10s\"; window \"a\" last=\"20s\"; }",
            &["name/duplicate"],
        ),
        (
            "measure \"w\" { threads 1; run \"1h\"; steady-state \"iops\" window=\"1s\" range=\"20%\" slope=\"10%\"; }",
            &["load/sample-too-long"],
        ),
        (
            "measure \"w\" { threads 1; run \"1h\"; steady-state \"iops\" window=\"5m\" range=\"0%\" slope=\"10%\"; }",
            &["value/out-of-range"],
        ),
        ("measure \"w\" { threads 1; run \"1m\"; sample \"1us\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"5s\"; }", &["load/few-intervals"]),
        ("precondition \"w\" { threads 1; run \"5s\"; }", &[]),
        ("precondition \"w\" { threads 1; run \"1m\"; matrix { threads 1; }; }", &["name/misplaced"]),
        ("measure \"w\" { threads 1; run \"1m\"; matrix { queue-depth 1; queue-depth 2; }; }", &["name/duplicate"]),
        ("measure \"w\" { threads 1; queue-depth 2; run \"1m\"; matrix { queue-depth 1; }; }", &["load/set-twice"]),
        ("measure \"w\" { threads 1; run \"1m\"; matrix { block-size \"4KiB\" \"8KiB\"; }; }", &["load/set-twice"]),
        ("measure \"w\" { threads 1; run \"1m\"; matrix { span \"1%\" \"2%\"; }; }", &[]),
        ("measure \"w\" { threads 1; run \"1m\"; block-size { size \"4KiB\" \"rest\"; }; }", &["load/set-twice"]),
        ("measure \"w\" { threads 1; run \"1m\"; trim \"101%\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"1m\"; flush; }", &["value/missing"]),
        ("measure \"w\" { threads 1; run \"1m\"; flush every=0; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"1m\"; think-time \"0s\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"1m\"; think-time \"1ms\" after=8; }", &[]),
        ("measure \"w\" { threads 1; run \"1m\"; data; }", &["value/missing"]),
        ("measure \"w\" { threads 1; run \"1m\"; data compressible=\"0%\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 1; run \"1m\"; span \"50%\" offset=\"1GiB\"; }", &[]),
        ("measure \"w\" { threads 5000; run \"1m\"; }", &["value/out-of-range"]),
        ("measure \"w\" { threads 64; queue-depth 64; run \"1m\"; }", &[]),
        ("measure \"w\" { threads 65; queue-depth 64; run \"1m\"; }", &["load/too-many-slots"]),
        ("measure { threads 1; run \"1m\"; }", &["value/missing"]),
        ("measure \"\" { threads 1; run \"1m\"; }", &["value/out-of-range"]),
        ("allow \"everything\" because=\"x\"", &["value/out-of-range"]),
        ("allow \"unwritten-reads\" because=\" \"", &["allow/no-reason"]),
        ("allow \"unwritten-reads\" in=\"used\" because=\"x\"", &[]),
    ] {
        assert_eq!(codes_of_steps(steps), expected, "{steps}");
    }
}

#[test]
fn a_name_in_a_refused_step_counts_as_used() {
    for (steps, expected) in [
        ("for-each \"x\" { measure \"other\" { threads 1; run \"1m\"; }; }", "for-each/no-values"),
        ("precondition as=\"p\" { apply \"p\" workload=\"other\"; run \"1m\"; }", "procedure/undefined"),
        ("application \"other\"", "name/not-built-yet"),
    ] {
        let text = format!(
            "plan \"p\"\nparam \"t\" 4\n{WORKLOAD}{}test \"t\" {{ measure \"w\" {{ threads $t; run \"1m\"; }}\n{steps}\n}}",
            WORKLOAD.replace("\"w\"", "\"other\"")
        );
        assert_eq!(codes(&loaded(&text)), [expected], "{steps}");
    }
}

#[test]
fn sets_change_parameters_within_their_limits() {
    let text = format!(
        "plan \"p\"\nparam \"depth\" (published)8 {{ min 1; max 64; }}\nparam \"load\" \"w\"\n{WORKLOAD}\
         test \"t\" {{ measure $load {{ threads 1; queue-depth \"$depth\"; run \"1m\"; }}; }}"
    );
    let changed = with_sets(&text, &[("depth", "32")]).plan.expect("accepted");
    let StepKind::Measure(load) = &changed.tests[0].steps[0].kind else { panic!("a measurement") };
    // Who sets a value has chosen it, whatever the plan's own value was.
    assert!(
        matches!(&load.parts[0].queue_depth, Setting::Fixed(d) if d.value.get() == 32 && d.provenance == Provenance::Chosen)
    );
    assert!(changed.params[0].is_changed() && !changed.params[1].is_changed());
    for (set, expected) in [
        (("depth", "0"), "param/not-allowed"),
        (("depth", "65"), "param/not-allowed"),
        (("depth", "8%"), "param/wrong-kind"),
        (("load", "1m"), "param/wrong-kind"),
        (("load", "x"), "workload/undefined"),
        (("dept", "8"), "param/unknown-set"),
    ] {
        let found: Vec<&str> = with_sets(&text, &[set])
            .diagnostics
            .all()
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|diagnostic| diagnostic.code.id())
            .collect();
        assert_eq!(found, [expected], "{set:?}");
    }
    assert_eq!(codes(&with_sets(&text, &[("depth", "8"), ("depth", "9")])), ["name/duplicate"]);
}

#[test]
fn a_price_in_a_title_is_no_parameter() {
    let plan = plan("plan \"p\" { title \"$99 drives\"; }\nsetup { idle \"1s\"; }");
    assert_eq!(plan.header.title.as_deref(), Some("$99 drives"));
}

#[test]
fn a_file_without_nodes_and_one_without_steps() {
    assert_eq!(codes(&loaded("")), ["plan/missing"]);
    assert_eq!(codes(&loaded("// nothing\n")), ["plan/missing"]);
    assert_eq!(codes(&loaded("plan \"p\"")), ["plan/nothing-to-do"]);
    assert_eq!(codes(&loaded("plan \"p\"\ntset \"t\" { idle \"1s\"; }")), ["name/unknown-node"]);
    assert_eq!(codes(&loaded("plan \"p\"\nbefore-each { idle \"1s\"; }")), ["plan/nothing-to-do"]);
    assert_eq!(codes(&loaded("rig \"bench\" { drive \"dut\"; }")), ["name/not-built-yet"]);
}

#[test]
fn mistakes_come_in_the_order_of_the_text_with_a_cap_and_a_count() {
    let lines: Vec<String> = (0..60).map(|index| format!("    idle \"{index}min\"")).collect();
    let loaded = loaded(&format!("plan \"p\"\ntest \"t\" {{\n{}\n}}", lines.join("\n")));
    assert_eq!(loaded.diagnostics.count(Severity::Error), 60);
    assert_eq!(loaded.diagnostics.shown().len(), Diagnostics::SHOWN_AT_MOST);
    assert_eq!(loaded.diagnostics.hidden(), 10);
    let starts: Vec<usize> =
        loaded.diagnostics.shown().iter().filter_map(|shown| shown.primary()).map(|label| label.span.start).collect();
    assert!(starts.is_sorted());
}

/// A node of this name where `place` is, as deep in a plan as it must be.
fn at_place(name: &str, place: Place) -> Option<String> {
    let node = match name {
        "plan" => return None,
        "threads" | "queue-depth" | "revision" | "seed" => format!("{name} 1"),
        _ => format!("{name} \"x\""),
    };
    let text = match place {
        Place::Top => format!("plan \"p\"\n{node}"),
        Place::Plan => format!("plan \"p\" {{ {node}; }}"),
        Place::Param => format!("plan \"p\"\nparam \"q\" \"x\" {{ {node}; }}"),
        Place::Device => format!("plan \"p\"\ndevice \"dut\" {{ {node}; }}"),
        Place::Host => format!("plan \"p\"\nhost {{ {node}; }}"),
        Place::Workload => format!("plan \"p\"\nworkload \"w\" {{ {node}; }}"),
        Place::Setup => format!("plan \"p\"\nsetup {{ {node}; }}"),
        Place::BeforeEach => format!("plan \"p\"\nbefore-each {{ {node}; }}"),
        Place::Test => format!("plan \"p\"\ntest \"t\" {{ {node}; }}"),
        Place::Fill => format!("plan \"p\"\nsetup {{ fill passes=1 {{ {node}; }}; }}"),
        Place::Precondition => format!("plan \"p\"\nsetup {{ precondition \"w\" {{ {node}; }}; }}"),
        Place::Measure => format!("plan \"p\"\nsetup {{ measure \"w\" {{ {node}; }}; }}"),
        Place::Matrix => format!("plan \"p\"\nsetup {{ measure \"w\" {{ matrix {{ {node}; }}; }}; }}"),
        Place::Access => format!("plan \"p\"\nworkload \"w\" {{ access \"random\" {{ {node}; }}; }}"),
        Place::BlockSize => format!("plan \"p\"\nworkload \"w\" {{ block-size {{ {node}; }}; }}"),
        // Inside of words that are refused as a whole.
        _ => return None,
    };
    Some(text)
}

#[test]
fn every_word_is_decoded_or_refused_as_not_built_yet() {
    for entry in names::all() {
        for place in entry.places {
            let Some(text) = at_place(entry.name, *place) else { continue };
            let loaded = loaded(&text);
            let start = text.rfind(&format!("{} ", entry.name)).expect("it stands there");
            let named: Vec<&str> = loaded
                .diagnostics
                .all()
                .iter()
                .filter(|diagnostic| diagnostic.primary().is_some_and(|label| label.span.start == start))
                .map(|diagnostic| diagnostic.code.id())
                .filter(|code| code.starts_with("name/"))
                .collect();
            let expected: &[&str] = if entry.built != Built::NotYet { &[] } else { &["name/not-built-yet"] };
            assert_eq!(named, expected, "{} {place}", entry.name);
        }
    }
}

#[test]
fn every_property_is_taken_or_refused_as_not_built_yet() {
    for entry in names::all().filter(|entry| entry.built != Built::NotYet) {
        for place in entry.places {
            for property in entry.properties {
                let Some(text) = at_place(entry.name, *place) else { continue };
                let node = format!("{} \"x\"", entry.name);
                let text = text.replace(&node, &format!("{} {}=\"x\"", entry.name, property.name));
                let loaded = loaded(&text);
                let codes: Vec<&str> = codes(&loaded).into_iter().filter(|code| code.starts_with("name/")).collect();
                let is_refused = codes.contains(&"name/not-built-yet");
                assert_eq!(is_refused, property.built == Built::NotYet, "{text}: {codes:?}");
                assert!(!codes.contains(&"name/unknown-property"), "{text}");
            }
        }
    }
}

#[test]
fn a_fill_and_its_amount() {
    let plan = plan("plan \"p\"\nsetup { fill \"50%\" { block-size \"1MiB\"; threads 2; queue-depth 4; }; }");
    let StepKind::Fill(fill) = &plan.setup[0].kind else { panic!("a fill") };
    let half = Percent::from_parts_per_million(500_000);
    assert_eq!(fill.amount.value, FillAmount::Extent(Extent::Share(half)));
    assert_eq!((Some(fill.threads.value), fill.queue_depth.value.get()), (Threads::new(2), 4));
}

const WHOLE: &str = include_str!("../../tests/accepted/all-that-is-built.kdl");

proptest! {
    #[test]
    fn any_text_is_a_plan_or_diagnostics(text in ".{0,200}") {
        let loaded = loaded(&text);
        prop_assert_eq!(loaded.plan.is_none(), loaded.diagnostics.has_errors());
    }

    #[test]
    fn a_plan_with_a_piece_cut_out_or_doubled_never_panics(start in 0..WHOLE.len(), length in 0..60usize, doubled: bool) {
        let floor = |mut at: usize| { while !WHOLE.is_char_boundary(at) { at -= 1; } at };
        let (start, end) = (floor(start), floor((start + length).min(WHOLE.len())));
        let (start, end) = (start.min(end), end);
        let middle = if doubled { WHOLE[start..end].repeat(2) } else { String::new() };
        let loaded = loaded(&format!("{}{middle}{}", &WHOLE[..start], &WHOLE[end..]));
        prop_assert_eq!(loaded.plan.is_none(), loaded.diagnostics.has_errors());
        for diagnostic in loaded.diagnostics.all() {
            prop_assert!(!diagnostic.message.is_empty());
        }
    }

    #[test]
    fn a_plan_with_one_word_exchanged_never_panics(index in 0..400usize, word in 0..200usize) {
        let words: Vec<&str> = WHOLE.split_inclusive(' ').collect();
        let all: Vec<&str> = names::all().map(|entry| entry.name).collect();
        let exchanged = format!("{} ", all[word % all.len()]);
        let index = index % words.len();
        let text: String = words.iter().enumerate().map(|(at, old)| if at == index { exchanged.as_str() } else { old }).collect();
        let loaded = loaded(&text);
        prop_assert_eq!(loaded.plan.is_none(), loaded.diagnostics.has_errors());
    }
}

#[test]
fn loads_with_all_their_words_spell_themselves() {
    let text = "plan \"p\"
        workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }
        workload \"s\" { access \"sequential\" cursor=\"shared\"; block-size \"1MiB\"; read \"0%\"; }
        test \"t\" {
            precondition \"w\" as=\"settle\" {
                threads 4; run \"24h\" written=(published)\"4 drive-writes\" steady=#true; sample \"60s\"
                steady-state \"iops\" window=(published)\"30m\" range=\"20%\" slope=\"10%\"
            }
            measure as=\"mix\" {
                load \"w\" as=\"paced\" { threads 1; rate (published)\"68MiB/s\" per=\"1TB\"; arrivals \"poisson\"; }
                load \"s\" { threads 1; start \"continue\"; burst on=\"1s\" off=\"2s\"; }
                run \"1h\"; window \"end\" last=\"400s\"; window \"first\" from=\"0s\" to=\"1m\"; health every=\"10s\"
                expect \"paced.end.response.p99\" below=\"5ms\"
                expect \"throughput\" at-least=\"68MiB/s\" at-most=\"1GiB/s\" per=\"1TB\" window=\"end\"
                on-error \"continue\" max=10; on-interruption \"continue\"
            }
            measure \"w\" as=\"curve\" { threads 4; curve from=\"10%\" to=\"120%\" step=\"10%\" stop-above=\"5ms\"; run \"30s\"; }
            measure \"w\" as=\"rates\" {
                threads 4; run \"30s\"
                matrix { rate (published)\"1k IOPS\" \"2k IOPS\" per=\"1TB\"; skip \"unsupported-block-size\"; }
            }
        }";
    let once = spell(&plan(text));
    let twice = spell(&plan(&once));
    assert_eq!(twice, spell(&plan(&twice)));
    let said = |text: &str| {
        let lines = text.lines().map(|line| line.split("    // ").next().unwrap_or(line).to_string());
        lines.collect::<Vec<String>>()
    };
    assert_eq!(said(&once), said(&twice));
    for kept in [
        "written=(published)\"4 drive-writes\" steady=#true",
        "load \"w\" as=\"paced\"",
        "on-error \"continue\" max=10",
    ] {
        assert!(once.contains(kept), "{kept} in {once}");
    }
}
