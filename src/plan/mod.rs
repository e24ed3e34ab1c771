//! The plan: from what was written to what is meant. Text in, a valid [`Plan`] or diagnostics out.
//!
//! Must never touch a device, a clock, the terminal or the file system.

mod check;
mod decode;
pub mod defaults;
mod explained;
mod footnotes;
mod include;
mod kind;
pub mod limits;
pub mod method;
mod model;
pub mod names;
mod not_run;
mod params;
mod resolve;
mod size;
mod spell;
mod templates;
#[cfg(test)]
mod tests;
mod texts;
mod vocabulary;
mod written;

pub use explained::explained;
pub use footnotes::provenance_notes;
pub use include::{Loader, NoFiles, NotLoaded, included_path};
pub use kind::{FileKind, check_definitions};
pub(crate) use model::name_in_label;
pub use model::*;
pub use spell::spell;
pub use texts::Texts;

use std::collections::HashSet;

use crate::diag::{Code, Diagnostic, Diagnostics, code};
use crate::lang::{self, Document};
use crate::text::{SourceFile, Span};

/// What became of a file: a plan, diagnostics, or a plan with warnings and remarks.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The plan; `None` where a diagnostic refuses it.
    pub plan: Option<Plan>,
    /// Everything that was found, of all weights.
    pub diagnostics: Diagnostics,
}

/// Reads a plan that stands alone: parses, replaces parameters, decodes, checks. `sets` are the pairs of
/// `--set NAME=VALUE`. An `include` in it is refused, since there is nothing beside it.
///
/// Reports all mistakes of the text at once; a text that is no KDL has only those of its syntax.
pub fn load(source: &SourceFile, sets: &[(String, String)]) -> Loaded {
    load_with(source, sets, &NoFiles)
}

/// The same for a plan that may include other files, which `loader` finds and reads.
///
/// Where one of them cannot be read or is no KDL, only this is reported: what it should define is missing.
pub fn load_with(source: &SourceFile, sets: &[(String, String)], loader: &dyn Loader) -> Loaded {
    match lang::read(source) {
        Ok(document) => load_document(document, sets, loader),
        Err(diagnostics) => Loaded { plan: None, diagnostics },
    }
}

/// Warnings of definitions without use: an included file may offer more than a plan takes, and the rest is not of the plan.
const UNUSED: [Code; 3] = [code::WORKLOAD_UNUSED, code::PROCEDURE_UNUSED, code::PARAM_UNUSED];

/// The same for a plan that has been parsed.
pub fn load_document(mut document: Document, sets: &[(String, String)], loader: &dyn Loader) -> Loaded {
    let mut diagnostics = Diagnostics::new(&document.source);
    diagnostics.append(std::mem::take(&mut document.remarks));
    let mut texts = Texts::of(&document.source);
    if !include::put_in(&mut document, loader, &mut texts, &mut diagnostics) {
        return Loaded { plan: None, diagnostics: texts.settle(&diagnostics) };
    }
    let replaced = params::replace(&mut document, sets, &mut diagnostics);
    let filled = templates::fill(&mut document, &mut texts, &mut diagnostics);
    let not_run = not_run::of(&document);
    let mut found = Diagnostics::new(&document.source);
    let mut written = decode::decode(&document, &filled.unapplied, &mut found);
    written.name_variants(|span| texts.variants(span));
    check::check(&written, &mut found);
    let plan = resolve::resolve(written, replaced.params, &mut found);
    if let Some(plan) = &plan {
        size::check(plan, &mut found);
    }
    let unknown: HashSet<Span> =
        replaced.unknown.iter().chain(&filled.unknown).map(|span| texts.as_written(*span)).collect();
    for diagnostic in found.all() {
        // A `$name` without a value has been reported; that it is no quantity or no workload either helps nobody.
        let follows = diagnostic.primary().is_some_and(|label| unknown.contains(&texts.as_written(label.span)));
        if !follows {
            diagnostics.push(diagnostic.clone());
        }
    }
    let offered = |diagnostic: &Diagnostic| {
        let place = diagnostic.primary().map(|label| label.span);
        place.filter(|span| UNUSED.contains(&diagnostic.code) && texts.is_included(*span))
    };
    let not_taken: HashSet<Span> = diagnostics.all().iter().filter_map(offered).collect();
    diagnostics.retain(|diagnostic| offered(diagnostic).is_none());
    let diagnostics = texts.settle(&diagnostics);
    let plan = plan.filter(|_| !diagnostics.has_errors()).map(|mut plan| {
        plan.workloads.retain(|workload| !not_taken.contains(&workload.name.span));
        Plan { texts, not_run, ..plan }
    });
    Loaded { plan, diagnostics }
}
