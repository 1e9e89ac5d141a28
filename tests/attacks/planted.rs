//! Files that somebody else has put where the engine reads or writes.
#![cfg(unix)]

use super::repeat;
use super::support::PATIENCE;
use super::support::folder::Folder;
use super::support::process::{command, converse, end, limited};
use rand::Rng;
use rand::rngs::StdRng;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
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
    for plant in ["ln -s victim", "mkfifo"] {
        let folder = Folder::new("planted-cache");
        folder.write("victim", b"untouched");
        // The shell has the number of the process that it becomes.
        let before = format!("cd {}; {plant} table.$$.tmp", folder.0.display());
        let lines = [
            "newgame teeko",
            "setoption name Teeko.Cache value table",
            "isready",
            "go depth 1",
        ];
        let found = converse(limited(&before, &lines), b"").quiet();
        assert!(found.out.contains("written to table"), "{}", found.out);
        assert_eq!(
            fs::read(folder.file("victim")).expect("there"),
            b"untouched"
        );
        assert!(fs::metadata(folder.file("table")).expect("there").len() > 10_000_000);
        assert_eq!(names(&folder).len(), 3, "{:?}", names(&folder));
    }
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
    for path in [pipe.as_path(), "/dev/zero".as_ref(), folder.0.as_path()] {
        let set = format!("setoption name Teeko.Cache value {}", path.display());
        let found = converse(
            command(&["newgame teeko", &set, "isready", "go depth 1"]),
            b"",
        );
        assert!(
            found.out.contains("is not used: it is no file"),
            "{}",
            found.out
        );
        assert_eq!((found.bestmoves(), found.status.code()), (1, Some(0)));
    }
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

/// Ends the process after this time, while it makes and writes the cache; whether
/// that was before its own end, and whether the cache is there.
fn end_early(wait: Duration) -> (bool, bool) {
    let folder = Folder::new("early-end");
    let set = format!(
        "setoption name Teeko.Cache value {}",
        folder.file("table").display()
    );
    let child = command(&["newgame teeko", &set, "isready", "isready"]).spawn();
    let child = child.expect("it starts");
    std::thread::sleep(wait);
    let signal = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(signal.is_ok());
    let status = end(child).status;
    let names = names(&folder);
    assert!(names.is_empty() || names == ["table"], "{names:?}");
    if let Ok(data) = fs::metadata(folder.file("table")) {
        assert!(data.len() > 10_000_000, "{} bytes", data.len());
    }
    (status.signal() == Some(15), !names.is_empty())
}

#[test]
fn a_cache_is_there_whole_or_not_at_all() {
    let folder = Folder::new("whole-cache");
    let table = folder.file("table");
    let set = format!("setoption name Teeko.Cache value {}", table.display());
    let begun = Instant::now();
    let child = command(&["newgame teeko", &set, "isready"]).spawn();
    while !table.exists() {
        assert!(begun.elapsed() < PATIENCE, "no cache");
        std::thread::sleep(Duration::from_millis(1));
    }
    let whole = begun.elapsed();
    end(child.expect("it starts"));
    assert_eq!(names(&folder), ["table"]);
    assert_eq!(end_early(whole / 20), (true, false));
    for part in 0..5 {
        end_early(whole * (80 + 8 * part) / 100);
    }
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
            end_early(Duration::from_millis(random.random_range(0..1_500)));
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
