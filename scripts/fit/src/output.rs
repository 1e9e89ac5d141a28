//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Makes sure that a file can be written, before hours are spent on what goes
/// into it; leaves the file as it is.
///
/// # Errors
/// Why it cannot.
pub fn check(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("{}: it is a folder", path.display()));
    }
    let beside = beside(path)?;
    let made = File::create(&beside).and_then(|_| fs::remove_file(&beside));
    made.map_err(|why| format!("{}: {why}", path.display()))
}

/// Writes a file: first another one beside it, which then takes its name.
///
/// # Errors
/// Why it cannot; then the file is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let beside = beside(path)?;
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|why| {
        // It need not have been made.
        let _ = fs::remove_file(&beside);
        format!("{}: {why}", path.display())
    })
}

/// The name of the other file.
fn beside(path: &Path) -> Result<PathBuf, String> {
    let Some(name) = path.file_name() else {
        return Err(format!("{}: it names no file", path.display()));
    };
    let mut other = OsString::from(name);
    other.push(format!(".{}.new", std::process::id()));
    Ok(path.with_file_name(other))
}
