//! Weights of streams, sizes and zones: percent of operations, one of them may be `"rest"`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Value};
use crate::plan::decode::value;
use crate::plan::model::Given;
use crate::plan::written::Leaf;
use crate::text::Spanned;
use crate::units::Percent;

/// A weight as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Share(Percent),
    /// What the others leave.
    Rest,
}

/// True for `"rest"`.
pub(super) fn is_rest(literal: &Literal) -> bool {
    matches!(&literal.value, Value::Text(text) if &**text == "rest")
}

/// A weight above 0 %, at most 100 %, or `"rest"`. `wanted` says whose: `the share of a stream`.
pub(super) fn weight(literal: &Literal, wanted: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Weight>> {
    if is_rest(literal) {
        return Some(Spanned::new(Weight::Rest, literal.span));
    }
    Some(share(literal, wanted, diagnostics)?.map(Weight::Share))
}

/// A percentage above 0 %, at most 100 %.
pub(super) fn share(literal: &Literal, wanted: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Percent>> {
    let share = literal.read_percent(diagnostics)?;
    let bound = match share.value {
        Percent::ZERO => "above zero; what has no share is left out",
        value if value > Percent::HUNDRED => "at most 100%",
        _ => return Some(share),
    };
    value::refuse(literal, bound.into(), wanted, diagnostics);
    None
}

/// The shares of a mix of `things`, which are all operations together; `"rest"` is put in.
pub(super) fn whole(
    things: &str,
    weights: &[Leaf<Weight>],
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Given<Percent>>> {
    let given: Option<Vec<Given<Weight>>> = weights.iter().map(|weight| weight.given().copied()).collect();
    let given = given?;
    let sum: u64 = given
        .iter()
        .map(|weight| match weight.value {
            Weight::Share(share) => u64::from(share.parts_per_million()),
            Weight::Rest => 0,
        })
        .sum();
    let rests: Vec<&Given<Weight>> = given.iter().filter(|weight| weight.value == Weight::Rest).collect();
    let all = u64::from(Percent::WHOLE);
    let missing = u32::try_from(all.saturating_sub(sum)).unwrap_or(0);
    let diagnostic = match rests.as_slice() {
        [first, again, ..] => Some(
            Diagnostic::error(code::MIX_NOT_WHOLE, format!("two {things} take the rest"))
                .label(again.span, "again here")
                .also(first.span, "first here")
                .help("keep one of them, and give the others a percentage"),
        ),
        [rest] if missing == 0 => Some(places(
            Diagnostic::error(
                code::MIX_NOT_WHOLE,
                format!("the shares of the {things} leave nothing for the rest: they are {}", percent(sum)),
            )
            .label(rest.span, "nothing is left")
            .help("lower one of the others, or leave this one out"),
            &given,
        )),
        [] if sum != all => {
            let help = match (sum < all, given.as_slice()) {
                (true, [_]) => "give it \"100%\", or add the others".to_string(),
                (true, _) => format!("{} is missing; one of them may be \"rest\"", percent(u64::from(missing))),
                (false, _) => format!("{} is too much", percent(sum - all)),
            };
            let message = format!("the shares of the {things} are {} together, not 100%", percent(sum));
            Some(places(Diagnostic::error(code::MIX_NOT_WHOLE, message).help(help), &given))
        }
        _ => None,
    };
    if let Some(diagnostic) = diagnostic {
        diagnostics.push(diagnostic);
        return None;
    }
    let put_in = |weight: &Given<Weight>| {
        let value = match weight.value {
            Weight::Share(share) => share,
            Weight::Rest => Percent::from_parts_per_million(missing),
        };
        Given::written(value, weight.provenance, weight.span)
    };
    Some(given.iter().map(put_in).collect())
}

fn percent(parts: u64) -> Percent {
    Percent::from_parts_per_million(u32::try_from(parts).unwrap_or(u32::MAX))
}

/// With the place of each share; the last one is what the diagnostic is about, where nothing is yet.
fn places(mut diagnostic: Diagnostic, given: &[Given<Weight>]) -> Diagnostic {
    let shares = given.iter().filter_map(|weight| match weight.value {
        Weight::Share(share) => Some((weight.span, share)),
        Weight::Rest => None,
    });
    let mut shares: Vec<_> = shares.collect();
    if diagnostic.primary().is_none()
        && let Some((span, share)) = shares.pop()
    {
        diagnostic = diagnostic.label(span, format!("{share}"));
    }
    shares.iter().fold(diagnostic, |diagnostic, (span, share)| diagnostic.also(*span, format!("{share}")))
}
