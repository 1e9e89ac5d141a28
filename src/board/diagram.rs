//! Boards drawn as text.

use super::blocks::Blocks;
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
    /// Stones in boxes; boxes where column + row is odd (from 0) are shaded.
    Chequers,
    /// Stones in boxes, with a double line between the blocks; empty boxes show
    /// their number.
    Blocks(Blocks),
}

impl Diagram {
    /// Whether the box of a cell is shaded.
    pub fn is_shaded(self, dimensions: Dimensions, cell: usize) -> bool {
        self == Diagram::Chequers && (dimensions.row(cell) + dimensions.column(cell)) % 2 == 1
    }

    /// Draws a board with its coordinates, one string per line. `ascii`: ASCII
    /// characters only. `flip`: seen from the second player's side.
    pub fn draw(
        self,
        setup: &Setup,
        sides: &[SideSpec; 2],
        naming: Naming,
        ascii: bool,
        flip: bool,
    ) -> Vec<String> {
        let order = |length: usize, reversed: bool| -> Vec<usize> {
            match reversed {
                true => (0..length).rev().collect(),
                false => (0..length).collect(),
            }
        };
        let view = View {
            setup,
            sides,
            naming,
            ascii,
            // Rows are drawn from the top, opposite to their numbering.
            rows: order(setup.dimensions.rows, !flip),
            columns: order(setup.dimensions.columns, flip),
        };
        let mut lines = match self {
            Diagram::Crossings => view.crossings(),
            Diagram::Boxes | Diagram::Chequers => view.boxes(usize::MAX, self),
            Diagram::Blocks(blocks) => view.boxes(blocks.edge, self),
        };
        if naming != Naming::Numbers {
            let letters = view.letters(self);
            lines.insert(0, letters.clone());
            lines.push(letters);
        }
        lines
    }
}

/// A board and how to draw it.
struct View<'a> {
    setup: &'a Setup,
    sides: &'a [SideSpec; 2],
    naming: Naming,
    ascii: bool,
    /// The rows from the top and the columns from the left.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl View<'_> {
    /// The line with the letters of the columns.
    fn letters(&self, diagram: Diagram) -> String {
        let mut line = String::from("   ");
        for &column in &self.columns {
            let letter = self.naming.column(column);
            let _ = match diagram {
                Diagram::Crossings => write!(line, "{letter} "),
                _ => write!(line, "  {letter} "),
            };
        }
        line.trim_end().to_string()
    }

    /// The number of a row, if rows are numbered.
    fn label(&self, row: usize) -> String {
        match self.naming {
            Naming::Numbers => String::new(),
            _ => (row + 1).to_string(),
        }
    }

    fn stone(&self, side: Side) -> char {
        let spec = &self.sides[side.index()];
        if self.ascii { spec.letter } else { spec.glyph }
    }

    /// Stones on the crossings of lines.
    fn crossings(&self) -> Vec<String> {
        let dimensions = self.setup.dimensions;
        let mut lines = Vec::new();
        for (i, &row) in self.rows.iter().enumerate() {
            let mut line = format!("{:>2} ", self.label(row));
            for (j, &column) in self.columns.iter().enumerate() {
                line.push(match self.setup.cells[dimensions.cell(column, row)] {
                    Some(side) => self.stone(side),
                    None if self.ascii => '.',
                    None => crossing(i, j, dimensions),
                });
                if j + 1 < dimensions.columns {
                    line.push(if self.ascii { ' ' } else { '─' });
                }
            }
            lines.push(format!("{line} {}", self.label(row)));
        }
        lines
    }

    /// Stones in boxes, with a double line after every `block` boxes.
    fn boxes(&self, block: usize, diagram: Diagram) -> Vec<String> {
        let dimensions = self.setup.dimensions;
        let mut lines = Vec::new();
        for (i, &row) in self.rows.iter().enumerate() {
            lines.push(format!("   {}", rule(i, dimensions, block, self.ascii)));
            let mut line = format!("{:>2} ", self.label(row));
            for (j, &column) in self.columns.iter().enumerate() {
                line.push(match (self.ascii, j % block == 0 && j > 0) {
                    (true, _) => '|',
                    (false, true) => '║',
                    (false, false) => '│',
                });
                let cell = dimensions.cell(column, row);
                let ground = match (diagram.is_shaded(dimensions, cell), self.ascii) {
                    (false, _) => ' ',
                    (true, true) => '#',
                    (true, false) => '░',
                };
                let _ = match self.setup.cells[cell] {
                    Some(side) => write!(line, "{ground}{}{ground}", self.stone(side)),
                    None if self.naming == Naming::Numbers => {
                        write!(line, "{:>2} ", self.naming.write(dimensions, cell))
                    }
                    None => write!(line, "{ground}{ground}{ground}"),
                };
            }
            line.push(if self.ascii { '|' } else { '│' });
            lines.push(format!("{line} {}", self.label(row)).trim_end().to_string());
        }
        let below = rule(dimensions.rows, dimensions, block, self.ascii);
        lines.push(format!("   {below}"));
        lines
    }
}

/// The line character at row `i` from the top and column `j`.
fn crossing(i: usize, j: usize, dimensions: Dimensions) -> char {
    let third = |k: usize, length: usize| match k {
        0 => 0,
        _ => 1 + usize::from(k + 1 == length),
    };
    let (i, j) = (third(i, dimensions.rows), third(j, dimensions.columns));
    [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][i][j]
}

/// The line above row `i` of a board of boxes; if `i` is the number of rows,
/// the line below the board.
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
    const BLOCKS: Blocks = Blocks {
        edge: 2,
        names: &[],
    };

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
            draw(Diagram::Blocks(BLOCKS), Naming::Numbers, false, false),
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
            draw(Diagram::Blocks(BLOCKS), Naming::Numbers, false, false),
            "   ┌───┬───╥───┐\n   │ ● │ 2 ║ 3 │\n   ├───┼───╫───┤\n   │ 4 │ ○ ║ 6 │\n   \
             ╞═══╪═══╬═══╡\n   │ 7 │ 8 ║ 9 │\n   └───┴───╨───┘"
        );
    }
}
