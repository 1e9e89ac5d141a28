//! Temporary folders for tests.

use std::fs;
use std::path::PathBuf;

/// A new folder for a test, removed with its contents when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A folder of this name and process.
    ///
    /// # Panics
    /// If it cannot be created.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("quintet-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in it.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.file(name), bytes).expect("a file for the test");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
