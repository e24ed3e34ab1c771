//! The catalogue: one entry for each thing that can be wrong. Data only; `explain`, the reference page and the tests read it.
//!
//! To add one, add an entry to the file of its area. A released code is never used again for something else.

mod device;
mod engine;
mod for_each;
mod format;
mod include;
mod judge;
mod load;
mod name;
mod plan;
mod procedure;
mod report;
mod result;
mod state;
mod step;
mod syntax;
mod target;
mod unit;
mod value;
mod workload;

use std::fmt;

use super::fill::fill;

pub use device::*;
pub use engine::*;
pub use for_each::*;
pub use format::*;
pub use include::*;
pub use judge::*;
pub use load::*;
pub use name::*;
pub use plan::*;
pub use procedure::*;
pub use report::*;
pub use result::*;
pub use state::*;
pub use step::*;
pub use syntax::*;
pub use target::*;
pub use unit::*;
pub use value::*;
pub use workload::*;

/// The areas in the order of the reference page. A new area file is listed here.
const AREAS: [&[Code]; 19] = [
    syntax::ENTRIES,
    format::ENTRIES,
    unit::ENTRIES,
    name::ENTRIES,
    value::ENTRIES,
    plan::ENTRIES,
    include::ENTRIES,
    procedure::ENTRIES,
    for_each::ENTRIES,
    workload::ENTRIES,
    load::ENTRIES,
    judge::ENTRIES,
    step::ENTRIES,
    report::ENTRIES,
    state::ENTRIES,
    device::ENTRIES,
    target::ENTRIES,
    engine::ENTRIES,
    result::ENTRIES,
];

/// A stable code in words, `area/slug`: one entry of the catalogue.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

/// What the catalogue says about one code.
struct Entry {
    id: &'static str,
    title: &'static str,
    why: &'static str,
    refused: &'static str,
    corrected: &'static str,
    tested: Option<&'static str>,
}

impl Code {
    /// `area/slug`.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// The part before the slash.
    pub fn area(self) -> &'static str {
        self.id().split_once('/').map_or(self.id(), |(area, _)| area)
    }

    /// What it is about, as a headline.
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// Why it is refused (or remarked on), in a few sentences.
    pub const fn why(self) -> &'static str {
        self.0.why
    }

    /// Plan text (or a command) that runs into it.
    pub const fn refused(self) -> &'static str {
        self.0.refused
    }

    /// The same, put right.
    pub const fn corrected(self) -> &'static str {
        self.0.corrected
    }

    /// How it is tested where a plan text alone cannot raise it; `None` means a folder in `tests/refusals`.
    pub const fn tested_by(self) -> Option<&'static str> {
        self.0.tested
    }

    /// The whole catalogue, area by area.
    pub fn all() -> impl Iterator<Item = Code> {
        AREAS.into_iter().flatten().copied()
    }

    /// The entry of `area/slug`.
    pub fn find(id: &str) -> Option<Code> {
        Self::all().find(|code| code.id() == id)
    }

    /// What `explain` prints: headline, reason, the refused and the corrected text.
    pub fn explanation(self) -> String {
        format!(
            "{}\n\n{}\n\nRefused:\n\n{}\n\nCorrected:\n\n{}\n",
            fill(&format!("{}: {}", self.id(), self.title()), 80, "", ""),
            fill(self.why(), 80, "", ""),
            indented(self.refused()),
            indented(self.corrected())
        )
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Defines the codes of one area as constants and lists them in `ENTRIES`. A last field `tested: "…"` says how a code
/// is tested that no plan text can raise.
macro_rules! entries {
    ($($name:ident = $id:literal {
        title: $title:expr,
        why: $why:expr,
        refused: $refused:expr,
        corrected: $corrected:expr
        $(, tested: $tested:expr)? $(,)?
    })*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub const $name: super::Code = super::Code(&super::Entry {
                id: $id,
                title: $title,
                why: $why,
                refused: $refused,
                corrected: $corrected,
                tested: entries!(@tested $($tested)?),
            });
        )*
        /// The entries of this area.
        pub(super) const ENTRIES: &[super::Code] = &[$($name),*];
    };
    (@tested) => { None };
    (@tested $how:expr) => { Some($how) };
}
use entries;

fn indented(text: &str) -> String {
    let lines: Vec<String> =
        text.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found_by_its_id_and_is_the_only_one_of_it() {
        for code in Code::all() {
            assert_eq!(Code::find(code.id()), Some(code));
            assert_eq!(Code::all().filter(|other| *other == code).count(), 1, "{code}");
        }
        assert_eq!(Code::find("no/such-code"), None);
    }

    #[test]
    fn every_entry_is_filled_in() {
        for code in Code::all() {
            let (area, slug) = code.id().split_once('/').expect("area/slug");
            for part in [area, slug] {
                assert!(!part.is_empty() && part.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-')), "{code}");
            }
            assert!(!code.title().ends_with('.') && code.title().len() <= 72, "{code}: title");
            let sentences = code.why().matches(". ").count() + 1;
            assert!(code.why().ends_with('.') && (2..=5).contains(&sentences), "{code}: {sentences} sentences");
            assert!(!code.refused().is_empty() && !code.corrected().is_empty(), "{code}: examples");
            assert_ne!(code.refused(), code.corrected(), "{code}");
        }
    }

    #[test]
    fn an_explanation_fits_80_columns() {
        for code in Code::all() {
            for line in code.explanation().lines() {
                assert!(line.chars().count() <= 80, "{code}: {line}");
            }
        }
    }
}
