//! The grades of the option `Strength`: how far a player looks and how well it
//! judges. Each game declares the abilities of its own
//! ([`crate::game::Game::ABILITIES`]).

/// How many grades there are below full strength.
pub const GRADES: usize = 19;

/// The abilities of the grades, `0..=1100`, the weakest first; see
/// [`Grade::of`].
pub type Abilities = [u32; GRADES];

/// What makes a player weaker than the full engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Nodes that it searches to choose a move.
    pub nodes: u64,
    /// How far its judgement of a position is off: the standard deviation of
    /// the error in centipawns.
    pub blur: i32,
    /// Of a hundred threats in the positions that it looks at, how many it
    /// overlooks.
    pub oversights: u64,
}

impl Grade {
    /// The grade of this ability, `0..=1100`: up to 1000 nodes grow from 100 to
    /// 10,000 in equal ratios, and the other two fall to 0; beyond, nodes grow on.
    pub fn of(ability: u32) -> Grade {
        let lack = 1.0 - f64::from(ability) / 1000.0;
        let nodes = (10_000.0 * 0.01f64.powf(lack)) as u64;
        let lack = lack.max(0.0);
        Grade {
            nodes,
            blur: (2_000.0 * lack * lack) as i32,
            oversights: (100.0 * lack) as u64,
        }
    }
}

/// For a game that has not been measured.
pub const EVEN: Abilities = {
    let mut grades = [0; GRADES];
    let mut i = 0;
    while i < GRADES {
        grades[i] = (1000 * i / (GRADES - 1)) as u32;
        i += 1;
    }
    grades
};
