use kdl::{KdlDiagnostic, KdlDocument};

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::text::{SourceFile, Span};

use super::Document;
use super::convert::converted;
use super::decode::{BYTES_AT_MOST, too_large};
use super::scan::Scan;

/// So many mistakes of syntax are shown. One mistake can make others out of what follows it, so the first ones are the
/// ones to correct; the rest is counted.
const SHOWN_AT_MOST: usize = 10;

/// A text as a tree of nodes.
///
/// # Errors
/// The mistakes of syntax. There is no document then: what a text means is only asked once it is KDL.
pub fn read(source: &SourceFile) -> Result<Document, Diagnostics> {
    let mut found = Diagnostics::new(source);
    let text = source.text();
    if text.len() > BYTES_AT_MOST {
        found.push(too_large(source.name(), text.len()));
        return Err(found);
    }
    let mut scan = Scan::of(text);
    if !scan.mistakes.is_empty() {
        // Those of the same place: the earlier one is the cause.
        scan.mistakes.sort_by_key(|mistake| mistake.primary().map(|label| label.span.start));
        let unlisted = scan.mistakes.len().saturating_sub(SHOWN_AT_MOST) + scan.uncounted;
        scan.mistakes.into_iter().take(SHOWN_AT_MOST).for_each(|mistake| found.push(mistake));
        found.count_unlisted(unlisted);
        return Err(found);
    }
    let parsed = scan.blanked(text);
    match KdlDocument::parse_v2(&parsed) {
        Ok(document) => {
            if declares_version_1(text) {
                found.push(version_1(text));
            }
            Ok(Document { source: source.clone(), nodes: converted(&parsed, &document), remarks: found })
        }
        Err(error) => {
            // What our own look at the text let pass, in the parser's words; only the first, since its recovery misleads.
            if let Some(first) = error.diagnostics.first() {
                found.push(in_parsers_words(first));
            }
            found.count_unlisted(error.diagnostics.len().saturating_sub(1));
            Err(found)
        }
    }
}

fn in_parsers_words(diagnostic: &KdlDiagnostic) -> Diagnostic {
    let message = diagnostic.message.as_deref().unwrap_or("the text cannot be read on from here");
    let mut message = message.trim_end_matches('.').to_string();
    if let Some(first) = message.get(..1).map(str::to_lowercase) {
        message.replace_range(..1, &first);
    }
    let start = diagnostic.span.offset();
    let span = Span::new(start, start + diagnostic.span.len().max(1));
    let mut ours = Diagnostic::error(code::SYNTAX_UNEXPECTED, message);
    ours = ours.label(span, diagnostic.label.clone().unwrap_or_default());
    ours.help.clone_from(&diagnostic.help);
    ours
}

/// `/- kdl-version 1` as the first thing in the text.
fn declares_version_1(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first_line = text.lines().next().unwrap_or("");
    let words: Vec<&str> = first_line.strip_prefix("/-").unwrap_or("").split_whitespace().collect();
    words == ["kdl-version", "1"]
}

fn version_1(text: &str) -> Diagnostic {
    let start = text.find("/-").unwrap_or(0);
    let end = start + text[start..].lines().next().unwrap_or("").trim_end().len();
    Diagnostic::warning(code::SYNTAX_VERSION, "the file says it is KDL 1, but is read as KDL 2")
        .label(Span::new(start, end), "version 1 is declared here")
        .help("write `/- kdl-version 2` or leave the line out")
}
