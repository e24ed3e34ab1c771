use crate::plan::{Loaded, Plan, Provenance, StepKind, load};
use crate::text::SourceFile;

const WORKLOAD: &str = "workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"0%\"; }\n";

fn loaded(rest: &str) -> Loaded {
    load(&SourceFile::new("a.kdl", format!("plan \"p\"\n{WORKLOAD}{rest}")), &[])
}

pub(super) fn codes(rest: &str) -> Vec<&'static str> {
    loaded(rest).diagnostics.all().iter().map(|diagnostic| diagnostic.code.id()).collect()
}

pub(super) fn plan(rest: &str) -> Plan {
    let loaded = loaded(rest);
    let said: Vec<&str> = loaded.diagnostics.all().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    loaded.plan.unwrap_or_else(|| panic!("{said:?}"))
}

/// The texts under the labels of the only diagnostic, with what they say.
pub(super) fn labels(rest: &str) -> Vec<(String, String)> {
    let loaded = loaded(rest);
    let [diagnostic] = loaded.diagnostics.all() else { panic!("{:?}", codes(rest)) };
    let text = diagnostic.source.as_ref().expect("has a text").text();
    let label = |label: &crate::diag::Label| (text[label.span.start..label.span.end].to_string(), label.text.clone());
    diagnostic.labels.iter().map(label).collect()
}

pub(super) fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

#[test]
fn a_wrong_argument_is_shown_where_it_stands_and_where_it_was_given() {
    let text = "procedure \"m\" { needs \"n\"; measure \"w\" { threads $n; run \"60s\"; }; }\n\
                test \"t\" { apply \"m\" n=\"many\"; }";
    let expected = owned(&[
        ("$n", "needs a number of threads"),
        ("\"many\"", "given here"),
        ("apply \"m\" n=\"many\"", "applied here"),
    ]);
    assert_eq!(labels(text), expected);
}

#[test]
fn a_mistake_of_the_procedure_is_said_once_however_often_it_is_applied() {
    let text = "procedure \"m\" { idle \"10\"; }\nprocedure \"n\" { measure \"w\" { threads 1; run \"60s\"; }; }\ntest \"t\" { apply \"m\"; apply \"m\"; apply \"n\"; }";
    assert_eq!(labels(text), owned(&[("\"10\"", "needs a time"), ("apply \"m\"", "applied here")]));
}

#[test]
fn steps_of_one_name_are_shown_at_their_calls() {
    let text =
        "procedure \"m\" { measure \"w\" { threads 1; run \"60s\"; }; }\ntest \"t\" { apply \"m\"; /**/apply \"m\"; }";
    let expected = [("apply \"m\"", "again here"), ("apply \"m\"", "first here"), ("\"w\"", "stands here")];
    assert_eq!(labels(text), owned(&expected));
    let fine = "procedure \"m\" { needs \"n\"; measure \"w\" as=$n { threads 1; run \"60s\"; }; }\n\
                test \"t\" { apply \"m\" n=\"a\"; apply \"m\" n=\"b\"; }";
    let labels: Vec<String> = plan(fine).tests[0].steps.iter().map(|step| step.label.clone()).collect();
    assert_eq!(labels, ["a", "b"]);
}

#[test]
fn the_annotation_of_an_argument_wins_over_that_of_the_place() {
    let threads = |procedure: &str, argument: &str| {
        let text = format!(
            "{procedure} {{ needs \"n\"; measure \"w\" {{ threads (inferred)$n; queue-depth $n; run \"60s\"; }}; }}\n\
             test \"t\" {{ {argument}; }}"
        );
        let plan = plan(&text);
        let step = &plan.tests[0].steps[0];
        let StepKind::Measure(load) = &step.kind else { panic!("a measurement") };
        let Some(threads) = load.parts[0].threads.fixed() else { panic!("no axis") };
        let Some(depth) = load.parts[0].queue_depth.fixed() else { panic!("no axis") };
        (threads.provenance, depth.provenance, step.provenance)
    };
    use Provenance::{Chosen, Imported, Inferred, Modelled, Published};
    assert_eq!(threads("procedure \"m\"", "apply \"m\" n=2"), (Inferred, Chosen, Chosen));
    assert_eq!(threads("procedure \"m\"", "apply \"m\" n=(published)2"), (Published, Published, Chosen));
    assert_eq!(threads("(modelled)procedure \"m\"", "apply \"m\" n=2"), (Inferred, Modelled, Modelled));
    assert_eq!(threads("procedure \"m\"", "(imported)apply \"m\" n=2"), (Imported, Imported, Imported));
}

#[test]
fn what_each_mistake_raises() {
    let step = "measure \"w\" { threads 1; run \"60s\"; }";
    for (text, expected) in [
        (format!("procedure \"a\" {{ title \"x\"; {step}; }}\ntest \"t\" {{ apply \"a\"; }}"), &["name/misplaced"][..]),
        (
            format!("procedure \"a\" {{ {step}; }}\ntest \"t\" {{ apply; apply \"a\" \"b\"; }}"),
            &["value/missing", "name/surplus-argument"],
        ),
        (format!("procedure \"a\" {{ {step}; }}\ntest \"t\" {{ (u8)apply \"a\"; }}"), &["name/unknown-annotation"]),
        (
            format!("procedure \"a\" {{ {step}; }}\ntest \"t\" {{ apply \"a\" {{ idle \"1s\"; }}; }}"),
            &["name/misplaced"],
        ),
        (
            format!("procedure \"a\" {{ needs \"x y\"; {step}; }}\ntest \"t\" {{ apply \"a\"; }}"),
            &["value/out-of-range"],
        ),
        (
            format!(
                "procedure \"a\" {{ needs \"x\" \"x\"; idle $x; {step}; }}\ntest \"t\" {{ apply \"a\" x=\"1s\"; }}"
            ),
            &["name/duplicate"],
        ),
        (format!("procedure \"a\" {{ idle $x; {step}; }}\ntest \"t\" {{ apply \"a\"; }}"), &["param/undefined"]),
        (format!("test \"t\" {{ {step}; apply \"a\" n=$x; }}"), &["param/undefined", "procedure/undefined"]),
        (
            format!("procedure \"a\" {{ load \"w\" {{ threads 1; }}; }}\ntest \"t\" {{ {step}; apply \"a\"; }}"),
            &["procedure/misplaced"],
        ),
        (format!("test \"t\" {{ {step}; rounds 3 {{ apply \"a\"; }}; }}"), &["procedure/undefined"]),
        ("procedure \"a\" { rounds 3 { idle \"1s\"; }; }\ntest \"t\" { apply \"a\"; }".into(), &["workload/unused"]),
        (
            "procedure \"a\" { needs \"n\"; measure \"w\" { threads $n; run \"60s\"; }; }\ntest \"t\" { idle \"1s\"; }"
                .into(),
            &["procedure/unused"],
        ),
    ] {
        assert_eq!(codes(&text), expected, "{text}");
    }
}

#[test]
fn long_chains_and_wide_trees_end() {
    let chain = |count: usize| {
        let links = (0..count).map(|at| format!("procedure \"p{at}\" {{ apply \"p{}\"; }}\n", at + 1));
        let links: String = links.collect();
        format!(
            "{links}procedure \"p{count}\" {{ measure \"w\" {{ threads 1; run \"60s\"; }}; }}\ntest \"t\" {{ apply \"p0\"; }}"
        )
    };
    assert_eq!(codes(&chain(15)), [""; 0]);
    assert_eq!(codes(&chain(16)), ["procedure/too-deep"]);
    assert_eq!(codes(&chain(2_000)), ["procedure/too-deep"]);
    let circle = chain(2_000).replace("measure \"w\" { threads 1; run \"60s\"; }", "apply \"p0\"");
    assert_eq!(codes(&circle), ["procedure/cycle", "workload/unused"]);
    let wide = (1..40).fold(String::from("procedure \"p0\" { idle \"1s\"; }\n"), |text, at| {
        format!("{text}procedure \"p{at}\" {{ apply \"p{}\"; apply \"p{}\"; }}\n", at - 1, at - 1)
    });
    assert_eq!(codes(&format!("{wide}test \"t\" {{ apply \"p13\"; }}")).first(), Some(&"procedure/too-deep"));
    let broad = format!("procedure \"p\" {{ {} }}\n", "idle \"1s\"; ".repeat(5_001));
    let text = format!("{broad}test \"t\" {{ apply \"p\"; apply \"p\"; }}");
    assert_eq!(codes(&text), ["procedure/too-large", "workload/unused"]);
}
