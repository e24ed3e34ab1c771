use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::diag::{Diagnostic, Diagnostics, Remedy, Severity};
use crate::text::{SourceFile, Span};

/// The texts of a plan laid end to end in one range of bytes, with a stretch of its own for every time that a template
/// was put in: a place in that range says in which text it stands, and by which calls it came there.
///
/// All places of a plan are of that range. The plan's own file comes first, so a place in it is what it seems to be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Texts {
    /// In ascending order of their starts.
    pieces: Vec<Piece>,
}

/// A text, or what a template became at one of its calls.
#[derive(Debug, Clone, PartialEq)]
struct Piece {
    start: usize,
    /// Where the first piece of this text begins, the one that is no template.
    text_start: usize,
    source: SourceFile,
    came: Came,
    /// Of an included text, its path below the plan's folder.
    path: Option<String>,
    /// Where a `$name` of a template stood, counted from the start, and where its value was given.
    given: Vec<(Span, Span)>,
    /// What a `for-each` tells this stretch apart by: its name and the value as shown.
    variant: Option<(String, String)>,
}

/// How a piece came into the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// It is the plan's own file.
    Itself,
    /// By an `include` at this place.
    Included(Span),
    /// By a template: the place of the call or value, and what a label says of it.
    Template(Span, &'static str),
}

/// What a label says of the value that a template was put in for.
const FOR_VALUE: &str = "for this value";

impl Texts {
    /// So many calls are named with a mistake in a template.
    const CALLS_NAMED: usize = 4;

    /// The plan's own text alone.
    pub(super) fn of(source: &SourceFile) -> Self {
        let mut texts = Self::default();
        texts.add(source.clone(), Came::Itself, None);
        texts
    }

    /// Adds an included text, which is at `path` below the plan's folder; its places begin at the number that comes back.
    pub(super) fn include(&mut self, source: &SourceFile, at: Span, path: &str) -> usize {
        let start = self.add(source.clone(), Came::Included(at), None);
        if let Some(piece) = self.pieces.last_mut() {
            piece.path = Some(path.to_string());
        }
        start
    }

    /// The included texts with their paths below the plan's folder, in the order in which they came.
    pub fn included(&self) -> impl Iterator<Item = (&str, &SourceFile)> {
        self.pieces.iter().filter_map(|piece| Some((piece.path.as_deref()?, &piece.source)))
    }

    /// True for a place in an included text.
    pub(super) fn is_included(&self, span: Span) -> bool {
        self.piece_of_text(span).is_some_and(|piece| piece.path.is_some())
    }

    /// The place where a text was written, whatever template put it in.
    pub(super) fn as_written(&self, span: Span) -> Span {
        let start = self.piece_of_text(span).map_or(0, |piece| piece.start);
        let local = self.local(span).1;
        Span::new(start + local.start, start + local.end)
    }

    fn piece_of_text(&self, span: Span) -> Option<&Piece> {
        let start = self.pieces.get(self.piece_at(span))?.text_start;
        self.pieces.get(self.piece_at(Span::new(start, start)))
    }

    /// Adds a stretch for the template that stands at `template`; `says` is the label of the place that put it in.
    /// Comes back with where the template's text begins and where the stretch does.
    pub(super) fn instance(&mut self, template: Span, at: Span, says: &'static str) -> (usize, usize) {
        let index = self.piece_at(template);
        let (from, source) = (self.pieces[index].start, self.pieces[index].source.clone());
        (from, self.add(source, Came::Template(at, says), Some(from)))
    }

    /// Adds a stretch for one value of the `for-each` that stands at `template`: its name, and the value at `at` as shown.
    pub(super) fn variant(&mut self, template: Span, at: Span, (name, value): (&str, &str)) -> (usize, usize) {
        let stretch = self.instance(template, at, FOR_VALUE);
        if let Some(piece) = self.pieces.last_mut() {
            piece.variant = Some((name.to_string(), value.to_string()));
        }
        stretch
    }

    /// The `for-each` names around a place with their values as shown, the outermost first.
    pub(super) fn variants(&self, span: Span) -> Vec<(String, String)> {
        let (mut variants, mut at) = (Vec::new(), span);
        while let Some(piece) = self.pieces.get(self.piece_at(at)) {
            variants.extend(piece.variant.clone());
            let Came::Template(call, _) = piece.came else { break };
            at = call;
        }
        variants.reverse();
        variants
    }

    /// Notes that the value at `at`, in the stretch that was added last for it, was given at `given`.
    pub(super) fn note_given(&mut self, at: Span, given: Span) {
        let index = self.piece_at(at);
        let start = self.pieces[index].start;
        self.pieces[index].given.push((Span::new(at.start - start, at.end - start), given));
    }

    fn add(&mut self, source: SourceFile, came: Came, text_start: Option<usize>) -> usize {
        let start = self.pieces.last().map_or(0, |last| last.start + last.source.text().len() + 1);
        let text_start = text_start.unwrap_or(start);
        self.pieces.push(Piece { start, text_start, source, came, path: None, given: Vec::new(), variant: None });
        start
    }

    /// The piece that a place lies in.
    fn piece_at(&self, span: Span) -> usize {
        self.pieces.partition_point(|piece| piece.start <= span.start).saturating_sub(1)
    }

    /// A place as one of its own text.
    pub fn local(&self, span: Span) -> (Option<&SourceFile>, Span) {
        let Some(piece) = self.pieces.get(self.piece_at(span)) else { return (None, span) };
        let end = span.end.saturating_sub(piece.start).min(piece.source.text().len());
        let start = (span.start - piece.start).min(end);
        (Some(&piece.source), Span::new(start, end))
    }

    /// The place in the plan's own file that led here: a place in it is its own, one in an included file is its `include`.
    pub fn in_plan(&self, span: Span) -> Span {
        let mut span = span;
        loop {
            let Some(piece) = self.pieces.get(self.piece_at(span)) else { return span };
            let own = piece.text_start == 0;
            match piece.came {
                _ if own => return self.local(span).1,
                Came::Itself => return span,
                Came::Included(at) | Came::Template(at, _) => span = at,
            }
        }
    }

    /// Diagnostics with the places of their own texts, each thing said once: a mistake in a template points at the
    /// template and names its first call.
    pub fn settle(&self, found: &Diagnostics) -> Diagnostics {
        let mut settled: Vec<Diagnostic> = Vec::new();
        let mut said: HashMap<_, usize> = HashMap::new();
        for diagnostic in found.all() {
            let diagnostic = self.settled(diagnostic);
            let place = diagnostic.primary().map(|label| label.span);
            let text = diagnostic.source.as_ref().map(|source| source.name().to_string());
            match said.entry((diagnostic.code.id(), diagnostic.message.clone(), text, place)) {
                Entry::Occupied(first) if place.is_some() => {
                    // What holds for several values does not come from the one that is named.
                    let first = &mut settled[*first.get()];
                    first.labels.retain(|label| label.text != FOR_VALUE || diagnostic.labels.contains(label));
                    first.related.retain(|other| other.message != FOR_VALUE || diagnostic.related.contains(other));
                    continue;
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    free.insert(settled.len());
                }
            }
            settled.push(diagnostic);
        }
        let mut all = Diagnostics::without_source();
        let errors = found.all().iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        all.count_unlisted(found.count(Severity::Error) - errors);
        settled.into_iter().for_each(|diagnostic| all.push(diagnostic));
        all
    }

    fn settled(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let mut settled = diagnostic.clone();
        let Some(primary) = diagnostic.primary().cloned() else { return settled };
        settled.labels.clear();
        settled.remedies =
            diagnostic.remedies.iter().filter_map(|remedy| self.settled_remedy(remedy, primary.span)).collect();
        settled.source = None;
        let mut labels: Vec<(Span, String)> =
            diagnostic.labels.iter().map(|label| (label.span, label.text.clone())).collect();
        let mut calls = self.calls(primary.span);
        if let Some(called) = self.same_place_twice(diagnostic) {
            // Two uses of one template collide: what tells them apart are their calls.
            labels = called;
            calls = vec![(primary.span, "stands here")];
        }
        let Some((first, says)) = labels.first().cloned() else { return settled };
        let (source, local) = self.local(first);
        settled.source = source.cloned();
        settled = settled.label(local, says);
        for (span, says) in labels.into_iter().skip(1).chain(calls.into_iter().map(|(at, says)| (at, says.to_string())))
        {
            let (source, local) = self.local(span);
            if settled.labels.iter().any(|label| label.span == local) && source == settled.source.as_ref() {
                continue;
            }
            if source == settled.source.as_ref() {
                settled = settled.also(local, says);
            } else if let Some(source) = source {
                let mut further = diagnostic.clone();
                // It explains the one before it and is none of its own weight.
                further.severity = Severity::Remark;
                (further.message, further.help, further.related) = (says, None, Vec::new());
                further.labels.clear();
                let further = further.label(local, "").in_source(source);
                settled = settled.related(further);
            }
        }
        settled
    }

    /// A remedy with places of the text that the diagnostic is about. None where another text would have to be edited, or
    /// where the value to be written anew is that of a parameter, which is written elsewhere.
    fn settled_remedy(&self, remedy: &Remedy, primary: Span) -> Option<Remedy> {
        let source = self.local(primary).0?;
        let mut edits = Vec::new();
        for (span, instead) in &remedy.edits {
            let (own, local) = self.local(*span);
            let before = own.filter(|own| *own == source)?.text().get(local.start..local.end)?;
            if before.trim_start_matches('"').starts_with('$') && !instead.starts_with('$') {
                return None;
            }
            edits.push((local, instead.clone()));
        }
        Some(Remedy { title: remedy.title.clone(), edits }.tidy(source.text()))
    }

    /// The calls that led to a place, from the inside out; of the innermost the place of the value, where it gave one.
    fn calls(&self, span: Span) -> Vec<(Span, &'static str)> {
        let mut calls = Vec::new();
        let mut span = span;
        while let Some(piece) = self.pieces.get(self.piece_at(span)) {
            let Came::Template(at, says) = piece.came else { break };
            let local = Span::new(span.start - piece.start, span.end.saturating_sub(piece.start));
            match piece.given.iter().find(|(place, _)| *place == local) {
                Some((_, given)) if *given != at => calls.push((*given, "given here")),
                _ => {}
            }
            calls.push((at, says));
            span = at;
        }
        // The outermost call is the one in the plan's order of steps.
        if calls.len() > Self::CALLS_NAMED {
            calls.drain(Self::CALLS_NAMED - 1..calls.len() - 1);
        }
        calls
    }

    /// Where two labels of one diagnostic are the same place of one template, at two of its calls: the labels at the
    /// calls where the two ways part.
    fn same_place_twice(&self, diagnostic: &Diagnostic) -> Option<Vec<(Span, String)>> {
        let [first, second] = &diagnostic.labels[..] else { return None };
        if first.span == second.span || self.local(first.span) != self.local(second.span) {
            return None;
        }
        let way = |span: Span| {
            let mut way = vec![span];
            let mut at = span;
            while let Some(Came::Template(call, _)) = self.pieces.get(self.piece_at(at)).map(|piece| piece.came) {
                way.push(call);
                at = call;
            }
            way.reverse();
            way
        };
        let (a, b) = (way(first.span), way(second.span));
        let (a, b) = a.iter().zip(&b).find(|(a, b)| self.local(**a) != self.local(**b))?;
        Some(vec![(*a, first.text.clone()), (*b, second.text.clone())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::code;

    fn source(name: &str, length: usize) -> SourceFile {
        SourceFile::new(name, "x".repeat(length))
    }

    #[test]
    fn a_place_knows_its_text_and_its_call() {
        let own = source("plan.kdl", 100);
        let mut texts = Texts::of(&own);
        let included = texts.include(&source("common.kdl", 50), Span::new(10, 20), "common.kdl");
        assert_eq!(included, 101);
        let (from, to) = texts.instance(Span::new(111, 120), Span::new(80, 90), "applied here");
        assert_eq!((from, to), (101, 152));
        let inside = Span::new(to + 12, to + 14);
        assert_eq!(texts.local(inside).0.map(SourceFile::name), Some("common.kdl"));
        assert_eq!(texts.local(inside).1, Span::new(12, 14));
        assert_eq!(texts.in_plan(inside), Span::new(80, 90));
        assert_eq!(texts.in_plan(Span::new(105, 106)), Span::new(10, 20));
        assert_eq!(texts.in_plan(Span::new(5, 6)), Span::new(5, 6));
        // A place beyond all texts is the end of the last.
        assert_eq!(texts.local(Span::new(9999, 10_001)).1, Span::new(50, 50));
    }

    #[test]
    fn a_mistake_in_a_template_is_said_once_and_names_the_call() {
        let own = source("plan.kdl", 100);
        let mut texts = Texts::of(&own);
        let mut found = Diagnostics::new(&own);
        for call in [Span::new(60, 70), Span::new(80, 90)] {
            let (_, start) = texts.instance(Span::new(0, 30), call, "applied here");
            found.push(Diagnostic::error(code::VALUE_WRONG_TYPE, "x").label(Span::new(start + 3, start + 5), "wrong"));
        }
        let settled = texts.settle(&found);
        assert_eq!(settled.all().len(), 1);
        let labels: Vec<(Span, &str)> =
            settled.all()[0].labels.iter().map(|label| (label.span, label.text.as_str())).collect();
        assert_eq!(labels, [(Span::new(3, 5), "wrong"), (Span::new(60, 70), "applied here")]);
    }

    #[test]
    fn two_uses_of_one_place_are_told_apart_by_their_calls() {
        let own = source("plan.kdl", 100);
        let mut texts = Texts::of(&own);
        let (_, first) = texts.instance(Span::new(0, 30), Span::new(60, 70), "applied here");
        let (_, second) = texts.instance(Span::new(0, 30), Span::new(80, 90), "applied here");
        let mut found = Diagnostics::new(&own);
        found.push(
            Diagnostic::error(code::STEP_SAME_NAME, "twice")
                .label(Span::new(second + 3, second + 5), "again here")
                .also(Span::new(first + 3, first + 5), "first here"),
        );
        let settled = texts.settle(&found);
        let labels: Vec<(usize, &str)> =
            settled.all()[0].labels.iter().map(|label| (label.span.start, label.text.as_str())).collect();
        assert_eq!(labels, [(80, "again here"), (60, "first here"), (3, "stands here")]);
    }

    #[test]
    fn places_in_two_texts_are_shown_each_in_its_own() {
        let own = source("plan.kdl", 100);
        let mut texts = Texts::of(&own);
        let start = texts.include(&source("common.kdl", 50), Span::new(10, 20), "common.kdl");
        let mut found = Diagnostics::new(&own);
        found.push(
            Diagnostic::error(code::NAME_DUPLICATE, "twice")
                .label(Span::new(40, 45), "again here")
                .also(Span::new(start + 3, start + 5), "first here"),
        );
        let settled = texts.settle(&found);
        let diagnostic = &settled.all()[0];
        assert_eq!(diagnostic.source.as_ref().map(SourceFile::name), Some("plan.kdl"));
        assert_eq!((diagnostic.labels.len(), diagnostic.related.len()), (1, 1));
        let related = &diagnostic.related[0];
        assert_eq!(related.source.as_ref().map(SourceFile::name), Some("common.kdl"));
        assert_eq!((related.message.as_str(), related.labels[0].span), ("first here", Span::new(3, 5)));
    }
}
