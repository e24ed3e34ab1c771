use std::fmt;

/// Finds and reads the files that a plan includes. `plan` itself does no I/O: who loads a plan hands this in.
///
/// Paths are relative to the folder of the plan's own file: names with `/` between them, never empty, `.` or `..`.
pub trait Loader {
    /// The plan's own file by its real path; `None` where it is no file.
    fn own(&self) -> Option<String>;

    /// The real path of the file at `path`, with all links followed: the same for two names of one file.
    ///
    /// # Errors
    /// There is no such file, or it lies outside of the folder.
    fn find(&self, path: &str) -> Result<String, NotLoaded>;

    /// The bytes of the file at a real path, or more than `at_most` of them where it has more.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, real_path: &str, at_most: usize) -> Result<Vec<u8>, NotLoaded>;

    /// What diagnostics call the file at `path`.
    fn name(&self, path: &str) -> String {
        path.to_string()
    }
}

/// Why a file was not found or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotLoaded {
    /// A link leads out of the folder of the plan.
    Outside,
    /// Anything else: `no such file`.
    Because(String),
}

impl fmt::Display for NotLoaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotLoaded::Outside => f.write_str("a link leads out of the folder of the plan"),
            NotLoaded::Because(reason) => f.write_str(reason),
        }
    }
}

/// For a text that stands alone: there is no file that it could include.
#[derive(Debug, Clone, Copy)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn own(&self) -> Option<String> {
        None
    }

    fn find(&self, _: &str) -> Result<String, NotLoaded> {
        Err(NotLoaded::Because("this text stands alone, without files beside it".into()))
    }

    fn read(&self, _: &str, _: usize) -> Result<Vec<u8>, NotLoaded> {
        Err(NotLoaded::Because("this text stands alone, without files beside it".into()))
    }
}
