//! The names of the steps: a load has its own, and what has none is numbered from the second on (`idle`, `idle-2`).

use std::collections::{HashMap, HashSet};

use crate::plan::check::load_label;
use crate::plan::model::label_suffix;
use crate::plan::written::{Step, Steps};

/// Gives the steps of a section their names, in the order in which they are written.
pub(super) struct Labels {
    taken: HashSet<String>,
    last_numbers: HashMap<(&'static str, String), usize>,
}

impl Labels {
    /// For the steps of a section and those inside of them.
    pub(super) fn of(section: &Steps) -> Self {
        let taken = section.all().into_iter().filter_map(load_label).map(|label| label.value).collect();
        Self { taken, last_numbers: HashMap::new() }
    }

    /// The name of the next step.
    pub(super) fn next(&mut self, step: &Step) -> String {
        match load_label(step) {
            Some(label) => label.value,
            None => self.numbered(step.kind.name(), label_suffix(&step.variant)),
        }
    }

    /// The first of `name`, `name-2`, `name-3` … with the suffix that is not taken; takes it.
    fn numbered(&mut self, name: &'static str, suffix: String) -> String {
        let number = self.last_numbers.entry((name, suffix.clone())).or_default();
        loop {
            *number += 1;
            let label = if *number == 1 { format!("{name}{suffix}") } else { format!("{name}-{number}{suffix}") };
            if self.taken.insert(label.clone()) {
                return label;
            }
        }
    }
}
