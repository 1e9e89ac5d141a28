//! Which rows of stones win.

/// Which rows win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stones in a row that win, 3 or more.
    pub line: usize,
    /// Whether longer rows do not win.
    pub exact: bool,
}

impl Rule {
    /// Whether so many stones in a row win.
    #[inline(always)]
    pub fn wins(self, run: u32) -> bool {
        run as usize == self.line || (!self.exact && run as usize > self.line)
    }

    /// How far away a cell can be and still affect the lines of another.
    pub fn reach(self) -> usize {
        self.line - 1 + usize::from(self.exact)
    }

    /// The bits of a window that starts at the lowest bit.
    #[inline(always)]
    pub fn window(self) -> u32 {
        ((1u64 << self.line) - 1) as u32
    }
}
