//! Every `kdl` fence of the book, of the README and of CONTRIBUTING: what the pages show must be true.
//!
//! A plain `kdl` fence checks as a whole plan. `kdl,refused=CODE` is refused with that code and no other.
//! `kdl,fragment=test` holds the steps of one test and is wrapped in [`WRAPPER`]. Nothing else may follow `kdl`.

use std::fs;
use std::path::{Path, PathBuf};

use shakedown::diag::{Code, Look, Severity, render};
use shakedown::plan;
use shakedown::text::SourceFile;

/// What stands around a fragment; `STEPS` is replaced by it.
const WRAPPER: &str = "plan \"fragment\" { title \"A fragment of the book\"; }
device \"dut\" { }
host { engine \"sync\"; }
workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"70%\"; }
test \"fragment\" {
STEPS
}
";

/// A fence with its place.
struct Fence {
    page: PathBuf,
    line: usize,
    info: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md"].iter().map(|name| root().join(name)).filter(|page| page.is_file()).collect();
    let mut folders = vec![root().join("docs/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the book is there") {
            let path = entry.expect("an entry of a folder").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "md" => pages.push(path),
                _ => {}
            }
        }
    }
    pages.sort();
    pages
}

/// All fences of a page; an unclosed one is a mistake of the page.
fn fences_of(page: &Path) -> Vec<Fence> {
    let text = fs::read_to_string(page).expect("a page is UTF-8");
    let mut fences = Vec::new();
    let mut open: Option<Fence> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                let info = info.trim().to_string();
                open = Some(Fence { page: page.to_path_buf(), line: index + 1, info, text: String::new() });
            }
            (Some(_), Some(_)) => fences.extend(open.take()),
            (None, Some(fence)) => {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{}: a fence is not closed", page.display());
    fences
}

/// What is wrong with a fence; nothing where it holds what it promises.
fn fault(fence: &Fence) -> Option<String> {
    let (text, refused) = match fence.info.strip_prefix("kdl").unwrap_or_default() {
        "" => (fence.text.clone(), None),
        ",fragment=test" => (WRAPPER.replace("STEPS", &fence.text), None),
        other => match other.strip_prefix(",refused=") {
            Some(code) if Code::find(code).is_none() => return Some(format!("there is no code {code}")),
            Some(code) => (fence.text.clone(), Some(code)),
            None => return Some("a kdl fence is plain, refused=CODE or fragment=test".to_string()),
        },
    };
    let loaded = plan::load(&SourceFile::new("book.kdl", text), &[]);
    // What the book shows draws no warning either; remarks depend on what a reader has at hand.
    let found = loaded.diagnostics.all().iter().filter(|found| found.severity != Severity::Remark);
    let codes: Vec<&str> = found.map(|found| found.code.id()).collect();
    let is_right = match refused {
        None => codes.is_empty() && loaded.plan.is_some(),
        Some(code) => codes == [code],
    };
    (!is_right).then(|| render::text(&loaded.diagnostics, &Look::PLAIN))
}

#[test]
fn every_plan_in_the_book_is_what_its_fence_says() {
    let fences: Vec<Fence> = pages().iter().flat_map(|page| fences_of(page)).collect();
    let kdl: Vec<&Fence> = fences.iter().filter(|fence| fence.info.starts_with("kdl")).collect();
    assert!(!kdl.is_empty(), "the book shows no plan at all");
    let faults: Vec<String> = kdl
        .iter()
        .filter_map(|fence| {
            Some(format!("{}:{} ({})\n{}", fence.page.display(), fence.line, fence.info, fault(fence)?))
        })
        .collect();
    assert!(faults.is_empty(), "{} fences are wrong:\n{}", faults.len(), faults.join("\n"));
}
