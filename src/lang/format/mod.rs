//! One layout for every plan, so that a review shows what was meant to change and nothing else.
//!
//! The text is edited, never printed from the tree: only blanks, line ends and the `;` before a line end or a brace
//! are touched. The tree is the check: a text whose meaning or comments would change is refused, not written.

mod blocks;
mod comment;
mod layout;
mod proof;

use crate::diag::Diagnostics;
use crate::text::SourceFile;

use super::decode::too_large;
use super::read;
use layout::laid_out;

/// The text in the one layout: four blanks for each level, no blanks at line ends, no empty line at the start or end of
/// a block and never two in a row, line ends of one character. A block on one line stays there, and so does one on several lines;
/// columns that were lined up with blanks stay so. Formatting twice is formatting once.
///
/// # Errors
/// The mistakes of syntax, or that the layout would make the text too large; or, should the formatter itself be
/// mistaken, `format/not-kept`.
pub fn format(source: &SourceFile) -> Result<String, Diagnostics> {
    let before = read(source)?;
    let mut refused = Diagnostics::new(source);
    let Some(text) = laid_out(source.text()) else {
        // Deep levels of many short lines: the indentation alone is larger than a plan may be.
        refused.push(too_large(&format!("{} in its layout", source.name())));
        return Err(refused);
    };
    // What stays as it is keeps all, and need not be read again.
    if text == source.text() {
        return Ok(text);
    }
    match proof::difference(&before, &text) {
        None => Ok(text),
        Some(difference) => {
            refused.push(proof::not_kept(&difference));
            Err(refused)
        }
    }
}

#[cfg(test)]
mod tests;
