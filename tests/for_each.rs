//! `for-each` from a plan to its tables: the value names the steps, and stays with them as data.

use serde_json::{Value, json};

use crate::support::trial::Trial;

const PLAN: &str = r#"
plan "p"
param "deep" 4
workload "w" { access "random"; block-size "4KiB"; read "0%"; }
test "t" {
    for-each "depth" 1 $deep {
        idle "1ms"
        measure "w" as="mix" { threads 1; queue-depth $depth; run written="1MiB"; }
    }
}
"#;

#[test]
fn a_run_names_its_steps_by_the_values_and_a_report_gives_them_as_data() {
    let trial = Trial::new().plan(PLAN);
    let said = trial.call(["run", "plan.kdl", "--scratch", "16MiB", "--set", "deep=8"]).exits(0);
    for part in ["mix depth=1", "mix depth=8"] {
        assert!(said.stdout.contains(part), "{part} in\n{}", said.stdout);
    }
    let folder = trial.result();
    let arguments = ["report".as_ref(), folder.as_os_str(), "--format".as_ref(), "json".as_ref()];
    let report: Value = serde_json::from_str(&trial.call(arguments).exits(0).stdout).expect("JSON");
    let steps = report["steps"].as_array().expect("steps").iter();
    let steps: Vec<Value> = steps.map(|step| json!([step["id"], step["label"], step["variant"]])).collect();
    let expected = [("idle", "1"), ("mix", "1"), ("idle", "8"), ("mix", "8")].map(|(name, depth)| {
        let label = format!("{name} depth={depth}");
        json!([format!("t/{label}"), label, [["depth", depth]]])
    });
    assert_eq!(steps, expected);
}

#[test]
fn a_plan_that_is_spelled_out_expands_to_the_same_schedule() {
    let trial = Trial::new().plan(PLAN);
    let spelled = trial.call(["explain", "plan.kdl"]).exits(0).stdout;
    let again = Trial::new().plan(&spelled);
    again.call(["check", "--deny-warnings", "plan.kdl"]).exits(0);
    let schedule = |trial: &Trial| {
        let said = trial.call(["expand", "plan.kdl", "--format", "json"]).exits(0);
        let mut document: Value = serde_json::from_str(&said.stdout).expect("JSON");
        for step in document["schedule"]["steps"].as_array_mut().expect("steps") {
            // The text is another one.
            step.as_object_mut().expect("an object").remove("place");
        }
        document
    };
    assert_eq!(schedule(&trial), schedule(&again));
}
