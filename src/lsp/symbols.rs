//! The nodes of a text as an editor lists and folds them.

use std::collections::HashMap;

use gen_lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind};

use crate::plan::names::Place;

use super::names::place_in;
use super::outline::{Node, Outline};
use super::position::Lines;

/// The nodes of the top level, with the steps in them.
pub(super) fn symbols(text: &str, outline: &Outline, lines: &Lines) -> Vec<DocumentSymbol> {
    // Children stand behind their parents, so from the end each node finds its children ready.
    let mut ready: HashMap<Option<usize>, Vec<DocumentSymbol>> = HashMap::new();
    for (index, node) in outline.nodes.iter().enumerate().rev() {
        if node.name.text.is_empty() || outline.is_dropped(index) {
            continue;
        }
        let place = place_in(outline, &outline.around(index));
        if !place.is_some_and(|place| place == Place::Top || place.holds_steps()) {
            continue;
        }
        let mut children = ready.remove(&Some(index)).unwrap_or_default();
        children.reverse();
        ready.entry(node.parent).or_default().push(symbol(text, node, place, children, lines));
    }
    let mut top = ready.remove(&None).unwrap_or_default();
    top.reverse();
    top
}

fn symbol(
    text: &str,
    node: &Node,
    place: Option<Place>,
    children: Vec<DocumentSymbol>,
    lines: &Lines,
) -> DocumentSymbol {
    let own = node.property("as").or_else(|| node.label()).map(|word| word.text.as_str());
    let name = match own {
        Some(own) => format!("{} {own}", node.name.text),
        None => node.name.text.clone(),
    };
    let kind = if place == Some(Place::Top) { SymbolKind::Object } else { SymbolKind::Event };
    let range = lines.range(text, node.span);
    let children = (!children.is_empty()).then_some(children);
    DocumentSymbol::new(name, None, kind, None, None, range, lines.range(text, node.name.span), children)
}

/// Blocks over several lines, comments over several lines, and line comments that follow each other.
pub(super) fn folds(outline: &Outline, lines: &Lines) -> Vec<FoldingRange> {
    let mut folds = Vec::new();
    for (open, close) in outline.nodes.iter().filter_map(|node| node.braces) {
        let Some(close) = close else { continue };
        // The line of the closing brace stays in sight.
        fold(lines.line(open), lines.line(close).saturating_sub(1), None, &mut folds);
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for comment in &outline.comments {
        let (first, last) = (lines.line(comment.start), lines.line(comment.end));
        match runs.last_mut() {
            Some(run) if run.1 + 1 == first => run.1 = last,
            _ => runs.push((first, last)),
        }
    }
    for (first, last) in runs {
        fold(first, last, Some(FoldingRangeKind::Comment), &mut folds);
    }
    folds
}

fn fold(first: usize, last: usize, kind: Option<FoldingRangeKind>, folds: &mut Vec<FoldingRange>) {
    let (Ok(start), Ok(end)) = (u32::try_from(first), u32::try_from(last)) else { return };
    if end > start {
        folds.push(FoldingRange { start_line: start, end_line: end, kind, ..FoldingRange::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::super::position::Encoding;
    use super::*;

    const PLAN: &str = "// one\n// two\nplan \"p\"\nsetup {\n    fill passes=1 {\n        threads 1\n    }\n}\n\
        test \"t\" {\n    measure \"w\" as=\"m\" { run \"1s\"; }\n    /- idle \"1s\"\n}\n/* a\nb */\n";

    #[test]
    fn steps_stand_in_their_tests() {
        let lines = Lines::of(PLAN, Encoding::Utf16);
        let found = symbols(PLAN, &Outline::of(PLAN), &lines);
        let names: Vec<&str> = found.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["plan p", "setup", "test t"]);
        let steps = |symbol: &DocumentSymbol| -> Vec<String> {
            symbol.children.iter().flatten().map(|child| child.name.clone()).collect()
        };
        assert_eq!((steps(&found[1]), steps(&found[2])), (vec!["fill".into()], vec!["measure m".to_string()]));
    }

    #[test]
    fn blocks_and_comments_fold() {
        let lines = Lines::of(PLAN, Encoding::Utf16);
        let found: Vec<(u32, u32)> =
            folds(&Outline::of(PLAN), &lines).iter().map(|fold| (fold.start_line, fold.end_line)).collect();
        assert_eq!(found, [(3, 6), (4, 5), (8, 10), (0, 1), (12, 13)]);
    }
}
