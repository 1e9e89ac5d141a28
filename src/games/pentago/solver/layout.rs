//! The data shared by all analyses with the same number of empty holes.

use super::blocks::Blocks;
use super::plan::Plan;
use super::removals::Removals;
use std::sync::Arc;

/// The data shared by all analyses with the same number of empty holes.
pub struct Layout {
    /// Where the tables of each step are stored.
    pub plan: Plan,
    /// For each step, the blocks for the outer and for the inner colour's turn.
    pub blocks: Vec<[Blocks; 2]>,
    /// The removals of the sets that either colour fills, among others.
    pub removals: Arc<Removals>,
}

impl Layout {
    /// The layout of analyses by a plan. The removals must be for at least as
    /// many holes as the plan has.
    pub fn new(plan: Plan, removals: Arc<Removals>) -> Layout {
        let blocks = plan.steps.iter().map(|step| {
            let ground = plan.holes - step.outer;
            [
                Blocks::new(ground, step.inner, false),
                Blocks::new(ground, step.fewer(), true),
            ]
        });
        Layout {
            blocks: blocks.collect(),
            removals,
            plan,
        }
    }
}
