//! What the README and the book show is what the program does.
//!
//! ` ```kdl ` must be accepted; ` ```kdl,refused=area/slug ` must raise that code and no other error;
//! ` ```kdl,fragment=PLACE ` is put in a small plan first, at the place that it is from.
//! ` ```console ` is run, in a folder that holds `examples`, `plans`, and each ` ```kdl,file=NAME ` of the same page;
//! `$ ` begins a command, `? 1` below it is its exit code, the rest is what it prints. `[..]` stands for anything in a
//! line, `...` for any lines. `SNAPSHOTS=overwrite cargo test book` writes the output anew.

use std::os::unix::fs::symlink;
use std::path::Path;

use shakedown::diag::Severity;
use shakedown::plan;
use shakedown::text::SourceFile;
use snapbox::Data;
use snapbox::filter::NormalizeToExpected;

use crate::support::pages::{Fence, name, overwrites, pages, parts, read, root};
use crate::support::trial::Trial;

const WORKLOADS: &str = r#"
workload "w"               { access "random"; block-size "4KiB"; read "70%"; }
workload "4k-random-read"  { access "random"; block-size "4KiB"; read "100%"; }
workload "4k-random-write" { access "random"; block-size "4KiB"; read "0%"; }
workload "8k-70-30"        { access "random"; block-size "8KiB"; read "70%"; }
workload "64k-seq-write"   { access "sequential" cursor="shared"; block-size "64KiB"; read "0%"; }
workload "open"            { access "random"; }
"#;

/// A fragment with the least around it that makes it a plan.
fn wrapped(text: &str, place: &str) -> String {
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
        other => panic!("no such place: {other}"),
    }
}

/// What is wrong with a fence of KDL, if it is not what its page says.
fn wrong_plan(fence: &Fence) -> Option<String> {
    let text = fence.attribute("fragment").map_or(fence.text.clone(), |place| wrapped(&fence.text, place));
    let found = plan::load(&SourceFile::new("plan.kdl", text), &[]).diagnostics;
    let errors: Vec<&str> = found
        .all()
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| diagnostic.code.id())
        .collect();
    let as_said = match fence.attribute("refused") {
        None => errors.is_empty(),
        Some(code) => !errors.is_empty() && errors.iter().all(|error| *error == code),
    };
    let messages: Vec<&str> = found.all().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    (!as_said).then(|| format!("{messages:?}"))
}

#[test]
fn the_plans_of_the_book_are_what_the_book_says() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for page in pages() {
        for fence in parts(&page).0.iter().filter(|fence| fence.is("kdl")) {
            seen += 1;
            wrong.extend(wrong_plan(fence).map(|why| format!("{}:{}: {why}", name(&page), fence.line)));
        }
    }
    assert!(seen > 30, "only {seen} fences: are they still found?");
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// A command of a console fence, with what the page says of it.
struct Shown {
    command: String,
    code: i32,
    output: String,
}

fn commands(fence: &Fence) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for line in fence.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push(Shown { command: command.into(), code: 0, output: String::new() });
            continue;
        }
        let shown = commands.last_mut().expect("a console fence begins with a command");
        match line.strip_prefix("? ").and_then(|code| code.parse().ok()) {
            Some(code) if shown.output.is_empty() => shown.code = code,
            _ => shown.output.push_str(&format!("{line}\n")),
        }
    }
    commands
}

/// What the command does, in the shape of what is shown.
fn done(shown: &Shown, trial: &Trial) -> Shown {
    let mut words = shown.command.split_whitespace();
    assert_eq!(words.next(), Some("shakedown"), "only the program is run: {}", shown.command);
    assert!(!shown.command.contains(['|', '<', '>', '"', '\'', '$', '*']), "there is no shell: {}", shown.command);
    let arguments: Vec<&str> = words.collect();
    let is_the_same_everywhere = match arguments.first() {
        // It would write into the repository.
        Some(&"fmt") => arguments.contains(&"--check"),
        first => matches!(first, Some(&("check" | "explain" | "expand" | "--help"))),
    };
    assert!(is_the_same_everywhere, "its output depends on the machine, so it belongs in a text fence: {arguments:?}");
    // Both streams in the order in which a terminal shows them.
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let mut command = trial.command(&arguments);
    command.stdout(writer.try_clone().expect("a second end")).stderr(writer);
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let output = std::io::read_to_string(&mut reader).expect("the program writes UTF-8");
    let code = child.wait().expect("the program ends").code().expect("no signal");
    Shown { command: shown.command.clone(), code, output }
}

fn is_as_shown(done: &Shown, shown: &Shown) -> bool {
    let expected = Data::text(shown.output.trim_end().to_string());
    let actual = Data::text(done.output.trim_end().to_string());
    done.code == shown.code && NormalizeToExpected::new().redact().normalize(actual, &expected) == expected
}

/// The page's folder: what the repository has, and what the page tells to save.
fn folder(fences: &[Fence]) -> Trial {
    let mut trial = Trial::new();
    for shipped in ["examples", "plans"] {
        symlink(root().join(shipped), trial.path(shipped)).expect("a link");
    }
    for fence in fences {
        if let Some(file) = fence.attribute("file") {
            trial = trial.file(file, fence.text.as_bytes());
        }
    }
    trial
}

/// Writes what the commands of a fence print in its place.
fn rewrite(page: &Path, fence: &Fence, all: &[Shown]) {
    let text = read(page);
    let lines: Vec<&str> = text.lines().collect();
    let mut written: Vec<String> = lines[..fence.line].iter().map(ToString::to_string).collect();
    for done in all {
        written.push(format!("$ {}", done.command));
        written.extend((done.code != 0).then(|| format!("? {}", done.code)));
        written.extend(done.output.trim_end().lines().map(str::to_string));
    }
    let after = fence.line + fence.text.lines().count();
    written.extend(lines[after..].iter().map(ToString::to_string));
    std::fs::write(page, written.join("\n") + "\n").expect("the page can be written");
}

#[test]
fn the_commands_of_the_book_print_what_the_book_shows() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for page in pages() {
        let fences = parts(&page).0;
        let trial = folder(&fences);
        // From the end, so that a fence that is written anew leaves the places of the others alone.
        for fence in fences.iter().rev().filter(|fence| fence.is("console")) {
            seen += 1;
            let shown = commands(fence);
            let done: Vec<Shown> = shown.iter().map(|shown| done(shown, &trial)).collect();
            if shown.iter().zip(&done).all(|(shown, done)| is_as_shown(done, shown)) {
                continue;
            }
            if overwrites() {
                rewrite(&page, fence, &done);
                continue;
            }
            for done in done {
                let what = format!("$ {}\n? {}\n{}", done.command, done.code, done.output);
                wrong.push(format!("{}:{}: it prints\n{what}", name(&page), fence.line));
            }
        }
    }
    assert!(seen > 5, "only {seen} console fences: are they still found?");
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
