//! The checker's rules and the engine's agree on random games: legal moves,
//! boards, captures and ends, as moves are played and as positions are set up.

#![allow(dead_code)] // The checker's modules hold more than rules.

#[path = "../src/board.rs"]
mod board;
#[path = "../src/games.rs"]
mod games;
#[path = "../src/pente.rs"]
mod pente;

use board::{Board, End};
use quintet::internals::board::Setup;
use quintet::internals::game::Game;
use quintet::internals::games::{
    dagennacht::DagEnNacht, gomoku::Gomoku, pentago::Pentago, pente::Pente, teeko::Teeko,
};
use quintet::internals::options::{OptionValues, under_rules};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::zobrist;

/// Random numbers by seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 += 1;
        (zobrist::key(self.0) >> 16) as usize % n
    }
}

fn end<P: Position>(position: &P) -> Option<End> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Win(Side::First) => End::Win(1),
        Outcome::Win(Side::Second) => End::Win(2),
        Outcome::Draw => End::Draw,
    })
}

fn legal<P: Position>(position: &P) -> Vec<u32> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut codes: Vec<u32> = moves.iter().map(|m| u32::from(m.code())).collect();
    codes.sort_unstable();
    codes
}

/// Whether both are the same position, except for its end.
fn same(board: &Board, setup: &Setup) -> bool {
    let cells = setup.cells.iter().zip(&board.cells);
    let side = |side: Option<Side>| side.map_or(0, |side| side.index() as u8 + 1);
    let mut stones = cells.map(|(own, cell)| side(*own) == *cell);
    stones.all(|same| same)
        && side(Some(setup.turn)) == board.turn
        && setup.extra == board.captured
        && setup.occupied().count() == board.stones
}

/// What came up in some games.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    /// Wins by rows, wins by captures, draws.
    ends: [usize; 3],
    /// Wins of who had not moved last.
    suicides: usize,
    captures: usize,
    /// Moves after which their player had fewer stones than before.
    poofs: usize,
    /// Fives with which the game went on.
    standing: usize,
}

/// Plays games at random, though some moves are chosen for rows and captures,
/// and compares every position.
fn agree<G: Game>(text: &str, games: usize) -> Seen {
    let values: OptionValues = under_rules(G::NAME, G::OPTIONS, text).expect("rules");
    let rules = games::Game::read(format!("{} {text}", G::NAME).trim()).expect("rules");
    let mut chance = Chance(text.len() as u64 * 1000);
    let mut seen = Seen::default();
    for _ in 0..games {
        let mut position = G::start(&values).expect("rules");
        let fen = |p: &G::Position| G::setup(p).write_fen(&G::SIDES, G::EXTRA);
        let mut board = rules.position(&fen(&position)).expect("a position");
        while position.outcome().is_none() && seen.positions < 200_000 {
            let moves = rules.moves(&board);
            assert_eq!(moves, legal(&position), "{text}: {}", fen(&position));
            let mut mv = moves[chance.below(moves.len())];
            // What makes the longest row, or takes the most stones, among some.
            let wish = chance.below(4);
            if wish < 2 {
                let worth = |mv: &u32| {
                    let after = rules.play(&board, *mv);
                    match wish {
                        0 => longest(&after),
                        _ => after.captured.iter().sum::<u32>() as i32,
                    }
                };
                let any = (0..20).map(|_| moves[chance.below(moves.len())]);
                mv = any.max_by_key(worth).expect("some");
            }
            let before = board;
            position.play(Move::new(mv as u16));
            board = rules.play(&before, mv);
            seen.positions += 1;
            let at = fen(&position);
            assert!(same(&board, &G::setup(&position)), "{text}: {at}");
            assert_eq!(rules.end(&board), end(&position), "{text}: {at}");
            let again = rules.position(&at).map(|board| rules.end(&board));
            let theirs = G::set_up(&values, &G::setup(&position)).ok();
            assert_eq!(again, theirs.map(|p| end(&p)), "{text}: {at}");
            note(&mut seen, &before, &board, rules.end(&board));
            if seen.positions % 500 == 0 {
                break;
            }
        }
    }
    seen
}

fn note(seen: &mut Seen, before: &Board, after: &Board, end: Option<End>) {
    let mover = usize::from(before.turn);
    let gained = |player: usize| after.captured[player - 1] > before.captured[player - 1];
    seen.captures += usize::from(gained(mover));
    seen.poofs += usize::from(gained(3 - mover));
    let five = longest(after) >= 5;
    match end {
        None => seen.standing += usize::from(five),
        Some(End::Draw) => seen.ends[2] += 1,
        Some(End::Win(winner)) => {
            seen.ends[usize::from(!five)] += 1;
            seen.suicides += usize::from(usize::from(winner) != mover);
        }
    }
}

/// The longest row of either player.
fn longest(board: &Board) -> i32 {
    let stones = (0..board.size()).filter(|&cell| board.cells[cell] != 0);
    let rows = stones.flat_map(|cell| [0, 1, 2, 3].map(|d| board.row(cell, d)));
    rows.map(|(from, to)| to - from + 1).max().unwrap_or(0)
}

#[test]
fn the_variants_of_pente() {
    let played = |text: &str| {
        let seen = agree::<Pente>(text, 400);
        assert!(
            seen.positions > 4_000 && seen.captures > 400,
            "{text}: {seen:?}"
        );
        assert!(seen.ends[0] > 20, "{text}: {seen:?}");
        seen
    };
    for text in [
        "size 7 tournament false",
        "size 7 variant keryo tournament false",
        "size 19",
        "size 13 variant g",
    ] {
        let seen = played(text);
        assert_eq!((seen.poofs, seen.standing), (0, 0), "{text}: {seen:?}");
    }
    let poof = played("size 7 variant poof tournament false");
    assert!(poof.poofs > 400 && poof.suicides > 0, "{poof:?}");
    assert!(poof.ends[1] > 20 && poof.standing == 0, "{poof:?}");
    let boat = played("size 7 variant boat tournament false");
    assert!(boat.standing > 20 && boat.suicides > 0, "{boat:?}");
    let o = played("size 9 variant o tournament false");
    assert!(o.standing > 20 && o.suicides > 0 && o.poofs > 400, "{o:?}");
}

#[test]
fn the_other_games() {
    for text in [
        "width 7 height 6 line 4",
        "size 9",
        "size 8 line 5 rule standard",
        "size 5 line 4 tie full",
    ] {
        let seen = agree::<Gomoku>(text, 100);
        assert!(seen.ends[0] + seen.ends[1] > 5, "{text}: {seen:?}");
    }
    let night = ["size 11", "size 11 restriction true back true"];
    let seen = night.map(|text| agree::<DagEnNacht>(text, 10).positions);
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
    for text in ["", "variant advanced centre false"] {
        let seen = agree::<Teeko>(text, 100);
        assert!(seen.ends[0] + seen.ends[1] > 10, "{text}: {seen:?}");
    }
    let seen = agree::<Pentago>("", 50);
    assert!(seen.ends[0] > 10, "{seen:?}");
}
