//! The full search as a player of games whose moves cost so many nodes each.

use quintet::internals::control::Control;
use quintet::internals::game::Game;
use quintet::internals::limits::Limits;
use quintet::internals::options::OptionValues;
use quintet::internals::player::{Player, Report, Root};
use quintet::internals::position::{Move, Position};
use quintet::internals::search::AlphaBeta;
use quintet::internals::specialist::NoSpecialist;
use quintet::internals::value::{Value, is_sure};

/// The full search of a game that nothing knows exactly.
pub type Full<G> =
    AlphaBeta<<G as Game>::Position, <G as Game>::Evaluator, <G as Game>::Threats, NoSpecialist>;

/// What a search found.
pub struct Found {
    /// The move that it chooses.
    pub best: Move,
    /// The value of it that was reported last.
    pub value: Value,
    /// Whether that is proven.
    pub proven: bool,
    /// Whether some report was of a proven win; the last one need not be.
    pub won: bool,
}

/// Searches a position that these keys led to with so many nodes. The same
/// calls of a new player find the same.
pub fn search<P: Position>(
    player: &mut impl Player<P>,
    position: &P,
    history: &[u64],
    options: &OptionValues,
    nodes: u64,
) -> Found {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let root = Root {
        position: position.clone(),
        history: history.to_vec(),
        moves,
        all_moves: true,
        options: options.clone(),
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (mut value, mut proven, mut won) = (0, false, false);
    let choice = player.choose(&root, &limits, &Control::new(false, false), &mut |report| {
        if let Report::Iteration(line) = report {
            (value, proven) = (line.value, line.proven);
            won |= proven && is_sure(value) && value > 0;
        }
    });
    Found {
        best: choice.best,
        value,
        proven,
        won,
    }
}
