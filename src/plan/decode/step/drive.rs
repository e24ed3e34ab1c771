//! What a step does to the drive beside writing: its area, its cache, its settings, and pauses.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::decode::{argument, needed, property, value};
use crate::plan::defaults;
use crate::plan::model::{CoolDown, DriveSetting, Extent, Given, Partition, Provenance, StepKind};
use crate::plan::names::Place;
use crate::plan::written::Leaf;
use crate::text::Spanned;
use crate::units::{Quantity, RunTime};

/// `limit-to`.
pub(super) fn limit_to(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    part(cursor, "a part of the device", outer, diagnostics).written().map(StepKind::LimitTo)
}

/// `trim` as a step.
pub(super) fn trim(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    part(cursor, "a part of the area", outer, diagnostics).written().map(StepKind::Trim)
}

/// `partition`.
pub(super) fn partition(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let size = part(cursor, "a part of the device", outer, diagnostics);
    let keep = property(cursor, "keep", outer, diagnostics, Literal::read_switch);
    let keep = keep.optional()?.unwrap_or(Given::default_at(defaults::KEEP_PARTITION, node.name.span));
    Some(StepKind::Partition(Partition { size: size.written()?, keep }))
}

fn part(cursor: &mut NodeCursor<'_>, of: &str, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Extent> {
    argument(cursor, "a size or a percentage", outer, diagnostics, |literal, d| value::extent(literal, of, d))
}

/// `write-cache`.
pub(super) fn write_cache(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let known = value::values_of("write-cache", Place::Test);
    let on = argument(cursor, "\"on\" or \"off\"", outer, diagnostics, |literal, d| {
        let word = value::named(literal, "write-cache", "\"on\" or \"off\"", known, d)?;
        Some(word.map(|word| word == "on"))
    });
    on.written().map(StepKind::WriteCache)
}

/// `idle`.
pub(super) fn idle(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let time = argument(cursor, "a time", outer, diagnostics, |literal, d| {
        value::time(literal, "an idle time", RunTime::from_nanos(1), d)
    });
    time.written().map(StepKind::Idle)
}

/// `cool-down`.
pub(super) fn cool_down(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let to = needed(cursor, "to", "a temperature, as \"40C\"", outer, diagnostics, |literal, d| {
        let celsius = |quantity| if let Quantity::Celsius(degrees) = quantity { Some(degrees) } else { None };
        let degrees = literal.read_quantity("a temperature", celsius, d)?;
        if !(MIN_CELSIUS..=MAX_CELSIUS).contains(&degrees.value) {
            value::refuse(literal, format!("{MIN_CELSIUS}C to {MAX_CELSIUS}C"), "the temperature of a drive", d);
            return None;
        }
        Some(degrees)
    });
    let at_most = needed(cursor, "at-most", "the longest wait", outer, diagnostics, |literal, d| {
        value::time(literal, "the longest wait", RunTime::from_nanos(1), d)
    });
    Some(StepKind::CoolDown(CoolDown { to_celsius: to.written()?, at_most: at_most.written()? }))
}

/// Below this no drive cools in a room, and above that it has shut itself down.
const MIN_CELSIUS: f64 = 1.0;
/// See [`MIN_CELSIUS`].
const MAX_CELSIUS: f64 = 100.0;

/// `setting`.
pub(super) fn setting(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let known = value::values_of("setting", Place::Test);
    let name = argument(cursor, "the name of a setting, as \"scheduler\"", outer, diagnostics, |literal, d| {
        value::named(literal, "setting", "a setting of a drive", known, d)
    });
    let literal = cursor.take_argument();
    let name = name.written()?;
    let Some(literal) = literal else {
        diagnostics.push(
            Diagnostic::error(code::VALUE_MISSING, format!("`setting {:?}` stands without its value", name.value))
                .label(name.span, "needs a value behind it")
                .help(format!("write `setting {:?} {}`", name.value, example(name.value))),
        );
        return None;
    };
    let value = value::leaf(literal, outer, diagnostics, |literal, d| set_to(name.value, literal, d)).written()?;
    let name = Given::written(name.value.to_string(), name.provenance, name.span);
    Some(StepKind::Set(DriveSetting { name, value }))
}

/// A value of the setting as it would be written.
fn set_to(name: &str, literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    let count = |least, most, d: &mut Diagnostics| {
        Some(literal.read_count(&format!("a value of {name:?}"), least..=most, d)?.map(|count| count.to_string()))
    };
    match name {
        "nomerges" | "rq-affinity" => count(0, 2, diagnostics),
        "iostats" => count(0, 1, diagnostics),
        "nr-requests" => count(1, 65_536, diagnostics),
        // NVM Express has 32 of them.
        "power-state" => count(0, 31, diagnostics),
        "read-ahead" => {
            let size = literal.read_size(diagnostics)?;
            if !size.value.get().is_multiple_of(1024) {
                value::refuse(literal, "whole KiB".into(), "a read-ahead", diagnostics);
                return None;
            }
            Some(size.map(|size| size.to_string()))
        }
        _ => value::name(literal, "the name of a scheduler", diagnostics),
    }
}

fn example(name: &str) -> &'static str {
    match name {
        "scheduler" => "\"none\"",
        "read-ahead" => "\"128KiB\"",
        _ => "0",
    }
}
