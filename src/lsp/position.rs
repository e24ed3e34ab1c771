//! Places as the protocol counts them: lines from 0, and in a line the units of an encoding.

use gen_lsp_types::{Position, PositionEncodingKind, Range};

use crate::text::Span;

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16: what holds unless both sides agree on something else.
    #[default]
    Utf16,
}

impl Encoding {
    /// Bytes where the client offers them, since texts are kept in UTF-8; else UTF-16, which every client must know.
    pub(super) fn agreed<'o>(offered: impl IntoIterator<Item = &'o str>) -> Self {
        if offered.into_iter().any(|name| name == "utf-8") { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// The name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// Where the lines of a text begin. Lines end as the protocol says: with LF, CR LF or CR.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// Of this text.
    pub(super) fn of(text: &str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends_line = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends_line {
                starts.push(at + 1);
            }
        }
        Self { starts, encoding }
    }

    /// The lines of another text, counted in the same way.
    pub(super) fn of_other(&self, text: &str) -> Self {
        Self::of(text, self.encoding)
    }

    /// The place of a byte. One inside of a character is the character's start, one past the end is the end.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        let start = self.starts[line];
        Position::new(as_u32(line), as_u32(self.encoding.length(&text[start..offset])))
    }

    /// The byte of a place. A column past the end of its line is the line's end, a line past the last one the text's
    /// end, and a column inside of a character the character's start.
    pub(super) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let next = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..next].trim_end_matches(['\r', '\n']);
        let wanted = position.character as usize;
        let mut counted = 0;
        for (at, sign) in content.char_indices() {
            let length = match self.encoding {
                Encoding::Utf8 => sign.len_utf8(),
                Encoding::Utf16 => sign.len_utf16(),
            };
            if counted + length > wanted {
                return start + at;
            }
            counted += length;
        }
        start + content.len()
    }

    /// A range of bytes as a range of places.
    pub(super) fn range(&self, text: &str, span: Span) -> Range {
        Range::new(self.position(text, span.start), self.position(text, span.end.max(span.start)))
    }

    /// A range of places as a range of bytes; one that runs backwards is empty.
    pub(super) fn span(&self, text: &str, range: Range) -> Span {
        let start = self.offset(text, range.start);
        Span::new(start, self.offset(text, range.end).max(start))
    }

    /// The line, from 0, that a byte stands in.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
}

fn as_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns_count_what_was_agreed_on() {
        // An accent of its own, a sign beyond the 16 bits, a family of signs joined into one.
        let text = "a e\u{301} \u{1f600}\u{1f468}\u{200d}\u{1f469} \"4K\"\r\nb\r\u{fc}c";
        let at = text.find('"').expect("is there");
        let utf16 = Lines::of(text, Encoding::Utf16);
        let utf8 = Lines::of(text, Encoding::Utf8);
        assert_eq!(utf16.position(text, at), Position::new(0, 13));
        assert_eq!(utf8.position(text, at), Position::new(0, at as u32));
        assert_eq!(utf16.offset(text, Position::new(0, 13)), at);
        assert_eq!(utf8.offset(text, Position::new(0, at as u32)), at);
        let last = text.find('c').expect("is there");
        assert_eq!(utf16.position(text, last), Position::new(2, 1));
        assert_eq!(utf8.position(text, last), Position::new(2, 2));
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_before() {
        let text = "ab\r\n\u{1f600}\n";
        let lines = Lines::of(text, Encoding::Utf16);
        assert_eq!(lines.offset(text, Position::new(0, 99)), 2, "the line's end, before CR LF");
        assert_eq!(lines.offset(text, Position::new(1, 1)), 4, "inside of a pair");
        assert_eq!(lines.offset(text, Position::new(2, 0)), text.len());
        assert_eq!(lines.offset(text, Position::new(9, 9)), text.len());
        assert_eq!(Lines::of("", Encoding::Utf16).offset("", Position::new(0, 3)), 0);
        assert_eq!(lines.position(text, 5), Position::new(1, 0), "inside of a character");
        assert_eq!(lines.position(text, 999), Position::new(2, 0));
        assert_eq!(lines.span(text, Range::new(Position::new(1, 2), Position::new(0, 0))), Span::new(8, 8));
    }

    #[test]
    fn bytes_are_taken_where_they_are_offered() {
        assert_eq!(Encoding::agreed(["utf-16", "utf-8"]), Encoding::Utf8);
        assert_eq!(Encoding::agreed(["utf-32", "utf-16"]), Encoding::Utf16);
        assert_eq!(Encoding::agreed([]), Encoding::Utf16);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_character_is_found_again(text in "[ab\\r\\n\u{e9}\u{301}\u{1f600}\u{2028}]{0,24}") {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let lines = Lines::of(&text, encoding);
                for (at, sign) in text.char_indices() {
                    // A line's end has a place before it alone.
                    if sign != '\n' && sign != '\r' {
                        prop_assert_eq!(lines.offset(&text, lines.position(&text, at)), at);
                    }
                }
            }
        }
    }
}
