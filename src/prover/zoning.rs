//! What the moves and the positions of a game add to the zone of a win.

use super::zone::{NONE_OPEN, Zone};
use crate::game::Game;
use crate::position::{Move, Side};

/// The cell to which a move brings a stone.
pub(super) fn arrival<G: Game>(position: &G::Position, m: Move) -> usize {
    G::trail(position, m).to
}

/// For each cell, those from which a stone could be moved there; empty in games in which
/// stones stay.
pub(super) fn leading<G: Game>(position: &G::Position) -> Vec<Vec<usize>> {
    let cells = 0..G::setup(position).cells.len();
    let leading_to = |cell| {
        let mut leading = Vec::new();
        G::leading_to(position, cell, &mut |from| leading.push(from));
        leading
    };
    let all: Vec<Vec<usize>> = cells.map(leading_to).collect();
    match all.iter().all(Vec::is_empty) {
        true => Vec::new(),
        false => all,
    }
}

/// Adds the cell to which a move of the winner brings a stone, and those from which a
/// stone of the loser could be moved there.
pub(super) fn put<G: Game>(zone: &mut Zone, position: &G::Position, m: Move) {
    let cell = arrival::<G>(position, m);
    zone.put(cell);
    G::leading_to(position, cell, &mut |from| zone.put(from));
}

/// Adds what the loser could fill in a position with him to move, if he also had the
/// stones that the moves of `with` bring; false in games without zones.
pub(super) fn add_windows<G: Game>(
    zone: &mut Zone,
    position: &G::Position,
    loser: Side,
    with: &[Move],
) -> bool {
    let Some(mut lacking) = G::lacking_by_cell(position, loser, with) else {
        return false;
    };
    for (cell, &here) in lacking.clone().iter().enumerate() {
        if here != NONE_OPEN {
            G::leading_to(position, cell, &mut |from| {
                lacking[from] = lacking[from].min(here);
            });
        }
    }
    zone.lack(&lacking);
    zone.leave(G::room(position));
    true
}
