//! The bot of "Pente. Prolog Implementation of a Board Game" (B. Carvalho,
//! A. Pereira, 2018): a tree of fixed depth and fixed widths over a board value
//! that is the sum of the values of its lines.
//!
//! The document describes the pattern table ("about 150 patterns scored by hand", from
//! 1 for a single piece up to an overwhelming score for a five), the function
//! of the captures and the presets of its levels without printing them; those
//! here are of our own making. All values are from White's point of view, as
//! there: White wants them high, Black low.

use super::board::{Board, MAX_EDGE};
use crate::control::Control;
use crate::limits::Limits;
use crate::lines::rows::Rows;
use crate::options::OptionValues;
use crate::player::{Choice, Line, Player, Report, Root, answer};
use crate::position::{Move, Outcome, Position, Side};
use crate::random::{rank, stream};
use crate::value::{MAX_CP, Value, win_in};
use rand::rngs::StdRng;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What five in a row is worth: more than all else on a board together.
const FIVE: i64 = 1 << 40;

/// The worth of a node that White has surely won; Black's is the negative.
const SURE: i64 = 1 << 50;

/// Patterns of one colour with their scores: `W` a stone, `-` an empty
/// intersection. A pattern that reads otherwise backwards stands for both. All
/// that a line holds add up, so a score is what its pattern adds to those of
/// the shorter ones inside it.
const PATTERNS: &[(&str, i64)] = &[
    ("W", 1),
    ("-W-", 1),
    ("--W--", 1),
    // Two. A pair can be captured, a split one can not.
    ("WW", 1),
    ("-WW-", 2),
    ("--WW-", 1),
    ("--WW--", 1),
    ("W-W", 2),
    ("-W-W-", 4),
    ("--W-W--", 2),
    ("W--W", 2),
    ("-W--W-", 2),
    ("W---W", 1),
    // Three.
    ("WWW", 8),
    ("-WWW", 10),
    ("--WWW", 6),
    ("-WWW-", 40),
    ("--WWW-", 20),
    ("--WWW--", 20),
    ("W-WW", 8),
    ("-W-WW", 6),
    ("W-WW-", 6),
    ("-W-WW-", 50),
    ("W--WW", 10),
    ("-W--WW-", 6),
    ("W-W-W", 14),
    ("-W-W-W-", 8),
    // Four: one move from five; open at both ends, the tessera, two of them.
    ("WWWW", 40),
    ("-WWWW", 350),
    ("-WWWW-", 6000),
    ("W-WWW", 400),
    ("-W-WWW", 20),
    ("W-WWW-", 30),
    ("-W-WWW-", 20),
    ("WW-WW", 400),
    ("-WW-WW-", 20),
    // Five stones with gaps: several ways to the same five, or to two.
    ("WWWWW", FIVE),
    ("W-WWWW", 200),
    ("WW-WWW", 200),
    ("W-WWW-W", 3000),
    ("WW-W-WW", 100),
    ("WW-WW-W", 300),
    // Six.
    ("WWW-WWW", 200),
    ("WW-WWWW", 200),
    ("WW-WW-WW", 3000),
    ("-W-WW-WWW--", 500),
];

/// What captured stones are worth, by tenths of the number that wins: two
/// tenths for each pair in Pente.
const CAPTURES: [i64; 11] = [0, 15, 30, 50, 80, 140, 220, 500, 900, 2500, FIVE];

/// Depth, padding and widths of `Difficulty` 1 to 5.
pub const PRESETS: [(u32, usize, &[usize]); 5] = [
    (1, 1, &[1]),
    (2, 1, &[8]),
    (2, 2, &[16]),
    (4, 2, &[8, 6, 4]),
    (6, 2, &[10, 8, 6, 4]),
];
/// The value of the option `Depth` that leaves the depth to the preset.
pub const PRESET_DEPTH: i64 = -1;
/// The value of the option `Padding` that leaves the padding to the preset.
pub const PRESET_PADDING: i64 = 0;

/// How large a tree to grow.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plan {
    /// Plies; at least 1, for the root needs children to choose from.
    depth: u32,
    /// Cells around the box of all stones that are looked at.
    padding: usize,
    /// How many of the best children are followed, at each ply from the root;
    /// the last number holds for all further ones.
    widths: Vec<usize>,
}

impl Plan {
    /// What the options ask for; those set by themselves go before the preset.
    fn new(options: &OptionValues, limits: &Limits) -> Plan {
        let (depth, padding, widths) = PRESETS[options.spin("Difficulty") as usize - 1];
        let depth = match options.spin("Depth") {
            PRESET_DEPTH => depth,
            own => own as u32,
        };
        let padding = match options.spin("Padding") {
            PRESET_PADDING => padding,
            own => own as usize,
        };
        let own: Vec<usize> = (options.numbers("Width").iter())
            .map(|&n| n as usize)
            .collect();
        Plan {
            depth: depth.min(limits.depth.unwrap_or(depth)).max(1),
            padding,
            widths: if own.is_empty() { widths.to_vec() } else { own },
        }
    }

    fn width(&self, ply: u32) -> usize {
        self.widths[(ply as usize).min(self.widths.len() - 1)]
    }
}

/// A pattern as bits, its first sign the lowest one.
struct Pattern {
    stones: u32,
    empty: u32,
    length: usize,
    score: i64,
}

static TABLE: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let pattern = |signs: &[u8], score| {
        let bits = |sign| {
            let set = signs.iter().enumerate().filter(|&(_, &s)| s == sign);
            set.map(|(i, _)| 1 << i).sum()
        };
        Pattern {
            stones: bits(b'W'),
            empty: bits(b'-'),
            length: signs.len(),
            score,
        }
    };
    let mut table = Vec::new();
    for &(text, score) in PATTERNS {
        let forth = text.as_bytes();
        let back: Vec<u8> = forth.iter().rev().copied().collect();
        table.push(pattern(forth, score));
        if back != forth {
            table.push(pattern(&back, score));
        }
    }
    table
});

/// The scores of all patterns that one colour has on a line.
fn score(own: u32, empty: u32) -> i64 {
    if own == 0 {
        return 0;
    }
    let found = |pattern: &Pattern| {
        let mut places = u32::MAX;
        for i in 0..pattern.length {
            let wanted = match pattern.stones >> i & 1 {
                1 => own,
                _ => empty,
            };
            debug_assert_eq!(pattern.stones >> i & 1, 1 ^ (pattern.empty >> i & 1));
            places &= wanted >> i;
        }
        i64::from(places.count_ones())
    };
    TABLE.iter().map(|p| found(p) * p.score).sum()
}

/// The values of all lines met so far: of each its length and its stones.
#[derive(Default)]
struct Lines {
    known: HashMap<u64, i64>,
}

/// Far more lines than a game has; a bound for a process that plays for days.
const MOST_LINES: usize = 1 << 20;

impl Lines {
    /// The value of a line for White.
    fn value(&mut self, rows: &Rows, line: usize) -> i64 {
        let mask = rows.geometry().mask(line);
        let shift = mask.trailing_zeros();
        let [white, black] = Side::BOTH.map(|side| rows.line(side, line) >> shift);
        if white | black == 0 {
            return 0;
        }
        let mask = mask >> shift;
        let bits = |word: u32| u64::from(word);
        let key = bits(white) | bits(black) << MAX_EDGE | bits(mask) << (2 * MAX_EDGE);
        if self.known.len() >= MOST_LINES {
            self.known.clear();
        }
        *self.known.entry(key).or_insert_with(|| {
            let empty = mask & !(white | black);
            score(white, empty) - score(black, empty)
        })
    }
}

/// The lines through a cell, a bit each.
fn lines_through(rows: &Rows, cell: usize) -> u128 {
    const { assert!(6 * MAX_EDGE - 2 <= 128, "a bit for every line") };
    let places = rows.geometry().places(cell);
    places
        .iter()
        .map(|p| 1 << p.line)
        .fold(0, |a, b: u128| a | b)
}

/// The bits of a set, lowest first.
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

/// A position with the values of its lines (`val/4` of the document).
#[derive(Clone)]
struct Node {
    board: Board,
    lines: Vec<i64>,
    /// Their sum.
    total: i64,
}

impl Node {
    fn new(board: &Board, memory: &mut Lines) -> Node {
        let rows = board.rows();
        let lines: Vec<i64> = (0..rows.geometry().lines())
            .map(|line| memory.value(rows, line))
            .collect();
        Node {
            board: board.clone(),
            total: lines.iter().sum(),
            lines,
        }
    }

    /// The lines on which `m`, just played, has changed something.
    fn changed(&self, m: Move, undo: &<Board as Position>::Undo) -> u128 {
        let (cell, side) = (m.code() as usize, self.board.side_to_move().other());
        let rows = self.board.rows();
        let mut lines = lines_through(rows, cell);
        self.board.each_taken(*undo, side, cell, |_, at| {
            lines |= lines_through(rows, at);
        });
        lines
    }

    /// Plays a move for good.
    fn play(&mut self, m: Move, memory: &mut Lines) {
        let undo = self.board.play(m);
        for line in bits(self.changed(m, &undo)) {
            let value = memory.value(self.board.rows(), line);
            self.total += value - self.lines[line];
            self.lines[line] = value;
        }
    }

    /// The worth of the position after `m`, which is taken back again.
    fn worth_after(&mut self, m: Move, memory: &mut Lines) -> i64 {
        let undo = self.board.play(m);
        let worth = match self.board.outcome() {
            Some(Outcome::Win(Side::First)) => SURE,
            Some(Outcome::Win(Side::Second)) => -SURE,
            Some(Outcome::Draw) => 0,
            None => {
                let rows = self.board.rows();
                let change: i64 = bits(self.changed(m, &undo))
                    .map(|line| memory.value(rows, line) - self.lines[line])
                    .sum();
                self.total + change + captures(&self.board)
            }
        };
        self.board.undo(m, undo);
        worth
    }

    /// The legal moves on the sub-board: the box of all stones, padded. Where
    /// there is none (on the empty board, under the opening rule) all of them.
    fn moves(&self, padding: usize) -> Vec<Move> {
        let (size, rows) = (self.board.rules().size, self.board.rows());
        let mut all = Vec::new();
        self.board.moves(&mut all);
        let occupied = |line: usize| Side::BOTH.map(|s| rows.line(s, line) != 0) != [false; 2];
        // Rows are the first lines of a board, columns the next ones.
        let range = |from: usize| {
            let first = (0..size).find(|i| occupied(from + i))?;
            let last = (0..size).rfind(|i| occupied(from + i))?;
            Some(first.saturating_sub(padding)..=last + padding)
        };
        let (Some(tall), Some(wide)) = (range(0), range(size)) else {
            return all;
        };
        let inside = |m: &Move| {
            let cell = m.code() as usize;
            tall.contains(&(cell / size)) && wide.contains(&(cell % size))
        };
        let near: Vec<Move> = all.iter().copied().filter(inside).collect();
        if near.is_empty() { all } else { near }
    }
}

/// What White's captures are worth more than Black's.
fn captures(board: &Board) -> i64 {
    let to_win = board.rules().captures_to_win();
    let [white, black] = Side::BOTH.map(|side| {
        let tenths = board.captured(side) * 10 / to_win;
        CAPTURES[(tenths as usize).min(10)]
    });
    white - black
}

/// A node's move with the worth of the child that it leads to.
#[derive(Clone, Debug)]
struct Child {
    worth: i64,
    /// The move, and those expected after it.
    pv: Vec<Move>,
}

/// A tree while it grows.
struct Tree<'a> {
    plan: Plan,
    memory: &'a mut Lines,
    random: StdRng,
    limits: &'a Limits,
    control: &'a Control,
    nodes: u64,
    /// A limit was reached: what is not grown yet stays so.
    cut: bool,
}

/// +1 for White, -1 for Black: turns a worth into one for that side.
fn sign(side: Side) -> i64 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

impl Tree<'_> {
    fn must_end(&mut self) -> bool {
        let late = || {
            let hard = self.limits.budget().map(|b| b.hard);
            !self.control.pondering() && hard.is_some_and(|hard| self.control.used() >= hard)
        };
        let many = || self.limits.nodes.is_some_and(|most| self.nodes >= most);
        self.cut = self.cut || self.control.stopped() || many() || late();
        self.cut
    }

    /// A node's children in the order of their static worths for its player,
    /// equal ones in random order. One that wins is the only child.
    fn children(&mut self, node: &mut Node, moves: &[Move]) -> Vec<Child> {
        let sign = sign(node.board.side_to_move());
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            let worth = node.worth_after(m, self.memory);
            self.nodes += 1;
            let child = Child { worth, pv: vec![m] };
            if sign * worth >= SURE {
                return vec![child];
            }
            children.push(child);
        }
        rank(&mut children, &mut self.random, |c| sign * c.worth);
        children
    }

    /// Grows the tree below a node whose children these are, best first, and
    /// returns those that remain in the order of their worths; at least one.
    fn grow(&mut self, node: &Node, mut children: Vec<Child>, ply: u32) -> Vec<Child> {
        let sign = sign(node.board.side_to_move());
        if ply + 1 >= self.plan.depth || sign * children[0].worth >= SURE {
            return children;
        }
        children.truncate(self.plan.width(ply));
        let mut kept: Vec<Child> = Vec::new();
        // In case all of them lose: the best one, for somebody must move.
        let mut last_resort = children[0].clone();
        for (i, mut child) in children.into_iter().enumerate() {
            let mut next = node.clone();
            next.play(child.pv[0], self.memory);
            if next.board.outcome().is_none() {
                if self.must_end() {
                    // What was not looked at may be better than what loses.
                    if kept.is_empty() {
                        kept.push(child);
                    }
                    break;
                }
                let moves = next.moves(self.plan.padding);
                let below = self.children(&mut next, &moves);
                let below = self.grow(&next, below, ply + 1);
                if self.cut {
                    if kept.is_empty() {
                        kept.push(child);
                    }
                    break;
                }
                child.worth = below[0].worth;
                child.pv.truncate(1);
                child.pv.extend(&below[0].pv);
            }
            match sign * child.worth {
                SURE.. => return vec![child],
                worth if worth > -SURE => kept.push(child),
                _ if i == 0 => last_resort = child,
                _ => {}
            }
        }
        if kept.is_empty() {
            return vec![last_resort];
        }
        kept.sort_by_key(|c| std::cmp::Reverse(sign * c.worth));
        kept
    }
}

/// The player of the level `classic`.
///
/// Its value is the worth of its move, turned to the side to move and cut off
/// at ±20,000; `mate 1` for a move that wins at once.
#[derive(Default)]
pub struct Classic {
    memory: Lines,
}

impl Player<Board> for Classic {
    fn choose(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let plan = Plan::new(&root.options, limits);
        let mut node = Node::new(&root.position, &mut self.memory);
        let near = node.moves(plan.padding);
        let mut moves: Vec<Move> = near
            .into_iter()
            .filter(|m| root.moves.contains(m))
            .collect();
        if moves.is_empty() {
            moves = root.moves.clone();
        }
        let depth = plan.depth;
        let mut tree = Tree {
            plan,
            memory: &mut self.memory,
            random: stream(limits.seed, root.position.key()),
            limits,
            control,
            nodes: 0,
            cut: false,
        };
        let sign = sign(root.position.side_to_move());
        let lines = |children: &[Child]| -> Vec<Line> {
            let line = |child: &Child| Line {
                value: match child.pv.len() {
                    1 if sign * child.worth >= SURE => win_in(1),
                    _ => (sign * child.worth).clamp(-MAX_CP as i64, MAX_CP as i64) as Value,
                },
                proven: child.pv.len() == 1 && sign * child.worth >= SURE,
                pv: child.pv.clone(),
            };
            children.iter().map(line).collect()
        };
        let children = tree.children(&mut node, &moves);
        let effort = (1, tree.nodes);
        let choice = answer(&lines(&children), effort, limits, control, report);
        if depth == 1 || sign * children[0].worth >= SURE {
            return choice;
        }
        let children = tree.grow(&node, children, 0);
        let effort = (if tree.cut { 1 } else { depth }, tree.nodes);
        answer(&lines(&children), effort, limits, control, report)
    }

    fn forget(&mut self) {
        self.memory.known.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::pente::Pente;
    use crate::options;
    use rand::Rng;

    fn line(text: &str) -> i64 {
        let bits = |sign| {
            let set = text.bytes().enumerate().filter(|&(_, s)| s == sign);
            set.map(|(i, _)| 1 << i).sum()
        };
        score(bits(b'W'), bits(b'-')) - score(bits(b'B'), bits(b'-'))
    }

    #[test]
    fn patterns_hold_one_to_six_stones_and_gaps() {
        for &(text, score) in PATTERNS {
            let stones = text.bytes().filter(|&b| b == b'W').count();
            assert!((1..=6).contains(&stones) && score >= 1, "{text}");
        }
        assert_eq!(PATTERNS[0], ("W", 1));
    }

    #[test]
    fn a_line_is_worth_its_patterns() {
        assert_eq!(line("-------"), 0);
        assert_eq!(line("BW"), 0);
        // The single stone, with an empty cell, and two, on either side.
        assert_eq!(line("BWB-"), 1 - 2);
        assert_eq!(line("-W-"), 2);
        assert_eq!(line("--W--"), 3);
        // Two stones, each 1; WW, -WW-, --WW- both ways, --WW--.
        assert_eq!(line("--WW--"), 2 + 1 + 2 + 2 + 1);
        assert!(line("-WWWWW-") >= FIVE);
    }

    #[test]
    fn more_is_worth_more_and_colours_are_alike() {
        let rising = [
            "---W----", "---WW---", "--WWW---", "BWWWW---", "--WWWW--", "-WWWWW--",
        ];
        for pair in rising.windows(2) {
            assert!(line(pair[0]) < line(pair[1]), "{pair:?}");
        }
        for text in ["--WW-B", "W-WWWB-", "-WB-BBB-", "BWWB--WW-"] {
            let other: String = (text.chars())
                .map(|c| match c {
                    'W' => 'B',
                    'B' => 'W',
                    c => c,
                })
                .collect();
            let back: String = text.chars().rev().collect();
            assert_eq!(line(text), -line(&other));
            assert_eq!(line(text), line(&back));
        }
    }

    /// Line values kept move by move, over captures and poofs, are those of
    /// the board looked at afresh.
    #[test]
    fn lines_are_revalued_where_something_changed() {
        for variant in ["pente", "keryo", "poof"] {
            let mut rules = OptionValues::defaults(Pente::OPTIONS);
            for (name, text) in [("Size", "9"), ("Tournament", "off"), ("Variant", variant)] {
                let spec = options::find(Pente::OPTIONS, name).expect("declared");
                rules.set(spec, spec.read(text).expect("a value"));
            }
            let mut random = stream(1, 2);
            let mut captured = 0;
            for _ in 0..20 {
                let mut memory = Lines::default();
                let mut node = Node::new(&Pente::start(&rules).expect("fits"), &mut memory);
                while node.board.outcome().is_none() {
                    let moves = node.moves(1);
                    let m = moves[random.random_range(0..moves.len())];
                    let foreseen = node.worth_after(m, &mut memory);
                    node.play(m, &mut memory);
                    let fresh = Node::new(&node.board, &mut Lines::default());
                    assert_eq!(node.lines, fresh.lines);
                    assert_eq!(node.total, fresh.total);
                    if node.board.outcome().is_none() {
                        assert_eq!(foreseen, fresh.total + captures(&node.board));
                    }
                }
                captured += node.board.captured(Side::First);
            }
            assert!(captured > 0);
        }
    }
}
