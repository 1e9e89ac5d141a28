//! Forward search for the value of one position.
//!
//! Depth first with a table, on all turnings and both questions (win, no
//! loss) at once: a node is told in which turnings and for which question its
//! value matters and answers at least there.

use super::fives::FivesBySet;
use super::retrograde::Problem;
use super::subsets::elements;
use super::word::{Cell, Kernel, Word, run};

/// Cells of an entry of the table: key, known, wins.
const ENTRY: usize = 3;

/// What the nodes of a search share.
struct Search<'a> {
    holes: usize,
    /// Fives of the root's mover and of the other side, by set of filled
    /// holes.
    fives: [Vec<Cell>; 2],
    table: &'a mut [Cell],
    entries: usize,
    /// Makes the keys of this search differ from those of others.
    salt: u64,
    nodes: u64,
    budget: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

/// What is known of a node: in which turnings its value is known and in which
/// it is good for the side to move. The lower half is for the question
/// whether the root's mover wins, the upper half for whether it does not
/// lose, each put from the view of the side to move: the lower half asks the
/// other side whether it does not lose, the upper one whether it wins.
#[derive(Clone, Copy)]
struct Known<W> {
    known: W,
    good: W,
}

impl<W: Word> Known<W> {
    #[inline(always)]
    fn add(&mut self, good: W) {
        let new = good.and_not(self.known);
        self.good = self.good.or(new);
        self.known = self.known.or(new);
    }
}

impl Search<'_> {
    /// The half that asks whether the side to move wins.
    #[inline(always)]
    fn winning<W: Word>(filled: usize) -> W {
        W::load(if filled % 2 == 0 {
            &Cell::LOWER
        } else {
            &Cell::UPPER
        })
    }

    #[inline(always)]
    fn slot(&self, sets: [u32; 2]) -> (u64, usize) {
        let key = (u64::from(sets[0]) << 32 | u64::from(sets[1])) ^ self.salt;
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(mixed) * self.entries as u128 >> 64) as usize;
        // The mixed key: the table may hold anything, words of few bits too.
        (mixed, ENTRY * slot)
    }

    /// What fives and placements that make one say of a node, and the table.
    #[inline(always)]
    fn look<W: Word>(&self, sets: [u32; 2], filled: usize) -> Known<W> {
        let (mover, parity) = (filled & 1, filled & 1);
        let (own, other) = (sets[mover] as usize, sets[1 - mover] as usize);
        let winning = Self::winning::<W>(filled);
        let ours = W::load_half(&self.fives[mover][own], parity);
        let theirs_cell = &self.fives[1 - mover][other];
        let theirs = W::load_half(theirs_cell, parity);
        let mut node = Known {
            known: ours.or(theirs),
            good: ours.and_not(theirs.and(winning)),
        };
        if filled == self.holes {
            node.good = node.good.or(node.known.or(winning).not());
            node.known = W::load(&Cell::ZERO).not();
            return node;
        }
        let mut five = W::load(&Cell::ZERO);
        for element in elements(!(sets[0] | sets[1]) & ((1 << self.holes) - 1)) {
            five = five.or(W::load(&self.fives[mover][own | 1 << element]));
        }
        let five = five.cell();
        let before = W::load_half(&five, parity);
        let after = W::load_half(&five, 1 - parity);
        let theirs = W::load_half(theirs_cell, 1 - parity);
        node.add(before.or(after.and_not(theirs.and(winning)).any_turn()));
        let (key, slot) = self.slot(sets);
        if self.table[slot].0[0] == key {
            let known = W::load(&self.table[slot + 1]);
            let good = W::load(&self.table[slot + 2]);
            node.good = node.good.or(good.and_not(node.known));
            node.known = node.known.or(known);
        }
        node
    }
}

/// Values a node where `need` says.
struct Node<'a, 'b> {
    search: &'a mut Search<'b>,
    sets: [u32; 2],
    filled: usize,
    /// What is known already, and comes to be known.
    known: &'a mut Cell,
    good: &'a mut Cell,
    need: &'a Cell,
}

impl Kernel for Node<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self) {
        let search = self.search;
        search.nodes += 1;
        if search.nodes & 1023 == 0 && (search.nodes > search.budget || (search.stop)()) {
            search.stopped = true;
        }
        if search.stopped {
            return;
        }
        let (sets, filled) = (self.sets, self.filled);
        let mover = filled & 1;
        let mut node = Known {
            known: W::load(self.known),
            good: W::load(self.good),
        };
        if filled == 0 {
            node = search.look::<W>(sets, filled);
        }
        let need = W::load(self.need);
        let empty = !(sets[0] | sets[1]) & ((1 << search.holes) - 1);

        // Every move as far as it can be told without going deeper.
        let mut children = [(Cell::ZERO, Cell::ZERO, 0_u32, 0_u32); 32];
        let mut count = 0;
        let mut settled = false;
        for element in elements(empty) {
            let mut after = sets;
            after[mover] |= 1 << element;
            let child = search.look::<W>(after, filled + 1);
            node.add(child.known.and_not(child.good).any_turn());
            children[count] = (child.known.cell(), child.good.cell(), element as u32, 0);
            count += 1;
            if need.and_not(node.known).is_zero() {
                settled = true;
                break;
            }
        }
        if !settled {
            // First the moves after which the other side has the fewest good
            // turnings.
            let children = &mut children[..count];
            let wanted = need.and_not(node.known).any_turn();
            for child in children.iter_mut() {
                let good = wanted.and(W::load(&child.1)).cell();
                child.3 = good.0.iter().map(|word| word.count_ones()).sum();
            }
            children.sort_unstable_by_key(|child| (child.3, child.2));
            let mut open = W::load(&Cell::ZERO);
            for child in children.iter_mut() {
                let need = need.and_not(node.known);
                if need.is_zero() {
                    settled = true;
                    break;
                }
                let wanted = need.any_turn().and_not(W::load(&child.0));
                if !wanted.is_zero() {
                    let mut after = sets;
                    after[mover] |= 1 << child.2;
                    let wanted = wanted.cell();
                    W::call(Node {
                        search,
                        sets: after,
                        filled: filled + 1,
                        known: &mut child.0,
                        good: &mut child.1,
                        need: &wanted,
                    });
                    if search.stopped {
                        return;
                    }
                    let (known, good) = (W::load(&child.0), W::load(&child.1));
                    node.add(known.and_not(good).any_turn());
                }
                open = open.or(W::load(&child.0).and(W::load(&child.1)).not());
            }
            if !settled {
                // Where every move is known to be good for the other side.
                node.known = node.known.or(open.any_turn().not());
            }
        }
        let (key, slot) = search.slot(sets);
        node.known.store(self.known);
        node.good.store(self.good);
        search.table[slot] = Cell([key, 0, 0, 0]);
        node.known.store(&mut search.table[slot + 1]);
        node.good.store(&mut search.table[slot + 2]);
    }
}

/// Whether the side to move wins and whether it does not lose. `salt` must
/// differ between searches that use the same table. None after `budget`
/// nodes or if `stop` said so.
pub fn solve(
    problem: &Problem,
    table: &mut [Cell],
    salt: u64,
    budget: u64,
    stop: &dyn Fn() -> bool,
) -> (Option<(bool, bool)>, u64) {
    let fives = |marbles| {
        run(FivesBySet {
            marbles,
            holes: &problem.holes,
        })
    };
    let mut search = Search {
        holes: problem.holes.len(),
        fives: [fives(problem.own), fives(problem.other)],
        entries: table.len() / ENTRY,
        table,
        salt: (salt & 1023) << 22 | (salt >> 10 & 1023) << 54,
        nodes: 0,
        budget,
        stop,
        stopped: false,
    };
    let (mut known, mut good) = (Cell::ZERO, Cell::ZERO);
    let need = Cell([1, 0, 1, 0]);
    run(Node {
        search: &mut search,
        sets: [0, 0],
        filled: 0,
        known: &mut known,
        good: &mut good,
        need: &need,
    });
    let nodes = search.nodes;
    if search.stopped {
        return (None, nodes);
    }
    debug_assert!(known.0[0] & known.0[2] & 1 == 1);
    (Some((good.0[0] & 1 == 1, good.0[2] & 1 == 1)), nodes)
}
