//! The specialist's search for a win of the root, beside the first thread's own: it
//! gets a share of that thread's nodes, in the midst of an iteration too.

use super::parameters::{BESIDE_LEAST, proof_share};
use crate::player::{Line, Root};
use crate::position::Position;
use crate::specialist::Look;
use crate::value::Value;

/// What the first thread keeps of it.
pub struct Beside<'a, P: Position> {
    pub root: &'a Root<P>,
    /// Whether a win is still looked for.
    pub on: bool,
    /// The last value of the root, by which the share goes.
    pub value: Value,
    /// Nodes taken so far.
    nodes: u64,
    /// The win, until it is told.
    pub found: Option<Line>,
}

impl<'a, P: Position> Beside<'a, P> {
    /// Nothing yet, and nothing is looked for until it is turned on.
    pub fn new(root: &'a Root<P>) -> Self {
        Beside {
            root,
            on: false,
            value: 0,
            nodes: 0,
            found: None,
        }
    }

    /// How many of these nodes of the thread's are due now.
    pub fn due(&self, nodes: u64) -> Option<u64> {
        let share = proof_share(self.value).filter(|_| self.on)?;
        let due = (nodes / share).saturating_sub(self.nodes);
        (due >= BESIDE_LEAST).then_some(due)
    }

    /// Takes note of a look, and of what was found.
    pub fn note(&mut self, look: Look, found: Option<Line>) {
        self.nodes += look.nodes;
        self.on = !look.over && found.is_none();
        self.found = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::options::OptionValues;
    use crate::value::win_in;

    #[test]
    fn whatever_the_value_most_nodes_are_those_of_the_search_itself() {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let root = Root::new(Gomoku::start(&rules).expect("rules"), &rules);
        for value in [100, 300, 600, win_in(31)] {
            let mut beside = Beside::new(&root);
            (beside.on, beside.value) = (true, value);
            let (mut own, mut all) = (0, 0);
            while own < 1_000_000 {
                own += 1_000;
                all += 1_000;
                // Its looks come one after the other while any are due.
                for _ in 0..100 {
                    let Some(nodes) = beside.due(all) else { break };
                    all += nodes;
                    beside.note(Look { nodes, over: false }, None);
                }
            }
            assert!(all < 2 * own, "at {value}: {own} of {all}");
        }
    }
}
