//! The prover: settles positions for certain and writes down why. It names no
//! game; `README.md` says how it works, and what its files hold.

mod attack;
mod blocking;
mod booked;
mod books;
mod canon;
mod estimate;
mod file;
mod forms;
mod guide;
mod kept;
mod numbers;
mod question;
mod reader;
mod search;
mod strategy;
mod symmetries;
mod threat;
mod walk;
mod walked;
mod watch;
mod wins;
mod zone;
mod zone_table;
mod zoned;
mod zoning;

pub use booked::Booked;
pub use books::{Books, Reads};
pub use canon::Canon;
pub use file::Heading;
pub use question::{Answer, Claim, HEAD_START, Left, Progress, Question, Verdict};
pub use walk::Claimed;
pub use wins::Wins;

use crate::control::Control;
use crate::fault;
use crate::game::Game;
use crate::memory;
use crate::options::OptionValues;
use crate::position::{Position, Side};
use blocking::{Blocking, Maps};
use books::Proof;
use canon::Form;
use guide::Guide;
use numbers::{NumberTable, Numbers};
use search::{EndOnDrop, Searcher, Status, Team};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use strategy::{Gap, Strategy};
use walk::{Bounds, Fault};
use watch::{Times, Watch};
use zone_table::ZoneTable;

/// Blocking is searched for so many times as long as all moves.
const BLOCKING_SHARE: u64 = 8;

/// Where both players' wins are in question, so many positions are searched for the
/// first one before the other, then twice as many, and so on.
const FIRST_SLICE: u64 = 1_000;

/// The other player's win gets this share of them: whoever asks mostly expects to win.
const OTHER_SHARE: u64 = 4;

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
    // Half of the memory is for the zones.
    let (numbers, zones) = match question.has_zones() {
        true => (question.memory.div_ceil(2), Some(question.memory / 2)),
        false => (question.memory, None),
    };
    let canon = Canon::new(&question.rules);
    let new_zones = |mib| ZoneTable::new(mib, canon.symmetries().cells());
    let mut prover = Prover {
        question,
        control,
        report,
        table: NumberTable::new(numbers).map_err(short)?,
        zones: zones.map(new_zones).transpose().map_err(short)?,
        canon,
        nodes: 0,
        proofs: Vec::new(),
        times: Times::new(),
        booked: false,
        guide: Guide::default(),
    };
    prover.load()?;
    prover.read_books();
    prover.read_guide();
    let verdict = prover.answer();
    prover.finish();
    let nodes = prover.nodes;
    let (mut positions, mut written) = (0, Ok(()));
    if verdict != Verdict::Unknown {
        positions = prover.proofs.iter().map(|(_, _, s)| s.positions).sum();
        written = prover.write_certificate();
    }
    Ok(Answer {
        verdict,
        nodes,
        positions,
        unwritten: written.err(),
    })
}

struct Prover<'a, G: Game> {
    question: &'a Question<G>,
    control: &'a Control,
    report: &'a mut dyn FnMut(Progress),
    canon: Canon<G>,
    table: NumberTable,
    zones: Option<ZoneTable>,
    nodes: u64,
    /// The sentences proven so far, and whom they are about.
    proofs: Vec<(Side, String, Strategy)>,
    times: Times,
    /// Whether certificates have settled positions in the table.
    booked: bool,
    guide: Guide,
}

impl<G: Game> Prover<'_, G> {
    /// Settles who wins, the questions that are open in turn. A position that is lost is
    /// mostly proven to be long before it is proven not to be won.
    fn answer(&mut self) -> Verdict {
        let (player, claim) = (self.question.player, self.question.claim);
        let attackers = match claim {
            Some(Claim::Win) => vec![player],
            Some(Claim::Draw) => vec![player.other()],
            None => vec![player, player.other()],
        };
        let asked = |attacker: Side| Asked {
            attacker,
            windows: G::open_windows(&self.question.position, attacker.other()),
            turn: self.question.head_start,
            left: self.question.head_start,
        };
        let mut open: Vec<Asked> = attackers.into_iter().map(asked).collect();
        let mut slice = FIRST_SLICE;
        let mut barred = None;
        while !open.is_empty() {
            let mut at = 0;
            while at < open.len() {
                let attacker = open[at].attacker;
                let share = if attacker == player { 1 } else { OTHER_SHARE };
                let most = (open.len() > 1).then_some(slice / share);
                match self.go_on(&mut open[at], most) {
                    Step::Settled(true) => {
                        // That the other one does not win either goes without saying.
                        self.proofs.drain(..self.proofs.len() - 1);
                        return match attacker == player {
                            true => Verdict::Win,
                            false => Verdict::Loss,
                        };
                    }
                    Step::Settled(false) => drop(open.remove(at)),
                    // Another search would find the same; of the other player's win it
                    // may find more.
                    Step::Barred => barred = Some(open.remove(at).attacker),
                    Step::Open if !self.is_over() => at += 1,
                    Step::Open | Step::Broken => return Verdict::Unknown,
                }
            }
            slice = slice.saturating_mul(2);
        }
        if let Some(attacker) = barred {
            self.note(format!(
                "whether {} wins is not settled: all that is left comes back to earlier positions",
                G::SIDES[attacker.index()].name
            ));
            return Verdict::Unknown;
        }
        // First the answer to the first question, whichever was settled first.
        self.proofs.sort_by_key(|&(side, ..)| side == player);
        match claim {
            Some(Claim::Win) => Verdict::NoWin,
            _ => Verdict::Draw,
        }
    }

    /// Searches on whether the attacker wins, at most about so many positions, and keeps
    /// the strategy that shows it.
    ///
    /// Where the other side may be able to close all windows, that is searched
    /// for in turn with the search of all moves, each time for twice as long.
    fn go_on(&mut self, asked: &mut Asked, most: Option<u64>) -> Step {
        let left = asked.windows.is_some().then_some(asked.left);
        let most = left.into_iter().chain(most).min();
        let before = self.nodes;
        match self.by_all_moves(asked.attacker, most) {
            Step::Open if !self.is_over() => {}
            step => return step,
        }
        asked.left = asked.left.saturating_sub(self.nodes - before);
        let Some(windows) = &asked.windows else {
            return Step::Open;
        };
        if asked.left > 0 {
            return Step::Open;
        }
        let most = asked.turn.max(HEAD_START) * BLOCKING_SHARE;
        match self.by_blocking(asked.attacker, windows, most) {
            Some(true) => return Step::Settled(false),
            Some(false) => asked.windows = None,
            None => asked.turn = 2 * asked.turn.max(HEAD_START / 2),
        }
        asked.left = asked.turn;
        Step::Open
    }

    /// Whether the limits are reached.
    fn is_over(&self) -> bool {
        self.question.is_over(self.control, self.nodes)
    }

    /// Whether `attacker` wins, by a search of all moves; `most`: at most about
    /// so many positions.
    fn by_all_moves(&mut self, attacker: Side, most: Option<u64>) -> Step {
        let (before, most) = (self.nodes, Cell::new(most));
        let (question, report) = (self.question, &mut self.report);
        let mut watch = Watch::new(question, attacker, self.control, &mut self.times);
        let team = (question.threads > 1).then(|| Team::new(question.threads));
        let team = team.as_ref();
        let of_others = || team.map_or(0, Team::nodes);
        let mut budget = |status: &Status| {
            let nodes = status.nodes + of_others();
            watch.ends(before + of_others(), status, report)
                || most.get().is_some_and(|n| nodes >= n)
        };
        let all = Shared {
            question,
            attacker,
            canon: &self.canon,
            table: &self.table,
            zones: self.zones.as_ref(),
            booked: self.booked,
            guide: &self.guide,
            team,
        };
        let mut search = all.searcher(&mut budget);
        let found = all.settle(&mut search);
        let won =
            (found.reached()).map(|reached| reached == (question.position_turn() == attacker));
        let written = won.map(|won| {
            most.set(None);
            let side = if won { attacker } else { attacker.other() };
            let written = search.alone(|search| match won && search.zones.is_some() {
                true => zoned::write(search),
                false => strategy::write(search, side),
            });
            (side, written)
        });
        self.nodes = before + search.nodes + of_others();
        let (Some(won), Some((side, written))) = (won, written) else {
            return match search.is_over() {
                true => Step::Open,
                false => Step::Barred,
            };
        };
        // The table knows it; a search that goes on can write it down at once.
        if matches!(written, Err(Gap::Stopped)) {
            return Step::Open;
        }
        let does = if won { "wins" } else { "holds" };
        match self.keep(side, does, written) {
            true => Step::Settled(won),
            false => Step::Broken,
        }
    }

    /// Whether the other side can close all these windows of `attacker`, by a
    /// search of at most about so many states; false also if that could not be
    /// written down.
    fn by_blocking(&mut self, attacker: Side, windows: &[u64], most: u64) -> Option<bool> {
        let (before, most) = (self.nodes, Cell::new(Some(most)));
        let maps = Maps::new(self.canon.symmetries().maps());
        let mut watch = Watch::new(self.question, attacker, self.control, &mut self.times);
        let report = &mut self.report;
        let mut budget = |status: &Status| {
            watch.ends(before, status, report) || most.get().is_some_and(|n| status.nodes >= n)
        };
        let attacks = self.question.position_turn() == attacker;
        let table = &self.table;
        let Some(mut blocking) = Blocking::new(windows, attacks, &maps, table, &mut budget) else {
            return Some(false);
        };
        let closed = blocking.settle();
        let written = (closed == Some(true)).then(|| {
            most.set(None);
            blocking::write(&mut blocking).map(|(strategy, _)| strategy)
        });
        self.nodes = before + blocking.nodes;
        match written {
            Some(written) => Some(self.keep(attacker.other(), "blocks", written)),
            None => closed,
        }
    }

    /// Keeps the strategy of a settled question; false if it could not be
    /// written.
    fn keep(&mut self, side: Side, does: &str, written: Result<Strategy, Gap>) -> bool {
        match written {
            Ok(strategy) => {
                let name = G::SIDES[side.index()].name;
                self.proofs.push((side, format!("{name} {does}"), strategy));
                true
            }
            Err(Gap::Stopped) => false,
            Err(Gap::Short) => {
                self.note("there is not enough memory to write the proof down".to_string());
                false
            }
            Err(Gap::Broken) => {
                let what = "the search settled the position, but a line of its proof fails";
                self.note(what.to_string());
                false
            }
        }
    }

    fn note(&mut self, text: String) {
        (self.report)(Progress::Note(text));
    }

    fn load(&mut self) -> Result<(), String> {
        let Some(path) = &self.question.resume else {
            return Ok(());
        };
        let loaded = file::load(path, &self.question.heading, &self.table);
        loaded.map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Takes what the certificates in use have proven for these rules into the
    /// table, each file once all of it has been tried; as many files at a time as
    /// there are threads.
    fn read_books(&mut self) {
        let rules = &self.question.rules;
        // Windows are not positions. A holding strategy may come back to a
        // position, which the table could not tell from one settled.
        let returns = self.question.position.can_return();
        let mut proofs = self.question.books.of_rules::<G>(rules);
        proofs.retain(|proof| !proof.claimed.blocks && (proof.claimed.wins || !returns));
        let (question, control, canon) = (self.question, self.control, &self.canon);
        let next = AtomicUsize::new(0);
        let (send, receive) = mpsc::channel();
        let read = |send: mpsc::Sender<_>| {
            let over = || question.is_over(control, 0);
            while let Some(&proof) = proofs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found = settled_by(proof, rules, canon, &over);
                if send.send((proof, found)).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            let wanted = question.threads.min(proofs.len());
            let begun = (0..wanted).map_while(|i| {
                let (send, read) = (send.clone(), &read);
                memory::helper(scope, format!("read {i}"), move || read(send))
            });
            if begun.count() == 0 {
                read(send.clone());
            }
            drop(send);
            for (proof, found) in receive {
                let told = match found {
                    Ok(settled) => {
                        let Claimed { side, wins, .. } = proof.claimed;
                        // Who wins does not lose.
                        let attackers = [wins.then_some(side), Some(side.other())];
                        for attacker in attackers.into_iter().flatten() {
                            for &Settled { form, turn, plies } in &settled {
                                let reached = (turn == attacker) == (attacker == side);
                                let Form { key, .. } = canon::marked(form, attacker);
                                // Each certificate leads on to fewer plies, and so do
                                // all together where the least is kept; otherwise
                                // their moves could lead back.
                                let known = self.table.find(key);
                                if known.is_some_and(|n| n.reached().is_some() && n.plies <= plies)
                                {
                                    continue;
                                }
                                let numbers = Numbers::settled(reached, plies);
                                self.table.store(key, numbers, u64::from(u32::MAX));
                            }
                        }
                        self.booked = true;
                        format!("{} positions are proven by {}", settled.len(), proof.file)
                    }
                    Err(Fault::Stopped) => continue,
                    Err(Fault::Wrong(why)) => why,
                };
                (self.report)(Progress::Note(told));
            }
        });
    }

    fn read_guide(&mut self) {
        let Some(wins) = &self.question.guide else {
            return;
        };
        let (question, control) = (self.question, self.control);
        let stop = || question.is_over(control, 0);
        let report = &mut self.report;
        let mut tell = |text| report(Progress::Note(text));
        wins.guide(&mut self.guide, &self.canon, &stop, &mut tell);
    }

    fn finish(&mut self) {
        if let Some(path) = &self.question.resume {
            (self.times).save(self.question, path, &self.table, self.report);
        }
    }

    fn write_certificate(&self) -> Result<(), String> {
        let Some(path) = &self.question.certificate else {
            return Ok(());
        };
        let proofs = self.proofs.iter();
        let parts = proofs.map(|(_, claim, s)| (claim.as_str(), s.bytes.as_slice()));
        file::write_proofs(path, &self.question.heading, parts)
            .map_err(|why| format!("{}: {why}", path.display()))
    }
}

/// The question whether a player wins, as far as it has come.
struct Asked {
    attacker: Side,
    /// The windows that the other player would have to close, while he may be able to.
    windows: Option<Vec<u64>>,
    /// So many positions of all moves are searched before blocking is.
    turn: u64,
    /// So many are left of them.
    left: u64,
}

/// What a search has come to.
enum Step {
    /// Whether the attacker wins.
    Settled(bool),
    /// Neither is known yet.
    Open,
    /// Neither is known, and the search has come to its end: whatever is left leads
    /// back to earlier positions.
    Barred,
    /// It is known, but not written down.
    Broken,
}

/// What the threads of a search of all moves share.
struct Shared<'a, G: Game> {
    question: &'a Question<G>,
    attacker: Side,
    canon: &'a Canon<G>,
    table: &'a NumberTable,
    zones: Option<&'a ZoneTable>,
    booked: bool,
    guide: &'a Guide,
    team: Option<&'a Team>,
}

impl<'a, G: Game> Shared<'a, G> {
    fn searcher(&self, budget: &'a mut dyn FnMut(&Status) -> bool) -> Searcher<'a, G> {
        let position = &self.question.position;
        Searcher::new(position, self.attacker, self.canon, self.table, budget)
            .booked(self.booked)
            .guided(self.guide)
            .zoned(self.zones)
            .with(self.team)
    }

    /// Settles the position by this search and those of the other threads, as many
    /// as there is room for.
    fn settle(&self, first: &mut Searcher<G>) -> Numbers {
        let Some(team) = self.team else {
            return first.settle();
        };
        thread::scope(|scope| {
            // If the system has no more threads, search with fewer.
            let others = 1..team.threads();
            others
                .map_while(|i| memory::helper(scope, format!("prove {i}"), || self.help(team)))
                .for_each(drop);
            let _end = EndOnDrop(team);
            fault::point("prove first");
            first.settle()
        })
    }

    /// What a thread other than the first does.
    fn help(&self, team: &Team) {
        fault::point("prove helper");
        let mut told = 0;
        let mut budget = |status: &Status| {
            team.add_nodes(status.nodes - told);
            told = status.nodes;
            team.is_done()
        };
        let mut search = self.searcher(&mut budget);
        search.settle();
        let nodes = search.nodes;
        team.add_nodes(nodes - told);
    }
}

/// A position of a strategy: its form, whose turn it is, and in how many plies at
/// most the strategy wins.
struct Settled {
    form: Form,
    turn: Side,
    plies: u32,
}

/// The positions of a certificate, all of which has been tried.
fn settled_by<G: Game>(
    proof: &Proof,
    rules: &OptionValues,
    canon: &Canon<G>,
    over: &dyn Fn() -> bool,
) -> Result<Vec<Settled>, Fault> {
    let mut settled = Vec::new();
    let mut met = |position: &G::Position, plies| {
        settled.push(Settled {
            form: canon.form(position),
            turn: position.side_to_move(),
            plies,
        });
    };
    proof.try_out::<G>(rules, (Bounds::NONE, over), &mut met)?;
    Ok(settled)
}
