//! Perfect play from the tablebase.

use super::board::{Board, Rules};
use super::judge::{Judge, entry, value};
use super::tablebase::Tablebase;
use crate::control::Control;
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::player::{Line, Report, Root};
use crate::position::Move;
use crate::specialist::Specialist;
use crate::value::Value;

/// Knows every position once the table of its variant is available.
#[derive(Clone, Copy, Default)]
pub struct Expert {
    /// The current search's table, possibly still being made.
    tablebase: Option<&'static Tablebase>,
}

/// Name of the option that turns the tablebase on.
pub const TABLEBASE: &str = "Tablebase";
/// Name of the option for the file that keeps the table.
pub const CACHE: &str = "Cache";

impl Specialist<Board> for Expert {
    fn solve(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        self.tablebase = None;
        if !root.options.check(TABLEBASE) {
            return None;
        }
        let tablebase = Tablebase::of(root.position.rules().variant);
        self.tablebase = Some(tablebase);
        let mut tell = |text| report(Report::Text(text));
        if tablebase.table().is_none() {
            tablebase.begin(limits.threads, root.options.text(CACHE));
            if is_patient(limits) {
                tablebase.wait(|| control.stopped(), &mut tell);
            }
        }
        // Include what happened in the background.
        tablebase.news().into_iter().for_each(&mut tell);
        let hard = limits.budget().map(|budget| budget.hard);
        let late = || !control.pondering() && hard.is_some_and(|hard| control.used() > hard);
        let stop = || control.stopped() || late();
        let mut judge = Judge::new(tablebase.table()?, root, &stop);
        tell("solved by the table of all positions".to_string());
        let ranked = judge.rank(&root.position, &root.moves);
        let shown = limits.multi_pv.max(1);
        let lines = ranked.into_iter().enumerate().map(|(i, ranked)| Line {
            value: value(ranked.entry),
            proven: ranked.proven,
            pv: match i < shown {
                true => judge.line(&root.position, &ranked),
                false => vec![ranked.mv],
            },
        });
        Some(lines.collect())
    }

    fn probe(&mut self, board: &Board, _depth: i32) -> Option<Value> {
        let table = self.tablebase?.table()?;
        Some(value(entry(table, board)))
    }

    fn has_news(&self) -> bool {
        self.tablebase
            .is_some_and(|tablebase| tablebase.table().is_some())
    }

    fn needs_preparation(&self, options: &OptionValues) -> bool {
        options.check(TABLEBASE)
            && Tablebase::of(Rules::of(options).variant).is_missing(options.text(CACHE))
    }

    fn prepare(
        &self,
        options: &OptionValues,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) {
        let tablebase = Tablebase::of(Rules::of(options).variant);
        let mut wait = || tablebase.wait(|| control.stopped(), |text| report(Report::Text(text)));
        // Work in progress may be for a different file.
        wait();
        if !control.stopped() {
            tablebase.begin(threads, options.text(CACHE));
            wait();
        }
    }

    fn knows_values(options: &OptionValues) -> bool {
        options.check(TABLEBASE)
    }

    fn values(
        &mut self,
        root: &Root<Board>,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Vec<(Move, Option<Value>)> {
        let tablebase = Tablebase::of(root.position.rules().variant);
        if tablebase.table().is_none() {
            self.prepare(&root.options, threads, control, report);
        }
        let Some(table) = tablebase.table() else {
            return root.moves.iter().map(|&mv| (mv, None)).collect();
        };
        let stop = || control.stopped();
        let ranked = Judge::new(table, root, &stop).rank(&root.position, &root.moves);
        ranked
            .into_iter()
            .map(|r| (r.mv, r.proven.then(|| value(r.entry))))
            .collect()
    }

    fn close() {
        Tablebase::close_all();
    }
}

/// Whether to wait for the table rather than search without it: without a
/// clock, the answer must be the same every time. A search of depth 0 or of one
/// node is answered at once.
fn is_patient(limits: &Limits) -> bool {
    let thoughtless = limits.depth == Some(0) || limits.nodes.is_some_and(|n| n <= 1);
    let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
    bounded && !limits.is_timed() && !thoughtless
}
