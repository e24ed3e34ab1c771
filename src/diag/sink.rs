use crate::text::SourceFile;

use super::{Diagnostic, Severity};

/// The mistakes of one stage, or of several: collected first, judged at the end.
///
/// A decoder pushes and carries on; only the end of a stage asks [`Diagnostics::has_errors`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Diagnostics {
    source: Option<SourceFile>,
    all: Vec<Diagnostic>,
    unlisted: usize,
}

impl Diagnostics {
    /// So many are shown; the rest is counted.
    pub const SHOWN_AT_MOST: usize = 50;

    /// An empty sink for the mistakes of one text: what is pushed without a source gets this one.
    pub fn new(source: &SourceFile) -> Self {
        Self { source: Some(source.clone()), ..Self::default() }
    }

    /// An empty sink for mistakes that have no place in a text (a device, a command line).
    pub fn without_source() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.source.is_none() {
            diagnostic.source.clone_from(&self.source);
        }
        self.all.push(diagnostic);
    }

    /// Adds all of another stage, each with its own source.
    pub fn append(&mut self, other: Diagnostics) {
        self.unlisted += other.unlisted;
        for diagnostic in other.all {
            self.push(diagnostic);
        }
    }

    /// Leaves out what `keep` does not keep.
    pub fn retain(&mut self, keep: impl Fn(&Diagnostic) -> bool) {
        self.all.retain(|diagnostic| keep(diagnostic));
    }

    /// Counts errors that were found but are not worth a diagnostic of their own.
    pub fn count_unlisted(&mut self, errors: usize) {
        self.unlisted += errors;
    }

    /// True where one of them refuses the plan.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// True where nothing was found at all.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.unlisted == 0
    }

    /// How many of one weight, the unlisted among the errors.
    pub fn count(&self, severity: Severity) -> usize {
        let unlisted = if severity == Severity::Error { self.unlisted } else { 0 };
        self.all.iter().filter(|diagnostic| diagnostic.severity == severity).count() + unlisted
    }

    /// All, as they were pushed.
    pub fn all(&self) -> &[Diagnostic] {
        &self.all
    }

    /// All in the order of their places: those without a place first, then text by text in the order in which the
    /// texts came up, each from top to bottom. Equal places keep the order in which they were pushed.
    pub fn ordered(&self) -> Vec<&Diagnostic> {
        let mut texts: Vec<&SourceFile> = self.source.iter().collect();
        for source in self.all.iter().filter_map(|diagnostic| diagnostic.source.as_ref()) {
            if !texts.contains(&source) {
                texts.push(source);
            }
        }
        let place = |diagnostic: &Diagnostic| {
            let label = diagnostic.primary()?;
            let text = texts.iter().position(|text| Some(*text) == diagnostic.source.as_ref());
            Some((text, label.span.start))
        };
        let mut ordered: Vec<&Diagnostic> = self.all.iter().collect();
        ordered.sort_by_cached_key(|diagnostic| place(diagnostic));
        ordered
    }

    /// Those that are shown, in order: errors are never pushed out by warnings and remarks.
    pub fn shown(&self) -> Vec<&Diagnostic> {
        let ordered = self.ordered();
        if ordered.len() <= Self::SHOWN_AT_MOST {
            return ordered;
        }
        let errors = ordered.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        let mut room_for_others = Self::SHOWN_AT_MOST.saturating_sub(errors);
        let mut shown = Vec::new();
        for diagnostic in ordered {
            if diagnostic.severity != Severity::Error {
                if room_for_others == 0 {
                    continue;
                }
                room_for_others -= 1;
            }
            shown.push(diagnostic);
        }
        shown.truncate(Self::SHOWN_AT_MOST);
        shown
    }

    /// How many were found beside those of [`Diagnostics::shown`].
    pub fn hidden(&self) -> usize {
        self.all.len() + self.unlisted - self.shown().len()
    }

    /// How many of each weight, as `3 errors, 1 warning`. `None` where nothing was found.
    pub fn counts(&self) -> Option<String> {
        let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Remark]
            .into_iter()
            .filter_map(|severity| match self.count(severity) {
                0 => None,
                1 => Some(format!("1 {severity}")),
                count => Some(format!("{count} {severity}s")),
            })
            .collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }

    /// The closing line: counts, and where to read on. `None` where nothing was found.
    pub fn summary(&self) -> Option<String> {
        let counts = self.counts()?;
        // The last one shown stands right above this line; the gravest kind goes first.
        let gravest = self.shown().into_iter().rev().min_by_key(|diagnostic| diagnostic.severity);
        let more = gravest.map(|diagnostic| format!(" `shakedown explain {}` tells more.", diagnostic.code));
        Some(format!("{counts}.{}", more.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::code;
    use super::*;
    use crate::text::Span;

    fn error_at(start: usize) -> Diagnostic {
        Diagnostic::error(code::VALUE_WRONG_TYPE, format!("at {start}")).label(Span::new(start, start + 1), "")
    }

    fn messages(shown: &[&Diagnostic]) -> Vec<String> {
        shown.iter().map(|diagnostic| diagnostic.message.clone()).collect()
    }

    #[test]
    fn they_come_out_by_place_whatever_the_order_of_pushing() {
        let (own, other) = (SourceFile::new("a.kdl", "x".repeat(99)), SourceFile::new("b.kdl", "y".repeat(99)));
        let mut sink = Diagnostics::new(&own);
        sink.push(error_at(2).in_source(&other));
        sink.push(error_at(9));
        sink.push(error_at(4));
        sink.push(Diagnostic::error(code::VALUE_WRONG_TYPE, "nowhere"));
        sink.push(error_at(1).in_source(&other));
        assert_eq!(messages(&sink.ordered()), ["nowhere", "at 4", "at 9", "at 1", "at 2"]);
    }

    #[test]
    fn fifty_are_shown_and_the_rest_is_counted() {
        let mut sink = Diagnostics::new(&SourceFile::new("a.kdl", "x".repeat(99)));
        for start in (0..62).rev() {
            sink.push(error_at(start));
        }
        assert_eq!(sink.shown().len(), 50);
        assert_eq!(sink.shown()[0].message, "at 0");
        assert_eq!(sink.hidden(), 12);
        assert_eq!(sink.summary().as_deref(), Some("62 errors. `shakedown explain value/wrong-type` tells more."));
    }

    #[test]
    fn warnings_push_no_error_out() {
        let mut sink = Diagnostics::new(&SourceFile::new("a.kdl", "x".repeat(99)));
        for start in 0..60 {
            sink.push(Diagnostic::warning(code::NAME_DUPLICATE, "w").label(Span::new(start, start), ""));
        }
        sink.push(error_at(80));
        assert!(sink.has_errors());
        assert_eq!(sink.shown().len(), 50);
        assert_eq!(sink.shown().last().map(|last| last.severity), Some(Severity::Error));
        assert_eq!(
            sink.summary().as_deref(),
            Some("1 error, 60 warnings. `shakedown explain value/wrong-type` tells more.")
        );
    }

    #[test]
    fn an_empty_sink_says_nothing() {
        let sink = Diagnostics::without_source();
        assert!(sink.is_empty() && !sink.has_errors());
        assert_eq!(sink.summary(), None);
    }

    #[test]
    fn unlisted_errors_count() {
        let mut sink = Diagnostics::without_source();
        sink.push(error_at(0));
        sink.count_unlisted(4);
        assert_eq!((sink.count(Severity::Error), sink.hidden()), (5, 4));
    }
}
