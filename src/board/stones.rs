//! Boards as lists of stones, as in `position stones`.

use super::dimensions::Dimensions;
use super::fen::read_extra;
use super::naming::Naming;
use super::setup::Setup;
use super::sides::{SideSpec, find_side, read_side};
use crate::quote::quote;

impl Setup {
    /// Reads the board of `position stones`. Each of the `words` is a player's
    /// name or a cell of the player named last; `turn` is the player to move,
    /// and `extra_words`, if the game has such numbers, `NAME n n`.
    ///
    /// # Errors
    /// Says which word is wrong and what was expected.
    pub fn read_stones(
        dimensions: Dimensions,
        sides: &[SideSpec; 2],
        naming: Naming,
        extra: Option<&str>,
        words: &[String],
        turn: &str,
        extra_words: &[String],
    ) -> Result<Setup, String> {
        let mut setup = Setup::empty(dimensions, read_side(sides, turn)?);
        let mut owner = None;
        for word in words {
            if let Some(side) = find_side(sides, word) {
                owner = Some(side);
                continue;
            }
            let Some(side) = owner else {
                return Err(format!(
                    "expected {} or {} before the first cell, found {}",
                    sides[0].name,
                    sides[1].name,
                    quote(word)
                ));
            };
            let cell = naming
                .read(dimensions, word)
                .map_err(|why| format!("{}: {why}", quote(word)))?;
            if setup.cells[cell].is_some() {
                return Err(format!("{}: the cell is given twice", quote(word)));
            }
            setup.cells[cell] = Some(side);
        }
        match (extra, extra_words) {
            (_, []) => {}
            (Some(what), [name, first, second]) if name.eq_ignore_ascii_case(what) => {
                setup.extra = [
                    read_extra(dimensions, what, first)?,
                    read_extra(dimensions, what, second)?,
                ];
            }
            (Some(what), _) => {
                return Err(format!(
                    "expected '{what} N N' after the player to move, found {}",
                    quote(&extra_words.join(" "))
                ));
            }
            (None, _) => {
                return Err(format!(
                    "nothing may follow the player to move, found {}",
                    quote(&extra_words.join(" "))
                ));
            }
        }
        Ok(setup)
    }
}
