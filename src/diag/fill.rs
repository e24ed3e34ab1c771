/// Breaks text at blanks so that no line is wider than `width` characters, where its words allow that. The first line
/// begins with `first`, the others with `rest`. A newline in the text stays one.
pub(super) fn fill(text: &str, width: usize, first: &str, rest: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split('\n') {
        let indent = if lines.is_empty() { first } else { rest };
        lines.push(indent.to_string());
        let mut empty = true;
        for word in paragraph.split(' ') {
            let Some(line) = lines.last_mut() else { continue };
            if !empty && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(format!("{rest}{word}"));
                continue;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_move_to_the_next_line_and_never_break() {
        assert_eq!(fill("one two three", 9, "", "  "), "one two\n  three");
        assert_eq!(fill("incomprehensible", 4, "", ""), "incomprehensible");
        assert_eq!(fill("a\nb", 80, "- ", "  "), "- a\n  b");
        assert_eq!(fill("", 80, "", ""), "");
    }
}
