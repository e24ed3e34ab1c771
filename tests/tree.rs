//! The architecture page names every file of `src`, and none that is not there.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::support::pages::{collect, parts, root};

/// The entries of the page's tree as paths below `src`; a folder that is listed as one entry ends in `/`.
fn listed() -> BTreeSet<String> {
    let fences = parts(&root().join("docs/src/internals/architecture.md")).0;
    let tree = fences.iter().find(|fence| fence.text.starts_with("src/\n")).expect("the page shows the tree");
    let (mut folder, mut entries) = (String::new(), BTreeSet::new());
    for line in tree.text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let entry = line.split_whitespace().next().expect("not blank");
        match line.len() - line.trim_start().len() {
            2 if entry.ends_with('/') => folder = entry.to_string(),
            2 => assert!(entries.insert(entry.to_string()), "{entry} twice"),
            4 => assert!(entries.insert(format!("{folder}{entry}")), "{folder}{entry} twice"),
            indent => panic!("{line:?}: indented by {indent}"),
        }
        assert!(line.trim().len() > entry.len(), "{entry} has no description");
    }
    entries
}

/// The files of `src` below it. A folder's `mod.rs` is the folder itself, and tests stand beside what they test.
fn files() -> BTreeSet<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    collect(&root().join("src"), "rs", &mut files);
    let names = files.iter().map(|file| file.strip_prefix(root().join("src")).expect("in it").display().to_string());
    names.filter(|name| !["mod.rs", "tests.rs"].iter().any(|end| name.ends_with(end))).collect()
}

#[test]
fn the_architecture_page_lists_the_files_as_they_are() {
    let (listed, files) = (listed(), files());
    let folder_of = |file: &str| listed.iter().find(|entry| entry.ends_with('/') && file.starts_with(*entry)).cloned();
    let missing: Vec<&String> =
        files.iter().filter(|file| !listed.contains(*file) && folder_of(file).is_none()).collect();
    let gone: Vec<&String> =
        listed.iter().filter(|entry| !files.iter().any(|file| file == *entry || file.starts_with(*entry))).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not on the page: {missing:?}; not in the tree: {gone:?}");
}
