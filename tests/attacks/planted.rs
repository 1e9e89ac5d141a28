//! Files that somebody else has put where the engine reads or writes.
#![cfg(unix)]

use super::repeat;
use super::support::PATIENCE;
use super::support::folder::Folder;
use super::support::process::{command, converse, end, limited};
use rand::Rng;
use rand::rngs::StdRng;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The names of the files in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|n| n.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The name under which the cache is written cannot be foreseen: a link there is
/// not followed, a pipe not waited for.
#[test]
fn nothing_is_written_through_a_planted_name() {
    let folder = Folder::new("planted-cache");
    folder.write("victim", b"untouched");
    // The shell has the number of the process that it becomes.
    let plants = "ln -s victim one.$$.tmp; mkfifo two.$$.tmp";
    let before = format!("cd {}; {plants}", folder.0.display());
    let lines = [
        "newgame teeko",
        "setoption name Teeko.Cache value one",
        "isready",
        "setoption name Teeko.Cache value two",
        "isready",
        "go depth 1",
    ];
    let found = converse(limited(&before, &lines), b"").quiet();
    for name in ["one", "two"] {
        let written = format!("written to {name}\n");
        assert!(found.out.contains(&written), "{}", found.out);
        assert!(fs::metadata(folder.file(name)).expect("there").len() > 10_000_000);
    }
    assert_eq!(
        fs::read(folder.file("victim")).expect("there"),
        b"untouched"
    );
    assert_eq!(names(&folder).len(), 5, "{:?}", names(&folder));
}

/// A pipe or a device as the cache itself is not waited for either.
#[test]
fn a_cache_that_is_no_file_is_not_opened() {
    let folder = Folder::new("planted-pipe");
    let pipe = folder.file("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("mkfifo")
            .success()
    );
    let paths = [pipe.as_path(), "/dev/zero".as_ref(), folder.0.as_path()];
    let mut lines = "newgame teeko\n".to_string();
    for path in paths {
        let set = format!("setoption name Teeko.Cache value {}", path.display());
        lines += &format!("{set}\nisready\ngo depth 1\n");
    }
    let found = converse(command(&[]), lines.as_bytes());
    for path in paths {
        let due = format!("{} is not used: it is no file\n", path.display());
        assert!(found.out.contains(&due), "{}", found.out);
    }
    assert_eq!((found.bestmoves(), found.status.code()), (3, Some(0)));
}

/// Paths are shown without what could control a terminal.
#[test]
fn control_characters_of_paths_are_not_echoed() {
    let lines = "newgame teeko\nsetoption name Teeko.Cache value /no\u{1b}[31m/\u{7}file\nisready\n\
                 setoption name Pentago.SlicePath value /no\u{1b}[31m/\u{9b}folder\n\
                 setoption name ProofPath value /no\u{1b}[31m/\u{8}proofs\n";
    let found = converse(command(&[]), lines.as_bytes()).quiet();
    assert!(
        found.out.contains(r"/no\u{1b}[31m/\u{7}file"),
        "{}",
        found.out
    );
    assert!(
        found.out.contains(r"/no\u{1b}[31m/\u{9b}folder"),
        "{}",
        found.out
    );
    assert!(
        found.out.contains(r"/no\u{1b}[31m/\u{8}proofs"),
        "{}",
        found.out
    );
    assert!(found.out.chars().all(|c| c == '\n' || !c.is_control()));
}

/// The lines that have the table kept in these files, one after the other.
fn kept_in(files: &[PathBuf]) -> String {
    let set = |file: &PathBuf| {
        let file = file.display();
        format!("setoption name Teeko.Cache value {file}\nisready\n")
    };
    files.iter().map(set).collect()
}

/// Ends a process a while after it was told to keep the table in the file `new`; whether
/// that file is there then. If there is a `good` table, it has read that before, so that it
/// has nothing to do but write.
fn end_early(good: Option<&Path>, new: &Path, wait: Duration) -> bool {
    let mut child = command(&[]).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"newgame teeko\n").expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines();
    if let Some(good) = good {
        let read = kept_in(&[good.to_path_buf()]);
        stdin.write_all(read.as_bytes()).expect("it reads");
        // The lines that follow this one are few, and wait in the pipe.
        assert!(output.any(|line| line.expect("text") == "readyok"));
    }
    let write = kept_in(&[new.to_path_buf()]);
    stdin.write_all(write.as_bytes()).expect("it reads");
    std::thread::sleep(wait);
    let signal = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(signal.expect("kill").success());
    drop(stdin);
    assert_eq!(end(child).status.signal(), Some(15));
    check_left(good, new)
}

/// Checks that nothing lies where `new` should that is not whole, then whether it is there,
/// and that the next process reads it.
fn check_left(good: Option<&Path>, new: &Path) -> bool {
    let folder = new.parent().expect("a folder");
    let good = good.map(|good| fs::read(good).expect("a table"));
    for file in fs::read_dir(folder).expect("a folder") {
        let (name, path) = file
            .map(|f| (f.file_name().to_string_lossy().into_owned(), f.path()))
            .expect("an entry");
        // Between its completion and its place it has a name of its own.
        let passing = name.starts_with("new.") && name.ends_with(".tmp");
        assert!(name == "new" || passing, "{name}");
        if passing && !are_nameless(folder) {
            continue;
        }
        let data = fs::read(path).expect("a file");
        let whole = match &good {
            Some(good) => data == *good,
            None => data.len() > 10_000_000,
        };
        assert!(whole, "{name}: {} bytes", data.len());
    }
    let there = new.exists();
    if there {
        let lines = format!("newgame teeko\n{}", kept_in(&[new.to_path_buf()]));
        let found = converse(command(&[]), lines.as_bytes()).quiet();
        let read = format!("info string teeko standard: read from {}\n", new.display());
        assert_eq!(found.out, read + "readyok\n");
    }
    there
}

/// Whether files in this folder need no name while they are written; elsewhere an early
/// end leaves one that is not whole.
#[cfg(target_os = "linux")]
fn are_nameless(folder: &Path) -> bool {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.write(true).custom_flags(libc::O_TMPFILE);
    options.open(folder).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn are_nameless(_folder: &Path) -> bool {
    false
}

#[test]
fn a_cache_is_there_whole_or_not_at_all() {
    let begun = Instant::now();
    let folder = Folder::new("whole-cache");
    let good = folder.file("good");
    let written = |files: &[PathBuf]| {
        let lines = format!("newgame teeko\n{}", kept_in(files));
        let last = files.last().expect("one").display();
        let found = converse(command(&[]), lines.as_bytes()).quiet();
        let due = format!("written to {last}\nreadyok\n");
        assert!(found.out.ends_with(&due), "{}", found.out);
    };
    written(std::slice::from_ref(&good));
    assert_eq!(names(&folder), ["good"]);
    let place = Folder::new("early-end");
    let new = place.file("new");
    // One that makes the table first, and is not likely to come further.
    if end_early(None, &new, Duration::from_millis(100)) {
        fs::remove_file(&new).expect("a file");
    }
    let mut early = 0;
    // If this process is held up, kills come late: one more at once, then, until one does not.
    for wait in (0..15).map(|i| 2 * i).chain(std::iter::repeat(0)) {
        if wait == 0 && early > 0 {
            break;
        }
        assert!(begun.elapsed() < 2 * PATIENCE, "no kill came early enough");
        if end_early(Some(&good), &new, Duration::from_millis(wait)) {
            fs::remove_file(&new).expect("a file");
        } else {
            early += 1;
        }
    }
    // What they have left is in nobody's way.
    written(&[good, new.clone()]);
    assert!(check_left(None, &new));
}

/// The header of a slice of no marbles, whose index is said to be there.
fn slice_header(offset: u64, packed: u64, unpacked: u64) -> Vec<u8> {
    let mut bytes = b"pentago sections   \n".to_vec();
    for number in [3_u32, 1, 85] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(b"pentago supertensor\n");
    bytes.extend(3_u32.to_le_bytes());
    bytes.push(1);
    bytes.extend([0; 4 + 8]);
    for number in [1_u16; 4] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(8_u32.to_le_bytes());
    for number in [1_u16; 4] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(1_u32.to_le_bytes());
    for number in [unpacked, packed, offset] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// A slice of this size that begins with these bytes, and why it is refused.
/// Little memory and little time must be enough for that.
fn refused(header: &[u8], size: u64) -> String {
    let folder = Folder::new("planted-slice");
    let mut file = File::create(folder.file("slice-0.pentago")).expect("a file");
    file.write_all(header).expect("written");
    file.set_len(size).expect("holes take no room");
    let set = format!(
        "setoption name Pentago.SlicePath value {}",
        folder.0.display()
    );
    let started = Instant::now();
    let lines = ["newgame pentago", &set, "query turn"];
    let found = converse(limited("ulimit -v 250000", &lines), b"").quiet();
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(
        (found.count("error "), found.count("response ")),
        (1, 1),
        "{}",
        found.out
    );
    found.out
}

#[test]
fn sizes_of_slices_are_checked_before_they_are_believed() {
    let huge = 200 << 30;
    assert!(refused(&[], huge).contains("no file of Pentago sections"));
    assert!(refused(&slice_header(117, 4 << 30, 24), huge).contains("cannot take"));
    assert!(refused(&slice_header(117, 24, 4 << 30), huge).contains("has 4294967296 bytes"));
    assert!(refused(&slice_header(117, 80, 24), huge).contains("xz stream"));
    assert!(refused(&slice_header(huge - 10, 80, 24), huge).contains("cut off"));
    assert!(refused(&slice_header(u64::MAX, 80, 24), huge).contains("cut off"));
}

/// Random changes of the header's numbers.
fn slice(random: &mut StdRng) {
    let size = 1_u64 << random.random_range(0..40);
    let mut number = || random.random::<u64>() >> random.random_range(0..64);
    let mut header = slice_header(number(), number(), number());
    if random.random_bool(0.5) {
        let at = random.random_range(0..header.len());
        header[at] ^= 1 << random.random_range(0..8);
    }
    refused(&header, size.max(header.len() as u64));
}

#[test]
#[ignore = "takes long: cargo test --test attacks many_planted -- --ignored --nocapture"]
fn many_planted_files() {
    repeat(200, |random| {
        slice(random);
        if random.random_bool(0.1) {
            // While it makes the table, and while it writes it.
            let folder = Folder::new("early-end");
            let wait = Duration::from_millis(random.random_range(0..1_500));
            end_early(None, &folder.file("new"), wait);
        }
    });
}

/// Needs the published slices; see `tests/pentago_slices.rs`.
mod with_shared {
    use super::super::common::shared::oracle;
    use super::*;

    #[test]
    #[ignore = "needs shared/oracle: cargo test --test attacks -- --ignored with_shared"]
    fn a_slice_with_a_tail_is_refused() {
        let whole = fs::read(oracle("pentago-slices").join("slice-0.pentago")).expect("a slice");
        let length = whole.len() as u64;
        assert!(refused(&whole, length + 1).contains("it is 1 bytes too long"));
        assert!(refused(&whole, length + (1 << 30)).contains("belong to no block"));
        assert!(refused(&whole, 200 << 30).contains("belong to no block"));
    }
}
