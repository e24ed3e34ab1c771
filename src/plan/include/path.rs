use crate::diag::{Diagnostic, code};
use crate::text::{Spanned, is_hidden};

/// What is wrong with a path as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It leaves the folder of the plan.
    Outside,
    /// It names no file.
    Empty,
    /// It has characters that nobody sees.
    Hidden,
}

impl Fault {
    /// As a diagnostic about the path as it is written.
    pub(super) fn said(self, written: &Spanned<String>) -> Diagnostic {
        let (code, message, label) = match self {
            Fault::Outside => (
                code::INCLUDE_OUTSIDE,
                format!("{:?} lies outside of the folder of the plan", written.value),
                "leads out of that folder",
            ),
            Fault::Empty => (code::VALUE_OUT_OF_RANGE, "a path names no file".into(), "write the path of a file"),
            Fault::Hidden => (
                code::VALUE_OUT_OF_RANGE,
                "a path has a character in it that is not shown".into(),
                "write printable characters",
            ),
        };
        let diagnostic = Diagnostic::error(code, message).label(written.span, label);
        match self {
            Fault::Outside => diagnostic.help("put the file beside the plan or below it, so that they stay together"),
            Fault::Empty | Fault::Hidden => diagnostic,
        }
    }
}

/// The folder that a file is in; empty for that of the plan.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path as it is written in a file of `folder`, relative to the plan's folder and without `.` and `..`.
///
/// # Errors
/// It names no file, or leads out of the plan's folder, if only on its way.
pub(super) fn below(folder: &str, written: &str) -> Result<String, Fault> {
    if written.chars().any(is_hidden) {
        return Err(Fault::Hidden);
    }
    if written.starts_with('/') {
        return Err(Fault::Outside);
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(Fault::Outside)?;
            }
            name => parts.push(name),
        }
    }
    let is_folder = written.ends_with('/') || matches!(written.rsplit('/').next(), Some("" | "." | ".."));
    if parts.is_empty() || is_folder { Err(Fault::Empty) } else { Ok(parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_below_the_plan_whatever_way_they_take() {
        for (folder, written, expected) in [
            ("", "a.kdl", Ok("a.kdl")),
            ("", "./b/../a.kdl", Ok("a.kdl")),
            ("b/c", "../a.kdl", Ok("b/a.kdl")),
            ("b/c", "../../a.kdl", Ok("a.kdl")),
            ("b", "c//a.kdl", Ok("b/c/a.kdl")),
            ("", "a b\\c.kdl", Ok("a b\\c.kdl")),
            ("", "../a.kdl", Err(Fault::Outside)),
            ("b", "../../b/a.kdl", Err(Fault::Outside)),
            ("", "/etc/a.kdl", Err(Fault::Outside)),
            ("", "", Err(Fault::Empty)),
            ("", ".", Err(Fault::Empty)),
            ("b", "c/", Err(Fault::Empty)),
            ("b", "c/..", Err(Fault::Empty)),
            ("", "a\u{0}.kdl", Err(Fault::Hidden)),
            ("", "a\u{202e}.kdl", Err(Fault::Hidden)),
        ] {
            assert_eq!(below(folder, written), expected.map(String::from), "{folder:?} {written:?}");
        }
    }
}
