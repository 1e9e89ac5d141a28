//! Files: opening plain ones, and writing whole ones.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Opens a plain file to read. Anything else is refused, and never waited for:
/// opening a pipe would wait for its writer.
///
/// # Errors
/// It is no plain file, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    plain(&fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    // Another file may have taken its place meanwhile.
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    plain(&file.metadata()?)?;
    Ok(file)
}

/// Refuses what is no plain file.
fn plain(data: &fs::Metadata) -> io::Result<()> {
    match data.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is no file")),
    }
}

/// Refuses to put a file in the place of a device, a pipe, a socket or a folder, or of
/// a link to one.
fn check_replaceable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder")),
        Ok(data) => plain(&data),
        // Nothing is there, or a link that leads nowhere.
        Err(_) => Ok(()),
    }
}

/// Writes a file, of these parts one after the other: a new file that takes the
/// place of the old one when it is complete. If `path` is a link, the link is
/// replaced, not followed. Devices, pipes and sockets stay, and links to them.
///
/// Where the system has files without a name (Linux, on most file systems), the
/// new one has none until it is complete, so that nothing incomplete is left behind
/// however the process ends. Then, and elsewhere from the beginning, it has a random
/// name beside `path`, for a file without a name cannot take the place of another.
///
/// # Errors
/// Those of the file system, or `path` is no plain file; then it is unchanged.
pub fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    write_by(path, &mut |file| {
        parts.iter().try_for_each(|part| file.write_all(part))
    })
}

/// The same with what `put` writes; it may be called a second time, for another file.
///
/// # Errors
/// As of [`write`], or those of `put`.
pub fn write_by(path: &Path, put: &mut dyn FnMut(&mut File) -> io::Result<()>) -> io::Result<()> {
    check_replaceable(path)?;
    let beside = beside(path)?;
    let mut fill = |file: &mut File| {
        put(file)?;
        file.sync_all()
    };
    #[cfg(target_os = "linux")]
    if let Ok(mut file) = nameless::create(&beside) {
        fill(&mut file)?;
        if nameless::link(&file, &beside).is_ok() {
            return replace(&beside, path);
        }
    }
    let mut file = create(&beside)?;
    match fill(&mut file) {
        Ok(()) => replace(&beside, path),
        Err(why) => {
            let _ = fs::remove_file(&beside);
            Err(why)
        }
    }
}

/// Checks that [`write`] could write this file, without changing it.
///
/// # Errors
/// Says why it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_replaceable(path)?;
    let beside = beside(path)?;
    #[cfg(target_os = "linux")]
    if nameless::create(&beside).is_ok() {
        return Ok(());
    }
    create(&beside)?;
    fs::remove_file(&beside)
}

/// Whether [`write`] would give both the same name in the same folder, however they
/// are spelled.
pub fn same_place(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = folder_of(path).canonicalize();
        folder.map_or_else(
            |_| path.to_path_buf(),
            |folder| folder.join(path.file_name().unwrap_or_default()),
        )
    };
    place(one) == place(other)
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The longest name that most systems give a file, in bytes.
const LONGEST_NAME: usize = 255;

/// A name beside `path` that nobody can foresee.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        let why = "not the name of a file";
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    };
    let end = format!(".{:016x}.tmp", rand::random::<u64>());
    let mut other = OsString::from(match name.len() + end.len() <= LONGEST_NAME {
        true => name,
        false => OsStr::new("quintet"),
    });
    other.push(end);
    Ok(path.with_file_name(other))
}

/// Makes a file. Whatever has that name already is refused, a link too.
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Moves the finished file `from` to `to`, or removes it if that fails.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to).inspect_err(|_| {
        // The earlier error is the one worth reporting.
        let _ = fs::remove_file(from);
    })
}

/// Files that have no name until they are given one.
#[cfg(target_os = "linux")]
mod nameless {
    use std::ffi::CString;
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    /// A file in the folder of `path`.
    pub fn create(path: &Path) -> io::Result<File> {
        let mut options = File::options();
        options
            .write(true)
            .custom_flags(libc::O_TMPFILE)
            .open(super::folder_of(path))
    }

    /// Gives a file this name, which must be free. std has no call for it.
    #[allow(unsafe_code)]
    pub fn link(file: &File, path: &Path) -> io::Result<()> {
        let from = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
        let to = CString::new(path.as_os_str().as_bytes())?;
        let (at, flags) = (libc::AT_FDCWD, libc::AT_SYMLINK_FOLLOW);
        // SAFETY: both are strings that end with a zero and outlive the call.
        match unsafe { libc::linkat(at, from.as_ptr(), at, to.as_ptr(), flags) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh folder for a test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("quintet-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_whole_and_nothing_else() {
        let folder = folder("whole");
        let path = folder.join("file");
        for text in ["one", "another"] {
            let (first, rest) = text.as_bytes().split_at(2);
            check_writable(&path).expect("writable");
            write(&path, &[first, rest]).expect("written");
            assert_eq!(fs::read(&path).expect("the file"), text.as_bytes());
            assert_eq!(names(&folder), ["file"]);
        }
        // Whatever name the file may have.
        let long = "n".repeat(LONGEST_NAME);
        check_writable(&folder.join(&long)).expect("writable");
        write(&folder.join(&long), &[b"x"]).expect("written");
        assert_eq!(names(&folder), ["file", &long]);
        fs::remove_file(folder.join(&long)).expect("removed");
        fs::create_dir(folder.join("folder")).expect("a folder");
        for wrong in ["folder", "no/file", ".."] {
            assert!(write(&folder.join(wrong), &[b"x"]).is_err(), "{wrong}");
            assert!(check_writable(&folder.join(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(names(&folder), ["file", "folder"]);
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn a_place_has_many_names() {
        let folder = folder("place");
        fs::create_dir(folder.join("inner")).expect("a folder");
        let file = folder.join("file");
        let same = |name: &str| same_place(&file, &folder.join(name));
        // Whether the file is there or not.
        for _ in 0..2 {
            assert!(same("file") && same("./file") && same("inner/../file"));
            assert!(!same("other") && !same("inner/file") && !same("none/../other"));
            fs::write(&file, "x").expect("written");
        }
        assert!(same_place(Path::new("one"), Path::new("./one")));
        assert!(!same_place(Path::new("one"), Path::new("two")));
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_pipes_not_waited_for() {
        let folder = folder("links");
        let (path, victim) = (folder.join("link"), folder.join("victim"));
        fs::write(&victim, "untouched").expect("written");
        std::os::unix::fs::symlink(&victim, &path).expect("a link");
        assert!(create(&path).is_err());
        write(&path, &[b"new"]).expect("written");
        assert_eq!(fs::read(&victim).expect("the file"), b"untouched");
        assert!(!fs::symlink_metadata(&path).expect("there").is_symlink());
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        assert_eq!(
            open(&pipe).expect_err("a pipe").to_string(),
            "it is no file"
        );
        assert!(open(&path).is_ok());
        // Nor do they, or links to them, make room for a file.
        let to_pipe = folder.join("to-pipe");
        std::os::unix::fs::symlink(&pipe, &to_pipe).expect("a link");
        for path in [&pipe, &to_pipe] {
            for refused in [check_writable(path), write(path, &[b"new"])] {
                let why = refused.expect_err("no plain file").to_string();
                assert_eq!(why, "it is no file", "{}", path.display());
            }
        }
        // A link that leads nowhere is in nobody's way.
        let lost = folder.join("lost");
        std::os::unix::fs::symlink(folder.join("nothing"), &lost).expect("a link");
        check_writable(&lost).expect("writable");
        write(&lost, &[b"new"]).expect("written");
        assert_eq!(
            names(&folder),
            ["link", "lost", "pipe", "to-pipe", "victim"]
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
}
