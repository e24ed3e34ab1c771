//! `run`: how long a load lasts.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::model::{Provenance, WrittenLimit};
use crate::plan::names::Place;
use crate::plan::vocabulary::Words;
use crate::plan::written::{Leaf, Run};
use crate::text::Spanned;
use crate::units::{ByteCount, Quantity, RunTime};

use super::super::{missing, origin, value};
use super::passes;

pub(super) fn run(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Run {
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let time = match cursor.take_argument() {
        Some(literal) => value::leaf(literal, outer, diagnostics, run_time),
        None => Leaf::Absent,
    };
    let written = match cursor.take_property("written", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, written_limit),
        None => Leaf::Absent,
    };
    let passes = match cursor.take_property("passes", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, passes),
        None => Leaf::Absent,
    };
    let steady = match cursor.take_property("steady", diagnostics) {
        Some(literal) => value::leaf(literal, outer, diagnostics, |l, d| l.read_switch(d)),
        None => Leaf::Absent,
    };
    let nothing = node.arguments.is_empty() && node.properties.is_empty();
    cursor.finish(&Words::of("run", place), diagnostics);
    let time = if nothing { missing(node, place, "a time, `written=` or `passes=`", diagnostics) } else { time };
    Run { time, written, passes, steady }
}

/// A time; a size or passes in its place are put right by name.
fn run_time(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<RunTime>> {
    let instead = match quantity(literal) {
        Some(Quantity::Bytes(_)) => format!("run written={}", literal.written),
        Some(Quantity::Passes(count)) => format!("run passes={count}"),
        Some(Quantity::DriveWrites(_)) => format!("run written={}", literal.written),
        _ => return value::time(literal, "the length of a run", RunTime::from_nanos(1), diagnostics),
    };
    diagnostics.push(
        Diagnostic::error(code::UNIT_WRONG_KIND, format!("{} is no time", literal.written))
            .label(literal.span, "a bare value is how long the run lasts")
            .help(format!("write `{instead}`")),
    );
    None
}

/// Bytes, or times the capacity of the device; above zero.
fn written_limit(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<WrittenLimit>> {
    let accept = |quantity| match quantity {
        Quantity::Bytes(bytes) => Some(WrittenLimit::Bytes(bytes)),
        Quantity::DriveWrites(writes) => Some(WrittenLimit::DriveWrites(writes)),
        _ => None,
    };
    let limit = literal.read_quantity("a size or a number of drive writes", accept, diagnostics)?;
    let is_zero = match limit.value {
        WrittenLimit::Bytes(bytes) => bytes == ByteCount::ZERO,
        WrittenLimit::DriveWrites(writes) => writes <= 0.0,
    };
    if is_zero {
        value::refuse(literal, "above zero".into(), "an amount written", diagnostics);
        return None;
    }
    Some(limit)
}

fn quantity(literal: &Literal) -> Option<Quantity> {
    match &literal.value {
        crate::lang::Value::Text(text) => crate::units::parse_quantity(text).ok(),
        _ => None,
    }
}
