//! FEN, read and written once for all games.

use super::dimensions::Dimensions;
use super::setup::Setup;
use super::sides::{SideSpec, find_side, read_side};
use crate::position::Side;
use crate::quote::quote;
use std::fmt::Write as _;

impl Setup {
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
            // On an oblong board, rows and columns are easily confused.
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

    /// Writes the board as [`Setup::read_fen`] reads it.
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
                    "{} empty cells do not fit into {columns}",
                    quote(&rest[..digits])
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

/// Reads a number beside a board: a number of stones, so at most the number of
/// cells.
pub(super) fn read_extra(dimensions: Dimensions, what: &str, text: &str) -> Result<u32, String> {
    let most = dimensions.cells() as u32;
    match text.parse::<u32>() {
        Ok(n) if n <= most && text.bytes().all(|b| b.is_ascii_digit()) => Ok(n),
        _ => Err(format!(
            "{what} are a number from 0 to {most}, not {}",
            quote(text)
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
