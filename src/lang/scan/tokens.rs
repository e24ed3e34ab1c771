use super::Scan;
use super::reader::{Reader, is_blank};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// The end of a line.
    Newline,
    /// `// …`, without the end of its line.
    LineComment,
    /// `/* … */` with the comments nested in it.
    BlockComment,
    /// The backslash that continues a line.
    Continuation,
    /// `/-`.
    Slashdash,
    /// One of `(){};=`.
    Sign(char),
    /// A string in quotes, or anything without quotes: a name, a number, a keyword.
    Word,
}

/// A piece of a text that is KDL, as it is written, and the blanks before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'t str,
    /// The blanks between the token before and this one.
    pub blanks: &'t str,
}

impl Token<'_> {
    /// True for both kinds of comments.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }

    /// True for this sign of the grammar.
    pub fn is_sign(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign(sign)
    }
}

/// Cuts a text without mistakes of syntax into tokens. Of one with mistakes the pieces are as good as can be guessed.
/// A byte order mark at the start and blanks at the very end belong to none.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader = Reader::new(text);
    let mut tokens = Vec::new();
    // Comments are tokens here; nobody wants to know what a scan would take out.
    let mut unused = Scan::default();
    loop {
        let blanks_start = reader.at;
        reader.skip_while(is_blank);
        let start = reader.at;
        let Some(kind) = next(&mut reader, &mut unused) else { return tokens };
        tokens.push(Token { kind, text: &text[start..reader.at], blanks: &text[blanks_start..start] });
    }
}

/// Over one token that is no blank.
fn next(reader: &mut Reader<'_>, scan: &mut Scan) -> Option<TokenKind> {
    let c = reader.peek()?;
    Some(if reader.newline() {
        TokenKind::Newline
    } else if reader.starts_with("//") {
        reader.line_comment(scan);
        TokenKind::LineComment
    } else if reader.starts_with("/*") {
        reader.block_comment(scan);
        TokenKind::BlockComment
    } else if reader.starts_with("/-") {
        reader.at += 2;
        TokenKind::Slashdash
    } else if reader.continues_line() {
        reader.at += 1;
        TokenKind::Continuation
    } else if matches!(c, '(' | ')' | '{' | '}' | ';' | '=') {
        reader.at += 1;
        TokenKind::Sign(c)
    } else {
        let hashes = reader.raw_string_hashes();
        if hashes.is_some() || c == '"' {
            reader.string_as_typed(hashes.unwrap_or(0), scan);
        } else {
            reader.skip_word();
        }
        TokenKind::Word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_without_loss() {
        let text = "/- a\t(t)\"x y\" k = #\"r\"# { // c\r\n /* d */ b \\\n 1;} \"\"\"\n  s\n  \"\"\"\n";
        let tokens = tokens(text);
        let glued: String = tokens.iter().flat_map(|token| [token.blanks, token.text]).collect();
        assert_eq!(glued, text);
        let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let expected = [
            "/-",
            "a",
            "(",
            "t",
            ")",
            "\"x y\"",
            "k",
            "=",
            "#\"r\"#",
            "{",
            "// c",
            "\r\n",
            "/* d */",
            "b",
            "\\",
            "\n",
            "1",
            ";",
            "}",
            "\"\"\"\n  s\n  \"\"\"",
            "\n",
        ];
        assert_eq!(texts, expected);
    }
}
