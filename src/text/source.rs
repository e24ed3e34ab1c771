use std::sync::Arc;

/// The text of a plan (or rig) file with the name that diagnostics print for it.
///
/// This is the only owner of plan text; everything later refers to it by [`Span`](super::Span).
#[derive(Debug, Clone, Eq)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
}

impl SourceFile {
    /// Takes the name as the person typed it (`-` for standard input) and the whole text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The name that diagnostics print.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, as read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset, both counted from 1, the column in characters.
    /// An offset past the end gives the place after the last character.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (line, before[start..].chars().count() + 1)
    }
}

impl PartialEq for SourceFile {
    /// Equal in name and text. Clones share both, which spares comparing a long text once for each diagnostic.
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Arc<str>, b: &Arc<str>| Arc::ptr_eq(a, b) || a == b;
        same(&self.name, &other.name) && same(&self.text, &other.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readings_of_one_text_are_equal() {
        let source = SourceFile::new("a.kdl", "a 1");
        assert_eq!(source, source.clone());
        assert_eq!(source, SourceFile::new("a.kdl", "a 1"));
        assert_ne!(source, SourceFile::new("b.kdl", "a 1"));
        assert_ne!(source, SourceFile::new("a.kdl", "a 2"));
    }

    #[test]
    fn line_and_column_count_from_one_and_in_characters() {
        let source = SourceFile::new("a.kdl", "über 1\n  b 2\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(6), (1, 6));
        assert_eq!(source.line_column(10), (2, 3));
        assert_eq!(source.line_column(999), (3, 1));
    }
}
