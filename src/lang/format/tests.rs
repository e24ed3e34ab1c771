use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::diag::code;

fn formatted(text: &str) -> String {
    match format(&SourceFile::new("a.kdl", text)) {
        Ok(text) => text,
        Err(found) => panic!("{text:?}: {:?}", found.all()),
    }
}

/// Lines as they are written and as they are to be.
fn assert_layout(cases: &[(&str, &str)]) {
    for (written, expected) in cases {
        assert_eq!(formatted(written), *expected, "{written:?}");
        assert_eq!(formatted(expected), *expected, "{written:?}, again");
    }
}

#[test]
fn lines_are_indented_by_their_level() {
    assert_layout(&[
        ("", ""),
        ("\n \n", ""),
        ("a", "a\n"),
        ("  a 1\n\tb 2", "a 1\nb 2\n"),
        ("a {\nb {\nc\n}\n}\n", "a {\n    b {\n        c\n    }\n}\n"),
        ("a {\n\t\tb 1\n\t\t\tc 2\n}", "a {\n    b 1\n    c 2\n}\n"),
        ("a{\nb\n}", "a {\n    b\n}\n"),
        ("a 1   \nb\t\n", "a 1\nb\n"),
        ("a /-{\nb\n} {\nc\n}\n", "a /-{\n    b\n} {\n    c\n}\n"),
        ("a {\nb\n} /- {\nc\n}\n", "a {\n    b\n} /- {\n    c\n}\n"),
    ]);
}

#[test]
fn a_block_stays_on_one_line_or_on_several() {
    assert_layout(&[
        ("a {b 1;c 2;}", "a { b 1; c 2; }\n"),
        ("a   {   b 1 ;c 2   }", "a   { b 1; c 2; }\n"),
        ("a {}", "a { }\n"),
        ("a {\n\n}\nb", "a { }\nb\n"),
        ("a { b {c;};}", "a { b { c; } }\n"),
        ("a { b; c {\nd\n} }", "a {\n    b; c {\n        d\n    }\n}\n"),
        ("a { b\nc }", "a {\n    b\n    c\n}\n"),
        ("a { b; c; /-d }", "a { b; c; /-d; }\n"),
        ("a { b /* n */ }", "a { b; /* n */ }\n"),
        ("a { /* n */ }", "a { /* n */ }\n"),
        ("a { b { }; /* n */ }", "a { b { } /* n */ }\n"),
        ("a {\n b 1; c 2;\n d;\n}", "a {\n    b 1; c 2\n    d\n}\n"),
        ("a { b {\n} }", "a {\n    b { }\n}\n"),
        ("a {\n b {\n c\n }; }; d", "a {\n    b {\n        c\n    }\n}; d\n"),
    ]);
}

#[test]
fn paragraphs_are_kept_with_one_empty_line() {
    assert_layout(&[
        ("\n\na\n\n\n  \nb\n\n\n", "a\n\nb\n"),
        ("a {\n\n b\n\n\n c\n\n}\n", "a {\n    b\n\n    c\n}\n"),
        ("a {   // why\n\n b\n}\n", "a {   // why\n    b\n}\n"),
        ("// a\n\n// b\n\n\nc\n", "// a\n\n// b\n\nc\n"),
        ("a {\n b {\n  c\n }\n\n d\n}\n", "a {\n    b {\n        c\n    }\n\n    d\n}\n"),
    ]);
}

#[test]
fn comments_stay_where_they_are() {
    assert_layout(&[
        ("//a\n  //  b  \na", "//a\n//  b\na\n"),
        ("a 1//b", "a 1 //b\n"),
        ("a 1    // b", "a 1    // b\n"),
        ("a 1; // b\n", "a 1 // b\n"),
        ("a/* b */1", "a /* b */ 1\n"),
        ("a {\n b\n} // c\n", "a {\n    b\n} // c\n"),
        ("a {\n b\n}/* c */\n", "a {\n    b\n} /* c */\n"),
        ("a {\n b\n// c\n}\n", "a {\n    b\n    // c\n}\n"),
        ("a { // b\n}\n", "a { // b\n}\n"),
        ("a { /* b */ c\n}\n", "a {\n    /* b */ c\n}\n"),
        ("/-a 1\n/- b\na /-1 /-  x=2 /-{ c; }\n", "/-a 1\n/- b\na /-1 /- x=2 /-{ c; }\n"),
        ("/-\n  a\n", "/-\na\n"),
        ("a /-\n 1\n", "a /-\n    1\n"),
        ("/- kdl-version 2\na\n", "/- kdl-version 2\na\n"),
        ("a /* b /* c */ d */ 1", "a /* b /* c */ d */ 1\n"),
    ]);
}

#[test]
fn comments_of_several_lines_move_as_a_whole() {
    assert_layout(&[
        ("/* a\n * b\n */\n", "/* a\n * b\n */\n"),
        ("a {\n/* b  \n * c\n\n   d */\n}\n", "a {\n    /* b\n     * c\n\n       d */\n}\n"),
        ("a {\n\t\t/* b\n\t\t * c */\n}\n", "a {\n    /* b\n     * c */\n}\n"),
        // The second line has no room to move as far as the first.
        ("        /* a\n  b\n    c */\nd", "/* a\nb\n  c */\nd\n"),
        ("a 1   /* b\n   c */\n", "a 1   /* b\n   c */\n"),
    ]);
}

#[test]
fn strings_and_numbers_are_kept_byte_for_byte() {
    assert_layout(&[
        ("a \"x  {y};  // z\"   0x1F 1_000 1.50 #true", "a \"x  {y};  // z\"   0x1F 1_000 1.50 #true\n"),
        ("a #\"x\"y;\"#", "a #\"x\"y;\"#\n"),
        ("\"a\" \"b\"=1", "\"a\" \"b\"=1\n"),
        ("a {\n b \"\"\"\n  x  \n\n    y\n  \"\"\"\n}\n", "a {\n    b \"\"\"\n  x  \n\n    y\n  \"\"\"\n}\n"),
        ("a {\n b #\"\"\"\n\tx\n\t\"\"\"#\n}\n", "a {\n    b #\"\"\"\n\tx\n\t\"\"\"#\n}\n"),
        ("a \"x \\\n     y\"\n", "a \"x \\\n     y\"\n"),
    ]);
}

#[test]
fn blanks_within_a_node() {
    assert_layout(&[
        ("a  1   2", "a  1   2\n"),
        ("a\t1 \t 2\u{a0}3", "a 1 2 3\n"),
        ("a x = 1 y= \"s\"", "a x=1 y=\"s\"\n"),
        ("( t ) a ( u ) 1 x=( v )2", "(t)a (u)1 x=(v)2\n"),
        ("a 1 ; b  2 ;c", "a 1; b  2; c\n"),
        ("a;   b", "a;   b\n"),
    ]);
}

#[test]
fn a_continued_line_stands_one_level_deeper() {
    assert_layout(&[
        ("a 1 \\\n2 \\ // b\n  3\nc", "a 1 \\\n    2 \\ // b\n    3\nc\n"),
        ("a \\\n{\nb\n}\n", "a \\\n{\n    b\n}\n"),
        ("a {\n b\\\n 1\n c\n}\n", "a {\n    b \\\n        1\n    c\n}\n"),
        // An empty line ends the node; without it the next line would be a part of it.
        ("a \\\n\n\nb", "a \\\n\nb\n"),
        ("a {\n b \\\n\n}\n", "a {\n    b \\\n}\n"),
        ("a 1 \\\n", "a 1 \\\n"),
        ("a 1 \\\n;\nb", "a 1 \\\n    ;\nb\n"),
        ("a x=\\\n1", "a x= \\\n    1\n"),
    ]);
}

#[test]
fn line_ends_become_one_character_and_a_mark_goes() {
    assert_layout(&[
        ("\u{feff}a 1\r\nb 2\r\n", "a 1\nb 2\n"),
        ("a\rb\u{85}c\u{2028}d\u{b}e", "a\nb\nc\nd\ne\n"),
        ("// a\u{2029}b", "// a\nb\n"),
        ("/* a\r\n * b\r\n */\r\nc\r\n", "/* a\n * b\n */\nc\n"),
        ("a \"\"\"\r\n  x\r\n\r\n  y\r\n  \"\"\"\r\n", "a \"\"\"\n  x\n\n  y\n  \"\"\"\n"),
        ("a \"x \\\r\n  y\"\r\n", "a \"x \\\n  y\"\n"),
        ("a \"\"\"\r  x\r  \"\"\"\r", "a \"\"\"\n  x\n  \"\"\"\n"),
    ]);
}

#[test]
fn a_text_with_mistakes_is_refused_with_them() {
    let found = format(&SourceFile::new("a.kdl", "a {\n b 4KiB\n}}\n")).expect_err("is refused");
    let codes: Vec<_> = found.all().iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, [code::UNIT_UNQUOTED, code::SYNTAX_STRAY_BRACE]);
}

#[test]
fn a_layout_larger_than_a_plan_is_refused() {
    let text = format!("{}{}{}", "a {\n".repeat(60), "b\n".repeat(100_000), "}\n".repeat(60));
    let found = format(&SourceFile::new("a.kdl", text)).expect_err("is refused");
    assert_eq!(found.all()[0].code, code::SYNTAX_TOO_LARGE);
}

/// Every text of the project's own folders that is KDL.
static CORPUS: LazyLock<Vec<(PathBuf, String)>> = LazyLock::new(|| {
    let folders = ["plans", "examples", "tests/accepted", "tests/fixtures", "tests/refusals"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut texts = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(&folder).expect("a folder of the project").map(|entry| entry.expect("an entry").path())
        {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "kdl")
                && let Ok(text) = fs::read_to_string(&path)
                && read(&SourceFile::new("a.kdl", &*text)).is_ok()
            {
                texts.push((path, text));
            }
        }
    }
    texts.sort();
    texts
});

#[test]
fn the_whole_corpus_keeps_its_meaning_and_comments() {
    assert!(CORPUS.len() > 50, "{}", CORPUS.len());
    for (path, text) in CORPUS.iter() {
        let text = formatted(text);
        let in_long_string = text.contains("\"\"\"");
        for line in text.lines() {
            assert!(in_long_string || line.trim_end_matches([' ', '\t']) == line, "{}: {line:?}", path.display());
        }
        assert!(in_long_string || !text.contains("\n\n\n"), "{}", path.display());
    }
}

#[test]
fn shipped_plans_and_examples_are_formatted() {
    let shipped = ["plans", "examples"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    for (path, text) in CORPUS.iter() {
        if shipped.iter().any(|folder| path.starts_with(folder)) {
            assert_eq!(formatted(text), *text, "{}: run `shakedown fmt` on it", path.display());
        }
    }
}

/// What may stand between two things within a line.
fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(" "),
        1 => Just("   "),
        1 => Just("\t"),
        1 => Just(" /* c */ "),
        1 => Just("/* two\n   lines */"),
        1 => Just(" \\\n"),
        1 => Just(" \\ // why\n\t"),
    ]
}

fn value() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("1"),
        Just("-0x1F"),
        Just("1_0.50e3"),
        Just("#nan"),
        Just("\"4KiB\""),
        Just("$name"),
        Just("\"a;  // {b} /* c\""),
        Just("#\"r\"a\"#"),
        Just("\"\"\"\n  x  \n\n   y\n  \"\"\""),
        Just("\"e \\\n   f\""),
        Just("(published)\"70%\""),
        Just("( chosen ) 4"),
        Just("x=1"),
        Just("y = \"s\""),
        Just("z=(modelled) #true"),
        Just("/-9"),
        Just("/- v=2"),
        Just("/-\n 9"),
    ]
}

/// What may end a node.
fn end() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => Just("\n"),
        1 => Just(";"),
        1 => Just(" ; "),
        1 => Just(";\n"),
        1 => Just("\n\n\n"),
        1 => Just("  \n \n"),
        1 => Just("   // note \n"),
        1 => Just("/* note */ // more\n"),
        1 => Just("\r\n"),
        1 => Just("; /* a\n b */ \n// own\n"),
    ]
}

fn node() -> impl Strategy<Value = String> {
    let head = (
        prop_oneof![4 => Just(""), 1 => Just("/-"), 1 => Just("/- "), 1 => Just("// own\n"), 1 => Just("\t /* m\n\tn */\n")],
        prop_oneof![Just("measure"), Just("\"w x\""), Just("(published)fill"), Just("( t ) run")],
        prop::collection::vec((blank(), value()), 0..4),
    )
        .prop_map(|(before, name, entries)| {
            entries.into_iter().fold(format!("{before}{name}"), |mut text, (blank, value)| {
                let _ = write!(text, "{blank}{value}");
                text
            })
        });
    let leaf = (head, end()).prop_map(|(head, end)| format!("{head}{end}"));
    leaf.prop_recursive(4, 24, 4, |inner| {
        let open =
            prop_oneof![Just("{"), Just(" {"), Just(" { "), Just("  {\n\n"), Just(" { // b\n"), Just(" /-{ /* c */")];
        let close = prop_oneof![Just("}"), Just(" } "), Just("\n\n}"), Just("// last\n}"), Just("/* last */}")];
        let name = prop_oneof![Just("test"), Just("/-test 1"), Just("a \\\n")];
        (name, open, prop::collection::vec(inner, 0..5), close, end())
            .prop_map(|(name, open, nodes, close, end)| format!("{name}{open}{}{close}{end}", nodes.concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// `format` itself compares meaning and comments and formats twice; it must never have a reason to refuse.
    #[test]
    fn generated_texts_keep_their_meaning_and_comments(nodes in prop::collection::vec(node(), 0..6)) {
        let text = nodes.concat();
        let source = SourceFile::new("a.kdl", &*text);
        prop_assert!(read(&source).is_ok(), "the generator is mistaken: {text}");
        match format(&source) {
            Ok(after) => prop_assert_eq!(comment_words(&text), comment_words(&after), "{}", after),
            Err(found) => prop_assert!(false, "{text}\n{:?}", found.all()),
        }
    }

    #[test]
    fn any_layout_of_a_plan_leads_to_one(pick in any::<prop::sample::Index>(), blanks in prop::collection::vec(0..5usize, 1..40)) {
        let (_, text) = &CORPUS[pick.index(CORPUS.len())];
        let tidy = formatted(text);
        if tidy.contains("\"\"\"") || tidy.contains("/*") || tidy.contains("\\\n") {
            return Ok(());
        }
        // Every line indented by chance and ended by chance: what is left is the one layout.
        let ends = ["\n", "  \n", "\t\n", "\r\n", " \r\n"];
        let untidy: String = tidy.lines().zip(blanks.iter().cycle()).map(|(line, by)| {
            format!("{}{}{}", " ".repeat(*by), line.trim_start(), ends[*by])
        }).collect();
        prop_assert_eq!(formatted(&untidy), tidy);
    }

    #[test]
    fn it_is_never_mistaken(picks in prop::collection::vec(0..PIECES.len(), 0..16)) {
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        if let Err(found) = format(&SourceFile::new("a.kdl", &*text)) {
            prop_assert!(found.all().iter().all(|one| one.code != code::FORMAT_NOT_KEPT), "{text:?}: {:?}", found.all());
        }
    }
}

/// Pieces that meet each other in every order; about every fifth text of them is KDL.
const PIECES: [&str; 36] = [
    "a",
    "b-c ",
    " ",
    " ",
    "\n",
    "\n",
    "\n",
    ";",
    ";",
    " {",
    "}",
    "{ ",
    " }",
    "a { b; }",
    "/-",
    " /- ",
    "=",
    "(t)",
    "( t )",
    " 1",
    " \"s\"",
    " #\"r\"#",
    " \"\"\"\n x\n \"\"\"",
    " #true",
    "// c\n",
    "/* c */",
    "/* c\n d */",
    " \\\n",
    " \\ /* c */ // d\n",
    " x=1",
    "\t",
    "\r\n",
    "\r",
    "\u{85}",
    "\u{a0}",
    " \"\"\"\r  x\r\n\u{85}  y\n  \"\"\"",
];

/// The words of all comments, found by a simple search that knows what the generator makes.
fn comment_words(text: &str) -> Vec<&'static str> {
    let mut all: Vec<(usize, &'static str)> = [
        "// own",
        "// why",
        "// note",
        "// more",
        "// last",
        "// b\n",
        "/* c */",
        "/* note */",
        "/* last */",
        "/* m\n",
        "/* two\n",
    ]
    .into_iter()
    .flat_map(|comment| text.match_indices(comment).map(move |(at, _)| (at, comment)))
    .collect();
    all.sort_unstable();
    all.into_iter().map(|(_, comment)| comment).collect()
}
