//! How long a load lasts and how its window is cut.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::limits;
use crate::plan::model::{Extent, Given, RunLimits, SpanOfArea};
use crate::plan::written::Run;
use crate::text::Span;
use crate::units::{BlockSize, ByteCount, Percent, RunTime};

use super::load::limits_of;

/// The limits of `run`. A load that writes nothing, in a case of it, never reaches an amount written.
pub(super) fn run(
    run: &Run,
    nothing_written: Option<(Span, &str)>,
    diagnostics: &mut Diagnostics,
) -> Option<RunLimits> {
    let limits = limits_of(run)?;
    if let (Some(steady), None, None, None) = (limits.steady, limits.time, limits.written, limits.passes) {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NEVER_ENDS, "nothing ends this load for certain")
                .label(steady.span, "a drive may never become steady")
                .help("say how long it may take at most, as `run \"24h\" steady=#true`"),
        );
    }
    if let (Some(written), Some((place, how)), None, None) =
        (limits.written, nothing_written, limits.time, limits.passes)
    {
        diagnostics.push(
            Diagnostic::error(code::LOAD_NEVER_ENDS, "a load that only reads never has anything written")
                .label(written.span, "is never reached")
                .also(place, how)
                .help("limit it by time, as `run \"60s\"`, or by `passes=`, which counts reads too"),
        );
    }
    Some(limits)
}

/// The whole block must fit, as far as the text tells; shares are seen once the area is known.
pub(super) fn fits_span(
    span: Option<Given<SpanOfArea>>,
    largest: Option<Given<BlockSize>>,
    diagnostics: &mut Diagnostics,
) {
    let Some(span) = span else { return };
    if span.value.length == Extent::Share(Percent::HUNDRED) && span.value.offset > ByteCount::ZERO {
        diagnostics.push(
            Diagnostic::error(code::SPAN_OUTSIDE, "the span reaches beyond the area")
                .label(span.span, format!("the whole area, from {} on", span.value.offset))
                .help("write how much of the area the load may touch behind the offset"),
        );
    }
    if let (Extent::Bytes(length), Some(block)) = (span.value.length, largest)
        && length < block.value.bytes()
    {
        diagnostics.push(
            Diagnostic::error(code::SPAN_TOO_SMALL, format!("a span of {length} holds no block of {}", block.value))
                .label(span.span, "the part that the load may touch")
                .also(block.span, "the size of one operation")
                .help("write a larger span"),
        );
    }
}

/// Intervals must fit in the window; few of them draw a remark where the load is measured.
pub(super) fn intervals(run: &RunLimits, sample: Given<RunTime>, is_measured: bool, diagnostics: &mut Diagnostics) {
    let Some(time) = run.time else { return };
    if sample.value > time.value {
        // A default that does not fit is put right by writing another one.
        let place = if sample.is_default { time.span } else { sample.span };
        let mut diagnostic = Diagnostic::error(
            code::LOAD_SAMPLE_TOO_LONG,
            format!("an interval of {} does not fit in a run of {}", sample.value, time.value),
        );
        diagnostic = if sample.is_default {
            diagnostic.label(place, format!("shorter than the default interval of {}", sample.value))
        } else {
            diagnostic.label(place, "longer than the run").also(time.span, "the run")
        };
        diagnostics.push(diagnostic.help("write a shorter `sample`, or a longer `run`"));
        return;
    }
    let intervals = time.value.as_nanos() / sample.value.as_nanos().max(1);
    if is_measured && intervals < limits::INTERVALS {
        let noun = if intervals == 1 { "interval" } else { "intervals" };
        let place = if sample.is_default { time.span } else { sample.span };
        diagnostics.push(
            Diagnostic::remark(
                code::LOAD_FEW_INTERVALS,
                format!("the window of {} has only {intervals} {noun}", time.value),
            )
            .label(place, format!("each {} long", sample.value))
            .help("write a shorter `sample` where deviation over time matters"),
        );
    }
}
