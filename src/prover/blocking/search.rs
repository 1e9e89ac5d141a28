//! Proof-number search over states of windows, depth first, as `../search.rs`
//! does it over positions.
//!
//! A state in which the holder closes all windows has a *zone*: the cells on
//! which he ever puts a stone for that. After a move of the attacker outside the
//! zone of another one, the same stones close all windows: he plays as if the
//! attacker had made that other move, and exchanges the two cells when the
//! attacker comes to it. So only moves inside all zones found are left to try.

use super::super::kept::Kept;
use super::super::numbers::{MOST, NEVER, NumberTable, Numbers};
use super::super::search::{Status, Writing};
use super::state::{After, Cells, Key, Maps, State};
use super::{forced, pairs};
use crate::bits::ones;

/// States looked at in a search for a forced win.
const FORCED: u32 = 200;
/// The holder's likeliest moves, after which pairs are looked for; the others
/// are taken to lack as many as the worst of these. States on 8 x 7 with
/// five in a row: 126,000 with 4, 83,000 with 8, 67,000 with 16, of which each
/// costs more.
const COMPARED: usize = 8;
/// Steps of a search for pairs in a state that would have to be searched. States
/// on 8 x 7: 122,000 with 100, 94,000 with 3,000.
pub const PAIRS: u32 = 1000;
/// The same after a move of the holder.
const PAIRS_AFTER: u32 = 100;
/// About how many of the attacker's moves have to be refuted one by one; the
/// zones of these refute the others.
const REFUTED: f64 = 20.0;

/// A search of whether the holder can close all windows.
pub struct Blocking<'a> {
    root: State,
    /// The cells of the pairs that were left out of the root.
    pairs: Cells,
    attacks: bool,
    /// Cells of the longest window, for the scale of worths.
    longest: u32,
    maps: &'a Maps,
    table: &'a NumberTable,
    /// States searched.
    pub nodes: u64,
    /// How far the holder's strategy has been written, if that has begun.
    pub writing: Option<Writing>,
    budget: &'a mut dyn FnMut(&Status) -> bool,
    polls: u64,
    over: bool,
    numbers: Numbers,
    depth: usize,
    kept: Kept<Node>,
}

/// What is known of a state without search.
enum Judged {
    /// The attacker fills a window.
    Lost,
    /// The holder closes all, with stones on these cells.
    Closed(Cells),
    /// Nothing; the cells on which the side to move has to look, and how many
    /// windows are without a pair.
    Open(Cells, u32),
}

/// A state after a move.
struct Child {
    cell: u8,
    key: Key,
    /// Its numbers when it was last left, or an estimate.
    latest: Numbers,
    /// The holder's cells for this move, beside those of the state.
    beside: Cells,
    /// Whether the holder is known to close all windows after it.
    refuted: bool,
}

/// The moves of a state that is not settled.
#[derive(Default)]
struct Node {
    children: Vec<Child>,
    /// The zone of all moves that are refuted.
    zone: Cells,
}

impl Node {
    /// How many [entries](Kept) it has.
    fn entries(&self) -> usize {
        1 + self.children.len()
    }

    /// Notes that the holder closes all windows after this move, in that zone;
    /// so he does after every move outside of it.
    fn refute(&mut self, child: usize, zone: Cells) {
        let zone = zone | self.children[child].beside;
        self.zone |= zone;
        self.children[child].refuted = true;
        for other in &mut self.children {
            other.refuted |= zone >> other.cell & 1 == 0;
        }
    }
}

/// Limits of the numbers of a state.
#[derive(Clone, Copy)]
struct Limits {
    phi: u64,
    delta: u64,
}

impl Limits {
    const NONE: Limits = Limits {
        phi: MOST,
        delta: MOST,
    };
}

/// The numbers of a state in which the holder closes all windows. In place of
/// the number that has no end stands the zone, as cells of the state's form.
fn closed(attacks: bool, zone: Cells) -> Numbers {
    // 0 would settle the number beside it too; a zone may be too large.
    let zone = zone.max(1);
    let (phi, delta) = match attacks {
        true => (zone, 0),
        false => (0, zone),
    };
    let plies = 0;
    Numbers { phi, delta, plies }
}

/// The zone of a state, if its numbers say that the holder closes all windows.
fn zone_of(numbers: Numbers, attacks: bool) -> Option<Cells> {
    match attacks {
        true => (numbers.delta == 0).then_some(numbers.phi),
        false => (numbers.phi == 0).then_some(numbers.delta),
    }
}

impl<'a> Blocking<'a> {
    /// A search from these windows, each by its empty cells; `attacks`: whether
    /// the attacker is to move. `None` if they are too many.
    pub fn new(
        windows: &[Cells],
        attacks: bool,
        maps: &'a Maps,
        table: &'a NumberTable,
        budget: &'a mut dyn FnMut(&Status) -> bool,
    ) -> Option<Blocking<'a>> {
        let longest = windows.iter().map(|w| w.count_ones()).max();
        let After { state, pairs, .. } = State::of(windows)?;
        Some(Blocking {
            root: state,
            pairs,
            attacks,
            longest: longest.unwrap_or(0),
            maps,
            table,
            nodes: 0,
            writing: None,
            budget,
            polls: 0,
            over: false,
            numbers: Numbers::NEW,
            depth: 0,
            kept: Kept::new(1),
        })
    }

    /// Whether all windows can be closed; `None` if the search ended before
    /// that was known.
    pub fn settle(&mut self) -> Option<bool> {
        let (state, attacks) = (self.root.clone(), self.attacks);
        let key = self.maps.key(&state, attacks);
        let numbers = self.search(&state, attacks, key, Limits::NONE);
        Some(numbers.reached()? != attacks)
    }

    /// The state at the beginning, the cells of the pairs that were left out of
    /// it, and whether the attacker is to move.
    pub fn root(&self) -> (State, Cells, bool) {
        (self.root.clone(), self.pairs, self.attacks)
    }

    /// Whether the search was told to end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The symmetries of the board.
    pub fn maps(&self) -> &'a Maps {
        self.maps
    }

    /// The zone of a state with this key, if the holder is known to close all
    /// windows of it.
    pub fn zone(&self, key: Key, attacks: bool) -> Option<Cells> {
        let zone = zone_of(self.table.find(key.form)?, attacks)?;
        Some(self.maps.of_form(zone, key))
    }

    /// The cell on which the holder, who is to move and closes all windows, puts
    /// a stone; `None` if there is no time to see it, or he does not.
    pub fn answer(&mut self, state: &State) -> Option<usize> {
        let among = match self.judge(state, false) {
            Judged::Lost => return None,
            Judged::Closed(zone) => return ones(zone).next(),
            Judged::Open(among, _) => among,
        };
        let node = match self.answers(state, among) {
            Err((cell, _)) => return Some(cell),
            Ok(node) => node,
        };
        let known = |search: &Self| {
            let found = node.children.iter().find(|child| {
                let numbers = search.table.find(child.key.form);
                numbers.is_some_and(|n| zone_of(n, true).is_some())
            });
            found.map(|child| usize::from(child.cell))
        };
        known(self).or_else(|| {
            let key = self.maps.key(state, false);
            self.search(state, false, key, Limits::NONE);
            // The table may have forgotten the answer already.
            known(self).or_else(|| {
                ones(among).find(|&cell| {
                    let after = state.held(cell).state;
                    let key = self.maps.key(&after, true);
                    let numbers = self.search(&after, true, key, Limits::NONE);
                    !self.over && zone_of(numbers, true).is_some()
                })
            })
        })
    }

    /// Asks now and then whether to end.
    pub fn poll(&mut self) {
        self.polls += 1;
        if self.polls & 63 == 1 {
            let status = Status {
                nodes: self.nodes,
                root: self.numbers,
                table: self.table,
                writing: self.writing,
            };
            self.over |= (self.budget)(&status);
        }
    }

    fn judge(&self, state: &State, attacks: bool) -> Judged {
        let last = state.windows().iter().filter(|w| w.count_ones() < 2);
        let last = last.fold((0, 0), |(all, most), &w| {
            (all | w, most.max(w.count_ones()))
        });
        if let (all, 1) = last {
            return match attacks || all.count_ones() > 1 {
                true => Judged::Lost,
                false => Judged::Open(all, 0),
            };
        }
        let lacking = match pairs::find(state.windows(), if attacks { PAIRS } else { 0 }) {
            Ok(pairs) => return Judged::Closed(pairs.cells()),
            Err(lacking) => lacking,
        };
        match (forced::win(state, &mut FORCED.clone()), attacks) {
            (Some(_), true) => Judged::Lost,
            (Some(used), false) => Judged::Open(used & state.useful(), lacking),
            (None, true) => Judged::Open(state.cells(), lacking),
            (None, false) => Judged::Open(state.useful(), lacking),
        }
    }

    /// These cells, those whose windows are worth most first.
    pub fn likeliest(state: &State, among: Cells) -> Vec<usize> {
        let worths = state.worths();
        let mut likeliest: Vec<usize> = ones(among).collect();
        likeliest.sort_by_key(|&cell| std::cmp::Reverse(worths[cell]));
        likeliest
    }

    /// About how many states it takes to close all windows of a state that lacks
    /// so many pairs, in units that matter only to each other. The form is
    /// what fits the work that solved states of 8 x 7 and 8 x 8 took.
    fn cost(&self, state: &State, lacking: u32) -> f64 {
        let scale = f64::from(1 << (16 - self.longest.min(16)));
        let danger = (f64::from(state.worth()) / scale).max(1.0);
        danger.powf(1.25) * (0.27 * f64::from(lacking)).exp()
    }

    /// The states after the attacker's moves, with estimates.
    fn attacks(&self, state: &State, among: Cells, lacking: u32) -> Node {
        let images = self.maps.images(state);
        let worths = state.worths();
        let most = f64::from(worths.into_iter().max().unwrap_or(1));
        let share = self.cost(state, lacking) / REFUTED;
        let moves = Self::likeliest(state, among).into_iter().enumerate();
        let children = moves.map(|(rank, cell)| {
            let after = state.attacked(cell);
            let weight = f64::from(worths[cell]) / most;
            let cost = (share * weight * weight) as u64;
            Child {
                cell: cell as u8,
                key: self.maps.key_after(&images, &after, false),
                latest: Numbers::open(cost.max(1), 1 + 2 * rank as u64),
                beside: after.pairs,
                refuted: false,
            }
        });
        Node {
            children: children.collect(),
            zone: 0,
        }
    }

    /// The states after the holder's moves, with estimates.
    ///
    /// # Errors
    /// Pairs close the rest after one of the likeliest: it, and its zone.
    fn answers(&self, state: &State, among: Cells) -> Result<Node, (usize, Cells)> {
        let images = self.maps.images(state);
        let (mut children, mut most): (Vec<Child>, u32) = (Vec::new(), 0);
        for (place, cell) in Self::likeliest(state, among).into_iter().enumerate() {
            let after = state.held(cell);
            let beside = after.pairs | 1 << cell;
            let mut lacking = most;
            if place < COMPARED {
                match pairs::find(after.state.windows(), PAIRS_AFTER) {
                    Ok(pairs) => return Err((cell, pairs.cells() | beside)),
                    Err(now) => lacking = now,
                }
                most = most.max(lacking);
            }
            let key = self.maps.key_after(&images, &after, true);
            if children.iter().all(|child| child.key.form != key.form) {
                let cost = self.cost(&after.state, lacking) as u64;
                children.push(Child {
                    cell: cell as u8,
                    key,
                    latest: Numbers::open(1, cost.max(1)),
                    beside,
                    refuted: false,
                });
            }
        }
        Ok(Node { children, zone: 0 })
    }

    /// The moves of a state.
    ///
    /// # Errors
    /// It is settled without search: its zone, if the holder closes all windows.
    fn node(&mut self, state: &State, attacks: bool, key: Key) -> Result<Node, Option<Cells>> {
        if let Some(node) = self.kept.remove(key.own, Node::entries) {
            return Ok(node);
        }
        match self.judge(state, attacks) {
            Judged::Lost => Err(None),
            Judged::Closed(zone) => Err(Some(zone)),
            Judged::Open(among, lacking) if attacks => Ok(self.attacks(state, among, lacking)),
            Judged::Open(among, _) => self.answers(state, among).map_err(|(_, zone)| Some(zone)),
        }
    }

    fn search(&mut self, state: &State, attacks: bool, key: Key, most: Limits) -> Numbers {
        let before = self.nodes;
        self.nodes += 1;
        self.poll();
        let mut node = match self.node(state, attacks, key) {
            Ok(node) => node,
            Err(zone) => {
                let numbers = match zone {
                    Some(zone) => closed(attacks, self.maps.to_form(zone, key)),
                    None => Numbers::settled(attacks, 0),
                };
                self.table.store(key.form, numbers, 1);
                return numbers;
            }
        };
        self.depth += 1;
        let numbers = loop {
            let (numbers, best, below) = self.weigh(&mut node, attacks, key, most);
            let reached = numbers.reached();
            if self.depth == 1 {
                // A zone is no number to be told.
                self.numbers = reached.map_or(numbers, |r| Numbers::settled(r, 0));
            }
            if reached.is_some()
                || numbers.phi >= most.phi
                || numbers.delta >= most.delta
                || self.over
            {
                break numbers;
            }
            let Child { cell, key, .. } = node.children[best];
            let After { state, .. } = match attacks {
                true => state.attacked(usize::from(cell)),
                false => state.held(usize::from(cell)),
            };
            node.children[best].latest = self.search(&state, !attacks, key, below);
        };
        self.depth -= 1;
        self.table.store(key.form, numbers, self.nodes - before);
        if numbers.reached().is_none() {
            let entries = node.entries();
            self.kept.insert(key.own, node, entries);
        }
        numbers
    }

    /// What the states after the moves say, the move to search next, and its
    /// limits.
    fn weigh(
        &self,
        node: &mut Node,
        attacks: bool,
        key: Key,
        most: Limits,
    ) -> (Numbers, usize, Limits) {
        let (mut best, mut least, mut second) = (0, NEVER, NEVER);
        let (mut sum, mut of_best) = (0u64, 0);
        for i in 0..node.children.len() {
            let child = &mut node.children[i];
            if child.refuted {
                continue;
            }
            child.latest = self.table.find(child.key.form).unwrap_or(child.latest);
            let n = child.latest;
            if let Some(zone) = zone_of(n, !attacks) {
                let zone = self.maps.of_form(zone, child.key);
                if !attacks {
                    let zone = self.maps.to_form(zone | child.beside, key);
                    return (closed(false, zone), i, most);
                }
                node.refute(i, zone);
            } else if n.delta == 0 {
                return (Numbers::settled(true, 0), i, most);
            }
        }
        for (i, child) in node.children.iter().enumerate() {
            if child.refuted {
                continue;
            }
            let n = child.latest;
            if n.delta < least {
                (second, least, best, of_best) = (least, n.delta, i, n.phi);
            } else {
                second = second.min(n.delta);
            }
            sum = sum.saturating_add(n.phi).min(MOST);
        }
        if sum == 0 {
            let numbers = match attacks {
                true => closed(true, self.maps.to_form(node.zone, key)),
                false => Numbers::settled(false, 0),
            };
            return (numbers, best, most);
        }
        // The attacker stays longer with a move: all have to be refuted.
        let margin = match attacks {
            true => second.saturating_mul(2).saturating_add(4),
            false => second / 4 + 1,
        };
        let below = Limits {
            phi: (most.delta - sum.min(most.delta)).saturating_add(of_best),
            delta: most.phi.min(second.saturating_add(margin)),
        };
        (Numbers::open(least.min(MOST), sum), best, below)
    }
}
