//! Every code that the device layer gives has its entry in the catalogue, which the device layer itself cannot know.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use shakedown::diag::code::Code;

#[test]
fn every_refusal_can_be_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/device");
    let mut given = BTreeSet::new();
    for file in ["refusal.rs", "error.rs"] {
        let text = fs::read_to_string(folder.join(file)).expect("a file of the device layer");
        given.extend(text.split('"').filter(|part| part.starts_with("device/")).map(str::to_owned));
    }
    assert!(given.contains("device/system-disk") && given.len() > 15, "{given:?}");
    let missing: Vec<&String> = given.iter().filter(|id| Code::find(id).is_none()).collect();
    assert!(missing.is_empty(), "no entry in src/diag/code for {missing:?}");
}
