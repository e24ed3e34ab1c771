//! Any text ends in a plan or in diagnostics: bytes, words of the language in any order, and every plan of the repository
//! with its tokens and lines mixed up. Nothing panics, on the way through everything that needs no drive.
//!
//! The cases are the same each time; `PROPTEST_CASES=100000 cargo test --release --test main robustness` tries that many.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use shakedown::diag::render::{self, CheckedFile};
use shakedown::diag::{Diagnostics, Look, Severity, code};
use shakedown::plan::{self, FileKind, Plan};
use shakedown::schedule::{History, check, expand};
use shakedown::text::SourceFile;
use shakedown::{diff, lang, report};

use crate::support::pages::{collect, root};

/// Every plan text of the repository, also those with mistakes.
static CORPUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for folder in ["plans", "examples", "tests"] {
        collect(&root().join(folder), "kdl", &mut files);
    }
    files.sort();
    let texts = files.iter().map(|file| String::from_utf8_lossy(&std::fs::read(file).expect("a file")).into_owned());
    // Mixing up a text of megabytes finds nothing that a short one does not.
    texts.filter(|text| text.len() < 20_000).collect()
});

/// A plan that any other differs from.
static BLANK: LazyLock<Plan> = LazyLock::new(|| {
    let text = "plan \"blank\" { }\ntest \"t\" { idle \"1s\"; }\n";
    plan::load(&SourceFile::new("blank.kdl", text), &[]).plan.expect("a plan")
});

/// Takes a text through everything that needs no drive.
fn through(bytes: &[u8]) {
    let source = match lang::decode("any.kdl", bytes) {
        Ok(source) => source,
        Err(found) => return drawn(found),
    };
    if let Ok(document) = lang::read(&source)
        && FileKind::of(&document) == FileKind::Definitions
    {
        drawn(plan::check_definitions(document, &plan::NoFiles));
    }
    formatted(&source);
    let plan::Loaded { plan, diagnostics: mut found } = plan::load(&source, &[]);
    assert_eq!(plan.is_none(), found.has_errors(), "a plan is there where nothing refuses it: {:?}", source.text());
    if let Some(plan) = plan {
        let schedule = expand(&plan, None);
        found.append(plan.texts.settle(&check(&plan, &schedule, None, History::Unknown)));
        if schedule.steps.len() < 200 {
            assert!(!report::schedule_text(&schedule, None, 80).is_empty());
            assert!(!report::schedule_json(&schedule, None).is_empty());
        }
        let spelled = plan::spell(&plan);
        let again = plan::load(&SourceFile::new("spelled.kdl", &*spelled), &[]);
        let errors: Vec<_> = again.diagnostics.all().iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{:?}\n{spelled}\n{errors:?}", source.text());
        if let Some(again) = &again.plan {
            let named = |plan| diff::Named { name: "any.kdl", plan };
            let same = diff::difference(named(&plan), named(again));
            // A parameter stands in the spelled text as its value alone.
            let is_same = same.is_same_method() && same.host.is_empty() && same.sections.is_empty();
            assert!(is_same, "{:?}\n{}", source.text(), diff::text(&same, 80));
            let blank = diff::difference(named(&BLANK), named(&plan));
            for text in [diff::text(&blank, 80), diff::markdown(&blank), diff::json(&blank)] {
                assert!(!text.is_empty());
            }
        }
        let methods = again.plan.as_ref().map(plan::method::fingerprint);
        assert_eq!(methods, Some(plan::method::fingerprint(&plan)), "{:?}\n{spelled}", source.text());
    }
    drawn(found);
}

/// Formats a text and looks that its plan is the same and that it is formatted.
fn formatted(source: &SourceFile) {
    let text = match lang::format(source) {
        Ok(text) => text,
        Err(found) => {
            assert!(found.all().iter().all(|found| found.code != code::FORMAT_NOT_KEPT), "{:?}", source.text());
            return drawn(found);
        }
    };
    let after = SourceFile::new(source.name(), &*text);
    assert_eq!(lang::format(&after).ok().as_ref(), Some(&text), "{:?}", source.text());
    let meaning = |source: &SourceFile| {
        let loaded = plan::load(source, &[]);
        let codes: Vec<_> = loaded.diagnostics.all().iter().map(|found| (found.code, found.message.clone())).collect();
        (codes, loaded.plan.map(|plan| plan::spell(&plan)))
    };
    assert_eq!(meaning(source), meaning(&after), "{:?}", source.text());
}

fn drawn(found: Diagnostics) {
    for (width, color, unicode) in [(40, false, true), (80, true, true), (120, false, false)] {
        let text = render::text(&found, &Look { width, color, unicode });
        assert_eq!(text.is_empty(), found.is_empty());
    }
    let files = [CheckedFile::new("any.kdl", found)];
    for text in [render::json(&files), render::sarif(&files)] {
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
    }
    assert!(render::github(&files).lines().count() <= files[0].found.all().len());
    assert_eq!(render::github(&files).is_empty(), files[0].found.all().is_empty());
}

/// Values that lie at the edge of what somebody writes.
const EDGES: [&str; 46] = [
    "0",
    "-1",
    "1",
    "16",
    "340282366920938463463374607431768211455",
    "1.5",
    "-0.0",
    "1e400",
    "#nan",
    "#inf",
    "#-inf",
    "#true",
    "#false",
    "#null",
    "0xffffffffffffffff",
    "\"\"",
    "\"4KiB\"",
    "\"0B\"",
    "\"512B\"",
    "\"1%\"",
    "\"100%\"",
    "\"1000%\"",
    "\"60s\"",
    "\"0s\"",
    "\"1h30m\"",
    "\"18446744073709551615ns\"",
    "\"99999999999999999999TiB\"",
    "\"16777215TiB\"",
    "\"4 drive-writes\"",
    "\"auto\"",
    "\"random\"",
    "\"sequential\"",
    "\"rest\"",
    "$n",
    "$",
    "\"$n\"",
    "\"\u{202e}\"",
    "\"\\u{0}\"",
    "\"é\\n\"",
    "#\"raw\"#",
    "\"\"\"\n  long\n  \"\"\"",
    "(published)",
    "(unknown)",
    "=",
    "4KiB",
    "\"w\"",
];

/// Signs that hold a text together or do not.
const SIGNS: [&str; 22] = [
    "{", "}", ";", "\n", " ", "/-", "/* ", " */", "// ", "\\\n", "\\", "\"", "#", "(", ")", ",", "[", "\r\n",
    "\u{feff}", "\u{85}", "\0", "\t",
];

/// A word of the language, a value or a sign.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<&'static str> = plan::names::all().map(|entry| entry.name).collect();
    prop_oneof![
        4 => proptest::sample::select(words).prop_map(str::to_string),
        1 => ("[a-z]{1,3}", proptest::sample::select(&EDGES[..])).prop_map(|(key, value)| format!("{key}={value}")),
        4 => proptest::sample::select(&EDGES[..]).prop_map(str::to_string),
        3 => proptest::sample::select(&SIGNS[..]).prop_map(str::to_string),
    ]
}

/// The text in pieces that together are the text: words, quoted strings, blanks, and each sign alone.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |is_part: fn(char) -> bool| rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let length = match first {
            '"' => rest[1..].find(['"', '\n']).map_or(rest.len(), |end| end + 2),
            ' ' | '\t' => run(|c| c == ' ' || c == '\t'),
            c if c.is_alphanumeric() => run(|c| c.is_alphanumeric() || c == '-' || c == '_'),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// One change: which, where, and with what.
type Change = (u8, Index, Index, String);

fn change() -> impl Strategy<Value = Change> {
    (0..6u8, any::<Index>(), any::<Index>(), piece())
}

/// The pieces changed: taken out, doubled, exchanged with another, replaced, put in, or cut off from there.
fn mixed(pieces: &[&str], changes: &[Change]) -> String {
    let mut pieces: Vec<&str> = pieces.to_vec();
    for (kind, at, other, new) in changes {
        if pieces.is_empty() {
            break;
        }
        let (at, other) = (at.index(pieces.len()), other.index(pieces.len()));
        match kind {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other]),
            2 => pieces.swap(at, other),
            3 => pieces[at] = new,
            4 => pieces.insert(at, new),
            _ => pieces.truncate(at.max(1)),
        }
    }
    pieces.concat()
}

/// What may stand in the place of a blank between two things of a line; `%` becomes a number of its own.
const BLANKS: [&str; 7] = [" ", " ", "   ", "\t", " /* n% */ ", " \\\n", "  \\ // n%\n\t"];
/// What may stand in the place of a line's end.
const LINE_ENDS: [&str; 8] = [
    "\n",
    "\n",
    " \t\r\n",
    "\n\n \n",
    "// n%\n",
    " /* n% */\n",
    "\n /- dropped% 1 { b #\"\"r\"\"#; }\n",
    "\n\t// n%\n",
];

/// The text with other blanks and line ends, with comments and dropped nodes strewn in: its meaning stays the same. `None`
/// where blanks may be parts of something.
fn strewn(text: &str, chances: &[u8]) -> Option<String> {
    if ["\"\"\"", "\\", "/*", "/-", "#\"", "\r"].iter().any(|hard| text.contains(hard)) {
        return None;
    }
    let (mut out, mut at) = (String::new(), 0);
    let mut pick = |from: &[&str]| {
        at += 1;
        from[usize::from(chances[at % chances.len()]) % from.len()].replace('%', &at.to_string())
    };
    for line in text.lines() {
        let content = line.trim_start();
        out.push_str(&line[..line.len() - content.len()]);
        if content.contains("//") {
            out.push_str(content);
            out.push('\n');
            continue;
        }
        for token in tokens(content.trim_end()) {
            out.push_str(&if token.starts_with(' ') { pick(&BLANKS) } else { token.to_string() });
        }
        out.push_str(&pick(&LINE_ENDS));
    }
    Some(out)
}

/// Every comment of a text whose strings are all plain ones or raw ones without comments, sorted.
fn comments(text: &str) -> Vec<String> {
    let (mut comments, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            c => c.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        if part.len() > 1 && part.starts_with('/') {
            comments.push(part.trim_end().to_string());
        }
        rest = after;
    }
    comments.sort();
    comments
}

/// So many of each, the same each time.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x5eed),
        ..ProptestConfig::with_cases(asked.unwrap_or(usual))
    }
}

#[test]
fn every_text_of_the_repository_goes_through() {
    assert!(CORPUS.len() > 200, "{}: are they still found?", CORPUS.len());
    CORPUS.iter().for_each(|text| through(text.as_bytes()));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        through(&bytes);
    }

    #[test]
    fn words_in_any_order(pieces in proptest::collection::vec((piece(), "[ \n;]?"), 0..60)) {
        let text: String = pieces.iter().flat_map(|(piece, between)| [piece.as_str(), between]).collect();
        through(text.as_bytes());
    }

    #[test]
    fn plans_with_tokens_mixed_up(pick in any::<Index>(), changes in proptest::collection::vec(change(), 1..6)) {
        let text = &CORPUS[pick.index(CORPUS.len())];
        through(mixed(&tokens(text), &changes).as_bytes());
    }

    #[test]
    fn plans_in_any_layout_mean_the_same_and_keep_their_comments(
        pick in any::<Index>(), chances in proptest::collection::vec(any::<u8>(), 1..200),
    ) {
        let text = &CORPUS[pick.index(CORPUS.len())];
        let Some(strewn) = strewn(text, &chances) else { return Ok(()) };
        let meaning = |text: &str| {
            let loaded = plan::load(&SourceFile::new("any.kdl", text), &[]);
            loaded.plan.map(|plan| plan::spell(&plan))
        };
        let source = SourceFile::new("any.kdl", &*strewn);
        if lang::read(&SourceFile::new("any.kdl", &**text)).is_ok() {
            prop_assert!(lang::read(&source).is_ok(), "it was KDL: {strewn}");
        }
        prop_assert_eq!(meaning(&strewn), meaning(text), "{}", strewn);
        formatted(&source);
        if let Ok(after) = lang::format(&source) {
            prop_assert_eq!(comments(&strewn), comments(&after), "{}", strewn);
        }
    }

    #[test]
    fn plans_with_lines_mixed_up(pick in any::<Index>(), changes in proptest::collection::vec(change(), 1..6)) {
        let text = &CORPUS[pick.index(CORPUS.len())];
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        through(mixed(&lines, &changes).as_bytes());
    }
}
