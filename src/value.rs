//! Values of positions: centipawns, wins and losses by mate distance, and the
//! score that an estimate stands for.

/// The value of a position from the point of view of the side to move:
/// centipawns within ±[`MAX_CP`]; a win or loss in a number of plies beyond
/// ±[`DECIDED`]; between the two, a likely win or loss, found by a search that
/// left out replies.
pub type Value = i32;

/// The value of having won already; a win in `n` plies is worth `WIN - n`.
pub const WIN: Value = 32_000;
/// Values beyond ± this are wins and losses.
pub const DECIDED: Value = 31_000;
/// A likely win in `n` plies is worth `LIKELY - n`: less than any win.
const LIKELY: Value = 30_000;
/// Values beyond ± this are wins and losses, certain or likely.
const NEARLY: Value = 29_000;
/// The largest estimate, in centipawns.
pub const MAX_CP: Value = 20_000;
/// The longest mate distance that a value can express, in plies.
pub const MAX_PLY: usize = (WIN - DECIDED) as usize - 1;

/// The natural logarithm of the odds (of the expected score, p to 1 - p) that a
/// centipawn stands for: 100 of them make 3 to 1.
pub const LOG_ODDS: f64 = 1.098_612_288_668_109_8 / 100.0;

/// The expected score, 0 to 1, that `cp` centipawns stand for: 75 % at 100, in
/// general 1 / (1 + 3^(-cp/100)).
pub fn expected_score(cp: f64) -> f64 {
    1.0 / (1.0 + (-cp * LOG_ODDS).exp())
}

/// The value of winning in `plies` from now.
#[inline]
pub const fn win_in(plies: usize) -> Value {
    WIN - plies as Value
}

/// The value of losing in `plies` from now; 0: the game is already lost.
#[inline]
pub const fn loss_in(plies: usize) -> Value {
    plies as Value - WIN
}

/// Whether `value` is a win or a loss, certain or likely, rather than an
/// estimate.
#[inline]
pub const fn is_decided(value: Value) -> bool {
    value > NEARLY || value < -NEARLY
}

/// Whether `value` is a win, certain or likely.
#[inline]
pub const fn is_win(value: Value) -> bool {
    value > NEARLY
}

/// Whether `value` is a loss, certain or likely.
#[inline]
pub const fn is_loss(value: Value) -> bool {
    value < -NEARLY
}

/// Whether `value` is a certain win or loss, not a likely one.
#[inline]
pub const fn is_sure(value: Value) -> bool {
    value > DECIDED || value < -DECIDED
}

/// Turns a certain win or loss into a likely one; any other value is unchanged.
#[inline]
pub const fn likely(value: Value) -> Value {
    if value > DECIDED {
        value - (WIN - LIKELY)
    } else if value < -DECIDED {
        value + (WIN - LIKELY)
    } else {
        value
    }
}

/// Mate distance in plies of a decided value, certain or likely: positive for a
/// win, negative (or 0 when already lost) for a loss; `None` for an estimate.
#[inline]
pub const fn mate_plies(value: Value) -> Option<i32> {
    if value > DECIDED {
        Some(WIN - value)
    } else if value > NEARLY {
        Some(LIKELY - value)
    } else if value < -DECIDED {
        Some(-WIN - value)
    } else if value < -NEARLY {
        Some(-LIKELY - value)
    } else {
        None
    }
}

/// Converts a decided value counted from a position to one counted from `plies`
/// earlier; an estimate is unchanged.
#[inline]
pub const fn earlier(value: Value, plies: usize) -> Value {
    if is_win(value) {
        value - plies as Value
    } else if is_loss(value) {
        value + plies as Value
    } else {
        value
    }
}

/// The inverse of [`earlier`].
#[inline]
pub const fn later(value: Value, plies: usize) -> Value {
    if is_win(value) {
        value + plies as Value
    } else if is_loss(value) {
        value - plies as Value
    } else {
        value
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
        assert!(is_sure(win_in(MAX_PLY)) && is_sure(loss_in(MAX_PLY)));
    }

    #[test]
    fn a_hundred_centipawns_are_three_to_one() {
        for (cp, score) in [(0.0, 0.5), (100.0, 0.75), (-100.0, 0.25), (200.0, 0.9)] {
            assert!((expected_score(cp) - score).abs() < 1e-12, "{cp}");
        }
    }

    #[test]
    fn what_is_likely_is_less_than_what_is_sure() {
        for plies in [0, 5, MAX_PLY] {
            let (win, loss) = (likely(win_in(plies)), likely(loss_in(plies)));
            assert!(is_win(win) && is_loss(loss) && !is_sure(win) && !is_sure(loss));
            assert_eq!(mate_plies(win), Some(plies as i32));
            assert_eq!(mate_plies(loss), Some(-(plies as i32)));
            assert_eq!(loss, -win);
            assert_eq!(likely(win), win);
            assert!(MAX_CP < win && win < win_in(MAX_PLY));
        }
        assert_eq!(likely(17), 17);
    }

    #[test]
    fn decided_values_count_from_where_they_are_met() {
        for value in [win_in(9), loss_in(8), likely(win_in(9)), likely(loss_in(8))] {
            let plies = mate_plies(value).map(i32::abs);
            assert_eq!(mate_plies(earlier(value, 4)).map(|n| n.abs() - 4), plies);
            assert_eq!(later(earlier(value, 4), 4), value);
        }
        assert_eq!((earlier(7, 3), later(-7, 3)), (7, -7));
    }
}
