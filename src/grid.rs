//! Square boards as text: names of cells, FEN, lists of stones and diagrams.
//! Written once for all games; a game only says how its cells are named and
//! its board is drawn.
//!
//! Cells are numbered row by row from the bottom left: `row * size + column`,
//! both from 0.

use crate::game::{Side, SideSpec};
use std::fmt::Write as _;

/// How the cells of a board are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// `a1` bottom left, columns `a b c …`.
    Letters,
    /// The same without a column `i`, as Go players do.
    GoLetters,
    /// `1 2 3 …` left to right, top row first.
    Numbers,
}

impl Naming {
    /// Name of a cell.
    pub fn write(self, size: usize, cell: usize) -> String {
        let (row, column) = (cell / size, cell % size);
        match self {
            Naming::Numbers => ((size - 1 - row) * size + column + 1).to_string(),
            _ => format!("{}{}", self.column(column), row + 1),
        }
    }

    /// The cell with this name, in either case.
    ///
    /// # Errors
    /// Says whether it is no name of a cell at all or lies off the board.
    pub fn read(self, size: usize, text: &str) -> Result<usize, String> {
        let digits = match self {
            Naming::Numbers => text,
            _ => text.get(1..).unwrap_or(""),
        };
        let well_formed = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        let number = digits.parse::<usize>().unwrap_or(usize::MAX);
        if self == Naming::Numbers {
            if !well_formed {
                return Err(format!("expected a hole from 1 to {}", size * size));
            }
            if number > size * size {
                return Err(format!(
                    "outside the board: holes go from 1 to {}",
                    size * size
                ));
            }
            let (row, column) = ((number - 1) / size, (number - 1) % size);
            return Ok((size - 1 - row) * size + column);
        }
        let letter = text.chars().next().unwrap_or(' ').to_ascii_lowercase();
        if !well_formed || !letter.is_ascii_lowercase() {
            return Err("expected a cell such as ".to_string() + &self.write(size, 0));
        }
        let column = (0..size).find(|&c| self.column(c) == letter);
        match column {
            Some(column) if number <= size => Ok((number - 1) * size + column),
            None if self == Naming::GoLetters && letter == 'i' => {
                Err("there is no column i on this board".to_string())
            }
            _ => Err(format!(
                "outside the board: cells go from {} to {}",
                self.write(size, 0),
                self.write(size, size * size - 1)
            )),
        }
    }

    /// The letter of a column.
    fn column(self, column: usize) -> char {
        let skip = self == Naming::GoLetters && column >= 8;
        (b'a' + column as u8 + u8::from(skip)) as char
    }
}

/// A board as a list of cells: what FEN and stone lists are read into, before
/// a game says whether it can be a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Edge of the board in cells.
    pub size: usize,
    /// Whose stone lies on each cell.
    pub cells: Vec<Option<Side>>,
    /// Side to move.
    pub turn: Side,
    /// Numbers beside the board, first player's first; 0 where a game has none.
    pub extra: [u32; 2],
}

impl Setup {
    /// An empty board.
    pub fn empty(size: usize, turn: Side) -> Setup {
        Setup {
            size,
            cells: vec![None; size * size],
            turn,
            extra: [0; 2],
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
        let size = self.size as i32;
        let held = |x: i32, y: i32| {
            let on_board = (0..size).contains(&x) && (0..size).contains(&y);
            (on_board && self.cells[(y * size + x) as usize] == Some(side))
                .then_some((y * size + x) as usize)
        };
        let mut cells = Vec::new();
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
            for (x, y) in (0..size * size).map(|cell| (cell % size, cell / size)) {
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
        size: usize,
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
        if rows.len() != size {
            return Err(format!("expected {size} rows, found {}", rows.len()));
        }
        let mut setup = Setup::empty(size, read_side(sides, fields[1])?);
        for (from_top, text) in rows.iter().enumerate() {
            let row = size - 1 - from_top;
            let cells = read_row(size, sides, text)
                .map_err(|why| format!("row {} from the top: {why}", from_top + 1))?;
            setup.cells[row * size..][..size].copy_from_slice(&cells);
        }
        for (i, field) in fields.iter().skip(2).enumerate() {
            setup.extra[i] = read_extra(size, extra.unwrap_or(""), field)?;
        }
        Ok(setup)
    }

    /// Writes what [`Setup::read_fen`] reads.
    pub fn write_fen(&self, sides: &[SideSpec; 2], extra: Option<&str>) -> String {
        let mut fen = String::new();
        for row in (0..self.size).rev() {
            let mut gap = 0;
            for cell in &self.cells[row * self.size..][..self.size] {
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
        size: usize,
        sides: &[SideSpec; 2],
        naming: Naming,
        extra: Option<&str>,
        words: &[String],
        turn: &str,
        extra_words: &[String],
    ) -> Result<Setup, String> {
        let mut setup = Setup::empty(size, read_side(sides, turn)?);
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
                .read(size, word)
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
                    read_extra(size, what, first)?,
                    read_extra(size, what, second)?,
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

/// A player by name (`black`) or letter (`b`), in either case.
///
/// # Errors
/// Says what the players are called.
pub fn read_side(sides: &[SideSpec; 2], text: &str) -> Result<Side, String> {
    find_side(sides, text).ok_or_else(|| {
        format!(
            "expected the player {} or {}, found '{text}'",
            sides[0].name, sides[1].name
        )
    })
}

fn find_side(sides: &[SideSpec; 2], text: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|s| {
        let spec = &sides[s.index()];
        spec.name.eq_ignore_ascii_case(text)
            || (text.len() == 1 && text.eq_ignore_ascii_case(spec.letter.encode_utf8(&mut [0; 4])))
    })
}

fn read_row(size: usize, sides: &[SideSpec; 2], text: &str) -> Result<Vec<Option<Side>>, String> {
    let mut cells = Vec::with_capacity(size);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let gap = rest[..digits].parse().unwrap_or(usize::MAX);
            if rest.starts_with('0') || gap > size - cells.len() {
                return Err(format!(
                    "'{}' empty cells do not fit into {size}",
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
        if cells.len() == size {
            return Err(format!("more than {size} cells"));
        }
        cells.push(Some(side));
        rest = &rest[c.len_utf8()..];
    }
    if cells.len() < size {
        return Err(format!("expected {size} cells, found {}", cells.len()));
    }
    Ok(cells)
}

fn read_extra(size: usize, what: &str, text: &str) -> Result<u32, String> {
    let most = (size * size) as u32;
    match text.parse::<u32>() {
        Ok(n) if n <= most && text.bytes().all(|b| b.is_ascii_digit()) => Ok(n),
        _ => Err(format!(
            "{what} are a number from 0 to {most}, not '{text}'"
        )),
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagram {
    /// Stones on the crossings of lines.
    Crossings,
    /// Stones in boxes.
    Boxes,
    /// Stones in boxes, those where column + row is odd (from 0) shaded.
    Chequers,
    /// Stones in boxes, with a double line after every so many; empty boxes
    /// show their number.
    Blocks(usize),
}

impl Diagram {
    /// Draws a board with its coordinates, a line each. `ascii`: no other
    /// characters. `flip`: seen from the second player's seat.
    pub fn draw(
        self,
        setup: &Setup,
        sides: &[SideSpec; 2],
        naming: Naming,
        ascii: bool,
        flip: bool,
    ) -> Vec<String> {
        let size = setup.size;
        let order = |from_start: usize, flip: bool| {
            if flip {
                size - 1 - from_start
            } else {
                from_start
            }
        };
        // Rows are drawn from the top, so they run against the numbering.
        let rows: Vec<usize> = (0..size).map(|i| order(i, !flip)).collect();
        let columns: Vec<usize> = (0..size).map(|i| order(i, flip)).collect();
        let stone = |side: Side| {
            let spec = &sides[side.index()];
            if ascii { spec.letter } else { spec.glyph }
        };
        let numbers = naming == Naming::Numbers;
        let label = |row: usize| {
            if numbers {
                String::new()
            } else {
                (row + 1).to_string()
            }
        };
        let mut lines = Vec::new();
        let width = if self == Diagram::Crossings { 2 } else { 4 };
        let mut letters = String::from("   ");
        for &c in &columns {
            let letter = if numbers { ' ' } else { naming.column(c) };
            let _ = match width {
                2 => write!(letters, "{letter} "),
                _ => write!(letters, "  {letter} "),
            };
        }
        let letters = letters.trim_end().to_string();
        if !numbers {
            lines.push(letters.clone());
        }
        if self == Diagram::Crossings {
            for (i, &row) in rows.iter().enumerate() {
                let mut line = format!("{:>2} ", label(row));
                for (j, &column) in columns.iter().enumerate() {
                    line.push(match setup.cells[row * size + column] {
                        Some(side) => stone(side),
                        None if ascii => '.',
                        None => crossing(i, j, size),
                    });
                    if j + 1 < size {
                        line.push(if ascii { ' ' } else { '─' });
                    }
                }
                lines.push(format!("{line} {}", label(row)));
            }
        } else {
            let block = if let Diagram::Blocks(n) = self {
                n
            } else {
                size
            };
            for (i, &row) in rows.iter().enumerate() {
                lines.push(format!("   {}", rule(i, size, block, ascii)));
                let mut line = format!("{:>2} ", label(row));
                for (j, &column) in columns.iter().enumerate() {
                    line.push(match (ascii, j % block == 0 && j > 0) {
                        (true, _) => '|',
                        (false, true) => '║',
                        (false, false) => '│',
                    });
                    let cell = row * size + column;
                    let shaded = self == Diagram::Chequers && (row + column) % 2 == 1;
                    let ground = match (shaded, ascii) {
                        (false, _) => ' ',
                        (true, true) => '#',
                        (true, false) => '░',
                    };
                    let _ = match setup.cells[cell] {
                        Some(side) => write!(line, "{ground}{}{ground}", stone(side)),
                        None if numbers => write!(line, "{:>2} ", naming.write(size, cell)),
                        None => write!(line, "{ground}{ground}{ground}"),
                    };
                }
                line.push(if ascii { '|' } else { '│' });
                lines.push(format!("{line} {}", label(row)).trim_end().to_string());
            }
            lines.push(format!("   {}", rule(size, size, block, ascii)));
        }
        if !numbers {
            lines.push(letters);
        }
        lines
    }
}

/// The piece of a grid of lines at row `i` from the top and column `j`.
fn crossing(i: usize, j: usize, size: usize) -> char {
    let third = |k: usize| {
        if k == 0 {
            0
        } else {
            1 + usize::from(k + 1 == size)
        }
    };
    [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][third(i)][third(j)]
}

/// The line above row `i` of a board of boxes; `i == size`: the one below all.
fn rule(i: usize, size: usize, block: usize, ascii: bool) -> String {
    let doubled = |k: usize| k > 0 && k < size && k.is_multiple_of(block);
    let mut line = String::new();
    for j in 0..=size {
        line.push(if ascii {
            '+'
        } else {
            let across = doubled(i);
            match (i, j) {
                (0, 0) => '┌',
                (0, _) if j == size => '┐',
                (0, _) if doubled(j) => '╥',
                (0, _) => '┬',
                (_, 0) if i == size => '└',
                (_, 0) if across => '╞',
                (_, 0) => '├',
                _ if i == size && j == size => '┘',
                _ if j == size && across => '╡',
                _ if j == size => '┤',
                _ if i == size && doubled(j) => '╨',
                _ if i == size => '┴',
                _ if across && doubled(j) => '╬',
                _ if across => '╪',
                _ if doubled(j) => '╫',
                _ => '┼',
            }
        });
        if j < size {
            line.push_str(match (ascii, doubled(i)) {
                (true, true) => "===",
                (true, false) => "---",
                (false, true) => "═══",
                (false, false) => "───",
            });
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{BLACK, WHITE};

    const SIDES: [SideSpec; 2] = [BLACK, WHITE];

    #[test]
    fn names_and_cells_are_inverse() {
        for (naming, size) in [
            (Naming::Letters, 22),
            (Naming::GoLetters, 19),
            (Naming::Numbers, 6),
        ] {
            for cell in 0..size * size {
                let name = naming.write(size, cell);
                assert_eq!(naming.read(size, &name), Ok(cell));
                assert_eq!(naming.read(size, &name.to_uppercase()), Ok(cell));
            }
        }
        assert_eq!(Naming::Letters.write(15, 7 * 15 + 7), "h8");
        assert_eq!(Naming::GoLetters.write(19, 9 * 19 + 9), "k10");
        assert_eq!(Naming::Numbers.write(6, 30), "1");
    }

    #[test]
    fn names_off_the_board_are_refused_with_a_reason() {
        let read = |text| Naming::GoLetters.read(19, text).unwrap_err();
        assert_eq!(read("i5"), "there is no column i on this board");
        assert_eq!(read("a20"), "outside the board: cells go from a1 to t19");
        assert_eq!(read("u1"), "outside the board: cells go from a1 to t19");
        for bad in ["", "a", "1", "a0", "a01", "a-1", "é1", "aé", "a1x"] {
            assert_eq!(read(bad), "expected a cell such as a1");
        }
        assert!(Naming::Numbers.read(6, "37").is_err());
        assert!(Naming::Numbers.read(6, "0").is_err());
        assert!(Naming::Numbers.read(6, "99999999999999999999").is_err());
    }

    #[test]
    fn fen_errors_say_where() {
        let read = |fen| Setup::read_fen(3, &SIDES, None, fen).unwrap_err();
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
    }

    #[test]
    fn fen_is_written_as_it_is_read() {
        for fen in ["3/3/3 b", "b1w/1b1/3 w", "bbb/www/bwb b"] {
            let setup = Setup::read_fen(3, &SIDES, None, fen).expect("good");
            assert_eq!(setup.write_fen(&SIDES, None), fen);
        }
        let fen = "3/3/3 b 2 0";
        let setup = Setup::read_fen(3, &SIDES, Some("captures"), fen).expect("good");
        assert_eq!(setup.extra, [2, 0]);
        assert_eq!(setup.write_fen(&SIDES, Some("captures")), fen);
    }

    #[test]
    fn diagrams_show_stones_and_coordinates() {
        let setup = Setup::read_fen(3, &SIDES, None, "b2/1w1/3 w").expect("good");
        let draw = |diagram: Diagram, naming, ascii, flip| {
            diagram.draw(&setup, &SIDES, naming, ascii, flip).join("\n")
        };
        assert_eq!(
            draw(Diagram::Crossings, Naming::Letters, false, false),
            "   a b c\n 3 ●─┬─┐ 3\n 2 ├─○─┤ 2\n 1 └─┴─┘ 1\n   a b c"
        );
        assert_eq!(
            draw(Diagram::Crossings, Naming::Letters, true, true),
            "   c b a\n 1 . . . 1\n 2 . w . 2\n 3 . . b 3\n   c b a"
        );
        assert_eq!(
            draw(Diagram::Chequers, Naming::Letters, true, false),
            "     a   b   c\n   +---+---+---+\n 3 | b |###|   | 3\n   +---+---+---+\n \
             2 |###| w |###| 2\n   +---+---+---+\n 1 |   |###|   | 1\n   +---+---+---+\n     a   b   c"
        );
        assert_eq!(
            draw(Diagram::Blocks(2), Naming::Numbers, false, false),
            "   ┌───┬───╥───┐\n   │ ● │ 2 ║ 3 │\n   ├───┼───╫───┤\n   │ 4 │ ○ ║ 6 │\n   \
             ╞═══╪═══╬═══╡\n   │ 7 │ 8 ║ 9 │\n   └───┴───╨───┘"
        );
    }
}
