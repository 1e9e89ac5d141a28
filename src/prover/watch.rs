//! What a running search is asked for: its progress, its table to be saved, and
//! whether it is to end.

use super::file;
use super::numbers::{NumberTable, Numbers};
use super::question::{Left, Progress, Question};
use super::search::{Status, Writing};
use crate::control::Control;
use crate::game::Game;
use crate::position::Side;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// How often the table is saved, at most, and the share of the time that this
/// may take.
const SAVE_EVERY: Duration = Duration::from_millis(500);
const SAVE_SHARE: u32 = 20;

/// After a save that failed the next one waits so long.
const SAVE_AGAIN: Duration = Duration::from_secs(60);

/// Watches a search: tells its progress, saves its table, and ends it.
pub(super) struct Watch<'w, G: Game> {
    question: &'w Question<G>,
    attacker: Side,
    control: &'w Control,
    times: &'w mut Times,
}

impl<'w, G: Game> Watch<'w, G> {
    /// Watches the search for a win of `attacker`.
    pub fn new(
        question: &'w Question<G>,
        attacker: Side,
        control: &'w Control,
        times: &'w mut Times,
    ) -> Self {
        Watch {
            question,
            attacker,
            control,
            times,
        }
    }

    /// Whether a search before which so many nodes were searched is to end.
    pub fn ends(&mut self, before: u64, status: &Status, report: &mut dyn FnMut(Progress)) -> bool {
        let nodes = before + status.nodes;
        let question = self.question;
        if self.times.told.elapsed() >= REPORT_EVERY {
            self.times.told = Instant::now();
            let turn = question.position_turn();
            report(progress(turn, self.attacker, nodes, status));
        }
        if let Some(path) = &question.resume
            && self.times.is_save_due()
        {
            self.times.save(question, path, status.table, report);
        }
        question.is_over(self.control, nodes)
    }
}

/// When progress was last told, and the table saved.
pub(super) struct Times {
    told: Instant,
    saved: Instant,
    /// How long the next save waits.
    wait: Duration,
}

impl Times {
    /// Not yet.
    pub fn new() -> Times {
        Times {
            told: Instant::now(),
            saved: Instant::now(),
            wait: SAVE_EVERY,
        }
    }

    fn is_save_due(&self) -> bool {
        self.saved.elapsed() >= self.wait
    }

    /// Saves the table.
    pub fn save<G: Game>(
        &mut self,
        question: &Question<G>,
        path: &Path,
        table: &NumberTable,
        report: &mut dyn FnMut(Progress),
    ) {
        let begun = Instant::now();
        let saved = file::save(path, &question.heading, table);
        self.wait = SAVE_EVERY.max(begun.elapsed() * SAVE_SHARE);
        self.saved = Instant::now();
        if let Err(why) = saved {
            self.wait = SAVE_AGAIN;
            report(Progress::Note(format!("{}: {why}", path.display())));
        }
    }
}

fn progress(turn: Side, attacker: Side, nodes: u64, status: &Status) -> Progress {
    let Numbers { phi, delta, .. } = status.root;
    let left = match status.writing {
        Some(Writing { attacks, positions }) => Left::Writing {
            wins: attacks,
            positions,
        },
        None => {
            let (proof, disproof) = match turn == attacker {
                true => (phi, delta),
                false => (delta, phi),
            };
            Left::Numbers { proof, disproof }
        }
    };
    Progress::Searching {
        attacker,
        left,
        nodes,
        full: status.table.full(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left to settle is told from the attacker's side, whoever is to
    /// move; once it is settled, what has been written is told instead.
    #[test]
    fn progress_tells_of_the_search_and_then_of_the_strategy() {
        let table = NumberTable::new(1).expect("memory");
        let mut status = Status {
            nodes: 5,
            root: Numbers::open(2, 3),
            table: &table,
            writing: None,
        };
        let left = |turn, status: &Status| match progress(turn, Side::First, 7, status) {
            Progress::Searching {
                attacker: Side::First,
                left,
                nodes: 7,
                full: 0,
            } => left,
            _ => panic!("the search goes on"),
        };
        for (turn, proof, disproof) in [(Side::First, 2, 3), (Side::Second, 3, 2)] {
            assert_eq!(left(turn, &status), Left::Numbers { proof, disproof });
        }
        status.writing = Some(Writing {
            attacks: false,
            positions: 11,
        });
        let (wins, positions) = (false, 11);
        assert_eq!(
            left(Side::First, &status),
            Left::Writing { wins, positions }
        );
    }
}
