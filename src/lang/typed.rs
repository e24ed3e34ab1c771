//! A written value as a value of one type, or a diagnostic that says what is needed instead.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::text::Spanned;
use crate::units::{ByteCount, Percent, Quantity, QuantityError, RunTime, parse_quantity};

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
                self.refuse_type(wanted, Some(help), diagnostics)
            }
            Value::Bool(_) | Value::Null => self.refuse_type(wanted, None, diagnostics),
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
        diagnostics.push(
            Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{:?} is not {wanted}", &*text.value))
                .label(self.span, label)
                .help(format!("use {}", any_of(&listed))),
        );
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
                return self.refuse_type(wanted, Some(format!("write it without quotes: {text}")), diagnostics);
            }
            Value::Float(number) if number.is_finite() && number.fract() == 0.0 && number.abs() < 1e15 => {
                return self.refuse_type(wanted, Some(format!("write it out: {}", *number as i64)), diagnostics);
            }
            _ => return self.refuse_type(wanted, None, diagnostics),
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
                    "true" | "yes" | "on" => Some("write #true"),
                    "false" | "no" | "off" => Some("write #false"),
                    _ => None,
                };
                self.refuse_type("#true or #false", meant.map(String::from), diagnostics)
            }
            Value::Integer(1) => self.refuse_type("#true or #false", Some("write #true".into()), diagnostics),
            Value::Integer(0) => self.refuse_type("#true or #false", Some("write #false".into()), diagnostics),
            _ => self.refuse_type("#true or #false", None, diagnostics),
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
            return self.refuse_type(wanted, Some(format!("write {}", example(wanted))), diagnostics);
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

    fn refuse_type<T>(&self, wanted: &str, help: Option<String>, diagnostics: &mut Diagnostics) -> Option<T> {
        let written = shortened(&self.written);
        let mut diagnostic =
            Diagnostic::error(code::VALUE_WRONG_TYPE, format!("{written} is {}, not {wanted}", self.value.kind()))
                .label(self.span, format!("needs {wanted}"));
        diagnostic.help = help;
        diagnostics.push(diagnostic);
        None
    }

    fn without_unit(&self, wanted: &str, number: &str) -> Diagnostic {
        let remedy = match wanted {
            "a size" => format!("write \"{number}B\" or \"{number}KiB\""),
            "a time" => format!("write \"{number}s\" or \"{number}m\""),
            "a percentage" => format!("write \"{number}%\""),
            _ => format!("write the unit behind it and both in quotes, as {}", example(wanted)),
        };
        Diagnostic::error(code::UNIT_MISSING, format!("{} has no unit", self.written))
            .label(self.span, format!("needs {wanted}"))
            .help(remedy)
    }

    fn unreadable_quantity(&self, wanted: &str, error: &QuantityError) -> Diagnostic {
        let code = match error {
            QuantityError::AmbiguousPrefix(..) => code::UNIT_AMBIGUOUS,
            QuantityError::NoUnit(number) => return self.without_unit(wanted, number.trim()),
            QuantityError::UnknownUnit(..) => code::UNIT_UNKNOWN,
            _ => code::UNIT_NUMBER,
        };
        Diagnostic::error(code, shortened(&error.to_string())).label(self.span, error.remedy())
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
