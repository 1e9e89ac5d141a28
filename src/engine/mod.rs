//! The event loop: lines come in, replies go out. The only writer to stdout.
//!
//! Three kinds of thread meet here. One reads stdin and sends its lines; one,
//! while a search runs, does it and sends what it finds; this one owns all
//! state, takes both as events from one channel, and writes.

use crate::control::Control;
use crate::dialects::gomocup::{Step, Translator};
use crate::dialects::{Dialect, Reader, Request, uci};
use crate::options::{self, Kind, OptionSpec, OptionValue, OptionValues};
use crate::search::Table;
use crate::session::{GameInfo, Job, Session, Style, Work};
use crate::{bench, help, settings};
use quintet_protocol::{
    Command, ErrorCode, Go, OptionType, ProtocolError, Reply, gomocup, parse_command, quoted,
};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

/// Longer lines are refused: no position needs a thousandth of it.
const LONGEST_LINE: usize = 64 << 20;

/// Enough for a recursion as deep as any search goes.
const SEARCH_STACK: usize = 64 << 20;

/// What happens to the engine.
enum Event {
    /// A line of the command line's own, in the engine's own dialect.
    Setup(String),
    /// A line came in; `Err`: it can't be one, and why.
    Line(Result<String, &'static str>),
    /// No more lines will come.
    EndOfInput,
    /// The job that runs has something to say.
    Reply(Reply),
    /// The job that runs has panicked.
    Failed,
    /// The job that ran has ended with this last word, or failed.
    Done(Option<Reply>),
}

/// Where the engine's lines come from.
pub enum Input {
    /// These lines, and no more.
    Lines(Vec<String>),
    /// The lines of a stream: standard input, as a rule.
    Stream(Box<dyn BufRead + Send>),
}

/// What is settled before the first line.
#[derive(Debug, Default)]
pub struct Setup {
    /// The dialect of all lines; `None`: that which the first one is in.
    pub dialect: Option<Dialect>,
    /// The game to begin with.
    pub game: Option<String>,
}

impl Input {
    /// Standard input.
    pub fn stdin() -> Input {
        Input::Stream(Box::new(io::BufReader::new(io::stdin())))
    }
}

/// Runs the engine until its input ends or it is told to quit, and says
/// whether every line was accepted.
///
/// # Errors
/// The output can't be written to (any more).
pub fn run(setup: Setup, input: Input, out: impl Write) -> io::Result<bool> {
    let (sender, events) = mpsc::channel();
    if let Some(game) = setup.game {
        let _ = sender.send(Event::Setup(format!("newgame {game}")));
    }
    match input {
        Input::Lines(lines) => {
            for line in lines {
                let _ = sender.send(Event::Line(Ok(line)));
            }
            let _ = sender.send(Event::EndOfInput);
        }
        Input::Stream(stream) => {
            let sender = sender.clone();
            std::thread::Builder::new()
                .name("input".to_string())
                .spawn(move || read_lines(stream, &sender))?;
        }
    }
    let mut engine = Engine::new(out, sender, setup.dialect);
    let ended = engine.run(&events);
    GameInfo::all().iter().for_each(GameInfo::close);
    ended.map(|()| engine.refused == 0)
}

/// Sends every line of `input`, then its end. Reading errors end it as well.
fn read_lines(mut input: impl BufRead, sender: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input
            .by_ref()
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut bytes);
        let line = match read {
            Ok(0) | Err(_) => {
                let _ = sender.send(Event::EndOfInput);
                return;
            }
            Ok(_) if bytes.len() > LONGEST_LINE => {
                if bytes.last() != Some(&b'\n') {
                    let _ = input.skip_until(b'\n');
                }
                bytes = Vec::new();
                Err("the line is longer than 64 MiB")
            }
            Ok(_) => {
                while matches!(bytes.last(), Some(b'\n' | b'\r')) {
                    bytes.pop();
                }
                str::from_utf8(&bytes)
                    .map(str::to_string)
                    .map_err(|_| "the line is no valid UTF-8")
            }
        };
        if sender.send(Event::Line(line)).is_err() {
            return;
        }
    }
}

/// A line that waits for its turn.
enum Waiting {
    Request(Result<Request, ProtocolError>),
    EndOfInput,
}

impl Waiting {
    /// Whether work comes of it that a `stop` after it ends.
    fn is_search(&self) -> bool {
        matches!(self, Waiting::Request(Ok(request)) if request.is_search())
    }
}

/// A job as the thread for them takes it.
type Task = Box<dyn FnOnce() + Send>;

/// A job under way.
struct Running {
    work: Work,
    control: Arc<Control>,
    limited: bool,
    /// What is owed if it panics.
    fallback: Option<Reply>,
}

/// The game in play, or why there is none.
type InPlay = Result<Box<dyn Session>, ProtocolError>;

struct Engine<W: Write> {
    out: W,
    sender: Sender<Event>,
    reader: Reader,
    /// The dialect that is spoken. The reader is ahead of it while lines wait.
    dialect: Dialect,
    translator: Translator,
    settings: OptionValues,
    /// Options of every game, by the name of the game.
    rules: BTreeMap<&'static str, OptionValues>,
    game: &'static GameInfo,
    /// Made when first needed, so that a process that only answers questions
    /// starts at once.
    hash: Option<Arc<Table>>,
    /// An error here is that of options that do not fit each other (yet).
    session: InPlay,
    waiting: VecDeque<Waiting>,
    running: Option<Running>,
    /// See [`Engine::searcher`].
    searcher: Option<Sender<Task>>,
    /// How many lines were refused.
    refused: u64,
    finished: bool,
}

impl<W: Write> Engine<W> {
    fn new(out: W, sender: Sender<Event>, dialect: Option<Dialect>) -> Self {
        let games = GameInfo::all();
        let rules: BTreeMap<_, _> = games
            .iter()
            .map(|g| (g.name, OptionValues::defaults(g.options)))
            .collect();
        let game = &games[0];
        let mut engine = Engine {
            out,
            sender,
            reader: Reader::new(dialect),
            dialect: Dialect::Ugi,
            translator: Translator::default(),
            settings: OptionValues::defaults(settings::OPTIONS),
            session: game.open(&rules[game.name]),
            rules,
            game,
            hash: None,
            waiting: VecDeque::new(),
            running: None,
            searcher: None,
            refused: 0,
            finished: false,
        };
        engine.speak(dialect.unwrap_or_default());
        engine
    }

    /// Changes the dialect that is spoken, and the rules that go with it.
    fn speak(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        for game in GameInfo::all() {
            let rules = self.rules.get_mut(game.name).expect("every game has rules");
            let before = rules.clone();
            for spec in game.options {
                if let Some(value) = forced(dialect, game, spec) {
                    rules.set(spec, value);
                }
            }
            if *rules != before && game.name == self.game.name {
                self.open();
            }
        }
    }

    fn run(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while !self.finished {
            // The engine itself holds a sender, so the channel never closes.
            let Ok(event) = events.recv() else { break };
            if let Err(e) = self.handle(event) {
                if let Some(running) = &self.running {
                    running.control.stop();
                }
                return Err(e);
            }
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Reply(reply) => {
                self.note_best(&reply);
                return self.say(&reply);
            }
            Event::Failed => {
                let text = match self.running.as_ref().and_then(|r| r.fallback.as_ref()) {
                    Some(Reply::BestMove { .. }) => {
                        "the search failed; the best move so far is answered, or any legal one"
                    }
                    _ => "the command failed",
                };
                return self.say_error(&ProtocolError::new(ErrorCode::Internal, text));
            }
            // The last word comes with the end of the job, so that a client
            // that has read it finds the engine free.
            Event::Done(last) => {
                let fallback = self.running.take().and_then(|r| r.fallback);
                match last.or(fallback) {
                    Some(Reply::Error(e)) => self.say_error(&e)?,
                    Some(reply) => self.say(&reply)?,
                    None => {}
                }
            }
            Event::Setup(line) => {
                let command = parse_command(&line).transpose();
                let request = command.map(|c| c.map(Request::Native));
                self.waiting.extend(request.map(Waiting::Request));
            }
            Event::Line(line) => {
                let request = match line {
                    Ok(line) => {
                        log::debug!("< {line}");
                        self.reader.read(&line).transpose()
                    }
                    Err(why) => Some(Err(ProtocolError::new(ErrorCode::Syntax, why))),
                };
                // Whoever begins in this dialect says no word to announce it.
                if self.reader.dialect() == Dialect::Gomocup && self.dialect != Dialect::Gomocup {
                    self.speak(Dialect::Gomocup);
                }
                let Some(request) = request else {
                    return Ok(());
                };
                if self.running.is_none() || !self.act_at_once(&request)? {
                    self.waiting.push_back(Waiting::Request(request));
                }
            }
            Event::EndOfInput => {
                self.waiting.push_back(Waiting::EndOfInput);
                if let Some(running) = &self.running
                    && (!running.limited || running.control.pondering())
                {
                    running.control.stop();
                }
            }
        }
        while self.running.is_none() && !self.finished {
            match self.waiting.pop_front() {
                None => break,
                Some(Waiting::EndOfInput) => self.finished = true,
                Some(Waiting::Request(request)) => self.answer(request)?,
            }
        }
        self.out.flush()
    }

    /// Obeys the commands that do not wait for the end of a search. `false`:
    /// the command has to wait (too).
    fn act_at_once(&mut self, request: &Result<Request, ProtocolError>) -> io::Result<bool> {
        let Some(running) = &self.running else {
            return Ok(false);
        };
        let go_waits = self.waiting.iter().any(Waiting::is_search);
        let Ok(Request::Native(command)) = request else {
            return Ok(false);
        };
        match command {
            Command::IsReady if running.work == Work::Search => {
                self.say(&Reply::ReadyOk)?;
                Ok(true)
            }
            // These end every search asked for so far, so they have to be
            // met again by those that have not begun.
            Command::Stop => {
                if running.work != Work::Preparation {
                    running.control.stop();
                }
                Ok(!go_waits)
            }
            Command::Quit => {
                running.control.stop();
                Ok(false)
            }
            Command::PonderHit if running.control.pondering() => {
                running.control.ponder_hit();
                Ok(true)
            }
            Command::PonderHit => Ok(!go_waits),
            _ => Ok(false),
        }
    }

    /// Does what a line asks for, or says why not.
    fn answer(&mut self, request: Result<Request, ProtocolError>) -> io::Result<()> {
        let refused = match request {
            Ok(Request::Native(command)) => {
                let command = match self.dialect {
                    Dialect::Uci => uci::localise(command, self.game),
                    Dialect::Ugi | Dialect::Gomocup => command,
                };
                self.obey(command)?
            }
            Ok(Request::Gomocup(line)) => return self.translate(line),
            Err(e) if self.dialect == Dialect::Gomocup => {
                let answers = self.translator.misread(&e);
                return self.say_all(&answers);
            }
            Err(e) => Err(e),
        };
        match refused {
            Ok(()) => Ok(()),
            Err(e) => self.say_error(&e),
        }
    }

    /// Does what a line of the Gomocup dialect asks for.
    fn translate(&mut self, line: gomocup::Command) -> io::Result<()> {
        for step in self.translator.plan(line) {
            match step {
                Step::Say(answer) => self.say_all(&[answer])?,
                Step::Try(command) => {
                    if let Err(e) = self.obey(command)? {
                        log::warn!("{e}");
                    }
                }
                Step::Do(command) => {
                    if let Err(e) = self.obey(command)? {
                        let answers = self.translator.failed(&e);
                        return self.say_all(&answers);
                    }
                }
            }
        }
        Ok(())
    }

    fn say_all(&mut self, answers: &[gomocup::Reply]) -> io::Result<()> {
        for answer in answers {
            if matches!(
                answer,
                gomocup::Reply::Error(_) | gomocup::Reply::Unknown(_)
            ) {
                self.refused += 1;
            }
            self.print(&answer.to_string())?;
        }
        Ok(())
    }

    fn obey(&mut self, command: Command) -> io::Result<Result<(), ProtocolError>> {
        let result = match command {
            Command::Ugi => {
                self.speak(Dialect::Ugi);
                return self.handshake().map(Ok);
            }
            Command::Uci => {
                self.speak(Dialect::Uci);
                return self.handshake().map(Ok);
            }
            Command::IsReady => match self.hash() {
                Ok(_) => {
                    return match self.preparation() {
                        Some(job) => self.start(job),
                        None => self.say(&Reply::ReadyOk),
                    }
                    .map(Ok);
                }
                Err(e) => Err(e),
            },
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UgiNewGame => self.restart(),
            Command::NewGame { game, options } => self.new_game(&game, &options),
            Command::Position { base, moves } => {
                let rules = &self.rules[self.game.name];
                match &mut self.session {
                    Ok(session) => session.set_position(rules, &base, &moves),
                    Err(e) => Err(e.clone()),
                }
            }
            Command::Moves(moves) => self.session().and_then(|s| s.play(&moves)),
            Command::Undo(n) => self.session().and_then(|s| s.undo(n)),
            Command::Go(go) => match self.search(&go) {
                Ok(job) => return self.start(job).map(Ok),
                Err(e) => Err(e),
            },
            Command::Perft { depth, divide } => match self.session() {
                Ok(session) => {
                    let job = session.perft(depth, divide);
                    return self.start(job).map(Ok);
                }
                Err(e) => Err(e),
            },
            Command::Bench(depth) => return self.start(bench::job(depth)).map(Ok),
            // No search runs: there is nothing to end.
            Command::Stop | Command::PonderHit => Ok(()),
            Command::Quit => {
                self.finished = true;
                Ok(())
            }
            Command::Query(what, words) if what == "values" && words.is_empty() => {
                match self.values() {
                    Ok(job) => return self.start(job).map(Ok),
                    Err(e) => Err(e),
                }
            }
            Command::Query(what, words) => match words.first() {
                Some(word) => Err(ProtocolError::new(
                    ErrorCode::Syntax,
                    format!("query {what} takes nothing more, found {}", quoted(word)),
                )),
                None => match self.session().and_then(|s| s.query(&what)) {
                    Ok(answer) => return self.say(&Reply::Response(answer)).map(Ok),
                    Err(e) => Err(e),
                },
            },
            Command::Threatening(player) => {
                match self
                    .session()
                    .and_then(|s| s.threatening(player.as_deref()))
                {
                    Ok(n) => return self.say(&Reply::Threatening(n)).map(Ok),
                    Err(e) => Err(e),
                }
            }
            Command::Eval => match self.session().map(|s| s.eval()) {
                Ok(cp) => return self.say(&Reply::Eval(cp)).map(Ok),
                Err(e) => Err(e),
            },
            Command::Display(None) => {
                let style = Style {
                    ascii: self.settings.check(settings::ASCII),
                    flip: self.settings.check(settings::FLIP),
                };
                match self.session().map(|s| s.display(style)) {
                    Ok(lines) => return self.say_lines(lines).map(Ok),
                    Err(e) => Err(e),
                }
            }
            Command::Display(Some(what)) if what.eq_ignore_ascii_case("svg") => {
                let flip = self.settings.check(settings::FLIP);
                match self.session().map(|s| s.picture(flip)) {
                    Ok(picture) => return self.say(&Reply::Text(format!("svg {picture}"))).map(Ok),
                    Err(e) => Err(e),
                }
            }
            Command::Display(Some(what)) => Err(ProtocolError::new(
                ErrorCode::Unknown,
                format!(
                    "display: expected svg or nothing more, found {}",
                    quoted(&what)
                ),
            )),
            Command::Help(topic) => match help::lines(topic.as_deref()) {
                Ok(lines) => return self.say_lines(lines).map(Ok),
                Err(e) => Err(e),
            },
        };
        Ok(result)
    }

    fn session(&mut self) -> Result<&mut Box<dyn Session>, ProtocolError> {
        self.session.as_mut().map_err(|e| e.clone())
    }

    /// The transposition table, of the size that was asked for.
    fn hash(&mut self) -> Result<Arc<Table>, ProtocolError> {
        if let Some(table) = &self.hash {
            return Ok(table.clone());
        }
        let table = Arc::new(new_hash(self.settings.spin(settings::HASH))?);
        Ok(self.hash.insert(table).clone())
    }

    /// Gives the table back; one is made again when it is needed.
    fn release_hash(&mut self) {
        self.hash = None;
        if let Ok(session) = &mut self.session {
            session.release();
        }
    }

    fn forget_hash(&self) {
        if let Some(table) = &self.hash {
            table.clear();
        }
    }

    fn search(&mut self, go: &Go) -> Result<Job, ProtocolError> {
        let hash = self.hash()?;
        let options = &self.rules[self.game.name];
        match &self.session {
            Ok(session) => session.search(go, &self.settings, options, &hash),
            Err(e) => Err(e.clone()),
        }
    }

    fn preparation(&self) -> Option<Job> {
        let options = &self.rules[self.game.name];
        let session = self.session.as_ref().ok()?;
        session.prepare(&self.settings, options)
    }

    fn values(&self) -> Result<Job, ProtocolError> {
        let options = &self.rules[self.game.name];
        match &self.session {
            Ok(session) => session.values(&self.settings, options),
            Err(e) => Err(e.clone()),
        }
    }

    fn handshake(&mut self) -> io::Result<()> {
        let id = |key: &str, value: String| Reply::Id {
            key: key.to_string(),
            value,
        };
        self.say(&id(
            "name",
            format!("Quintet {}", env!("CARGO_PKG_VERSION")),
        ))?;
        self.say(&id("author", env!("CARGO_PKG_AUTHORS").to_string()))?;
        if self.dialect == Dialect::Uci {
            self.say(&uci::variant_option())?;
        }
        for (name, spec) in declared_options() {
            // What can't be set is not offered.
            let (game, _) = find_option(&name).expect("it is declared");
            if game.is_some_and(|g| forced(self.dialect, g, spec).is_some()) {
                continue;
            }
            self.say(&Reply::OptionDecl {
                name,
                kind: option_type(spec),
            })?;
        }
        self.say(&Reply::UgiOk)
    }

    fn set_option(&mut self, name: &str, text: Option<&str>) -> Result<(), ProtocolError> {
        let refuse = |why: String| ProtocolError::new(ErrorCode::Option, why);
        if self.dialect == Dialect::Uci && name.eq_ignore_ascii_case(uci::VARIANT) {
            return self.choose_variant(text.unwrap_or(""));
        }
        let (game, spec) = find_option(name)
            .ok_or_else(|| refuse(format!("there is no option {}", quoted(name))))?;
        if spec.kind == Kind::Button {
            if let Some(text) = text.filter(|t| !t.is_empty()) {
                return Err(refuse(format!(
                    "{} is a button and takes no value, found {}",
                    spec.name,
                    quoted(text)
                )));
            }
            self.forget_hash();
            if let Ok(session) = &mut self.session {
                session.forget();
            }
            return Ok(());
        }
        let value = read_value(spec, text.unwrap_or(""))?;
        match game {
            Some(game) => {
                check_forced(self.dialect, game, spec, &value)?;
                let mut rules = self.rules[game.name].clone();
                rules.set(spec, value);
                if !spec.rule {
                    game.accept(spec.name, &rules)?;
                }
                self.rules.insert(game.name, rules);
                if spec.rule && game.name == self.game.name {
                    self.open();
                }
            }
            None => {
                if spec.name == settings::GAME
                    && let OptionValue::Combo(name) = value
                {
                    self.game = GameInfo::find(name).expect("the option lists the games");
                    self.open();
                }
                if spec.name == settings::HASH
                    && let OptionValue::Spin(mib) = value
                    && self.settings.get(spec.name) != &value
                {
                    // The old table stays until the new one is there, unless
                    // that is smaller: a client that grants less memory may
                    // well look at what is taken for a moment.
                    if mib < self.settings.spin(settings::HASH) {
                        self.release_hash();
                    }
                    let table = new_hash(mib)?;
                    self.release_hash();
                    self.hash = Some(Arc::new(table));
                }
                self.settings.set(spec, value);
            }
        }
        Ok(())
    }

    /// The game, and the rules, that a UCI client means by this name.
    fn choose_variant(&mut self, name: &str) -> Result<(), ProtocolError> {
        let games = GameInfo::all().iter();
        let mut variants = games.flat_map(|g| g.variants.iter().map(move |v| (g, v)));
        let Some((game, variant)) = variants.find(|(_, v)| v.name.eq_ignore_ascii_case(name))
        else {
            let text = format!("there is no variant {}", quoted(name));
            return Err(ProtocolError::new(ErrorCode::Option, text));
        };
        for (rule, value) in variant.rules {
            self.set_option(&format!("{}.{rule}", game.prefix), Some(value))?;
        }
        self.set_option(settings::GAME, Some(game.name))
    }

    fn new_game(&mut self, game: &str, options: &[(String, String)]) -> Result<(), ProtocolError> {
        let refuse = |why: String| ProtocolError::new(ErrorCode::Option, why);
        let info = GameInfo::find(game).ok_or_else(|| {
            let names: Vec<_> = GameInfo::all().iter().map(|g| g.name).collect();
            refuse(format!(
                "there is no game {}: expected one of {}",
                quoted(game),
                names.join(" ")
            ))
        })?;
        let mut rules = self.rules[info.name].clone();
        for spec in info.options.iter().filter(|s| s.rule) {
            if let Some(value) = forced(self.dialect, info, spec).or_else(|| spec.default()) {
                rules.set(spec, value);
            }
        }
        for (i, (name, text)) in options.iter().enumerate() {
            let spec = options::find(info.options, name)
                .filter(|s| s.rule)
                .ok_or_else(|| refuse(format!("{} has no rule {}", info.name, quoted(name))))?;
            if options[..i]
                .iter()
                .any(|(n, _)| n.eq_ignore_ascii_case(name))
            {
                return Err(refuse(format!("{} is given twice", spec.name)));
            }
            let value = read_value(spec, text)?;
            check_forced(self.dialect, info, spec, &value)?;
            rules.set(spec, value);
        }
        self.session = Ok(info.open(&rules)?);
        self.forget_hash();
        self.rules.insert(info.name, rules);
        self.game = info;
        let spec = options::find(settings::OPTIONS, settings::GAME).expect("declared");
        self.settings.set(spec, OptionValue::Combo(info.name));
        Ok(())
    }

    /// `uginewgame`: the start position, with nothing remembered.
    fn restart(&mut self) -> Result<(), ProtocolError> {
        self.session = Ok(self.game.open(&self.rules[self.game.name])?);
        self.forget_hash();
        Ok(())
    }

    /// Puts the start position of the game in play, or keeps the reason why
    /// its options do not fit each other.
    fn open(&mut self) {
        self.session = self.game.open(&self.rules[self.game.name]);
        self.forget_hash();
    }

    /// Begins a job; the `stop`s and ends that wait behind it count for it.
    fn start(&mut self, job: Job) -> io::Result<()> {
        let Job {
            work,
            run,
            fallback,
            control,
            limited,
        } = job;
        for waiting in &self.waiting {
            match waiting {
                Waiting::Request(Ok(Request::Native(Command::Stop)))
                    if work == Work::Preparation => {}
                Waiting::Request(Ok(Request::Native(Command::Stop | Command::Quit))) => {
                    control.stop();
                }
                Waiting::EndOfInput if !limited || control.pondering() => control.stop(),
                _ => {}
            }
        }
        if (self.waiting.iter().take_while(|w| !w.is_search()))
            .any(|w| matches!(w, Waiting::Request(Ok(Request::Native(Command::PonderHit)))))
        {
            control.ponder_hit();
        }
        self.running = Some(Running {
            work,
            control: control.clone(),
            limited,
            fallback,
        });
        let sender = self.sender.clone();
        let task = Box::new(move || {
            let work = || {
                run(&control, &mut |reply| {
                    let _ = sender.send(Event::Reply(reply));
                })
            };
            let last = catch_unwind(AssertUnwindSafe(work)).ok();
            if last.is_none() {
                let _ = sender.send(Event::Failed);
                // What is owed still comes only when it is asked for.
                control.wait_until_released();
            }
            let _ = sender.send(Event::Done(last));
        });
        let ended = |_| io::Error::other("it has ended");
        let sent = self.searcher().and_then(|s| s.send(task).map_err(ended));
        if let Err(why) = sent {
            self.searcher = None;
            log::error!("no thread to search with: {why}");
            let _ = self.sender.send(Event::Failed);
            let _ = self.sender.send(Event::Done(None));
        }
        Ok(())
    }

    /// The thread that all jobs run on, one after the other: it is there
    /// sooner than a new one, and what it had in a processor's cache too.
    fn searcher(&mut self) -> io::Result<&Sender<Task>> {
        if self.searcher.is_none() {
            let (searcher, tasks) = mpsc::channel::<Task>();
            std::thread::Builder::new()
                .name("search".to_string())
                .stack_size(SEARCH_STACK)
                .spawn(move || tasks.into_iter().for_each(|task| task()))?;
            self.searcher = Some(searcher);
        }
        Ok(self.searcher.as_ref().expect("made above"))
    }

    /// Keeps the best move so far, for the case that the search fails.
    fn note_best(&mut self, reply: &Reply) {
        if let Reply::Info(info) = reply
            && info.multipv.unwrap_or(1) == 1
            && let Some(first) = info.pv.first()
            && let Some(running) = &mut self.running
            && let Some(Reply::BestMove { best, .. }) = &mut running.fallback
        {
            *best = Some(first.clone());
        }
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let lines = match self.dialect {
            Dialect::Ugi => return self.print(&reply.to_string()),
            Dialect::Uci => uci::write(reply, self.game),
            Dialect::Gomocup => {
                let answers = self.translator.write(reply);
                answers.iter().map(ToString::to_string).collect()
            }
        };
        lines.iter().try_for_each(|line| self.print(line))
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        log::debug!("> {line}");
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn say_lines(&mut self, lines: Vec<String>) -> io::Result<()> {
        lines
            .into_iter()
            .try_for_each(|line| self.say(&Reply::Text(line)))
    }

    fn say_error(&mut self, error: &ProtocolError) -> io::Result<()> {
        self.refused += 1;
        self.say(&Reply::Error(error.clone()))
    }
}

/// Every option there is with its full name, in the order of the handshake.
pub fn declared_options() -> impl Iterator<Item = (String, &'static OptionSpec)> {
    let own = settings::OPTIONS.iter().map(|s| (s.name.to_string(), s));
    own.chain(GameInfo::all().iter().flat_map(|game| {
        let full_name = |s: &'static OptionSpec| (format!("{}.{}", game.prefix, s.name), s);
        game.options.iter().map(full_name)
    }))
}

/// The value of a rule option that has no other in this dialect.
fn forced(dialect: Dialect, game: &GameInfo, spec: &OptionSpec) -> Option<OptionValue> {
    if dialect == Dialect::Ugi {
        return None;
    }
    let (_, text) = game.foreign_rules.iter().find(|(n, _)| *n == spec.name)?;
    Some(
        spec.read(text)
            .expect("a game declares values of its own options"),
    )
}

/// Refuses a value that a rule option can't have in this dialect.
fn check_forced(
    dialect: Dialect,
    game: &GameInfo,
    spec: &OptionSpec,
    value: &OptionValue,
) -> Result<(), ProtocolError> {
    match forced(dialect, game, spec) {
        Some(only) if only != *value => Err(ProtocolError::new(
            ErrorCode::Option,
            format!("{} is always {only} in this dialect", spec.name),
        )),
        _ => Ok(()),
    }
}

fn option_type(spec: &OptionSpec) -> OptionType {
    match spec.kind {
        Kind::Check(default) => OptionType::Check { default },
        Kind::Spin {
            default, min, max, ..
        } => OptionType::Spin { default, min, max },
        Kind::Combo(choices) => OptionType::Combo {
            default: choices[0].to_string(),
            choices: choices.iter().map(|c| c.to_string()).collect(),
        },
        Kind::Text(default) | Kind::Numbers { default, .. } => OptionType::Text {
            default: default.to_string(),
        },
        Kind::Button => OptionType::Button,
    }
}

/// The option with this full name, and the game that it belongs to.
fn find_option(name: &str) -> Option<(Option<&'static GameInfo>, &'static OptionSpec)> {
    if let Some(spec) = options::find(settings::OPTIONS, name) {
        return Some((None, spec));
    }
    let (prefix, name) = name.split_once('.')?;
    let game = GameInfo::all()
        .iter()
        .find(|g| g.prefix.eq_ignore_ascii_case(prefix))?;
    Some((Some(game), options::find(game.options, name)?))
}

fn new_hash(mib: i64) -> Result<Table, ProtocolError> {
    Table::new(mib as usize).map_err(|why| ProtocolError::new(ErrorCode::Option, why))
}

fn read_value(spec: &OptionSpec, text: &str) -> Result<OptionValue, ProtocolError> {
    spec.read(text)
        .map_err(|why| ProtocolError::new(ErrorCode::Option, why))
}
