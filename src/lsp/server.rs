//! The conversation: what is answered to which message, and when it ends.

use gen_lsp_types::json_rpc::{Error, Id, RequestObject, ResponseObject};
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CompletionItem, CompletionItemTextEdit, CompletionList, CompletionOptions,
    Contents, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, ErrorCodes, Hover,
    InitializeResult, MarkupContent, MarkupKind, PublishDiagnosticsParams, Range, ServerCapabilities, ServerInfo,
    TextDocumentIdentifier, TextDocumentPositionParams, TextDocumentSyncKind, TextDocumentSyncOptions, TextEdit, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lang;
use crate::plan::{Loader, NoFiles};

use super::completion::{Candidate, complete};
use super::documents::{Document, Documents};
use super::files::{Disk, Overlay, path_of};
use super::findings;
use super::hover::hover;
use super::names::{Spot, defined_at};
use super::outline::Word;
use super::position::Encoding;
use super::scope::{Scope, included_at, included_in};
use super::symbols::{folds, symbols};

/// How far a conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    /// Nothing but `initialize` is answered.
    #[default]
    Before,
    Open,
    /// Nothing but `exit` is expected.
    ShutDown,
}

/// How a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// `exit` after `shutdown`.
    Orderly,
    /// `exit` alone.
    Abruptly,
}

/// What came of some messages.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// What is sent, in this order.
    pub messages: Vec<Value>,
    /// Set where the conversation is over.
    pub ended: Option<Ended>,
}

/// A language server: messages in, messages out. Keeps no time, and reads included files through what is handed in.
pub struct Server {
    phase: Phase,
    documents: Documents,
    disk: Box<dyn Disk>,
}

/// The protocol's code for a request that its client has cancelled.
const REQUEST_CANCELLED: i32 = -32800;

impl Server {
    /// A server that nobody has spoken to.
    pub fn new(disk: impl Disk + 'static) -> Self {
        Self { phase: Phase::default(), documents: Documents::default(), disk: Box::new(disk) }
    }

    /// Answers everything that has come in so far, in its order. A request that is cancelled further behind is not carried
    /// out, and diagnostics are told once at the end, of the latest texts.
    pub fn answer(&mut self, bodies: &[Vec<u8>]) -> Answer {
        let mut answer = Answer::default();
        let messages: Vec<Result<RequestObject, Value>> = bodies.iter().map(|body| read(body)).collect();
        let cancelled: Vec<Id> = messages.iter().flatten().filter_map(cancels).collect();
        for message in messages {
            match message {
                Err(refusal) => answer.messages.push(refusal),
                Ok(message) => {
                    let (method, id, params) = message.into_parts();
                    let params = params.unwrap_or(Value::Null);
                    match id {
                        // A response: nothing is asked of the client, so there is nothing to be told.
                        Some(_) if method.is_empty() => {}
                        Some(id) if cancelled.contains(&id) => answer.messages.push(cancelled_one(id)),
                        Some(id) => answer.messages.push(self.request(&method, id, params)),
                        None => self.notification(&method, params, &mut answer),
                    }
                }
            }
            if answer.ended.is_some() {
                return answer;
            }
        }
        if self.phase == Phase::Open {
            for uri in self.documents.new_ones() {
                let is_included = self.documents.is_included(&uri);
                let published = self.with(&uri, |document, loader, _| published(&uri, document, loader, is_included));
                answer.messages.extend(published);
            }
        }
        answer
    }

    fn request(&mut self, method: &str, id: Id, params: Value) -> Value {
        match (self.phase, method) {
            (Phase::Before, "initialize") => return success(id, self.initialize(&params)),
            (Phase::Before, _) => {
                return failure(id, ErrorCodes::ServerNotInitialized, "`initialize` comes first");
            }
            (Phase::Open, "initialize") => return failure(id, ErrorCodes::InvalidRequest, "the server is initialized"),
            (Phase::Open, "shutdown") => {
                self.phase = Phase::ShutDown;
                return success(id, Value::Null);
            }
            (Phase::Open, _) => {}
            (Phase::ShutDown, _) => return failure(id, ErrorCodes::InvalidRequest, "the server is shut down"),
        }
        let answered = match method {
            "textDocument/hover" => self.at(params, hovered),
            "textDocument/completion" => self.at(params, completed),
            "textDocument/definition" => self.at(params, defined),
            "textDocument/formatting" => self.of(params, |_, document, _, _| formatted(document)),
            "textDocument/documentSymbol" => {
                self.of(params, |_, document, _, _| json!(symbols(document.text(), &document.outline, &document.lines)))
            }
            "textDocument/foldingRange" => {
                self.of(params, |_, document, _, _| json!(folds(&document.outline, &document.lines)))
            }
            "textDocument/codeAction" => self.of(params, |uri, document, loader, params| {
                let wants_fixes = params["context"]["only"]
                    .as_array()
                    .is_none_or(|only| only.iter().any(|kind| matches!(kind.as_str(), Some("quickfix" | ""))));
                match serde_json::from_value::<Range>(params["range"].clone()) {
                    Ok(range) if wants_fixes => json!(findings::actions(uri, document, range, loader)),
                    _ => json!([]),
                }
            }),
            _ => return failure(id, ErrorCodes::MethodNotFound, &format!("there is no method `{method}`")),
        };
        match answered {
            Ok(result) => success(id, result),
            Err(error) => failure(id, ErrorCodes::InvalidParams, &error),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let offered = params["capabilities"]["general"]["positionEncodings"].as_array();
        self.documents.encoding = Encoding::agreed(offered.into_iter().flatten().filter_map(Value::as_str));
        self.phase = Phase::Open;
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            ..TextDocumentSyncOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.documents.encoding.kind()),
            text_document_sync: Some(sync.into()),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(["\"", "$", "=", "("].map(String::from).to_vec()),
                ..CompletionOptions::default()
            }),
            hover_provider: Some(true.into()),
            definition_provider: Some(true.into()),
            document_symbol_provider: Some(true.into()),
            folding_range_provider: Some(true.into()),
            document_formatting_provider: Some(true.into()),
            code_action_provider: Some(
                CodeActionOptions {
                    code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
                    ..CodeActionOptions::default()
                }
                .into(),
            ),
            ..ServerCapabilities::default()
        };
        let server_info = ServerInfo { name: "shakedown".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        json!(InitializeResult { capabilities, server_info: Some(server_info) })
    }

    /// Answers a request about a place of a document; nothing is known of one that is not open.
    fn at(&mut self, params: Value, answer: impl Fn(&Asked<'_>, usize) -> Value) -> Result<Value, String> {
        let place: TextDocumentPositionParams = parsed(params)?;
        let uri = place.text_document.uri;
        let answered = self.with(&uri, |document, loader, encoding| {
            let offset = document.lines.offset(document.text(), place.position);
            let scope = Scope::of(document, loader, encoding);
            answer(&Asked { uri: &uri, document, scope, loader }, offset)
        });
        Ok(answered.unwrap_or(Value::Null))
    }

    /// Does something with an open document and what it may include.
    fn with<T>(&mut self, uri: &Uri, act: impl FnOnce(&mut Document, &dyn Loader, Encoding) -> T) -> Option<T> {
        let includes = !included_in(&self.documents.get(uri)?.outline, "").is_empty();
        let encoding = self.documents.encoding;
        let path = path_of(uri).filter(|_| includes);
        let Some(path) = path else {
            return self.documents.get(uri).map(|document| act(document, &NoFiles, encoding));
        };
        let open = self.documents.texts();
        let overlay = Overlay { disk: self.disk.beside(&path), open: &open };
        self.documents.get(uri).map(|document| act(document, &overlay, encoding))
    }

    /// Answers a request about a whole document.
    fn of(
        &mut self,
        params: Value,
        answer: impl Fn(&Uri, &mut Document, &dyn Loader, &Value) -> Value,
    ) -> Result<Value, String> {
        let uri = parsed::<TextDocumentIdentifier>(params["textDocument"].clone())?.uri;
        let answered = self.with(&uri, |document, loader, _| answer(&uri, document, loader, &params));
        Ok(answered.unwrap_or(Value::Null))
    }

    fn notification(&mut self, method: &str, params: Value, answer: &mut Answer) {
        match (self.phase, method) {
            (Phase::ShutDown, "exit") => answer.ended = Some(Ended::Orderly),
            (_, "exit") => answer.ended = Some(Ended::Abruptly),
            (Phase::Open, "textDocument/didOpen") => {
                if let Ok(opened) = parsed::<DidOpenTextDocumentParams>(params) {
                    let document = opened.text_document;
                    self.documents.open(document.uri, document.version, document.text);
                    self.documents.renew_including();
                }
            }
            (Phase::Open, "textDocument/didChange") => {
                if let Ok(changed) = parsed::<DidChangeTextDocumentParams>(params) {
                    let id = changed.text_document;
                    self.documents.change(&id.text_document_identifier.uri, id.version, changed.content_changes);
                    self.documents.renew_including();
                }
            }
            (Phase::Open, "textDocument/didClose") => {
                if let Ok(closed) = parsed::<DidCloseTextDocumentParams>(params) {
                    let uri = closed.text_document.uri;
                    if self.documents.close(&uri) {
                        self.documents.renew_including();
                        answer.messages.push(publish(PublishDiagnosticsParams::new(uri, None, Vec::new())));
                    }
                }
            }
            // Everything else may be passed over by the rules of the protocol.
            _ => {}
        }
    }
}

/// A message, or the refusal that is sent for it.
fn read(body: &[u8]) -> Result<RequestObject, Value> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| failure(Id::Null, ErrorCodes::ParseError, &format!("no JSON: {error}")))?;
    let id = serde_json::from_value(value["id"].clone()).unwrap_or(Id::Null);
    serde_json::from_value(value)
        .map_err(|error| failure(id, ErrorCodes::InvalidRequest, &format!("no message: {error}")))
}

/// The request that a message cancels.
fn cancels(message: &RequestObject) -> Option<Id> {
    if message.method() != "$/cancelRequest" {
        return None;
    }
    serde_json::from_value(message.params()?.get("id")?.clone()).ok()
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

fn success(id: Id, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn failure(id: Id, code: ErrorCodes, message: &str) -> Value {
    json!(ResponseObject::from_error(id, Error { code, message: message.to_string(), data: None }))
}

fn cancelled_one(id: Id) -> Value {
    failure(id, ErrorCodes::Custom(REQUEST_CANCELLED), "cancelled")
}

fn published(uri: &Uri, document: &mut Document, loader: &dyn Loader, is_included: bool) -> Value {
    document.is_new = false;
    let told = findings::told(uri, document, loader, is_included);
    publish(PublishDiagnosticsParams::new(uri.clone(), Some(document.version), told))
}

fn publish(params: PublishDiagnosticsParams) -> Value {
    json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params })
}

/// What a request about a place is about.
struct Asked<'a> {
    uri: &'a Uri,
    document: &'a Document,
    scope: Scope,
    loader: &'a dyn Loader,
}

fn hovered(asked: &Asked<'_>, offset: usize) -> Value {
    let (document, scope) = (asked.document, &asked.scope);
    let said = document.outline.spot(offset).and_then(|spot| {
        let value = hover(&scope.text, &scope.outline, &spot)?;
        let range = document.lines.range(document.text(), spot.span(&document.outline));
        let contents = Contents::MarkupContent(MarkupContent::new(MarkupKind::Markdown, value));
        Some(Hover { contents, range: Some(range) })
    });
    json!(said)
}

fn completed(asked: &Asked<'_>, offset: usize) -> Value {
    let offer = complete(&asked.scope, offset);
    let candidates = offer.candidates.into_iter().enumerate();
    let items = candidates.map(|(index, candidate)| item(asked.document, index, candidate));
    json!(CompletionList { is_incomplete: offer.is_incomplete, items: items.collect(), ..CompletionList::default() })
}

fn item(document: &Document, index: usize, candidate: Candidate) -> CompletionItem {
    let range = document.lines.range(document.text(), candidate.span);
    CompletionItem {
        label: candidate.label,
        kind: Some(candidate.kind),
        detail: Some(candidate.detail).filter(|detail| !detail.is_empty()),
        documentation: Some(candidate.meaning).filter(|meaning| !meaning.is_empty()).map(Into::into),
        // The table's order is one for readers; editors would sort by the alphabet.
        sort_text: Some(format!("{index:04}")),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit::new(range, candidate.text))),
        ..CompletionItem::default()
    }
}

fn defined(asked: &Asked<'_>, offset: usize) -> Value {
    let outline = &asked.scope.outline;
    let location = asked.document.outline.spot(offset).and_then(|spot| {
        let included = match &spot {
            Spot::Value(node, ..) => included_at(outline, *node, asked.loader),
            _ => None,
        };
        let location = |word: &Word| asked.scope.location(word.span, asked.uri, &asked.document.lines);
        included.or_else(|| defined_at(outline, &spot).map(location))
    });
    json!(location)
}

/// One edit of what the layout changes; none for a text that is tidy, or no KDL (which the diagnostics tell).
fn formatted(document: &mut Document) -> Value {
    let Ok(tidy) = lang::format(&document.source) else { return Value::Null };
    let text = document.text();
    let before = common(text.chars(), tidy.chars());
    let behind = common(text[before..].chars().rev(), tidy[before..].chars().rev());
    let span = crate::text::Span::new(before, text.len() - behind);
    if span.is_empty() && tidy.len() == text.len() {
        return json!([]);
    }
    let edit = TextEdit::new(document.lines.range(text, span), tidy[before..tidy.len() - behind].to_string());
    // A range may not end between CR and LF, which is no place of the protocol.
    let splits = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    if splits(span.start) || splits(span.end) {
        let whole = document.lines.range(text, crate::text::Span::new(0, text.len()));
        return json!([TextEdit::new(whole, tidy)]);
    }
    json!([edit])
}

/// How many bytes two texts have in common from one end.
fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::super::files::NoDisk;
    use super::*;

    fn bodies(messages: &[Value]) -> Vec<Vec<u8>> {
        messages.iter().map(|message| message.to_string().into_bytes()).collect()
    }

    fn message(id: Option<i64>, method: &str, params: Value) -> Value {
        let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if let Some(id) = id {
            message["id"] = id.into();
        }
        message
    }

    fn opened() -> Server {
        let mut server = Server::new(NoDisk);
        let document = json!({ "uri": "file:///p.kdl", "languageId": "kdl", "version": 1, "text": "a" });
        let begin = [
            message(Some(1), "initialize", json!({ "capabilities": {} })),
            message(None, "textDocument/didOpen", json!({ "textDocument": document })),
        ];
        assert_eq!(server.answer(&bodies(&begin)).messages.len(), 2);
        server
    }

    fn change(version: i32, text: &str) -> Value {
        let document = json!({ "uri": "file:///p.kdl", "version": version });
        message(
            None,
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        )
    }

    #[test]
    fn what_is_cancelled_further_behind_is_not_carried_out() {
        let ask =
            |id| message(Some(id), "textDocument/foldingRange", json!({ "textDocument": { "uri": "file:///p.kdl" } }));
        let batch = [ask(2), ask(3), message(None, "$/cancelRequest", json!({ "id": 2 }))];
        let answer = opened().answer(&bodies(&batch));
        assert_eq!((&answer.messages[0]["id"], &answer.messages[0]["error"]["code"]), (&json!(2), &json!(-32800)));
        assert_eq!((&answer.messages[1]["id"], &answer.messages[1]["result"]), (&json!(3), &json!([])));
    }

    #[test]
    fn diagnostics_are_told_once_of_the_latest_text() {
        let sound = "plan \"p\"\ntest \"t\" { idle \"1s\"; }\n";
        let answer = opened().answer(&bodies(&[change(2, "b"), change(3, "c"), change(4, sound)]));
        assert_eq!(answer.messages.len(), 1);
        assert_eq!(answer.messages[0]["params"], json!({ "uri": "file:///p.kdl", "version": 4, "diagnostics": [] }));
    }

    #[test]
    fn nothing_is_answered_behind_the_end() {
        let end = [message(Some(2), "shutdown", Value::Null), message(None, "exit", Value::Null), change(2, "b")];
        let answer = opened().answer(&bodies(&end));
        assert_eq!((answer.messages.len(), answer.ended), (1, Some(Ended::Orderly)));
    }
}
