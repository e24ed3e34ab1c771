//! `shakedown lsp` as an editor sees it: the real program, spoken to over its pipes.

use serde_json::{Value, json};

use crate::support::editor::{Editor, URI};
use crate::support::trial::Trial;

const PLAN: &str = r#"plan "four-corners"
param "size" (published)"4KiB" { one-of "4KiB" "8KiB"; }

workload "4k-random-read" { access "random"; block-size $size; read "100%"; }

procedure "soak" {
    needs "how-long"
    precondition "4k-random-read" as="soak" { threads 4; run $how-long; }
}

test "reads" {
    fill passes=1 { block-size "128KiB"; threads 1; }
    apply "soak" how-long="10m"
    measure "4k-random-read" as="corner" {
        threads 4
        run "60s"
    }
}
"#;

/// Line and column, in UTF-16, of the byte at the start of the last `text`.
fn place(plan: &str, text: &str) -> (usize, usize) {
    let at = plan.rfind(text).unwrap_or_else(|| panic!("{text} is not there"));
    let line = plan[..at].matches('\n').count();
    let start = plan[..at].rfind('\n').map_or(0, |newline| newline + 1);
    (line, plan[start..at].encode_utf16().count())
}

/// The byte of a place, in UTF-16.
fn offset(plan: &str, position: &Value) -> usize {
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let start: usize = plan.split_inclusive('\n').take(number(&position["line"])).map(str::len).sum();
    let mut units = 0;
    let line = plan[start..].split('\n').next().unwrap_or_default();
    for (at, sign) in line.char_indices() {
        if units >= number(&position["character"]) {
            return start + at;
        }
        units += sign.len_utf16();
    }
    start + line.len()
}

/// The text with the edits of the protocol made.
fn edited(plan: &str, edits: &Value) -> String {
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(plan, &range["start"]), offset(plan, &range["end"]), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort();
    let mut text = plan.to_string();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("a code")).collect()
}

/// What is offered at `|` of a text, as labels.
fn offered(editor: &mut Editor, version: i64, text: &str) -> Vec<String> {
    let place = place(text, "|");
    let text = text.replacen('|', "", 1);
    editor.change(version, json!([{ "text": text }]));
    let list = editor.ask_at("textDocument/completion", place);
    let items = list["items"].as_array().expect("a list");
    items.iter().map(|item| item["label"].as_str().expect("a label").to_string()).collect()
}

#[test]
fn a_broken_plan_is_told_and_its_correction_clears_it() {
    let mut editor = Editor::new();
    let broken = PLAN.replace("\"60s\"", "\"60\"").replace("as=\"corner\"", "as=\"\u{1f600}e\u{301}\" oio=4");
    let diagnostics = editor.open(&broken);
    assert_eq!(codes(&diagnostics), ["name/unknown-property", "unit/missing"]);
    let (line, column) = place(&broken, "oio");
    assert_eq!(
        diagnostics[0]["range"],
        json!({ "start": { "line": line, "character": column }, "end": { "line": line, "character": column + 3 } }),
        "a column behind signs of several units"
    );
    assert_eq!((&diagnostics[1]["severity"], &diagnostics[1]["source"]), (&json!(1), &json!("shakedown")));
    let (line, column) = place(&broken, "\"60\"");
    let part = |text: &str, from: usize, to: usize| json!({ "range": { "start": { "line": line, "character": column + from }, "end": { "line": line, "character": column + to } }, "text": text });
    let left = editor.change(2, json!([part("s", 3, 3)]));
    assert_eq!(codes(&left), ["name/unknown-property"]);
    assert!(editor.change(3, json!([{ "text": PLAN }])).is_empty());
    editor.leave();
}

#[test]
fn bytes_are_counted_where_the_editor_offers_to() {
    let offers = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let mut editor = Editor::with(offers);
    assert_eq!(editor.capabilities["positionEncoding"], "utf-8");
    let diagnostics = editor.open("plan \"\u{1f600}\" \u{fc}=1\ntest \"t\" { idle \"1s\"; }\n");
    assert_eq!(diagnostics[0]["range"]["start"], json!({ "line": 0, "character": 12 }));
    editor.leave();
    let mut editor = Editor::with(json!({ "general": { "positionEncodings": ["utf-32", "utf-16"] } }));
    assert_eq!(editor.capabilities["positionEncoding"], "utf-16");
    let diagnostics = editor.open("plan \"\u{1f600}\" \u{fc}=1\ntest \"t\" { idle \"1s\"; }\n");
    assert_eq!(diagnostics[0]["range"]["start"], json!({ "line": 0, "character": 10 }));
    editor.leave();
}

#[test]
fn pointing_at_a_word_tells_what_it_means() {
    let mut editor = Editor::new();
    editor.open(PLAN);
    let mut said = |text: &str| {
        let (line, column) = place(PLAN, text);
        let hover = editor.ask_at("textDocument/hover", (line, column + 1));
        hover["contents"]["value"].as_str().unwrap_or_else(|| panic!("nothing at {text}: {hover}")).to_string()
    };
    assert!(said("run \"60s\"").contains("run Q"));
    assert!(said("\"60s\"").contains("60,000,000,000 ns"));
    assert!(said("$size").contains("4,096 bytes") && said("$size").contains("(published)"));
    assert!(said("$how-long").contains("`\"10m\"`: 600,000,000,000 ns"));
    assert!(said("\"4k-random-read\" as=\"corner\"").contains("workload \"4k-random-read\" {"));
    assert!(editor.ask_at("textDocument/hover", (2, 0)).is_null());
    editor.leave();
}

#[test]
fn what_can_be_written_is_offered_in_the_middle_of_it() {
    let mut editor = Editor::new();
    editor.open("");
    let mut version = 1;
    let mut offers = |rest: &str, some: &[&str], none: &[&str]| {
        version += 1;
        let offered = offered(&mut editor, version, &format!("{PLAN}{rest}"));
        for label in some {
            assert!(offered.iter().any(|other| other == label), "{rest}: {label} is not in {offered:?}");
        }
        for label in none {
            assert!(!offered.iter().any(|other| other == label), "{rest}: {label} is in {offered:?}");
        }
    };
    offers("te|", &["test", "workload"], &["plan", "threads"]);
    offers("test \"u\" {\n    mea|\n}\n", &["measure", "fill"], &["workload"]);
    offers("test \"u\" {\n    measure \"|\n", &["4k-random-read"], &["soak"]);
    offers("test \"u\" {\n    apply \"|\"\n}\n", &["soak"], &["4k-random-read"]);
    offers("test \"u\" {\n    apply \"soak\" |\n}\n", &["how-long="], &[]);
    offers("test \"u\" { measure \"4k-random-read\" as=\"m\" { run \"1|", &["1s", "1m"], &["1KiB"]);
    offers("test \"u\" { measure \"4k-random-read\" as=\"m\"; allow \"unwritten-reads\" in=\"|", &["m"], &["corner"]);
    offers("workload \"w\" { access \"sequential\" cursor=|", &["shared", "lanes"], &[]);
    offers("workload \"w\" { block-size $|", &["$size"], &["$how-long"]);
    offers("procedure \"p\" { needs \"x\"; measure \"w\" { threads $|", &["$x", "$size"], &["$how-long"]);
    offers("(|", &["published", "inferred"], &[]);
    offers("// te|", &[], &["test"]);
    editor.leave();
}

#[test]
fn what_is_offered_can_be_written_as_it_is() {
    let mut editor = Editor::new();
    let text = format!("{PLAN}workload \"w\" {{ block-size 8K");
    editor.open(&text);
    let list = editor.ask_at("textDocument/completion", (place(&text, "8K").0, place(&text, "8K").1 + 2));
    let items = list["items"].as_array().expect("a list");
    let size = items.iter().find(|item| item["label"] == "8KiB").expect("is offered");
    assert_eq!(size["detail"], "8,192 bytes");
    assert_eq!(edited(&text, &json!([size["textEdit"]])), format!("{}\"8KiB\"", text.trim_end_matches("8K")));
    editor.leave();
}

#[test]
fn a_name_leads_to_its_definition() {
    let mut editor = Editor::new();
    // A brace short, so that it is no KDL.
    let text = PLAN.trim_end().trim_end_matches('}');
    assert!(!editor.open(text).is_empty());
    let mut target = |name: &str| {
        let (line, column) = place(text, name);
        let location = editor.ask_at("textDocument/definition", (line, column + 1));
        let start = offset(text, &location["range"]["start"]);
        let end = offset(text, &location["range"]["end"]);
        (text[start..end].to_string(), location["range"]["start"]["line"].as_u64().expect("a line"))
    };
    assert_eq!(target("\"4k-random-read\" as=\"corner\""), ("\"4k-random-read\"".into(), 3));
    assert_eq!(target("\"soak\" how-long"), ("\"soak\"".into(), 5));
    assert_eq!(target("how-long=\"10m\""), ("\"how-long\"".into(), 6));
    assert_eq!(target("$size"), ("\"size\"".into(), 1));
    assert!(editor.ask_at("textDocument/definition", (0, 0)).is_null());
    editor.leave();
}

#[test]
fn every_offered_correction_takes_its_diagnostic_away() {
    let mut editor = Editor::new();
    editor.open("");
    let mut version = 1;
    for (sound, broken, titles) in [
        ("\"128KiB\"", "\"128K\"", &["Write \"128KiB\"", "Write \"128kB\""][..]),
        ("\"128KiB\"", "128KiB", &["Write \"128KiB\""]),
        ("threads 4\n", "threads \"4\"\n", &["Write 4"]),
        ("threads 4\n", "iodepth 4; threads 4\n", &["Write queue-depth"]),
        ("\"60s\"", "\"60\"", &["Write \"60s\"", "Write \"60m\""]),
        ("run $how-long", "run $how-lnog", &["Write $how-long"]),
        ("passes=1", "passes=1 passes=2", &["Leave the second one out"]),
        ("threads 4\n", "// \u{1f600}\n        threads 4; threads 4 /* e\u{301} */\n", &["Leave the second one out"]),
    ] {
        let plan = PLAN.replace(sound, broken);
        version += 1;
        let diagnostics = editor.change(version, json!([{ "text": plan }]));
        let diagnostic = diagnostics.iter().find(|diagnostic| diagnostic["severity"] == 1).expect(broken).clone();
        let actions = editor.ask(
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": URI }, "range": diagnostic["range"], "context": { "diagnostics": [diagnostic] } }),
        );
        let actions = actions.as_array().expect("a list").clone();
        let found: Vec<&str> = actions.iter().map(|action| action["title"].as_str().expect("a title")).collect();
        assert_eq!(found, titles, "{broken}");
        for action in &actions {
            assert_eq!((&action["kind"], &action["diagnostics"][0]["code"]), (&json!("quickfix"), &diagnostic["code"]));
            let corrected = edited(&plan, &action["edit"]["changes"][URI]);
            version += 1;
            let left = editor.change(version, json!([{ "text": corrected }]));
            let again = left.iter().filter(|other| other["code"] == diagnostic["code"]).count();
            // 128 kB are no whole blocks, which is another story.
            assert_eq!(again, 0, "{}: {corrected}", action["title"]);
        }
    }
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let only = json!({ "diagnostics": [], "only": ["refactor"] });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": only });
    assert_eq!(editor.ask("textDocument/codeAction", params), json!([]));
    editor.leave();
}

#[test]
fn formatting_is_that_of_fmt() {
    let mut editor = Editor::new();
    let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } });
    for (untidy, tidy) in [
        (
            "plan \"p\" {\n  revision 1;\n}\n\n\n\ntest \"\u{1f600}\" { idle \"1s\" }",
            "plan \"p\" {\n    revision 1\n}\n\ntest \"\u{1f600}\" { idle \"1s\"; }\n",
        ),
        ("plan \"p\"\r\ntest \"t\" { idle \"1s\"; }\r\n", "plan \"p\"\ntest \"t\" { idle \"1s\"; }\n"),
        ("plan \"p\"\n", "plan \"p\"\n"),
    ] {
        editor.open(untidy);
        assert_eq!(edited(untidy, &editor.ask("textDocument/formatting", params.clone())), tidy);
    }
    editor.open("plan \"p\" {");
    assert!(editor.ask("textDocument/formatting", params).is_null(), "what is no KDL is left alone");
    editor.leave();
}

#[test]
fn the_nodes_are_listed_and_fold() {
    let mut editor = Editor::new();
    editor.open(PLAN);
    let whole = json!({ "textDocument": { "uri": URI } });
    let symbols = editor.ask("textDocument/documentSymbol", whole.clone());
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().map(|symbol| symbol["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["plan four-corners", "param size", "workload 4k-random-read", "procedure soak", "test reads"]);
    assert_eq!(symbols[4]["children"][2]["name"], "measure corner");
    let folds = editor.ask("textDocument/foldingRange", whole);
    assert_eq!(folds[0], json!({ "startLine": 5, "endLine": 7 }));
    editor.leave();
}

#[test]
fn what_is_not_open_is_not_known() {
    let mut editor = Editor::new();
    editor.open("nonsense");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let cleared = editor.next();
    assert_eq!(cleared["params"]["diagnostics"], json!([]));
    for method in ["hover", "completion", "definition"] {
        assert!(editor.ask_at(&format!("textDocument/{method}"), (0, 0)).is_null(), "{method}");
    }
    for method in ["formatting", "documentSymbol", "foldingRange", "codeAction"] {
        let params = json!({ "textDocument": { "uri": "untitled:x" }, "range": {}, "context": {} });
        assert!(editor.ask(&format!("textDocument/{method}"), params).is_null(), "{method}");
    }
    // A change of what is not open, and an older one, change nothing.
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 7 }, "contentChanges": [{ "text": "x" }] }),
    );
    editor.open("plan \"p\"\ntest \"t\" { idle \"1s\"; }\n");
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 0 }, "contentChanges": [{ "text": "x" }] }),
    );
    let whole = json!({ "textDocument": { "uri": URI } });
    assert_eq!(editor.ask("textDocument/documentSymbol", whole)[0]["name"], "plan p");
    editor.leave();
}

#[test]
fn the_protocols_order_is_kept() {
    let mut editor = Editor::silent();
    assert_eq!(editor.refused("textDocument/hover", json!({})), -32002, "before initialize");
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": URI, "languageId": "kdl", "version": 1, "text": "x" } }),
    );
    editor.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(editor.refused("initialize", json!({ "capabilities": {} })), -32600);
    assert_eq!(editor.refused("textDocument/nonsense", json!({})), -32601);
    assert_eq!(editor.refused("textDocument/hover", json!({ "textDocument": 3 })), -32602);
    editor.tell("$/nonsense", json!({ "a": 1 }));
    editor.ask("shutdown", Value::Null);
    assert_eq!(editor.refused("textDocument/hover", json!({})), -32600, "after shutdown");
    editor.tell("exit", Value::Null);
    assert_eq!(editor.code(), 0);
}

#[test]
fn exit_without_shutdown_is_told_by_the_exit_code() {
    let mut editor = Editor::new();
    editor.tell("exit", Value::Null);
    assert_eq!(editor.code(), 1);
}

#[test]
fn a_cancelled_request_is_answered_as_cancelled() {
    let mut editor = Editor::new();
    editor.open(PLAN);
    // In one piece, so that the server has both before it looks at the first.
    let ask = json!({ "jsonrpc": "2.0", "id": "x", "method": "textDocument/foldingRange", "params": { "textDocument": { "uri": URI } } });
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": "x" } });
    editor.raw(&[Editor::frame(&ask), Editor::frame(&cancel)].concat());
    let answer = editor.next();
    assert_eq!(answer["id"], "x");
    // Where the pipe was read in two, it was carried out; the protocol allows both.
    assert!(answer["error"]["code"] == -32800 || answer["result"].is_array(), "{answer}");
    // What was answered long ago cannot be cancelled.
    editor.tell("$/cancelRequest", json!({ "id": 1 }));
    editor.leave();
}

#[test]
fn what_is_no_message_is_refused_or_ends_the_program() {
    let mut editor = Editor::new();
    editor.raw(b"Content-Length: 7\r\n\r\nno json");
    assert_eq!(editor.next()["error"]["code"], -32700);
    editor.raw(&Editor::frame(&json!({ "id": 5, "method": "shutdown" })));
    let refused = editor.next();
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(5), &json!(-32600)),
        "not of the protocol's version"
    );
    editor.raw(&Editor::frame(&json!([1, 2])));
    assert_eq!(editor.next()["error"]["code"], -32600);
    // An answer to a question that was never asked is passed over.
    editor.raw(&Editor::frame(&json!({ "jsonrpc": "2.0", "id": 9, "result": null })));
    editor.leave();
    for (bytes, reason) in [
        (&b"plan \"p\"\r\n\r\n"[..], "is no header"),
        (b"\x00\xff\xfe garbage", "was expected"),
        (b"Content-Length: 100\r\n\r\n{", "inside of a message"),
        (b"Content-Length: 18446744073709551615\r\n\r\n{}", "too large"),
        (b"Content-Length: x\r\n\r\n{}", "is no length"),
        (b"", "without `exit`"),
    ] {
        let mut editor = Editor::new();
        editor.raw(bytes);
        let errors = editor.errors();
        assert!(errors.starts_with("error: ") && errors.contains(reason), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        assert_eq!(editor.code(), 4, "{errors}");
    }
}

#[test]
fn no_place_of_a_broken_plan_is_too_odd() {
    let mut editor = Editor::new();
    let broken = "plan \"p\u{1f600} {\n param \"x\" (4K {\r\n  one-of \"a\\\" $x=\n}}\ntest { measure $x as= { run 1h written=\"4\n/* ";
    editor.open(broken);
    let lines: Vec<&str> = broken.split('\n').collect();
    for (line, text) in lines.iter().enumerate() {
        for character in 0..=text.encode_utf16().count() + 1 {
            for method in ["hover", "completion", "definition"] {
                editor.ask_at(&format!("textDocument/{method}"), (line, character));
            }
        }
    }
    editor.ask_at("textDocument/hover", (4_000_000_000, 4_000_000_000));
    editor.leave();
}

/// A plan in a folder with a file that it includes.
fn shared() -> (Trial, String, String) {
    let plan = "plan \"p\"\ninclude \"common/workloads \u{fc}.kdl\"\n\
        test \"t\" { fill passes=1 { block-size \"128KiB\"; threads 1; }; measure \"shared\" { threads 4; run $how-long; }; }\n";
    let common = "// \u{1f600}\nparam \"how-long\" \"60s\"\n\
        workload \"shared\" { access \"random\"; block-size \"4KiB\"; read \"100%\"; }\n";
    let trial = Trial::new().plan(plan);
    std::fs::create_dir(trial.path("common")).expect("a folder");
    let trial = trial.file("common/workloads \u{fc}.kdl", common.as_bytes());
    (trial, plan.to_string(), common.to_string())
}

fn opened(editor: &mut Editor, uri: &str, text: &str) {
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": uri, "languageId": "kdl", "version": 1, "text": text } }),
    );
}

/// The codes of the next diagnostics that are told of a document.
fn told(editor: &mut Editor, uri: &str) -> Vec<Value> {
    loop {
        let message = editor.next();
        if message["params"]["uri"] == uri {
            return message["params"]["diagnostics"].as_array().expect("a list").clone();
        }
    }
}

#[test]
fn names_of_included_files_are_known_and_open_texts_win_over_the_disk() {
    let (trial, plan, common) = shared();
    let folder = trial.path("").canonicalize().expect("a folder");
    let uri = format!("file://{}/plan.kdl", folder.display());
    let other = format!("file://{}/common/workloads%20%C3%BC.kdl", folder.display());
    let mut editor = Editor::new();
    opened(&mut editor, &uri, &plan);
    assert_eq!(told(&mut editor, &uri), [json!(null); 0]);
    let at = |text: &str| {
        let (line, column) = place(&plan, text);
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": column + 1 } })
    };
    for (name, line) in [("\"shared\"", 2), ("$how-long", 1), ("\"common", 0)] {
        let location = editor.ask("textDocument/definition", at(name));
        assert_eq!((&location["uri"], &location["range"]["start"]["line"]), (&json!(other), &json!(line)), "{name}");
    }
    let hover = editor.ask("textDocument/hover", at("$how-long"));
    assert!(hover["contents"]["value"].as_str().is_some_and(|said| said.contains("60,000,000,000 ns")), "{hover}");
    let list = editor.ask("textDocument/completion", at("\"shared"));
    assert!(list["items"].as_array().expect("a list").iter().any(|item| item["label"] == "shared"), "{list}");
    // The file is opened and changed, but not saved: the plan sees the change.
    opened(&mut editor, &other, &common);
    assert_eq!(told(&mut editor, &other), [json!(null); 0], "a file of definitions is no plan without a `plan` node");
    assert_eq!(told(&mut editor, &uri), [json!(null); 0]);
    let change = |version: i64, text: String| json!({ "textDocument": { "uri": other, "version": version }, "contentChanges": [{ "text": text }] });
    editor.tell("textDocument/didChange", change(2, common.replace("\"shared\"", "\"other\"")));
    let found = told(&mut editor, &uri);
    assert_eq!(codes(&found), ["workload/undefined"]);
    // A mistake in the file is told at the include, with the place that it is about.
    editor.tell("textDocument/didChange", change(3, common.replace("4KiB", "4K")));
    let found = told(&mut editor, &uri);
    assert_eq!((codes(&found), &found[0]["range"]["start"]["line"]), (vec!["unit/ambiguous"], &json!(1)));
    assert_eq!(found[0]["relatedInformation"][0]["location"]["uri"], other);
    assert_eq!(found[0]["relatedInformation"][0]["location"]["range"]["start"]["line"], 2);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": other } }));
    assert_eq!(told(&mut editor, &uri), [json!(null); 0], "the disk holds again");
    editor.leave();
}
