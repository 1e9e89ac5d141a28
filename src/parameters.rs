//! The numbers of the search that depend on the game, by name. Each game
//! declares its own in its [`Policy`](crate::evaluator::Policy); a fit can try
//! others without building the engine again. What is the same in all games
//! stands in `search/parameters.rs`.

use crate::weights;

/// Declares the numbers: documentation, name, value for a game about which
/// nothing is known, and the range in which a fit may look.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $least:literal..=$most:literal;)+) => {
        /// What a game chooses of the search. Values are in centipawns, depths
        /// in plies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)+
        }

        /// A number that a fit may change.
        #[derive(Clone, Copy, Debug)]
        pub struct Parameter {
            /// Its name.
            pub name: &'static str,
            /// The least value.
            pub least: i32,
            /// The greatest value.
            pub most: i32,
        }

        impl Parameters {
            /// For a game whose move order is of unknown quality.
            pub const CAUTIOUS: Parameters = Parameters { $($name: $default,)+ };

            /// All numbers.
            pub const ALL: &[Parameter] = &[
                $(Parameter { name: stringify!($name), least: $least, most: $most },)+
            ];

            /// The same but for the numbers in the rows of a file that `fit
            /// search GAME` has written.
            ///
            /// # Panics
            /// A row is not the name and the value of a number. In a constant
            /// this is a compile error.
            pub const fn with(mut self, rows: &str) -> Parameters {
                let mut rest = rows.as_bytes();
                while let Some((name, value, after)) = weights::first_integer(rest) {
                    let mut known = false;
                    $(if weights::same(name, stringify!($name).as_bytes()) {
                        self.$name = value;
                        known = true;
                    })+
                    assert!(known, "there is no number of this name");
                    rest = after;
                }
                self
            }

            /// The number of this name, to be read or changed.
            pub fn named(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    /// Half the width of an iteration's first window around the previous
    /// iteration's value.
    aspiration: 24 in 4..=150;

    /// Futility pruning: for each remaining ply, how far the estimate may be
    /// outside the window before near the leaves it is taken for the value; 0:
    /// never.
    futility: 0 in 0..=500;
    /// Greatest depth of futility pruning of a whole node.
    futility_depth: 6 in 1..=12;
    /// Number of moves searched before futility pruning may drop the others.
    futility_moves: 3 in 1..=12;

    /// Null move: the least depth.
    null_move_depth: 3 in 2..=8;
    /// A null-move search is reduced by so many hundredths of a ply,
    null_move_base: 200 in 0..=500;
    /// and so many for each ply of depth,
    null_move_slope: 25 in 0..=60;
    /// and one ply, at most two, for each time that the estimate is so far above
    /// beta.
    null_move_above: 200 in 30..=600;

    /// Internal iterative reduction: from this depth on, a node without a table
    /// move is searched one ply less deeply.
    iterative_depth: 4 in 2..=10;

    /// Greatest depth at which late moves are pruned.
    late_depth: 4 in 1..=12;
    /// How many moves are searched there: hundredths,
    late_moves: 400 in 50..=2000;
    /// and for each square of the depth.
    late_moves_slope: 200 in 10..=800;
    /// This percentage of them where the static value is improving.
    late_moves_improving: 150 in 100..=300;

    /// Late-move reductions: move number m at remaining depth d is first
    /// searched less deeply by so many hundredths of a ply,
    reduction_base: 40 in 0..=250;
    /// and ln d · ln m times so many.
    reduction_slope: 50 in 0..=200;
    /// The first move that is reduced, by its place from 0.
    reduction_moves: 2 in 1..=8;
    /// Where that makes a ply or more, and not at the root, the other numbers count
    /// too. Hundredths of a ply more where a cutoff is expected.
    reduction_cut: 100 in 0..=300;
    /// Hundredths of a ply more where the static value is not improving.
    reduction_worse: 100 in 0..=300;
    /// Hundredths of a ply less in an open window, before all others.
    reduction_pv: 100 in 0..=300;
    /// Hundredths of a ply less for a killer.
    reduction_killer: 100 in 0..=300;
    /// Hundredths of a ply less for the most history, more for the least.
    reduction_history: 200 in 0..=600;
    /// 1 if late moves are pruned and reduced even where the opponent threatens
    /// a forced win, which limits the moves in any case.
    late_when_threatened: 0 in 0..=1;
    /// And where the opponent threatens to win at once, if there are more
    /// replies than this: then little is forced.
    late_replies: 1000 in 1..=1000;

    /// Hundredths of a ply more after each move that raised alpha.
    reduction_raised: 0 in 0..=300;
    /// Hundredths of a ply more in an open window where the table knows from a
    /// search as deep on which side of beta the value is.
    reduction_table: 0 in 0..=300;

    /// Singular extension: from this depth on it is tried whether the table
    /// move is better than all others.
    singular_depth: 100 in 4..=100;
    /// By how much, for each ply of depth, in hundredths of a centipawn.
    singular_margin: 200 in 0..=1500;
    /// 1 if the table move is searched less deeply where it is not singular but
    /// reaches beta.
    singular_less: 1 in 0..=2;
    /// 1 if the static value is not asked for where the opponent threatens to
    /// win, at once or by a forced win.
    forced_without_value: 0 in 0..=1;

    /// The most that history adds to a move's ordering score. It should decide
    /// between moves with similar scores, and no more.
    history: 128 in 0..=1000;
    /// What a move's history gains where it refutes a position: for each ply of
    /// depth,
    history_slope: 32 in 0..=200;
    /// for each square of the depth,
    history_square: 16 in 0..=64;
    /// and at most.
    history_most: 1600 in 200..=4000;

    /// Greatest depth of quiescence search.
    quiescence_plies: 10 in 0..=20;
    /// Threats with more replies than this are not followed there.
    quiescence_replies: 4 in 1..=8;

    /// Nodes of the VCF search at a leaf, in games with
    /// [`Everywhere`](crate::evaluator::ForcedWins::Everywhere).
    vcf_at_leaf: 40 in 5..=400;
    /// The same at an inner node.
    vcf_at_node: 200 in 10..=2000;
}

impl Parameters {
    /// For a game whose move order nearly always puts the best move first.
    pub const STEEP: Parameters = Parameters {
        reduction_base: 100,
        reduction_slope: 100,
        late_moves: 200,
        late_moves_slope: 100,
        late_when_threatened: 1,
        ..Parameters::CAUTIOUS
    };

    /// Plies by which a null-move search is reduced, at `depth`, where the
    /// estimate is `above` centipawns above beta.
    #[inline]
    pub fn null_move_reduction(&self, depth: i32, above: i32) -> i32 {
        let plies = (self.null_move_base + depth * self.null_move_slope) / 100;
        plies + (above / self.null_move_above).clamp(0, 2)
    }

    /// How many moves of a quiet node near the leaves are searched.
    #[inline]
    pub fn move_count(&self, depth: i32, improving: bool) -> usize {
        let moves = self.late_moves + depth * depth * self.late_moves_slope;
        let percent = if improving {
            self.late_moves_improving
        } else {
            100
        };
        (moves * percent / 10_000) as usize
    }

    /// What a move's history gains where it refutes a position at this depth, and
    /// what the moves tried before it lose.
    #[inline]
    pub fn history_bonus(&self, depth: i32) -> i32 {
        let bonus = depth * depth * self.history_square + depth * self.history_slope;
        bonus.min(self.history_most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_change_what_they_name() {
        const ROWS: &str = "# command: fit search gomoku\naspiration 31\nhistory 7\n";
        const CHANGED: Parameters = Parameters::STEEP.with(ROWS);
        let expected = Parameters {
            aspiration: 31,
            history: 7,
            ..Parameters::STEEP
        };
        assert_eq!(CHANGED, expected);
        assert_eq!(Parameters::STEEP.with(""), Parameters::STEEP);
    }

    #[test]
    #[should_panic(expected = "no number of this name")]
    fn a_name_that_does_not_exist_is_refused() {
        let _ = Parameters::CAUTIOUS.with("aspirations 31\n");
    }

    #[test]
    fn all_numbers_are_found_by_name_within_their_ranges() {
        for mut set in [Parameters::CAUTIOUS, Parameters::STEEP] {
            for number in Parameters::ALL {
                let value = set.named(number.name).expect("a number of this name");
                assert!((number.least..=number.most).contains(value), "{number:?}");
            }
        }
        assert!({ Parameters::CAUTIOUS }.named("none").is_none());
    }
}
