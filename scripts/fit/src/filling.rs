//! Filled boards for games to begin on. Games of good play are decided early, so
//! a network that has learned from their positions alone misjudges full boards
//! on which nobody is winning.

use crate::openings::{Opening, likely_move};
use crate::self_play::Searcher;
use quintet::internals::game::Game;
use quintet::internals::options::OptionValues;
use quintet::internals::position::Position;
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
/// than it is given.
pub fn fill<G: Game, S: Specialist<G::Position>>(
    player: &mut Searcher<G, S>,
    options: &OptionValues,
    opening: &mut Opening<G::Position>,
    plies: usize,
    mut below: impl FnMut(usize) -> usize,
) {
    while opening.moves.len() < plies && opening.position.outcome().is_none() {
        let Opening {
            position, history, ..
        } = &*opening;
        let mut found = player.search(position, history, options, NODES);
        if found.value < -BEHIND {
            found = player.search(position, history, options, RESCUE_NODES);
            if is_sure(found.value) {
                return;
            }
        }
        let chosen = match found.value > BEHIND {
            true => likely_move::<G>(position, CARELESS, &mut below),
            false => found.best,
        };
        opening.play(chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::record::values;
    use quintet::internals::evaluator::Evaluator;
    use quintet::internals::games::gomoku::Gomoku;
    use quintet::internals::specialist::NoSpecialist;

    type Board = <Gomoku as Game>::Position;

    const PLIES: usize = 40;

    /// Some random moves.
    fn opening(options: &OptionValues, chance: &mut Chance) -> Opening<Board> {
        let mut opening = Opening::new(Gomoku::start(options).expect("rules"));
        for _ in 0..6 {
            let mut list = Vec::new();
            let position = &opening.position;
            <Gomoku as Game>::Evaluator::new(position).candidates(position, &mut list);
            opening.play(list[chance.below(list.len())].mv);
        }
        opening
    }

    /// Far more boards are filled and nobody has lost than where both sides play their
    /// best moves from the same openings.
    #[test]
    fn nobody_wins_for_long() {
        let options = values::<Gomoku>("size 15").expect("rules");
        let mut player = Searcher::<Gomoku>::new(8, NoSpecialist).expect("memory");
        let (mut filled, mut plain) = (0, 0);
        for seed in 0..200 {
            player.forget();
            let mut chance = Chance(seed);
            let begun = opening(&options, &mut chance);
            let mut board = begun.clone();
            fill(&mut player, &options, &mut board, PLIES, |n| {
                chance.below(n)
            });
            filled += usize::from(board.moves.len() == PLIES);
            let mut board = begun;
            while board.moves.len() < PLIES && board.position.outcome().is_none() {
                let found = player.search(&board.position, &board.history, &options, NODES);
                if is_sure(found.value) {
                    break;
                }
                board.play(found.best);
            }
            plain += usize::from(board.moves.len() == PLIES);
        }
        assert!(filled >= 2 * plain.max(2), "{filled}, {plain}");
    }

    /// Some boards are filled as far as asked, and level then; the same chance
    /// fills them in the same way.
    #[test]
    fn boards_are_filled_and_level() {
        let options = values::<Gomoku>("size 15").expect("rules");
        let mut player = Searcher::<Gomoku>::new(8, NoSpecialist).expect("memory");
        let mut filled = |seed| {
            player.forget();
            let mut chance = Chance(seed);
            let mut opening = opening(&options, &mut chance);
            fill(&mut player, &options, &mut opening, PLIES, |n| {
                chance.below(n)
            });
            let Opening {
                moves, position, ..
            } = opening;
            let is_level = position.outcome().is_none()
                && player.search(&position, &[], &options, 1_000).value.abs() < 150;
            (moves, is_level)
        };
        let mut level = 0;
        for seed in 0..24 {
            let (moves, is_level) = filled(seed);
            level += usize::from(moves.len() == PLIES && is_level);
            assert!(moves.len() <= PLIES);
            assert_eq!(moves, filled(seed).0);
        }
        assert!(level >= 2, "{level}");
    }
}
