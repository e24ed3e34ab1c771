//! Text that others wrote, on its way to a terminal or into a table.

/// The longest stretch without a blank that [`shown`] lets pass: longer than any path that people type.
const WORD_AT_MOST: usize = 400;

/// True for characters that a terminal obeys or hides instead of showing: control characters, those that turn the
/// direction of writing, and those without width. A name with one of them does not read as it is.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text as it may be printed: hidden characters as escapes (`\u{1b}`), line ends kept, and a stretch without a
/// blank that fills screens cut in its middle.
pub fn shown(text: &str) -> String {
    let is_plain = !text.chars().any(|c| is_hidden(c) && c != '\n');
    if is_plain && text.len() <= WORD_AT_MOST {
        return text.to_string();
    }
    let mut out = String::new();
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            out.push(' ');
        }
        let count = word.chars().count();
        let cut = if count > WORD_AT_MOST { WORD_AT_MOST / 2..count - WORD_AT_MOST / 4 } else { 0..0 };
        for (at, c) in word.chars().enumerate() {
            match c {
                _ if at == cut.start && !cut.is_empty() => out.push('\u{2026}'),
                _ if cut.contains(&at) => {}
                _ if is_hidden(c) && c != '\n' => out.extend(c.escape_unicode()),
                _ => out.push(c),
            }
        }
    }
    out
}

/// Text of others in one line, with a blank for every character that moves the cursor or changes colours of a terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|character| if is_hidden(character) { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_or_hide_is_spelled() {
        assert_eq!(shown("a\u{1b}[31mb\u{7}\u{9b}"), "a\\u{1b}[31mb\\u{7}\\u{9b}");
        assert_eq!(shown("al\u{200b}pha \u{202e}"), "al\\u{200b}pha \\u{202e}");
        assert_eq!(shown("über 70\u{a0}%\nnext"), "über 70\u{a0}%\nnext");
    }

    #[test]
    fn a_word_that_fills_screens_is_cut_in_its_middle() {
        let long = format!("the name {} is too long", "é".repeat(1_000_000));
        let cut = shown(&long);
        assert_eq!(cut.chars().count(), "the name  is too long".len() + WORD_AT_MOST / 2 + 1 + WORD_AT_MOST / 4);
        assert!(cut.starts_with("the name é") && cut.ends_with("é is too long"), "{cut}");
        let path = "/".repeat(WORD_AT_MOST);
        assert_eq!(shown(&path), path);
    }
}
