//! The line to qemu itself (QMP, one JSON document a line): what a hand at the machine would do.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde_json::{Value, json};

/// qemu answers at once; a busy machine gets this long.
const ANSWERS_WITHIN: Duration = Duration::from_secs(60);

pub(crate) struct Qmp {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
    /// What came unasked and was not waited for yet.
    events: Vec<Value>,
}

impl Qmp {
    pub(crate) fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(ANSWERS_WITHIN)).expect("a time above zero");
        let lines = BufReader::new(stream.try_clone().expect("a second end"));
        let mut qmp = Self { stream, lines, events: Vec::new() };
        assert!(qmp.line().get("QMP").is_some(), "qemu greets first");
        qmp.call("qmp_capabilities", &json!({}));
        qmp
    }

    /// Has qemu do something; gives what it answers.
    pub(crate) fn call(&mut self, command: &str, arguments: &Value) -> Value {
        let request = json!({ "execute": command, "arguments": arguments });
        writeln!(self.stream, "{request}").expect("qemu listens");
        loop {
            let answer = self.line();
            assert!(answer.get("error").is_none(), "{request}: {answer}");
            match answer.get("return") {
                Some(value) => return value.clone(),
                None => self.events.push(answer),
            }
        }
    }

    /// Waits until qemu has told of the event on that device.
    pub(crate) fn wait_for(&mut self, event: &str, device: &str) {
        let is_it = |told: &Value| told["event"] == event && told["data"]["device"] == device;
        if let Some(index) = self.events.iter().position(is_it) {
            self.events.remove(index);
            return;
        }
        while !is_it(&self.line()) {}
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("qemu answers in time");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?} from qemu: {error}"))
    }
}
