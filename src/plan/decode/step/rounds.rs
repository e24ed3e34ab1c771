//! `rounds`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::decode::load::judge;
use crate::plan::decode::{property, value};
use crate::plan::limits;
use crate::plan::model::{Provenance, RoundCount};
use crate::plan::names::Place;
use crate::plan::written::{Leaf, Rounds};
use crate::text::Spanned;

use super::take_steps;

/// How many rounds there are, and the steps of each.
pub(super) fn decode(
    node: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Rounds {
    let exactly = cursor.take_argument().map_or(Leaf::Absent, |literal| {
        value::leaf(literal, outer, diagnostics, |l, d| Some(count(l, d)?.map(RoundCount::Exactly)))
    });
    let at_most = property(cursor, "max", outer, diagnostics, |l, d| Some(count(l, d)?.map(RoundCount::AtMost)));
    let rule = cursor.take_child("steady-state", diagnostics);
    let steady_state =
        rule.map(|node| judge::steady_state(node, Place::Rounds, outer, diagnostics)).unwrap_or_default();
    let count = match (exactly, at_most) {
        (Leaf::Written(exactly), Leaf::Written(most)) => {
            diagnostics.push(
                Diagnostic::error(code::ROUNDS_COUNT, "the rounds say twice how many they are")
                    .label(exactly.span, "exactly so many")
                    .also(most.span, "at most so many")
                    .help("keep one of them"),
            );
            Leaf::Faulty
        }
        (Leaf::Absent, Leaf::Absent) => {
            diagnostics.push(
                Diagnostic::error(code::ROUNDS_COUNT, "the rounds do not say how many they are")
                    .label(node.head(), "needs a number, or `max=` with a `steady-state`")
                    .help("write `rounds 25 { … }`, or `rounds max=25 { …; steady-state …; }`"),
            );
            Leaf::Faulty
        }
        (Leaf::Absent, Leaf::Written(most)) if rule.is_none() => {
            diagnostics.push(
                Diagnostic::error(code::ROUNDS_NEVER_STEADY, "nothing ends these rounds before the last")
                    .label(most.span, "at most so many, and no `steady-state` in them")
                    .help("write `steady-state …` behind the steps, or the number alone, as `rounds 25`"),
            );
            Leaf::Faulty
        }
        (Leaf::Absent, count) | (count, Leaf::Absent) => count,
        _ => Leaf::Faulty,
    };
    let steps = take_steps(node, cursor, Place::Rounds, outer, diagnostics);
    if steps.is_empty() {
        diagnostics.push(
            Diagnostic::error(code::ROUNDS_NO_STEPS, "the rounds have no step")
                .label(node.head(), "nothing happens in them")
                .help("write their steps in braces, as `rounds 25 { measure \"workload\" { … }; }`, or leave them out"),
        );
    }
    Rounds { count, steady_state, steps }
}

fn count(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
    let count = literal.read_count("a number of rounds", 1..=limits::REPEAT, diagnostics)?;
    Some(Spanned::new(u32::try_from(count.value).ok()?, count.span))
}
