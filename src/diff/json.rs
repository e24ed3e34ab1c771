//! A difference for programs.

use serde_json::{Value, json as object};

use super::{Difference, PlanSide, SectionChange, StepChange, ValueChange};

/// What differs, as one JSON document. Lengths and bytes are those of `expand --format json`.
pub fn json(difference: &Difference) -> String {
    let cases = &difference.cases;
    let (verdict, reasons) = difference.verdict_in_words();
    let precision = difference.precision.iter().map(|change| {
        object!({ "cases": change.cases, "old": change.old, "new": change.new, "is_longer": change.is_longer })
    });
    let document = object!({
        "format": "shakedown-diff-1",
        "verdict": difference.verdict().name(),
        "says": verdict,
        "reasons": reasons,
        "old": side(&difference.old),
        "new": side(&difference.new),
        "cases": {
            "all": cases.all,
            "load_changed": cases.load_changed,
            "state_changed": cases.state_changed,
            "added": cases.added,
            "removed": cases.removed,
        },
        "precision": precision.collect::<Vec<_>>(),
        "host": values(&difference.host),
        "sections": difference.sections.iter().map(section).collect::<Vec<_>>(),
        "params": values(&difference.params),
        "labels": values(&difference.labels),
    });
    format!("{document:#}\n")
}

fn side(side: &PlanSide) -> Value {
    object!({ "name": side.name, "method": side.method, "estimate": side.estimate, "measured_cases": side.cases })
}

fn section(section: &SectionChange) -> Value {
    object!({
        "name": section.name,
        "old_name": section.old_name,
        "change": section.change.name(),
        "is_moved": section.is_moved,
        "values": values(&section.values),
        "steps": section.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn step(step: &StepChange) -> Value {
    object!({
        "label": step.label,
        "old_label": step.old_label,
        "kind": step.kind,
        "change": step.change.name(),
        "is_moved": step.is_moved,
        "values": values(&step.values),
        "provenance": values(&step.provenance),
        "cases_changed": step.cases_changed,
        "cases": step.cases,
    })
}

fn values(changes: &[ValueChange]) -> Vec<Value> {
    let value = |change: &ValueChange| {
        let provenance = change.provenance.map(|provenance| provenance.word());
        object!({ "what": change.what, "old": change.old, "new": change.new, "provenance": provenance })
    };
    changes.iter().map(value).collect()
}
