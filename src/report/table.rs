//! Groups laid out in columns by `tabled`.

use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object as _, Rows};
use tabled::settings::{Alignment, Modify, Padding, Style};

use super::columns::{COLUMNS, Column, Part, Value};
use super::groups::{Group, Row};
use super::markdown::escaped;
use super::number::LatencyUnit;

/// How a table is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Columns set apart by blanks.
    Terminal,
    /// Pipes and dashes.
    Markdown,
}

/// A table as text, and the columns that did not fit.
pub(super) struct Laid {
    pub(super) text: String,
    pub(super) shown: Vec<Column>,
    pub(super) left_out: Vec<Column>,
}

/// The rows of a table: label, figures of which operations, mark.
struct Lines<'a> {
    rows: Vec<(String, &'a Row<'a>, Part, String)>,
    has_marks: bool,
}

/// The table of a group's cases.
pub(super) fn cases(group: &Group<'_>, width: Option<usize>, look: Look) -> Laid {
    let rows = group.rows.iter().map(|row| (row.label.clone(), row, Part::All, group.mark(row))).collect();
    lay_out(&Lines { rows, has_marks: true }, &columns(group), width, look)
}

/// The table of its reads and writes apart; `None` where no case mixes them.
pub(super) fn sides(group: &Group<'_>, width: Option<usize>, look: Look) -> Option<Laid> {
    let rows = group.sides().map(|(label, row, part)| (label, row, part, String::new())).collect();
    let of_sides: Vec<Column> = COLUMNS.into_iter().filter(|column| *column != Column::DeviationOfSides).collect();
    group.has_mix().then(|| lay_out(&Lines { rows, has_marks: false }, &of_sides, width, look))
}

/// The mean of two sides' deviations says something only where there are two sides.
fn columns(group: &Group<'_>) -> Vec<Column> {
    let is_wanted = |column: &Column| *column != Column::DeviationOfSides || group.has_mix();
    COLUMNS.into_iter().filter(is_wanted).collect()
}

/// Leaves out columns, the least important first, until the table fits. Nothing is ever cut.
fn lay_out(lines: &Lines<'_>, columns: &[Column], width: Option<usize>, look: Look) -> Laid {
    let mut shown = columns.to_vec();
    let mut left_out = Vec::new();
    loop {
        let table = build(lines, &shown, look);
        let least = shown.iter().copied().max_by_key(|column| column.rank());
        match (width, least) {
            (Some(width), Some(least)) if table.total_width() > width && shown.len() > 1 => {
                shown.retain(|column| *column != least);
                left_out.push(least);
            }
            _ => {
                let text = table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect();
                left_out.sort_by_key(|column| COLUMNS.iter().position(|other| other == column));
                return Laid { text, shown, left_out };
            }
        }
    }
}

fn build(lines: &Lines<'_>, columns: &[Column], look: Look) -> Table {
    let unit = unit_of(lines);
    let mut builder = Builder::default();
    let titles = columns.iter().map(|column| match (look, column.is_latency()) {
        (Look::Markdown, true) => format!("{} ({})", column.title(), unit.symbol()),
        _ => column.title().to_owned(),
    });
    let mark_title = lines.has_marks.then(String::new);
    builder.push_record([String::new()].into_iter().chain(titles).chain(mark_title.clone()));
    if look == Look::Terminal {
        let units = columns.iter().map(|column| match column.is_latency() {
            true => unit.symbol().to_owned(),
            false => String::new(),
        });
        builder.push_record([String::new()].into_iter().chain(units).chain(mark_title));
    }
    // Where some cell of a column is starred the others leave its place free, so that digits stand under digits.
    let starred: Vec<bool> = columns.iter().map(|column| lines.values(*column).any(Value::is_starred)).collect();
    for (label, row, part, mark) in &lines.rows {
        let cells = columns.iter().zip(&starred).map(|(column, has_star)| {
            let value = column.value(&row.figures, *part);
            let gap = if *has_star && !value.is_starred() { " " } else { "" };
            format!("{}{gap}", value.write(unit))
        });
        let mark = lines.has_marks.then(|| mark.clone());
        let label = if look == Look::Markdown { escaped(label) } else { label.clone() };
        builder.push_record([label].into_iter().chain(cells).chain(mark));
    }
    let mut table = builder.build();
    match look {
        Look::Terminal => {
            table.with(Style::empty()).with(Padding::zero());
            table.with(Modify::new(Columns::new(1..)).with(Padding::new(2, 0, 0, 0)));
        }
        Look::Markdown => {
            table.with(Style::markdown());
        }
    }
    table.with(Modify::new(Columns::new(1..=columns.len())).with(Alignment::right()));
    if lines.has_marks {
        table.with(Modify::new(Columns::last().intersect(Rows::new(1..))).with(Alignment::left()));
    }
    table
}

impl Lines<'_> {
    fn values(&self, column: Column) -> impl Iterator<Item = Value> {
        self.rows.iter().map(move |(_, row, part, _)| column.value(&row.figures, *part))
    }
}

/// All latencies of a table have one unit, that of the smallest mean or median, so that columns can be compared.
fn unit_of(lines: &Lines<'_>) -> LatencyUnit {
    let small = lines.values(Column::Mean).chain(lines.values(Column::P50)).filter_map(|value| match value {
        Value::Latency { ns, .. } => Some(ns),
        _ => None,
    });
    LatencyUnit::for_smallest(small.min_by(f64::total_cmp))
}
