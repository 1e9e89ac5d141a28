//! A game in play: the session for a game's own types.

use super::Session;
use super::balance::{self, Balance};
use super::facts::Facts;
use super::job::{Given, Job, Run, Work};
use super::opening;
use super::proving;
use super::query::Fact;
use super::record::Record;
use super::slot::{PlayerSlot, Turn, Wanted};
use super::words::{self, bestmove, error, per_second};
use crate::board::{Picture, Setup};
use crate::control::{Control, Held};
use crate::evaluator::Evaluator;
use crate::fault;
use crate::game::Game;
use crate::levels::{self, Level, Means};
use crate::limits::{Clock, Limits};
use crate::options::{OptionSpec, OptionValue, OptionValues};
use crate::parts::Parts;
use crate::player::{Choice, Report, Root};
use crate::position::{self, DEEPEST_PERFT, Outcome, Position, Side};
use crate::prover::{Booked, Books};
use crate::search::Table;
use crate::settings;
use crate::specialist::Specialist;
use crate::value::{MAX_CP, Value};
use quintet_protocol::{Base, ErrorCode, Go, Opening, Part, ProtocolError, Prove, Reply, Stones};
use serde_json::Map;
use std::sync::Arc;
use std::time::Instant;

/// A game in play, its record, and its player.
pub(super) struct Played<G: Game> {
    options: OptionValues,
    settings: OptionValues,
    books: Books,
    record: Record<G>,
    slot: PlayerSlot<G::Position>,
}

impl<G: Game> Played<G> {
    /// The start position of the game with these options and these settings of
    /// the engine.
    ///
    /// # Errors
    /// Says why the rules among the options do not fit together.
    pub fn new(options: &OptionValues, settings: &OptionValues) -> Result<Self, String> {
        Ok(Played {
            options: options.clone(),
            settings: settings.clone(),
            books: Books::default(),
            record: Record::new(G::start(options)?, false),
            slot: PlayerSlot::default(),
        })
    }

    fn side(&self, side: Side) -> &'static str {
        G::SIDES[side.index()].name
    }

    fn facts(&self) -> Facts<'_, G> {
        Facts {
            record: &self.record,
            options: &self.options,
        }
    }

    /// What players are made with.
    fn means(&self, table: &Arc<Table>) -> Means {
        Means {
            table: table.clone(),
            books: self.books.clone(),
        }
    }

    /// The level that the settings ask for.
    fn level(&self) -> Level {
        let settings = &self.settings;
        let strength = match settings.check(settings::UCI_LIMIT_STRENGTH) {
            true => levels::strength_of(settings.spin(settings::UCI_ELO)),
            false => settings.spin(settings::STRENGTH) as usize,
        };
        Level::of(settings.combo(settings::LEVEL), strength).expect("declared")
    }

    /// How many moves the clock of the side to move is shared out among.
    fn moves_expected(&self) -> u32 {
        let position = self.record.position();
        let expected = G::moves_expected(position);
        // With the last move a part of the clock is kept all the same.
        let most = position.plies_left().map(|plies| plies.div_ceil(2) + 1);
        most.map_or(expected, |most| expected.min(most))
    }

    fn limits(&self, go: &Go) -> Limits {
        let settings = &self.settings;
        let turn = self.record.turn().index();
        Limits {
            // Most wins in n plies are found at depth n; a client that asks for no
            // longer ones does not wait for those that reductions hide.
            depth: match (go.depth, go.mate) {
                (Some(depth), Some(mate)) => Some(depth.min(mate)),
                (depth, mate) => depth.or(mate),
            },
            nodes: go.nodes,
            effort: None,
            move_time: go.movetime,
            // A client that sends only the opponent's clock has made a mistake;
            // using that clock is better than thinking forever.
            clock: go.time[turn].or(go.time[1 - turn]).map(|left| Clock {
                left,
                increment: go.inc[turn].unwrap_or(0),
                moves_to_go: go.movestogo,
                expected: self.moves_expected(),
            }),
            mate: go.mate,
            multi_pv: settings.spin(settings::MULTI_PV) as usize,
            overhead: settings.spin(settings::MOVE_OVERHEAD),
            threads: settings.spin(settings::THREADS) as usize,
            seed: settings.spin(settings::SEED) as u64,
        }
    }
}

impl<G: Game> Session for Played<G> {
    fn options(&self) -> &OptionValues {
        &self.options
    }

    fn set_option(&mut self, spec: &OptionSpec, value: OptionValue) {
        self.options.set(spec, value);
    }

    fn set_setting(&mut self, spec: &OptionSpec, value: OptionValue) {
        self.settings.set(spec, value);
    }

    fn set_books(&mut self, books: &Books) {
        self.books = books.clone();
    }

    fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), ProtocolError> {
        let rules = &self.options;
        let refuse = |why: String| error(ErrorCode::Position, why);
        let dimensions = G::dimensions(rules);
        let start = G::start(rules).map_err(|why| error(ErrorCode::Option, why))?;
        let position = match base {
            Base::StartPos => start,
            Base::Fen(fen) => Setup::read_fen(dimensions, &G::SIDES, G::EXTRA, fen)
                .and_then(|setup| G::set_up(rules, &setup))
                .map_err(refuse)?,
            Base::Stones(Stones { words, turn, extra }) => Setup::read_stones(
                dimensions,
                &G::SIDES,
                G::NAMING,
                G::EXTRA,
                words,
                turn,
                extra,
            )
            .and_then(|setup| G::set_up(rules, &setup))
            .map_err(refuse)?,
        };
        let mut record = Record::new(position, *base != Base::StartPos);
        record.play(moves)?;
        self.record = record;
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Result<(), ProtocolError> {
        self.record.play(moves)
    }

    fn undo(&mut self, n: u32) -> Result<(), ProtocolError> {
        let (n, plies) = (n as usize, self.record.plies());
        if n > plies {
            let text = format!("cannot take back {n}: {plies} played");
            return Err(error(ErrorCode::State, text));
        }
        self.record.take_back(n);
        Ok(())
    }

    fn fen(&self) -> String {
        self.record.setup().write_fen(&G::SIDES, G::EXTRA)
    }

    fn turn(&self) -> Side {
        self.record.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.record.written_moves()
    }

    fn at_start(&self) -> bool {
        self.record.at_start()
    }

    fn forget(&mut self) {
        self.slot.forget();
    }

    fn release(&mut self) {
        self.slot.clear();
    }

    fn is_searching(&self) -> bool {
        self.slot.is_awaited()
    }

    fn query(&self, fact: Fact, words: &[String]) -> Result<String, ProtocolError> {
        self.facts().answer(fact, words)
    }

    fn json(&self) -> Map<String, serde_json::Value> {
        self.facts().json()
    }

    fn threatening(&self, player: Option<&str>) -> Result<u32, ProtocolError> {
        let side = match player {
            None => self.record.turn(),
            Some(text) => words::side_of::<G>(text)?,
        };
        if self.record.outcome().is_some() {
            return Ok(0);
        }
        Ok(G::threatening(self.record.position(), side))
    }

    fn eval(&self) -> Value {
        match self.record.outcome() {
            None => {
                let position = self.record.position();
                G::Evaluator::with_options(position, &self.options).value(position)
            }
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(side)) if side == self.record.turn() => MAX_CP,
            Some(Outcome::Win(_)) => -MAX_CP,
        }
    }

    fn parts(&self) -> Vec<Part> {
        let value = self.eval();
        let terms = match self.record.outcome() {
            None => {
                let position = self.record.position();
                G::Evaluator::with_options(position, &self.options).parts(position)
            }
            Some(_) => {
                let mut result = Parts::new(1, &["result"]);
                result.add("result", usize::from(value < 0), value);
                result
            }
        };
        let parts = terms.of_value(value).into_iter();
        parts.map(words::part).collect()
    }

    fn display(&self) -> Vec<String> {
        let setup = self.record.setup();
        let turn = self.record.turn();
        let ascii = self.settings.check(settings::ASCII);
        let mut lines = G::DIAGRAM.draw(&setup, &G::SIDES, G::NAMING, ascii, self.is_flipped());
        lines.push(format!("game: {}", words::rules::<G>(&self.options)));
        if let Some(what) = G::EXTRA {
            lines.push(format!(
                "{what}: {} {} {} {}",
                self.side(Side::First),
                setup.extra[0],
                self.side(Side::Second),
                setup.extra[1]
            ));
        }
        lines.push(match self.record.outcome() {
            None => format!("turn: {}", self.side(turn)),
            Some(Outcome::Draw) => "result: draw".to_string(),
            Some(Outcome::Win(side)) => format!("result: {} wins", self.side(side)),
        });
        let fen = setup.write_fen(&G::SIDES, G::EXTRA);
        lines.push(format!("fen: {fen}"));
        lines
    }

    fn picture(&self) -> String {
        let setup = self.record.setup();
        let turn = self.record.turn();
        let mut caption = match self.record.outcome() {
            None => format!("{}: {} to move", G::TITLE, self.side(turn)),
            Some(Outcome::Draw) => format!("{}: draw", G::TITLE),
            Some(Outcome::Win(side)) => format!("{}: {} wins", G::TITLE, self.side(side)),
        };
        if let Some(what) = G::EXTRA {
            caption += &format!("; {what} {} : {}", setup.extra[0], setup.extra[1]);
        }
        Picture {
            setup: &setup,
            sides: &G::SIDES,
            naming: G::NAMING,
            diagram: G::DIAGRAM,
            flip: self.is_flipped(),
            trail: self.record.last().map(|deed| deed.effects.trail),
            winning: &G::winning_cells(self.record.position()),
            caption: &caption,
        }
        .draw()
    }

    fn search(&self, go: &Go, given: &Given) -> Result<Job, ProtocolError> {
        let limits = self.limits(go);
        let control = Arc::new(Control::since(
            given.since,
            Held {
                pondering: go.ponder,
                infinite: go.infinite || !go.is_limited(),
            },
        ));
        let root = chosen(&self.record, go, &self.options)?;
        if root.moves.is_empty() {
            return Ok(self.nothing_to_search(control));
        }
        let fallback = G::write_move(&root.position, root.moves[0]);
        let with_wdl = self.settings.check(settings::SHOW_WDL);
        let level = self.level();
        let maker = level.maker::<G>().ok_or_else(|| {
            let name = self.settings.combo(settings::LEVEL);
            let why = format!("{} has no level {name}", G::TITLE);
            error(ErrorCode::Option, why)
        })?;
        let wanted = Wanted {
            level,
            means: self.means(&given.table),
            maker,
        };
        let (position, watched, table) = (
            self.record.position().clone(),
            control.clone(),
            given.table.clone(),
        );
        let turn = self.slot.line_up();
        Ok(Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                let mut tell = |report| say(words::report::<G>(&root.position, report, with_wdl));
                search::<G>(&turn, wanted, &root, &limits, control, &mut tell)
            }),
            progress: Some(Box::new(move || {
                words::progress::<G>(&position, &watched, &table)
            })),
            fallback: Some(bestmove(Some(fallback), None)),
            control,
        })
    }

    fn balance(
        &self,
        stones: u32,
        bias: i32,
        go: &Go,
        given: &Given,
    ) -> Result<Job, ProtocolError> {
        if !(1..=balance::MOST).contains(&stones) {
            let text = format!(
                "balance {stones}: 1 to {} moves can be found",
                balance::MOST
            );
            return Err(error(ErrorCode::State, text));
        }
        let mut balance = self.balance_of(&self.record, go, &given.table)?;
        let run = move |control: &Control, say: &mut dyn FnMut(Reply)| match balance.find(
            stones as usize,
            bias,
            control,
        ) {
            Ok(found) => {
                say(Reply::Info(found.line));
                Reply::Response(found.moves.join(" "))
            }
            Err(why) => Reply::Error(why),
        };
        Ok(balance_job(go, given, Box::new(run)))
    }

    fn opening(&self, asked: &Opening, given: &Given) -> Result<Job, ProtocolError> {
        let Opening {
            protocol,
            stones,
            go,
        } = asked;
        let opening = opening::find::<G>(protocol, &self.options)?;
        if !stones.is_empty() {
            opening::check(opening, stones.len())?;
        }
        let start = G::start(&self.options).map_err(|why| error(ErrorCode::Option, why))?;
        let mut record = Record::new(start, false);
        record.play(stones)?;
        let balance = self.balance_of(&record, go, &given.table)?;
        let number = stones.len();
        let run = move |control: &Control, say: &mut dyn FnMut(Reply)| match number {
            0 => opening::propose(opening, balance, control, say),
            _ => opening::choose(opening, number, balance, control, say),
        };
        Ok(balance_job(go, given, Box::new(run)))
    }

    fn prepare(&self) -> Option<Job> {
        // The other levels play without a specialist.
        if self.level() != Level::BEST {
            return None;
        }
        let (options, specialist) = (self.options.clone(), Booked::<G>::new(self.books.clone()));
        if !specialist.needs_preparation(&options) {
            return None;
        }
        let threads = self.settings.spin(settings::THREADS) as usize;
        let position = self.record.position().clone();
        Some(Job {
            work: Work::Preparation,
            run: Box::new(move |control, say| {
                fault::point("prepare");
                let mut report = |report| say(words::report::<G>(&position, report, false));
                specialist.prepare(&options, threads, control, &mut report);
                Reply::ReadyOk
            }),
            progress: None,
            fallback: Some(Reply::ReadyOk),
            control: Arc::new(Control::default()),
        })
    }

    fn values(&self) -> Result<Job, ProtocolError> {
        if !G::Specialist::knows_values(&self.options) {
            let why = format!("the values of {} are not known", G::TITLE);
            return Err(error(ErrorCode::State, why));
        }
        let threads = self.settings.spin(settings::THREADS) as usize;
        let root = self.record.root(&self.options);
        let control = Arc::new(Control::default());
        let watched = control.clone();
        Ok(Job {
            work: Work::Answer,
            run: Box::new(move |control, say| {
                if root.moves.is_empty() {
                    return Reply::Response("none".to_string());
                }
                let mut report = |report| say(words::report::<G>(&root.position, report, false));
                let mut specialist = G::Specialist::default();
                let values = specialist.values(&root, threads, control, &mut report);
                if control.stopped() {
                    return Reply::Error(error(ErrorCode::State, "query values was stopped"));
                }
                let texts = values.into_iter().map(|(m, value)| {
                    let text = G::write_move(&root.position, m);
                    format!("{text}={}", words::value(value))
                });
                Reply::Response(texts.collect::<Vec<_>>().join(" "))
            }),
            progress: Some(Box::new(move || words::at_work(&watched))),
            fallback: None,
            control,
        })
    }

    fn prove(&self, prove: &Prove) -> Result<Job, ProtocolError> {
        let [memory, threads] =
            [settings::HASH, settings::THREADS].map(|name| self.settings.spin(name) as usize);
        proving::job(
            &self.record,
            &self.options,
            &self.books,
            memory,
            threads,
            prove,
        )
    }

    fn perft(&self, depth: u32, divide: bool) -> Result<Job, ProtocolError> {
        if depth > DEEPEST_PERFT {
            let text = format!("perft {depth}: {DEEPEST_PERFT} plies are the most");
            return Err(error(ErrorCode::State, text));
        }
        let mut position = self.record.position().clone();
        let moves = self.record.legal_moves();
        let control = Arc::new(Control::default());
        let watched = control.clone();
        Ok(Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                fault::point("perft");
                let started = Instant::now();
                let mut nodes = u64::from(depth == 0);
                let mut counted = 0;
                let mut stop = |more: u64| {
                    counted += more;
                    control.progress.count(counted);
                    control.stopped()
                };
                for m in moves.into_iter().filter(|_| depth > 0) {
                    let text = G::write_move(&position, m);
                    let undo = position.play(m);
                    let below = position::perft(&mut position, depth - 1, &mut stop);
                    position.undo(m, undo);
                    let Some(below) = below else {
                        return Reply::Error(error(
                            ErrorCode::State,
                            format!("perft {depth} was stopped"),
                        ));
                    };
                    if divide {
                        say(Reply::PerftMove {
                            mv: text,
                            nodes: below,
                        });
                    }
                    nodes += below;
                }
                let time = started.elapsed();
                Reply::Perft {
                    depth,
                    nodes,
                    time: time.as_millis() as u64,
                    nps: per_second(nodes, time),
                }
            }),
            progress: Some(Box::new(move || words::at_work(&watched))),
            fallback: None,
            control,
        })
    }
}

/// The end of the record with the moves of `searchmoves`, each once, or all legal ones.
fn chosen<G: Game>(
    record: &Record<G>,
    go: &Go,
    options: &OptionValues,
) -> Result<Root<G::Position>, ProtocolError> {
    let root = record.root(options);
    let mut moves = Vec::new();
    for text in &go.searchmoves {
        let mv = record.read_move(text)?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    match moves.is_empty() || moves.len() == root.moves.len() {
        true => Ok(root),
        false => Ok(root.only(moves)),
    }
}

impl<G: Game> Played<G> {
    /// Whether pictures are turned for the second player.
    fn is_flipped(&self) -> bool {
        self.settings.check(settings::FLIP) && self.record.turn() == Side::Second
    }

    /// A search for level positions, beginning with the end of this record.
    fn balance_of(
        &self,
        record: &Record<G>,
        go: &Go,
        table: &Arc<Table>,
    ) -> Result<Balance<G>, ProtocolError> {
        if go.ponder || go.mate.is_some() {
            let text = "ponder and mate are for go";
            return Err(error(ErrorCode::State, text));
        }
        if record.outcome().is_some() {
            return Err(error(ErrorCode::State, "the game is over"));
        }
        let root = chosen(record, go, &self.options)?;
        let with_wdl = self.settings.check(settings::SHOW_WDL);
        let (turn, means) = (self.slot.line_up(), self.means(table));
        Ok(Balance::new(root, turn, means, self.limits(go), with_wdl))
    }

    /// The search of a finished position, which only answers.
    fn nothing_to_search(&self, control: Arc<Control>) -> Job {
        let with_wdl = self.settings.check(settings::SHOW_WDL);
        let info = words::finished(self.record.outcome(), self.record.turn(), with_wdl);
        let again = Reply::Info(info.clone());
        Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                say(Reply::Info(info));
                control.wait_until_released();
                bestmove(None, None)
            }),
            progress: Some(Box::new(move || again.clone())),
            fallback: Some(bestmove(None, None)),
            control,
        }
    }
}

/// A job that searches for level positions. Without limits it ends all the same,
/// unless it is infinite.
fn balance_job(go: &Go, given: &Given, run: Run) -> Job {
    let control = Arc::new(Control::since(
        given.since,
        Held {
            infinite: go.infinite,
            ..Held::default()
        },
    ));
    let (watched, table) = (control.clone(), given.table.clone());
    Job {
        work: Work::Search,
        run,
        progress: Some(Box::new(move || {
            Reply::Info(words::taken(&watched, &table))
        })),
        fallback: None,
        control,
    }
}

/// Runs a search on its own thread; `tell` gets its reports.
fn search<G: Game>(
    turn: &Turn<G::Position>,
    wanted: Wanted<G::Position>,
    root: &Root<G::Position>,
    limits: &Limits,
    control: &Control,
    tell: &mut dyn FnMut(Report),
) -> Reply {
    turn.with(wanted, control, |player| {
        let choice = player.choose(root, limits, control, &mut |report| {
            tell(report);
            fault::point("search");
        });
        control.wait_until_released();
        let Choice { best, ponder } = choice;
        let line = std::iter::once(best).chain(ponder);
        let mut texts = words::line::<G>(&root.position, line).into_iter();
        bestmove(texts.next(), texts.next())
    })
}
