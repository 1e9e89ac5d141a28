//! One game being played, its types erased: the seam between the engine,
//! which knows lines of text, and the games, which know positions.

use crate::board::{Picture, Setup, SideSpec, read_side};
use crate::control::Control;
use crate::evaluator::Evaluator;
use crate::fault;
use crate::game::{Game, Variant};
use crate::games::{self, Visitor};
use crate::levels;
use crate::limits::{Clock, Limits};
use crate::options::{OptionSpec, OptionValues};
use crate::player::{self, Choice, Iteration, Player, Report, Root};
use crate::position::{self, Move, Outcome, Position, Side};
use crate::search::Table;
use crate::settings;
use crate::specialist::Specialist;
use crate::value::{MAX_CP, Value, mate_plies};
use quintet_protocol::{
    Base, Bound, ErrorCode, Go, Info, ProtocolError, Reply, Score, Stones, quoted,
};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// What the engine needs to know of a game before it is played.
pub struct GameInfo {
    /// Name in the protocol.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What stands before the names of its options in `setoption`.
    pub prefix: String,
    /// Its options, without the prefix.
    pub options: &'static [OptionSpec],
    /// First and second player.
    pub sides: [SideSpec; 2],
    /// The names that clients from elsewhere have for it.
    pub variants: &'static [Variant],
    /// Rule options that have one value alone with such clients.
    pub foreign_rules: &'static [(&'static str, &'static str)],
    /// What such clients write before the cell of a drop.
    pub drop_prefix: Option<&'static str>,
    /// Whether its FEN has two numbers at the end.
    pub counts_extra: bool,
    open: fn(&OptionValues) -> Result<Box<dyn Session>, String>,
    accept: fn(&str, &OptionValues) -> Result<(), String>,
    close: fn(),
}

impl GameInfo {
    /// All games, in the order of the list.
    pub fn all() -> &'static [GameInfo] {
        struct Collect(Vec<GameInfo>);
        impl Visitor for Collect {
            fn visit<G: Game>(&mut self) {
                self.0.push(GameInfo {
                    name: G::NAME,
                    title: G::TITLE,
                    prefix: prefix(G::TITLE),
                    options: G::OPTIONS,
                    sides: G::SIDES,
                    variants: G::VARIANTS,
                    foreign_rules: G::FOREIGN_RULES,
                    drop_prefix: G::DROP_PREFIX,
                    counts_extra: G::EXTRA.is_some(),
                    open: |rules| Ok(Box::new(Played::<G>::new(rules)?)),
                    accept: G::Specialist::accept,
                    close: G::Specialist::close,
                });
            }
        }
        static ALL: OnceLock<Vec<GameInfo>> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut collect = Collect(Vec::new());
            games::visit(&mut collect);
            collect.0
        })
    }

    /// The game with this name, in either case.
    pub fn find(name: &str) -> Option<&'static GameInfo> {
        Self::all()
            .iter()
            .find(|g| g.name.eq_ignore_ascii_case(name))
    }

    /// Sets the game up under these rules, at its start position.
    ///
    /// # Errors
    /// Says why the rules do not fit each other.
    pub fn open(&self, rules: &OptionValues) -> Result<Box<dyn Session>, ProtocolError> {
        (self.open)(rules).map_err(|why| error(ErrorCode::Option, why))
    }

    /// Whether the setting `name` can have its value among `options`; what the
    /// value stands for is loaded.
    ///
    /// # Errors
    /// Says why not.
    pub fn accept(&self, name: &str, options: &OptionValues) -> Result<(), ProtocolError> {
        (self.accept)(name, options).map_err(|why| error(ErrorCode::Option, why))
    }

    /// Ends what this game does in the background, before the process ends.
    pub fn close(&self) {
        (self.close)();
    }
}

/// `Dag en Nacht` -> `DagEnNacht`.
fn prefix(title: &str) -> String {
    title
        .split(' ')
        .flat_map(|word| {
            let (head, tail) = word.split_at(1);
            [head.to_ascii_uppercase(), tail.to_string()]
        })
        .collect()
}

fn error(code: ErrorCode, text: impl AsRef<str>) -> ProtocolError {
    ProtocolError::new(code, text)
}

/// How a diagram is to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Plain characters.
    pub ascii: bool,
    /// Turned around while the second player is to move.
    pub flip: bool,
}

/// The work of a [`Job`].
pub type Run = Box<dyn FnOnce(&Control, &mut dyn FnMut(Reply)) -> Reply + Send>;

/// What a [`Job`] is, which says what is done at once while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A search or a count: `isready` does not wait for it, `stop` ends it.
    Search,
    /// The answer to a question, which comes before the next `readyok`;
    /// `stop` ends it.
    Answer,
    /// What `isready` waits for, and no `stop` ends.
    Preparation,
}

/// A long piece of work, to be done on a thread of its own.
pub struct Job {
    /// What it is.
    pub work: Work,
    /// Does it, saying what there is to say on the way. Returns the last word:
    /// of a search its `bestmove`, when the control no longer holds it back.
    pub run: Run,
    /// What must still be said if `run` panics: a legal `bestmove`.
    pub fallback: Option<Reply>,
    /// How it is held.
    pub control: Arc<Control>,
    /// Whether it ends by itself, once it no longer ponders.
    pub limited: bool,
}

/// A game in play. A method that returns an error has changed nothing.
pub trait Session {
    /// Puts a position: a board and moves from there.
    fn set_position(
        &mut self,
        rules: &OptionValues,
        base: &Base,
        moves: &[String],
    ) -> Result<(), ProtocolError>;
    /// Plays on.
    fn play(&mut self, moves: &[String]) -> Result<(), ProtocolError>;
    /// Takes the last `n` moves back.
    fn undo(&mut self, n: u32) -> Result<(), ProtocolError>;
    /// Forgets what searches have learned.
    fn forget(&mut self);
    /// Lets go of the transposition table of the last search, and of the player
    /// that used it.
    fn release(&mut self);
    /// Answers `query`.
    fn query(&self, what: &str) -> Result<String, ProtocolError>;
    /// Answers `threatening`.
    fn threatening(&self, player: Option<&str>) -> Result<u32, ProtocolError>;
    /// Static value for the side to move, in centipawns.
    fn eval(&self) -> Value;
    /// The board as lines of text.
    fn display(&self, style: Style) -> Vec<String>;
    /// The board as an SVG picture, one line; `flip` as in [`Style`].
    fn picture(&self, flip: bool) -> String;
    /// Prepares a search with the engine's settings, the game's options and
    /// this transposition table.
    fn search(
        &self,
        go: &Go,
        settings: &OptionValues,
        options: &OptionValues,
        table: &Arc<Table>,
    ) -> Result<Job, ProtocolError>;
    /// What `isready` has to wait for, if anything; its last word is
    /// `readyok`.
    fn prepare(&self, settings: &OptionValues, options: &OptionValues) -> Option<Job>;
    /// Prepares the answer to `query values`.
    fn values(&self, settings: &OptionValues, options: &OptionValues)
    -> Result<Job, ProtocolError>;
    /// Prepares a count of leaves.
    fn perft(&self, depth: u32, divide: bool) -> Job;
}

/// A move of the game so far and how to take it back.
struct Past<P: Position> {
    mv: Move,
    undo: P::Undo,
    /// Key of the position before it.
    key: u64,
}

/// Who plays at present.
struct Seated<P> {
    level: &'static str,
    table: Arc<Table>,
    player: Box<dyn Player<P>>,
}

/// Empty until the first search.
type Seat<P> = Arc<Mutex<Option<Seated<P>>>>;

/// What a search is to have, and who makes its player if another one sits
/// there.
struct Chair<P> {
    level: &'static str,
    table: Arc<Table>,
    maker: levels::Maker<P>,
}

struct Played<G: Game> {
    rules: String,
    position: G::Position,
    past: Vec<Past<G::Position>>,
    seat: Seat<G::Position>,
}

impl<G: Game> Played<G> {
    fn new(rules: &OptionValues) -> Result<Self, String> {
        Ok(Played {
            rules: describe::<G>(rules),
            position: G::start(rules)?,
            past: Vec::new(),
            seat: Arc::default(),
        })
    }

    /// The result, repetition included.
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

    fn root(&self, moves: Vec<Move>, all_moves: bool, options: &OptionValues) -> Root<G::Position> {
        Root {
            position: self.position.clone(),
            history: self.past.iter().map(|p| p.key).collect(),
            moves,
            all_moves,
            options: options.clone(),
        }
    }

    fn limits(&self, go: &Go, settings: &OptionValues) -> Limits {
        let turn = self.position.side_to_move().index();
        Limits {
            // A win in n plies shows at depth n at the latest.
            depth: match (go.depth, go.mate) {
                (Some(depth), Some(mate)) => Some(depth.min(mate)),
                (depth, mate) => depth.or(mate),
            },
            nodes: go.nodes,
            move_time: go.movetime,
            // A client that tells only the opponent's clock has a slip in its
            // books; better to take that one than to think for ever.
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

/// The rules of a game in the words of `newgame`, those that are not at
/// their default.
fn describe<G: Game>(rules: &OptionValues) -> String {
    let mut text = G::NAME.to_string();
    for spec in G::OPTIONS.iter().filter(|s| s.rule) {
        let value = rules.get(spec.name);
        if spec.default().as_ref() != Some(value) {
            text += &format!(" {} {value}", spec.name.to_ascii_lowercase());
        }
    }
    text
}

impl<G: Game> Session for Played<G> {
    fn set_position(
        &mut self,
        rules: &OptionValues,
        base: &Base,
        moves: &[String],
    ) -> Result<(), ProtocolError> {
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
            rules: describe::<G>(rules),
            position,
            past: Vec::new(),
            seat: self.seat.clone(),
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

    fn forget(&mut self) {
        let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seated) = seat.as_mut() {
            seated.player.forget();
        }
    }

    fn release(&mut self) {
        *self.seat.lock().unwrap_or_else(PoisonError::into_inner) = None;
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

    fn display(&self, style: Style) -> Vec<String> {
        let setup = G::setup(&self.position);
        let turn = self.position.side_to_move();
        let flip = style.flip && turn == Side::Second;
        let mut lines = G::DIAGRAM.draw(&setup, &G::SIDES, G::NAMING, style.ascii, flip);
        lines.push(format!("game: {}", self.rules));
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

    fn picture(&self, flip: bool) -> String {
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
            flip: flip && turn == Side::Second,
            trail: last.map(|past| G::trail(&self.position, past.mv)),
            winning: &G::winning_cells(&self.position),
            caption: &caption,
        }
        .draw()
    }

    fn search(
        &self,
        go: &Go,
        settings: &OptionValues,
        options: &OptionValues,
        table: &Arc<Table>,
    ) -> Result<Job, ProtocolError> {
        let limits = self.limits(go, settings);
        let limited = go.is_limited() && !go.infinite;
        let control = Arc::new(Control::new(go.ponder, !limited));
        let legal = self.legal_moves();
        if legal.is_empty() {
            let score = match self.outcome() {
                Some(Outcome::Win(side)) if side == self.position.side_to_move() => Score::Mate(1),
                Some(Outcome::Win(_)) => Score::Mate(0),
                _ => Score::Cp(0),
            };
            return Ok(Job {
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
            });
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
        let root = self.root(moves, all_moves, options);
        let table = table.clone();
        let seat = self.seat.clone();
        let level = settings.combo(settings::LEVEL);
        let maker = levels::maker::<G>(level).ok_or_else(|| {
            let why = format!("{} has no level {level}", G::TITLE);
            error(ErrorCode::Option, why)
        })?;
        Ok(Job {
            work: Work::Search,
            run: Box::new(move |control, say| {
                let chair = Chair {
                    level,
                    table,
                    maker,
                };
                search::<G>(&seat, chair, &root, &limits, control, say)
            }),
            fallback: Some(bestmove(Some(fallback), None)),
            control,
            limited,
        })
    }

    fn prepare(&self, settings: &OptionValues, options: &OptionValues) -> Option<Job> {
        // The other levels play without a specialist.
        let full = settings.combo(settings::LEVEL) == levels::NAMES[0];
        if !full || !G::Specialist::needs_preparation(options) {
            return None;
        }
        let threads = settings.spin(settings::THREADS) as usize;
        let (position, options) = (self.position.clone(), options.clone());
        Some(Job {
            work: Work::Preparation,
            run: Box::new(move |control, say| {
                fault::point("prepare");
                let mut report = |report| say(reply::<G>(&position, report));
                G::Specialist::prepare(&options, threads, control, &mut report);
                Reply::ReadyOk
            }),
            fallback: Some(Reply::ReadyOk),
            control: Arc::new(Control::new(false, false)),
            limited: true,
        })
    }

    fn values(
        &self,
        settings: &OptionValues,
        options: &OptionValues,
    ) -> Result<Job, ProtocolError> {
        if !G::Specialist::knows_values(options) {
            let why = format!("the values of {} are not known", G::TITLE);
            return Err(error(ErrorCode::State, why));
        }
        let threads = settings.spin(settings::THREADS) as usize;
        let root = self.root(self.legal_moves(), true, options);
        Ok(Job {
            work: Work::Answer,
            run: Box::new(move |control, say| {
                if root.moves.is_empty() {
                    return Reply::Response("none".to_string());
                }
                let mut report = |report| say(reply::<G>(&root.position, report));
                let mut specialist = G::Specialist::default();
                let values = specialist.values(&root, threads, control, &mut report);
                if control.stopped() {
                    return Reply::Error(error(ErrorCode::State, "query values was stopped"));
                }
                let texts = values.into_iter().map(|(m, value)| {
                    let text = G::write_move(&root.position, m);
                    format!("{text}={}", write_value(value))
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

/// A value from the view of the side to move: `win5`, `loss4`, `draw`, or `?`
/// for one that is not known.
fn write_value(value: Option<Value>) -> String {
    match value.map(mate_plies) {
        None => "?".to_string(),
        Some(None) => "draw".to_string(),
        Some(Some(plies)) if plies > 0 => format!("win{plies}"),
        Some(Some(plies)) => format!("loss{}", -plies),
    }
}

fn bestmove(best: Option<String>, ponder: Option<String>) -> Reply {
    Reply::BestMove { best, ponder }
}

/// A count per second of the time that it took.
pub(crate) fn per_second(count: u64, time: std::time::Duration) -> u64 {
    (u128::from(count) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// Runs a search on the thread of its own and speaks for it.
fn search<G: Game>(
    seat: &Seat<G::Position>,
    chair: Chair<G::Position>,
    root: &Root<G::Position>,
    limits: &Limits,
    control: &Control,
    say: &mut dyn FnMut(Reply),
) -> Reply {
    let mut seat = seat.lock().unwrap_or_else(|poisoned| {
        // The last search panicked: nothing that it left can be trusted.
        let mut seat = poisoned.into_inner();
        *seat = None;
        seat
    });
    let Chair {
        level,
        table,
        maker,
    } = chair;
    let fits = |s: &Seated<G::Position>| s.level == level && Arc::ptr_eq(&s.table, &table);
    let Seated { player, .. } = match seat.take().filter(fits) {
        Some(seated) => seat.insert(seated),
        None => seat.insert(Seated {
            level,
            player: maker(table.clone()),
            table,
        }),
    };
    let choice = player.choose(root, limits, control, &mut |report| {
        say(reply::<G>(&root.position, report));
        fault::point("search");
    });
    control.wait_until_released();
    let Choice { best, ponder } = choice;
    let mut texts = line::<G>(&root.position, std::iter::once(best).chain(ponder)).into_iter();
    bestmove(texts.next(), texts.next())
}

fn reply<G: Game>(position: &G::Position, report: Report) -> Reply {
    match report {
        Report::Iteration(iteration) => Reply::Info(info::<G>(position, &iteration)),
        Report::Text(text) => Reply::InfoString(text),
    }
}

/// Writes moves that are played one after the other.
fn line<G: Game>(position: &G::Position, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for m in moves {
        if !position.is_legal(m) {
            break;
        }
        texts.push(G::write_move(&position, m));
        position.play(m);
    }
    texts
}

fn info<G: Game>(position: &G::Position, iteration: &Iteration) -> Info {
    Info {
        depth: Some(iteration.depth),
        seldepth: Some(iteration.seldepth),
        multipv: Some(iteration.rank as u32),
        score: Some(match mate_plies(iteration.value) {
            Some(plies) => Score::Mate(plies),
            None => Score::Cp(iteration.value),
        }),
        bound: match iteration.bound {
            player::Bound::Exact => Bound::Exact,
            player::Bound::Lower => Bound::Lower,
            player::Bound::Upper => Bound::Upper,
        },
        proven: iteration.proven,
        wdl: None,
        nodes: Some(iteration.nodes),
        nps: Some(per_second(iteration.nodes, iteration.time)),
        hashfull: Some(iteration.hashfull),
        tbhits: Some(iteration.table_hits),
        time: Some(iteration.time.as_millis() as u64),
        pv: line::<G>(position, iteration.pv.iter().copied()),
    }
}
