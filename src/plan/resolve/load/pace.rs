//! What of a load's pace has an effect.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::model::{Access, Start};
use crate::plan::written::{Load, LoadPart};

/// Whether something says how many operations are asked for.
pub(super) fn is_paced(part: &LoadPart, load: &Load) -> bool {
    !part.rate.is_absent() || !load.curve.is_absent() || load.axes.iter().any(|axis| axis.axis.name() == "rate")
}

/// Refuses what has no effect, and a rate beside a curve.
pub(super) fn check(part: &LoadPart, load: &Load, access: Option<Access>, diagnostics: &mut Diagnostics) {
    let is_sure = !part.is_partial && !load.is_partial && !load.has_faulty_axes;
    if let Some(arrivals) = part.arrivals.given()
        && !is_paced(part, load)
        && is_sure
    {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NO_EFFECT, "`arrivals` has no effect in a load without a rate")
                .label(arrivals.span, "every slot sends its next operation at once")
                .help("add `rate \"20k IOPS\"` or a `curve`, or leave it out"),
        );
    }
    if let (Some(start), Some(Access::Random)) = (part.start.given(), access)
        && start.value == Start::Continue
    {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NO_EFFECT, "`start \"continue\"` has no effect in a random load")
                .label(start.span, "offsets are drawn anew for every operation")
                .help("leave it out, or write `access \"sequential\"`"),
        );
    }
    let axis = load.axes.iter().find(|axis| axis.axis.name() == "rate").map(|axis| axis.span);
    if let (Some(rate), Some(curve)) = (part.rate.given().map(|rate| rate.span).or(axis), load.curve.given()) {
        diagnostics.push(
            Diagnostic::error(code::LOAD_SET_TWICE, "the `rate` of this load is set twice")
                .label(curve.span, "the curve sets it again")
                .also(rate, "the load sets it")
                .help("keep one of them; a curve finds its rates by itself"),
        );
    }
}
