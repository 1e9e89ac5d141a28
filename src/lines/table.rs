//! The table of the classes of lines, indexed by the surrounding cells.

use super::rule::Rule;
use super::shapes::{CLASS_BITS, CLASSES, Class};
use super::strips::MOST;
use crate::bits::run_length;
use std::sync::{Mutex, OnceLock};

/// The longest reach for which there is a table.
const TABLED: usize = 6;

/// The classes of lines by the surrounding cells.
pub(super) struct Table {
    pub(super) rule: Rule,
    /// For each combination of bits of a line around a cell, with the cell
    /// itself empty: the sum of powers of three for the other cells.
    powers: Vec<u32>,
    /// By that sum for the own stones, and twice that for closed cells.
    classes: Vec<Class>,
    /// The classes of both sides in one number, [`pair`], indexed by the key of
    /// a cell ([`Strip`](super::strips::Strip)); empty beyond [`MOST`].
    pub(super) pairs: Vec<u8>,
}

/// Both sides' classes in one number.
#[inline(always)]
pub(super) fn pair(classes: [Class; 2]) -> u8 {
    classes[0] as u8 | (classes[1] as u8) << CLASS_BITS
}

impl Table {
    /// The table for a rule: built once and never freed, so that a position's
    /// patterns can refer to it without reference counting.
    pub(super) fn of(rule: Rule) -> &'static Table {
        static TABLES: OnceLock<Mutex<Vec<&Table>>> = OnceLock::new();
        let tables = TABLES.get_or_init(Mutex::default);
        let mut tables = tables.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(table) = tables.iter().find(|t| t.rule == rule) {
            return table;
        }
        let table = Box::leak(Box::new(Table::new(rule)));
        tables.push(table);
        table
    }

    fn new(rule: Rule) -> Table {
        let reach = rule.reach();
        if reach > TABLED {
            return Table {
                rule,
                powers: Vec::new(),
                classes: Vec::new(),
                pairs: Vec::new(),
            };
        }
        let cells = 2 * reach;
        // The bit of a line's window for each digit: the middle is left out.
        let bit = |digit: usize| digit + usize::from(digit >= reach);
        let power: Vec<u32> = (0..cells as u32).map(|i| 3u32.pow(i)).collect();
        let powers = (0..1u32 << (cells + 1))
            .map(|bits| {
                (0..cells)
                    .filter(|&d| bits >> bit(d) & 1 == 1)
                    .map(|d| power[d])
                    .sum()
            })
            .collect();
        let states = 3usize.pow(cells as u32);
        let mut classes = vec![Class::None; states];
        // A state with one stone more has a greater number, so it is already
        // known.
        for state in (0..states).rev() {
            let mut own = 1u32 << reach;
            let mut ways = [0; CLASSES];
            let mut rest = state;
            for (digit, power) in power.iter().enumerate() {
                match rest % 3 {
                    0 => ways[classes[state + *power as usize] as usize] += 1,
                    1 => own |= 1 << bit(digit),
                    _ => {}
                }
                rest /= 3;
            }
            classes[state] = match rule.wins(run_length(own, reach as u8)) {
                true => Class::Five,
                false => Class::of_next(&ways),
            };
        }
        let mut keys = vec![[0u32; 2]];
        if reach <= MOST {
            for power in power {
                let digits = [[0, 0], [1, 2], [2, 1], [2, 2]];
                keys = digits
                    .iter()
                    .flat_map(|d| keys.iter().map(|k| [0, 1].map(|s| k[s] + power * d[s])))
                    .collect();
            }
        } else {
            keys.clear();
        }
        let pairs = keys
            .iter()
            .map(|k| pair(k.map(|key| classes[key as usize])))
            .collect();
        Table {
            rule,
            powers,
            classes,
            pairs,
        }
    }

    /// The class for the bits around a cell, `2 * reach + 1` of them, with the
    /// cell itself in the middle and empty.
    #[inline(always)]
    pub(super) fn class(&self, own: u64, closed: u64) -> Class {
        if self.powers.is_empty() {
            return self.class_of_long(own, closed);
        }
        let bits = self.powers.len() - 1;
        let at = self.powers[own as usize & bits] + 2 * self.powers[closed as usize & bits];
        self.classes[at as usize]
    }

    /// The same for rows too long for a table: exact from
    /// [`Class::ClosedThree`] upwards, and [`Class::None`] below.
    #[cold]
    fn class_of_long(&self, own: u64, closed: u64) -> Class {
        let reach = self.rule.reach();
        let all = (1u64 << (2 * reach + 1)) - 1;
        let own = own & all | 1 << reach;
        if own.count_ones() as usize + 2 < self.rule.line {
            return Class::None;
        }
        let empty = all & !own & !closed;
        let wins = |own: u64| self.rule.wins(run_length(own, reach as u8));
        if wins(own) {
            return Class::Five;
        }
        let cells = |set: u64| (0..2 * reach + 1).filter(move |i| set >> i & 1 == 1);
        let completions = |own: u64, empty: u64| {
            let ways = cells(empty).filter(|e| wins(own | 1 << e)).count();
            (ways.min(2)) as u8
        };
        let mut ways = [0; CLASSES];
        ways[Class::Five as usize] = completions(own, empty);
        for e in cells(empty) {
            match completions(own | 1 << e, empty & !(1 << e)) {
                0 => {}
                1 => ways[Class::Four as usize] |= 1,
                _ => ways[Class::OpenFour as usize] += 1,
            }
        }
        Class::of_next(&ways)
    }
}
