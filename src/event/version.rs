use serde::{Deserialize, Serialize};

/// The version of the journal's format.
///
/// A new optional field raises `minor`: older readers skip it, newer ones do without it. Anything else raises `major`,
/// and readers refuse a `major` that they do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatVersion {
    /// Raised by changes that older readers would misunderstand.
    pub major: u32,
    /// Raised by additions.
    pub minor: u32,
}

/// What this program writes.
pub const FORMAT: FormatVersion = FormatVersion { major: 1, minor: 0 };

impl FormatVersion {
    /// True where this program can read journals of that version.
    pub const fn is_readable(self) -> bool {
        self.major == FORMAT.major
    }
}
