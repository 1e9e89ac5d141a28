//! Reading the bytes of a strategy.

use crate::position::Move;

/// A threat has so many moves at most, as in the files that are written. That bounds
/// the stack, and what a file of nothing but replies takes.
const MOST_PLANS: usize = super::threat::MOST_MOVES;

/// The bytes of a strategy, and where the next number is.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

/// A move that threatens to win at once, and the next plan after each reply
/// that prevents that.
pub(super) struct Plan {
    /// Where it is written.
    pub at: usize,
    /// The move.
    pub mv: Move,
    /// Replies, each with the next plan.
    pub replies: Vec<(Move, Plan)>,
}

impl Reader<'_> {
    /// Whether all is read.
    pub fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// The next number: seven bits a byte, the lowest first; all bytes but the
    /// last have the eighth bit.
    pub fn number(&mut self) -> Result<u32, String> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.bytes.get(self.at).ok_or("the strategy is cut short")?;
            self.at += 1;
            number |= u32::from(byte & 127) << shift;
            if *byte < 128 {
                return Ok(number);
            }
        }
        Err("a number is too long".to_string())
    }

    /// The move of this number.
    pub fn move_of(number: u32) -> Result<Move, String> {
        match u16::try_from(number) {
            Ok(code) if code < u16::MAX => Ok(Move::new(code)),
            _ => Err(format!("there is no move {number}")),
        }
    }

    /// The next plan.
    pub fn plan(&mut self) -> Result<Plan, String> {
        let mut left = MOST_PLANS;
        self.plan_of(&mut left)
    }

    /// The next plan, of so many more moves at most.
    fn plan_of(&mut self, left: &mut usize) -> Result<Plan, String> {
        *left = left.checked_sub(1).ok_or("a threat is too long")?;
        let at = self.at;
        let mv = Self::move_of(self.number()?)?;
        let mut replies = Vec::new();
        for _ in 0..self.number()? {
            let reply = Self::move_of(self.number()?)?;
            replies.push((reply, self.plan_of(left)?));
        }
        Ok(Plan { at, mv, replies })
    }
}
