//! Reading the numbers of a strategy, and the threats made of them.

/// Kinds of entries.
pub const NOTHING: u32 = 0;
pub const PAIRS: u32 = 1;
pub const THREAT: u32 = 2;
/// A move is written as its number + this.
pub const MOVE: u32 = 3;
/// The same number where the other player is to move.
pub const PASS: u32 = 3;

/// The bytes of a strategy that have not been read yet.
pub struct Reader<'a>(pub &'a [u8]);

/// A move that threatens to win at once, and the next threat after each reply
/// that prevents that.
pub struct Threat {
    /// The number of the move.
    pub mv: u32,
    /// Numbers of replies, each with the next threat.
    pub replies: Vec<(u32, Threat)>,
}

/// Threats may follow each other so often.
const DEEPEST: u32 = 500;

impl Reader<'_> {
    /// The next number: seven bits a byte, the lowest first; all bytes but the
    /// last have the eighth bit.
    pub fn number(&mut self) -> Result<u32, String> {
        let mut number = 0u32;
        for shift in [0, 7, 14, 21] {
            let (&byte, rest) = self.0.split_first().ok_or("the strategy is cut short")?;
            self.0 = rest;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err("a number is too long".to_string())
    }

    /// The next threat.
    pub fn threat(&mut self) -> Result<Threat, String> {
        self.threat_below(DEEPEST)
    }

    fn threat_below(&mut self, deepest: u32) -> Result<Threat, String> {
        let deepest = deepest.checked_sub(1).ok_or("a threat is too long")?;
        let mv = self.number()?;
        let mut replies = Vec::new();
        for _ in 0..self.number()? {
            let reply = self.number()?;
            replies.push((reply, self.threat_below(deepest)?));
        }
        Ok(Threat { mv, replies })
    }
}
