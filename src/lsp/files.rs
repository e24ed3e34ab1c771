//! Addresses of documents as paths, and the files that a plan includes: as they are open, else as they are on disk.

use std::collections::HashMap;

use gen_lsp_types::Uri;

use crate::plan::{Loader, NoFiles, NotLoaded};

/// Where files are read that are not open. The server itself does no I/O: who starts it hands this in.
pub trait Disk {
    /// What the plan at this path may include.
    fn beside(&self, plan: &str) -> Box<dyn Loader>;
}

/// No disk: a plan includes what is open, and nothing else.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDisk;

impl Disk for NoDisk {
    fn beside(&self, _: &str) -> Box<dyn Loader> {
        Box::new(NoFiles)
    }
}

/// The path behind an address of a file; `None` for all others (`untitled:…`).
pub(super) fn path_of(uri: &Uri) -> Option<String> {
    let rest = uri.0.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let (mut bytes, mut at) = (Vec::new(), rest.as_bytes());
    while let Some((first, behind)) = at.split_first() {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, behind) {
            (b'%', [high, low, after @ ..]) => {
                bytes.push(u8::try_from(hex(high)? * 16 + hex(low)?).ok()?);
                at = after;
            }
            _ => {
                bytes.push(*first);
                at = behind;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// The address of a file.
pub(super) fn uri_of(path: &str) -> Uri {
    let mut uri = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~') {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    Uri(uri)
}

/// The files beside a plan, with what is open in the place of what is on disk.
pub(super) struct Overlay<'o> {
    /// Of the plan.
    pub(super) disk: Box<dyn Loader>,
    /// The open texts by their paths.
    pub(super) open: &'o HashMap<String, String>,
}

impl Loader for Overlay<'_> {
    fn own(&self) -> Option<String> {
        self.disk.own()
    }

    fn find(&self, path: &str) -> Result<String, NotLoaded> {
        match self.disk.find(path) {
            // A new file that has not been saved yet.
            Err(NotLoaded::Because(_)) if self.open.contains_key(&self.disk.name(path)) => Ok(path.to_string()),
            found => found,
        }
    }

    fn read(&self, real_path: &str, at_most: usize) -> Result<Vec<u8>, NotLoaded> {
        match self.open.get(&self.disk.name(real_path)) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.disk.read(real_path, at_most),
        }
    }

    fn name(&self, path: &str) -> String {
        self.disk.name(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_told_from_each_other() {
        let path = "/a b/\u{fc}+%.kdl";
        assert_eq!(uri_of(path).0, "file:///a%20b/%C3%BC%2B%25.kdl");
        assert_eq!(path_of(&uri_of(path)).as_deref(), Some(path));
        assert_eq!(path_of(&Uri::from("file://localhost/c%3A/x")).as_deref(), Some("/c:/x"));
        for odd in ["untitled:x", "file:///%zz", "file:///%ff", "file://host/x", "http://x/y"] {
            assert_eq!(path_of(&Uri::from(odd)), None, "{odd}");
        }
    }
}
