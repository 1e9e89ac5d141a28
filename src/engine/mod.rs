//! The event loop: reads lines and writes replies. The only writer to stdout.
//!
//! Three kinds of thread: one reads stdin and sends its lines; one runs a job,
//! if there is one, and sends its replies; this one owns all state, receives
//! both as events through one channel, and writes.

mod configuration;
mod conversation;
pub mod dialect;
mod event;
mod feed;
mod input;
mod jobs;
mod state;

use crate::session::catalogue::GameInfo;
use crate::session::job::{Job, Work};
use conversation::Conversation;
use dialect::{Action, Answer, Dialect, Request};
use event::Event;
pub use input::Input;
use jobs::Jobs;
use quintet_protocol::{Command, ErrorCode, ProtocolError, Reply};
use state::{Effect, State};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Instant;

/// Settings that are fixed before the first line.
pub struct Startup {
    /// The dialects to choose from; the first one is for clients that announce
    /// no dialect.
    pub dialects: Vec<Box<dyn Dialect>>,
    /// The name of the dialect for all lines; `None`: the dialect of the first
    /// line.
    pub dialect: Option<String>,
    /// The game to start with; `None`: the first in the list.
    pub game: Option<String>,
}

/// Runs the engine until its input ends or it is told to quit. Returns whether
/// every line was accepted.
///
/// # Errors
/// The output cannot be written to (any more), or there is no dialect of the
/// name given in `startup`.
pub fn run(startup: Startup, input: Input, out: impl Write) -> io::Result<bool> {
    run_games(GameInfo::all(), startup, input, out)
}

/// The same with a given list of games, at least one.
///
/// # Errors
/// Those of [`run`].
pub fn run_games(
    games: &'static [GameInfo],
    startup: Startup,
    input: Input,
    out: impl Write,
) -> io::Result<bool> {
    let (sender, events) = mpsc::channel();
    let mut engine = Engine {
        out,
        conversation: Conversation::new(startup.dialects, startup.dialect.as_deref())?,
        state: State::new(games),
        jobs: Jobs::new(sender.clone()),
        waiting: VecDeque::new(),
        refused: 0,
        finished: false,
    };
    input.send(&sender)?;
    let ended = engine.run(startup.game, &events);
    games.iter().for_each(GameInfo::close);
    ended.map(|()| engine.refused == 0)
}

/// A queued item.
enum Waiting {
    /// What a line asks for, or why it could not be read.
    Line(Result<Request, ProtocolError>),
    EndOfInput,
}

impl Waiting {
    /// Whether it starts work that a later `stop` would end.
    fn searches(&self) -> bool {
        matches!(self, Waiting::Line(Ok(request)) if request.searches())
    }

    fn is(&self, command: &Command) -> bool {
        matches!(self, Waiting::Line(Ok(Request::Command(c))) if c == command)
    }
}

struct Engine<W: Write> {
    out: W,
    conversation: Conversation,
    state: State,
    jobs: Jobs,
    waiting: VecDeque<Waiting>,
    /// How many lines were refused.
    refused: u64,
    finished: bool,
}

impl<W: Write> Engine<W> {
    fn run(&mut self, game: Option<String>, events: &Receiver<Event>) -> io::Result<()> {
        self.follow_dialect();
        if let Some(game) = game
            && let Err(why) = self.state.new_game(&game, &[])
        {
            self.say_error(&why)?;
        }
        while !self.finished {
            if let Err(e) = self.wait(events).and_then(|event| match event {
                Some(event) => self.handle(event),
                None => self.beat(),
            }) {
                if let Some(running) = self.jobs.running() {
                    running.control.stop();
                }
                return Err(e);
            }
        }
        Ok(())
    }

    /// The next event; `None` after a silence of the running job.
    fn wait(&self, events: &Receiver<Event>) -> io::Result<Option<Event>> {
        let event = match self.jobs.running() {
            None => events.recv().map_err(RecvTimeoutError::from),
            Some(running) => events.recv_timeout(running.feed.patience(Instant::now())),
        };
        match event {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            // The engine itself holds a sender.
            Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("no more events")),
        }
    }

    /// Says what a silent job has to say.
    fn beat(&mut self) -> io::Result<()> {
        let running = self.jobs.running_mut();
        let replies = running.map_or(Vec::new(), |running| running.beat());
        replies.iter().try_for_each(|reply| self.say(reply))
    }

    fn handle(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Reply(reply) => {
                let replies = self.jobs.take(reply);
                return replies.iter().try_for_each(|reply| self.say(reply));
            }
            Event::Failed => {
                let text = match self.jobs.running() {
                    Some(running) if running.owes_move() => {
                        "the search failed; the best move so far is answered, or any legal one"
                    }
                    _ => "the command failed",
                };
                return self.say_error(&ProtocolError::new(ErrorCode::Internal, text));
            }
            // The last reply is sent with the end of the job, so that the
            // engine is free when the client has read it.
            Event::Done(last) => {
                let running = self.jobs.running();
                let stopped = running.is_some_and(|running| running.control.stopped());
                for reply in self.jobs.end(last) {
                    match reply {
                        Reply::Error(e) => self.say_error(&e)?,
                        reply => self.say(&reply)?,
                    }
                }
                let actions = self.conversation.dialect().follow_up(stopped);
                self.carry_out(actions)?;
            }
            Event::Line(line) => self.take(line)?,
            Event::EndOfInput => {
                self.waiting.push_back(Waiting::EndOfInput);
                if let Some(running) = self.jobs.running()
                    && running.is_endless()
                {
                    running.control.stop();
                }
            }
        }
        while self.jobs.running().is_none() && !self.finished {
            match self.waiting.pop_front() {
                None => break,
                Some(Waiting::EndOfInput) => self.finished = true,
                Some(Waiting::Line(line)) => self.answer(line)?,
            }
        }
        self.out.flush()
    }

    /// Handles a line that has arrived; it is queued unless it acts on the
    /// running job.
    fn take(&mut self, line: Result<String, &'static str>) -> io::Result<()> {
        let request = match line {
            Ok(line) => {
                log::debug!("< {line}");
                self.conversation.read(&line).transpose()
            }
            Err(why) => Some(Err(ProtocolError::new(ErrorCode::Syntax, why))),
        };
        self.follow_dialect();
        if let Some(request) = request
            && !self.act_at_once(&request)?
        {
            self.waiting.push_back(Waiting::Line(request));
        }
        Ok(())
    }

    /// Carries out commands that do not wait for the end of a search. `false`:
    /// the command must wait, or must also be queued.
    fn act_at_once(&mut self, request: &Result<Request, ProtocolError>) -> io::Result<bool> {
        let Some(running) = self.jobs.running() else {
            return Ok(false);
        };
        let search_waits = self.waiting.iter().any(Waiting::searches);
        let Ok(Request::Command(command)) = request else {
            return Ok(false);
        };
        match command {
            Command::IsReady if running.work == Work::Search => {
                self.say(&Reply::ReadyOk)?;
                Ok(true)
            }
            // These end every search requested so far, so they are also queued
            // for the searches that have not started.
            Command::Stop => {
                if running.work != Work::Preparation {
                    running.control.stop();
                }
                Ok(!search_waits)
            }
            Command::Quit => {
                running.control.stop();
                Ok(false)
            }
            Command::PonderHit if running.control.pondering() => {
                running.control.ponder_hit();
                Ok(true)
            }
            Command::PonderHit => Ok(!search_waits),
            _ => Ok(false),
        }
    }

    /// Carries out what a line asks for, or answers why not.
    fn answer(&mut self, line: Result<Request, ProtocolError>) -> io::Result<()> {
        let game = self.state.game();
        let dialect = self.conversation.dialect();
        let actions = match line {
            Ok(request) => dialect.plan(request, game),
            Err(e) => dialect.misread(&e).into_iter().map(Action::Say).collect(),
        };
        self.carry_out(actions)
    }

    fn carry_out(&mut self, actions: Vec<Action>) -> io::Result<()> {
        for action in actions {
            match action {
                Action::Say(answer) => self.give(answer)?,
                Action::Try(command) => {
                    if let Err(e) = self.obey(command)? {
                        log::warn!("{e}");
                    }
                }
                Action::Do(command) => {
                    if let Err(e) = self.obey(command)? {
                        let answers = self.conversation.dialect().refuse(&e);
                        return answers.into_iter().try_for_each(|a| self.give(a));
                    }
                }
            }
        }
        Ok(())
    }

    /// Carries out a command; the inner error says why it was refused.
    fn obey(&mut self, command: Command) -> io::Result<Result<(), ProtocolError>> {
        match self.state.obey(command) {
            Err(e) => return Ok(Err(e)),
            Ok(Effect::Nothing) => {}
            Ok(Effect::Say(replies)) => replies.iter().try_for_each(|r| self.say(r))?,
            Ok(Effect::Start(job)) => self.start(job),
            Ok(Effect::Greet(greeting)) => {
                self.conversation.greet(&greeting);
                self.follow_dialect();
                self.shake_hands()?;
            }
            Ok(Effect::Quit) => self.finished = true,
        }
        Ok(Ok(()))
    }

    /// Starts a job. A `stop` or the end of input already queued behind it
    /// applies to it.
    fn start(&mut self, job: Job) {
        for waiting in &self.waiting {
            match waiting {
                Waiting::Line(Ok(Request::Command(Command::Stop)))
                    if job.work == Work::Preparation => {}
                Waiting::Line(Ok(Request::Command(Command::Stop | Command::Quit))) => {
                    job.control.stop();
                }
                Waiting::EndOfInput if !job.limited || job.control.pondering() => {
                    job.control.stop();
                }
                _ => {}
            }
        }
        let mut before = self.waiting.iter().take_while(|w| !w.searches());
        if before.any(|w| w.is(&Command::PonderHit)) {
            job.control.ponder_hit();
        }
        self.jobs.start(job);
    }

    /// Puts the rules of the current dialect in force.
    fn follow_dialect(&mut self) {
        let foreign = self.conversation.dialect().has_foreign_rules();
        self.state.set_foreign_rules(foreign);
    }

    fn shake_hands(&mut self) -> io::Result<()> {
        let id = |key: &str, value: &str| Reply::Id {
            key: key.to_string(),
            value: value.to_string(),
        };
        let name = concat!("Quintet ", env!("CARGO_PKG_VERSION"));
        let mut replies = vec![id("name", name), id("author", env!("CARGO_PKG_AUTHORS"))];
        replies.extend(self.conversation.dialect().options());
        replies.extend(self.state.declarations());
        replies.push(Reply::UgiOk);
        replies.iter().try_for_each(|reply| self.say(reply))
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let lines = self.conversation.dialect().write(reply, self.state.game());
        lines.iter().try_for_each(|line| self.print(line))
    }

    fn say_error(&mut self, error: &ProtocolError) -> io::Result<()> {
        self.refused += 1;
        self.say(&Reply::Error(error.clone()))
    }

    fn give(&mut self, answer: Answer) -> io::Result<()> {
        match answer {
            Answer::Line(line) => self.print(&line),
            Answer::Refusal(line) => {
                self.refused += 1;
                self.print(&line)
            }
        }
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        log::debug!("> {line}");
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}
