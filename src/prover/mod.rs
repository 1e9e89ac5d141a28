//! The prover: settles positions for certain and writes down why. It names no
//! game; `README.md` says how it works, and what its files hold.

mod booked;
mod books;
mod canon;
mod estimate;
mod file;
mod forms;
mod numbers;
mod reader;
mod search;
mod strategy;
mod threat;
mod walk;

pub use booked::Booked;
pub use books::{Books, PROOF_PATH, open, read_rules};
pub use file::Heading;
pub use walk::Claimed;

use crate::control::Control;
use crate::files;
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::Side;
use canon::Canon;
use numbers::{NumberTable, Numbers};
use search::{Searcher, Status};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use strategy::{Gap, Strategy};

/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// How often the table is saved, at most, and the share of the time that this
/// may take.
const SAVE_EVERY: Duration = Duration::from_millis(500);
const SAVE_SHARE: u32 = 20;

/// What is to be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The player wins.
    Win,
    /// The player does not lose.
    Draw,
}

/// What was proven for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// He wins.
    Win,
    /// He does not win; the question was no more than that.
    NoWin,
    /// A draw; at least a draw, where the question was no more than that.
    Draw,
    /// He loses.
    Loss,
    /// Nothing.
    Unknown,
}

/// A position and a question about it.
pub struct Question<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The rules of the game.
    pub rules: OptionValues,
    /// The player of whom something is to be proven.
    pub player: Side,
    /// What; `None`: what the position is worth for him.
    pub claim: Option<Claim>,
    /// The most positions to search.
    pub nodes: Option<u64>,
    /// The most time to take.
    pub time: Option<Duration>,
    /// MiB for the table.
    pub memory: usize,
    /// Where to write the proof.
    pub certificate: Option<PathBuf>,
    /// Where the table is saved now and then, and read from at the beginning.
    pub resume: Option<PathBuf>,
    /// The rules and the position in words.
    pub heading: Heading,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was proven.
    pub verdict: Verdict,
    /// Positions searched.
    pub nodes: u64,
    /// Positions in the proof.
    pub positions: u64,
}

/// How far a proof has come.
pub enum Progress {
    /// A search is running.
    Searching {
        /// Whose win is searched for.
        attacker: Side,
        /// At least so many positions have to be settled to prove that win …
        proof: u64,
        /// … and to disprove it.
        disproof: u64,
        /// Positions searched.
        nodes: u64,
        /// How full the table is, per mille.
        full: u32,
    },
    /// A message for a person.
    Note(String),
}

/// Answers the question, as far as its limits allow.
///
/// # Errors
/// There is no memory, or the file to resume from cannot be used.
pub fn prove<G: Game>(
    question: &Question<G>,
    control: &Control,
    report: &mut dyn FnMut(Progress),
) -> Result<Answer, String> {
    let short = |_| "there is not enough memory".to_string();
    let mut prover = Prover {
        question,
        control,
        report,
        canon: Canon::new(&question.rules),
        table: NumberTable::new(question.memory).map_err(short)?,
        nodes: 0,
        proofs: Vec::new(),
        saves: Saves {
            last: Instant::now(),
            took: Duration::ZERO,
        },
    };
    prover.load()?;
    let verdict = prover.answer();
    prover.finish();
    let positions = prover.proofs.iter().map(|(_, s)| s.positions).sum();
    let nodes = prover.nodes;
    if verdict != Verdict::Unknown {
        prover.write_certificate();
    }
    Ok(Answer {
        verdict,
        nodes,
        positions,
    })
}

/// Checks that a file could be written.
///
/// # Errors
/// Says why it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    files::check_writable(path)
}

struct Prover<'a, G: Game> {
    question: &'a Question<G>,
    control: &'a Control,
    report: &'a mut dyn FnMut(Progress),
    canon: Canon<G>,
    table: NumberTable,
    nodes: u64,
    /// The sentences proven so far.
    proofs: Vec<(String, Strategy)>,
    saves: Saves,
}

/// When the table was saved.
struct Saves {
    last: Instant,
    /// How long it took.
    took: Duration,
}

impl Saves {
    fn is_due(&self) -> bool {
        self.last.elapsed() >= SAVE_EVERY.max(self.took * SAVE_SHARE)
    }

    /// Saves the table.
    fn save<G: Game>(
        &mut self,
        question: &Question<G>,
        path: &Path,
        table: &NumberTable,
        report: &mut dyn FnMut(Progress),
    ) {
        let begun = Instant::now();
        let bytes = table.save();
        if let Err(why) = file::save(path, &question.heading, &bytes) {
            report(Progress::Note(format!("{}: {why}", path.display())));
        }
        self.took = begun.elapsed();
        self.last = Instant::now();
    }
}

impl<G: Game> Prover<'_, G> {
    fn answer(&mut self) -> Verdict {
        let player = self.question.player;
        if self.question.claim != Some(Claim::Draw) {
            match self.settle(player) {
                Some(true) => return Verdict::Win,
                Some(false) if self.question.claim == Some(Claim::Win) => return Verdict::NoWin,
                Some(false) => {}
                None => return Verdict::Unknown,
            }
        }
        match self.settle(player.other()) {
            Some(true) => {
                // That he does not win either goes without saying.
                self.proofs.drain(..self.proofs.len() - 1);
                Verdict::Loss
            }
            Some(false) => Verdict::Draw,
            None => Verdict::Unknown,
        }
    }

    /// Whether `attacker` wins; the strategy that shows it is kept.
    fn settle(&mut self, attacker: Side) -> Option<bool> {
        let question = self.question;
        let before = self.nodes;
        let (mut nodes, mut reported) = (before, Instant::now());
        let (control, report, saves) = (self.control, &mut self.report, &mut self.saves);
        let mut budget = |status: &Status| {
            nodes = before + status.nodes;
            if reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                report(progress(question.position_turn(), attacker, nodes, status));
            }
            if let Some(path) = &question.resume
                && saves.is_due()
            {
                saves.save(question, path, status.table, report);
            }
            control.stopped()
                || question.nodes.is_some_and(|most| nodes >= most)
                || question.time.is_some_and(|most| control.elapsed() >= most)
        };
        let mut search = Searcher::new(
            &question.position,
            attacker,
            &self.canon,
            &mut self.table,
            &mut budget,
        );
        let found = search.settle().reached();
        let turn = question.position_turn();
        let won = found.map(|reached| reached == (turn == attacker));
        let written = won.map(|won| {
            let side = if won { attacker } else { attacker.other() };
            (side, strategy::write(&mut search, side))
        });
        self.nodes = before + search.nodes;
        let (side, written) = written?;
        match written {
            Ok(strategy) => {
                let does = if won? { "wins" } else { "holds" };
                let name = G::SIDES[side.index()].name;
                self.proofs.push((format!("{name} {does}"), strategy));
                won
            }
            Err(Gap::Stopped) => None,
            Err(Gap::Broken) => {
                let what = "the search settled the position, but a line of its proof fails";
                (self.report)(Progress::Note(what.to_string()));
                None
            }
        }
    }

    fn load(&mut self) -> Result<(), String> {
        let Some(path) = &self.question.resume else {
            return Ok(());
        };
        let refuse = |why: String| format!("{}: {why}", path.display());
        let Some(bytes) = file::load(path, &self.question.heading).map_err(refuse)? else {
            return Ok(());
        };
        match self.table.load(&bytes) {
            true => Ok(()),
            false => Err(refuse("it is damaged".to_string())),
        }
    }

    fn finish(&mut self) {
        if let Some(path) = &self.question.resume {
            (self.saves).save(self.question, path, &self.table, self.report);
        }
    }

    fn write_certificate(&mut self) {
        let Some(path) = &self.question.certificate else {
            return;
        };
        let proofs = self.proofs.iter();
        let parts = proofs.map(|(claim, s)| (claim.as_str(), s.bytes.as_slice()));
        if let Err(why) = file::write_proofs(path, &self.question.heading, parts) {
            (self.report)(Progress::Note(format!(
                "the certificate is not written: {why}"
            )));
        }
    }
}

impl<G: Game> Question<G> {
    fn position_turn(&self) -> Side {
        crate::position::Position::side_to_move(&self.position)
    }
}

fn progress(turn: Side, attacker: Side, nodes: u64, status: &Status) -> Progress {
    let Numbers { phi, delta, .. } = status.root;
    let (proof, disproof) = match turn == attacker {
        true => (phi, delta),
        false => (delta, phi),
    };
    Progress::Searching {
        attacker,
        proof,
        disproof,
        nodes,
        full: status.table.full(),
    }
}
