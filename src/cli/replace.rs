//! A file in place of another: whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::Path;

/// Writes a text in place of a file, so that at any moment, and after any failure, the name holds the old text or the
/// new one. Behind a link the file that it points to is replaced and the link stays. Mode and, where that is allowed, owner are
/// those of the old file.
///
/// # Errors
/// What the system says, and `PermissionDenied` where the file's mode lets nobody write it: replacing the file would go
/// around that.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let old = fs::metadata(&path)?;
    if old.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.new", std::process::id()));
    let temporary = folder.join(temporary_name);
    // Nobody else may read it before it has the rights of the file it replaces.
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let done = fill(file, text, &old).and_then(|()| fs::rename(&temporary, &path));
    if done.is_err() {
        // The failure before is the one to be told.
        let _ = fs::remove_file(&temporary);
    }
    done
}

fn fill(mut file: File, text: &str, old: &fs::Metadata) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only root may give a file away; for others the group alone may be kept, or neither.
        let _ = fchown(&file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(&file, None, Some(old.gid())));
    }
    // Behind the change of owner, which takes some rights away.
    file.set_permissions(old.permissions())?;
    file.sync_all()
}
