//! What the table of names says about the values of a word, read from its shorthand: `measure WORKLOAD as=NAME`.

use crate::plan::names::{Entry, Word};

/// What may stand in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slot {
    /// A count: `N`.
    Count,
    /// A quantity, or with `Q%` a percentage.
    Quantity,
    /// This text: `"on"`.
    Text(&'static str),
    /// A name of a kind, in capitals: `WORKLOAD`.
    Name(&'static str),
    /// Anything else.
    Other,
}

/// The shorthand of a word, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// What each value without a key may be, over all ways to write the word.
    arguments: Vec<Vec<Slot>>,
    /// The last of them may be repeated.
    repeats: bool,
    /// What the values of the properties may be.
    properties: Vec<(&'static str, Vec<Slot>)>,
    /// Keys are names of somebody else: `name=value...`.
    pub(super) takes_any_key: bool,
}

impl Form {
    /// Of a word of the table.
    pub(super) fn of(entry: &Entry) -> Self {
        let mut form = Form::default();
        let mut at = 0;
        for part in entry.form.split(' ').filter(|part| !part.is_empty()) {
            if part == "|" {
                at = 0;
                continue;
            }
            if part == entry.name {
                continue;
            }
            let (part, repeats) = part.strip_suffix("...").map_or((part, false), |part| (part, true));
            match part.split_once('=') {
                Some((_, "value")) => form.takes_any_key = true,
                Some((key, value)) => form.properties.push((key, slots(value))),
                None => {
                    form.repeats |= repeats;
                    if form.arguments.len() == at {
                        form.arguments.push(Vec::new());
                    }
                    form.arguments[at].extend(slots(part));
                    at += 1;
                }
            }
        }
        form
    }

    /// What the value at this index may be.
    pub(super) fn argument(&self, index: usize) -> &[Slot] {
        let last = self.arguments.len().checked_sub(1);
        let index = if self.repeats { last.map(|last| index.min(last)) } else { Some(index) };
        index.and_then(|index| self.arguments.get(index)).map_or(&[], Vec::as_slice)
    }

    /// What the value of this property may be.
    pub(super) fn property(&self, key: &str) -> &[Slot] {
        self.properties.iter().find(|(name, _)| *name == key).map_or(&[], |(_, slots)| slots)
    }
}

fn slots(part: &'static str) -> Vec<Slot> {
    let parts: Vec<&str> = part.split('|').collect();
    let is_choice = parts.len() > 1;
    let slot = |part: &'static str| match part {
        "N" => Slot::Count,
        "Q" | "Q%" => Slot::Quantity,
        _ if part.starts_with('"') => {
            // Alone it only tells what kind of text it is: `"path"`.
            if is_choice { Slot::Text(part.trim_matches('"')) } else { Slot::Other }
        }
        _ if part.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-') => Slot::Name(part),
        _ => Slot::Other,
    };
    parts.into_iter().map(slot).collect()
}

/// The values that a property takes by name, which its meaning lists: `` `shared`: …; `lanes`: … ``.
pub(super) fn named_values(property: &Word) -> Vec<(&'static str, &'static str)> {
    let mut values = Vec::new();
    for part in property.meaning.split("; ").filter(|part| part.starts_with('`')) {
        let (names, meaning) = part.split_once(": ").unwrap_or((part, ""));
        values.extend(names.split('`').skip(1).step_by(2).map(|name| (name, meaning)));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::names::{self, Place};

    fn form(name: &str, place: Place) -> Form {
        Form::of(names::at(name, place).expect("a word"))
    }

    #[test]
    fn values_and_properties_are_told_apart() {
        let measure = form("measure", Place::Test);
        assert_eq!(measure.argument(0), [Slot::Name("WORKLOAD")]);
        assert!(measure.argument(1).is_empty());
        assert_eq!(measure.property("as"), [Slot::Name("NAME")]);
        assert_eq!(form("allow", Place::Test).property("in"), [Slot::Name("STEP")]);
        let fill = form("fill", Place::Test);
        assert_eq!(fill.argument(0), [Slot::Quantity, Slot::Quantity]);
        assert_eq!(fill.property("passes"), [Slot::Count]);
        assert!(form("apply", Place::Test).takes_any_key);
        assert_eq!(form("needs", Place::Procedure).argument(7), [Slot::Name("NAME")]);
        assert_eq!(form("write-cache", Place::Test).argument(0), [Slot::Text("on"), Slot::Text("off")]);
    }

    #[test]
    fn values_of_properties_come_from_their_meaning() {
        let values = |name: &str, place, key: &str| -> Vec<&str> {
            let property = names::at(name, place).and_then(|entry| entry.property(key)).expect("a property");
            named_values(property).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(values("access", Place::Workload, "cursor"), ["shared", "lanes"]);
        assert_eq!(values("block-size", Place::Workload, "for"), ["read", "write", "trim"]);
        assert_eq!(values("allow", Place::Test, "in"), [""; 0]);
        assert_eq!(values("rounds", Place::Test, "max"), [""; 0]);
    }
}
