//! Small KDL files at the edges of the language, each with what is expected of it: through the reader, as bytes.

use std::fs;
use std::path::Path;

use shakedown::diag::{Diagnostics, code};
use shakedown::lang::{self, Document};
use shakedown::text::SourceFile;

/// Where the reader decides otherwise than the file's own remark says, and why.
const DEVIATIONS: [(&str, &str, &str); 2] = [
    // A plan needs less than ten levels; the parser's stack would need a limit in any case.
    ("101-deep-nesting-200.kdl", "reject", "syntax/too-deep"),
    // The parser holds whole numbers in 128 bits with a sign and knows no larger ones; no plan does either.
    ("64-huge-integer.kdl", "reject", "syntax/number-range"),
];

/// What files that cannot carry a remark are expected to do.
const WITHOUT_REMARK: [(&str, &str); 2] = [("41-utf16-file.kdl", "reject"), ("94-empty-file.kdl", "accept")];

fn read(name: &str, bytes: &[u8]) -> Result<Document, Diagnostics> {
    lang::decode(name, bytes).and_then(|source| lang::read(&source))
}

fn expectation(name: &str, bytes: &[u8]) -> String {
    if let Some((_, expected, _)) = DEVIATIONS.iter().find(|(file, ..)| *file == name) {
        return (*expected).to_string();
    }
    if let Some((_, expected)) = WITHOUT_REMARK.iter().find(|(file, _)| *file == name) {
        return (*expected).to_string();
    }
    let text = String::from_utf8_lossy(bytes);
    let remark = text.split("// expect: ").nth(1).unwrap_or_else(|| panic!("{name} says what is expected of it"));
    remark.split_whitespace().next().unwrap_or_default().to_string()
}

#[test]
fn every_file_does_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kdl");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("is readable");
        let result = read(&name, &bytes);
        match expectation(&name, &bytes).as_str() {
            "accept" => assert!(result.is_ok(), "{name}: {:?}", result.err()),
            "reject" => assert!(result.is_err_and(|found| found.has_errors()), "{name} was taken"),
            "either" => {}
            other => panic!("{name}: {other}?"),
        }
        count += 1;
    }
    assert!(count >= 70, "{count} files");
}

#[test]
fn deviations_are_told_by_their_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kdl");
    for (name, _, code) in DEVIATIONS {
        let found = read(name, &fs::read(folder.join(name)).expect("is readable")).expect_err("is refused");
        assert_eq!(found.all().iter().map(|diagnostic| diagnostic.code.id()).collect::<Vec<_>>(), [code], "{name}");
    }
}

#[test]
fn several_mistakes_of_one_file_all_show_in_order() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kdl/103-many-errors.kdl");
    let found = read("103.kdl", &fs::read(path).expect("is readable")).expect_err("is refused");
    let lines: Vec<usize> = found
        .shown()
        .iter()
        .filter_map(|diagnostic| {
            let source = diagnostic.source.as_ref()?;
            Some(source.line_column(diagnostic.primary()?.span.start).0)
        })
        .collect();
    assert_eq!(lines, [2, 3, 4, 5]);
}

#[test]
fn files_that_are_no_plan_text_are_told_apart() {
    for (bytes, code, place) in [
        (b"a \"caf\xe9\"".to_vec(), code::SYNTAX_NOT_UTF8, Some(6)),
        (vec![0xff, 0xfe, b'a', 0], code::SYNTAX_NOT_UTF8, None),
        (b"\x7fELF\0\0\0".to_vec(), code::SYNTAX_BINARY, None),
        (vec![b'a'; lang::BYTES_AT_MOST + 1], code::SYNTAX_TOO_LARGE, None),
    ] {
        let found = read("x.kdl", &bytes).expect_err("is refused");
        assert_eq!(found.all().len(), 1);
        assert_eq!(found.all()[0].code, code);
        assert_eq!(found.all()[0].primary().map(|label| label.span.start), place);
    }
}

#[test]
fn a_text_of_too_many_words_is_refused_before_it_is_parsed() {
    for text in ["a\n".repeat(100_001), format!("a {}", "1 ".repeat(100_000)), "a b=1\n".repeat(50_001)] {
        let found = lang::read(&SourceFile::new("x.kdl", text)).expect_err("is refused");
        assert_eq!(found.all().iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), [code::SYNTAX_TOO_LARGE]);
    }
    let just = SourceFile::new("x.kdl", "a 1\n".repeat(50_000));
    assert!(lang::read(&just).is_ok_and(|document| document.nodes.len() == 50_000));
}

#[test]
fn a_name_as_long_as_a_file_does_not_fill_the_screen() {
    for text in ["n".repeat(1 << 20), "\u{e9}".repeat(1 << 19), format!("plan \"{}\"", "n".repeat(1 << 20))] {
        let loaded = shakedown::plan::load(&SourceFile::new("x.kdl", text), &[]);
        let shown = shakedown::diag::render::text(&loaded.diagnostics, &shakedown::diag::Look::PLAIN);
        assert!(loaded.diagnostics.has_errors() && shown.len() < 4_000, "{} bytes", shown.len());
    }
}

#[test]
fn an_empty_text_is_a_document_without_nodes() {
    for text in ["", "\n\n", "// nothing\n", "/* nothing */", "\u{feff}", " \t "] {
        assert!(
            lang::read(&SourceFile::new("a.kdl", text)).is_ok_and(|document| document.nodes.is_empty()),
            "{text:?}"
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::with_cases(200)
    })]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        let _ = read("a.kdl", &bytes);
    }

    #[test]
    fn no_text_makes_reader_or_drawing_panic(text in "[ -~\u{e9}\u{202e}\u{2028}\r\n\t\"{}/*#]{0,200}") {
        if let Err(found) = lang::read(&SourceFile::new("a.kdl", text)) {
            proptest::prop_assert!(!shakedown::diag::render::text(&found, &shakedown::diag::Look::PLAIN).is_empty());
        }
    }
}
