//! Every word of the plan language in one table: for decoding, suggestions, `explain WORD` and the reference pages.
//!
//! The table is data. It holds the whole language; a word that this version cannot carry out yet is marked, so that it is
//! refused by name and never ignored. Must never decide what a word means: that is `decode`.

mod foreign;
mod load;
mod percent;
mod place;
mod step;
mod text;
mod top;
mod workload;

pub use foreign::{Foreign, foreign_value, foreign_word};
pub use percent::percent_of;
pub use place::Place;
pub use text::entry;
pub(super) use text::{either, phrase};

/// Whether a word is carried out by this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Built {
    /// Decoded, checked and carried out.
    Yes,
    /// Decoded, checked and expanded; a run of it is refused.
    Checked,
    /// Known, and refused as `name/not-built-yet`.
    NotYet,
}

/// A property of a node, or a value that a node takes by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub name: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
    /// Whether it is carried out.
    pub built: Built,
}

/// A node of the language in the places that share one meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The node's name.
    pub name: &'static str,
    /// Where it may stand.
    pub places: &'static [Place],
    /// Arguments and properties, in the shorthand of the reference: `N` count, `Q` quantity, `Q%` percentage.
    pub form: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
    /// What holds where it is absent; empty where it must stand or nothing is assumed.
    pub default: &'static str,
    /// True where it may stand more than once.
    pub repeats: bool,
    /// Whether it is carried out.
    pub built: Built,
    /// Its properties.
    pub properties: &'static [Word],
    /// The values that it takes by name.
    pub values: &'static [Word],
    /// The place that its children are in, where it has children.
    pub inside: Option<Place>,
}

impl Entry {
    const fn new(name: &'static str, places: &'static [Place], form: &'static str, meaning: &'static str) -> Self {
        Entry {
            name,
            places,
            form,
            meaning,
            default: "",
            repeats: false,
            built: Built::Yes,
            properties: &[],
            values: &[],
            inside: None,
        }
    }

    const fn default(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }

    const fn repeats(mut self) -> Self {
        self.repeats = true;
        self
    }

    const fn not_yet(mut self) -> Self {
        self.built = Built::NotYet;
        self
    }

    const fn checked(mut self) -> Self {
        self.built = Built::Checked;
        self
    }

    const fn properties(mut self, properties: &'static [Word]) -> Self {
        self.properties = properties;
        self
    }

    const fn values(mut self, values: &'static [Word]) -> Self {
        self.values = values;
        self
    }

    const fn inside(mut self, place: Place) -> Self {
        self.inside = Some(place);
        self
    }

    /// The property of this name.
    pub fn property(&self, name: &str) -> Option<&'static Word> {
        self.properties.iter().find(|word| word.name == name)
    }

    /// The value of this name.
    pub fn value(&self, name: &str) -> Option<&'static Word> {
        self.values.iter().find(|word| word.name == name)
    }
}

const fn word(name: &'static str, meaning: &'static str) -> Word {
    Word { name, meaning, built: Built::Yes }
}

const fn checked(name: &'static str, meaning: &'static str) -> Word {
    Word { name, meaning, built: Built::Checked }
}

const fn later(name: &'static str, meaning: &'static str) -> Word {
    Word { name, meaning, built: Built::NotYet }
}

/// The tables of the sections, in the order of the reference.
const SECTIONS: [&[Entry]; 4] = [top::ENTRIES, workload::ENTRIES, step::ENTRIES, load::ENTRIES];

/// Every entry, in the order of the reference.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    SECTIONS.iter().flat_map(|section| section.iter())
}

/// The entries of this name; several where a word means different things in different places.
pub fn named(name: &str) -> impl Iterator<Item = &'static Entry> {
    all().filter(move |entry| entry.name == name)
}

/// The entry of this name in this place.
pub fn at(name: &str, place: Place) -> Option<&'static Entry> {
    named(name).find(|entry| entry.places.contains(&place))
}

/// What may stand in this place, in the order of the reference.
pub fn allowed_in(place: Place) -> impl Iterator<Item = &'static Entry> {
    all().filter(move |entry| entry.places.contains(&place))
}

/// True where the word exists and none of its uses is carried out by this version.
pub fn is_not_built(name: &str) -> bool {
    let mut uses = named(name).peekable();
    uses.peek().is_some() && uses.all(|entry| entry.built == Built::NotYet)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_word_has_one_meaning_in_a_place() {
        let mut seen = BTreeSet::new();
        for entry in all() {
            assert!(!entry.places.is_empty(), "{} stands nowhere", entry.name);
            for place in entry.places {
                assert!(seen.insert((entry.name, *place)), "{} twice in {place}", entry.name);
            }
        }
    }

    #[test]
    fn words_are_kebab_case_and_say_what_they_mean() {
        let kebab = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        for entry in all() {
            assert!(kebab(entry.name), "{}", entry.name);
            assert!(!entry.meaning.is_empty() && !entry.meaning.ends_with('.'), "{}", entry.name);
            for property in entry.properties {
                assert!(kebab(property.name), "{}", property.name);
            }
        }
    }

    #[test]
    fn every_place_is_reached_from_the_top() {
        let mut reached = BTreeSet::from([Place::Top]);
        loop {
            let more: BTreeSet<Place> = all()
                .filter(|entry| entry.places.iter().any(|place| reached.contains(place)))
                .filter_map(|entry| entry.inside)
                .filter(|place| !reached.contains(place))
                .collect();
            if more.is_empty() {
                break;
            }
            reached.extend(more);
        }
        for place in Place::ALL {
            assert!(reached.contains(&place), "{place} is never reached");
        }
    }

    #[test]
    fn what_is_inside_an_unbuilt_word_is_unbuilt() {
        for entry in all().filter(|entry| entry.built == Built::NotYet) {
            let Some(inside) = entry.inside else { continue };
            for child in allowed_in(inside) {
                let elsewhere = child.places.iter().any(|place| *place != inside);
                assert!(child.built == Built::NotYet || elsewhere, "{} in {}", child.name, entry.name);
            }
        }
    }
}
