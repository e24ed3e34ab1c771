use std::sync::{Arc, OnceLock};

/// The text of a plan (or rig) file with the name that diagnostics print for it.
///
/// This is the only owner of plan text; everything later refers to it by [`Span`](super::Span).
#[derive(Debug, Clone, Eq)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    /// Where each line begins, found when the first place is asked for: a long text may have thousands.
    line_starts: Arc<OnceLock<Vec<usize>>>,
}

impl SourceFile {
    /// Takes the name as the person typed it (`-` for standard input) and the whole text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into(), line_starts: Arc::default() }
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
        let starts = self.line_starts.get_or_init(|| {
            std::iter::once(0).chain(self.text.match_indices('\n').map(|(newline, _)| newline + 1)).collect()
        });
        let line = starts.partition_point(|start| *start <= end);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        (line, self.text[start..end].chars().count() + 1)
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
        assert_eq!(source.line_column(1), (1, 1), "within a character");
        assert_eq!((source.line_column(8), source.line_column(9)), ((2, 1), (2, 2)));
        assert_eq!(SourceFile::new("a.kdl", "").line_column(5), (1, 1));
    }
}
