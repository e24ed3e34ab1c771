/// Text in lines of at most `width` characters, broken at blanks: the first line begins with `first`, the others with
/// `rest`. A longer word keeps its own line; nothing is cut.
pub fn wrapped(text: &str, first: &str, rest: &str, width: usize) -> String {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut is_begun = false;
    for word in text.split_whitespace() {
        let wanted = line.chars().count() + usize::from(is_begun) + word.chars().count();
        if is_begun && wanted > width {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    lines.push(line);
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_nothing_is_cut() {
        assert_eq!(wrapped("one two three", " ¹ ", "   ", 10), " ¹ one two\n   three\n");
        assert_eq!(wrapped("extraordinarily long", "", "", 5), "extraordinarily\nlong\n");
        assert_eq!(wrapped("", "a", "b", 5), "a\n");
    }
}
