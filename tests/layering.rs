//! The import rule and the absences of the architecture page, as data, checked on the source text.
//!
//! Comments, strings and everything under `#[cfg(test)]` are taken out before a rule looks, so tests may be looser.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules and their layers. A module may use its own folder and any lower layer, minus what [`NEVER`] takes away.
const LAYERS: &[(&str, u32)] = &[
    ("units", 0),
    ("text", 0),
    ("clock", 0),
    ("diag", 1),
    ("lang", 2),
    ("plan", 3),
    ("device", 3),
    ("measure", 3),
    ("schedule", 4),
    ("event", 5),
    ("diff", 5),
    ("engine", 5),
    ("run", 6),
    ("record", 6),
    ("report", 7),
    ("lsp", 7),
    ("cli", 8),
];

/// Lower layers that a module must not know all the same, and why.
const NEVER: &[(&str, &[&str], &str)] = &[
    ("diag", &["units", "clock"], "a diagnostic knows text and places, not meaning"),
    ("lang", &["clock"], "a text is the same at any time"),
    ("plan", &["clock"], "a plan is the same at any time"),
    ("device", &["text", "clock", "diag", "lang"], "a drive knows nothing of plans, and time is handed to it"),
    ("measure", &["text", "clock", "diag", "lang"], "a number does not know where it comes from"),
    ("schedule", &["clock", "lang"], "a schedule is the same at any time, and has no syntax"),
    ("engine", &["text", "diag", "lang", "plan", "schedule"], "the engine knows loads, not plans"),
    ("event", &["lang", "plan", "clock"], "events are plain data, read back without the plan"),
    ("diff", &["device", "measure", "lang", "clock"], "what differs is known from the two plans alone"),
    ("run", &["lang"], "a run has a schedule, not a syntax"),
    ("record", &["lang", "plan", "engine"], "a record is folded from events alone"),
    ("report", &["lang", "engine", "run", "clock"], "a report is a function of records and schedules"),
    ("lsp", &["device", "measure", "engine", "event", "run", "record", "clock"], "an editor asks about texts alone"),
];

/// Words that only some places may use: the word, those places (file or folder below `src/`), and why.
const ONLY_IN: &[(&str, &[&str], &str)] = &[
    ("println!", &["cli", "main.rs"], "only the command line prints"),
    ("eprintln!", &["cli", "main.rs"], "only the command line prints"),
    ("print!", &["cli", "main.rs"], "only the command line prints"),
    ("eprint!", &["cli", "main.rs"], "only the command line prints"),
    ("dbg!", &[], "left over from a search for a mistake"),
    ("todo!", &[], "no stub"),
    ("unimplemented!", &[], "no stub"),
    ("process::exit", &["main.rs"], "one place ends the program"),
    ("Instant::now", &["clock"], "time is handed in"),
    ("SystemTime::now", &["clock", "cli"], "time is handed in"),
    ("kdl::", &["lang"], "one place knows the parser"),
    ("miette::", &["diag"], "one place knows how diagnostics are drawn"),
    ("tabled::", &["report"], "one place draws tables"),
    ("clap::", &["cli"], "one place knows the command line"),
    ("indicatif::", &["cli"], "one place draws progress"),
    ("gen_lsp_types::", &["lsp"], "one place knows the editors' protocol"),
    ("gpt::", &["device"], "one place knows partition tables"),
    ("ioctl", &["device", "engine"], "commands to a device come from two places"),
    ("pread", &["engine", "device/raw_io.rs"], "data moves in the engine; the device looks at samples in one file"),
    ("pwrite", &["engine", "device/raw_io.rs"], "data moves in the engine; the device looks at samples in one file"),
    ("read_at", &["engine", "device/raw_io.rs"], "data moves in the engine; the device looks at samples in one file"),
    (
        "read_exact_at",
        &["engine", "device/raw_io.rs"],
        "data moves in the engine; the device looks at samples in one file",
    ),
    ("write_at", &["engine", "device/raw_io.rs"], "data moves in the engine; the device looks at samples in one file"),
    (
        "write_all_at",
        &["engine", "device/raw_io.rs"],
        "data moves in the engine; the device looks at samples in one file",
    ),
    ("unsafe", &["engine", "device/raw_io.rs"], "unsafe is a small room"),
    // The generator's own share of the processor is only to be had from within its threads.
    ("std::fs", &["device", "record", "cli", "engine/generator.rs"], "plans, schedules and reports do no I/O"),
    ("std::net", &[], "nothing talks to a network"),
    ("rayon::", &["record", "report", "engine/buffer.rs"], "no work stealing while workers are pinned"),
];

/// Text in strings that only some places may hold.
const STRINGS_ONLY_IN: &[(&str, &[&str], &str)] = &[
    ("\"/sys/", &["device"], "one place reads the kernel's files"),
    ("\"/proc/", &["device", "engine/generator.rs"], "one place reads the kernel's files"),
];

/// The longest file, in lines without tests.
const LONGEST_FILE: usize = 400;

/// Files that are still longer, below `src/`, and the most they may have. This list may only shrink.
const LONGER_FILES: &[(&str, usize)] = &[("plan/model.rs", 420)];

/// The headings under each version of the changelog.
const CHANGELOG_HEADINGS: [&str; 5] = ["Breaking", "Language", "Results format", "Added", "Fixed"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the project").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// One source file, as the rules see it.
struct Source {
    /// Below `src/`.
    path: String,
    /// Without comments, with strings, without tests.
    with_strings: String,
    /// Without comments, strings and tests.
    code: String,
}

/// All files under `src/` that are not test files.
fn sources() -> Vec<Source> {
    let source = root().join("src");
    let texts: BTreeMap<PathBuf, String> =
        rust_files(&source).into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a file"))).collect();
    // `#[cfg(test)] mod name;` makes a whole file, or a folder, a test.
    let test_files: Vec<PathBuf> = texts.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    texts
        .iter()
        .filter(|(path, _)| !test_files.iter().any(|test| path.starts_with(test) || path.with_extension("") == *test))
        .map(|(path, text)| Source {
            path: path.strip_prefix(&source).expect("below src").display().to_string(),
            with_strings: without_tests(&strip(text, true)),
            code: without_tests(&strip(text, false)),
        })
        .collect()
}

/// Files, without their ending, that `text` declares as test modules.
fn test_modules(path: &Path, text: &str) -> Vec<PathBuf> {
    let is_folder = path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs" || name == "main.rs");
    let folder = if is_folder { path.parent().expect("below src").to_path_buf() } else { path.with_extension("") };
    let code = strip(text, false);
    code.split("#[cfg(test)]")
        .skip(1)
        .filter_map(|rest| {
            rest.trim_start().strip_prefix("mod ")?.split_once(';').map(|(name, _)| name.trim().to_owned())
        })
        .filter(|name| name.chars().all(|sign| sign.is_alphanumeric() || sign == '_'))
        .map(|name| folder.join(name))
        .collect()
}

/// The text without comments and, unless kept, without what stands in strings and characters. Lines stay lines.
fn strip(text: &str, keep_strings: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, is_string) = token_length(rest);
        let (token, after) = rest.split_at(length);
        let is_comment = token.starts_with("//") || token.starts_with("/*");
        if is_comment || (is_string && !keep_strings) {
            out.push_str(if is_string { "\"\"" } else { " " });
            out.extend(token.chars().filter(|sign| *sign == '\n'));
        } else {
            out.push_str(token);
        }
        debug_assert!(length >= first.len_utf8());
        rest = after;
    }
    out
}

/// The length in bytes of the comment, string or single sign at the start, and whether it is a string or character.
fn token_length(text: &str) -> (usize, bool) {
    let until = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        return (text.find('\n').unwrap_or(text.len()), false);
    }
    if text.starts_with("/*") {
        return (until(2, "*/"), false);
    }
    let raw = text.trim_start_matches('b');
    if let Some(hashes) = raw.strip_prefix('r').filter(|_| text.len() - raw.len() <= 1) {
        let count = hashes.len() - hashes.trim_start_matches('#').len();
        if hashes[count..].starts_with('"') {
            let start = text.len() - raw.len() + 1 + count + 1;
            return (until(start, &format!("\"{}", "#".repeat(count))), true);
        }
    }
    if text.starts_with('"') {
        return (end_of_quoted(text, '"'), true);
    }
    // A character, not a lifetime: a backslash follows, or a quote comes right after one sign.
    if text.starts_with('\'') && (text[1..].starts_with('\\') || text.chars().nth(2) == Some('\'')) {
        return (end_of_quoted(text, '\''), true);
    }
    // A word goes in one piece, so that the r of `for"` is not taken for the start of a raw string.
    let word = text.len() - text.trim_start_matches(|sign: char| sign.is_alphanumeric() || sign == '_').len();
    (word.max(text.chars().next().map_or(0, char::len_utf8)), false)
}

fn end_of_quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if sign == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The code without each item that stands under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("#[cfg(test)]") {
        out.push_str(before);
        rest = &after[end_of_item(after)..];
    }
    out + rest
}

/// Where an item ends: after its `;`, or after the brace that closes its first one.
fn end_of_item(code: &str) -> usize {
    let mut depth = 0;
    for (at, sign) in code.char_indices() {
        match sign {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The top-level modules that the code names after `crate::`, groups in braces included.
fn modules_used(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(is_word_sign) {
            continue;
        }
        let after = &code[at + "crate::".len()..];
        let parts = match after.strip_prefix('{') {
            Some(group) => parts_of_group(group),
            None => vec![after],
        };
        found.extend(parts.iter().map(|part| part.trim_start().chars().take_while(|c| is_word_sign(*c)).collect()));
    }
    found
}

fn parts_of_group(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, sign) in group.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                return parts;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

fn is_word_sign(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether the code holds `word` as a whole: not as the end or, if it ends in a letter, the start of a longer one.
fn holds(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let is_start = !code[..at].ends_with(is_word_sign);
        let after = &code[at + word.len()..];
        is_start && !(word.ends_with(is_word_sign) && after.starts_with(is_word_sign))
    })
}

fn is_in(path: &str, places: &[&str]) -> bool {
    places.iter().any(|place| path == *place || path.starts_with(&format!("{place}/")))
}

fn layer_of(module: &str) -> Option<u32> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

fn assert_none(broken: &[String]) {
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn nothing_is_imported_from_above_or_beside() {
    let mut broken = Vec::new();
    for source in sources() {
        let Some((module, _)) = source.path.split_once('/') else { continue };
        let layer = layer_of(module).unwrap_or_else(|| panic!("{module} is in no layer of tests/layering.rs"));
        let never = NEVER.iter().find(|(name, ..)| *name == module);
        for used in modules_used(&source.code) {
            let Some(used_layer) = layer_of(&used).filter(|_| used != module) else { continue };
            if used_layer >= layer {
                broken.push(format!("src/{}: {module} (layer {layer}) uses {used} (layer {used_layer})", source.path));
            }
            if let Some((_, _, why)) = never.filter(|(_, modules, _)| modules.contains(&used.as_str())) {
                broken.push(format!("src/{}: {module} uses {used}, but {why}", source.path));
            }
        }
        if source.path.matches('/').count() == 1 && source.code.contains("super::super::") {
            broken.push(format!("src/{}: reaches out of its folder; write `crate::`", source.path));
        }
    }
    assert_none(&broken);
}

#[test]
fn words_stay_in_their_places() {
    let mut broken = Vec::new();
    for source in sources() {
        for (word, places, why) in ONLY_IN {
            if !is_in(&source.path, places) && holds(&source.code, word) {
                broken.push(format!("src/{}: `{word}`, but {why}", source.path));
            }
        }
        for (text, places, why) in STRINGS_ONLY_IN {
            if !is_in(&source.path, places) && source.with_strings.contains(text) {
                broken.push(format!("src/{}: {text}…\", but {why}", source.path));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn no_file_is_too_long() {
    let broken: Vec<String> = rust_files(&root().join("src"))
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(&path).expect("a file");
            let is_test_file =
                path.file_stem().is_some_and(|stem| stem == "tests" || stem.to_string_lossy().ends_with("_tests"));
            // Tests stand at the end of a file.
            let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
            let most = LONGER_FILES
                .iter()
                .find(|(name, _)| path.ends_with(Path::new("src").join(name)))
                .map_or(LONGEST_FILE, |(_, lines)| *lines);
            (!is_test_file && lines > most).then(|| format!("{}: {lines} lines without tests", path.display()))
        })
        .collect();
    assert_none(&broken);
}

#[test]
fn every_test_file_is_part_of_a_test_binary() {
    let mut broken = Vec::new();
    for folder in ["tests", "tests/privileged", "tests/lab"].map(|folder| root().join(folder)) {
        let main = fs::read_to_string(folder.join("main.rs")).expect("the binary's own file");
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let is_module = path.extension().is_some_and(|extension| extension == "rs") || path.join("mod.rs").exists();
            if is_module && stem != "main" && !main.lines().any(|line| line.trim() == format!("mod {stem};")) {
                broken.push(format!("{} is in no test binary", path.display()));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn the_library_lists_its_modules_in_layer_order() {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("the library's own file");
    let listed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(!listed.is_empty(), "the library has modules");
    let layers: Vec<u32> =
        listed.iter().map(|name| layer_of(name).unwrap_or_else(|| panic!("{name} is in no layer"))).collect();
    assert!(layers.is_sorted(), "{listed:?}");
}

#[test]
fn every_folder_says_what_it_does() {
    let missing: Vec<String> = rust_files(&root().join("src"))
        .into_iter()
        .filter(|path| path.ends_with("mod.rs"))
        .filter(|path| !fs::read_to_string(path).expect("a file").starts_with("//! "))
        .map(|path| format!("{} does not open with what it does", path.display()))
        .collect();
    assert_none(&missing);
}

#[test]
fn the_changelog_keeps_its_shape() {
    let Ok(text) = fs::read_to_string(root().join("CHANGELOG.md")) else { return };
    let mut versions: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        if let Some(version) = line.strip_prefix("## ") {
            versions.push((version, Vec::new()));
        } else if let (Some(heading), Some((_, headings))) = (line.strip_prefix("### "), versions.last_mut()) {
            headings.push(heading);
        }
    }
    assert_eq!(versions.first().map(|(version, _)| *version), Some("Unreleased"), "the first version");
    for (version, headings) in versions {
        assert_eq!(headings, CHANGELOG_HEADINGS, "the headings of {version}");
    }
}

/// The rules themselves are tried on made-up code, so that a mistake in the scanner cannot make them pass.
mod scanner {
    use super::*;

    #[test]
    fn comments_strings_and_tests_do_not_count() {
        let text = r##"
            // println!("a")
            /* Instant::now() */ let a = "println!"; let b = r#"dbg!("x")"#; let c = '"'; let d = b"print!";
            fn f<'a>(x: &'a str) { real::<'a>("\"kdl::"); }
            #[cfg(test)]
            use crate::report::Table;
            #[cfg(test)]
            mod tests { fn g() { if true { println!("{}", '{') } } }
            fn last() {}
        "##;
        let code = without_tests(&strip(text, false));
        for word in ["println!", "Instant::now", "dbg!", "print!", "kdl::", "tests"] {
            assert!(!holds(&code, word), "{word} in {code}");
        }
        assert!(holds(&code, "real") && holds(&code, "last"), "{code}");
        assert!(modules_used(&code).is_empty());
        assert_eq!(strip(text, false).lines().count(), text.lines().count());
    }

    #[test]
    fn imports_are_found_in_every_form() {
        let code = "use crate::plan::{Plan, Test};\nuse crate::{\n    units::{self, X},\n    diag,\n};\nfn f() { crate::run::go(); subcrate::cli::x(); }";
        assert_eq!(modules_used(code), ["plan", "units", "diag", "", "run"]);
    }

    #[test]
    fn words_are_whole() {
        assert!(holds("a.read_at(b)", "read_at") && holds("use kdl::X", "kdl::"));
        assert!(!holds("read_attempts", "read_at") && !holds("mykdl::X", "kdl::") && !holds("eprintln!()", "println!"));
    }
}
