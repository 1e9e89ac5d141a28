//! Values of positions: centipawns, and wins and losses by their distance.

/// The value of a position from the view of the side to move: centipawns
/// within ±[`MAX_CP`], or a win or loss in a number of plies beyond ±[`DECIDED`].
pub type Value = i32;

/// The value of having won already; a win in `n` plies is worth `WIN - n`.
pub const WIN: Value = 32_000;
/// Values beyond ± this are wins and losses.
pub const DECIDED: Value = 31_000;
/// The greatest estimate, in centipawns.
pub const MAX_CP: Value = 20_000;
/// The longest distance that a value can tell, in plies.
pub const MAX_PLY: usize = (WIN - DECIDED) as usize - 1;

/// The value of winning in `plies` from now.
#[inline]
pub const fn win_in(plies: usize) -> Value {
    WIN - plies as Value
}

/// The value of losing in `plies` from now; 0: the game is lost already.
#[inline]
pub const fn loss_in(plies: usize) -> Value {
    plies as Value - WIN
}

/// Whether `value` is a win or a loss and not an estimate.
#[inline]
pub const fn is_decided(value: Value) -> bool {
    value > DECIDED || value < -DECIDED
}

/// Plies to the end of a decided game, positive for a win, negative (or 0
/// when lost already) for a loss; `None` for an estimate.
#[inline]
pub const fn mate_plies(value: Value) -> Option<i32> {
    if value > DECIDED {
        Some(WIN - value)
    } else if value < -DECIDED {
        Some(-WIN - value)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_come_back() {
        assert_eq!(mate_plies(win_in(5)), Some(5));
        assert_eq!(mate_plies(loss_in(4)), Some(-4));
        assert_eq!(mate_plies(loss_in(0)), Some(0));
        assert_eq!(mate_plies(-MAX_CP), None);
        assert!(is_decided(win_in(MAX_PLY)) && is_decided(loss_in(MAX_PLY)));
    }
}
