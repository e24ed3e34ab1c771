//! Every code that the device and record layers give has its entry in the catalogue, which those layers do not know.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use shakedown::diag::code::Code;

#[test]
fn every_refusal_can_be_explained() {
    let given = codes_in("src/device", &["refusal.rs", "error.rs"], &["device/"]);
    assert!(given.contains("device/system-disk") && given.len() > 15, "{given:?}");
    let given = codes_in("src/record", &["store.rs", "journal_reader.rs", "fold.rs"], &["result/", "journal/"]);
    assert!(given.contains("journal/bad-line") && given.len() > 5, "{given:?}");
}

/// The codes of these areas that the files spell, each of which must be in the catalogue.
fn codes_in(folder: &str, files: &[&str], areas: &[&str]) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut given = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(folder.join(file)).expect("a file of the layer");
        let is_code = |part: &&str| areas.iter().any(|area| part.starts_with(area));
        given.extend(text.split('"').filter(is_code).map(str::to_owned));
    }
    let missing: Vec<&String> = given.iter().filter(|id| Code::find(id).is_none()).collect();
    assert!(missing.is_empty(), "no entry in src/diag/code for {missing:?}");
    given
}
