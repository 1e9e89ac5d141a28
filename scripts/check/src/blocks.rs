//! Claims that a player blocks: he puts a stone into each window that the other
//! one, the attacker, could fill, and so does not lose. Of a position only these
//! windows matter, each as the set of its empty cells. `README.md` of the prover
//! has the lemmas: normal form, zones, symmetry.

use crate::board::{Board, Window};
use crate::games::Game;
use crate::reader::{MOVE, NOTHING, PAIRS, Reader};
use std::collections::HashMap;

/// A set of cells, bit `n` for cell `n`.
type Cells = u64;
/// The windows that are still open.
type Windows = Vec<Cells>;

struct Walk<'a> {
    reader: Reader<'a>,
    /// The cells of the board.
    board: Cells,
    /// For each symmetry, the cell to which each cell is mapped.
    maps: Vec<Vec<usize>>,
    /// The zones of the states that were checked, by the first of their images
    /// and whether the attacker is to move.
    met: HashMap<(Windows, bool), Cells>,
}

/// Checks a strategy; returns the number of its states.
pub fn check(game: &Game, board: &Board, player: u8, strategy: &[u8]) -> Result<usize, String> {
    if board.size() > Cells::BITS as usize {
        return Err("too many cells for a claim to block".to_string());
    }
    if board.end.is_some() || game.end(board).is_some() {
        return Err("the game is over".to_string());
    }
    let windows = game.windows_to_block(board, player);
    let windows = windows.ok_or("a claim to block in a game where stones move or go")?;
    let empty = |window: Window| {
        let cells = window.cells().filter(|&cell| board.cells[cell] == 0);
        cells.fold(0, |set, cell| set | 1 << cell)
    };
    let mut walk = Walk {
        reader: Reader(strategy),
        board: (0..board.size()).fold(0, |all, cell| all | 1 << cell),
        maps: board.symmetries(),
        met: HashMap::new(),
    };
    walk.state(windows.map(empty).collect(), board.turn != player)?;
    match walk.reader.0.is_empty() {
        true => Ok(walk.met.len()),
        false => Err("bytes are left over".to_string()),
    }
}

fn cells(set: Cells) -> impl Iterator<Item = usize> {
    (0..Cells::BITS as usize).filter(move |cell| set >> cell & 1 == 1)
}

/// The normal form: without windows that contain another one, and without those
/// that have two cells which are in the same windows. Returns these pairs, too.
fn normal(mut windows: Windows) -> (Windows, Cells) {
    windows.sort_unstable();
    windows.dedup();
    let all = windows.clone();
    windows.retain(|w| !all.iter().any(|v| v != w && v & !w == 0));
    let mut pairs = 0;
    loop {
        let mut cells_of: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
        for cell in 0..Cells::BITS as usize {
            let has = |&i: &usize| windows[i] >> cell & 1 == 1;
            let these: Vec<usize> = (0..windows.len()).filter(has).collect();
            if !these.is_empty() {
                cells_of.entry(these).or_default().push(cell);
            }
        }
        let mut out = vec![false; windows.len()];
        for (these, twins) in cells_of.iter().filter(|(_, twins)| twins.len() > 1) {
            pairs |= 1 << twins[0] | 1 << twins[1];
            these.iter().for_each(|&i| out[i] = true);
        }
        if !out.contains(&true) {
            return (windows, pairs);
        }
        let mut out = out.into_iter();
        windows.retain(|_| out.next() == Some(false));
    }
}

impl Walk<'_> {
    /// Checks the state of these windows; returns its zone, the cells on which
    /// the player puts stones.
    fn state(&mut self, windows: Windows, attacks: bool) -> Result<Cells, String> {
        if windows.contains(&0) {
            return Err("a window is filled".to_string());
        }
        let (windows, pairs) = normal(windows);
        if windows.is_empty() {
            return Ok(pairs);
        }
        let (first, by) = self.first_images(&windows);
        let form = (first, attacks);
        if let Some(&zone) = self.met.get(&form) {
            return Ok(pairs | self.of_image(zone, by[0]));
        }
        let zone = match self.reader.number()? {
            PAIRS => self.pairs(&windows)?,
            NOTHING if attacks => self.attacks(&windows)?,
            number if number >= MOVE && !attacks => self.answer(&windows, number - MOVE)?,
            _ => return Err("an entry of the wrong player".to_string()),
        };
        // Several symmetries may lead to the first image.
        let zones = by.iter().map(|&number| self.to_image(zone, number));
        let zone = zones.fold(0, |all, zone| all | zone);
        self.met.insert(form, zone);
        Ok(pairs | self.of_image(zone, by[0]))
    }

    /// A move of the player: it takes the windows of its cell away.
    fn answer(&mut self, windows: &Windows, cell: u32) -> Result<Cells, String> {
        let stone = Cells::checked_shl(1, cell).unwrap_or(0) & self.board;
        if stone == 0 {
            return Err("no such cell".to_string());
        }
        let left = windows.iter().copied().filter(|w| w & stone == 0);
        Ok(self.state(left.collect(), true)? | stone)
    }

    /// Moves of the attacker, each of which takes its cell out of the windows,
    /// until the zones of these refute all others.
    fn attacks(&mut self, windows: &Windows) -> Result<Cells, String> {
        let mut left = windows.iter().fold(0, |all, w| all | w);
        let mut zone = 0;
        while left != 0 {
            let stone = Cells::checked_shl(1, self.reader.number()?).unwrap_or(0);
            if left & stone == 0 {
                return Err("a move that is no reply to try".to_string());
            }
            let after = windows.iter().map(|w| w & !stone);
            let own = self.state(after.collect(), false)?;
            zone |= own;
            left &= own & !stone;
        }
        Ok(zone)
    }

    /// Pairs, one of them in each window.
    fn pairs(&mut self, windows: &Windows) -> Result<Cells, String> {
        let (mut all, mut pairs) = (0, Vec::new());
        for _ in 0..self.reader.number()? {
            let mut pair = 0;
            for _ in 0..2 {
                let stone = Cells::checked_shl(1, self.reader.number()?).unwrap_or(0);
                let stone = stone & self.board;
                if stone == 0 || (all | pair) & stone != 0 {
                    return Err("a pair of cells that are not free".to_string());
                }
                pair |= stone;
            }
            all |= pair;
            pairs.push(pair);
        }
        match windows
            .iter()
            .all(|w| pairs.iter().any(|pair| pair & !w == 0))
        {
            true => Ok(all),
            false => Err("a pairing does not hold".to_string()),
        }
    }

    fn to_image(&self, set: Cells, number: usize) -> Cells {
        cells(set).fold(0, |image, cell| image | 1 << self.maps[number][cell])
    }

    fn of_image(&self, set: Cells, number: usize) -> Cells {
        let map = &self.maps[number];
        let back = (0..map.len()).filter(|&cell| set >> map[cell] & 1 == 1);
        back.fold(0, |all, cell| all | 1 << cell)
    }

    /// The image that comes first in order, and the symmetries that lead there.
    fn first_images(&self, windows: &Windows) -> (Windows, Vec<usize>) {
        let images = (0..self.maps.len()).map(|number| {
            let image = windows.iter().map(|&w| self.to_image(w, number));
            let mut image: Windows = image.collect();
            image.sort_unstable();
            image
        });
        let images: Vec<Windows> = images.collect();
        let first = images.iter().min().cloned().unwrap_or_default();
        let by = (0..images.len()).filter(|&number| images[number] == first);
        let by = by.collect();
        (first, by)
    }
}
