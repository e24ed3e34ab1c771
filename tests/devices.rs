//! `shakedown devices`: what holds on every machine, whatever drives it has.

use serde_json::Value;

use crate::support::trial::Trial;

#[test]
fn the_list_is_a_table_or_says_that_there_is_nothing() {
    let said = Trial::new().call(["devices"]).exits(0);
    assert_eq!(said.stderr, "");
    let first = said.stdout.lines().next().expect("a line");
    let is_list = first.starts_with("device ") || first.starts_with("/dev/") || first == "no block devices";
    assert!(is_list, "{}", said.stdout);
}

#[test]
fn json_is_one_document_with_facts_and_a_verdict_for_each() {
    let trial = Trial::new();
    let said = trial.call(["devices", "--format", "json"]).exits(0);
    let document: Value = serde_json::from_str(&said.stdout).expect("one JSON document");
    assert_eq!(document["format"], "shakedown-devices-1");
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&document), ["format", "devices"]);
    for device in document["devices"].as_array().expect("a list") {
        assert_eq!(keys(device), ["facts", "verdict"]);
        assert_eq!(device["facts"]["kind"], "block-device");
        assert!(device["facts"]["capacity_bytes"].is_u64() && device["facts"]["number"].is_string(), "{device}");
    }
}
