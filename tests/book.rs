//! Every KDL fence of the README and the book goes through the checker.
//!
//! ` ```kdl ` must be accepted; ` ```kdl,refused=area/slug ` must raise that code and no other error;
//! ` ```kdl,fragment=PLACE ` is put in a small plan first, at the place that it is from.

use std::fs;
use std::path::{Path, PathBuf};

use shakedown::diag::Severity;
use shakedown::plan;
use shakedown::text::SourceFile;

struct Fence {
    place: String,
    attributes: Vec<String>,
    text: String,
}

fn pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            self::pages(&path, pages);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
}

fn fences() -> Vec<Fence> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    pages(&root.join("docs/src"), &mut files);
    files.extend(Some(root.join("README.md")).filter(|readme| readme.is_file()));
    files.sort();
    let mut fences = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("the page is readable");
        let mut open: Option<Fence> = None;
        for (index, line) in text.lines().enumerate() {
            match (&mut open, line.trim_start().strip_prefix("```")) {
                (Some(fence), None) => {
                    fence.text.push_str(line);
                    fence.text.push('\n');
                }
                (Some(_), Some(_)) => fences.extend(open.take()),
                (None, Some(kind)) => {
                    let name = file.strip_prefix(root).unwrap_or(&file).display();
                    open = Some(Fence {
                        place: format!("{name}:{}", index + 1),
                        attributes: kind.split(',').map(|part| part.trim().to_string()).collect(),
                        text: String::new(),
                    });
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a fence is not closed", file.display());
    }
    fences.retain(|fence| fence.attributes.first().is_some_and(|kind| kind == "kdl"));
    fences
}

const WORKLOADS: &str = r#"
workload "w"               { access "random"; block-size "4KiB"; read "70%"; }
workload "4k-random-read"  { access "random"; block-size "4KiB"; read "100%"; }
workload "4k-random-write" { access "random"; block-size "4KiB"; read "0%"; }
workload "8k-70-30"        { access "random"; block-size "8KiB"; read "70%"; }
workload "64k-seq-write"   { access "sequential" cursor="shared"; block-size "64KiB"; read "0%"; }
workload "open"            { access "random"; }
"#;

/// A fragment with the least around it that makes it a plan.
fn wrapped(fence: &Fence, place: &str) -> String {
    let text = &fence.text;
    let idle = "test \"wrapped\" { idle \"1s\"; }\n";
    match place {
        "top" => format!("plan \"fragment\"\n{text}\n{idle}"),
        "plan" => format!("plan \"fragment\" {{\n{text}\n}}\n{idle}"),
        "device" => format!("plan \"fragment\"\ndevice \"dut\" {{\n{text}\n}}\n{idle}"),
        "workload" => {
            format!("plan \"fragment\"\nworkload \"w\" {{\n{text}\n}}\n{idle}")
        }
        "test" => format!("plan \"fragment\"\n{WORKLOADS}\ntest \"wrapped\" {{\n{text}\n}}\n"),
        "measure" => {
            format!(
                "plan \"fragment\"\n{WORKLOADS}\ntest \"wrapped\" {{ measure \"4k-random-read\" {{\n{text}\n}}; }}\n"
            )
        }
        other => panic!("{}: no such place: {other}", fence.place),
    }
}

#[test]
fn the_plans_of_the_book_are_what_the_book_says() {
    let mut wrong = Vec::new();
    let fences = fences();
    assert!(fences.len() > 10, "only {} fences: are they still found?", fences.len());
    for fence in &fences {
        let attribute = |name: &str| {
            fence.attributes.iter().find_map(|part| part.strip_prefix(name)?.strip_prefix('=')).map(String::from)
        };
        let text = attribute("fragment").map_or(fence.text.clone(), |place| wrapped(fence, &place));
        let found = plan::load(&SourceFile::new("plan.kdl", text), &[]).diagnostics;
        let errors: Vec<&str> = found
            .all()
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|diagnostic| diagnostic.code.id())
            .collect();
        let as_said = match attribute("refused") {
            None => errors.is_empty(),
            Some(code) => !errors.is_empty() && errors.iter().all(|error| *error == code),
        };
        if !as_said {
            let messages: Vec<&str> = found.all().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            wrong.push(format!("{}: {:?} {messages:?}", fence.place, fence.attributes));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
