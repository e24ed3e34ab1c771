use crate::text::{SourceFile, Span, shown};

use super::{Code, Remedy, Severity};

/// What one place contributes to a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What this place contributes; may be empty where the place alone says it.
    pub text: String,
    /// True for the place that the diagnostic is about (one at most).
    pub primary: bool,
}

/// One thing that is wrong, or worth knowing.
///
/// Message, label and help have three different jobs and never repeat each other: the message is one lowercase
/// sentence fragment that stands alone in a log, with the offending value; a label says what its place contributes;
/// the help is the remedy, as an imperative. All three may quote what others wrote: it is made fit for a terminal here.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Which entry of the catalogue this is.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where, primary first.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Edits of the text, each of which alone takes it away.
    pub remedies: Vec<Remedy>,
    /// The text that the labels refer to. `None` takes that of the sink it is pushed to.
    pub source: Option<SourceFile>,
    /// Further places in other texts (an included file), each with its own source.
    pub related: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A diagnostic that refuses the plan.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A diagnostic that leaves the plan usable.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// Something worth knowing.
    pub fn remark(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: shown(&message.into()),
            labels: Vec::new(),
            help: None,
            remedies: Vec::new(),
            source: None,
            related: Vec::new(),
        }
    }

    /// The place it is about. A second call adds a further place, as [`Diagnostic::also`] does.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        let primary = !self.labels.iter().any(|label| label.primary);
        let label = Label { span, text: shown(&text.into()), primary };
        if primary {
            self.labels.insert(0, label);
        } else {
            self.labels.push(label);
        }
        self
    }

    /// A further place that explains it.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: shown(&text.into()), primary: false });
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shown(&help.into()));
        self
    }

    /// An edit that takes it away: `text` in the place of `span`. An empty text leaves out what stands there.
    #[must_use]
    pub fn remedy(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.remedies.push(Remedy::new(title, span, text));
        self
    }

    /// An edit of several places that takes it away.
    #[must_use]
    pub fn remedy_of(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    /// As [`Diagnostic::remedy`], titled by what is written.
    #[must_use]
    pub fn rewrite(self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.remedy(format!("write {text}"), span, text)
    }

    /// The text that the labels refer to, where it is not that of the sink.
    #[must_use]
    pub fn in_source(mut self, source: &SourceFile) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// A place in another text, with its own words.
    #[must_use]
    pub fn related(mut self, other: Diagnostic) -> Self {
        self.related.push(other);
        self
    }

    /// The place it is about, if it has one.
    pub fn primary(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.primary).or_else(|| self.labels.first())
    }
}

#[cfg(test)]
mod tests {
    use super::super::code;
    use super::*;

    #[test]
    fn the_first_label_is_the_primary_one_even_behind_a_further_place() {
        let diagnostic = Diagnostic::error(code::NAME_DUPLICATE, "twice")
            .also(Span::new(0, 1), "first here")
            .label(Span::new(5, 6), "again here")
            .label(Span::new(8, 9), "and here");
        let starts: Vec<usize> = diagnostic.labels.iter().map(|label| label.span.start).collect();
        assert_eq!(starts, [5, 0, 8]);
        assert_eq!(diagnostic.labels.iter().filter(|label| label.primary).count(), 1);
        assert_eq!(diagnostic.primary().map(|label| label.span.start), Some(5));
    }
}
