//! A word's reference entry as text.

use std::fmt::{self, Write as _};

use super::{Built, Entry, Place, Word, named};

/// The reference entry of a word, one part for each meaning; `None` where the language has no such word.
pub fn entry(name: &str) -> Option<String> {
    let parts: Vec<String> = named(name).map(Entry::to_string).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.form)?;
        writeln!(f, "    {}", self.meaning)?;
        if let Some(of) = self.places.first().and_then(|place| super::percent_of(self.name, *place, None)) {
            writeln!(f, "    a percentage is {of}")?;
        }
        writeln!(f, "    stands {}{}", phrase(self.places), if self.repeats { ", any number of times" } else { "" })?;
        if !self.default.is_empty() {
            writeln!(f, "    absent: {}", self.default)?;
        }
        match self.built {
            Built::Yes => {}
            Built::Checked => writeln!(f, "    checked and expanded; this version cannot run it")?,
            Built::NotYet => writeln!(f, "    not built yet: a plan that uses it is refused")?,
        }
        words(f, "values", self.values, |word| format!("\"{}\"", word.name))?;
        words(f, "properties", self.properties, |word| format!("{}=", word.name))?;
        if let Some(inside) = self.inside {
            let children: Vec<&str> = super::allowed_in(inside).map(|child| child.name).collect();
            if !children.is_empty() {
                writeln!(f, "  children\n    {}", wrapped(&children.join(" "), 72, "    "))?;
            }
        }
        Ok(())
    }
}

fn words(f: &mut fmt::Formatter<'_>, title: &str, words: &[Word], spell: impl Fn(&Word) -> String) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {title}")?;
    let width = words.iter().map(|word| spell(word).len()).max().unwrap_or(0);
    for word in words {
        let later = match word.built {
            Built::Yes => "",
            Built::Checked => " (cannot be run yet)",
            Built::NotYet => " (not built yet)",
        };
        writeln!(f, "    {:width$}  {}{later}", spell(word), word.meaning)?;
    }
    Ok(())
}

/// The places as a phrase: "at the top level", "in `measure`, `precondition` or `load`".
pub(in crate::plan) fn phrase(places: &[Place]) -> String {
    let mut nodes: Vec<String> =
        places.iter().filter_map(|place| place.node()).map(|node| format!("`{node}`")).collect();
    nodes.dedup();
    let top = places.contains(&Place::Top);
    match (top, nodes.split_last()) {
        (_, None) => "at the top level".into(),
        (true, Some(_)) => format!("at the top level or in {}", either(&nodes)),
        (false, Some(_)) => format!("in {}", either(&nodes)),
    }
}

/// "a, b or c".
pub(in crate::plan) fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + 1 + word.len() > width {
            let _ = write!(out, "\n{indent}");
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_says_form_meaning_place_and_default() {
        let text = entry("ramp").expect("a word");
        assert_eq!(
            text,
            "ramp Q\n    time at full pace before the window, for every case\n    \
             stands in `precondition` or `measure`\n    absent: ramp \"0s\"\n"
        );
    }

    #[test]
    fn a_word_with_two_meanings_has_two_parts() {
        let text = entry("trim").expect("a word");
        assert_eq!(text.matches("stands ").count(), 2);
        assert!(text.contains("this version cannot run it"));
    }

    #[test]
    fn an_unknown_word_has_no_entry() {
        assert_eq!(entry("iodepth"), None);
    }
}
