//! A difference as rows of words, for text and Markdown alike.

use super::{Change, Difference, SectionChange, StepChange, ValueChange};
use crate::plan::Provenance;
use crate::schedule::{Amount, Estimate, Written};
pub(super) use crate::text::plain;
use crate::units::RunTime;

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// The section it belongs to.
    pub(super) section: String,
    /// The step, or what became of it; empty where the row goes on with the one above.
    pub(super) subject: String,
    /// Which value.
    pub(super) what: String,
    /// From what to what.
    pub(super) change: String,
    /// Provenance, and how many cases it touches.
    pub(super) note: String,
}

/// What differs in the method, in the order of the plan.
pub(super) fn method_rows(difference: &Difference) -> Vec<Row> {
    let mut rows: Vec<Row> = difference.host.iter().map(|change| row("host", "", change, "")).collect();
    for section in &difference.sections {
        section_rows(section, &mut rows);
    }
    rows
}

fn row(section: &str, subject: &str, change: &ValueChange, cases: &str) -> Row {
    let provenance = change.provenance.filter(|provenance| *provenance != Provenance::Chosen);
    let provenance = provenance.map(|provenance| format!("({})", provenance.word()));
    let notes: Vec<String> = provenance.into_iter().chain((!cases.is_empty()).then(|| cases.into())).collect();
    Row {
        section: section.into(),
        subject: subject.into(),
        what: plain(&change.what),
        change: arrow(change),
        note: notes.join(" "),
    }
}

fn section_rows(section: &SectionChange, rows: &mut Vec<Row>) {
    let name = plain(&section.name);
    let bare = |subject: &str, what: String, note: String| Row {
        section: name.clone(),
        subject: subject.into(),
        what,
        change: String::new(),
        note,
    };
    if section.change != Change::Kept {
        rows.push(bare(section.change.name(), "the whole test".into(), String::new()));
    }
    if section.is_moved {
        rows.push(bare("moved", "among the tests".into(), String::new()));
    }
    rows.extend(section.values.iter().map(|change| row(&name, "", change, "")));
    for step in section.steps.iter().filter(|step| step.is_of_method()) {
        let label = plain(&step.label);
        if step.change != Change::Kept {
            rows.push(bare(step.change.name(), in_words(step), counted(step.cases)));
            continue;
        }
        if step.is_moved {
            rows.push(bare(&label, "stands at another place".into(), String::new()));
        }
        for (index, change) in step.values.iter().enumerate() {
            let (subject, cases) = match index {
                0 => (label.as_str(), of_cases(step)),
                _ => ("", String::new()),
            };
            rows.push(row(&name, subject, change, &cases));
        }
    }
}

/// `measure "8k-70-30"`; a step without a name of its own is its kind alone.
fn in_words(step: &StepChange) -> String {
    if step.label == step.kind { step.kind.into() } else { format!("{} {:?}", step.kind, plain(&step.label)) }
}

fn counted(cases: usize) -> String {
    match cases {
        0 => String::new(),
        1 => "1 case".into(),
        cases => format!("{cases} cases"),
    }
}

fn of_cases(step: &StepChange) -> String {
    match step.cases {
        0 => String::new(),
        cases => format!("{} of {}", step.cases_changed, counted(cases)),
    }
}

/// Provenance that differs where the meaning is the same.
pub(super) fn provenance_rows(difference: &Difference) -> Vec<Row> {
    let of_step = |(section, step): (&str, &StepChange)| -> Vec<Row> {
        let label = plain(&step.label);
        let rows = step.provenance.iter().enumerate();
        rows.map(|(index, change)| Row {
            note: String::new(),
            ..row(section, if index == 0 { &label } else { "" }, change, "")
        })
        .collect()
    };
    difference.steps().flat_map(of_step).collect()
}

/// What has no effect on the method.
pub(super) fn label_rows(difference: &Difference) -> Vec<Row> {
    difference.labels.iter().map(|change| row("", "", change, "")).collect()
}

/// Parameters with other values.
pub(super) fn param_rows(difference: &Difference) -> Vec<Row> {
    difference.params.iter().map(|change| row("", "", change, "")).collect()
}

fn arrow(change: &ValueChange) -> String {
    let said = |value: &Option<String>| value.as_deref().map_or_else(|| "–".into(), plain);
    format!("{} → {}", said(&change.old), said(&change.new))
}

/// Lengths and bytes of both plans: `length 7h 38m → 4h 53m · writes ≤ 4.30 TB → ≤ 2.90 TB`.
pub(super) fn estimates(difference: &Difference) -> String {
    let both = |of: fn(&Estimate) -> String| {
        let (old, new) = (of(&difference.old.estimate), of(&difference.new.estimate));
        if old == new { old } else { format!("{old} → {new}") }
    };
    format!("length {} · writes {}", both(length), both(|estimate| writes(&estimate.written)))
}

/// How precise the new plan is against the old one, a sentence for each length.
pub(super) fn precision(difference: &Difference) -> Vec<String> {
    let sentence = |change: &super::PrecisionChange| {
        let word = if change.is_longer { "More" } else { "Less" };
        let count = counted(change.cases);
        format!("{word} precise: {count} of the same load over {} instead of {}.", change.new, change.old)
    };
    difference.precision.iter().map(sentence).collect()
}

fn length(estimate: &Estimate) -> String {
    let low = estimate.time_low;
    match estimate.time_high {
        Some(high) if high == low => low.human(),
        Some(high) if low == RunTime::ZERO => format!("≤ {}", high.human()),
        Some(high) => format!("{} to {}", low.human(), high.human()),
        None if low == RunTime::ZERO => "?".into(),
        None => format!("≥ {}", low.human()),
    }
}

fn writes(written: &Written) -> String {
    match written.high {
        Some(high) if written.is_exact() => amount(&high),
        Some(high) if written.low == Amount::NOTHING => format!("≤ {}", amount(&high)),
        Some(high) => format!("{} to {}", amount(&written.low), amount(&high)),
        None if written.low == Amount::NOTHING => "?".into(),
        None => format!("≥ {}", amount(&written.low)),
    }
}

fn amount(amount: &Amount) -> String {
    let devices = amount.device_millionths as f64 / 1e6;
    match (amount.bytes.get(), amount.device_millionths) {
        (0, 0) => "nothing".into(),
        (0, _) => format!("{devices} × device"),
        (_, 0) => amount.bytes.human(),
        _ => format!("{devices} × device + {}", amount.bytes.human()),
    }
}
