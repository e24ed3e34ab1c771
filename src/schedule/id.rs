use std::fmt;

use serde::{Deserialize, Serialize};

/// Names a step within a run, readable and stable: `setup/fill`, `8k-70-30/condition`, `8k-70-30#2/condition` for a repetition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepId(String);

/// Names a case within its step: `2T/4Q`, with the further axes behind it: `2T/4Q 8KiB 70%`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CaseId(String);

impl StepId {
    /// From the section (`setup`, a test, a test with its repetition) and the step's label.
    pub fn new(section: &str, label: &str) -> Self {
        Self(format!("{section}/{label}"))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl CaseId {
    /// A name as built by `matrix`.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
