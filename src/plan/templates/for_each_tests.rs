use super::tests::{codes, labels, owned, plan};
use crate::plan::{Plan, Provenance, StepKind, spell};
use crate::text::SourceFile;

const LOAD: &str = "measure \"w\" { threads 1; run \"60s\"; }";

fn step_labels(plan: &Plan) -> Vec<&str> {
    plan.tests[0].steps.iter().map(|step| step.label.as_str()).collect()
}

#[test]
fn the_steps_are_done_for_every_value_in_order_and_named_by_it() {
    let text = "test \"t\" { fill passes=1 { block-size \"1MiB\"; threads 1; }\nfor-each \"pause\" \"30s\" \"5m\" { idle $pause; measure \"w\" as=\"again\" { threads 1; run \"60s\"; }; idle \"1s\"; }\nidle \"2s\"; }";
    let plan = plan(text);
    let expected = [
        "fill",
        "idle pause=30s",
        "again pause=30s",
        "idle-2 pause=30s",
        "idle pause=5m",
        "again pause=5m",
        "idle-2 pause=5m",
        "idle",
    ];
    assert_eq!(step_labels(&plan), expected);
    let step = &plan.tests[0].steps[2];
    assert_eq!((step.name(), &step.variant), ("again", &vec![("pause".to_string(), "30s".to_string())]));
    let StepKind::Idle(time) = &plan.tests[0].steps[4].kind else { panic!("an idle time") };
    assert_eq!(time.value.as_nanos(), 300_000_000_000);
}

#[test]
fn lists_stand_in_each_other_and_in_procedures_and_take_parameters_and_arguments() {
    let text = "param \"large\" \"64KiB\"\nworkload \"open\" { access \"random\"; read \"0%\"; }\n\
        procedure \"sweep\" { needs \"deep\"; for-each \"depth\" 1 $deep { measure \"open\" as=\"mix\" { block-size \"4KiB\"; threads 1; queue-depth $depth; run \"60s\"; }; }; }\n\
        test \"t\" { for-each \"size\" \"4KiB\" $large { for-each \"threads\" 1 2 { measure \"open\" { block-size $size; threads $threads; run \"60s\"; }; }; apply \"sweep\" deep=8; }; }\n\
        test \"u\" { measure \"w\" { threads 1; run \"60s\"; }; }";
    let plan = plan(text);
    let expected = [
        "open size=4KiB threads=1",
        "open size=4KiB threads=2",
        "mix size=4KiB depth=1",
        "mix size=4KiB depth=8",
        "open size=64KiB threads=1",
        "open size=64KiB threads=2",
        "mix size=64KiB depth=1",
        "mix size=64KiB depth=8",
    ];
    assert_eq!(step_labels(&plan), expected);
}

#[test]
fn a_plan_with_lists_is_spelled_out_with_the_same_names() {
    let text = "test \"t\" { allow \"unwritten-reads\" in=\"again\" because=\"meant\"; for-each \"size\" \"4KiB\" \"8KiB\" { for-each \"pause\" \"30s\" \"5m\" { idle $pause; measure \"open\" as=\"again\" { block-size $size; threads 1; run \"60s\"; }; }; idle \"1s\"; }; idle \"1s\"; }\nworkload \"open\" { access \"random\"; read \"0%\"; }\nsetup { measure \"w\" { threads 1; run \"60s\"; }; }";
    let first = plan(text);
    let spelled = spell(&first);
    let again = crate::plan::load(&SourceFile::new("b.kdl", spelled.clone()), &[]);
    let said: Vec<&str> = again.diagnostics.all().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert!(said.is_empty(), "{said:?}\n{spelled}");
    let again = again.plan.expect("a plan");
    assert_eq!(step_labels(&first), step_labels(&again));
    let variants = |plan: &Plan| plan.tests[0].steps.iter().map(|step| step.variant.clone()).collect::<Vec<_>>();
    assert_eq!(variants(&first), variants(&again));
    let written = |spelled: &str| spelled.replace("    // default", "");
    assert_eq!(written(&spell(&again)), written(&spelled));
}

#[test]
fn the_annotation_of_a_value_wins_over_that_of_the_place_and_of_the_whole() {
    let origins = |list: &str, place: &str| {
        let text = format!(
            "test \"t\" {{ {list} {{ measure \"w\" {{ threads 1; queue-depth {place}$n; run \"60s\"; }}; }}; }}"
        );
        let plan = plan(&text);
        let steps = plan.tests[0].steps.iter().map(|step| {
            let StepKind::Measure(load) = &step.kind else { panic!("a measurement") };
            let Some(depth) = load.parts[0].queue_depth.fixed() else { panic!("no axis") };
            (step.provenance, depth.provenance)
        });
        steps.collect::<Vec<_>>()
    };
    use Provenance::{Chosen, Inferred, Published};
    let list = "for-each \"n\" (published)1 2";
    assert_eq!(origins(list, ""), [(Chosen, Published), (Chosen, Chosen)]);
    assert_eq!(origins(list, "(inferred)"), [(Chosen, Published), (Chosen, Inferred)]);
    let whole = "(published)for-each \"n\" 1 (inferred)2";
    assert_eq!(origins(whole, ""), [(Published, Published), (Published, Inferred)]);
}

#[test]
fn a_mistake_names_the_value_that_it_comes_from_and_no_other() {
    let text = "test \"t\" { for-each \"n\" 1 \"many\" { measure \"w\" { threads $n; run \"60s\"; }; }; }";
    assert_eq!(labels(text), owned(&[("$n", "needs a number of threads"), ("\"many\"", "for this value")]));
    let text = "test \"t\" { for-each \"n\" 1 2 { measure \"w\" as=\"m\" { threads $n; run \"60\"; }; }; }";
    assert_eq!(labels(text), owned(&[("\"60\"", "needs a time")]));
    let text = "procedure \"p\" { needs \"a\"; for-each \"n\" 1 $a { measure \"w\" { threads $n; run \"60s\"; }; }; }\n\
                test \"t\" { apply \"p\" a=0; }";
    let expected = [
        ("$n", "must be at least 1"),
        ("$a", "for this value"),
        ("0", "given here"),
        ("apply \"p\" a=0", "applied here"),
    ];
    assert_eq!(labels(text), owned(&expected));
}

#[test]
fn what_each_mistake_raises() {
    for (text, expected) in [
        (format!("test \"t\" {{ for-each {{ {LOAD}; }}; }}"), &["value/missing"][..]),
        (format!("test \"t\" {{ for-each \"n\" {{ {LOAD}; }}; }}"), &["for-each/no-values"]),
        (format!("test \"t\" {{ for-each \"x y\" 1 {{ {LOAD}; }}; }}"), &["value/out-of-range"]),
        (format!("test \"t\" {{ for-each $n 1 {{ {LOAD}; }}; }}"), &["value/out-of-range"]),
        (format!("test \"t\" {{ {LOAD}; for-each \"n\" 1; }}"), &["for-each/no-steps"]),
        (format!("test \"t\" {{ {LOAD}; for-each \"n\" \"60s\" \"1m\" {{ idle $n; }}; }}"), &["for-each/value-twice"]),
        (format!("test \"t\" {{ {LOAD}; for-each \"n\" 1 \"1\" {{ idle $n; }}; }}"), &["for-each/value-twice"]),
        (format!("test \"t\" {{ for-each \"n\" 1 2 {{ {LOAD}; }}; }}"), &["for-each/unused-name"]),
        (format!("test \"t\" {{ for-each \"n\" 1 {{ {LOAD}; }}; }}"), &[]),
        (format!("test \"t\" {{ {LOAD}; for-each \"n\" #null \" a\" {{ idle $n; }}; }}"), &["value/out-of-range"; 2]),
        (format!("test \"t\" {{ {LOAD}; for-each \"n\" \"1s\" x=1 {{ idle $n; }}; }}"), &["name/misplaced"]),
        (format!("test \"t\" {{ {LOAD}; for-each \"n\" (u8)\"1s\" {{ idle $n; }}; }}"), &["name/unknown-annotation"]),
        (format!("test \"t\" {{ {LOAD}; (u8)for-each \"n\" \"1s\" {{ idle $n; }}; }}"), &["name/unknown-annotation"]),
        (format!("test \"t\" {{ for-each \"n\" 1 {{ title \"x\"; {LOAD}; }}; }}"), &["name/misplaced"]),
        (format!("test \"t\" {{ {LOAD}; idle $n; for-each \"n\" \"1s\" {{ idle $n; }}; }}"), &["param/undefined"]),
        (
            format!("test \"t\" {{ {LOAD}; for-each \"n\" \"1s\" {{ for-each \"n\" \"2s\" {{ idle $n; }}; }}; }}"),
            &["name/shadowed"],
        ),
        (
            format!(
                "procedure \"p\" {{ needs \"n\"; for-each \"n\" \"1s\" {{ idle $n; }}; }}\ntest \"t\" {{ {LOAD}; apply \"p\" n=1; }}"
            ),
            &["name/shadowed"],
        ),
        (
            format!(
                "procedure \"p\" {{ for-each \"n\" \"1s\" {{ idle $n; }}; }}\ntest \"t\" {{ {LOAD}; for-each \"n\" \"2s\" {{ idle $n; apply \"p\"; }}; }}"
            ),
            &["name/shadowed"],
        ),
        (
            format!(
                "procedure \"p\" {{ needs \"x\"; for-each \"n\" $x {{ idle $n; }}; }}\ntest \"t\" {{ {LOAD}; apply \"p\"; }}"
            ),
            &["procedure/missing-argument"],
        ),
        (
            format!("procedure \"p\" {{ for-each \"n\" 1 {{ idle $n; }}; }}\ntest \"t\" {{ {LOAD}; }}"),
            &["procedure/unused", "unit/missing"],
        ),
        (
            format!(
                "test \"t\" {{ {LOAD}; for-each \"n\" 1 {{ measure \"w\" {{ threads $n; run \"60s\"; }}; }}; for-each \"n\" 1 {{ measure \"w\" {{ threads $n; run \"60s\"; }}; }}; }}"
            ),
            &["step/same-name"],
        ),
        (
            format!(
                "test \"t\" {{ allow \"unwritten-reads\" in=\"w n=2\" because=\"x\"; for-each \"n\" 1 {{ {LOAD}; }}; }}"
            ),
            &["step/undefined"],
        ),
        (
            format!(
                "test \"t\" {{ allow \"unwritten-reads\" in=\"w n=1\" because=\"x\"; for-each \"n\" 1 {{ {LOAD}; }}; }}"
            ),
            &[],
        ),
    ] {
        assert_eq!(codes(&text), expected, "{text}");
    }
}

#[test]
fn lists_multiply_and_stay_within_bounds() {
    let values: String = (0..101).map(|value| format!(" {value}")).collect();
    let text = format!(
        "test \"t\" {{ {LOAD}; for-each \"a\"{values} {{ for-each \"b\"{values} {{ idle $a; idle $b; }}; }}; }}"
    );
    assert_eq!(codes(&text), ["procedure/too-large"]);
    // Without a single step, too: each value of the outer list makes a new stretch.
    let nested =
        (0..8).fold(String::from("apply \"p\""), |inner, at| format!("for-each \"n{at}\"{values} {{ {inner}; }}"));
    let text = format!("procedure \"p\" {{ idle \"1s\"; }}\ntest \"t\" {{ {LOAD}; {nested}; }}");
    assert_eq!(codes(&text).first(), Some(&"for-each/unused-name"));
    assert!(codes(&text).contains(&"procedure/too-large"));
    let in_procedures = (1..12).fold(String::from("procedure \"p0\" { idle \"1s\"; }\n"), |text, at| {
        format!("{text}procedure \"p{at}\" {{ for-each \"n\"{values} {{ apply \"p{}\"; idle \"1s\"; }}; }}\n", at - 1)
    });
    assert!(codes(&format!("{in_procedures}test \"t\" {{ apply \"p11\"; }}")).contains(&"procedure/too-large"));
}
