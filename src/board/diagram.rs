//! Boards drawn with characters.

use super::dimensions::Dimensions;
use super::naming::Naming;
use super::setup::Setup;
use super::sides::SideSpec;
use crate::position::Side;
use std::fmt::Write as _;

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
        let dimensions = setup.dimensions;
        let order = |length: usize, reversed: bool| -> Vec<usize> {
            match reversed {
                true => (0..length).rev().collect(),
                false => (0..length).collect(),
            }
        };
        // Rows are drawn from the top, so they run against the numbering.
        let rows = order(dimensions.rows, !flip);
        let columns = order(dimensions.columns, flip);
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
                    line.push(match setup.cells[dimensions.cell(column, row)] {
                        Some(side) => stone(side),
                        None if ascii => '.',
                        None => crossing(i, j, dimensions),
                    });
                    if j + 1 < dimensions.columns {
                        line.push(if ascii { ' ' } else { '─' });
                    }
                }
                lines.push(format!("{line} {}", label(row)));
            }
        } else {
            let block = match self {
                Diagram::Blocks(n) => n,
                _ => usize::MAX,
            };
            for (i, &row) in rows.iter().enumerate() {
                lines.push(format!("   {}", rule(i, dimensions, block, ascii)));
                let mut line = format!("{:>2} ", label(row));
                for (j, &column) in columns.iter().enumerate() {
                    line.push(match (ascii, j % block == 0 && j > 0) {
                        (true, _) => '|',
                        (false, true) => '║',
                        (false, false) => '│',
                    });
                    let cell = dimensions.cell(column, row);
                    let shaded = self == Diagram::Chequers && (row + column) % 2 == 1;
                    let ground = match (shaded, ascii) {
                        (false, _) => ' ',
                        (true, true) => '#',
                        (true, false) => '░',
                    };
                    let _ = match setup.cells[cell] {
                        Some(side) => write!(line, "{ground}{}{ground}", stone(side)),
                        None if numbers => write!(line, "{:>2} ", naming.write(dimensions, cell)),
                        None => write!(line, "{ground}{ground}{ground}"),
                    };
                }
                line.push(if ascii { '|' } else { '│' });
                lines.push(format!("{line} {}", label(row)).trim_end().to_string());
            }
            lines.push(format!(
                "   {}",
                rule(dimensions.rows, dimensions, block, ascii)
            ));
        }
        if !numbers {
            lines.push(letters);
        }
        lines
    }
}

/// The piece of a grid of lines at row `i` from the top and column `j`.
fn crossing(i: usize, j: usize, dimensions: Dimensions) -> char {
    let third = |k: usize, length: usize| match k {
        0 => 0,
        _ => 1 + usize::from(k + 1 == length),
    };
    let (i, j) = (third(i, dimensions.rows), third(j, dimensions.columns));
    [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][i][j]
}

/// The line above row `i` of a board of boxes; with `i` the number of rows, the
/// one below all.
fn rule(i: usize, dimensions: Dimensions, block: usize, ascii: bool) -> String {
    let Dimensions { columns, rows } = dimensions;
    let doubled = |k: usize, length: usize| k > 0 && k < length && k.is_multiple_of(block);
    let mut line = String::new();
    for j in 0..=columns {
        line.push(if ascii {
            '+'
        } else {
            let across = doubled(i, rows);
            match (i, j) {
                (0, 0) => '┌',
                (0, _) if j == columns => '┐',
                (0, _) if doubled(j, columns) => '╥',
                (0, _) => '┬',
                (_, 0) if i == rows => '└',
                (_, 0) if across => '╞',
                (_, 0) => '├',
                _ if i == rows && j == columns => '┘',
                _ if j == columns && across => '╡',
                _ if j == columns => '┤',
                _ if i == rows && doubled(j, columns) => '╨',
                _ if i == rows => '┴',
                _ if across && doubled(j, columns) => '╬',
                _ if across => '╪',
                _ if doubled(j, columns) => '╫',
                _ => '┼',
            }
        });
        if j < columns {
            line.push_str(match (ascii, doubled(i, rows)) {
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
    use super::super::sides::{BLACK, WHITE};
    use super::*;

    const SIDES: [SideSpec; 2] = [BLACK, WHITE];

    #[test]
    fn oblong_boards_are_drawn_as_wide_and_as_high_as_they_are() {
        let dimensions = Dimensions::new(4, 2);
        let setup = Setup::read_fen(dimensions, &SIDES, None, "b3/2w1 w").expect("good");
        let draw = |diagram: Diagram, naming, ascii, flip| {
            diagram.draw(&setup, &SIDES, naming, ascii, flip).join("\n")
        };
        assert_eq!(
            draw(Diagram::Crossings, Naming::Letters, false, false),
            "   a b c d\n 2 ●─┬─┬─┐ 2\n 1 └─┴─○─┘ 1\n   a b c d"
        );
        assert_eq!(
            draw(Diagram::Crossings, Naming::Letters, true, true),
            "   d c b a\n 1 . w . . 1\n 2 . . . b 2\n   d c b a"
        );
        assert_eq!(
            draw(Diagram::Boxes, Naming::Letters, true, false),
            "     a   b   c   d\n   +---+---+---+---+\n 2 | b |   |   |   | 2\n   \
             +---+---+---+---+\n 1 |   |   | w |   | 1\n   +---+---+---+---+\n     a   b   c   d"
        );
        assert_eq!(
            draw(Diagram::Blocks(2), Naming::Numbers, false, false),
            "   ┌───┬───╥───┬───┐\n   │ ● │ 2 ║ 3 │ 4 │\n   ├───┼───╫───┼───┤\n   \
             │ 5 │ 6 ║ ○ │ 8 │\n   └───┴───╨───┴───┘"
        );
    }

    #[test]
    fn diagrams_show_stones_and_coordinates() {
        let setup =
            Setup::read_fen(Dimensions::square(3), &SIDES, None, "b2/1w1/3 w").expect("good");
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
