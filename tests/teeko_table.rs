//! The solution of Teeko checked against known values, known counts and itself;
//! and its file.

mod support;

use quintet::internals::games::teeko::shapes::Variant;
use quintet::internals::games::teeko::table::{Counts, Entry, Table};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use support::folder::Folder;

const BOARD: u32 = (1 << 25) - 1;

fn table(variant: Variant) -> &'static Table {
    static TABLES: [OnceLock<Table>; 2] = [const { OnceLock::new() }; 2];
    TABLES[variant as usize]
        .get_or_init(|| Table::build(variant, 2, &mut |_| (), &|| false).expect("nobody stops it"))
}

fn cells(set: u32) -> impl Iterator<Item = u32> {
    (0..25)
        .map(|cell| 1 << cell)
        .filter(move |cell| set & cell != 0)
}

fn name(cell: u32) -> String {
    let number = cell.trailing_zeros();
    format!(
        "{}{}",
        char::from(b'a' + (number % 5) as u8),
        number / 5 + 1
    )
}

fn neighbours(cell: u32) -> u32 {
    const A_FILE: u32 = 0b00001_00001_00001_00001_00001;
    let sides = (cell & !A_FILE) >> 1 | (cell & !(A_FILE << 4)) << 1;
    let three = cell | sides;
    (three << 5 | three >> 5 | sides) & BOARD
}

/// Calls `each` with every legal move: the side to move's markers after it, and
/// the move.
fn for_each_move(own: u32, other: u32, mut show: impl FnMut(u32, u32, u32)) {
    let empty = BOARD & !(own | other);
    if own.count_ones() < 4 {
        for to in cells(empty) {
            show(own | to, to, to);
        }
    } else {
        for from in cells(own) {
            for to in cells(neighbours(from) & empty) {
                show(own ^ from | to, from, to);
            }
        }
    }
}

/// The masks of the side to move and of the other.
fn from_fen(fen: &str) -> (u32, u32) {
    let (rows, side) = fen.split_once(' ').unwrap();
    let (mut black, mut red) = (0, 0);
    for (i, row) in rows.split('/').enumerate() {
        let mut cell = 5 * (4 - i) as u32;
        for c in row.chars() {
            match c {
                'b' => black |= 1 << cell,
                'r' => red |= 1 << cell,
                _ => cell += c.to_digit(10).unwrap() - 1,
            }
            cell += 1;
        }
    }
    if side == "b" {
        (black, red)
    } else {
        (red, black)
    }
}

fn agrees_with_reference(variant: Variant, text: &str) {
    let table = table(variant);
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').collect();
        let [fen, value, plies, legal, best] = fields[..] else {
            panic!("{line}")
        };
        let due = match value {
            "win" => Entry::Win(plies.parse().unwrap()),
            "loss" => Entry::Loss(plies.parse().unwrap()),
            _ => Entry::Draw,
        };
        let (own, other) = from_fen(fen);
        assert_eq!(table.probe(own, other), Some(due), "{line}");
        let mut moves = Vec::new();
        for_each_move(own, other, |after, from, to| {
            let value = table.probe(other, after).expect("a position").before();
            let text = if from == to {
                name(to)
            } else {
                format!("{}-{}", name(from), name(to))
            };
            moves.push((value, text));
        });
        assert_eq!(moves.len(), legal.parse::<usize>().unwrap(), "{line}");
        moves.retain(|(value, _)| *value == due);
        let mut found: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        let mut best: Vec<&str> = best.split(' ').collect();
        found.sort_unstable();
        best.sort_unstable();
        assert_eq!(found, best, "{line}");
        lines += 1;
    }
    assert_eq!(lines, 1000);
}

#[test]
fn standard_agrees_with_reference() {
    agrees_with_reference(
        Variant::Standard,
        include_str!("data/teeko-standard.values"),
    );
}

#[test]
fn advanced_agrees_with_reference() {
    agrees_with_reference(
        Variant::Advanced,
        include_str!("data/teeko-advanced.values"),
    );
}

#[test]
fn counts_are_the_known_ones() {
    let standard = table(Variant::Standard).counts();
    assert_eq!(
        standard,
        Counts {
            wins: 25_606_338,
            losses: 7_231_009,
            draws: 42_347_231,
            longest_win: 39,
            longest_loss: 38,
        }
    );
    assert_eq!(standard.wins + standard.losses + standard.draws, 75_184_578);
    let advanced = table(Variant::Advanced).counts();
    assert_eq!(
        advanced,
        Counts {
            wins: 37_185_947,
            losses: 12_159_727,
            draws: 25_672_066,
            longest_win: 59,
            longest_loss: 58,
        }
    );
    assert_eq!(advanced.wins + advanced.losses + advanced.draws, 75_017_740);
}

#[test]
fn empty_board_has_the_known_value() {
    let standard = table(Variant::Standard);
    assert_eq!(standard.probe(0, 0), Some(Entry::Draw));
    assert!(cells(BOARD).all(|cell| standard.probe(0, cell) == Some(Entry::Draw)));
    assert_eq!(standard.start(false), Entry::Draw);
    let advanced = table(Variant::Advanced);
    assert_eq!(advanced.probe(0, 0), Some(Entry::Win(13)));
    assert_eq!(advanced.start(true), Entry::Win(13));
    assert_eq!(advanced.start(false), Entry::Draw);
    let winning: Vec<String> = cells(BOARD)
        .filter(|&cell| matches!(advanced.probe(0, cell), Some(Entry::Loss(_))))
        .map(name)
        .collect();
    assert_eq!(winning, ["c3"]);
}

#[test]
fn finished_positions_are_lost_or_never_happen() {
    let table = table(Variant::Standard);
    let (row, square, corners) = (0b1111, 0b00011_00011 << 15, 1 | 1 << 4 | 1 << 20 | 1 << 24);
    assert_eq!(table.probe(square, row), Some(Entry::Loss(0)));
    assert_eq!(table.probe(0b111 << 10, row), Some(Entry::Loss(0)));
    assert_eq!(
        table.probe(row, 0b10101 << 15 | 1 << 12),
        Some(Entry::Win(0))
    );
    assert_ne!(table.probe(0b1111 << 10, corners), Some(Entry::Loss(0)));
    let advanced = self::table(Variant::Advanced);
    assert_eq!(advanced.probe(0b111 << 10, corners), Some(Entry::Loss(0)));
}

#[test]
fn masks_that_are_no_position_have_no_value() {
    let table = table(Variant::Standard);
    for (own, other) in [
        (1, 0),
        (1, 1),
        (3, 1),
        (0, 3),
        (1, 1 << 25),
        (1 << 25, 1),
        (15, 1 << 31),
        (15, 0x1f0),
    ] {
        assert_eq!(table.probe(own, other), None, "{own:#x} {other:#x}");
    }
}

#[test]
fn entries_are_ordered_by_preference() {
    use Entry::{Draw, Loss, Win};
    assert!([Loss(0), Loss(2), Loss(58), Draw, Win(59), Win(3), Win(1)].is_sorted());
    assert_eq!(Win(5).before(), Loss(6));
    assert_eq!(Loss(0).before(), Win(1));
    assert_eq!(Draw.before(), Draw);
}

#[test]
fn building_stops_when_asked() {
    for after in [0, 1, 5, 40, 700] {
        let asked = AtomicUsize::new(0);
        // Returns true only once.
        let stop = || asked.fetch_add(1, Ordering::Relaxed) == after;
        assert!(
            Table::build(Variant::Standard, 2, &mut |_| (), &stop).is_err(),
            "{after}"
        );
    }
}

#[test]
fn building_reports_progress() {
    let mut lines = Vec::new();
    Table::build(Variant::Standard, 3, &mut |line| lines.push(line), &|| {
        false
    })
    .expect("nobody stops it");
    assert!((2..=12).contains(&lines.len()), "{lines:?}");
    assert!(
        lines
            .iter()
            .all(|line| line.starts_with("teeko standard: ")),
        "{lines:?}"
    );
}

fn refused(path: &Path, variant: Variant) -> String {
    Table::read(path, variant).expect_err("a damaged file")
}

/// A round trip also shows that the table has the checksum that is written in
/// the source.
#[test]
fn tables_survive_their_file() {
    let folder = Folder::new("round-trip");
    for variant in [Variant::Standard, Variant::Advanced] {
        let path = folder.file(&variant.to_string());
        // Overwrites what is there.
        fs::write(&path, "something else").unwrap();
        table(variant).write(&path).unwrap();
        let read = Table::read(&path, variant).unwrap();
        assert_eq!(read.variant(), variant);
        assert_eq!(read.counts(), table(variant).counts());
        assert_eq!(read.start(true), table(variant).start(true));
    }
    assert_eq!(
        fs::read_dir(&folder.0).unwrap().count(),
        2,
        "something was left behind"
    );
    // A folder can't be replaced by a file.
    assert!(table(Variant::Standard).write(&folder.0).is_err());
    assert!(table(Variant::Standard).write(Path::new("/")).is_err());
    assert!(
        table(Variant::Standard)
            .write(&folder.file("none/there"))
            .is_err()
    );
    assert!(!folder.0.with_extension("tmp").exists());
}

#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new("damaged");
    let path = folder.file("table");
    let check = |bytes: &[u8], due: &str| {
        fs::write(&path, bytes).unwrap();
        let error = refused(&path, Variant::Standard);
        assert!(error.contains(due), "{error}");
    };
    table(Variant::Standard).write(&path).unwrap();
    let good = fs::read(&path).unwrap();
    assert!(refused(&path, Variant::Advanced).contains("variant"));
    assert!(!refused(&folder.file("none"), Variant::Standard).is_empty());
    assert!(!refused(&folder.0, Variant::Standard).is_empty());
    for length in [0, 1, 31, 32, 1000, good.len() - 1] {
        check(&good[..length], "bytes instead of");
    }
    check(&[&good[..], b"\0"].concat(), "bytes instead of");
    let mut bytes = good.clone();
    let mut flip = |at: usize, due: &str| {
        bytes[at] ^= 1 << (at % 8);
        check(&bytes, due);
        bytes[at] ^= 1 << (at % 8);
    };
    flip(0, "not a table");
    flip(7, "not a table");
    flip(8, "version");
    flip(12, "variant");
    flip(16, "length");
    flip(31, "checksum");
    for at in [32, 33, 5_000, 1_234_567, good.len() / 2, good.len() - 1] {
        flip(at, "checksum");
    }
    // The whole of another variant's table, under a forged header.
    table(Variant::Advanced).write(&path).unwrap();
    let mut forged = fs::read(&path).unwrap();
    forged[12..16].copy_from_slice(&good[12..16]);
    check(&forged, "not the solution");
}

/// Calls `check` with the markers of the side to move and of the other, for all
/// positions with so many of each.
fn for_each_position(own: u32, other: u32, check: impl Fn(u32, u32) + Sync) {
    let sets =
        |size: u32| -> Vec<u32> { (0..=BOARD).filter(|set| set.count_ones() == size).collect() };
    let (owns, others) = (sets(own), sets(other));
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(own) = owns.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for other in others.iter().filter(|&other| other & own == 0) {
                        check(*own, *other);
                    }
                }
            });
        }
    });
}

/// Every position of the table, without using symmetry: its value is that of
/// its best move. As distances grow by one with each ply back, this proves wins
/// and losses; and in a draw one side can hold it forever, whatever the other
/// does.
fn every_value_follows_from_its_successors(variant: Variant) {
    let table = table(variant);
    let (checked, finished) = (AtomicU64::new(0), AtomicU64::new(0));
    for markers in 0..=8 {
        for_each_position(markers / 2, markers.div_ceil(2), |own, other| {
            let value = table.probe(own, other).expect("a position");
            checked.fetch_add(1, Ordering::Relaxed);
            let won = |set| is_shape(variant, set);
            if won(own) || won(other) {
                let due = if won(other) {
                    Entry::Loss(0)
                } else {
                    Entry::Win(0)
                };
                assert_eq!(value, due, "{own:#x} {other:#x}");
                finished.fetch_add(1, Ordering::Relaxed);
                return;
            }
            let mut best = None;
            for_each_move(own, other, |after, _, _| {
                best = best.max(table.probe(other, after).map(Entry::before));
            });
            assert_eq!(Some(value), best, "{own:#x} {other:#x}");
        });
    }
    println!("{variant}: {checked:?} positions, {finished:?} of them finished");
}

/// Determined from the positions of the markers, not from a list of shapes.
fn is_shape(variant: Variant, set: u32) -> bool {
    if set.count_ones() != 4 {
        return false;
    }
    let mut at = [(0, 0); 4];
    for (place, cell) in at.iter_mut().zip(cells(set)) {
        let number = cell.trailing_zeros() as i32;
        *place = (number % 5, number / 5);
    }
    let step = |i: usize| (at[i + 1].0 - at[i].0, at[i + 1].1 - at[i].1);
    let row = step(0) == step(1)
        && step(1) == step(2)
        && matches!(step(0), (1, 0) | (0, 1) | (1, 1) | (-1, 1));
    let edge = step(0).0;
    let square = step(0) == (edge, 0) && step(1) == (-edge, edge) && step(2) == (edge, 0);
    row || square && (edge == 1 || variant == Variant::Advanced)
}

#[test]
#[ignore = "takes a minute: cargo test --release --test teeko_table -- --ignored"]
fn every_standard_value_follows_from_its_successors() {
    every_value_follows_from_its_successors(Variant::Standard);
}

#[test]
#[ignore = "takes a minute: cargo test --release --test teeko_table -- --ignored"]
fn every_advanced_value_follows_from_its_successors() {
    every_value_follows_from_its_successors(Variant::Advanced);
}
