//! The state that commands act on: the options, the game in play, the
//! transposition table.

use super::configuration::{Assignment, Configuration};
use super::hash::Hash;
use crate::options::{OptionSpec, OptionValue, OptionValues};
use crate::prover::Books;
use crate::search::Table;
use crate::session::Session;
use crate::session::catalogue::{self, GameInfo};
use crate::session::job::{Given, Job};
use crate::session::query::{Entry, Query};
use crate::session::words::json_text;
use crate::{bench, help, settings};
use quintet_protocol::{Command, ErrorCode, ProtocolError, Reply, quoted};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

/// The game in play, or why there is none.
type InPlay = Result<Box<dyn Session>, ProtocolError>;

/// The effect of a command that was carried out.
pub(super) enum Effect {
    /// No reply.
    Nothing,
    /// These replies.
    Say(Vec<Reply>),
    /// A job to be started.
    Start(Job),
    /// Send the handshake in the dialect that this command chooses.
    Greet(Command),
    /// End the engine.
    Quit,
}

impl Effect {
    fn say(reply: Reply) -> Effect {
        Effect::Say(vec![reply])
    }

    fn lines(lines: Vec<String>) -> Effect {
        Effect::Say(lines.into_iter().map(Reply::Text).collect())
    }
}

/// See the module documentation. A command that is refused changes nothing.
pub(super) struct State {
    configuration: Configuration,
    /// The error: the options do not fit together (yet).
    session: InPlay,
    /// Allocated when first needed, so that a process that only answers queries
    /// starts at once.
    hash: Hash,
    /// The certificates in use.
    books: Books,
}

impl State {
    /// The first of these games, with all options at their defaults.
    pub fn new(games: &'static [GameInfo]) -> State {
        let configuration = Configuration::new(games);
        let session = open(&configuration);
        State {
            configuration,
            session,
            hash: Hash::default(),
            books: Books::default(),
        }
    }

    /// The game in play.
    pub fn game(&self) -> &'static GameInfo {
        self.configuration.game()
    }

    /// The options as listed in the handshake.
    pub fn declarations(&self) -> Vec<Reply> {
        self.configuration.declarations().collect()
    }

    /// Sets whether the games' foreign rules are in force for games opened from
    /// now on. A game that has begun does not change; one that has not is
    /// opened again if its rules differ.
    pub fn set_foreign_rules(&mut self, foreign: bool) {
        if self.configuration.is_foreign() == foreign {
            return;
        }
        self.configuration.set_foreign(foreign);
        let in_force = self.configuration.in_force(self.game());
        let stays = match &self.session {
            Ok(session) => !session.at_start() || *session.options() == in_force,
            Err(_) => false,
        };
        if !stays {
            self.open();
        }
    }

    /// Carries out a command, except for long work and replies, which the
    /// effect names.
    ///
    /// # Errors
    /// Says why the command is refused.
    pub fn obey(&mut self, command: Command) -> Result<Effect, ProtocolError> {
        Ok(match command {
            Command::Ugi | Command::Uci => Effect::Greet(command),
            Command::IsReady => {
                self.table()?;
                let note = self.hash.take_note();
                match self.session.as_ref().ok().and_then(|s| s.prepare()) {
                    None => Effect::Say(note.into_iter().chain([Reply::ReadyOk]).collect()),
                    Some(job) => Effect::Start(job.after_saying(note)),
                }
            }
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref())?;
                Effect::Nothing
            }
            Command::UgiNewGame => {
                let session = open(&self.configuration)?;
                self.put_in_play(Ok(session));
                Effect::Nothing
            }
            Command::NewGame { game, options } => {
                self.new_game(&game, &options)?;
                Effect::Nothing
            }
            Command::Position { base, moves } => {
                self.session()?.set_position(&base, &moves)?;
                Effect::Nothing
            }
            Command::Moves(moves) => {
                self.session()?.play(&moves)?;
                Effect::Nothing
            }
            Command::Undo(n) => {
                self.session()?.undo(n)?;
                Effect::Nothing
            }
            Command::Go(go) => {
                let given = self.given()?;
                let job = self.session()?.search(&go, &given)?;
                self.start(job)
            }
            Command::Balance { stones, bias, go } => {
                let given = self.given()?;
                let job = self.session()?.balance(stones, bias, &go, &given)?;
                self.start(job)
            }
            Command::Opening(opening) => {
                let given = self.given()?;
                let job = self.session()?.opening(&opening, &given)?;
                self.start(job)
            }
            Command::Perft { depth, divide } => {
                Effect::Start(self.session()?.perft(depth, divide)?)
            }
            Command::Prove(prove) => {
                let job = self.session()?.prove(&prove)?;
                // It takes as much memory itself.
                self.release_table();
                Effect::Start(job)
            }
            Command::Bench(depth) => Effect::Start(bench::job(depth)),
            // No search is running: there is nothing to end.
            Command::Stop | Command::PonderHit => Effect::Nothing,
            Command::Quit => Effect::Quit,
            Command::Query(what, words) => self.query(&what, &words)?,
            Command::Threatening(player) => {
                let ways = self.session()?.threatening(player.as_deref())?;
                Effect::say(Reply::Threatening(ways))
            }
            Command::Eval { verbose } => {
                let session = self.session()?;
                let parts = match verbose {
                    true => session.parts(),
                    false => Vec::new(),
                };
                let cp = session.eval();
                Effect::say(Reply::Eval { cp, parts })
            }
            Command::Display(what) => self.display(what.as_deref())?,
            Command::Help(topic) => {
                let games = self.configuration.games();
                Effect::lines(help::lines(games, topic.as_deref())?)
            }
        })
    }

    fn session(&mut self) -> Result<&mut Box<dyn Session>, ProtocolError> {
        self.session.as_mut().map_err(|e| e.clone())
    }

    fn query(&mut self, what: &str, words: &[String]) -> Result<Effect, ProtocolError> {
        let answer = match Entry::find(what, words)?.query {
            Query::Fact(fact) => self.session()?.query(fact, words)?,
            Query::Values => return Ok(Effect::Start(self.session()?.values()?)),
            Query::Options => self.configuration.values(),
            Query::OptionSpec => self.configuration.specs(&words.join(" "))?,
        };
        Ok(Effect::say(Reply::Response(answer)))
    }

    fn display(&mut self, what: Option<&str>) -> Result<Effect, ProtocolError> {
        match what {
            None => Ok(Effect::lines(self.session()?.display())),
            Some(what) if what.eq_ignore_ascii_case("svg") => {
                let picture = self.session()?.picture();
                Ok(Effect::lines(vec![format!("svg {picture}")]))
            }
            Some(what) if what.eq_ignore_ascii_case("json") => {
                let mut fields = self.session()?.json();
                fields.extend(self.configuration.json());
                let text = json_text(&Value::Object(fields));
                Ok(Effect::lines(vec![format!("json {text}")]))
            }
            Some(what) => Err(ProtocolError::new(
                ErrorCode::Unknown,
                format!(
                    "display: expected svg, json or nothing more, found {}",
                    quoted(what)
                ),
            )),
        }
    }

    /// `newgame`.
    pub fn new_game(
        &mut self,
        name: &str,
        words: &[(String, String)],
    ) -> Result<(), ProtocolError> {
        let (game, options) = self.configuration.read_new_game(name, words)?;
        let in_force = self.configuration.with_foreign_rules(game, &options);
        let session = game.open(&in_force, self.configuration.settings())?;
        let before = self.game();
        self.configuration.choose(game, options);
        self.put_in_play(Ok(session));
        self.leave(before);
        Ok(())
    }

    fn set_option(&mut self, name: &str, text: Option<&str>) -> Result<(), ProtocolError> {
        let Assignment {
            option: (game, spec),
            value,
        } = self.configuration.read(name, text)?;
        match (game, value) {
            (None, None) => self.press(spec),
            (None, Some(value)) => self.set_setting(spec, value)?,
            (Some(game), None) => game.accept(spec.name, &self.configuration.in_force(game))?,
            (Some(game), Some(value)) => self.set_option_of(game, spec, value)?,
        }
        Ok(())
    }

    /// Presses one of the engine's own buttons.
    fn press(&mut self, spec: &OptionSpec) {
        match spec.name {
            settings::CLEAR_HASH => self.forget(),
            name => log::error!("the button {name} does nothing"),
        }
    }

    /// Forgets what searches have found.
    fn forget(&mut self) {
        self.hash.clear();
        if let Ok(session) = &mut self.session {
            session.forget();
        }
    }

    fn set_setting(&mut self, spec: &OptionSpec, value: OptionValue) -> Result<(), ProtocolError> {
        if spec.name == settings::HASH
            && let OptionValue::Spin(mib) = value
            && self.configuration.settings().get(spec.name) != &value
        {
            self.resize_table(mib)?;
        }
        if spec.name == settings::PROOF_PATH
            && let OptionValue::Text(folder) = &value
        {
            let configuration = &self.configuration;
            let (games, settings) = (configuration.games(), configuration.settings());
            self.books = catalogue::open_proofs(games, settings, folder)?;
        }
        let before = self.game();
        self.configuration.set_setting(spec, value.clone());
        if spec.name == settings::GAME {
            self.open();
            self.leave(before);
        } else if let Ok(session) = &mut self.session {
            session.set_setting(spec, value);
            session.set_books(&self.books);
        }
        Ok(())
    }

    fn set_option_of(
        &mut self,
        game: &'static GameInfo,
        spec: &OptionSpec,
        value: OptionValue,
    ) -> Result<(), ProtocolError> {
        let mut options: OptionValues = self.configuration.options(game).clone();
        let changes = options.get(spec.name) != &value;
        options.set(spec, value.clone());
        if !spec.rule {
            game.accept(spec.name, &options)?;
        }
        self.configuration.set_options(game, options);
        if game.name != self.game().name {
            return Ok(());
        }
        if spec.rule {
            self.open();
        } else if let Ok(session) = &mut self.session {
            session.set_option(spec, value);
            if spec.judges && changes {
                self.forget();
            }
        }
        Ok(())
    }

    /// Another game may be in play now: the one before needs no memory then.
    fn leave(&self, before: &GameInfo) {
        if before.name != self.game().name {
            before.release();
        }
    }

    /// Opens the game in play at its start position, or stores the reason why
    /// its options do not fit together.
    fn open(&mut self) {
        self.put_in_play(open(&self.configuration));
    }

    fn put_in_play(&mut self, mut session: InPlay) {
        if let Ok(session) = &mut session {
            session.set_books(&self.books);
        }
        self.session = session;
        self.hash.clear();
    }

    /// What a search starts with.
    fn given(&mut self) -> Result<Given, ProtocolError> {
        let since = Instant::now();
        let table = self.table()?;
        Ok(Given { table, since })
    }

    /// A search that says first what the client is still to be told of the table.
    fn start(&mut self, job: Job) -> Effect {
        Effect::Start(job.after_saying(self.hash.take_note()))
    }

    /// The transposition table, of the size set by the option if that is to be
    /// had.
    fn table(&mut self) -> Result<Arc<Table>, ProtocolError> {
        let mib = self.configuration.settings().spin(settings::HASH);
        self.hash.get(mib)
    }

    fn resize_table(&mut self, mib: i64) -> Result<(), ProtocolError> {
        // Keep the old table until the new one is allocated, unless the new one
        // is smaller: a client that lowers the limit may check memory use at
        // any moment.
        if mib < self.configuration.settings().spin(settings::HASH) {
            self.release_table();
        }
        self.hash.replace(mib)?;
        self.release_players();
        Ok(())
    }

    /// Frees the table; it is allocated again when needed.
    fn release_table(&mut self) {
        self.hash.release();
        self.release_players();
    }

    /// Frees what the game in play keeps of the table.
    fn release_players(&mut self) {
        if let Ok(session) = &mut self.session {
            session.release();
        }
    }
}

/// Opens the configured game.
fn open(configuration: &Configuration) -> InPlay {
    let game = configuration.game();
    game.open(&configuration.in_force(game), configuration.settings())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::teeko::Teeko;
    use crate::options::Kind;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    const BUTTON: OptionSpec = OptionSpec::setting("Press", Kind::Button, "a button");

    /// How often [`BUTTON`] was pressed.
    static PRESSED: AtomicU32 = AtomicU32::new(0);

    /// A game with an added button.
    fn games() -> &'static [GameInfo] {
        let mut game = GameInfo::unopened::<Teeko>();
        game.options = [game.options, &[BUTTON]].concat().leak();
        game.accept = |name, _| {
            PRESSED.fetch_add(u32::from(name == BUTTON.name), Relaxed);
            Ok(())
        };
        vec![game].leak()
    }

    #[test]
    fn a_button_does_what_it_stands_for() {
        let games = games();
        let mut state = State::new(games);
        let press = |state: &mut State, name: &str| {
            state.set_option(name, None).expect("a button");
        };
        let table = state.table().expect("memory");
        table.begin_search(true);
        table.note(7, (3, 4));
        press(&mut state, &format!("{}.press", games[0].prefix));
        assert_eq!(PRESSED.load(Relaxed), 1);
        assert_eq!(table.numbers(7), Some((3, 4)), "it is no Clear Hash");
        press(&mut state, settings::CLEAR_HASH);
        assert_eq!(PRESSED.load(Relaxed), 1);
        assert_eq!(table.numbers(7), None);
    }

    #[test]
    fn every_button_of_the_engine_has_its_action() {
        let buttons = settings::OPTIONS.iter().filter(|s| s.kind == Kind::Button);
        let names: Vec<&str> = buttons.map(|s| s.name).collect();
        assert_eq!(names, [settings::CLEAR_HASH], "see State::press");
    }
}
