//! What reading plans costs: `check` of a long plan and of every shipped one, `fmt` of a large one.
//!
//! Nothing here passes or fails; it prints: milliseconds, microseconds for each line, and how many times longer it takes
//! than the KDL parser alone on the same text.
//!
//! ```text
//! cargo bench --bench plan -- --lines 10000 --rounds 5
//! ```
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use kdl::KdlDocument;
use shakedown::clock::{Clock as _, RealClock};
use shakedown::diag::{Look, render};
use shakedown::schedule::{History, check_state, expand};
use shakedown::text::SourceFile;
use shakedown::{lang, plan};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let (mut lines, mut rounds) = (10_000, 5);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--lines" => lines = value()?.parse::<usize>()?.max(100),
            "--rounds" => rounds = value()?.parse::<usize>()?.max(1),
            // cargo itself passes this one.
            "--bench" => {}
            other => return Err(format!("{other}: known are --lines and --rounds").into()),
        }
    }
    println!("median of {rounds}; kdl is the parser alone on the same text\n");
    println!("{:<46} {:>7} {:>9} {:>9} {:>8} {:>7}", "", "lines", "ms", "kdl ms", "us/line", "x kdl");
    for half in [lines / 2, lines] {
        measure(&format!("check, sound, {half} lines"), &long_plan(half, ""), rounds, check);
    }
    measure("check, a mistake in each test", &long_plan(lines, "queue-dept 1\n        "), rounds, check);
    measure("spell", &long_plan(lines, ""), rounds, |source| {
        if let Some(plan) = plan::load(source, &[]).plan {
            black_box(plan::spell(&plan));
        }
    });
    let mut large = String::new();
    while large.len() < 1 << 20 {
        large.push_str(&long_plan(1_000, ""));
    }
    measure("fmt, 1 MiB", &large, rounds, |source| {
        black_box(lang::format(source).is_ok());
    });
    for file in shipped()? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        measure(&format!("check {name}"), &std::fs::read_to_string(&file)?, rounds, check);
    }
    Ok(())
}

/// Everything that `check` does with a text, down to what it prints.
fn check(source: &SourceFile) {
    let loaded = plan::load(source, &[]);
    let mut found = loaded.diagnostics;
    if let Some(plan) = loaded.plan {
        let schedule = expand(&plan, None);
        found.append(plan.texts.settle(&check_state(&plan, &schedule, None, History::Unknown)));
    }
    black_box(render::text(&found, &Look::PLAIN));
}

/// One line of the table.
fn measure(name: &str, text: &str, rounds: usize, what: impl Fn(&SourceFile)) {
    let source = SourceFile::new("bench.kdl", text);
    let ours = median_ms(rounds, || what(&source));
    let parser = median_ms(rounds, || {
        black_box(KdlDocument::parse_v2(text).is_ok());
    });
    let lines = text.lines().count();
    let by_line = ours * 1_000.0 / lines.max(1) as f64;
    println!("{name:<46} {lines:>7} {ours:>9.2} {parser:>9.2} {by_line:>8.1} {:>7.2}", ours / parser);
}

fn median_ms(rounds: usize, mut what: impl FnMut()) -> f64 {
    let mut all: Vec<u64> = (0..rounds)
        .map(|_| {
            let start = RealClock.now_ns();
            what();
            RealClock.now_ns() - start
        })
        .collect();
    all.sort_unstable();
    all[all.len() / 2] as f64 / 1e6
}

/// A plan of about so many lines: workloads, a procedure, and tests that use them. `more` stands in every load.
fn long_plan(lines: usize, more: &str) -> String {
    let mut text = String::from(
        "plan \"long\" {\n    revision 1\n}\n\nparam \"depth\" 4\n\nprocedure \"fill-once\" {\n    needs \"threads\"\n    \
         fill passes=1 { block-size \"128KiB\"; threads $threads; queue-depth 8; }\n}\n",
    );
    for number in 0..(lines / 17).max(1) {
        let _ = write!(
            text,
            "\nworkload \"w{number}\" {{\n    access \"random\"\n    block-size \"8KiB\"\n    read \"70%\"\n}}\n\
             \ntest \"t{number}\" {{\n    apply \"fill-once\" threads=2 // as before\n    \
             measure \"w{number}\" {{\n        {more}matrix {{\n            threads 1 2\n            \
             queue-depth $depth 8\n        }}\n        run \"60s\"\n    }}\n}}\n"
        );
    }
    text
}

/// The plans of the repository that people run.
fn shipped() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["plans", "examples"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))? {
            files.push(entry?.path());
        }
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "kdl"));
    files.sort();
    Ok(files)
}
