use std::fmt;
use std::sync::Arc;

use crate::text::{Span, Spanned};

/// One value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// The word in parentheses before it; the span is that of the word.
    pub annotation: Option<Spanned<Arc<str>>>,
    /// What it is.
    pub value: Value,
    /// The text of the value itself, quotes included, as it stands in the source.
    pub written: Arc<str>,
    /// The place of the value itself, without annotation and key.
    pub span: Span,
}

/// What KDL can express.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string, quoted or bare.
    Text(Arc<str>),
    /// A whole number.
    Integer(i128),
    /// A number with a point or exponent, `#inf`, `#-inf`, `#nan`, or too large for its type (infinite).
    Float(f64),
    /// `#true` or `#false`.
    Bool(bool),
    /// `#null`.
    Null,
}

impl Value {
    /// What it is, with its article, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a string",
            Value::Integer(_) => "a whole number",
            Value::Float(number) if !number.is_finite() => "no finite number",
            Value::Float(_) => "a number with a fraction or exponent",
            Value::Bool(_) => "a switch",
            Value::Null => "#null",
        }
    }
}

impl Literal {
    /// A string at a place, as if written there in quotes.
    pub fn text(text: &str, span: Span) -> Self {
        Self { annotation: None, value: Value::Text(text.into()), written: format!("{text:?}").into(), span }
    }

    /// The name of the parameter where the value is `$name`, bare or quoted.
    pub fn parameter(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => text.strip_prefix('$').filter(|name| !name.is_empty()),
            _ => None,
        }
    }

    /// This place with the value of a parameter: what stands in for `$name`.
    ///
    /// The span stays where `$name` was written; the annotation of the place wins over that of the parameter.
    #[must_use]
    pub fn replaced_by(&self, parameter: &Literal) -> Self {
        Self {
            annotation: self.annotation.clone().or_else(|| parameter.annotation.clone()),
            value: parameter.value.clone(),
            written: parameter.written.clone(),
            span: self.span,
        }
    }

    /// The place with the annotation, if there is one.
    pub fn whole_span(&self) -> Span {
        self.annotation.as_ref().map_or(self.span, |annotation| annotation.span.to(self.span))
    }
}

/// As it was written.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}
