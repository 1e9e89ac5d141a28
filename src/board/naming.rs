//! The names of cells.

use super::dimensions::Dimensions;

/// How the cells of a board are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// `a1` bottom left, columns `a b c …`.
    Letters,
    /// The same without a column `i`, as in Go.
    GoLetters,
    /// `1 2 3 …` left to right, top row first.
    Numbers,
}

impl Naming {
    /// Name of a cell.
    pub fn write(self, dimensions: Dimensions, cell: usize) -> String {
        let (row, column) = (dimensions.row(cell), dimensions.column(cell));
        match self {
            Naming::Numbers => {
                let from_top = dimensions.rows - 1 - row;
                (dimensions.cell(column, from_top) + 1).to_string()
            }
            _ => format!("{}{}", self.column(column), row + 1),
        }
    }

    /// The cell with this name, in any case.
    ///
    /// # Errors
    /// Says whether it is not the name of a cell at all or is off the board.
    pub fn read(self, dimensions: Dimensions, text: &str) -> Result<usize, String> {
        let digits = match self {
            Naming::Numbers => text,
            _ => text.get(1..).unwrap_or(""),
        };
        let well_formed = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        let number = digits.parse::<usize>().unwrap_or(usize::MAX);
        if self == Naming::Numbers {
            let most = dimensions.cells();
            if !well_formed {
                return Err(format!("expected a hole from 1 to {most}"));
            }
            if number > most {
                return Err(format!("outside the board: holes go from 1 to {most}"));
            }
            let (from_top, column) = (dimensions.row(number - 1), dimensions.column(number - 1));
            return Ok(dimensions.cell(column, dimensions.rows - 1 - from_top));
        }
        let letter = text.chars().next().unwrap_or(' ').to_ascii_lowercase();
        if !well_formed || !letter.is_ascii_lowercase() {
            return Err("expected a cell such as ".to_string() + &self.write(dimensions, 0));
        }
        let column = (0..dimensions.columns).find(|&c| self.column(c) == letter);
        match column {
            Some(column) if number <= dimensions.rows => Ok(dimensions.cell(column, number - 1)),
            None if self == Naming::GoLetters && letter == 'i' => {
                Err("there is no column i on this board".to_string())
            }
            _ => Err(format!(
                "outside the board: cells go from {} to {}",
                self.write(dimensions, 0),
                self.write(dimensions, dimensions.cells() - 1)
            )),
        }
    }

    /// The letter of a column.
    pub(super) fn column(self, column: usize) -> char {
        let skip = self == Naming::GoLetters && column >= 8;
        (b'a' + column as u8 + u8::from(skip)) as char
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cells_are_inverse() {
        for (naming, dimensions) in [
            (Naming::Letters, Dimensions::square(22)),
            (Naming::Letters, Dimensions::new(7, 6)),
            (Naming::GoLetters, Dimensions::square(19)),
            (Naming::GoLetters, Dimensions::new(11, 3)),
            (Naming::Numbers, Dimensions::square(6)),
            (Naming::Numbers, Dimensions::new(4, 9)),
        ] {
            for cell in 0..dimensions.cells() {
                let name = naming.write(dimensions, cell);
                assert_eq!(naming.read(dimensions, &name), Ok(cell));
                assert_eq!(naming.read(dimensions, &name.to_uppercase()), Ok(cell));
            }
        }
        let square = Dimensions::square;
        assert_eq!(Naming::Letters.write(square(15), 7 * 15 + 7), "h8");
        assert_eq!(Naming::GoLetters.write(square(19), 9 * 19 + 9), "k10");
        assert_eq!(Naming::Numbers.write(square(6), 30), "1");
        assert_eq!(Naming::Letters.write(Dimensions::new(7, 6), 41), "g6");
        assert_eq!(Naming::Numbers.write(Dimensions::new(7, 6), 35), "1");
    }

    #[test]
    fn names_off_the_board_are_refused_with_a_reason() {
        let read = |text| {
            Naming::GoLetters
                .read(Dimensions::square(19), text)
                .unwrap_err()
        };
        assert_eq!(read("i5"), "there is no column i on this board");
        assert_eq!(read("a20"), "outside the board: cells go from a1 to t19");
        assert_eq!(read("u1"), "outside the board: cells go from a1 to t19");
        for bad in ["", "a", "1", "a0", "a01", "a-1", "é1", "aé", "a1x"] {
            assert_eq!(read(bad), "expected a cell such as a1");
        }
        for bad in ["37", "0", "99999999999999999999"] {
            assert!(Naming::Numbers.read(Dimensions::square(6), bad).is_err());
        }
        let read = |text| Naming::Letters.read(Dimensions::new(7, 6), text);
        let off = Err("outside the board: cells go from a1 to g6".to_string());
        assert_eq!((read("h1"), read("a7")), (off.clone(), off));
    }
}
