//! What the table of names says about a name that nobody takes where it stands.

use crate::diag::suggest;
use crate::lang::{Advice, Vocabulary};

use super::names::{self, Built, Entry, Place};

/// The words around one node: what may stand in it and behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    entry: Option<&'static Entry>,
    inside: Option<Place>,
}

impl Words {
    /// Of the top level.
    pub(super) const TOP: Words = Words { entry: None, inside: Some(Place::Top) };

    /// Of the node of this name in this place.
    pub(super) fn of(name: &str, place: Place) -> Self {
        let entry = names::at(name, place);
        Words { entry, inside: entry.and_then(|entry| entry.inside) }
    }
}

impl Vocabulary for Words {
    fn node(&self, name: &str, parent: &str) -> Advice {
        if self.inside.and_then(|inside| names::at(name, inside)).is_some() {
            return Advice::NotBuiltYet;
        }
        if self.entry.and_then(|entry| entry.property(name)).is_some() {
            return Advice::Misplaced(format!("a property here: write `{parent} {name}=…`"));
        }
        if names::named(name).next().is_some() {
            return Advice::Misplaced(belongs(name));
        }
        if let Some(foreign) = names::foreign_word(name) {
            let can_stand = |word: &&str| self.inside.is_some_and(|inside| names::at(word, inside).is_some());
            return Advice::Foreign(foreign.says(), foreign.word_here().filter(can_stand));
        }
        if let Some(owners) = owners(name) {
            return Advice::Misplaced(format!("a property of {owners}: write `{name}=…` behind it"));
        }
        let here: Vec<&str> = self.inside.into_iter().flat_map(names::allowed_in).map(|entry| entry.name).collect();
        match suggest::nearest(name, here).or_else(|| suggest::nearest(name, names::all().map(|entry| entry.name))) {
            Some(near) => Advice::Similar(near.to_string()),
            None => Advice::Unheard,
        }
    }

    fn property(&self, key: &str, node: &str) -> Advice {
        let Some(entry) = self.entry else { return Advice::Unheard };
        if entry.property(key).is_some_and(|word| word.built == Built::NotYet) {
            return Advice::NotBuiltYet;
        }
        if self.inside.and_then(|inside| names::at(key, inside)).is_some() {
            return Advice::Misplaced(format!("a node of its own: write `{node} … {{ {key} …; }}`"));
        }
        if let Some(foreign) = names::foreign_word(key) {
            return Advice::Foreign(foreign.says(), foreign.word_here().filter(|word| entry.property(word).is_some()));
        }
        if let Some(near) = suggest::nearest(key, entry.properties.iter().map(|word| word.name)) {
            return Advice::Similar(near.to_string());
        }
        owners(key).map_or(Advice::Unheard, |owners| Advice::Misplaced(format!("a property of {owners}")))
    }
}

/// The nodes that have a property of this name, as a phrase; those that are carried out where there are such.
fn owners(property: &str) -> Option<String> {
    let of = |built_only: bool| -> Vec<String> {
        let has =
            |entry: &&Entry| entry.property(property).is_some_and(|word| !built_only || word.built != Built::NotYet);
        let mut owners: Vec<String> = names::all().filter(has).map(|entry| format!("`{}`", entry.name)).collect();
        owners.dedup();
        owners
    };
    let owners = Some(of(true)).filter(|owners| !owners.is_empty()).unwrap_or_else(|| of(false));
    (!owners.is_empty()).then(|| names::either(&owners))
}

/// Where a word belongs, as a label.
fn belongs(name: &str) -> String {
    let places: Vec<Place> = names::named(name).flat_map(|entry| entry.places.iter().copied()).collect();
    if places.contains(&Place::Test) && places.contains(&Place::Setup) {
        return "a step: stands in `setup`, `before-each` or `test`".into();
    }
    // A place that cannot be written yet helps nobody, unless there is no other.
    let built: Vec<Place> = places.iter().copied().filter(|place| is_built(*place)).collect();
    format!("stands {}", names::phrase(if built.is_empty() { &places } else { &built }))
}

fn is_built(place: Place) -> bool {
    place == Place::Top || names::all().any(|entry| entry.inside == Some(place) && entry.built != Built::NotYet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_about_a_node() {
        let measure = Words::of("measure", Place::Test);
        let workload = Words::of("workload", Place::Top);
        assert_eq!(measure.node("curve", "measure"), Advice::NotBuiltYet);
        assert_eq!(measure.node("thraeds", "measure"), Advice::Similar("threads".into()));
        assert_eq!(
            measure.node("iodepth", "measure"),
            Advice::Foreign("fio's `iodepth` is written `queue-depth` here".into(), Some("queue-depth"))
        );
        assert_eq!(
            workload.node("ramp", "workload"),
            Advice::Misplaced("stands in `precondition` or `measure`".into())
        );
        assert_eq!(
            Words::TOP.node("fill", ""),
            Advice::Misplaced("a step: stands in `setup`, `before-each` or `test`".into())
        );
        assert_eq!(measure.node("zzzzzz", "measure"), Advice::Unheard);
        assert_eq!(
            measure.node("passes", "measure"),
            Advice::Misplaced("a property of `fill` or `run`: write `passes=…` behind it".into())
        );
    }

    #[test]
    fn what_is_said_about_a_property() {
        let measure = Words::of("measure", Place::Test);
        let fill = Words::of("fill", Place::Test);
        let run = Words::of("run", Place::Measure);
        assert_eq!(Words::of("application", Place::Test).property("as", "application"), Advice::NotBuiltYet);
        assert_eq!(fill.property("pases", "fill"), Advice::Similar("passes".into()));
        assert_eq!(
            measure.property("threads", "measure"),
            Advice::Misplaced("a node of its own: write `measure … { threads …; }`".into())
        );
        assert_eq!(run.property("cursor", "run"), Advice::Misplaced("a property of `access`".into()));
        assert_eq!(fill.node("passes", "fill"), Advice::Misplaced("a property here: write `fill passes=…`".into()));
    }
}
