//! Diagnostics as the protocol has them, and their remedies as actions.

use std::collections::HashMap;

use gen_lsp_types::{
    CodeAction, CodeActionKind, Diagnostic as Told, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    Message, Range, TextEdit, Uri, WorkspaceEdit,
};

use crate::diag::{Code, Diagnostic, Remedy, Severity, code};
use crate::plan::{self, Loader};
use crate::schedule::{self, History};
use crate::text::{SourceFile, Span};

use super::documents::Document;
use super::files::uri_of;
use super::position::Lines;
use super::scope::ways_in;

/// So many diagnostics are sent for a document; nobody corrects more at once.
const TOLD_AT_MOST: usize = 200;

/// What is no mistake of a file that holds definitions for a plan.
const OF_WHOLE_PLANS: [Code; 5] =
    [code::PLAN_MISSING, code::PLAN_NOTHING_TO_DO, code::WORKLOAD_UNUSED, code::PROCEDURE_UNUSED, code::PARAM_UNUSED];

/// Everything that the text alone tells about a plan, as `check` does it, in the order of the places.
pub(super) fn found_in(source: &SourceFile, loader: &dyn Loader) -> Vec<Diagnostic> {
    let loaded = plan::load_with(source, &[], loader);
    let mut found = loaded.diagnostics;
    if let Some(plan) = &loaded.plan {
        let schedule = schedule::expand(plan, None);
        found.append(plan.texts.settle(&schedule::check(plan, &schedule, None, History::Unknown)));
    }
    found.ordered().into_iter().cloned().collect()
}

/// How the diagnostics of one document are told.
struct Telling<'t> {
    uri: &'t Uri,
    source: SourceFile,
    lines: Lines,
    /// Where included files come in, by the names that diagnostics have for them.
    ways: Vec<(String, Span)>,
}

/// The diagnostics of a document.
pub(super) fn told(uri: &Uri, document: &mut Document, loader: &dyn Loader, is_included: bool) -> Vec<Told> {
    let telling = Telling::of(uri, document, loader);
    let counts = |found: &&Diagnostic| !is_included || !OF_WHOLE_PLANS.contains(&found.code);
    let found = document.found(loader).iter().filter(counts).take(TOLD_AT_MOST);
    found.map(|diagnostic| telling.told(diagnostic)).collect()
}

/// The remedies of what is wrong in a range of a document.
pub(super) fn actions(uri: &Uri, document: &mut Document, range: Range, loader: &dyn Loader) -> Vec<CodeAction> {
    let telling = Telling::of(uri, document, loader);
    let asked = telling.lines.span(telling.source.text(), range);
    let is_asked = |diagnostic: &&Diagnostic| {
        let label = diagnostic.primary().filter(|_| telling.is_own(diagnostic));
        label.is_some_and(|label| label.span.start <= asked.end && asked.start <= label.span.end)
    };
    let mut actions = Vec::new();
    for diagnostic in document.found(loader).iter().filter(is_asked) {
        for remedy in &diagnostic.remedies {
            actions.push(telling.action(remedy, diagnostic));
        }
    }
    actions
}

impl<'t> Telling<'t> {
    fn of(uri: &'t Uri, document: &Document, loader: &dyn Loader) -> Self {
        let ways = ways_in(&document.outline, loader);
        Self { uri, source: document.source.clone(), lines: document.lines.clone(), ways }
    }

    /// True where the places of a diagnostic are those of the document.
    fn is_own(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.source.as_ref().is_none_or(|own| own.name() == self.source.name())
    }

    /// Where a diagnostic is drawn; a mistake in an included file where that file comes in.
    fn range(&self, diagnostic: &Diagnostic) -> Range {
        let span = if self.is_own(diagnostic) {
            diagnostic.primary().map(|label| visible(self.source.text(), label.span))
        } else {
            let name = diagnostic.source.as_ref().map(SourceFile::name);
            self.ways.iter().find(|(file, _)| Some(file.as_str()) == name).map(|(_, span)| *span)
        };
        span.map_or(Range::default(), |span| self.lines.range(self.source.text(), span))
    }

    fn told(&self, diagnostic: &Diagnostic) -> Told {
        let label = diagnostic.primary().map(|label| label.text.as_str()).filter(|text| !text.is_empty());
        let elsewhere = diagnostic.source.as_ref().filter(|_| !self.is_own(diagnostic)).zip(diagnostic.primary());
        let elsewhere = elsewhere.map(|(other, label)| {
            let (line, column) = other.line_column(label.span.start);
            format!("{}:{line}:{column}:", other.name())
        });
        let parts = [elsewhere.as_deref(), Some(diagnostic.message.as_str()), label, diagnostic.help.as_deref()];
        let related = self.related(diagnostic);
        Told {
            range: self.range(diagnostic),
            severity: Some(match diagnostic.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
                Severity::Remark => DiagnosticSeverity::Information,
            }),
            code: Some(diagnostic.code.id().to_string().into()),
            code_description: None,
            source: Some("shakedown".into()),
            message: Message::String(parts.into_iter().flatten().collect::<Vec<_>>().join("\n")),
            tags: None,
            related_information: (!related.is_empty()).then_some(related),
            data: None,
        }
    }

    /// The further places of a diagnostic, and its own where that is in another file.
    fn related(&self, diagnostic: &Diagnostic) -> Vec<DiagnosticRelatedInformation> {
        let mut related = Vec::new();
        let mut add = |told: &Diagnostic, span: Span, message: &str| {
            let location = match &told.source {
                Some(other) if !self.is_own(told) => {
                    let lines = self.lines.of_other(other.text());
                    Location::new(uri_of(other.name()), lines.range(other.text(), span))
                }
                _ => Location::new(self.uri.clone(), self.lines.range(self.source.text(), span)),
            };
            related.push(DiagnosticRelatedInformation { location, message: message.to_string() });
        };
        for label in diagnostic.labels.iter().filter(|label| !label.primary || !self.is_own(diagnostic)) {
            add(diagnostic, label.span, &label.text);
        }
        for further in &diagnostic.related {
            if let Some(label) = further.primary() {
                add(further, label.span, &further.message);
            }
        }
        related
    }

    fn action(&self, remedy: &Remedy, diagnostic: &Diagnostic) -> CodeAction {
        let edit =
            |(span, text): &(Span, String)| TextEdit::new(self.lines.range(self.source.text(), *span), text.clone());
        let edits: Vec<TextEdit> = remedy.edits.iter().map(edit).collect();
        let mut title = remedy.title.clone();
        if let Some(first) = title.get(..1).map(str::to_uppercase) {
            title.replace_range(..1, &first);
        }
        let changes = Some(HashMap::from([(self.uri.clone(), edits)]));
        CodeAction {
            title,
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![self.told(diagnostic)]),
            is_preferred: (diagnostic.remedies.len() == 1).then_some(true),
            edit: Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() }),
            ..CodeAction::default()
        }
    }
}

/// A place of no width is drawn by no editor: it takes the character behind it along.
fn visible(text: &str, span: Span) -> Span {
    match text.get(span.end..).and_then(|rest| rest.chars().next()) {
        Some(next) if span.is_empty() && next != '\n' => Span::new(span.start, span.end + next.len_utf8()),
        _ => span,
    }
}
