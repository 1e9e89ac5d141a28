//! Filled boards for games to begin on. Games of good play are decided early, so
//! a network that has learned from their positions alone misjudges full boards
//! on which nobody is winning.

use crate::self_play::Searcher;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::game::Game;
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Move, Position};
use quintet::internals::specialist::Specialist;
use quintet::internals::value::is_sure;

/// The nodes of a move.
const NODES: u64 = 50;
/// Those of a side that is behind by more centipawns than this.
const RESCUE_NODES: u64 = 500;
const BEHIND: i32 = 50;
/// A side that is ahead by as much takes one of so many of the likeliest moves.
const CARELESS: usize = 6;

/// Goes on from an opening up to so many plies: the side that is ahead is
/// careless, the other one takes pains, so neither wins for long. Ends where a
/// side is lost all the same. `below` returns a random number from 0 to one less
/// than it is given. For games in which no position comes back.
pub fn fill<G: Game, S: Specialist<G::Position>>(
    player: &mut Searcher<G, S>,
    options: &OptionValues,
    (position, moves): (&mut G::Position, &mut Vec<Move>),
    plies: usize,
    mut below: impl FnMut(usize) -> usize,
) {
    while moves.len() < plies && position.outcome().is_none() {
        let mut found = player.search(position, &[], options, NODES);
        if found.value < -BEHIND {
            found = player.search(position, &[], options, RESCUE_NODES);
            if is_sure(found.value) {
                return;
            }
        }
        let mut chosen = found.best;
        if found.value > BEHIND {
            let mut list = Vec::new();
            G::Evaluator::new(position).candidates(position, &mut list);
            list.sort_by_key(|known| (-known.order, known.mv));
            chosen = list[below(list.len().min(CARELESS))].mv;
        }
        position.play(chosen);
        moves.push(chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::record::values;
    use quintet::internals::games::gomoku::Gomoku;
    use quintet::internals::specialist::NoSpecialist;

    /// Some boards are filled as far as asked, and level then; the same chance
    /// fills them in the same way.
    #[test]
    fn boards_are_filled_and_level() {
        const PLIES: usize = 40;
        let options = values::<Gomoku>("size 15").expect("rules");
        let mut player = Searcher::<Gomoku>::new(8, NoSpecialist).expect("memory");
        let mut filled = |seed| {
            player.forget();
            let mut chance = Chance(seed);
            let mut position = Gomoku::start(&options).expect("rules");
            let mut moves = Vec::new();
            for _ in 0..6 {
                let mut list = Vec::new();
                <Gomoku as Game>::Evaluator::new(&position).candidates(&position, &mut list);
                moves.push(list[chance.below(list.len())].mv);
                position.play(moves[moves.len() - 1]);
            }
            let game = (&mut position, &mut moves);
            fill(&mut player, &options, game, PLIES, |n| chance.below(n));
            let value = player.search(&position, &[], &options, 1_000).value;
            (moves, position.outcome(), value)
        };
        let mut level = 0;
        for seed in 0..24 {
            let (moves, outcome, value) = filled(seed);
            if moves.len() == PLIES && outcome.is_none() {
                level += usize::from(value.abs() < 150);
            }
            assert!(moves.len() <= PLIES);
            assert_eq!(moves, filled(seed).0);
        }
        assert!(level >= 2, "{level}");
    }
}
