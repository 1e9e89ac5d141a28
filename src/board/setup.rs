//! Boards as lists of cells: FEN and lists of stones, read and written once for
//! all games.

use super::dimensions::Dimensions;
use super::naming::Naming;
use super::sides::{SideSpec, find_side, read_side};
use crate::position::Side;
use std::fmt::Write as _;

/// A board as a list of cells: what FEN and stone lists are read into, before
/// a game says whether it can be a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its columns and rows.
    pub dimensions: Dimensions,
    /// Whose stone lies on each cell.
    pub cells: Vec<Option<Side>>,
    /// Side to move.
    pub turn: Side,
    /// Numbers beside the board, first player's first; 0 where a game has none.
    pub extra: [u32; 2],
}

impl Setup {
    /// An empty board.
    pub fn empty(dimensions: Dimensions, turn: Side) -> Setup {
        Setup {
            dimensions,
            cells: vec![None; dimensions.cells()],
            turn,
            extra: [0; 2],
        }
    }

    /// The board with `owner` of each cell on it; nothing beside it.
    pub fn of(dimensions: Dimensions, turn: Side, owner: impl Fn(usize) -> Option<Side>) -> Setup {
        Setup {
            cells: (0..dimensions.cells()).map(owner).collect(),
            ..Setup::empty(dimensions, turn)
        }
    }

    /// How many stones a side has on the board.
    pub fn stones(&self, side: Side) -> usize {
        self.cells.iter().filter(|&&c| c == Some(side)).count()
    }

    /// The cells that hold a stone, with its side.
    pub fn occupied(&self) -> impl Iterator<Item = (usize, Side)> + '_ {
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(cell, side)| side.map(|s| (cell, s)))
    }

    /// The cells of every straight row of `side`'s stones, as long as it is,
    /// that `counts` of its direction (horizontal, vertical, rising, falling:
    /// 0 to 3) and its cells; one after the other, a cell in two rows twice.
    pub fn rows_of(&self, side: Side, counts: impl Fn(usize, &[usize]) -> bool) -> Vec<usize> {
        let (columns, rows) = (self.dimensions.columns as i32, self.dimensions.rows as i32);
        let held = |x: i32, y: i32| {
            let on_board = (0..columns).contains(&x) && (0..rows).contains(&y);
            (on_board && self.cells[(y * columns + x) as usize] == Some(side))
                .then_some((y * columns + x) as usize)
        };
        let mut cells = Vec::new();
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
            for (x, y) in (0..columns * rows).map(|cell| (cell % columns, cell / columns)) {
                if held(x - dx, y - dy).is_some() {
                    continue;
                }
                let row: Vec<usize> = (0..)
                    .map_while(|step| held(x + step * dx, y + step * dy))
                    .collect();
                if !row.is_empty() && counts(direction, &row) {
                    cells.extend(row);
                }
            }
        }
        cells
    }

    /// Reads `<rows> <side> [n n]`.
    ///
    /// # Errors
    /// Says which part is wrong, where, and what was expected.
    pub fn read_fen(
        dimensions: Dimensions,
        sides: &[SideSpec; 2],
        extra: Option<&str>,
        fen: &str,
    ) -> Result<Setup, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let expected = if extra.is_some() { 4 } else { 2 };
        if fields.len() != expected {
            let shape = match extra {
                Some(what) => format!(
                    "<rows> <side> <{what} by {}> <{what} by {}>",
                    sides[0].name, sides[1].name
                ),
                None => "<rows> <side>".to_string(),
            };
            return Err(format!(
                "expected {expected} fields, {shape}, found {}",
                fields.len()
            ));
        }
        let rows: Vec<&str> = fields[0].split('/').collect();
        if rows.len() != dimensions.rows {
            // Of an oblong board it is easy to take one for the other.
            let of = match dimensions.is_square() {
                true => String::new(),
                false => format!(" of {} cells", dimensions.columns),
            };
            let (expected, found) = (dimensions.rows, rows.len());
            return Err(format!("expected {expected} rows{of}, found {found}"));
        }
        let mut setup = Setup::empty(dimensions, read_side(sides, fields[1])?);
        for (from_top, text) in rows.iter().enumerate() {
            let start = dimensions.cell(0, dimensions.rows - 1 - from_top);
            let cells = read_row(dimensions.columns, sides, text)
                .map_err(|why| format!("row {} from the top: {why}", from_top + 1))?;
            setup.cells[start..][..cells.len()].copy_from_slice(&cells);
        }
        for (i, field) in fields.iter().skip(2).enumerate() {
            setup.extra[i] = read_extra(dimensions, extra.unwrap_or(""), field)?;
        }
        Ok(setup)
    }

    /// Writes what [`Setup::read_fen`] reads.
    pub fn write_fen(&self, sides: &[SideSpec; 2], extra: Option<&str>) -> String {
        let mut fen = String::new();
        let columns = self.dimensions.columns;
        for row in (0..self.dimensions.rows).rev() {
            let mut gap = 0;
            for cell in &self.cells[row * columns..][..columns] {
                match cell {
                    None => gap += 1,
                    Some(side) => {
                        if gap > 0 {
                            let _ = write!(fen, "{gap}");
                            gap = 0;
                        }
                        fen.push(sides[side.index()].letter);
                    }
                }
            }
            if gap > 0 {
                let _ = write!(fen, "{gap}");
            }
            if row > 0 {
                fen.push('/');
            }
        }
        let _ = write!(fen, " {}", sides[self.turn.index()].letter);
        if extra.is_some() {
            let _ = write!(fen, " {} {}", self.extra[0], self.extra[1]);
        }
        fen
    }

    /// Reads the board of `position stones`: words that are a player's name
    /// or a cell of the player named last, the player to move, and, where
    /// the game has them, `NAME n n`.
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
                    "expected {} or {} before the first cell, found '{word}'",
                    sides[0].name, sides[1].name
                ));
            };
            let cell = naming
                .read(dimensions, word)
                .map_err(|why| format!("'{word}': {why}"))?;
            if setup.cells[cell].is_some() {
                return Err(format!("'{word}': the cell is given twice"));
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
                    "expected '{what} N N' after the player to move, found '{}'",
                    extra_words.join(" ")
                ));
            }
            (None, _) => {
                return Err(format!(
                    "nothing may follow the player to move, found '{}'",
                    extra_words.join(" ")
                ));
            }
        }
        Ok(setup)
    }
}

fn read_row(
    columns: usize,
    sides: &[SideSpec; 2],
    text: &str,
) -> Result<Vec<Option<Side>>, String> {
    let mut cells = Vec::with_capacity(columns);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let gap = rest[..digits].parse().unwrap_or(usize::MAX);
            if rest.starts_with('0') || gap > columns - cells.len() {
                return Err(format!(
                    "'{}' empty cells do not fit into {columns}",
                    &rest[..digits]
                ));
            }
            cells.resize(cells.len() + gap, None);
            rest = &rest[digits..];
            continue;
        }
        let side = find_side(sides, &rest[..c.len_utf8()]).ok_or_else(|| {
            format!(
                "expected {}, {} or a number of empty cells, found '{c}'",
                sides[0].letter, sides[1].letter
            )
        })?;
        if cells.len() == columns {
            return Err(format!("more than {columns} cells"));
        }
        cells.push(Some(side));
        rest = &rest[c.len_utf8()..];
    }
    if cells.len() < columns {
        return Err(format!("expected {columns} cells, found {}", cells.len()));
    }
    Ok(cells)
}

fn read_extra(dimensions: Dimensions, what: &str, text: &str) -> Result<u32, String> {
    let most = dimensions.cells() as u32;
    match text.parse::<u32>() {
        Ok(n) if n <= most && text.bytes().all(|b| b.is_ascii_digit()) => Ok(n),
        _ => Err(format!(
            "{what} are a number from 0 to {most}, not '{text}'"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sides::{BLACK, WHITE};
    use super::*;

    const SIDES: [SideSpec; 2] = [BLACK, WHITE];

    #[test]
    fn fen_errors_say_where() {
        let read = |fen| Setup::read_fen(Dimensions::square(3), &SIDES, None, fen).unwrap_err();
        assert_eq!(read("3/3/3"), "expected 2 fields, <rows> <side>, found 1");
        assert_eq!(read("3/3 b"), "expected 3 rows, found 2");
        assert_eq!(
            read("3/3/4 b"),
            "row 3 from the top: '4' empty cells do not fit into 3"
        );
        assert_eq!(
            read("3/2x/3 b"),
            "row 2 from the top: expected b, w or a number of empty cells, found 'x'"
        );
        assert_eq!(
            read("bw/3/3 b"),
            "row 1 from the top: expected 3 cells, found 2"
        );
        assert_eq!(read("bwbw/3/3 b"), "row 1 from the top: more than 3 cells");
        assert_eq!(
            read("3/3/3 x"),
            "expected the player black or white, found 'x'"
        );
        let read = |fen| Setup::read_fen(Dimensions::new(4, 3), &SIDES, None, fen).unwrap_err();
        assert_eq!(read("3/3/3/3 b"), "expected 3 rows of 4 cells, found 4");
        assert_eq!(
            read("4/b2/4 b"),
            "row 2 from the top: expected 4 cells, found 3"
        );
        assert_eq!(
            read("4/4/b4 b"),
            "row 3 from the top: '4' empty cells do not fit into 4"
        );
    }

    #[test]
    fn fen_is_written_as_it_is_read() {
        for fen in ["3/3/3 b", "b1w/1b1/3 w", "bbb/www/bwb b"] {
            let setup = Setup::read_fen(Dimensions::square(3), &SIDES, None, fen).expect("good");
            assert_eq!(setup.write_fen(&SIDES, None), fen);
        }
        for fen in ["4/2b1/w3 b", "4/4/4 w", "bwbw/wbwb/1www b"] {
            let setup = Setup::read_fen(Dimensions::new(4, 3), &SIDES, None, fen).expect("good");
            assert_eq!(setup.write_fen(&SIDES, None), fen);
        }
        let fen = "3/3/3 b 2 0";
        let setup =
            Setup::read_fen(Dimensions::square(3), &SIDES, Some("captures"), fen).expect("good");
        assert_eq!(setup.extra, [2, 0]);
        assert_eq!(setup.write_fen(&SIDES, Some("captures")), fen);
    }
}
