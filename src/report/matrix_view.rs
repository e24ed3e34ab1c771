//! The measured cases of a schedule as grids: the axis that varies fastest across, the others down.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object as _, Segment};
use tabled::settings::{Alignment, Padding, Style};

use super::steps::{limits, share_limits};
use super::wording::{plain, wrapped};
use crate::schedule::{Action, Case, OnCurve, Schedule, ScheduledStep};

/// A grid for every measured step with several cases; in its cells the order in which the cases run, counted through
/// the whole schedule. Steps of one case are a line each. Lines are at most `width` characters wide as far as the cells
/// allow.
pub fn schedule_matrix(schedule: &Schedule, width: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    for step in &schedule.steps {
        push_step(&mut text, step, &mut number, width);
    }
    if text.is_empty() {
        return "no case is measured\n".into();
    }
    text.push_str(&format!("{number} measured cases; each number is a case's place in their order\n"));
    text
}

fn push_step(text: &mut String, step: &ScheduledStep, number: &mut usize, width: usize) {
    if let Action::Measure(cases) = &step.action {
        text.push_str(&wrapped(&heading(step, cases), "", "  ", width));
        if cases.len() > 1 {
            text.push_str(&grid(cases, *number, width));
        } else {
            text.push_str(&format!("  {}\n", *number + 1));
        }
        text.push('\n');
        *number += cases.len();
    }
    for inner in step.action.inner() {
        push_step(text, inner, number, width);
    }
}

fn heading(step: &ScheduledStep, cases: &[Case]) -> String {
    let mut words = vec![plain(step.id.as_str())];
    match cases {
        [one] => words.push(one.id.to_string()),
        several => words.push(format!("{} cases", several.len())),
    }
    let each = if cases.len() > 1 { "each " } else { "" };
    if let Some(first) = cases.first().filter(|_| share_limits(cases)) {
        words.push(format!("{each}{}", limits(first)));
    }
    words.join(" · ")
}

/// The values of a case by which it can differ from the others of its step, slowest to tell apart last.
fn values(case: &Case) -> Vec<String> {
    let mut values = Vec::new();
    if let Some(load) = case.loads.first() {
        values.push(format!("{}T", load.threads));
        values.push(format!("{}Q", load.queue_depth));
        values.push(load.rate.map(|rate| rate.to_string()).unwrap_or_default());
        if let Some(stream) = load.streams.first() {
            values.push(stream.sizes.first().map(|size| size.size.to_string()).unwrap_or_default());
            values.push(format!("{} read", stream.read));
            values.push(format!("{} trim", stream.trim));
            values.push(format!("span {}", stream.span));
        }
    }
    values.push(match case.on_curve {
        None => String::new(),
        Some(OnCurve::Maximum(1)) => "max".into(),
        Some(OnCurve::Maximum(number)) => format!("max-{number}"),
        Some(OnCurve::Share(share)) => share.to_string(),
    });
    values
}

/// The cases as rows and columns; the cells of cases that are left out stay empty.
struct Grid {
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<usize>>)>,
}

fn arranged(cases: &[Case], before: usize) -> Grid {
    let values: Vec<Vec<String>> = cases.iter().map(values).collect();
    let differs = |axis: usize| values.iter().any(|value| value[axis] != values[0][axis]);
    let axes: Vec<usize> = (0..values[0].len()).filter(|axis| differs(*axis)).collect();
    // The last axis varies fastest, so it is one in which the first two cases differ.
    let fastest = axes.iter().copied().rfind(|axis| values[0][*axis] != values[1][*axis]);
    let mut grid = Grid { columns: Vec::new(), rows: Vec::new() };
    for (index, value) in values.iter().enumerate() {
        let column = fastest.map(|axis| value[axis].clone()).unwrap_or_default();
        let row: Vec<&str> =
            axes.iter().filter(|axis| Some(**axis) != fastest).map(|axis| value[*axis].as_str()).collect();
        let row = row.join(" ");
        let place = grid.columns.iter().position(|known| *known == column).unwrap_or_else(|| {
            grid.columns.push(column);
            grid.columns.len() - 1
        });
        if grid.rows.last().is_none_or(|(known, _)| *known != row) {
            grid.rows.push((row, Vec::new()));
        }
        if let Some((_, cells)) = grid.rows.last_mut() {
            cells.resize(cells.len().max(place + 1), None);
            cells[place] = Some(before + index + 1);
        }
    }
    grid
}

/// The grid in as many blocks of columns as the width asks for.
fn grid(cases: &[Case], before: usize, width: usize) -> String {
    let grid = arranged(cases, before);
    let cell = |cells: &[Option<usize>], column: usize| match cells.get(column).copied().flatten() {
        Some(number) => number.to_string(),
        None => "–".into(),
    };
    let column_width = |column: usize| {
        let cells = grid.rows.iter().map(|(_, cells)| cell(cells, column).chars().count());
        cells.chain([grid.columns[column].chars().count()]).max().unwrap_or(0) + 2
    };
    let label_width = 2 + grid.rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut first = 0;
    while first < grid.columns.len() {
        let mut room = width.saturating_sub(label_width);
        let mut end = first;
        while end < grid.columns.len() && (end == first || column_width(end) <= room) {
            room = room.saturating_sub(column_width(end));
            end += 1;
        }
        let mut table = Builder::default();
        let heads = grid.columns[first..end].iter().cloned();
        table.push_record([String::new()].into_iter().chain(heads));
        for (label, cells) in &grid.rows {
            let cells = (first..end).map(|column| cell(cells, column));
            table.push_record([format!("  {label}")].into_iter().chain(cells));
        }
        let mut table = table.build();
        table.with(Style::empty()).with(Padding::zero());
        table.modify(Segment::all().not(Columns::first()), Padding::new(2, 0, 0, 0));
        table.modify(Segment::all().not(Columns::first()), Alignment::right());
        text.extend(table.to_string().lines().map(|line| format!("{}\n", line.trim_end())));
        first = end;
    }
    text
}
