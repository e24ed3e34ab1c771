//! Words without quotes: names, numbers, keywords, and what people write instead of them.

use crate::diag::{Diagnostic, code};
use crate::text::Span;
use crate::units::{QuantityError, parse_quantity};

use super::Scan;

/// What a word without quotes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A name, or a string without quotes.
    Name,
    /// A number.
    Number,
    /// `#true` and the like.
    Keyword,
    /// None of them; reported.
    Wrong,
}

/// Characters that may stand nowhere in a text, not even in comments: control characters, those that turn the
/// direction of writing (a plan must read as it runs), and a byte order mark that is not at the start.
pub(super) fn is_disallowed(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Reports every disallowed character.
pub(super) fn disallowed_characters(text: &str, scan: &mut Scan) {
    for (at, c) in text.char_indices().filter(|(at, c)| is_disallowed(*c) && !(*at == 0 && *c == '\u{feff}')) {
        let name = format!("U+{:04X}", u32::from(c));
        let message = match c {
            '\u{feff}' => format!("{name}, a byte order mark, stands in the middle of the text"),
            '\u{80}'.. => format!("{name} turns the direction of writing and is invisible"),
            _ => format!("{name} is a control character"),
        };
        let help = match c {
            '\u{feff}' => "delete it; it may only stand at the very start",
            _ => "delete it, or write it as an escape in a quoted string",
        };
        scan.mistake(
            Diagnostic::error(code::SYNTAX_CONTROL_CHARACTER, message)
                .label(Span::new(at, at + c.len_utf8()), "stands here")
                .help(help),
        );
    }
}

/// Says what a word is; a wrong one is reported.
pub(super) fn classify(word: &str, span: Span, scan: &mut Scan) -> Word {
    if word.starts_with('#') {
        return keyword(word, span, scan);
    }
    if word.contains(is_disallowed) {
        return Word::Wrong;
    }
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return number(word, span, scan);
    }
    if matches!(word, "true" | "false" | "null" | "inf" | "-inf" | "nan") {
        scan.mistake(
            Diagnostic::error(code::SYNTAX_BARE_KEYWORD, format!("`{word}` needs a `#` before it"))
                .label(span, format!("write #{word}"))
                .help(format!("if the word itself is meant, write it in quotes: \"{word}\""))
                .rewrite(span, format!("#{word}"))
                .rewrite(span, format!("\"{word}\"")),
        );
        return Word::Wrong;
    }
    if let Some(mistake) = wrong_name(word, unsigned, span) {
        scan.mistake(mistake);
        return Word::Wrong;
    }
    Word::Name
}

fn keyword(word: &str, span: Span, scan: &mut Scan) -> Word {
    if matches!(word, "#true" | "#false" | "#null" | "#inf" | "#-inf" | "#nan") {
        return Word::Keyword;
    }
    let lower = word.to_ascii_lowercase();
    let label = match lower.as_str() {
        "#true" | "#yes" | "#on" => "write #true",
        "#false" | "#no" | "#off" => "write #false",
        "#null" | "#none" | "#nil" => "write #null",
        _ => "not a keyword",
    };
    let mistake = Diagnostic::error(code::SYNTAX_UNKNOWN_KEYWORD, format!("`{}` is not a keyword", shortened(word)))
        .label(span, label)
        .help("the keywords are #true, #false, #null, #inf, #-inf and #nan; a comment begins with `//`");
    scan.mistake(match label.strip_prefix("write ") {
        Some(meant) => mistake.rewrite(span, meant),
        None => mistake,
    });
    Word::Wrong
}

fn number(word: &str, span: Span, scan: &mut Scan) -> Word {
    match number_fits(word) {
        Some(true) => return Word::Number,
        Some(false) => scan.mistake(
            Diagnostic::error(
                code::SYNTAX_NUMBER_RANGE,
                format!("{} is a larger number than can be read", shortened(word)),
            )
            .label(span, "too many digits"),
        ),
        None => scan.mistake(wrong_number(word, span)),
    }
    Word::Wrong
}

fn wrong_number(whole: &str, span: Span) -> Diagnostic {
    let word = shortened(whole);
    if word.contains(',') {
        let parts: Vec<&str> = word.split(',').filter(|part| !part.is_empty()).collect();
        let mistake = Diagnostic::error(code::SYNTAX_COMMA, format!("`{word}` holds a comma"))
            .label(span, format!("write `{}`", parts.join(" ")))
            .help("values are separated by blanks; thousands by `_`, as 1_000_000");
        let is_list = whole.split(',').all(|part| number_fits(part) == Some(true));
        return if is_list { mistake.rewrite(span, whole.replace(',', " ")) } else { mistake };
    }
    let remedy = match parse_quantity(&word) {
        Ok(_) => Some(format!("write \"{word}\"")),
        Err(QuantityError::UnknownUnit(unit, Some(meant))) => {
            Some(format!("write \"{}{meant}\"", word.strip_suffix(unit.as_str()).unwrap_or(&word)))
        }
        Err(error @ QuantityError::AmbiguousPrefix(..)) => Some(error.remedy()),
        Err(_) => None,
    };
    match remedy {
        Some(remedy) => {
            let mistake =
                Diagnostic::error(code::UNIT_UNQUOTED, format!("`{word}` has a unit and must stand in quotes"))
                    .label(span, remedy);
            crate::units::repaired(whole)
                .into_iter()
                .fold(mistake, |mistake, meant| mistake.rewrite(span, format!("\"{meant}\"")))
        }
        None => Diagnostic::error(code::SYNTAX_NUMBER, format!("`{word}` is neither a number nor a name"))
            .label(span, format!("write \"{word}\" if a string is meant"))
            .rewrite(span, format!("\"{whole}\"")),
    }
}

fn wrong_name(word: &str, unsigned: &str, span: Span) -> Option<Diagnostic> {
    let shown = shortened(word);
    if let Some(fraction) = unsigned.strip_prefix('.')
        && fraction.starts_with(|c: char| c.is_ascii_digit())
    {
        return Some(
            Diagnostic::error(code::SYNTAX_NUMBER, format!("`{shown}` is a number without a digit before its point"))
                .label(span, format!("write `{}`", shown.replacen('.', "0.", 1)))
                .rewrite(span, word.replacen('.', "0.", 1)),
        );
    }
    let bad = word.find(['\\', '/', '[', ']', '#'])?;
    let c = word[bad..].chars().next()?;
    let place = Span::new(span.start + bad, span.start + bad + c.len_utf8());
    Some(match c {
        '[' | ']' => Diagnostic::error(code::SYNTAX_BRACKETS, format!("`{c}` has no meaning here"))
            .label(place, "brackets are not used")
            .help("a list is several values with blanks between them, as `queue-depth 1 4 16`"),
        '\\' if word == "\\" => Diagnostic::error(code::SYNTAX_BACKSLASH, "a backslash stands in the middle of a line")
            .label(place, "continues a line only as the last thing on it"),
        '\\' => {
            Diagnostic::error(code::SYNTAX_BACKSLASH, format!("`{shown}` holds a backslash and must stand in quotes"))
                .label(span, format!("write #\"{shown}\"#"))
                .rewrite(span, format!("#\"{word}\"#"))
        }
        _ => Diagnostic::error(code::SYNTAX_BAD_WORD, format!("`{shown}` holds a `{c}` and must stand in quotes"))
            .label(span, format!("write \"{shown}\""))
            .rewrite(span, format!("\"{word}\"")),
    })
}

/// `None` where the word is no number of KDL; else whether it fits what is used to hold numbers.
fn number_fits(word: &str) -> Option<bool> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            return digits_fit(digits, radix);
        }
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let mut all = digits_fit(whole, 10)?;
    for part in [fraction, exponent].into_iter().flatten() {
        all &= digits_fit(part, 10)?;
    }
    Some(all)
}

/// `None` where these are no digits with `_` among them; else whether their value fits.
fn digits_fit(digits: &str, radix: u32) -> Option<bool> {
    let first = digits.chars().next()?;
    if !first.is_digit(radix) || !digits.chars().all(|c| c == '_' || c.is_digit(radix)) {
        return None;
    }
    Some(i128::from_str_radix(&digits.replace('_', ""), radix).is_ok())
}

/// A word for a message, cut after 40 characters.
pub(super) fn shortened(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.to_string();
    }
    word.chars().take(39).chain(['\u{2026}']).collect()
}
