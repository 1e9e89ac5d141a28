//! Games of Dag en Nacht: playing and replaying them.

use crate::chance::Chance;
use crate::openings::tried;
use crate::record::{Record, Step, values};
use crate::self_play::{Searcher, opening};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::{Board, DagEnNacht, Eval};
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::search::{Effort, ThreatSearch, Vcf};
use quintet::internals::value::is_sure;

/// Games longer than this are draws.
const LONGEST: usize = 150;
/// One in so many moves is random instead of the search's choice.
const ONE_RANDOM_IN: usize = 25;
/// An opening counts as level if the search value is below this, in centipawns.
const LEVEL: i32 = 300;

/// The rules of the next game.
fn rules(chance: &mut Chance) -> String {
    let size = [11, 15, 13, 11, 15][chance.below(5)];
    let restriction = chance.below(3) == 0;
    let back = chance.below(8) == 0;
    format!("size {size} restriction {restriction} back {back}")
}

/// Plays game number `number` of a seed with so many nodes a move and this value of
/// the option `Eval`.
///
/// # Errors
/// No opening is level.
pub fn play(
    player: &mut Searcher<DagEnNacht>,
    number: u64,
    nodes: u64,
    seed: u64,
    eval: &str,
) -> Result<Record, String> {
    let mut chance = Chance::of_game(seed, number);
    let rules = rules(&mut chance);
    let options = values::<DagEnNacht>(&format!("{rules} Eval {eval}"))?;
    let start = DagEnNacht::start(&options)?;
    player.forget();
    let (mut board, moves) = tried(|| {
        let (board, moves) = random_opening(&start, &mut chance);
        let is_level = board.outcome().is_none()
            && player.search(&board, &[], &options, nodes).value.abs() < LEVEL;
        is_level.then_some((board, moves))
    })?;
    player.forget();
    let mut steps = opening::<DagEnNacht>(start, &moves);
    let mut history = Vec::new();
    let outcome = loop {
        if let Some(outcome) = board.outcome() {
            break outcome;
        }
        if history.len() >= LONGEST {
            break Outcome::Draw;
        }
        let side = board.side_to_move();
        let found = player.search(&board, &history, &options, nodes);
        let mut played = (found.best, found.step::<DagEnNacht>(&board));
        if found.proven && is_sure(found.value) {
            steps.push(played.1);
            break Outcome::Win(if found.value > 0 { side } else { side.other() });
        }
        if chance.below(ONE_RANDOM_IN) == 0 {
            let m = random_move(&board, &mut chance);
            let text = DagEnNacht::write_move(&board, m);
            played = (m, Step { text, value: None });
        }
        steps.push(played.1);
        history.push(board.key());
        board.play(played.0);
    };
    Ok(Record {
        rules,
        outcome,
        steps,
        branches: Vec::new(),
    })
}

/// A few random moves, mostly not too far from each other, and the position
/// after them.
fn random_opening(start: &Board, chance: &mut Chance) -> (Board, Vec<Move>) {
    let mut board = start.clone();
    let mut moves = Vec::new();
    for _ in 0..2 + chance.below(6) {
        if board.outcome().is_some() {
            break;
        }
        let m = random_move(&board, chance);
        board.play(m);
        moves.push(m);
    }
    (board, moves)
}

fn random_move(board: &Board, chance: &mut Chance) -> Move {
    let mut near = Vec::new();
    Eval::new(board).candidates(board, &mut near);
    if chance.below(3) == 0 || near.len() < 4 {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        return moves[chance.below(moves.len())];
    }
    near[chance.below(near.len())].mv
}

/// Replays the moves of a game that the search chose where nobody wins by
/// threats found by a short search: `visit` gets the position, its evaluator,
/// the move, and the value that the search gave it.
///
/// # Errors
/// The record is not of a game of Dag en Nacht.
pub fn visit_quiet(
    game: &Record,
    mut visit: impl FnMut(&Board, &mut Eval, Move, i32),
) -> Result<(), String> {
    let mut threats = Vcf::default();
    game.replay::<DagEnNacht>(|board, m, value| {
        let mut eval = Eval::new(board);
        if let Some(value) = value
            && is_quiet(board, &mut eval, &mut threats)
        {
            visit(board, &mut eval, m, value);
        }
    })
}

/// Whether a short search finds no win by threats for either side.
fn is_quiet(board: &mut Board, eval: &mut Eval, threats: &mut Vcf) -> bool {
    if eval.urgency(board) != Urgency::Quiet {
        return false;
    }
    type Rows = <DagEnNacht as Game>::Threats;
    let mut on = ThreatSearch::<_, _, Rows>::new(board, eval, Effort::new(40));
    threats.search(&mut on, &mut Vec::new()).is_none()
}
