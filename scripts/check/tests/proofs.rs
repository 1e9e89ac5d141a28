//! What the prover proves, the checker accepts; what is not so, nobody proves.
//!
//! Positions at random are proven and compared with a plain search of all
//! moves; certificates are damaged, and put to other claims.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use quintet::internals::board::Setup;
use quintet::internals::control::Control;
use quintet::internals::game::Game;
use quintet::internals::games::{
    dagennacht::DagEnNacht, gomoku::Gomoku, pentago::Pentago, pente::Pente, teeko::Teeko,
};
use quintet::internals::options::{OptionValue, OptionValues, find};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::prover::{
    Books, Claim, HEAD_START, Heading, Question, Verdict, Wins, prove,
};
use quintet::internals::zobrist;
use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("quintet-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The rules `NAME VALUE …` of a game, as `newgame` takes them, and boards that are too
/// small for it.
fn rules<G: Game>(text: &str) -> OptionValues {
    let mut values = OptionValues::defaults(G::OPTIONS);
    let words: Vec<&str> = text.split_whitespace().collect();
    for pair in words.chunks(2) {
        let spec = find(G::OPTIONS, pair[0]).expect("an option");
        let small = || OptionValue::Spin(pair[1].parse().expect("a number"));
        values.set(spec, spec.read(pair[1]).unwrap_or_else(|_| small()));
    }
    values
}

/// The game's own words for rules may differ in what they leave out; these are
/// what the checker reads.
fn question<G: Game>(text: &str, position: &G::Position) -> Question<G> {
    Question {
        position: position.clone(),
        rules: rules::<G>(text),
        player: position.side_to_move(),
        claim: None,
        nodes: Some(300_000),
        time: None,
        memory: 8,
        threads: 1,
        head_start: HEAD_START,
        zones: false,
        certificate: None,
        resume: None,
        guide: None,
        books: Books::default(),
        heading: Heading {
            rules: format!("{} {text}", G::NAME).trim().to_string(),
            position: G::setup(position).write_fen(&G::SIDES, G::EXTRA),
        },
    }
}

fn answer<G: Game>(question: &Question<G>) -> Verdict {
    let control = Control::default();
    prove(question, &control, &mut |_| {})
        .expect("memory")
        .verdict
}

/// What the checker says of these files, a line for each proof.
fn check(files: &[PathBuf]) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_quintet-check"))
        .args(files)
        .output()
        .expect("the checker runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "the checker failed: {code:?}");
    let failed = text
        .lines()
        .find(|line| line.contains("the checker failed"));
    assert_eq!(failed, None);
    let lines: Vec<String> = text.lines().map(str::to_string).collect();
    let proven = lines.iter().all(|line| line.contains(": proven, "));
    assert_eq!(output.status.success(), proven && !lines.is_empty());
    lines
}

/// The value for the side to move, 1, 0 or -1, by trying all moves.
fn negamax<P: Position>(position: &mut P, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome {
            Outcome::Draw => 0,
            Outcome::Win(side) if side == position.side_to_move() => 1,
            Outcome::Win(_) => -1,
        };
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut best = -1;
    for m in moves {
        let undo = position.play(m);
        best = best.max(-negamax(position, known));
        position.undo(m, undo);
        if best == 1 {
            break;
        }
    }
    known.insert(position.key(), best);
    best
}

/// Random numbers by seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 += 1;
        (zobrist::key(self.0) >> 16) as usize % n
    }
}

/// A position after so many random moves; `None` if the game is over.
fn random<G: Game>(rules: &OptionValues, plies: usize, chance: &mut Chance) -> Option<G::Position> {
    let mut position = G::start(rules).expect("rules");
    for _ in 0..plies {
        let mut moves: Vec<Move> = Vec::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        position.play(moves[chance.below(moves.len())]);
    }
    position.outcome().is_none().then_some(position)
}

/// Proves positions with so many plies played at random, compares the verdicts
/// with a plain search, and has the certificates checked. Returns how many
/// positions there were, and how many claims to block.
fn agree<G: Game>(text: &str, plies: std::ops::Range<usize>, count: usize) -> (usize, usize) {
    let folder = Folder::new(&format!("agree-{}-{}", G::NAME, text.replace(' ', "-")));
    let mut chance = Chance(text.len() as u64 * 1000);
    let values = rules::<G>(text);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut known = HashMap::new();
    while files.len() < count {
        let plies = plies.start + chance.below(plies.len());
        let Some(mut position) = random::<G>(&values, plies, &mut chance) else {
            continue;
        };
        let file = folder.file(&files.len().to_string());
        let verdict = answer(&Question {
            certificate: Some(file.clone()),
            // Every third one by blocking, and with zones, where that is
            // possible.
            head_start: (files.len() as u64 % 3).min(1) * HEAD_START,
            zones: files.len() % 3 == 1,
            // It is made anew for each of them.
            memory: 2,
            // A guide changes no answer, wherever it leads.
            guide: (files.last()).and_then(|last| Wins::read::<G>(last, &values).ok()),
            ..question::<G>(text, &position)
        });
        let expected = match negamax(&mut position, &mut known) {
            1 => Verdict::Win,
            0 => Verdict::Draw,
            _ => Verdict::Loss,
        };
        let fen = G::setup(&position).write_fen(&G::SIDES, G::EXTRA);
        assert_eq!(verdict, expected, "{text}: {fen}");
        files.push(file);
    }
    let lines = check(&files);
    for line in &lines {
        assert!(line.contains(": proven, "), "{line}");
    }
    assert!(lines.len() >= files.len());
    let blocks = lines.iter().filter(|line| line.contains(" blocks: "));
    (files.len(), blocks.count())
}

#[test]
fn random_positions_agree_with_a_plain_search() {
    let (mut count, mut blocked) = (0, 0);
    for (text, plies) in [
        ("width 3 height 3 line 3", 0..5),
        ("width 4 height 3 line 3", 0..6),
        ("width 3 height 4 line 3 rule standard", 1..6),
        ("width 4 height 4 line 4", 6..10),
        ("width 4 height 3 line 3 tie full", 1..5),
        ("width 5 height 4 line 4", 10..15),
        ("width 4 height 5 line 4 rule standard", 10..15),
        ("width 5 height 3 line 3", 2..6),
        ("width 5 height 4 line 3", 2..9),
    ] {
        let (positions, blocks) = agree::<Gomoku>(text, plies, 300);
        count += positions;
        blocked += blocks;
    }
    assert!(blocked >= 100, "{blocked}");
    count += agree::<Pentago>("", 33..35, 100).0;
    assert_eq!(count, 2800);
}

/// Late positions of Dag en Nacht on 5 x 5, where zones leave out replies and the stones
/// run out: what is won, and nothing else, is proven to be.
#[test]
fn wins_of_small_boards_of_dag_en_nacht_agree_with_a_plain_search() {
    let folder = Folder::new("wins-5");
    let mut files = Vec::new();
    for text in ["size 5", "size 5 restriction true"] {
        let (mut chance, mut known) = (Chance(text.len() as u64), HashMap::new());
        let values = rules::<DagEnNacht>(text);
        let (mut wins, mut others) = (0, 0);
        while wins < 60 {
            let plies = 22 + chance.below(8);
            let Some(mut position) = random::<DagEnNacht>(&values, plies, &mut chance) else {
                continue;
            };
            let file = folder.file(&files.len().to_string());
            let verdict = answer(&Question {
                claim: Some(Claim::Win),
                nodes: Some(20_000),
                certificate: Some(file.clone()),
                ..question::<DagEnNacht>(text, &position)
            });
            assert_eq!(file.exists(), verdict != Verdict::Unknown);
            match verdict {
                Verdict::Unknown => continue,
                Verdict::Win => wins += 1,
                _ => others += 1,
            }
            files.push(file);
            let won = negamax(&mut position, &mut known) == 1;
            let fen = DagEnNacht::setup(&position).write_fen(&DagEnNacht::SIDES, DagEnNacht::EXTRA);
            assert_eq!(verdict == Verdict::Win, won, "{text}: {fen}");
        }
        assert!(others >= 30, "{text}: {others}");
    }
    for line in check(&files) {
        assert!(line.contains(": proven, "), "{line}");
    }
}

/// Plays on from positions of games whose trees are too large for a plain
/// search, and compares only what is won within three plies.
fn agree_on_short_wins<G: Game>(text: &str, plies: usize, count: usize) {
    let folder = Folder::new(&format!("short-{}-{}", G::NAME, text.replace(' ', "-")));
    let mut chance = Chance(7);
    let values = rules::<G>(text);
    let mut files = Vec::new();
    let mut short = 0;
    for n in 0..2 * count {
        let Some(position) = random::<G>(&values, plies, &mut chance) else {
            continue;
        };
        let file = folder.file(&n.to_string());
        let verdict = answer(&Question {
            claim: Some(Claim::Win),
            nodes: Some(5_000),
            certificate: Some(file.clone()),
            ..question::<G>(text, &position)
        });
        if wins_within(&mut position.clone(), 3) {
            assert_eq!(verdict, Verdict::Win, "{text}: {}", n);
            short += 1;
        }
        assert_eq!(file.exists(), verdict != Verdict::Unknown);
        if file.exists() {
            files.push(file);
        }
    }
    println!(
        "{} {text}: {short} short wins, {} files",
        G::NAME,
        files.len()
    );
    assert!(short > 0 && files.len() >= count / 4, "{text}: {short}");
    for line in check(&files) {
        assert!(line.contains(": proven, "), "{line}");
    }
}

fn wins_within<P: Position>(position: &mut P, plies: u32) -> bool {
    let side = position.side_to_move();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().any(|m| {
        let undo = position.play(m);
        let won = match position.outcome() {
            Some(outcome) => outcome == Outcome::Win(side),
            None => plies > 2 && loses_within(position, plies - 1),
        };
        position.undo(m, undo);
        won
    })
}

fn loses_within<P: Position>(position: &mut P, plies: u32) -> bool {
    let winner = position.side_to_move().other();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().all(|m| {
        let undo = position.play(m);
        let lost = match position.outcome() {
            Some(outcome) => outcome == Outcome::Win(winner),
            None => wins_within(position, plies - 1),
        };
        position.undo(m, undo);
        lost
    })
}

#[test]
fn short_wins_of_the_other_games_are_proven_and_checked() {
    agree_on_short_wins::<DagEnNacht>("size 11", 40, 4);
    agree_on_short_wins::<DagEnNacht>("size 11 restriction true back true", 40, 4);
    agree_on_short_wins::<Teeko>("", 9, 12);
    agree_on_short_wins::<Teeko>("variant advanced centre false", 9, 12);
    agree_on_short_wins::<Pentago>("", 24, 4);
    agree_on_short_wins::<Pente>("size 9 tournament false", 20, 4);
    agree_on_short_wins::<Pente>("size 9 tournament false variant keryo", 20, 4);
    agree_on_short_wins::<Pente>("size 9 tournament false variant poof", 20, 4);
    agree_on_short_wins::<Pente>("size 9 tournament false variant boat", 20, 4);
    agree_on_short_wins::<Pente>("size 9 tournament false variant o", 20, 4);
}

/// A position that is its own image has several zones, as it may come back turned.
#[test]
fn wins_from_positions_that_are_their_own_images_are_proven_and_checked() {
    let folder = Folder::new("images");
    let values = rules::<Gomoku>("size 9");
    let fens = [
        "9/9/9/3bwb3/3w1w3/3bwb3/9/9/9 b",
        "2w3w2/4w4/w1bb1bb1w/2b3b2/1w5w1/2b3b2/w1bb1bb1w/4w4/2w3w2 b",
        "3w1w3/9/2b3b2/w3b3w/3b1b3/w3b3w/2b3b2/9/3w1w3 b",
        "2w3w2/2b3b2/wb5bw/9/9/9/wb5bw/2b3b2/2w3w2 b",
    ];
    let mut engine = quintet::Engine::open("gomoku", &[("size", "9")]).expect("a game");
    for (number, fen) in fens.iter().enumerate() {
        let dimensions = Gomoku::dimensions(&values);
        let setup = Setup::read_fen(dimensions, &Gomoku::SIDES, Gomoku::EXTRA, fen);
        let position = Gomoku::set_up(&values, &setup.expect("a FEN")).expect("a position");
        let file = folder.file(&format!("{number}.proof"));
        let verdict = answer(&Question {
            claim: Some(Claim::Win),
            certificate: Some(file.clone()),
            ..question::<Gomoku>("size 9", &position)
        });
        assert_eq!(verdict, Verdict::Win, "{fen}");
        for line in check(&[file]) {
            assert!(line.contains(": black wins: proven, "), "{line}");
        }
    }
    // So does the engine.
    let path = folder.0.to_str().expect("text");
    engine.set_option("ProofPath", path).expect("a folder");
    for (number, fen) in fens.iter().enumerate() {
        engine.set_fen(fen).expect("a position");
        let limits = quintet::Limits {
            depth: Some(1),
            ..quintet::Limits::default()
        };
        let notes = engine.search(&limits).expect("a search").notes;
        let known = format!("known from the proof {number}.proof");
        let found = notes.iter().any(|note| note.starts_with(&known));
        assert!(found, "{known}: {notes:?}");
    }
}

/// That the side to move cannot win takes a hundred times as long to show in these as
/// that the other side does.
#[test]
fn a_lost_position_is_known_to_be_lost_as_soon_as_the_win_is_found() {
    fn lost<G: Game>(text: &str, moves: &str) {
        let mut position = G::start(&rules::<G>(text)).expect("rules");
        for m in moves.split(' ') {
            position.play(G::read_move(&position, m).expect("a move"));
        }
        let folder = Folder::new(&format!("lost-{}", G::NAME));
        let file = folder.file("lost");
        let asked = Question {
            nodes: Some(12_000),
            certificate: Some(file.clone()),
            ..question::<G>(text, &position)
        };
        assert_eq!(answer(&asked), Verdict::Loss, "{text}: {moves}");
        let checked = check(&[file]);
        assert_eq!(checked.len(), 1, "{checked:?}");
        assert!(checked[0].contains(" wins: proven, "), "{checked:?}");
    }
    lost::<Gomoku>("", "h7 e5 k6 e8 k3 g7 k4 k5 j5 i6 i4");
    lost::<DagEnNacht>("size 11", "e8 g4 f5 h5 h3 i6 e6 f7 d7 d9 d7-e7");
    lost::<Pente>(
        "",
        "k10 n13 l14 l9 n16 n11 n14 m10 o12 n9 m15 k13 m14 k14 m16 k8 j7 n12 n10",
    );
}

/// Strategies of one entry: a move that ends the game, in place of the threat that the
/// prover writes.
fn agree_on_winning_moves<G: Game>(text: &str, plies: usize, count: usize) {
    let folder = Folder::new(&format!("winning-{}", G::NAME));
    let mut chance = Chance(9);
    let values = rules::<G>(text);
    let mut files = Vec::new();
    while files.len() < count {
        let Some(position) = random::<G>(&values, plies, &mut chance) else {
            continue;
        };
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let side = position.side_to_move();
        let wins = |m: &Move| {
            let mut position = position.clone();
            position.play(*m);
            position.outcome() == Some(Outcome::Win(side))
        };
        let Some(m) = moves.into_iter().rfind(wins) else {
            continue;
        };
        let file = folder.file(&files.len().to_string());
        let asked = Question {
            certificate: Some(file.clone()),
            ..question::<G>(text, &position)
        };
        assert_eq!(answer(&asked), Verdict::Win);
        let inside = unpack(&file);
        let bytes = inside.windows(7).position(|w| w == b"\nbytes ");
        let mut written = inside[..bytes.expect("a head")].to_vec();
        let number = m.code() + 3;
        let [low, high] = [(number % 128) as u8 | 128, (number / 128) as u8];
        written.extend([b"\nbytes 2\n\n".as_slice(), &[low, high]].concat());
        pack(&file, &written);
        files.push(file);
    }
    for line in check(&files) {
        assert!(line.contains(": proven, "), "{line}");
    }
}

#[test]
fn a_move_that_ends_the_game_is_a_strategy() {
    agree_on_winning_moves::<Gomoku>("size 15", 60, 4);
    agree_on_winning_moves::<Pente>("size 9 tournament false", 20, 4);
    agree_on_winning_moves::<DagEnNacht>("size 11", 40, 4);
    agree_on_winning_moves::<Teeko>("", 9, 12);
    agree_on_winning_moves::<Pentago>("", 24, 4);
}

/// White is to answer moves that threaten nothing, where a pass guides the search:
/// if it settled anything, a line of the proof would fail.
#[test]
fn a_win_of_dag_en_nacht_by_quiet_moves_is_proven_and_checked() {
    let text = "size 11";
    let mut position = DagEnNacht::start(&rules::<DagEnNacht>(text)).expect("rules");
    for m in "g6 f7 h5 g4 i6 h7 j7 j5 i8 j9 h9 k6".split(' ') {
        position.play(DagEnNacht::read_move(&position, m).expect("a move"));
    }
    let folder = Folder::new("quiet");
    let file = folder.file("proof");
    let verdict = answer(&Question {
        claim: Some(Claim::Win),
        nodes: Some(20_000),
        certificate: Some(file.clone()),
        ..question::<DagEnNacht>(text, &position)
    });
    assert_eq!(verdict, Verdict::Win);
    let lines = check(&[file]);
    assert!(lines[0].contains(": black wins: proven, "), "{lines:?}");
}

/// The known values of small boards.
#[test]
fn the_lower_steps_of_the_ladder() {
    use Verdict::{Draw, Win};
    let folder = Folder::new("ladder");
    for (width, height, line, expected) in [
        (3, 3, 3, Draw),
        (4, 3, 3, Win),
        (4, 4, 3, Win),
        (4, 4, 4, Draw),
        (5, 4, 4, Draw),
        (5, 5, 4, Draw),
        (6, 4, 4, Draw),
        (6, 5, 4, Win),
        (5, 5, 5, Draw),
        (6, 6, 5, Draw),
    ] {
        let text = format!("width {width} height {height} line {line}");
        let start = Gomoku::start(&rules::<Gomoku>(&text)).expect("rules");
        let file = folder.file("proof");
        let verdict = answer(&Question {
            certificate: Some(file.clone()),
            ..question::<Gomoku>(&text, &start)
        });
        assert_eq!(verdict, expected, "{text}");
        for line in check(&[file]) {
            assert!(line.contains(": proven, "), "{line}");
        }
    }
}

/// With several threads as with one: the same verdicts, and certificates that hold.
#[test]
fn threads_agree() {
    let folder = Folder::new("threads");
    let file = folder.file("proof");
    let proven =
        |lines: Vec<String>| assert!(lines.iter().all(|l| l.contains(": proven, ")), "{lines:?}");
    for (text, expected) in [
        ("width 6 height 5 line 4", Verdict::Win),
        ("width 5 height 5 line 4", Verdict::Draw),
        ("width 7 height 4 line 4", Verdict::Draw),
    ] {
        let start = Gomoku::start(&rules::<Gomoku>(text)).expect("rules");
        // Zones are for wins.
        for (threads, zones) in [(2, false), (3, expected == Verdict::Win), (8, false)] {
            let asked = Question {
                threads,
                zones,
                certificate: Some(file.clone()),
                ..question::<Gomoku>(text, &start)
            };
            assert_eq!(answer(&asked), expected, "{text}, {threads} threads");
            proven(check(std::slice::from_ref(&file)));
        }
    }
    // Where positions can come back.
    let text = "size 11 back true";
    let mut position = DagEnNacht::start(&rules::<DagEnNacht>(text)).expect("rules");
    for m in "g6 f7 h5 g4 i6 h7 j7 j5 i8 j9 h9 k6".split(' ') {
        position.play(DagEnNacht::read_move(&position, m).expect("a move"));
    }
    let asked = Question {
        claim: Some(Claim::Win),
        threads: 3,
        certificate: Some(file.clone()),
        ..question::<DagEnNacht>(text, &position)
    };
    assert_eq!(answer(&asked), Verdict::Win);
    proven(check(std::slice::from_ref(&file)));
}

/// Where the table is too small by far, what it forgets is searched again.
#[test]
fn a_small_table_suffices() {
    let text = "width 7 height 4 line 4";
    let start = Gomoku::start(&rules::<Gomoku>(text)).expect("rules");
    let asked = Question {
        memory: 1,
        nodes: Some(5_000_000),
        ..question::<Gomoku>(text, &start)
    };
    assert_eq!(answer(&asked), Verdict::Draw);
}

/// Five in a row on 8 x 7 and 8 x 8 is a draw, because both players can block.
#[test]
#[ignore = "takes half an hour: cargo test --release -p quintet-check --test proofs eight -- --ignored"]
fn eight_by_seven_and_eight_by_eight_are_draws() {
    let folder = Folder::new("eight");
    for (text, memory) in [
        ("width 8 height 7 line 5", 256),
        ("width 8 height 8 line 5", 4096),
    ] {
        let start = Gomoku::start(&rules::<Gomoku>(text)).expect("rules");
        let file = folder.file(text);
        let asked = Question {
            memory,
            nodes: None,
            certificate: Some(file.clone()),
            ..question::<Gomoku>(text, &start)
        };
        assert_eq!(answer(&asked), Verdict::Draw);
        let checked = check(&[file]);
        assert_eq!(checked.len(), 2, "{checked:?}");
        for (line, player) in checked.iter().zip(["white", "black"]) {
            let holds = [" holds: proven, ", " blocks: proven, "];
            assert!(
                holds.iter().any(|h| line.contains(&format!("{player}{h}"))),
                "{line}"
            );
        }
    }
}

/// Proofs of the positions after all replies to a first move are together one from
/// the start of the game; if one of them is missing, or is about other rules or
/// another claim, they are not.
#[test]
fn proofs_of_all_replies_are_one_of_the_start() {
    let folder = Folder::new("together");
    let part = |text: &str, claim, first: &str, reply: &str| {
        let mut position = Gomoku::start(&rules::<Gomoku>(text)).expect("rules");
        for m in [first, reply] {
            position.play(Gomoku::read_move(&position, m).expect("a move"));
        }
        let file = folder.file(&format!("{}-{reply}", text.replace(' ', "-")));
        answer(&Question {
            claim: Some(claim),
            certificate: Some(file.clone()),
            ..question::<Gomoku>(text, &position)
        });
        file
    };
    // After `c3` all is said by 29 replies; the win takes longer than the checker looks.
    let won = "width 6 height 5 line 4";
    let cells = (b'a'..=b'f').flat_map(|column| (1..=5).map(move |row| (char::from(column), row)));
    let names = cells.map(|(column, row)| format!("{column}{row}"));
    let replies = names.filter(|name| name != "c3");
    let mut parts: Vec<PathBuf> = replies.map(|r| part(won, Claim::Win, "c3", &r)).collect();
    let together = |files: &[PathBuf]| {
        let mut with_option = vec![PathBuf::from("--together")];
        with_option.extend_from_slice(files);
        check(&with_option).pop().expect("a last line")
    };
    let all = "together: gomoku width 6 height 5 line 4: black wins: proven, 2 plies on";
    assert_eq!(together(&parts), all);
    // The mirror image of a reply will do in its place, one of other rules will not.
    let last = parts.pop().expect("a part");
    assert_eq!(together(&parts), all);
    let mirrored = parts
        .iter()
        .position(|p| p.ends_with("width-6-height-5-line-4-f1"));
    parts.remove(mirrored.expect("a part"));
    let missing = together(&parts);
    assert!(missing.starts_with("together: NOT PROVEN: gomoku width 6 height 5 line 4: black"));
    parts.push(part("width 6 height 5 line 3", Claim::Win, "c3", "f1"));
    assert_eq!(together(&parts), missing);
    parts.push(last);
    assert_eq!(together(&parts), all);
    let held = "width 3 height 3 line 3";
    let parts = ["a1", "b1"].map(|reply| part(held, Claim::Draw, "b2", reply));
    let all = "together: gomoku width 3 height 3 line 3: black holds: proven, 2 plies on";
    assert_eq!(together(&parts), all);
    // A file that is damaged adds nothing.
    fs::write(&parts[1], "nothing").expect("a file");
    assert!(together(&parts).starts_with("together: NOT PROVEN: "));
}

/// What was accepted and recorded is not tried again; what is not in the record,
/// or is only half of a line, is.
#[test]
fn a_recorded_proof_is_known_again() {
    let folder = Folder::new("record");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
    let proof = folder.file("a.proof");
    fs::copy(kept.join("gomoku-6-5-4.proof"), &proof).expect("a copy");
    let record = folder.file("record");
    let with_record = |proof: &Path| {
        let words = [Path::new("--record"), &record, proof];
        check(&words.map(Path::to_path_buf)).pop().expect("a line")
    };
    let first = with_record(&proof);
    assert!(first.contains(": proven, "), "{first}");
    let line = fs::read_to_string(&record).expect("a record");
    assert_eq!(with_record(&proof), first);
    assert_eq!(fs::read_to_string(&record).expect("a record"), line);
    // The number of positions tells whether the record was believed.
    let fields: Vec<&str> = line.splitn(3, ' ').collect();
    let noted = format!("{} 7 {}", fields[0], fields[2]);
    fs::write(&record, &noted).expect("a record");
    assert!(with_record(&proof).ends_with(": proven, 7 positions"));
    for damaged in [
        noted[..noted.len() - 3].to_string(),
        noted[1..].to_string(),
        noted.replace(" 7 ", " x "),
        "\0\n\n".to_string(),
    ] {
        fs::write(&record, &damaged).expect("a record");
        assert_eq!(with_record(&proof), first, "{damaged}");
        let now = fs::read_to_string(&record).expect("a record");
        assert!(now.ends_with(&format!("\n{line}")), "{now}");
        assert_eq!(with_record(&proof), first, "{damaged}");
    }
    // A proof of other bytes is another proof, and a refused one is not noted.
    let before = fs::read_to_string(&record).expect("a record");
    let other = folder.file("b.proof");
    fs::write(&other, "nothing").expect("a file");
    assert!(with_record(&other).contains("NOT PROVEN"));
    assert_eq!(fs::read_to_string(&record).expect("a record"), before);
}

/// The proofs in the table of the prover's page.
#[test]
fn the_proofs_that_are_kept_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
    let entries = fs::read_dir(folder).expect("a folder");
    let files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    let lines = check(&files);
    assert!(lines.iter().all(|line| line.contains(": proven, ")));
    // Eleven draws, each with two proofs, and five wins.
    assert_eq!((files.len(), lines.len()), (16, 27));
}

/// Proofs of Black's win on 6 x 5 with four in a row, of the draw on 5 x 5, of
/// the draw on 7 x 6 with five, by blocking, and of the first win again, with
/// zones: files and what is in them.
fn samples(folder: &Folder) -> Vec<(PathBuf, Vec<u8>)> {
    let texts = [
        ("width 6 height 5 line 4", HEAD_START, false),
        ("width 5 height 5 line 4", HEAD_START, false),
        ("width 7 height 6 line 5", 0, false),
        ("width 6 height 5 line 4", HEAD_START, true),
    ];
    texts
        .iter()
        .map(|&(text, head_start, zones)| {
            let start = Gomoku::start(&rules::<Gomoku>(text)).expect("rules");
            let file = folder.file(&format!("{}-{zones}", text.replace(' ', "-")));
            answer(&Question {
                certificate: Some(file.clone()),
                head_start,
                zones,
                ..question::<Gomoku>(text, &start)
            });
            (file.clone(), unpack(&file))
        })
        .collect()
}

fn unpack(path: &Path) -> Vec<u8> {
    let mut inside = Vec::new();
    let packed = fs::File::open(path).expect("a file");
    let read = GzDecoder::new(packed).read_to_end(&mut inside);
    read.expect("gzip");
    inside
}

fn pack(path: &Path, inside: &[u8]) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(inside).expect("memory");
    fs::write(path, encoder.finish().expect("memory")).expect("a file");
}

fn none_is_accepted(files: &[PathBuf]) {
    // A file may hold two proofs, of which the first is whole.
    let lines = check(files);
    let refused = lines.iter().filter(|l| l.contains(": NOT PROVEN: "));
    assert_eq!(refused.count(), files.len());
}

#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new("damaged");
    let mut chance = Chance(1);
    let mut files = Vec::new();
    for (file, inside) in samples(&folder) {
        let whole = fs::read(&file).expect("a file");
        let mut n = 0;
        while n < 500 {
            let mut bytes = whole.clone();
            match n % 3 {
                0 => bytes.truncate(chance.below(whole.len())),
                1 => {
                    let at = chance.below(whole.len());
                    bytes.remove(at);
                }
                // The first ten bytes are gzip's own; it ignores some of them.
                _ => bytes[10 + chance.below(whole.len() - 10)] ^= 1 << chance.below(8),
            }
            // The last bits of a compressed block may say nothing.
            let mut unpacked = Vec::new();
            let read = GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked);
            if read.is_ok() && unpacked == inside {
                continue;
            }
            n += 1;
            let damaged = folder.file(&format!("{}", files.len()));
            fs::write(&damaged, bytes).expect("a file");
            files.push(damaged);
        }
    }
    assert_eq!(files.len(), 2000);
    none_is_accepted(&files);
}

/// Strategies for claims that are false, in files that are whole: of other
/// players, positions and rules, with bytes changed at random.
#[test]
fn forged_certificates_are_refused() {
    let folder = Folder::new("forged");
    let mut chance = Chance(2);
    let mut files = Vec::new();
    let swap = |inside: &[u8], old: &str, new: &str| -> Vec<u8> {
        let at = inside.windows(old.len()).position(|w| w == old.as_bytes());
        let at = at.expect("there");
        [&inside[..at], new.as_bytes(), &inside[at + old.len()..]].concat()
    };
    let all = samples(&folder);
    let (win, draw, blocks, zoned) = (&all[0].1, &all[1].1, &all[2].1, &all[3].1);
    for n in 0..2000 {
        let forged = match n % 10 {
            0 => swap(win, "claim black wins", "claim white wins"),
            1 => swap(win, "claim black wins", "claim white holds"),
            2 => swap(win, "6/6/6/6/6 b", "6/6/6/6/6 w"),
            3 => swap(draw, "claim white holds", "claim white wins"),
            4 => swap(blocks, "claim white blocks", "claim white wins"),
            // Where Black wins.
            5 => swap(
                &swap(blocks, "width 7 height 6 line 5", "width 6 height 5 line 4"),
                "7/7/7/7/7/7 b",
                "6/6/6/6/6 b",
            ),
            6 => swap(zoned, "claim black wins", "claim white holds"),
            7 => swap(zoned, "6/6/6/6/6 b", "6/6/6/6/6 w"),
            8 => swap(
                &swap(zoned, "width 6", "width 5"),
                "6/6/6/6/6 b",
                "5/5/5/5/5 b",
            ),
            // Nobody wins on five columns.
            _ => swap(
                &swap(win, "width 6", "width 5"),
                "6/6/6/6/6 b",
                "5/5/5/5/5 b",
            ),
        };
        let mut forged = forged;
        let start = forged
            .windows(2)
            .position(|w| w == b"\n\n")
            .expect("a head")
            + 2;
        for _ in 0..n / 70 {
            let at = start + chance.below(forged.len() - start);
            forged[at] = chance.below(256) as u8;
        }
        let file = folder.file(&format!("{n}"));
        pack(&file, &forged);
        files.push(file);
    }
    none_is_accepted(&files);
}

/// Gaps between stones so long that their sum comes round: cells would be counted more
/// than once, and the board be full too soon.
#[test]
fn positions_beyond_the_board_are_refused() {
    let folder = Folder::new("beyond");
    let back = format!("b{}", u64::MAX);
    let run = format!("{}b", back.repeat(14));
    let positions = [
        format!("4/4/4/{run}3 w"),
        "4/4/4/b18446744073709551619 w".to_string(),
        "4/4/4/5 w".to_string(),
        "4/4/4/99999999999999999999999999 w".to_string(),
    ];
    let mut files = Vec::new();
    for position in positions {
        let head = format!(
            "quintet-proof 1\nrules gomoku width 4 height 4 line 3 tie full\n\
             position {position}\nclaim white holds\nbytes 1\n\n"
        );
        let file = folder.file(&format!("{}", files.len()));
        pack(&file, &[head.as_bytes(), &[8]].concat());
        files.push(file);
    }
    none_is_accepted(&files);
}

/// Strategies of a claim to block with numbers changed at random, many of which
/// are no cells of the board: whatever the checker says of them, it says it.
#[test]
fn changed_blocking_strategies_are_answered() {
    let folder = Folder::new("changed");
    let mut chance = Chance(4);
    let blocks = &samples(&folder)[2].1;
    let start = blocks.windows(2).position(|w| w == b"\n\n");
    let start = start.expect("a head") + 2;
    let mut files = Vec::new();
    for n in 0..1000 {
        let mut changed = blocks.clone();
        for _ in 0..1 + n / 200 {
            let at = start + chance.below(changed.len() - start);
            changed[at] = 20 + chance.below(60) as u8;
        }
        let file = folder.file(&format!("{n}"));
        pack(&file, &changed);
        files.push(file);
    }
    let lines = check(&files);
    assert!(lines.len() >= files.len());
}

/// No certificate comes out for a win that is none.
#[test]
fn false_claims_are_not_proven() {
    let folder = Folder::new("false");
    let text = "width 4 height 4 line 4";
    let values = rules::<Gomoku>(text);
    let mut chance = Chance(3);
    let mut asked = 0;
    while asked < 200 {
        let Some(mut position) = random::<Gomoku>(&values, 5 + asked % 5, &mut chance) else {
            continue;
        };
        let value = negamax(&mut position, &mut HashMap::new());
        let player = position.side_to_move();
        // Not won by the player, or not held by the other side.
        let (player, claim) = match value {
            1 => (player.other(), Claim::Draw),
            _ => (player, Claim::Win),
        };
        let file = folder.file("proof");
        let verdict = answer(&Question {
            player,
            claim: Some(claim),
            certificate: Some(file.clone()),
            ..question::<Gomoku>(text, &position)
        });
        let refuted = match claim {
            Claim::Win => Verdict::NoWin,
            Claim::Draw => Verdict::Loss,
        };
        assert_eq!(verdict, refuted);
        let lines = check(&[file]);
        let name = Gomoku::SIDES[player.index()].name;
        let claimed = [format!(": {name} wins: "), format!(": {name} holds: ")];
        assert!(!lines[0].contains(&claimed[usize::from(claim == Claim::Draw)]));
        asked += 1;
    }
}

/// A search that is ended and resumed comes to the same verdict.
#[test]
fn a_search_is_resumed() {
    let folder = Folder::new("resume");
    let text = "width 5 height 5 line 4";
    let start = Gomoku::start(&rules::<Gomoku>(text)).expect("rules");
    let file = folder.file("saved");
    let whole = answer(&question::<Gomoku>(text, &start));
    let mut rounds = 0;
    let verdict = loop {
        rounds += 1;
        let verdict = answer(&Question {
            nodes: Some(1_000),
            resume: Some(file.clone()),
            ..question::<Gomoku>(text, &start)
        });
        if verdict != Verdict::Unknown {
            break verdict;
        }
        assert!(rounds < 100);
    };
    assert_eq!(verdict, whole);
    assert!(rounds > 1, "it was to be ended at least once");
    // A file of another position is refused.
    let other = Question {
        resume: Some(file),
        ..question::<Gomoku>(
            "width 4 height 4 line 4",
            &random::<Gomoku>(
                &rules::<Gomoku>("width 4 height 4 line 4"),
                1,
                &mut Chance(1),
            )
            .expect("a position"),
        )
    };
    assert!(prove(&other, &Control::default(), &mut |_| {}).is_err());
}

/// A position that needs the other side's pass to be set up.
#[test]
fn a_finished_game_is_its_own_proof() {
    let text = "width 3 height 3 line 3";
    let values = rules::<Gomoku>(text);
    let setup = Setup::read_fen(
        Gomoku::dimensions(&values),
        &Gomoku::SIDES,
        None,
        "bbb/3/3 w",
    );
    let over = Gomoku::set_up(&values, &setup.expect("a board")).expect("a position");
    let asked = question::<Gomoku>(text, &over);
    assert_eq!(answer(&asked), Verdict::Loss);
    let other = Question {
        player: Side::First,
        ..asked
    };
    assert_eq!(answer(&other), Verdict::Win);
}
