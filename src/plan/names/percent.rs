use super::Place;

/// What a percentage is a share of: behind a node, or as one of its properties. `None` where no percentage stands.
pub fn percent_of(node: &str, place: Place, property: Option<&str>) -> Option<&'static str> {
    Some(match (node, property) {
        ("partition" | "limit-to", None) => "of the device",
        ("fill" | "span", None) => "of the area",
        ("trim", None) if place.holds_steps() => "of the area",
        ("zone", None) => "of the span",
        ("read" | "trim" | "size" | "share", None) => "of the operations",
        ("zone", Some("share")) | ("access", Some("seek")) => "of the operations",
        ("data", Some("compressible")) => "of each block",
        ("data", Some("duplicate")) => "of the blocks",
        ("curve", None | Some("from" | "to" | "step")) => "of the measured maximum",
        ("steady-state", Some("range" | "slope")) => "of the mean",
        ("max-written", None) => "of the rated endurance",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::names;

    #[test]
    fn every_percentage_of_the_reference_says_of_what() {
        for entry in names::all().filter(|entry| entry.form.contains("Q%")) {
            for place in entry.places {
                let own = percent_of(entry.name, *place, None);
                let in_properties = entry.properties.iter();
                let mut in_properties =
                    in_properties.filter_map(|word| percent_of(entry.name, *place, Some(word.name)));
                assert!(own.is_some() || in_properties.next().is_some(), "{} {place}", entry.name);
            }
        }
    }
}
