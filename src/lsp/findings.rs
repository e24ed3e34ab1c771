//! Diagnostics as the protocol has them, and their remedies as actions.

use std::collections::HashMap;

use gen_lsp_types::{
    CodeAction, CodeActionKind, Diagnostic as Told, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    Message, Range, TextEdit, Uri, WorkspaceEdit,
};

use crate::diag::{Diagnostic, Remedy, Severity};
use crate::plan;
use crate::schedule::{self, History};
use crate::text::{SourceFile, Span};

use super::documents::Document;
use super::position::Lines;

/// So many diagnostics are sent for a document; nobody corrects more at once.
const TOLD_AT_MOST: usize = 200;

/// Everything that the text alone tells about a plan, as `check` does it, in the order of the places.
pub(super) fn found_in(source: &SourceFile) -> Vec<Diagnostic> {
    let loaded = plan::load(source, &[]);
    let mut found = loaded.diagnostics;
    if let Some(plan) = &loaded.plan {
        let schedule = schedule::expand(plan, None);
        found.append(plan.texts.settle(&schedule::check_state(plan, &schedule, None, History::Unknown)));
    }
    found.ordered().into_iter().cloned().collect()
}

/// The diagnostics of a document.
pub(super) fn told(uri: &Uri, document: &mut Document) -> Vec<Told> {
    document.found();
    let (source, lines) = (document.source.clone(), document.lines.clone());
    let found = document.found().iter().take(TOLD_AT_MOST);
    found.map(|diagnostic| told_one(diagnostic, uri, &source, &lines)).collect()
}

/// Places of other texts are told by their names alone.
fn is_own(diagnostic: &Diagnostic, source: &SourceFile) -> bool {
    diagnostic.source.as_ref().is_none_or(|own| own.name() == source.name())
}

fn range_of(diagnostic: &Diagnostic, source: &SourceFile, lines: &Lines) -> Range {
    let label = diagnostic.primary().filter(|_| is_own(diagnostic, source));
    label.map_or(Range::default(), |label| lines.range(source.text(), visible(source.text(), label.span)))
}

/// A place of no width is drawn by no editor: it takes the character behind it along.
fn visible(text: &str, span: Span) -> Span {
    match text.get(span.end..).and_then(|rest| rest.chars().next()) {
        Some(next) if span.is_empty() && next != '\n' => Span::new(span.start, span.end + next.len_utf8()),
        _ => span,
    }
}

fn told_one(diagnostic: &Diagnostic, uri: &Uri, source: &SourceFile, lines: &Lines) -> Told {
    let label = diagnostic.primary().map(|label| label.text.as_str()).filter(|text| !text.is_empty());
    let parts = [Some(diagnostic.message.as_str()), label, diagnostic.help.as_deref()];
    let message = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let own_labels = diagnostic.labels.iter().filter(|label| !label.primary && is_own(diagnostic, source));
    let mut related: Vec<DiagnosticRelatedInformation> = own_labels
        .map(|label| DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), lines.range(source.text(), label.span)),
            message: label.text.clone(),
        })
        .collect();
    for further in diagnostic.related.iter().filter(|further| is_own(further, source)) {
        related.push(DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), range_of(further, source, lines)),
            message: further.message.clone(),
        });
    }
    Told {
        range: range_of(diagnostic, source, lines),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Remark => DiagnosticSeverity::Information,
        }),
        code: Some(diagnostic.code.id().to_string().into()),
        code_description: None,
        source: Some("shakedown".into()),
        message: Message::String(message),
        tags: None,
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
}

/// The remedies of what is wrong in a range of a document.
pub(super) fn actions(uri: &Uri, document: &mut Document, range: Range) -> Vec<CodeAction> {
    document.found();
    let (source, lines) = (document.source.clone(), document.lines.clone());
    let asked = lines.span(source.text(), range);
    let is_asked = |diagnostic: &&Diagnostic| {
        let label = diagnostic.primary().filter(|_| is_own(diagnostic, &source));
        label.is_some_and(|label| label.span.start <= asked.end && asked.start <= label.span.end)
    };
    let mut actions = Vec::new();
    for diagnostic in document.found().iter().filter(is_asked) {
        for remedy in &diagnostic.remedies {
            let told = told_one(diagnostic, uri, &source, &lines);
            actions.push(action(remedy, diagnostic.remedies.len() == 1, told, uri, &source, &lines));
        }
    }
    actions
}

fn action(remedy: &Remedy, is_only: bool, told: Told, uri: &Uri, source: &SourceFile, lines: &Lines) -> CodeAction {
    let edit = |(span, text): &(Span, String)| TextEdit::new(lines.range(source.text(), *span), text.clone());
    let edits: Vec<TextEdit> = remedy.edits.iter().map(edit).collect();
    let mut title = remedy.title.clone();
    if let Some(first) = title.get(..1).map(str::to_uppercase) {
        title.replace_range(..1, &first);
    }
    CodeAction {
        title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![told]),
        is_preferred: is_only.then_some(true),
        edit: Some(WorkspaceEdit { changes: Some(HashMap::from([(uri.clone(), edits)])), ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    }
}
