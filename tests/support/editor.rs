//! An editor, as far as `shakedown lsp` can tell: starts the program and speaks the protocol over its pipes.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The address of the one document that most tests need.
pub(crate) const URI: &str = "file:///plans/plan.kdl";

/// A running language server and what it has said unasked.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: i64,
    told: VecDeque<Value>,
    /// What the server said that it can do.
    pub(crate) capabilities: Value,
}

impl Editor {
    /// Starts the program and says nothing.
    pub(crate) fn silent() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_shakedown"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output, last_id: 0, told: VecDeque::new(), capabilities: Value::Null }
    }

    /// Starts the program and opens the conversation with these capabilities.
    pub(crate) fn with(capabilities: Value) -> Self {
        let mut editor = Self::silent();
        let result =
            editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        editor.capabilities = result["capabilities"].clone();
        editor.tell("initialized", json!({}));
        editor
    }

    /// The same with nothing special.
    pub(crate) fn new() -> Self {
        Self::with(json!({}))
    }

    /// Sends bytes as they are; false where the program does not read them any more.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> bool {
        let input = self.input.as_mut().expect("still open");
        input.write_all(bytes).and_then(|()| input.flush()).is_ok()
    }

    /// A message in its frame.
    pub(crate) fn frame(message: &Value) -> Vec<u8> {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    /// Sends a notification.
    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.raw(&Self::frame(&json!({ "jsonrpc": "2.0", "method": method, "params": params })));
    }

    /// Sends a request without waiting; the number that its answer has.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.raw(&Self::frame(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })));
        id
    }

    /// The next message.
    pub(crate) fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the program writes UTF-8");
            assert!(read > 0, "the program ended: {}", self.errors());
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a length"),
                _ if line.trim_end().is_empty() => break,
                _ => panic!("no header: {line:?}"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// The answer with this number; what is told before it is kept.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("method").is_some(), "an answer to nothing: {message}");
            self.told.push_back(message);
        }
    }

    /// Asks and gives the result.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks and gives the code of the refusal.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> i64 {
        let id = self.request(method, params);
        let answer = self.answer(id);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {answer}"))
    }

    /// Opens a document and gives its diagnostics.
    pub(crate) fn open(&mut self, text: &str) -> Vec<Value> {
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": URI, "languageId": "kdl", "version": 1, "text": text } }),
        );
        self.diagnostics(1)
    }

    /// Changes a document and gives its diagnostics.
    pub(crate) fn change(&mut self, version: i64, changes: Value) -> Vec<Value> {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": changes }),
        );
        self.diagnostics(version)
    }

    /// The diagnostics that are told of this version of the document.
    pub(crate) fn diagnostics(&mut self, version: i64) -> Vec<Value> {
        loop {
            let message = match self.told.pop_front() {
                Some(message) => message,
                None => self.next(),
            };
            assert_eq!(message["method"], "textDocument/publishDiagnostics", "{message}");
            if message["params"]["version"] == version && message["params"]["uri"] == URI {
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Asks about a place of the document.
    pub(crate) fn ask_at(&mut self, method: &str, (line, character): (usize, usize)) -> Value {
        self.ask(
            method,
            json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } }),
        )
    }

    /// Ends the conversation in good order.
    pub(crate) fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.code(), 0);
    }

    /// Closes the program's input and gives its exit code.
    pub(crate) fn code(&mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().expect("the program ends").code().expect("no signal")
    }

    /// What the program complained about, after it has ended.
    pub(crate) fn errors(&mut self) -> String {
        drop(self.input.take());
        let mut errors = String::new();
        if let Some(stderr) = self.child.stderr.as_mut() {
            stderr.read_to_string(&mut errors).expect("UTF-8");
        }
        errors
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that failed leaves no program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
