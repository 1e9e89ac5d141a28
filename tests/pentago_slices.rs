//! The published values of Pentago: those that are part of the program, and the
//! slices: reading, lookup, refusal of damaged files, and use in the engine. The
//! slices are not part of this repository, so most tests here run only on
//! request: `cargo test --test pentago_slices --
//! --include-ignored`.

mod common;
mod support;

use common::shared::oracle;
use common::{moves, position, rules};
use quintet::internals::games::pentago::slices::{Published, Slices, opening};
use quintet::internals::games::pentago::solver::Wdl;
use quintet::internals::games::pentago::{Board, Pentago};
use quintet::internals::position::{Outcome, Position};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use support::Engine;
use support::folder::Folder;

fn folder() -> PathBuf {
    oracle("pentago-slices")
}

fn open(folder: &Path) -> Slices {
    Slices::open(folder).unwrap_or_else(|why| panic!("{why}"))
}

fn board(fen: &str) -> Board {
    position::<Pentago>(&rules::<Pentago>(""), fen).expect("a position")
}

/// The marbles of the side to move and of the other side.
fn lanes(board: &Board) -> [u64; 2] {
    let mover = board.side_to_move();
    [mover, mover.other()].map(|s| board.marbles().lanes[s.index()])
}

fn value(slices: &Slices, board: &Board) -> Option<Wdl> {
    let [own, other] = lanes(board);
    slices.value(own, other)
}

/// The value of every move for the mover, given that of a position.
fn move_values(value: impl Fn(&Board) -> Option<Wdl>, board: &Board) -> Option<Vec<Wdl>> {
    let values = moves(board).into_iter().map(|m| {
        let mut after = board.clone();
        after.play(m);
        match after.outcome() {
            Some(Outcome::Draw) => Some(Wdl::Draw),
            Some(Outcome::Win(side)) if side == board.side_to_move() => Some(Wdl::Win),
            Some(Outcome::Win(_)) => Some(Wdl::Loss),
            None => value(&after).map(Wdl::for_the_other),
        }
    });
    values.collect()
}

fn random_board(random: &mut StdRng, marbles: usize) -> Board {
    let mut board = Board::new();
    for _ in 0..marbles {
        let all = moves(&board);
        board.play(*all.choose(random).expect("a move"));
    }
    board
}

/// Why the slices of a folder are refused.
fn why_not(folder: &Folder) -> Option<String> {
    Slices::open(&folder.0).err()
}

fn set(folder: &Path) -> String {
    format!(
        "setoption name Pentago.SlicePath value {}",
        folder.display()
    )
}

/// An engine that knows only what the slices tell.
fn without_opening() -> Engine {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("setoption name Pentago.Opening value off");
    engine.send("newgame pentago");
    engine
}

/// A position's value is that of its best move, in all stages of the opening.
#[test]
fn the_opening_agrees_with_itself() {
    let known = Published::new(true, "");
    let value = |board: &Board| {
        let [own, other] = lanes(board);
        known.value(own, other)
    };
    let mut random = StdRng::seed_from_u64(6);
    let mut met = [0; 3];
    for marbles in 0..opening::MOST_MARBLES {
        for _ in 0..80 {
            let board = random_board(&mut random, marbles);
            let own = value(&board).expect("a value");
            let best = move_values(value, &board).and_then(|v| v.into_iter().max());
            assert_eq!(Some(own), best, "{}", common::fen::<Pentago>(&board));
            met[own as usize] += 1;
        }
    }
    assert!(met.iter().all(|&n| n > 10), "{met:?}");
    let most = random_board(&mut random, opening::MOST_MARBLES);
    assert!(value(&most).is_some());
    let next = random_board(&mut random, opening::MOST_MARBLES + 1);
    assert_eq!(value(&next), None);
}

#[test]
fn the_engine_plays_the_opening_at_once() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame pentago");
    for go in ["go depth 1", "go nodes 1", "go movetime 50", "go"] {
        engine.send(go);
        if go == "go" {
            engine.receive_until("info * proven *");
            engine.send("stop");
            let found = engine.receive_until("bestmove *");
            assert_eq!(found.len(), 1, "{found:?}");
            continue;
        }
        let found = engine.receive_until("bestmove *");
        let proven = |l: &String| l.contains(" score mate 36 proven ");
        assert!(found.iter().any(proven), "{go}: {found:?}");
        let best = found.last().and_then(|l| l.strip_prefix("bestmove "));
        let best = best.expect("a move");
        assert_eq!(values(&mut engine)[best], "win36", "{go}");
    }
    // With six marbles the moves lead out of it, but the search sees what they
    // leave.
    engine.send("position fen b5/1r4/2b3/3r2/4b1/6 r");
    assert!(values(&mut engine).values().all(|v| v != "?"));
    engine.send("position fen b5/1r4/2b3/3r2/4b1/5r b");
    assert!(values(&mut engine).values().all(|v| v == "?"));
    // Colours that no game brings about are searched.
    engine.send("position fen bb4/6/6/6/6/6 b");
    engine.send("go depth 1");
    let found = engine.receive_until("bestmove *");
    assert!(!found.iter().any(|l| l.contains("proven")), "{found:?}");
    engine.send("setoption name Pentago.Opening value off");
    engine.send("position startpos");
    assert!(values(&mut engine).values().all(|v| v == "?"));
    engine.send("go depth 1");
    let found = engine.receive_until("bestmove *");
    assert!(!found.iter().any(|l| l.contains("proven")), "{found:?}");
}

#[test]
fn setoption_says_what_is_wrong_and_play_goes_on() {
    let folder = Folder::new("slice-option");
    let mut engine = without_opening();
    let missing = folder.file("not there");
    let answer = engine.ask(&set(&missing));
    let due = format!(
        "error option Pentago.SlicePath: cannot read the folder '{}': ",
        missing.display()
    );
    assert!(
        answer.len() == 1 && answer[0].starts_with(&due),
        "{answer:?}"
    );
    folder.write("slice-1.pentago", b"nonsense");
    let answer = engine.ask(&set(&folder.0));
    let due = "error option Pentago.SlicePath: cannot use slice-1.pentago: it is cut off";
    assert_eq!(answer, [due]);
    engine.send("go depth 1");
    let found = engine.receive_until("bestmove *");
    assert!(!found.iter().any(|l| l.contains("proven")), "{found:?}");
    // An empty folder and no folder are both in order.
    fs::remove_file(folder.file("slice-1.pentago")).expect("removed");
    assert_eq!(engine.ask(&set(&folder.0)), [""; 0]);
    assert_eq!(
        engine.ask("setoption name Pentago.SlicePath value"),
        [""; 0]
    );
}

/// `query values` as a map from move to value.
fn values(engine: &mut Engine) -> HashMap<String, String> {
    let lines = engine.ask("query values");
    let response = lines.iter().find_map(|l| l.strip_prefix("response "));
    let pairs = response.expect("an answer").split(' ');
    pairs
        .map(|pair| pair.split_once('=').expect("MOVE=VALUE"))
        .map(|(m, value)| (m.to_string(), value.to_string()))
        .collect()
}

/// Tests that need the published slices.
mod with_shared {
    use super::*;

    /// All of them, byte by byte: 256 positions in 64 bytes.
    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn the_opening_is_that_of_the_slices() {
        let slices = open(&folder());
        let mut positions = 0;
        for marbles in 0..=opening::MOST_MARBLES {
            let entries = opening::entries(marbles).expect("its values");
            assert!(
                slices.entries(marbles).as_deref() == Some(entries),
                "{marbles}"
            );
            positions += 4 * entries.len();
        }
        println!("{positions} positions agree");
        assert_eq!(positions, 31_882_752);
    }

    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn first_moves_have_their_published_values() {
        let slices = open(&folder());
        assert_eq!(value(&slices, &Board::new()), Some(Wdl::Win));
        let values = move_values(|board| value(&slices, board), &Board::new()).expect("slice 1");
        let count = |what| values.iter().filter(|&&v| v == what).count();
        let counts = [Wdl::Win, Wdl::Draw, Wdl::Loss].map(count);
        assert_eq!(counts, [192, 96, 0]);
    }

    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn recorded_positions_have_their_values() {
        let slices = open(&folder());
        let text = fs::read_to_string(oracle("pentago-games.values")).expect("a text file");
        let (mut known, mut unknown) = (0, 0);
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let (fen, expected) = line.split_once(';').expect("fen;value");
            let board = board(fen);
            let found = value(&slices, &board).map(|value| match value {
                Wdl::Win => "win",
                Wdl::Draw => "draw",
                Wdl::Loss => "loss",
            });
            match board.plies_left() {
                Some(30..) => {
                    assert_eq!(found, Some(expected), "{line}");
                    known += 1;
                }
                _ => {
                    assert_eq!(found, None, "{line}");
                    unknown += 1;
                }
            }
        }
        println!("{known} positions agree, {unknown} have too many marbles");
        assert!(known >= 30 && unknown > 0, "{known} {unknown}");
    }

    /// A position's value is that of its best move, and that of the same
    /// position with the colours exchanged.
    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn slices_agree_with_each_other() {
        let slices = open(&folder());
        let mut random = StdRng::seed_from_u64(1);
        let mut met = [0; 3];
        for marbles in 0..=5 {
            for _ in 0..80 {
                let board = random_board(&mut random, marbles);
                let own = value(&slices, &board).expect("a value");
                let best = move_values(|board| value(&slices, board), &board);
                let best = best.and_then(|values| values.into_iter().max());
                let fen = common::fen::<Pentago>(&board);
                assert_eq!(Some(own), best, "{fen}");
                met[own as usize] += 1;
                let exchanged: String = (fen.chars())
                    .map(|c| match c {
                        'b' => 'r',
                        'r' => 'b',
                        c => c,
                    })
                    .collect();
                let exchanged = crate::board(&exchanged);
                assert_eq!(value(&slices, &exchanged), Some(own), "{fen}");
                // The wrong side to move: this does not occur in any game.
                if marbles % 2 == 1 {
                    let mut passed = board.clone();
                    passed.pass();
                    assert_eq!(value(&slices, &passed), None, "{fen}");
                }
            }
        }
        println!("losses, draws, wins: {met:?}");
        assert!(met.iter().all(|&n| n > 10), "{met:?}");
    }

    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn missing_slices_are_normal_and_damaged_ones_are_refused() {
        let source = folder();
        let folder = Folder::new("slices");
        let slices = open(&folder.0);
        assert!((0..40).all(|n| !slices.has(n)));
        assert_eq!(value(&slices, &Board::new()), None);

        let whole = fs::read(source.join("slice-3.pentago")).expect("a slice");
        folder.write("slice-3.pentago", &whole);
        folder.write("slice-03.pentago", b"something else");
        let slices = open(&folder.0);
        assert!(slices.has(3) && slices.at_hand(3) && !slices.has(2) && !slices.has(4));

        let refused = |bytes: &[u8], why: &str| {
            folder.write("slice-3.pentago", bytes);
            let found = why_not(&folder).unwrap_or_else(|| panic!("accepted: {why}"));
            let begin = "cannot use slice-3.pentago: ";
            assert!(found.starts_with(begin) && found.contains(why), "{found}");
        };
        let other = fs::read(source.join("slice-2.pentago")).expect("a slice");
        refused(b"", "it is cut off");
        refused(&[0; 4000], "no file of Pentago sections");
        refused(&other, "it holds positions of 2 marbles, not of 3");
        for length in (1..whole.len()).step_by(97).chain([whole.len() - 1]) {
            refused(&whole[..length], "it is cut off");
        }
        let mut magic = whole.clone();
        magic[3] ^= 1;
        refused(&magic, "no file of Pentago sections");
        let mut version = whole.clone();
        version[20] = 4;
        refused(&version, "its version is 4, not 3");
        let mut unfinished = whole.clone();
        unfinished[32 + 24] = 0;
        refused(&unfinished, "never finished");
        let mut filter = whole.clone();
        filter[32 + 57] = 0;
        refused(&filter, "filter 0, not 1");
        // Of slice 3 the headers end at byte 627, and blocks follow.
        let mut block = whole.clone();
        block[900..910].fill(0x55);
        refused(&block, "damaged");
        let mut end = whole.clone();
        *end.last_mut().expect("no empty file") = 1;
        refused(&end, "which no block uses");
        fs::create_dir(folder.file("slice-0.pentago")).expect("a folder");
        let why = why_not(&folder).expect("a folder is no slice");
        assert_eq!(why, "cannot use slice-0.pentago: it is no file");
        fs::remove_dir(folder.file("slice-0.pentago")).expect("removed");
        // Other files, and files with only a similar name.
        let mut random = StdRng::seed_from_u64(2);
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..random.random_range(0..400))
                .map(|_| random.random())
                .collect();
            refused(&bytes, "");
        }
    }

    /// A changed byte is an error, except for a few bits that unpacking
    /// ignores.
    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn no_changed_byte_changes_a_value() {
        let source = folder();
        let whole = fs::read(source.join("slice-3.pentago")).expect("a slice");
        let mut random = StdRng::seed_from_u64(3);
        let boards: Vec<Board> = (0..100).map(|_| random_board(&mut random, 3)).collect();
        let values = |slices: &Slices| boards.iter().map(|b| value(slices, b)).collect::<Vec<_>>();
        let expected = values(&open(&source));
        let folder = Folder::new("slice-bytes");
        let mut harmless = 0;
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            folder.write("slice-3.pentago", &bytes);
            if let Ok(slices) = Slices::open(&folder.0) {
                assert_eq!(values(&slices), expected, "byte {at}");
                harmless += 1;
            }
        }
        println!("{harmless} of {} changes make no difference", whole.len());
        assert!(harmless < 50, "{harmless}");
    }

    /// Blocks that are read when needed, with memory for one or two of them,
    /// give the same values as blocks kept in memory; a damaged one gives none.
    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn large_slices_are_read_as_needed() {
        let source = folder();
        let kept = open(&source);
        let read = Slices::open_within(&source, 0, 50_000).expect("the same files");
        assert!(kept.at_hand(6) && read.has(6) && !read.at_hand(6) && !read.at_hand(0));
        let mut random = StdRng::seed_from_u64(5);
        let boards: Vec<Board> = (0..150).map(|_| random_board(&mut random, 6)).collect();
        for board in boards.iter().chain(&boards[..50]) {
            assert!(value(&kept, board).is_some());
            assert_eq!(value(&read, board), value(&kept, board));
        }
        let mut damaged = fs::read(source.join("slice-6.pentago")).expect("a slice");
        // After the headers; the indices are in the last tenth.
        for byte in damaged[6000..300_000].iter_mut().step_by(1000) {
            *byte = !*byte;
        }
        let folder = Folder::new("slice-large");
        folder.write("slice-6.pentago", &damaged);
        let read = Slices::open_within(&folder.0, 0, 50_000).expect("only blocks are damaged");
        let mut unknown = 0;
        for board in &boards {
            match value(&read, board) {
                None => unknown += 1,
                found => assert_eq!(found, value(&kept, board)),
            }
        }
        println!("{unknown} of 150 are unknown");
        assert!(unknown > 20, "{unknown}");
    }

    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn the_engine_answers_from_the_slices() {
        let folder = folder();
        let mut engine = without_opening();
        assert_eq!(engine.ask(&set(&folder)), [""; 0]);
        for go in ["go depth 1", "go nodes 1", "go movetime 50", "go infinite"] {
            engine.send(go);
            if go == "go infinite" {
                engine.send("stop");
            }
            let found = engine.receive_until("bestmove *");
            let proven = |l: &String| l.contains(" score mate 36 proven ");
            assert!(found.iter().any(proven), "{go}: {found:?}");
        }
        let all = values(&mut engine);
        assert_eq!(all.len(), 288);
        let count = |what| all.values().filter(|v| *v == what).count();
        assert_eq!((count("win36"), count("draw")), (192, 96));

        // A second move that draws is chosen after a first move that does.
        let draw = all
            .iter()
            .find(|(_, v)| *v == "draw")
            .expect("there are 96")
            .0;
        engine.send(&format!("position startpos moves {draw}"));
        engine.send("go depth 1");
        let found = engine.receive_until("bestmove *");
        let proven = |l: &String| l.contains(" score cp 0 proven ");
        assert!(found.iter().any(proven), "{found:?}");
        let best = found.last().and_then(|l| l.strip_prefix("bestmove "));
        let best = best.expect("a move").to_string();
        assert_eq!(values(&mut engine)[&best], "draw");

        // With six marbles the next slice is missing.
        engine.send("position fen b5/1r4/2b3/3r2/4b1/5r b");
        engine.send("go depth 2");
        let found = engine.receive_until("bestmove *");
        assert!(!found.iter().any(|l| l.contains("proven")), "{found:?}");
        assert!(values(&mut engine).values().all(|v| v == "?"));

        // Off again; the opening is off all the time.
        engine.send("setoption name Pentago.SlicePath value");
        engine.send("position startpos");
        assert!(values(&mut engine).values().all(|v| v == "?"));
    }

    /// If the slice for the next move is missing, the search finds the one for
    /// the move after it.
    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pentago_slices -- --ignored"]
    fn the_search_finds_the_slices() {
        let source = folder();
        let folder = Folder::new("slice-search");
        let slice = fs::read(source.join("slice-2.pentago")).expect("a slice");
        folder.write("slice-2.pentago", &slice);
        let mut engine = without_opening();
        assert_eq!(engine.ask(&set(&folder.0)), [""; 0]);
        engine.send("go depth 2");
        let found = engine.receive_until("bestmove *");
        let proven = |l: &String| l.contains(" score mate 36 proven ");
        assert!(found.iter().any(proven), "{found:?}");
    }
}

/// Measures the time of a lookup.
#[test]
#[ignore = "prints times; needs shared/oracle: cargo test --release --test pentago_slices lookups -- --ignored --nocapture"]
fn lookups_take_this_long() {
    let folder = folder();
    let start = Instant::now();
    let kept = open(&folder);
    println!("all opened in {:?}", start.elapsed());
    let start = Instant::now();
    let read = Slices::open_within(&folder, 0, 64 << 20).expect("the same files");
    println!("their indices in {:?}", start.elapsed());
    let mut random = StdRng::seed_from_u64(4);
    let boards: Vec<Board> = (0..1000).map(|_| random_board(&mut random, 6)).collect();
    let time = |what: &str, slices: &Slices, times: usize| {
        let start = Instant::now();
        for board in boards.iter().take(times.min(1000)).cycle().take(times) {
            assert!(value(slices, board).is_some());
        }
        println!("{what}: {:?}", start.elapsed() / times as u32);
    };
    time("kept", &kept, 1_000_000);
    time("kept", &kept, 1_000_000);
    time("read for the first time, mostly", &read, 100);
    time("read before", &read, 100);
    time("read before", &read, 100);
}
