//! A file that grows line by line, so that long work can be interrupted and go
//! on where it was.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file of lines.
pub struct Store {
    /// Its name.
    pub path: PathBuf,
    file: File,
    /// The whole lines that it held when it was opened.
    pub text: String,
}

impl Store {
    /// Opens a file to append to, or makes an empty one. What follows its last
    /// whole line, as an interruption leaves it, is removed.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn open(path: &Path) -> Result<Store, String> {
        let text = |why: std::io::Error| format!("{}: {why}", path.display());
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(text)?;
        let mut held = fs::read_to_string(path).map_err(text)?;
        let whole = held.rfind('\n').map_or(0, |end| end + 1);
        if whole < held.len() {
            held.truncate(whole);
            file.set_len(whole as u64).map_err(text)?;
        }
        Ok(Store {
            path: path.to_path_buf(),
            file,
            text: held,
        })
    }

    /// Appends a line, which ends with a line break.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, line: &str) -> Result<(), String> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|why| format!("{}: {why}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_appended_after_the_last_whole_one() {
        let path = std::env::temp_dir().join(format!("quintet-store-{}", std::process::id()));
        fs::write(&path, "one\ntwo\nthr").expect("a temporary file");
        let mut store = Store::open(&path).expect("it opens");
        assert_eq!(store.text, "one\ntwo\n");
        store.append("three\n").expect("it is written");
        drop(store);
        assert_eq!(
            Store::open(&path).expect("it opens").text,
            "one\ntwo\nthree\n"
        );
        fs::remove_file(&path).expect("it is removed");
    }
}
