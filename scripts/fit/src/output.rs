//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Checks that a file can be written, before hours are spent on its contents;
/// does not change the file.
///
/// # Errors
/// Says why it cannot be written.
pub fn check(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("{}: it is a folder", path.display()));
    }
    let beside = beside(path)?;
    let made = File::create(&beside).and_then(|_| fs::remove_file(&beside));
    made.map_err(|why| format!("{}: {why}", path.display()))
}

/// Writes a file: first under another name beside it, then renamed.
///
/// # Errors
/// Says why it cannot be written; then the file is unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let beside = beside(path)?;
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|why| {
        // The other file need not exist.
        let _ = fs::remove_file(&beside);
        format!("{}: {why}", path.display())
    })
}

/// The name of the temporary file.
fn beside(path: &Path) -> Result<PathBuf, String> {
    let Some(name) = path.file_name() else {
        return Err(format!("{}: it names no file", path.display()));
    };
    let mut other = OsString::from(name);
    other.push(format!(".{}.new", std::process::id()));
    Ok(path.with_file_name(other))
}
