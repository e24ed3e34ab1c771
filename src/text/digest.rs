use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Stands for a canonical text: equal where the texts are, and, but for a chance that nobody meets, only there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    /// What the text is of and by which rules it is written: `method-1`. Those of other rules are not compared.
    pub version: String,
    /// SHA-256 of the version, a line end and the text, in hex.
    pub sha256: String,
}

impl Fingerprint {
    /// Of a canonical text.
    pub fn of(version: &str, text: &str) -> Self {
        let mut digest = Sha256::new();
        for part in [version, "\n", text] {
            digest.update(part);
        }
        let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { version: version.into(), sha256 }
    }
}

/// The first 64 bits, in groups: `5f3a-91c2-0b7d-44e1`.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: Vec<char> = self.sha256.chars().take(16).collect();
        let groups: Vec<String> = digits.chunks(4).map(|group| group.iter().collect()).collect();
        f.pad(&groups.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_for_version_and_text() {
        let one = Fingerprint::of("method-1", "{}");
        // printf 'method-1\n{}' | sha256sum
        assert_eq!(one.sha256, "efe355a4f95cf34865e103f2518560b4d3204d220060acf9b89edf1cd717c37b");
        assert_eq!(one.to_string().len(), 19);
        assert_ne!(one, Fingerprint::of("method-2", "{}"));
        assert_ne!(one, Fingerprint::of("method-1", "[]"));
    }
}
