//! Whether results of the one plan may be held against results of the other.

use super::{Change, Difference, StepChange};

/// Whether results of the one plan may be held against results of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing differs.
    Same,
    /// The method is the same; names, explanations or provenance differ.
    LabelsDiffer,
    /// The methods differ, and every measured case is done as before.
    CasesAsBefore,
    /// Results of at least one case must not be compared.
    NotComparable,
}

impl Verdict {
    /// For programs.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::LabelsDiffer => "labels-differ",
            Verdict::CasesAsBefore => "cases-as-before",
            Verdict::NotComparable => "not-comparable",
        }
    }
}

impl Difference {
    /// All steps that differ, with the name of their section.
    pub fn steps(&self) -> impl Iterator<Item = (&str, &StepChange)> {
        self.sections.iter().flat_map(|section| section.steps.iter().map(move |step| (section.name.as_str(), step)))
    }

    /// True where both plans do and judge the same.
    pub fn is_same_method(&self) -> bool {
        self.old.method == self.new.method
    }

    /// Whether results may be compared.
    pub fn verdict(&self) -> Verdict {
        let cases = &self.cases;
        if !self.is_same_method() {
            let all_as_before = cases.changed() == 0 && cases.added == 0 && cases.removed == 0 && cases.all > 0;
            return if all_as_before { Verdict::CasesAsBefore } else { Verdict::NotComparable };
        }
        let is_silent = self.labels.is_empty() && self.params.is_empty() && self.steps().next().is_none();
        if is_silent { Verdict::Same } else { Verdict::LabelsDiffer }
    }

    /// The verdict as a sentence, and its reasons.
    pub fn verdict_in_words(&self) -> (String, Vec<String>) {
        let cases = &self.cases;
        match self.verdict() {
            Verdict::Same => ("Same method.".into(), Vec::new()),
            Verdict::LabelsDiffer => ("Same method: only names, explanations or provenance differ.".into(), Vec::new()),
            Verdict::CasesAsBefore => (
                "Another method, and every measured case is done as before: figures can be compared, verdicts not."
                    .into(),
                Vec::new(),
            ),
            Verdict::NotComparable => {
                let touched = cases.changed() + cases.added;
                let counted = match (touched, cases.all) {
                    (0, _) => "gone cases have no counterpart".into(),
                    (touched, all) if touched == all => format!("{all} of {all} cases"),
                    (touched, all) => format!("{touched} of {all} cases; the others are done as before"),
                };
                (format!("Results are NOT comparable: {counted}."), self.reasons())
            }
        }
    }

    /// Why cases cannot be compared, each with its number.
    fn reasons(&self) -> Vec<String> {
        let cases = &self.cases;
        let counted = |count: usize| format!("{count} {}", if count == 1 { "case" } else { "cases" });
        let mut reasons = Vec::new();
        let mut push = |count: usize, why: &str| {
            if count > 0 {
                reasons.push(format!("{} {why}", counted(count)));
            }
        };
        push(cases.load_changed, "with another load, length or host");
        push(cases.state_changed, "with the same load, after something else was done to the drive");
        push(cases.added, "only in the new plan");
        push(cases.removed, "only in the old plan");
        if self.steps().all(|(_, step)| step.change == Change::Kept && !step.is_of_method()) && reasons.is_empty() {
            reasons.push("what is done around the cases differs".into());
        }
        reasons
    }
}
