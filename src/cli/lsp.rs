//! `shakedown lsp`: the messages of an editor on standard input, the answers on standard output.

use std::io::{self, BufRead, Read as _, Write as _};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use super::plan_folder::PlanFolder;
use super::{Outcome, Screen};
use crate::lsp::{Disk, Ended, Server};
use crate::plan::Loader;

/// A message may have so many bytes: the largest plan, escaped, with room around it.
const BODY_AT_MOST: usize = 64 << 20;
/// A header line has far less.
const HEADER_AT_MOST: u64 = 4 << 10;

/// What plans include, read from their folders.
struct PlanFolders;

impl Disk for PlanFolders {
    fn beside(&self, plan: &str) -> Box<dyn Loader> {
        Box::new(PlanFolder::of(Path::new(plan)))
    }
}

/// `shakedown lsp`
pub(super) fn lsp(screen: &Screen) -> Outcome {
    let (sender, receiver) = mpsc::channel();
    // Read ahead, so that what is cancelled or changed again is known before it is worked on.
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let read = body(&mut input);
            let is_last = !matches!(read, Ok(Some(_)));
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    let mut server = Server::new(PlanFolders);
    while let Ok(first) = receiver.recv() {
        let mut bodies = Vec::new();
        let mut broken = None;
        for read in std::iter::once(first).chain(receiver.try_iter()) {
            match read {
                Ok(Some(body)) => bodies.push(body),
                Ok(None) => broken = Some("the input ended without `exit`".to_string()),
                Err(error) => broken = Some(error.to_string()),
            }
        }
        let answer = server.answer(&bodies);
        for message in &answer.messages {
            if let Err(error) = send(&message.to_string()) {
                screen.complain(&format!("error: the answer could not be written: {error}"));
                return Outcome::RunFailed;
            }
        }
        match answer.ended {
            Some(Ended::Orderly) => return Outcome::Done,
            // The protocol's own code for it.
            Some(Ended::Abruptly) => return Outcome::PlanRefused,
            None => {}
        }
        if let Some(reason) = broken {
            screen.complain(&format!("error: {reason}"));
            return Outcome::RunFailed;
        }
    }
    Outcome::RunFailed
}

fn send(body: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    out.flush()
}

/// The next message; `None` where the input ends before one begins.
fn body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(HEADER_AT_MOST).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        is_first = false;
        let Some(line) = line.strip_suffix(b"\r\n") else {
            return Err(invalid(
                "a header of the language server protocol was expected; editors start this command".into(),
            ));
        };
        if line.is_empty() {
            break;
        }
        let line = String::from_utf8_lossy(line);
        let Some((name, value)) = line.split_once(':') else {
            return Err(invalid(format!("{line:?} is no header")));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            let bytes: usize = value.parse().map_err(|_| invalid(format!("{value:?} is no length")))?;
            if bytes > BODY_AT_MOST {
                return Err(invalid(format!("a message of {bytes} bytes is too large")));
            }
            length = Some(bytes);
        }
    }
    let length = length.ok_or_else(|| invalid("a message comes without `Content-Length`".into()))?;
    let mut body = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Err(invalid("the input ended inside of a message".into()));
    }
    Ok(Some(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(mut input: &[u8]) -> (Vec<String>, Option<String>) {
        let mut bodies = Vec::new();
        loop {
            match body(&mut input) {
                Ok(Some(body)) => bodies.push(String::from_utf8_lossy(&body).into_owned()),
                Ok(None) => return (bodies, None),
                Err(error) => return (bodies, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn messages_are_cut_by_their_lengths() {
        let input = "Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x\r\n\r\n\u{fc}!";
        assert_eq!(bodies(input.as_bytes()), (vec!["{}".into(), "\u{fc}!".into()], None));
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for (input, reason) in [
            ("plan \"p\"\n", "a header of the language server protocol was expected"),
            ("Content-Length: 2\r\n", "a header of the language server protocol was expected"),
            ("Content-Length: 2\r\n\r\n{", "the input ended inside of a message"),
            ("Content-Length: -1\r\n\r\n{}", "is no length"),
            ("Content-Length: 99999999999999999999\r\n\r\n{}", "is no length"),
            ("Content-Length: 99999999999\r\n\r\n{}", "is too large"),
            ("\r\n{}", "without `Content-Length`"),
            ("nonsense\r\n\r\n", "is no header"),
        ] {
            let (found, error) = bodies(input.as_bytes());
            assert!(found.is_empty() && error.is_some_and(|error| error.contains(reason)), "{input:?}");
        }
        let endless = [b'x'].repeat(1 << 20);
        assert!(bodies(&endless).1.is_some());
    }
}
