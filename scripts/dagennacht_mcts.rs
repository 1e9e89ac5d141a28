//! A plain Monte-Carlo tree search for Dag en Nacht, to measure the engine
//! against: UCB1 on averages (L. Kocsis and C. Szepesvári, "Bandit based
//! Monte-Carlo planning", 2006), one node a playout, playouts of uniformly random moves, the
//! most visited move at the end. It knows the rules and nothing else. It
//! speaks as much of the native protocol as `scripts/match.py` needs:
//!
//! `scripts/match.py --engine2 target/release/examples/dagennacht_mcts --newgame dagennacht --movetime 300`

use quintet::internals::board::Setup;
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::{Board, DagEnNacht};
use quintet::internals::options::{OptionValues, find};
use quintet::internals::position::{Move, Outcome, Position, Side};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// Plies of a playout after which it counts as a draw.
const PLAYOUT: usize = 400;
/// Weight of the unexplored.
const EXPLORATION: f64 = 1.0;
/// Nodes of the tree at most.
const NODES: usize = 2_000_000;

/// A move that has been tried or is waiting to be.
struct Node {
    mv: Option<Move>,
    /// Points of the side that made the move.
    score: f64,
    visits: f64,
    /// Index of the first child and their number; 0: none yet.
    children: (usize, usize),
}

impl Node {
    fn new(mv: Option<Move>) -> Node {
        Node {
            mv,
            score: 0.0,
            visits: 0.0,
            children: (0, 0),
        }
    }
}

/// Points of a result for a side.
fn points(outcome: Option<Outcome>, side: Side) -> f64 {
    match outcome {
        Some(Outcome::Win(winner)) => f64::from(u8::from(winner == side)),
        _ => 0.5,
    }
}

/// Plays random moves to the end.
fn playout(board: &mut Board, rng: &mut SmallRng, moves: &mut Vec<Move>) -> Option<Outcome> {
    for _ in 0..PLAYOUT {
        if board.outcome().is_some() {
            break;
        }
        moves.clear();
        board.moves(moves);
        board.play(moves[rng.random_range(0..moves.len())]);
    }
    board.outcome()
}

/// The move to play and how many playouts were made for it.
fn search(root: &Board, time: Duration, rng: &mut SmallRng) -> (Move, usize) {
    let began = Instant::now();
    let mut tree = vec![Node::new(None)];
    let mut moves = Vec::new();
    let mut count = 0;
    while began.elapsed() < time || count == 0 {
        let mut board = root.clone();
        let mut path = vec![(0, root.side_to_move().other())];
        let mut at = 0;
        loop {
            if board.outcome().is_some() {
                break;
            }
            if tree[at].children.1 == 0 {
                if (at > 0 && tree[at].visits == 0.0) || tree.len() > NODES {
                    break;
                }
                moves.clear();
                board.moves(&mut moves);
                // In random order, so that the first moves have no advantage.
                for i in (1..moves.len()).rev() {
                    moves.swap(i, rng.random_range(0..=i));
                }
                tree[at].children = (tree.len(), moves.len());
                tree.extend(moves.iter().map(|&m| Node::new(Some(m))));
            }
            let (first, number) = tree[at].children;
            let log = tree[at].visits.max(1.0).ln();
            let worth = |n: &Node| match n.visits {
                0.0 => f64::INFINITY,
                v => n.score / v + EXPLORATION * (log / v).sqrt(),
            };
            let mut best = first;
            for child in first..first + number {
                if worth(&tree[child]) > worth(&tree[best]) {
                    best = child;
                }
            }
            let mover = board.side_to_move();
            if let Some(m) = tree[best].mv {
                board.play(m);
            }
            path.push((best, mover));
            at = best;
        }
        let outcome = playout(&mut board, rng, &mut moves);
        for (node, side) in path {
            tree[node].visits += 1.0;
            tree[node].score += points(outcome, side);
        }
        count += 1;
    }
    let (first, number) = tree[0].children;
    let best = tree[first..first + number]
        .iter()
        .max_by(|a, b| a.visits.total_cmp(&b.visits))
        .and_then(|n| n.mv);
    let Some(best) = best else {
        panic!("the root has a move")
    };
    (best, count)
}

/// The position after a line `position …`.
fn position(rules: &OptionValues, words: &[&str]) -> Result<Board, String> {
    let cut = words.iter().position(|w| *w == "moves");
    let (base, played) = words.split_at(cut.unwrap_or(words.len()));
    let mut board = match base {
        ["fen", fen @ ..] => {
            let dimensions = DagEnNacht::dimensions(rules);
            let setup = Setup::read_fen(dimensions, &DagEnNacht::SIDES, None, &fen.join(" "))?;
            DagEnNacht::set_up(rules, &setup)?
        }
        _ => DagEnNacht::start(rules)?,
    };
    for text in played.iter().skip(1) {
        let m = DagEnNacht::read_move(&board, text)?;
        board.play(m);
    }
    Ok(board)
}

fn main() -> Result<(), String> {
    let mut rules = OptionValues::defaults(DagEnNacht::OPTIONS);
    let mut board = DagEnNacht::start(&rules)?;
    let mut rng = SmallRng::seed_from_u64(u64::from(std::process::id()));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            ["ugi"] => "id name Plain Monte-Carlo\nugiok".to_string(),
            ["isready"] => "readyok".to_string(),
            ["newgame", _, options @ ..] => {
                rules = OptionValues::defaults(DagEnNacht::OPTIONS);
                for pair in options.chunks_exact(2) {
                    if let Some(spec) = find(DagEnNacht::OPTIONS, pair[0]) {
                        rules.set(spec, spec.read(pair[1])?);
                    }
                }
                board = DagEnNacht::start(&rules)?;
                continue;
            }
            ["uginewgame"] => {
                board = DagEnNacht::start(&rules)?;
                continue;
            }
            ["position", rest @ ..] => {
                board = position(&rules, rest)?;
                continue;
            }
            ["query", "gameover"] => format!("response {}", board.outcome().is_some()),
            ["query", "p1turn"] => format!("response {}", board.side_to_move() == Side::First),
            ["query", "result"] => {
                let word = match board.outcome() {
                    None => "none",
                    Some(Outcome::Win(Side::First)) => "p1win",
                    Some(Outcome::Win(Side::Second)) => "p2win",
                    Some(Outcome::Draw) => "draw",
                };
                format!("response {word}")
            }
            ["go", limits @ ..] => {
                let time = limits.iter().skip_while(|w| **w != "movetime").nth(1);
                let time = time.and_then(|t| t.parse().ok()).unwrap_or(100);
                let (best, playouts) = search(&board, Duration::from_millis(time), &mut rng);
                format!(
                    "info depth 1 score cp 0 nodes {playouts}\nbestmove {}",
                    DagEnNacht::write_move(&board, best)
                )
            }
            ["quit"] => break,
            _ => continue,
        };
        println!("{answer}");
        std::io::stdout().flush().map_err(|e| e.to_string())?;
    }
    Ok(())
}
