//! Files that are written whole or not at all.

use quintet::internals::files;
use std::fs;
use std::path::Path;

/// Checks that a file can be written, before hours are spent on its contents;
/// does not change the file.
///
/// # Errors
/// Says why it cannot be written.
pub fn check(path: &Path) -> Result<(), String> {
    files::check_writable(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// Writes a file; see [`files::write`].
///
/// # Errors
/// Says why it cannot be written; then the file is unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    files::write(path, &[bytes]).map_err(|why| format!("{}: {why}", path.display()))
}

/// Whether there is such a file and something in it.
pub fn is_filled(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.len() > 0)
}
