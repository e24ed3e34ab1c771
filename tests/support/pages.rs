//! The pages that people read: the README, the book, and what is written in them.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::assert::{Action, DEFAULT_ACTION_ENV};

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page's text.
pub(crate) fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// How a page is called in a message: its path below the repository.
pub(crate) fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap_or(page).display().to_string()
}

/// The README and every page of the book.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    collect(&root().join("docs/src"), "md", &mut pages);
    pages.sort();
    assert!(pages.len() > 20, "only {} pages: are they still found?", pages.len());
    pages
}

/// All files below a folder whose names end so.
pub(crate) fn collect(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, ending, files);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            files.push(path);
        }
    }
}

/// A block between two lines of three backticks.
pub(crate) struct Fence {
    /// The line that opens it, counted from 1.
    pub(crate) line: usize,
    /// The words behind the backticks, at the commas.
    attributes: Vec<String>,
    /// What stands in it.
    pub(crate) text: String,
}

impl Fence {
    /// The language: the first word.
    pub(crate) fn is(&self, language: &str) -> bool {
        self.attributes.first().is_some_and(|first| first == language)
    }

    /// The value of an attribute as in `kdl,refused=CODE`.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
    }
}

/// The fences of a page and the text around them.
pub(crate) fn parts(page: &Path) -> (Vec<Fence>, String) {
    let (mut fences, mut prose) = (Vec::new(), String::new());
    let mut open: Option<Fence> = None;
    for (index, line) in read(page).lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (Some(fence), None) => fence.text.push_str(&format!("{line}\n")),
            (Some(_), Some(_)) => fences.extend(open.take()),
            (None, Some(kind)) => {
                let attributes = kind.split(',').map(|part| part.trim().to_string()).collect();
                open = Some(Fence { line: index + 1, attributes, text: String::new() });
            }
            (None, None) => prose.push_str(&format!("{line}\n")),
        }
    }
    assert!(open.is_none(), "{}: a fence is not closed", name(page));
    (fences, prose)
}

/// The words in backticks of a text without fences.
pub(crate) fn code_words(prose: &str) -> impl Iterator<Item = &str> {
    prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// True where `SNAPSHOTS=overwrite` asks for expected texts to be written anew.
pub(crate) fn overwrites() -> bool {
    snapbox::Assert::new().action_env(DEFAULT_ACTION_ENV).selected_action() == Action::Overwrite
}

/// Asserts that a file holds this text, or writes it.
pub(crate) fn assert_file(text: &str, file: &Path) {
    snapbox::Assert::new().action_env(DEFAULT_ACTION_ENV).eq(text, snapbox::Data::read_from(file, None).raw());
}
