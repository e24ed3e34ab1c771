//! The folder that a plan is in: what the plan includes is read from it, and from nowhere else.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::plan::{Loader, NotLoaded};

/// Finds and reads the files below the folder of a plan.
#[derive(Debug)]
pub(super) struct PlanFolder {
    /// As the person named it; empty for the working directory.
    folder: PathBuf,
    /// With all links followed; `None` where it cannot be had, and then nothing is found.
    real_folder: Option<PathBuf>,
    /// The plan's own file, with all links followed.
    own: Option<PathBuf>,
}

impl PlanFolder {
    /// Of a plan file. A plan from standard input (`-`) includes from the working directory.
    pub(super) fn of(plan: &Path) -> Self {
        let is_stdin = plan == Path::new("-");
        let folder = plan.parent().filter(|_| !is_stdin).map_or(PathBuf::new(), Path::to_path_buf);
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let real_folder = fs::canonicalize(place).ok();
        let own = if is_stdin { None } else { fs::canonicalize(plan).ok() };
        Self { folder, real_folder, own }
    }

    /// A real path as one below the folder.
    fn below(&self, real_path: &Path) -> Result<String, NotLoaded> {
        let folder = self.real_folder.as_deref().ok_or_else(|| because("the folder of the plan cannot be read"))?;
        let below = real_path.strip_prefix(folder).map_err(|_| NotLoaded::Outside)?;
        below.to_str().map(String::from).ok_or_else(|| because("its name is not UTF-8"))
    }
}

impl Loader for PlanFolder {
    fn own(&self) -> Option<String> {
        // A plan behind a link may be elsewhere; then nothing below the folder is it.
        self.own.as_deref().and_then(|own| self.below(own).ok())
    }

    fn find(&self, path: &str) -> Result<String, NotLoaded> {
        let folder = self.real_folder.as_deref().ok_or_else(|| because("the folder of the plan cannot be read"))?;
        let real_path = fs::canonicalize(folder.join(path)).map_err(|error| not_read(&error))?;
        let below = self.below(&real_path)?;
        // To open a pipe would wait for someone who writes to it.
        if real_path.is_file() { Ok(below) } else { Err(because("is no plain file")) }
    }

    fn read(&self, real_path: &str, at_most: usize) -> Result<Vec<u8>, NotLoaded> {
        let folder = self.real_folder.as_deref().ok_or_else(|| because("the folder of the plan cannot be read"))?;
        let mut bytes = Vec::new();
        let file = File::open(folder.join(real_path)).map_err(|error| not_read(&error))?;
        // One byte more than there is room for, so that too many are seen without reading all of them.
        file.take(at_most as u64 + 1).read_to_end(&mut bytes).map_err(|error| not_read(&error))?;
        Ok(bytes)
    }

    fn name(&self, path: &str) -> String {
        self.folder.join(path).to_string_lossy().into_owned()
    }
}

fn because(reason: &str) -> NotLoaded {
    NotLoaded::Because(reason.into())
}

fn not_read(error: &io::Error) -> NotLoaded {
    NotLoaded::Because(match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "no such file".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it".into(),
        _ => error.to_string(),
    })
}
