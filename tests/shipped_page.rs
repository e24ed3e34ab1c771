//! The page on the shipped plans is written from the plans: `SNAPSHOTS=overwrite cargo test shipped_page`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shakedown::plan;
use shakedown::report;
use shakedown::schedule::{self, Ground};
use shakedown::units::ByteCount;

use crate::support::pages::{assert_file, read, root};
use crate::support::plans::{Checked, checked, checked_as};

/// What stands above the part that is written from the plans.
const ABOVE: &str = "# The shipped plans

The folder `plans` holds methods from print, written down with where each value comes from, and two short plans for
every day.
`shakedown check`, `expand` and `explain` work on all that this version accepts; `run` refuses by name what it cannot
carry out yet.

No plan claims to be the method that it follows.
What was printed is `(published)`, what follows from printed figures is `(inferred)`, what nobody published is
`(modelled)` or chosen, and the report says so below its tables; the evidence stands on
[a page of its own](where-from.md).
A test whose mix is modelled does not carry the name of a reviewer.
*After SNIA* means that the steps follow SNIA's specification as far as its summaries and two open programs tell them;
no result is conformant to it.

Times and bytes are what `shakedown expand` says for a drive of 1 TB (10¹² bytes) with logical blocks of 512 bytes that
moves 2 GB/s at most.
A `≥` stands where the drive's own speed decides how much longer it takes.
For your own drive:

```text
shakedown expand plans/PLAN.kdl --device dut=/dev/…
shakedown run plans/PLAN.kdl --device dut=/dev/… --destroy SERIAL
```

This page is written from the plans.
";

/// The plans in the order of the page, by what they follow.
const GROUPS: &[(&str, &[&str])] = &[
    ("Every day", &["smoke", "desktop"]),
    (
        "After StorageReview",
        &[
            "sr-fio-2015",
            "sr-fio-ri-2017",
            "mixed-8k-70-30",
            "sr-vdbench-qlc-2021",
            "sr-vdbench-ent-2024",
            "sr-fio-2025",
            "sr-cdn-2025",
        ],
    ),
    (
        "After SNIA",
        &[
            "pts-iops-enterprise",
            "pts-iops-client",
            "pts-throughput-enterprise",
            "pts-throughput-client",
            "pts-latency-enterprise",
            "pts-latency-client",
            "pts-write-saturation-enterprise",
            "pts-write-saturation-client",
            "pts-host-idle-recovery-enterprise",
            "pts-host-idle-recovery-client",
            "pts-cross-stimulus-recovery-enterprise",
            "pts-cross-stimulus-recovery-client",
            "pts-composite-block-enterprise",
            "pts-composite-block-client",
            "pts-demand-intensity-enterprise",
            "pts-demand-intensity-client",
        ],
    ),
    ("After other reviewers", &["tpu-slc-cache", "at-consistency", "toms-cache-recovery"]),
    ("After the Open Compute Project", &["ocp-mixed-rates", "ocp-trim-rate"]),
];

/// The drive of the page.
const GROUND: Ground = Ground {
    capacity: ByteCount::new(1_000_000_000_000),
    device_capacity: ByteCount::new(1_000_000_000_000),
    logical_block_bytes: 512,
    physical_block_bytes: 4096,
    is_block_device: true,
};

fn file(stem: &str) -> PathBuf {
    root().join("plans").join(stem).with_extension("kdl")
}

/// The plan with the drive's speed stated, as a person would state it.
fn with_speed(file: &Path) -> Checked {
    let text = read(file);
    let rated = text.replacen("device \"dut\" {", "device \"dut\" { at-most \"2GB/s\";", 1);
    let rated = rated.replacen("device \"dut\"\n", "device \"dut\" { at-most \"2GB/s\"; }\n", 1);
    assert_ne!(text, rated, "{}: no device", file.display());
    checked_as(file, rated)
}

/// Length and bytes as `expand` sums them up.
fn total(file: &Path) -> Option<(String, String)> {
    let (plan, _) = with_speed(file).sound?;
    let text = report::schedule_text(&schedule::expand(&plan, Some(&GROUND)), None, 80);
    let line = text.lines().find(|line| line.starts_with("total, ")).expect("a total");
    let mut cells =
        line.split("  ").map(|cell| cell.trim().trim_end_matches(['¹', '²', '³'])).filter(|c| !c.is_empty());
    let mut cell = || cells.next().expect("a cell").to_string();
    let _ = cell();
    Some((cell(), cell()))
}

/// The words that keep a plan from being accepted.
fn missing(checked: &Checked) -> String {
    let found = checked.findings();
    let words: BTreeSet<&str> = found
        .lines()
        .filter(|line| line.contains("[name/not-built-yet]"))
        .filter_map(|line| line.split('`').nth(1))
        .collect();
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn section(stem: &str) -> String {
    let file = file(stem);
    let checked = checked(&file);
    let mut text = format!("### {stem}\n\n");
    let Some((plan, schedule)) = &checked.sound else {
        text.push_str(&format!("Not accepted by this version; it needs {}.\n", missing(&checked)));
        return text;
    };
    let title = plan.header.title.as_deref().unwrap_or_default();
    text.push_str(&format!("{title}.\n\n"));
    if let Some(source) = &plan.header.source {
        text.push_str(&format!("- **Follows:** {}.\n", source));
    }
    if let Some(note) = &plan.header.note {
        text.push_str(&format!("- **Where from:** {}\n", note));
    }
    let (length, written) = total(&file).expect("sound as well with a stated speed");
    text.push_str(&format!(
        "- **A drive of 1 TB:** {length}; {written} written; {} measured cases.\n",
        schedule.measured_cases()
    ));
    for word in ["inferred", "modelled"] {
        let prefix = format!("({word}) ");
        let notes: Vec<String> = plan::provenance_notes(plan)
            .iter()
            .filter_map(|note| note.strip_prefix(&prefix).map(|note| format!("`{note}`")))
            .collect();
        if !notes.is_empty() {
            text.push_str(&format!("- **{}{}:** {}.\n", word[..1].to_uppercase(), &word[1..], notes.join("; ")));
        }
    }
    let words: BTreeSet<&str> = plan.not_run.iter().map(|word| word.word.as_str()).collect();
    if !words.is_empty() {
        let words = words.into_iter().collect::<Vec<_>>().join(", ");
        text.push_str(&format!("- **Not carried out by this version:** {words}; a run is refused.\n"));
        return text;
    }
    text.push_str(&format!("- **Run:** `shakedown run plans/{stem}.kdl --device dut=/dev/… --destroy SERIAL`\n"));
    text
}

#[test]
fn the_page_is_what_the_plans_say() {
    let mut text = String::from(ABOVE);
    for (title, plans) in GROUPS {
        text.push_str(&format!("\n## {title}\n\n| plan | length | written |\n|---|---|---|\n"));
        for stem in *plans {
            let (length, written) = total(&file(stem)).unwrap_or_else(|| ("not accepted yet".into(), "-".into()));
            text.push_str(&format!("| [{stem}](#{stem}) | {length} | {written} |\n"));
        }
        for stem in *plans {
            text.push_str(&format!("\n{}", section(stem)));
        }
    }
    assert_file(&text, &root().join("docs/src/methodology/shipped-plans.md"));
}

#[test]
fn the_page_has_every_plan() {
    let listed: BTreeSet<PathBuf> = GROUPS.iter().flat_map(|(_, plans)| plans.iter()).map(|stem| file(stem)).collect();
    let held =
        std::fs::read_dir(root().join("plans")).expect("the folder is there").map(|e| e.expect("an entry").path());
    let held: BTreeSet<PathBuf> = held.filter(|path| path.extension().is_some_and(|ending| ending == "kdl")).collect();
    assert_eq!(listed, held);
}
