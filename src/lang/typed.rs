//! A written value as a value of one type, or a diagnostic that says what is needed instead.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::text::Spanned;
use crate::units::{ByteCount, Percent, Quantity, QuantityError, RunTime, parse_quantity, repaired};

use super::{Literal, Provenance, Value};

impl Literal {
    /// Where the value comes from; an annotation that is no provenance is reported.
    pub fn provenance(&self, diagnostics: &mut Diagnostics) -> Option<Provenance> {
        Provenance::read(self.annotation.as_ref(), diagnostics)
    }

    /// A string. `wanted` says which, with its article: `the name of a workload`.
    pub fn read_text(&self, wanted: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Arc<str>>> {
        match &self.value {
            Value::Text(text) => Some(Spanned::new(text.clone(), self.span)),
            Value::Integer(_) | Value::Float(_) => {
                let help = format!("write it in quotes: \"{}\"", self.written);
                self.refuse_type(wanted, Some(help), Some(format!("\"{}\"", self.written)), diagnostics)
            }
            Value::Bool(_) | Value::Null => self.refuse_type(wanted, None, None, diagnostics),
        }
    }

    /// One of some words. `wanted` names them as a whole, with its article: `an engine`.
    pub fn read_word(
        &self,
        wanted: &str,
        words: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Spanned<&'static str>> {
        let text = self.read_text(wanted, diagnostics)?;
        if let Some(word) = words.iter().find(|word| **word == &*text.value) {
            return Some(Spanned::new(word, self.span));
        }
        let near = crate::diag::suggest::nearest(&text.value, words.iter().copied());
        let label = near.map_or(format!("not {wanted}"), |near| format!("did you mean \"{near}\"?"));
        let listed: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let mut diagnostic = Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{:?} is not {wanted}", &*text.value))
            .label(self.span, label)
            .help(format!("use {}", any_of(&listed)));
        if let Some(near) = near {
            diagnostic = diagnostic.rewrite(self.span, format!("\"{near}\""));
        }
        diagnostics.push(diagnostic);
        None
    }

    /// A whole number in a range. `wanted` says what is counted: `a number of threads`.
    pub fn read_count(
        &self,
        wanted: &str,
        range: RangeInclusive<u64>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Spanned<u64>> {
        let number = match &self.value {
            Value::Integer(number) => *number,
            Value::Text(text) if text.parse::<u64>().is_ok() => {
                let help = format!("write it without quotes: {text}");
                return self.refuse_type(wanted, Some(help), Some(text.to_string()), diagnostics);
            }
            Value::Float(number) if number.is_finite() && number.fract() == 0.0 && number.abs() < 1e15 => {
                let whole = *number as i64;
                return self.refuse_type(
                    wanted,
                    Some(format!("write it out: {whole}")),
                    Some(whole.to_string()),
                    diagnostics,
                );
            }
            _ => return self.refuse_type(wanted, None, None, diagnostics),
        };
        if let Ok(number) = u64::try_from(number)
            && range.contains(&number)
        {
            return Some(Spanned::new(number, self.span));
        }
        let (least, most) = range.into_inner();
        let bound = if number < i128::from(least) { format!("at least {least}") } else { format!("at most {most}") };
        let help = if most < u64::MAX { format!("use {least} to {most}") } else { format!("use {bound}") };
        diagnostics.push(
            Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{} is not possible as {wanted}", self.written))
                .label(self.span, format!("must be {bound}"))
                .help(help),
        );
        None
    }

    /// `#true` or `#false`.
    pub fn read_switch(&self, diagnostics: &mut Diagnostics) -> Option<Spanned<bool>> {
        match &self.value {
            Value::Bool(on) => Some(Spanned::new(*on, self.span)),
            Value::Text(text) => {
                let meant = match text.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" => Some("#true"),
                    "false" | "no" | "off" => Some("#false"),
                    _ => None,
                };
                self.refuse_switch(meant, diagnostics)
            }
            Value::Integer(1) => self.refuse_switch(Some("#true"), diagnostics),
            Value::Integer(0) => self.refuse_switch(Some("#false"), diagnostics),
            _ => self.refuse_switch(None, diagnostics),
        }
    }

    /// A quantity that `accept` takes. `wanted` names the kinds it takes, with the article: `a size`, `a time or a size`.
    pub fn read_quantity<T>(
        &self,
        wanted: &str,
        accept: impl Fn(Quantity) -> Option<T>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Spanned<T>> {
        let Value::Text(text) = &self.value else {
            if matches!(self.value, Value::Integer(_)) {
                diagnostics.push(self.without_unit(wanted, &self.written));
                return None;
            }
            return self.refuse_type(wanted, Some(format!("write {}", example(wanted))), None, diagnostics);
        };
        let quantity = match parse_quantity(text) {
            Ok(quantity) => quantity,
            Err(error) => {
                diagnostics.push(self.unreadable_quantity(wanted, &error));
                return None;
            }
        };
        if let Some(accepted) = accept(quantity) {
            return Some(Spanned::new(accepted, self.span));
        }
        diagnostics.push(
            Diagnostic::error(code::UNIT_WRONG_KIND, format!("{} is {}, not {wanted}", self.written, quantity.kind()))
                .label(self.span, format!("needs {wanted}"))
                .help(format!("write {}", example(wanted))),
        );
        None
    }

    /// A size in bytes.
    pub fn read_size(&self, diagnostics: &mut Diagnostics) -> Option<Spanned<ByteCount>> {
        let accept = |quantity| if let Quantity::Bytes(bytes) = quantity { Some(bytes) } else { None };
        self.read_quantity("a size", accept, diagnostics)
    }

    /// A time.
    pub fn read_time(&self, diagnostics: &mut Diagnostics) -> Option<Spanned<RunTime>> {
        let accept = |quantity| if let Quantity::Time(time) = quantity { Some(time) } else { None };
        self.read_quantity("a time", accept, diagnostics)
    }

    /// A percentage, also above 100 %.
    pub fn read_percent(&self, diagnostics: &mut Diagnostics) -> Option<Spanned<Percent>> {
        let accept = |quantity| if let Quantity::Percent(percent) = quantity { Some(percent) } else { None };
        self.read_quantity("a percentage", accept, diagnostics)
    }

    fn refuse_switch<T>(&self, meant: Option<&str>, diagnostics: &mut Diagnostics) -> Option<T> {
        let help = meant.map(|meant| format!("write {meant}"));
        self.refuse_type("#true or #false", help, meant.map(String::from), diagnostics)
    }

    /// Reports a value of another type; `meant` is the same value as it would be right, where that is known.
    fn refuse_type<T>(
        &self,
        wanted: &str,
        help: Option<String>,
        meant: Option<String>,
        diagnostics: &mut Diagnostics,
    ) -> Option<T> {
        let written = shortened(&self.written);
        let mut diagnostic =
            Diagnostic::error(code::VALUE_WRONG_TYPE, format!("{written} is {}, not {wanted}", self.value.kind()))
                .label(self.span, format!("needs {wanted}"));
        diagnostic.help = help;
        if let Some(meant) = meant {
            diagnostic = diagnostic.rewrite(self.span, meant);
        }
        diagnostics.push(diagnostic);
        None
    }

    fn without_unit(&self, wanted: &str, number: &str) -> Diagnostic {
        let units: &[&str] = match wanted {
            "a size" => &["B", "KiB"],
            "a time" => &["s", "m"],
            "a percentage" => &["%"],
            _ => &[],
        };
        let meant: Vec<String> = units.iter().map(|unit| format!("\"{number}{unit}\"")).collect();
        let help = match meant.is_empty() {
            true => format!("write the unit behind it and both in quotes, as {}", example(wanted)),
            false => format!("write {}", any_of(&meant)),
        };
        let diagnostic = Diagnostic::error(code::UNIT_MISSING, format!("{} has no unit", self.written))
            .label(self.span, format!("needs {wanted}"))
            .help(help);
        meant.into_iter().fold(diagnostic, |diagnostic, meant| diagnostic.rewrite(self.span, meant))
    }

    fn unreadable_quantity(&self, wanted: &str, error: &QuantityError) -> Diagnostic {
        let code = match error {
            QuantityError::AmbiguousPrefix(..) => code::UNIT_AMBIGUOUS,
            QuantityError::NoUnit(number) => return self.without_unit(wanted, number.trim()),
            QuantityError::UnknownUnit(..) => code::UNIT_UNKNOWN,
            _ => code::UNIT_NUMBER,
        };
        let diagnostic = Diagnostic::error(code, shortened(&error.to_string())).label(self.span, error.remedy());
        let Value::Text(text) = &self.value else { return diagnostic };
        let meant = repaired(text).into_iter();
        meant.fold(diagnostic, |diagnostic, meant| diagnostic.rewrite(self.span, format!("\"{meant}\"")))
    }
}

/// A short example of the first kind that is wanted.
fn example(wanted: &str) -> &'static str {
    const EXAMPLES: [(&str, &str); 8] = [
        ("a size", "\"4KiB\""),
        ("a time", "\"60s\""),
        ("a percentage", "\"50%\""),
        ("a throughput", "\"500MB/s\""),
        ("a rate", "\"20k IOPS\""),
        ("a number of drive writes", "\"2 drive-writes\""),
        ("a number of passes", "\"1 passes\""),
        ("a temperature", "\"40C\""),
    ];
    EXAMPLES.iter().find(|(kind, _)| wanted.starts_with(kind)).map_or("\"4KiB\" or \"60s\"", |(_, example)| example)
}

/// A text for a message: long ones are cut in the middle of nowhere, at 60 characters.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_string();
    }
    text.chars().take(59).chain(['\u{2026}']).collect()
}

/// `a`, `a or b`, `a, b or c`.
fn any_of(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::text::SourceFile;

    /// Reads `a VALUE` and hands the value to `typed`; gives what it found and the codes with their labels.
    fn typed<T>(
        value: &str,
        typed: impl Fn(&Literal, &mut Diagnostics) -> Option<T>,
    ) -> (Option<T>, Vec<(&'static str, String)>) {
        let source = SourceFile::new("a.kdl", format!("a {value}"));
        let document = read(&source).expect("is KDL");
        let mut found = Diagnostics::new(&source);
        let got = typed(&document.nodes[0].arguments[0], &mut found);
        let told = found.all().iter().map(|diagnostic| {
            let label = diagnostic.primary().expect("a place");
            assert_eq!(&source.text()[label.span.start..label.span.end], value, "the place is the value");
            (diagnostic.code.id(), label.text.clone())
        });
        (got, told.collect())
    }

    #[test]
    fn counts() {
        let count = |literal: &Literal, found: &mut Diagnostics| {
            literal.read_count("a number of threads", 1..=256, found).map(|count| count.value)
        };
        assert_eq!(typed("16", count), (Some(16), vec![]));
        assert_eq!(typed("0x10", count), (Some(16), vec![]));
        for (value, code, label) in [
            ("0", "value/out-of-range", "must be at least 1"),
            ("-0", "value/out-of-range", "must be at least 1"),
            ("257", "value/out-of-range", "must be at most 256"),
            ("20000000000000000000", "value/out-of-range", "must be at most 256"),
            ("1.5", "value/wrong-type", "needs a number of threads"),
            ("1e2", "value/wrong-type", "needs a number of threads"),
            ("1e400", "value/wrong-type", "needs a number of threads"),
            ("#inf", "value/wrong-type", "needs a number of threads"),
            ("#nan", "value/wrong-type", "needs a number of threads"),
            ("\"4\"", "value/wrong-type", "needs a number of threads"),
            ("#true", "value/wrong-type", "needs a number of threads"),
            ("_1", "value/wrong-type", "needs a number of threads"),
        ] {
            assert_eq!(typed(value, count), (None, vec![(code, label.to_string())]), "{value}");
        }
    }

    #[test]
    fn quantities() {
        let size = |literal: &Literal, found: &mut Diagnostics| literal.read_size(found).map(|size| size.value.get());
        assert_eq!(typed("\"4KiB\"", size), (Some(4096), vec![]));
        for (value, code, label) in [
            ("\"4K\"", "unit/ambiguous", "write \"4KiB\" (4,096 bytes) or \"4kB\" (4,000 bytes)"),
            ("4096", "unit/missing", "needs a size"),
            ("\"4096\"", "unit/missing", "needs a size"),
            ("\"60s\"", "unit/wrong-kind", "needs a size"),
            ("\"4kib\"", "unit/unknown", "write `KiB`"),
            ("\"-1B\"", "unit/number", "write a positive number"),
            ("1.5", "value/wrong-type", "needs a size"),
            ("#null", "value/wrong-type", "needs a size"),
        ] {
            assert_eq!(typed(value, size), (None, vec![(code, label.to_string())]), "{value}");
        }
    }

    #[test]
    fn words_and_switches() {
        let engine = |literal: &Literal, found: &mut Diagnostics| {
            literal.read_word("an engine", &["sync", "io-uring"], found).map(|word| word.value)
        };
        assert_eq!(typed("\"sync\"", engine), (Some("sync"), vec![]));
        assert_eq!(typed("\"iouring\"", engine).1, [("value/out-of-range", "did you mean \"io-uring\"?".into())]);
        let switch = |literal: &Literal, found: &mut Diagnostics| literal.read_switch(found).map(|on| on.value);
        assert_eq!(typed("#false", switch), (Some(false), vec![]));
        assert_eq!(typed("yes", switch).1, [("value/wrong-type", "needs #true or #false".into())]);
    }

    #[test]
    fn a_parameter_stands_in_with_its_value_and_the_place_where_it_was_used() {
        let source = SourceFile::new("a.kdl", "a (published)$size \"$\" \"x$y\"");
        let document = read(&source).expect("is KDL");
        let arguments = &document.nodes[0].arguments;
        assert_eq!(arguments.iter().map(Literal::parameter).collect::<Vec<_>>(), [Some("size"), None, None]);
        let value = Literal::text("4KiB", crate::text::Span::new(90, 96));
        let replaced = arguments[0].replaced_by(&value);
        assert_eq!(replaced.span, arguments[0].span);
        let mut found = Diagnostics::new(&source);
        assert_eq!(replaced.provenance(&mut found), Some(Provenance::Published));
        assert_eq!(replaced.read_size(&mut found).map(|size| size.value.get()), Some(4096));
        assert!(found.is_empty());
    }
}
