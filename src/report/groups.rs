//! The measured cases of a record, in tables as a reader expects them, with their grades and footnotes.

use super::columns::Part;
use super::number::superscript;
use super::wording::{plain, span, window, workload};
use crate::record::{CaseFigures, CaseRecord, Remark, RemarkKind, RunRecord, Validity, judge};
use crate::schedule::{Action, Case, ScheduledStep};

/// One table: a measured step with its matrix, or the single cases of one test side by side.
pub(super) struct Group<'a> {
    /// `8k-70-30 · 8 KiB random, 70 % read`.
    pub(super) heading: String,
    /// What is particular to each row's step, where rows are steps.
    pub(super) notes: Vec<String>,
    /// The cases that have figures, in the order in which they ran.
    pub(super) rows: Vec<Row<'a>>,
    /// Names of the cases that have none.
    pub(super) not_run: Vec<String>,
    /// One for each kind of remark.
    pub(super) footnotes: Vec<Footnote>,
}

/// A case with figures.
pub(super) struct Row<'a> {
    pub(super) label: String,
    pub(super) planned: &'a Case,
    pub(super) figures: CaseFigures,
    pub(super) validity: Validity,
}

/// A kind of remark that some rows bear.
pub(super) struct Footnote {
    pub(super) kind: RemarkKind,
    pub(super) number: usize,
    pub(super) text: String,
}

/// All tables of a record. Footnotes are numbered through the whole report.
pub(super) fn groups(record: &RunRecord) -> Vec<Group<'_>> {
    let mut parts: Vec<Vec<Measured<'_>>> = Vec::new();
    for (planned, step) in record.steps() {
        let Action::Measure(cases) = &planned.action else { continue };
        let measured = Measured { planned, cases: cases.iter().zip(&step.cases).collect() };
        // Single cases of one test are one table; a matrix is one of its own.
        match parts.last_mut() {
            Some(part) if measured.is_single() && part.iter().all(|other| other.stands_beside(&measured)) => {
                part.push(measured);
            }
            _ => parts.push(vec![measured]),
        }
    }
    let mut next_number = 1;
    parts.iter().map(|part| group(record, part, &mut next_number)).collect()
}

/// A measured step.
struct Measured<'a> {
    planned: &'a ScheduledStep,
    cases: Vec<(&'a Case, &'a CaseRecord)>,
}

impl Measured<'_> {
    fn is_single(&self) -> bool {
        self.cases.len() == 1
    }

    fn stands_beside(&self, other: &Measured<'_>) -> bool {
        // One heading names one area.
        self.is_single() && self.planned.section == other.planned.section && self.planned.area == other.planned.area
    }
}

fn group<'a>(record: &RunRecord, part: &[Measured<'a>], next_number: &mut usize) -> Group<'a> {
    let are_rows_steps = part.len() > 1;
    let mut group =
        Group { heading: heading(record, part), notes: Vec::new(), rows: vec![], not_run: vec![], footnotes: vec![] };
    for measured in part {
        for (planned, case) in &measured.cases {
            let label = match are_rows_steps {
                true => plain(&measured.planned.label),
                false => plain(case.id.as_str()),
            };
            match (case.figures(), judge(record, planned, case)) {
                (Some(figures), Some(validity)) => group.rows.push(Row { label, planned, figures, validity }),
                _ => group.not_run.push(label),
            }
        }
        if are_rows_steps && let [(case, _)] = measured.cases.as_slice() {
            let mut words = vec![plain(&measured.planned.label), plain(case.id.as_str()), workload(&[case])];
            words.extend(span(case));
            words.push(window(case));
            group.notes.push(words.join(" · "));
        }
    }
    group.footnotes = footnotes(&group.rows, next_number);
    group
}

fn heading(record: &RunRecord, part: &[Measured<'_>]) -> String {
    let Some(first) = part.first() else { return String::new() };
    let step = first.planned;
    let name = match part.len() == 1 && step.label != step.section {
        true => plain(step.id.as_str()),
        false => plain(&step.section),
    };
    let mut words = vec![name];
    if part.len() == 1 {
        let cases: Vec<&Case> = first.cases.iter().map(|(case, _)| *case).collect();
        words.push(workload(&cases));
    }
    words.push(record.started.schedule.engine.name().to_owned());
    if let Some(area) = record.started.schedule.area_of(step) {
        let part = step.area.map(|part| format!(" ({part} of the device)")).unwrap_or_default();
        words.push(format!("area {}{part}", area.human()));
    }
    if part.len() == 1
        && let Some((case, _)) = first.cases.first()
    {
        words.extend(span(case));
        words.push(window(case));
    }
    if record.started.is_simulated {
        words.push("SIMULATED".to_owned());
    }
    if !record.started.is_direct && !record.started.is_simulated {
        words.push("BUFFERED".to_owned());
    }
    words.join(" · ")
}

/// One footnote for each kind of remark, with what is particular to each row behind it.
fn footnotes(rows: &[Row<'_>], next_number: &mut usize) -> Vec<Footnote> {
    let mut kinds: Vec<RemarkKind> = Vec::new();
    for remark in rows.iter().flat_map(|row| &row.validity.remarks) {
        if !kinds.contains(&remark.kind) {
            kinds.push(remark.kind);
        }
    }
    kinds
        .into_iter()
        .map(|kind| {
            let remark_of = |row: &Row<'_>| row.validity.remarks.iter().find(|remark| remark.kind == kind).cloned();
            let bearing: Vec<(&str, Remark)> =
                rows.iter().filter_map(|row| Some((row.label.as_str(), remark_of(row)?))).collect();
            let number = *next_number;
            *next_number += 1;
            Footnote { kind, number, text: footnote_text(kind, &bearing) }
        })
        .collect()
}

fn footnote_text(kind: RemarkKind, bearing: &[(&str, Remark)]) -> String {
    let details: Vec<(&str, &str)> =
        bearing.iter().filter_map(|(label, remark)| Some((*label, remark.detail.as_deref()?))).collect();
    let text = match details.as_slice() {
        [] => kind.sentence().to_owned(),
        [(_, detail)] => format!("{}: {detail}", kind.sentence()),
        [(_, first), rest @ ..] if rest.iter().all(|(_, detail)| detail == first) => {
            format!("{}: {first}", kind.sentence())
        }
        details => {
            let each: Vec<String> = details.iter().map(|(label, detail)| format!("{label} {detail}")).collect();
            format!("{}: {}", kind.sentence(), each.join("; "))
        }
    };
    plain(&text)
}

impl Group<'_> {
    /// The mark of a row: its grade and the numbers of its footnotes.
    pub(super) fn mark(&self, row: &Row<'_>) -> String {
        let mut mark = row.validity.grade.to_string();
        for footnote in &self.footnotes {
            if row.validity.remarks.iter().any(|remark| remark.kind == footnote.kind) {
                mark.push(' ');
                mark.push_str(&superscript(footnote.number));
            }
        }
        mark
    }

    /// True where reads and writes are shown apart.
    pub(super) fn has_mix(&self) -> bool {
        self.rows.iter().any(|row| row.planned.is_mix())
    }

    /// The rows of the table of reads and writes apart.
    pub(super) fn sides(&self) -> impl Iterator<Item = (String, &Row<'_>, Part)> {
        let mixed = self.rows.iter().filter(|row| row.planned.is_mix());
        mixed.flat_map(|row| {
            [(format!("{} read", row.label), row, Part::Read), (format!("{} write", row.label), row, Part::Write)]
        })
    }
}
