use crate::text::{Span, shown};

/// A change of the text that takes a diagnostic away: what a person would do at once, had the editor offered it.
///
/// Only what is a text edit and nothing else; where the author has to think, the help of the diagnostic says about what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// What it does, as an imperative: `write "4KiB"`.
    pub title: String,
    /// Places of the diagnostic's own text and what is written there instead; they do not overlap.
    pub edits: Vec<(Span, String)>,
}

impl Remedy {
    /// One place written anew.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Self { title: shown(&title.into()), edits: vec![(span, text.into())] }
    }

    /// The text with the edits made. `None` where an edit lies outside of the text.
    pub fn applied(&self, text: &str) -> Option<String> {
        let mut edits: Vec<&(Span, String)> = self.edits.iter().collect();
        edits.sort_by_key(|(span, _)| span.start);
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for (span, instead) in edits {
            out.push_str(text.get(at..span.start)?);
            out.push_str(instead);
            text.get(span.start..span.end)?;
            at = span.end;
        }
        out.push_str(text.get(at..)?);
        Some(out)
    }

    /// The same remedy, with what is left out taken out whole: with the `;` that would end nothing, the blanks before it,
    /// and its line where nothing else stands on it.
    #[must_use]
    pub fn tidy(mut self, text: &str) -> Self {
        for (span, instead) in &mut self.edits {
            if instead.is_empty() {
                *span = whole(text, *span);
            }
        }
        self
    }
}

fn whole(text: &str, span: Span) -> Span {
    let (Some(before), Some(after)) = (text.get(..span.start), text.get(span.end..)) else { return span };
    let is_blank = |c: char| c == ' ' || c == '\t';
    let kept = before.trim_end_matches(is_blank);
    let is_first = kept.is_empty() || kept.ends_with(['\n', ';', '{']);
    let rest = after.trim_start_matches(is_blank);
    if !is_first {
        // A value or property: the blanks before it go along.
        return Span::new(kept.len(), span.end);
    }
    let rest = rest.strip_prefix(';').unwrap_or(rest);
    let rest = rest.trim_start_matches(is_blank);
    let starts_line = kept.is_empty() || kept.ends_with('\n');
    match rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) {
        Some(next) if starts_line => Span::new(kept.len(), text.len() - next.len()),
        _ if rest.is_empty() && starts_line => Span::new(kept.len(), text.len()),
        // The blanks before it part what is left.
        _ => Span::new(span.start, text.len() - rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_the_order_of_their_places() {
        let remedy = Remedy {
            title: "swap".into(),
            edits: vec![(Span::new(4, 5), "\u{fc}".into()), (Span::new(0, 1), "ab".into())],
        };
        assert_eq!(remedy.applied("x 1 y").as_deref(), Some("ab 1 \u{fc}"));
        assert_eq!(remedy.applied("x 1"), None);
        assert_eq!(Remedy::new("in the middle of a sign", Span::new(1, 2), "").applied("\u{fc}"), None);
    }

    #[test]
    fn what_is_left_out_takes_its_line_or_its_semicolon_along() {
        let left_out = |text: &str, what: &str| {
            let start = text.rfind(what).expect("is there");
            let remedy = Remedy::new("leave it out", Span::new(start, start + what.len()), "");
            remedy.tidy(text).applied(text).expect("fits")
        };
        assert_eq!(left_out("a {\n    b 1\n    b 2\n}\n", "b 2"), "a {\n    b 1\n}\n");
        assert_eq!(left_out("a { b 1; b 2; }", "b 2"), "a { b 1; }");
        assert_eq!(left_out("a { b 1; b 2 }", "b 2"), "a { b 1; }");
        assert_eq!(left_out("b 1; b 2; c", "b 2"), "b 1; c");
        assert_eq!(left_out("a x=1 x=2 {", "x=2"), "a x=1 {");
        assert_eq!(left_out("a 1\nb 2", "b 2"), "a 1\n");
    }
}
