//! An engine with one game in play.

use super::analysis::Analysis;
use super::running::Running;
use super::search::Search;
use super::task::Task;
use crate::game::Game;
use crate::options::{self, Kind, OptionSpec, OptionValue, OptionValues};
use crate::position::{Outcome, Side};
use crate::prover::Books;
use crate::search::Table;
use crate::session::Session;
use crate::session::catalogue::{self, Declared, GameInfo, declared, find_option, full_name};
use crate::session::job::Given;
use crate::session::query::{Entry, Query};
use crate::session::words::json_text;
use crate::settings;
use quintet_protocol::{
    Base, Command, ErrorCode, Go, Part, ProtocolError, one_line, parse_command, quoted,
};
use std::fmt;
use std::slice;
use std::sync::Arc;
use std::time::Instant;

/// An engine with one game in play: the position and the moves that led to it,
/// the options, and everything learned in searches.
///
/// Moves, cells and positions are text in the notation of the protocol.
/// A method that returns an error has changed nothing.
///
/// ```
/// use quintet::{Engine, ErrorCode};
///
/// let mut engine = Engine::open("gomoku", &[("size", "9")])?;
/// engine.play("e5 d4")?;
/// assert_eq!(engine.fen(), "9/9/9/9/4b4/3w5/9/9/9 b");
/// assert_eq!(engine.legal_moves().len(), 79);
/// assert_eq!(engine.play("e5").unwrap_err().code(), ErrorCode::Move);
/// # Ok::<(), quintet::Error>(())
/// ```
pub struct Engine {
    game: GameInfo,
    settings: OptionValues,
    session: Box<dyn Session>,
    /// Allocated by the first search.
    table: Option<Arc<Table>>,
    /// The certificates of `ProofPath`.
    books: Books,
}

impl Engine {
    /// Opens a game at its start position. `game` is one of [`crate::GAMES`],
    /// in any case; `rules` are names and values as in the command `newgame`.
    /// Rules left out are at their default.
    ///
    /// # Errors
    /// [`ErrorCode::Option`]: there is no such game, rule or value, or the
    /// rules do not fit together.
    pub fn open(game: &str, rules: &[(&str, &str)]) -> Result<Engine, ProtocolError> {
        let info = GameInfo::find(game)
            .ok_or_else(|| refuse(format!("there is no game {}", quoted(game))))?;
        Engine::set_up(info.clone(), rules)
    }

    /// [`Engine::open`] for a game known by its type, which need not be one of
    /// [`crate::GAMES`].
    ///
    /// ```
    /// use quintet::{Engine, Pente, Side};
    ///
    /// let engine = Engine::of::<Pente>(&[("variant", "keryo")])?;
    /// assert_eq!(engine.side_to_move(), Side::First);
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::Option`]: there is no such rule or value, or the rules do
    /// not fit together.
    pub fn of<G: Game>(rules: &[(&str, &str)]) -> Result<Engine, ProtocolError> {
        Engine::set_up(GameInfo::of::<G>(), rules)
    }

    fn set_up(game: GameInfo, rules: &[(&str, &str)]) -> Result<Engine, ProtocolError> {
        let mut options = OptionValues::defaults(game.options);
        let rules = options::read_rules(game.name, game.options, rules.iter().copied());
        for (spec, value) in rules.map_err(refuse)? {
            options.set(spec, value);
        }
        let settings = OptionValues::defaults(settings::OPTIONS);
        Ok(Engine {
            session: game.open(&options, &settings)?,
            game,
            settings,
            table: None,
            books: Books::default(),
        })
    }

    /// The name of the game in play, as in [`crate::GAMES`].
    pub fn game(&self) -> &'static str {
        self.game.name
    }

    /// Sets an option of the engine, such as `Hash` or `Level`, or one of the
    /// game's options that is not a rule, such as `Pente.Difficulty`; names in
    /// any case.
    ///
    /// ```
    /// # let mut engine = quintet::Engine::open("teeko", &[])?;
    /// engine.set_option("Threads", "2")?;
    /// engine.set_option("Teeko.Tablebase", "off")?;
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::Option`]: there is no such option or value, or it is a
    /// rule, which belongs to [`Engine::open`]; or what it names cannot be used.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ProtocolError> {
        let (game, spec) = self.find(name)?;
        if game.is_none() {
            return self.set_own(spec, value);
        }
        if spec.rule {
            return Err(refuse(format!("{} is chosen with the game", spec.name)));
        }
        let value = spec.read(value).map_err(refuse)?;
        let mut options = self.session.options().clone();
        let changes = options.get(spec.name) != &value;
        options.set(spec, value.clone());
        self.game.accept(spec.name, &options)?;
        self.session.set_option(spec, value);
        if spec.judges && changes {
            self.forget();
        }
        Ok(())
    }

    /// The options that [`Engine::set_option`] sets, with their full names.
    ///
    /// ```
    /// use quintet::{Engine, Kind};
    ///
    /// let engine = Engine::open("pente", &[])?;
    /// let options = engine.options();
    /// let (_, lines) = options.iter().find(|(name, _)| name == "MultiPV").unwrap();
    /// assert!(matches!(lines.kind, Kind::Spin { min: 1, .. }));
    /// assert_eq!(engine.option("multipv")?, "1");
    /// # Ok::<(), quintet::Error>(())
    /// ```
    pub fn options(&self) -> Vec<(String, &'static OptionSpec)> {
        declared(slice::from_ref(&self.game))
            .filter(|(_, spec)| !spec.rule && no_method(spec).is_ok())
            .map(|option| (full_name(option), option.1))
            .collect()
    }

    /// The value of an option, as [`Engine::set_option`] reads it; rules have their
    /// names too, such as `Gomoku.Size`.
    ///
    /// # Errors
    /// [`ErrorCode::Option`]: there is no such option, or it has no value.
    pub fn option(&self, name: &str) -> Result<String, ProtocolError> {
        let (game, spec) = self.find(name)?;
        no_method(spec)?;
        let values = match game {
            None => &self.settings,
            Some(_) => self.session.options(),
        };
        Ok(values.get(spec.name).to_string())
    }

    /// The option of the engine or of the game with this full name, in which a run of blanks
    /// counts as one.
    fn find(&self, name: &str) -> Result<Declared<'_>, ProtocolError> {
        let words: Vec<&str> = name.split_whitespace().collect();
        find_option(slice::from_ref(&self.game), &words.join(" "))
            .ok_or_else(|| refuse(format!("there is no option {}", quoted(name))))
    }

    /// Sets one of the engine's own options.
    fn set_own(&mut self, spec: &OptionSpec, value: &str) -> Result<(), ProtocolError> {
        no_method(spec)?;
        let value = spec.read(value).map_err(refuse)?;
        if spec.name == settings::PROOF_PATH
            && let OptionValue::Text(folder) = &value
        {
            let mut games = GameInfo::all().to_vec();
            games.push(self.game.clone());
            self.books = catalogue::open_proofs(&games, &self.settings, folder)?;
            self.session.set_books(&self.books);
        }
        if let OptionValue::Spin(mib) = value
            && spec.name == settings::HASH
            && self.settings.get(spec.name) != &value
        {
            if mib < self.settings.spin(settings::HASH) {
                // There may be no room for both.
                self.release();
            }
            let table = Table::new(mib as usize).map_err(refuse)?;
            self.release();
            self.table = Some(Arc::new(table));
        }
        self.settings.set(spec, value.clone());
        self.session.set_setting(spec, value);
        Ok(())
    }

    /// Frees the transposition table.
    fn release(&mut self) {
        self.table = None;
        self.session.release();
    }

    /// Returns to the game's start position and forgets everything learned in
    /// searches.
    pub fn restart(&mut self) {
        self.forget();
        // It has been opened with these options before, so this succeeds.
        if let Ok(session) = self.game.open(self.session.options(), &self.settings) {
            self.session = session;
            self.session.set_books(&self.books);
        }
    }

    /// Sets up a position.
    ///
    /// # Errors
    /// [`ErrorCode::Position`]: the FEN is not a position of this game.
    pub fn set_fen(&mut self, fen: &str) -> Result<(), ProtocolError> {
        let base = Base::Fen(fen.to_string());
        self.session.set_position(&base, &[])
    }

    /// Sets up a position and plays moves from there: what may stand behind the command
    /// `position`, such as the answers to the queries `history` and, behind the word
    /// `stones`, `stones`.
    ///
    /// ```
    /// let mut engine = quintet::Engine::open("gomoku", &[("size", "9")])?;
    /// engine.set_position("startpos moves e5 d4")?;
    /// let stones = engine.query("stones")?;
    /// engine.set_position(&format!("stones {stones}"))?;
    /// assert_eq!(engine.fen(), "9/9/9/9/4b4/3w5/9/9/9 b");
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::Syntax`]: it is not written so. [`ErrorCode::Position`]: no position
    /// of this game. [`ErrorCode::Move`]: one of the moves is not legal.
    pub fn set_position(&mut self, text: &str) -> Result<(), ProtocolError> {
        match parse_command(&format!("position {}", one_line(text)))? {
            Some(Command::Position { base, moves }) => self.session.set_position(&base, &moves),
            _ => Err(ProtocolError::new(ErrorCode::Syntax, "no position")),
        }
    }

    /// Plays one or more moves separated by blanks, either all or none.
    ///
    /// # Errors
    /// [`ErrorCode::Move`]: one of them is not legal.
    pub fn play(&mut self, moves: &str) -> Result<(), ProtocolError> {
        self.session.play(&words(moves))
    }

    /// Takes back the last `plies` moves.
    ///
    /// # Errors
    /// [`ErrorCode::State`]: fewer moves have been played since the last
    /// position was set up.
    pub fn undo(&mut self, plies: u32) -> Result<(), ProtocolError> {
        self.session.undo(plies)
    }

    /// The position in the game's FEN, which [`Engine::set_fen`] reads.
    pub fn fen(&self) -> String {
        self.session.fen()
    }

    /// The side to move; in a finished game, the side that would move next.
    pub fn side_to_move(&self) -> Side {
        self.session.turn()
    }

    /// Every legal move; empty when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        self.session.legal_moves()
    }

    /// The result of the game, including draws by repetition; `None` while it
    /// is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }

    /// Answers a question about the game in play, as the protocol's `query`
    /// does.
    ///
    /// ```
    /// let mut engine = quintet::Engine::open("pente", &[("tournament", "off")])?;
    /// engine.play("c3 d3 h8 e3")?;
    /// assert_eq!(engine.query("effects f3")?, "place white f3 remove d3 e3");
    /// assert_eq!(engine.query("history")?, "startpos moves c3 d3 h8 e3");
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::Unknown`]: there is no such question or player.
    /// [`ErrorCode::Move`]: a move is not legal. [`ErrorCode::Syntax`]: too many
    /// words. [`ErrorCode::State`]: this game does not know it, or it is no
    /// question about the game, as `options`.
    pub fn query(&self, question: &str) -> Result<String, ProtocolError> {
        let words = words(question);
        let (name, words) = match words.split_first() {
            Some((name, words)) => (name.to_ascii_lowercase(), words),
            None => (String::new(), words.as_slice()),
        };
        match Entry::find(&name, words)?.query {
            Query::Fact(fact) => self.session.query(fact, words),
            Query::Values | Query::Options | Query::OptionSpec => {
                let text = format!("query {name} is a command only");
                Err(ProtocolError::new(ErrorCode::State, text))
            }
        }
    }

    /// The answers to all these questions as a JSON object, as `display json`
    /// writes it, but without the options.
    pub fn json(&self) -> String {
        json_text(&serde_json::Value::Object(self.session.json()))
    }

    /// The static value from the point of view of the side to move, in
    /// centipawns, without a search.
    pub fn evaluate(&self) -> i32 {
        self.session.eval()
    }

    /// The parts of the static value by name, for both sides, in centipawns. They
    /// add up to [`Engine::evaluate`].
    ///
    /// ```
    /// let mut engine = quintet::Engine::open("pente", &[])?;
    /// engine.play("k10 l11 n10")?;
    /// let parts = engine.explain();
    /// assert_eq!(parts[0].name, "tempo");
    /// let sum: i32 = parts.iter().map(|part| part.own + part.other).sum();
    /// assert_eq!(sum, engine.evaluate());
    /// # Ok::<(), quintet::Error>(())
    /// ```
    pub fn explain(&self) -> Vec<Part> {
        self.session.parts()
    }

    /// The number of threats against this side, as the command `threatening` counts them:
    /// moves with which its opponent, if to move, would win at once; in Pentago its
    /// opponent's rows of four with an empty hole. 0 when the game is over.
    ///
    /// ```
    /// use quintet::{Engine, Side};
    ///
    /// let mut engine = Engine::open("gomoku", &[("size", "3"), ("line", "3")])?;
    /// engine.set_fen("3/ww1/bb1 b")?;
    /// assert_eq!([Side::First, Side::Second].map(|side| engine.threatening(side)), [1, 1]);
    /// # Ok::<(), quintet::Error>(())
    /// ```
    pub fn threatening(&self, side: Side) -> u32 {
        let player = self.game.sides[side.index()].name;
        // Every game knows its players.
        self.session.threatening(Some(player)).unwrap_or(0)
    }

    /// The board as lines of text, drawn according to the options `Ascii` and
    /// `Flip`.
    pub fn diagram(&self) -> String {
        self.session.display().join("\n")
    }

    /// The board as an SVG picture.
    pub fn svg(&self) -> String {
        self.session.picture()
    }

    /// Does now what a search under these options would otherwise do first, as
    /// `isready` does: allocates memory, builds tables. Returns what there is to say of
    /// it, such as that memory was short or a file could not be written.
    ///
    /// # Errors
    /// [`ErrorCode::Option`]: there is not enough memory for the transposition
    /// table. [`ErrorCode::Internal`]: the preparation failed.
    pub fn prepare(&mut self) -> Result<Vec<String>, ProtocolError> {
        self.table()?;
        match self.session.prepare() {
            Some(job) => Task::new(Running::start(job)?).words(),
            None => Ok(Vec::new()),
        }
    }

    /// Forgets everything learned in searches, after the end of all that were started.
    pub fn forget(&mut self) {
        // This waits for that end; nothing more is stored then.
        self.session.forget();
        if let Some(table) = &self.table {
            table.clear();
        }
    }

    /// Searches the position until a limit is reached.
    ///
    /// ```
    /// use quintet::{Engine, Limits, Score};
    ///
    /// let mut engine = Engine::open("gomoku", &[("size", "3"), ("line", "3")])?;
    /// engine.set_fen("3/ww1/bb1 b")?;
    /// let analysis = engine.search(&Limits { depth: Some(3), ..Limits::default() })?;
    /// assert_eq!(analysis.best.as_deref(), Some("c1"));
    /// assert_eq!((analysis.score(), analysis.is_proven()), (Score::Mate(1), true));
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::State`]: nothing limits the search. Otherwise the errors of
    /// [`Engine::start`] and [`Search::finish`].
    pub fn search(&mut self, limits: &Go) -> Result<Analysis, ProtocolError> {
        if !limits.is_limited() || limits.infinite || limits.ponder {
            let text = "a search without limits is to be started, and stopped";
            return Err(ProtocolError::new(ErrorCode::State, text));
        }
        self.start(limits)?.finish()
    }

    /// Starts a search of the position on its own thread and returns at once.
    /// The position can be asked and changed meanwhile. A second search waits for the
    /// end of the first, while its own time runs, and so do [`Engine::forget`],
    /// [`Engine::restart`] and a change of `Hash` or of what judges (`Gomoku.Eval`): whoever
    /// is to end a search must not wait for it. A search that is stopped or dropped does not
    /// wait; those of other engines run beside it.
    ///
    /// ```
    /// use quintet::{Engine, Limits};
    ///
    /// let mut engine = Engine::open("pente", &[])?;
    /// let mut search = engine.start(&Limits::default())?;
    /// for variation in &mut search {
    ///     println!("{}: {}", variation.depth, variation.moves.join(" "));
    ///     if variation.depth >= 2 {
    ///         break;
    ///     }
    /// }
    /// search.stop();
    /// let best = search.finish()?.best;
    /// assert!(engine.legal_moves().contains(&best.unwrap()));
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::Move`]: one of [`Go::searchmoves`] is not legal.
    /// [`ErrorCode::Option`]: there is not enough memory for the transposition
    /// table, or the game has no such `Level`. [`ErrorCode::Internal`]: the
    /// thread could not be started.
    pub fn start(&mut self, limits: &Go) -> Result<Search, ProtocolError> {
        let given = self.given()?;
        let job = self.session.search(limits, &given)?;
        Ok(Search::new(Running::start(job)?))
    }

    /// Starts one of the commands that take long and search no move: `balance`, `opening`,
    /// `prove`, `perft` and `query values`, written and answered as in the protocol. What was
    /// said of [`Engine::start`] is true of those that search, `balance` and `opening`, too.
    ///
    /// ```
    /// let mut engine = quintet::Engine::open("gomoku", &[("size", "3"), ("line", "3")])?;
    /// let answer = engine.task("perft 2")?.finish()?;
    /// assert!(answer.starts_with("perft 2 nodes 72 "), "{answer}");
    /// let answer = engine.task("prove draw")?.finish()?;
    /// assert!(answer.starts_with("proof draw "), "{answer}");
    /// # Ok::<(), quintet::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the command; [`ErrorCode::State`] for another command, which is a method
    /// here. [`ErrorCode::Option`]: there is not enough memory for the transposition
    /// table. [`ErrorCode::Internal`]: the thread could not be started.
    pub fn task(&mut self, command: &str) -> Result<Task, ProtocolError> {
        let job = match parse_command(&one_line(command))? {
            Some(Command::Balance { stones, bias, go }) => {
                let given = self.given()?;
                self.session.balance(stones, bias, &go, &given)?
            }
            Some(Command::Opening(opening)) => {
                let given = self.given()?;
                self.session.opening(&opening, &given)?
            }
            Some(Command::Prove(prove)) => {
                let job = self.session.prove(&prove)?;
                // It takes as much memory itself. A search that runs keeps its own.
                if !self.session.is_searching() {
                    self.release();
                }
                job
            }
            Some(Command::Perft { depth, divide }) => self.session.perft(depth, divide)?,
            Some(Command::Query(what, words))
                if Entry::find(&what, &words)?.query == Query::Values =>
            {
                self.session.values()?
            }
            _ => {
                let text = format!("{} is no task", quoted(command));
                return Err(ProtocolError::new(ErrorCode::State, text));
            }
        };
        Ok(Task::new(Running::start(job)?))
    }

    /// What a search that is asked for now is given.
    fn given(&mut self) -> Result<Given, ProtocolError> {
        let since = Instant::now();
        let table = self.table()?;
        Ok(Given { table, since })
    }

    /// The transposition table, of the size set by the option.
    fn table(&mut self) -> Result<Arc<Table>, ProtocolError> {
        if let Some(table) = &self.table {
            return Ok(table.clone());
        }
        let mib = self.settings.spin(settings::HASH) as usize;
        let table = Arc::new(Table::new(mib).map_err(refuse)?);
        Ok(self.table.insert(table).clone())
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("game", &self.game.name)
            .field("fen", &self.fen())
            .finish_non_exhaustive()
    }
}

/// Ends what engines of this process have begun beside their searches, such as Teeko's
/// table, waits for its end, and frees the memory that only this process as a whole holds,
/// such as that of Pentago's solver. It is for when no search runs. Dropping an [`Engine`] does not, since another one may
/// use it; the command does it before it ends. What is needed again is made again.
pub fn close() {
    GameInfo::all().iter().for_each(GameInfo::close);
}

/// Refuses the options that are something else here.
fn no_method(spec: &OptionSpec) -> Result<(), ProtocolError> {
    if spec.name == settings::GAME {
        return Err(refuse("another game is another Engine"));
    }
    match spec.kind {
        Kind::Button => Err(refuse(format!("{} is a method here", spec.name))),
        _ => Ok(()),
    }
}

fn refuse(why: impl AsRef<str>) -> ProtocolError {
    ProtocolError::new(ErrorCode::Option, why)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}
