//! Addresses of numbers in a result.

use crate::diag::{Diagnostic, Diagnostics, code, suggest};
use crate::lang::Literal;
use crate::text::Spanned;
use crate::units::{Metric, MetricName};

/// A metric: `[scope.][read.|write.|trim.][response.|service.]NAME`.
pub(super) fn metric(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<Metric>> {
    let text = literal.read_text("a metric, as \"iops\"", diagnostics)?;
    if let Ok(metric) = text.value.parse::<Metric>() {
        return Some(Spanned::new(metric, text.span));
    }
    let near = nearest(&text.value);
    let without_kind = [("response.", ""), ("service.", "")].iter().any(|(kind, instead)| {
        text.value.contains(kind) && text.value.replacen(kind, instead, 1).parse::<Metric>().is_ok()
    });
    let label = match &near {
        _ if without_kind => "`response.` and `service.` are of latencies alone".to_string(),
        Some(near) => format!("did you mean {near:?}?"),
        None => "no metric has this name".into(),
    };
    let names = MetricName::names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let diagnostic = Diagnostic::error(code::NAME_UNKNOWN_METRIC, format!("{} is no metric", literal.written))
        .label(literal.span, label)
        .help(format!("the metrics are {names} and percentiles as \"p99.9\""));
    diagnostics.push(match near.filter(|_| !without_kind) {
        Some(near) => diagnostic.rewrite(literal.span, format!("{near:?}")),
        None => diagnostic,
    });
    None
}

/// The address with its last part put right, where one is near; what stands before it is kept.
fn nearest(text: &str) -> Option<String> {
    let starts = std::iter::once(0).chain(text.match_indices('.').map(|(dot, _)| dot + 1));
    starts.into_iter().find_map(|start| {
        let near = suggest::nearest(&text[start..], MetricName::names())?;
        Some(format!("{}{near}", &text[..start])).filter(|address| address.parse::<Metric>().is_ok())
    })
}
