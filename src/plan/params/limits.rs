//! What kind a parameter's value is, and the limits that its author gives it.

use std::cmp::Ordering;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Value};
use crate::plan::names;
use crate::text::{Span, Spanned};
use crate::units::{Quantity, parse_quantity};

/// What kind a value is, for parameters: all names and texts are one kind.
pub(super) fn kind(literal: &Literal) -> Option<&'static str> {
    Some(match &literal.value {
        Value::Text(text) => parse_quantity(text).map_or("a name", |quantity| quantity.kind()),
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Bool(_) => "#true or #false",
        Value::Null => return None,
    })
}

/// The limits of a parameter.
pub(super) struct Limits {
    pub(super) min: Vec<Literal>,
    pub(super) max: Vec<Literal>,
    pub(super) one_of: Vec<Literal>,
}

impl Limits {
    /// Reports a value outside of the limits, or limits of another kind; true where the value may be used. `set` is the
    /// text that `--set` gave.
    pub(super) fn check(
        &self,
        name: &Spanned<String>,
        value: &Literal,
        set: Option<&str>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let all = self.min.iter().chain(&self.max).chain(&self.one_of);
        let mut fits = true;
        for limit in all.filter(|limit| kind(limit) != kind(value)) {
            fits = false;
            if set.is_none() {
                let (limit_kind, value_kind) = (kind(limit).unwrap_or("#null"), kind(value).unwrap_or("#null"));
                diagnostics.push(
                    Diagnostic::error(
                        code::PARAM_WRONG_KIND,
                        format!("{} is {limit_kind}, not {value_kind}", limit.written),
                    )
                    .label(limit.span, "a limit of another kind")
                    .also(value.span, format!("the value is {value_kind}"))
                    .help("write value and limits in one kind"),
                );
            }
        }
        if !fits {
            return false;
        }
        let below = self.min.iter().find(|limit| compare(value, limit) == Some(Ordering::Less));
        let above = self.max.iter().find(|limit| compare(value, limit) == Some(Ordering::Greater));
        let is_listed =
            self.one_of.is_empty() || self.one_of.iter().any(|limit| compare(value, limit) == Some(Ordering::Equal));
        let (limit, says): (Span, String) = match (below, above) {
            (Some(limit), _) => (limit.span, format!("at least {}", limit.written)),
            (_, Some(limit)) => (limit.span, format!("at most {}", limit.written)),
            _ if !is_listed => {
                let listed: Vec<String> = self.one_of.iter().map(|limit| limit.written.to_string()).collect();
                let ends = self.one_of.iter().map(|limit| limit.span).reduce(Span::to).unwrap_or(name.span);
                (ends, names::either(&listed))
            }
            _ => return true,
        };
        let diagnostic = match set {
            Some(text) => Diagnostic::error(
                code::PARAM_NOT_ALLOWED,
                format!("`--set {}={text}` is outside of the limits of the parameter", name.value),
            )
            .label(limit, format!("must be {says}")),
            None => Diagnostic::error(
                code::PARAM_NOT_ALLOWED,
                format!("the value {} of {:?} is outside of its own limits", value.written, name.value),
            )
            .label(value.span, format!("must be {says}"))
            .also(limit, "the limit"),
        };
        diagnostics.push(diagnostic);
        false
    }
}

/// The order of two values of one kind; names are equal or not.
fn compare(a: &Literal, b: &Literal) -> Option<Ordering> {
    match (&a.value, &b.value) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Bool(a), Value::Bool(b)) => (a == b).then_some(Ordering::Equal),
        (Value::Text(a), Value::Text(b)) if a == b => Some(Ordering::Equal),
        (Value::Text(a), Value::Text(b)) => match (parse_quantity(a).ok()?, parse_quantity(b).ok()?) {
            (Quantity::Bytes(a), Quantity::Bytes(b)) => Some(a.cmp(&b)),
            (Quantity::Percent(a), Quantity::Percent(b)) => Some(a.cmp(&b)),
            (Quantity::Time(a), Quantity::Time(b)) => Some(a.cmp(&b)),
            (Quantity::Throughput(a), Quantity::Throughput(b)) => a.partial_cmp(&b),
            (Quantity::Iops(a), Quantity::Iops(b)) => a.partial_cmp(&b),
            (Quantity::DriveWrites(a), Quantity::DriveWrites(b))
            | (Quantity::Passes(a), Quantity::Passes(b))
            | (Quantity::Celsius(a), Quantity::Celsius(b)) => a.partial_cmp(&b),
            _ => None,
        },
        _ => None,
    }
}
