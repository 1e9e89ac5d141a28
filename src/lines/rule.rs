//! Which rows of stones win.

/// Which rows win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stones in a row that win, 3 or more.
    pub line: usize,
    /// Whether a longer row does not.
    pub exact: bool,
}

impl Rule {
    /// Whether so many stones in a row win.
    #[inline(always)]
    pub fn wins(self, run: u32) -> bool {
        run as usize == self.line || (!self.exact && run as usize > self.line)
    }

    /// How far a cell may lie from another to matter to its lines.
    pub fn reach(self) -> usize {
        self.line - 1 + usize::from(self.exact)
    }

    /// The bits of a window that begins at the lowest one.
    #[inline(always)]
    pub fn window(self) -> u32 {
        ((1u64 << self.line) - 1) as u32
    }
}
