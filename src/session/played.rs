//! A game in play: the session for a game's own types.

use super::Session;
use super::job::{Job, Work};
use super::slot::{PlayerSlot, Wanted};
use super::words::{self, bestmove, per_second};
use crate::board::{Picture, Setup, read_side};
use crate::control::Control;
use crate::evaluator::Evaluator;
use crate::fault;
use crate::game::Game;
use crate::levels::{self, Level};
use crate::limits::{Clock, Limits};
use crate::options::{OptionSpec, OptionValue, OptionValues};
use crate::player::{Choice, Root};
use crate::position::{self, Move, Outcome, Position, Side};
use crate::search::Table;
use crate::settings;
use crate::specialist::Specialist;
use crate::value::{MAX_CP, Value};
use quintet_protocol::{Base, ErrorCode, Go, Info, ProtocolError, Reply, Score, Stones, quoted};
use std::sync::Arc;
use std::time::Instant;

/// A move of the game so far, with its undo information.
struct Past<P: Position> {
    mv: Move,
    undo: P::Undo,
    /// Key of the position before it.
    key: u64,
}

/// A game in play, its past moves, and its player.
pub(super) struct Played<G: Game> {
    options: OptionValues,
    settings: OptionValues,
    position: G::Position,
    /// Whether the first position was set up and so may differ from the start
    /// position.
    set_up: bool,
    past: Vec<Past<G::Position>>,
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
            position: G::start(options)?,
            set_up: false,
            past: Vec::new(),
            slot: PlayerSlot::default(),
        })
    }

    /// The result, including draws by repetition.
    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let key = self.position.key();
            let before = || self.past.iter().filter(|p| p.key == key).count();
            (self.position.can_return() && before() >= 2).then_some(Outcome::Draw)
        })
    }

    fn read_move(&self, text: &str) -> Result<Move, ProtocolError> {
        let refuse = |why: &str| error(ErrorCode::Move, format!("{}: {why}", quoted(text)));
        if self.outcome().is_some() {
            return Err(refuse("the game is over"));
        }
        G::read_move(&self.position, text).map_err(|why| refuse(&why))
    }

    fn push(&mut self, mv: Move) {
        let key = self.position.key();
        let undo = self.position.play(mv);
        self.past.push(Past { mv, undo, key });
    }

    fn pop(&mut self) {
        if let Some(past) = self.past.pop() {
            self.position.undo(past.mv, past.undo);
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.position.moves(&mut moves);
        }
        moves
    }

    fn fen(&self) -> String {
        G::setup(&self.position).write_fen(&G::SIDES, G::EXTRA)
    }

    fn side(&self, side: Side) -> &'static str {
        G::SIDES[side.index()].name
    }

    fn root(&self, moves: Vec<Move>, all_moves: bool) -> Root<G::Position> {
        Root {
            position: self.position.clone(),
            history: self.past.iter().map(|p| p.key).collect(),
            moves,
            all_moves,
            options: self.options.clone(),
        }
    }

    /// The level that the settings ask for.
    fn level(&self) -> Level {
        let settings = &self.settings;
        Level {
            name: settings.combo(settings::LEVEL),
            strength: match settings.check(settings::UCI_LIMIT_STRENGTH) {
                true => levels::strength_of(settings.spin(settings::UCI_ELO)),
                false => settings.spin(settings::STRENGTH) as usize,
            },
        }
    }

    fn limits(&self, go: &Go) -> Limits {
        let settings = &self.settings;
        let turn = self.position.side_to_move().index();
        Limits {
            // A win in n plies is found at depth n at the latest.
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
            }),
            mate: go.mate,
            multi_pv: settings.spin(settings::MULTI_PV) as usize,
            overhead: settings.spin(settings::MOVE_OVERHEAD),
            threads: settings.spin(settings::THREADS) as usize,
            seed: settings.spin(settings::SEED) as u64,
        }
    }
}

fn error(code: ErrorCode, text: impl AsRef<str>) -> ProtocolError {
    ProtocolError::new(code, text)
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
        let mut next = Played::<G> {
            options: self.options.clone(),
            settings: self.settings.clone(),
            position,
            set_up: *base != Base::StartPos,
            past: Vec::new(),
            slot: self.slot.clone(),
        };
        next.play(moves)?;
        *self = next;
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Result<(), ProtocolError> {
        for (i, text) in moves.iter().enumerate() {
            match self.read_move(text) {
                Ok(m) => self.push(m),
                Err(e) => {
                    (0..i).for_each(|_| self.pop());
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    fn undo(&mut self, n: u32) -> Result<(), ProtocolError> {
        if n as usize > self.past.len() {
            return Err(error(
                ErrorCode::State,
                format!("cannot take back {n}: {} played", self.past.len()),
            ));
        }
        (0..n).for_each(|_| self.pop());
        Ok(())
    }

    fn at_start(&self) -> bool {
        !self.set_up && self.past.is_empty()
    }

    fn forget(&mut self) {
        self.slot.forget();
    }

    fn release(&mut self) {
        self.slot.clear();
    }

    fn query(&self, what: &str) -> Result<String, ProtocolError> {
        let outcome = self.outcome();
        Ok(match what {
            "fen" => self.fen(),
            "turn" => self.side(self.position.side_to_move()).to_string(),
            "p1turn" => (self.position.side_to_move() == Side::First).to_string(),
            "gameover" => outcome.is_some().to_string(),
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::First)) => "p1win",
                Some(Outcome::Win(Side::Second)) => "p2win",
            }
            .to_string(),
            "moves" => match self.legal_moves().as_slice() {
                [] => "none".to_string(),
                moves => {
                    let texts = moves.iter().map(|&m| G::write_move(&self.position, m));
                    texts.collect::<Vec<_>>().join(" ")
                }
            },
            _ => return self.query_game(what),
        })
    }

    fn threatening(&self, player: Option<&str>) -> Result<u32, ProtocolError> {
        let side = match player {
            None => self.position.side_to_move(),
            Some(text) => {
                read_side(&G::SIDES, text).map_err(|why| error(ErrorCode::Unknown, why))?
            }
        };
        if self.outcome().is_some() {
            return Ok(0);
        }
        Ok(G::threatening(&self.position, side))
    }

    fn eval(&self) -> Value {
        match self.outcome() {
            None => G::Evaluator::new(&self.position).value(&self.position),
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(side)) if side == self.position.side_to_move() => MAX_CP,
            Some(Outcome::Win(_)) => -MAX_CP,
        }
    }

    fn display(&self) -> Vec<String> {
        let setup = G::setup(&self.position);
        let turn = self.position.side_to_move();
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
        lines.push(match self.outcome() {
            None => format!("turn: {}", self.side(turn)),
            Some(Outcome::Draw) => "result: draw".to_string(),
            Some(Outcome::Win(side)) => format!("result: {} wins", self.side(side)),
        });
        lines.push(format!("fen: {}", self.fen()));
        lines
    }

    fn picture(&self) -> String {
        let setup = G::setup(&self.position);
        let turn = self.position.side_to_move();
        let mut caption = match self.outcome() {
            None => format!("{}: {} to move", G::TITLE, self.side(turn)),
            Some(Outcome::Draw) => format!("{}: draw", G::TITLE),
            Some(Outcome::Win(side)) => format!("{}: {} wins", G::TITLE, self.side(side)),
        };
        if let Some(what) = G::EXTRA {
            caption += &format!("; {what} {} : {}", setup.extra[0], setup.extra[1]);
        }
        let last = self.past.last();
        Picture {
            setup: &setup,
            sides: &G::SIDES,
            naming: G::NAMING,
            diagram: G::DIAGRAM,
            flip: self.is_flipped(),
            trail: last.map(|past| G::trail(&self.position, past.mv)),
            winning: &G::winning_cells(&self.position),
            caption: &caption,
        }
        .draw()
    }

    fn search(&self, go: &Go, table: &Arc<Table>) -> Result<Job, ProtocolError> {
        let limits = self.limits(go);
        let limited = go.is_limited() && !go.infinite;
        let control = Arc::new(Control::new(go.ponder, !limited));
        let legal = self.legal_moves();
        if legal.is_empty() {
            return Ok(self.nothing_to_search(control, limited));
        }
        let mut moves = Vec::new();
        for text in &go.searchmoves {
            let m = self.read_move(text)?;
            if !moves.contains(&m) {
                moves.push(m);
            }
        }
        let all_moves = moves.is_empty() || moves.len() == legal.len();
        if moves.is_empty() {
            moves = legal;
        }
        let fallback = G::write_move(&self.position, moves[0]);
        let root = self.root(moves, all_moves);
        let slot = self.slot.clone();
        let level = self.level();
        let maker = levels::maker::<G>(level).ok_or_else(|| {
            let why = format!("{} has no level {}", G::TITLE, level.name);
            error(ErrorCode::Option, why)
        })?;
        let wanted = Wanted {
            level,
            table: table.clone(),
            maker,
        };
        Ok(Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                search::<G>(&slot, wanted, &root, &limits, control, say)
            }),
            fallback: Some(bestmove(Some(fallback), None)),
            control,
            limited,
        })
    }

    fn prepare(&self) -> Option<Job> {
        // The other levels play without a specialist.
        if self.level() != Level::FULL || !G::Specialist::needs_preparation(&self.options) {
            return None;
        }
        let threads = self.settings.spin(settings::THREADS) as usize;
        let (position, options) = (self.position.clone(), self.options.clone());
        Some(Job {
            work: Work::Preparation,
            run: Box::new(move |control, say| {
                fault::point("prepare");
                let mut report = |report| say(words::report::<G>(&position, report));
                G::Specialist::prepare(&options, threads, control, &mut report);
                Reply::ReadyOk
            }),
            fallback: Some(Reply::ReadyOk),
            control: Arc::new(Control::new(false, false)),
            limited: true,
        })
    }

    fn values(&self) -> Result<Job, ProtocolError> {
        if !G::Specialist::knows_values(&self.options) {
            let why = format!("the values of {} are not known", G::TITLE);
            return Err(error(ErrorCode::State, why));
        }
        let threads = self.settings.spin(settings::THREADS) as usize;
        let root = self.root(self.legal_moves(), true);
        Ok(Job {
            work: Work::Answer,
            run: Box::new(move |control, say| {
                if root.moves.is_empty() {
                    return Reply::Response("none".to_string());
                }
                let mut report = |report| say(words::report::<G>(&root.position, report));
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
            fallback: None,
            control: Arc::new(Control::new(false, false)),
            limited: true,
        })
    }

    fn perft(&self, depth: u32, divide: bool) -> Job {
        let mut position = self.position.clone();
        let moves = self.legal_moves();
        let over = moves.is_empty();
        Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                fault::point("perft");
                let started = Instant::now();
                let mut nodes = u64::from(depth == 0);
                let mut stop = || control.stopped();
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
                if over && depth > 0 {
                    nodes = 0;
                }
                let time = started.elapsed();
                Reply::Perft {
                    depth,
                    nodes,
                    time: time.as_millis() as u64,
                    nps: per_second(nodes, time),
                }
            }),
            fallback: None,
            control: Arc::new(Control::new(false, false)),
            limited: true,
        }
    }
}

impl<G: Game> Played<G> {
    /// Whether pictures are turned for the second player.
    fn is_flipped(&self) -> bool {
        self.settings.check(settings::FLIP) && self.position.side_to_move() == Side::Second
    }

    /// The search of a finished position, which only answers.
    fn nothing_to_search(&self, control: Arc<Control>, limited: bool) -> Job {
        let score = match self.outcome() {
            Some(Outcome::Win(side)) if side == self.position.side_to_move() => Score::Mate(1),
            Some(Outcome::Win(_)) => Score::Mate(0),
            _ => Score::Cp(0),
        };
        Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                say(Reply::Info(Info {
                    depth: Some(0),
                    score: Some(score),
                    proven: true,
                    ..Info::default()
                }));
                control.wait_until_released();
                bestmove(None, None)
            }),
            fallback: Some(bestmove(None, None)),
            control,
            limited,
        }
    }

    /// Answers a `query` that only some games have.
    fn query_game(&self, what: &str) -> Result<String, ProtocolError> {
        if let Some(answer) = G::query(&self.position, what) {
            return Ok(answer);
        }
        Err(match what {
            "windows" | "captures" => {
                error(ErrorCode::State, format!("{} knows no {what}", G::TITLE))
            }
            _ => error(
                ErrorCode::Unknown,
                format!(
                    "query {}: expected fen, turn, moves, values, captures, windows, p1turn, gameover or result",
                    quoted(what)
                ),
            ),
        })
    }
}

/// Runs a search on its own thread and turns its reports into replies.
fn search<G: Game>(
    slot: &PlayerSlot<G::Position>,
    wanted: Wanted<G::Position>,
    root: &Root<G::Position>,
    limits: &Limits,
    control: &Control,
    say: &mut dyn FnMut(Reply),
) -> Reply {
    slot.with(wanted, |player| {
        let choice = player.choose(root, limits, control, &mut |report| {
            say(words::report::<G>(&root.position, report));
            fault::point("search");
        });
        control.wait_until_released();
        let Choice { best, ponder } = choice;
        let line = std::iter::once(best).chain(ponder);
        let mut texts = words::line::<G>(&root.position, line).into_iter();
        bestmove(texts.next(), texts.next())
    })
}
