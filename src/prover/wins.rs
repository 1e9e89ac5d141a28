//! The wins of a certificate as a guide: of the same game, perhaps under other rules,
//! from another position, or on a board of another size.

use super::books::{MOST_BYTES, Proof};
use super::canon::{Canon, marked};
use super::file;
use super::guide::Guide;
use super::walk::{Bounds, Claimed, Fault};
use crate::board::Dimensions;
use crate::game::Game;
use crate::options::OptionValues;
use std::path::Path;

/// The wins that a certificate claims, for a game on this board.
pub struct Wins {
    wins: Vec<(Proof, OptionValues)>,
    board: Dimensions,
}

impl Wins {
    /// Reads those of a file, for a game with these rules.
    ///
    /// # Errors
    /// It is no certificate, or has no win of this game.
    pub fn read<G: Game>(path: &Path, rules: &OptionValues) -> Result<Wins, String> {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy();
        let mut wins = Vec::new();
        for written in file::read_proofs(path, MOST_BYTES)?.0 {
            let Ok(claimed) = Claimed::read(&written.claim, &G::SIDES) else {
                continue;
            };
            let proof = Proof::new(&name, claimed, written);
            if let (true, Some(own)) = (claimed.wins, proof.rules::<G>()) {
                wins.push((proof, own));
            }
        }
        match wins.is_empty() {
            true => Err("it has no win of this game".to_string()),
            false => Ok(Wins {
                wins,
                board: G::dimensions(rules),
            }),
        }
    }

    /// Adds their positions to a guide, as far as they fit on the board, each win's after
    /// all of it has been tried by its own rules; `tell` is told what has become of it.
    pub(super) fn guide<G: Game>(
        &self,
        guide: &mut Guide,
        canon: &Canon<G>,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(String),
    ) {
        for (proof, rules) in &self.wins {
            let (file, side) = (&proof.file, proof.claimed.side);
            let mut keys = Vec::new();
            let mut met = |position: &G::Position, _| {
                if let Some(setup) = G::setup(position).centred_on(self.board) {
                    keys.push(marked(canon.form_of(setup), side).key);
                }
            };
            match proof.try_out::<G>(rules, (Bounds::NONE, stop), &mut met) {
                Ok(_) => {}
                Err(Fault::Stopped) => return,
                Err(Fault::Wrong(why)) => {
                    tell(why);
                    continue;
                }
            }
            let count = keys.len();
            tell(match guide.add(keys) {
                Ok(()) => format!("{count} positions of {file} are a guide"),
                Err(_) => format!("{file} is not used: there is not enough memory"),
            });
        }
    }
}
