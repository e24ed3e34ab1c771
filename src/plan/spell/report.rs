//! The `report` node spelled.

use crate::plan::model::{Given, ReportView};
use crate::units::Metric;

use super::{Page, in_quotes, quoted, value};

/// What a report shows.
pub(super) fn report(view: &ReportView, page: &mut Page) {
    page.blank();
    page.open("report");
    let metrics = |metrics: &[Given<Metric>]| metrics.iter().map(|metric| value(metric, in_quotes)).collect::<Vec<_>>();
    let text = |name: &Given<String>| value(name, |name| quoted(name));
    let name = |key: &str, name: &Option<Given<String>>| name.as_ref().map(|name| format!("{key}={}", text(name)));
    if !view.columns.is_empty() {
        page.leaf("columns", &metrics(&view.columns), false);
    }
    for series in &view.series {
        let x = format!("x={}", value(&series.x, |x| quoted(x.name())));
        let scale = value(&series.is_log, |is_log| if *is_log { "\"log\"" } else { "\"linear\"" }.into());
        let scale = (!series.is_log.is_default).then(|| format!("scale={scale}"));
        let words = metrics(&series.metrics).into_iter().chain([x]).chain(name("of", &series.of)).chain(scale);
        page.leaf("series", &words.collect::<Vec<_>>(), false);
    }
    for number in &view.numbers {
        let named = [name("window", &number.window), name("of", &number.of), name("by", &number.by)];
        let named = named.into_iter().flatten();
        page.leaf("number", &metrics(&number.metrics).into_iter().chain(named).collect::<Vec<_>>(), false);
    }
    page.close();
}
