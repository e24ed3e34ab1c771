//! Did you mean …? The nearest of some known names.

/// So many names are looked at: among more of them a guess is worth little, and many misspelt names among many would take
/// long.
const LOOKED_AT: usize = 1_000;

/// The known name that was probably meant, or `None` where nothing is near enough.
///
/// Near enough is one slip (a letter more, less, other, or two swapped) for every three letters, at least one;
/// names of one or two letters get no suggestion. Case and `_` for `-` cost nothing. Of equally near names the first wins.
pub fn nearest<'n>(written: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let written: Vec<char> = folded(written);
    if written.len() < 3 || written.len() > 64 {
        return None;
    }
    let mut allowed = written.len() / 3;
    let mut best: Option<(usize, &str)> = None;
    for name in known.into_iter().take(LOOKED_AT) {
        // A difference in length takes at least as many slips.
        if name.chars().count().abs_diff(written.len()) > allowed {
            continue;
        }
        let distance = distance(&written, &folded(name));
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
            // Only a nearer one is of interest from here on.
            allowed = distance;
        }
    }
    best.map(|(_, name)| name)
}

fn folded(name: &str) -> Vec<char> {
    name.chars().map(|c| if c == '_' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Slips between two names: insertions, deletions, replacements, and swaps of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; width];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 6] = ["block-size", "queue-depth", "threads", "run", "ramp", "read"];

    #[test]
    fn near_names_are_found() {
        for (written, meant) in [
            ("blocksize", "block-size"),
            ("block_size", "block-size"),
            ("Block-Size", "block-size"),
            ("queue-dpeth", "queue-depth"),
            ("thread", "threads"),
            ("rnu", "run"),
            ("raed", "read"),
        ] {
            assert_eq!(nearest(written, KNOWN), Some(meant), "{written}");
        }
    }

    #[test]
    fn far_names_are_not() {
        for written in ["", "x", "qd", "iodepth", "temperature", "bs"] {
            assert_eq!(nearest(written, KNOWN), None, "{written}");
        }
    }

    #[test]
    fn a_swap_is_one_slip() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("ab"), &chars("ba")), 1);
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(distance(&chars(""), &chars("abc")), 3);
    }
}
