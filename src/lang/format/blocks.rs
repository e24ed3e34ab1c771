//! Which blocks stay on one line.

use super::super::scan::{Token, TokenKind};

/// What becomes of a token by the block that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Neither a brace nor in an empty block.
    Plain,
    /// The brace of a block that stands on one line.
    OneLine,
    /// The brace of a block over several lines.
    SeveralLines,
    /// The end of a line in a block that holds nothing else.
    Dropped,
}

/// One shape for each token. A block is over several lines where any line ends in it, be it in a comment or a string.
pub(super) fn shapes(tokens: &[Token<'_>]) -> Vec<Shape> {
    let mut shapes = vec![Shape::Plain; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut last_line_end: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.is_sign('{') {
            open.push(at);
        } else if token.is_sign('}') {
            let Some(start) = open.pop() else { continue };
            let is_empty = tokens[start + 1..at].iter().all(|token| token.kind == TokenKind::Newline);
            if is_empty {
                shapes[start + 1..at].fill(Shape::Dropped);
            }
            let ends_a_line = last_line_end.is_some_and(|line_end| line_end > start);
            let shape = if ends_a_line && !is_empty { Shape::SeveralLines } else { Shape::OneLine };
            (shapes[start], shapes[at]) = (shape, shape);
        } else if token.text.contains(['\n', '\r']) || token.kind == TokenKind::Newline {
            last_line_end = Some(at);
        }
    }
    shapes
}
