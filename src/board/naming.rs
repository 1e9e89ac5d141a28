//! The names of cells.
//!
//! Cells are numbered row by row from the bottom left: `row * size + column`,
//! both from 0.

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
}
