//! Which plan files a command line means: files as named, folders with every `.kdl` file in them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that were named (`-` for standard input), and those below the folders that were named, sorted by name within each folder.
/// Each is there once, however often it was named.
///
/// Hidden entries and links in a folder are passed over: what lies behind a link belongs to another folder, and a circle
/// of links has no end.
///
/// # Errors
/// For each folder that cannot be read or holds no plan, its path and why; the files of the others are there all the same.
pub(super) fn plan_files(named: &[PathBuf]) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    for path in named {
        if path == Path::new("-") || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let (files_before, failed_before) = (files.len(), failed.len());
        walk(path, &mut files, &mut failed);
        if (files.len(), failed.len()) == (files_before, failed_before) {
            failed.push((path.clone(), "no file in this folder ends in .kdl".into()));
        }
    }
    let mut seen = HashSet::new();
    files.retain(|path| seen.insert(real_path(path)));
    (files, failed)
}

/// The same for all names of one file.
fn real_path(path: &Path) -> PathBuf {
    if path == Path::new("-") {
        return path.to_path_buf();
    }
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Folders wait on a list of their own, so that no depth of them matters.
fn walk(root: &Path, files: &mut Vec<PathBuf>, failed: &mut Vec<(PathBuf, String)>) {
    let mut waiting = vec![root.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        match entries(&folder) {
            Ok((plans, folders)) => {
                // As people and tools write them, where this folder itself was named.
                files.extend(plans.iter().map(|plan| plan.strip_prefix(".").unwrap_or(plan).to_path_buf()));
                waiting.extend(folders.into_iter().rev());
            }
            Err(error) => failed.push((folder, error.to_string())),
        }
    }
}

/// The plan files and the folders in a folder, each sorted.
fn entries(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut plans, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        if kind.is_dir() {
            folders.push(path);
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "kdl") {
            plans.push(path);
        }
    }
    plans.sort();
    folders.sort();
    Ok((plans, folders))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_and_files_taken_as_named() {
        let root = tempfile::tempdir().expect("a folder");
        let at = |name: &str| root.path().join(name);
        for folder in ["in/deep", "in/.git", "empty"] {
            fs::create_dir_all(at(folder)).expect("a folder");
        }
        for file in ["odd.txt", "in/b.kdl", "in/a.kdl", "in/note.md", "in/deep/c.kdl", "in/.git/d.kdl"] {
            fs::write(at(file), "").expect("a file");
        }
        std::os::unix::fs::symlink(at("in"), at("in/circle")).expect("a link");
        std::os::unix::fs::symlink(at("odd.txt"), at("in/link.kdl")).expect("a link");
        let named = ["missing.kdl", "odd.txt", "in", "empty", "in/../in/a.kdl", "missing.kdl"].map(at);
        let (files, failed) = plan_files(&named);
        assert_eq!(files, ["missing.kdl", "odd.txt", "in/a.kdl", "in/b.kdl", "in/deep/c.kdl"].map(at));
        assert_eq!(failed, [(at("empty"), "no file in this folder ends in .kdl".to_string())]);
    }
}
