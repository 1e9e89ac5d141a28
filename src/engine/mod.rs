//! The event loop: reads lines and writes replies. The only writer to stdout.
//!
//! Three kinds of thread: one reads stdin and sends its lines; one runs a job,
//! if there is one, and sends its replies; this one owns all state, receives
//! both as events through one inbox, and writes.

mod configuration;
mod conversation;
pub mod dialect;
mod event;
mod feed;
mod hash;
mod input;
mod jobs;
mod queue;
mod state;

use crate::session::catalogue::GameInfo;
use crate::session::job::{Job, Work};
use conversation::Conversation;
use dialect::{Action, Answer, Dialect, Request};
use event::{Event, Inbox, Line};
pub use input::Input;
use jobs::Jobs;
use queue::{Queue, Signals, Starts, Waiting};
use quintet_protocol::{Command, ErrorCode, ProtocolError, Reply};
use state::{Effect, State};
use std::io::{self, Write};
use std::sync::Arc;

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
    let inbox = Arc::new(Inbox::default());
    let mut engine = Engine {
        out,
        conversation: Conversation::new(startup.dialects, startup.dialect.as_deref())?,
        state: State::new(games),
        jobs: Jobs::new(inbox.clone()),
        queue: Queue::default(),
        signals: Signals::default(),
        last: None,
        refused: 0,
        finished: false,
    };
    input.send(&inbox)?;
    let ended = engine.run(startup.game, &inbox);
    inbox.close();
    games.iter().for_each(GameInfo::close);
    ended.map(|()| engine.refused == 0)
}

/// What ends the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The command `quit`.
    Quit,
    /// There are no more lines.
    EndOfInput,
}

struct Engine<W: Write> {
    out: W,
    conversation: Conversation,
    state: State,
    jobs: Jobs,
    /// Empty unless a job is running.
    queue: Queue,
    /// What has come for the line that is being carried out.
    signals: Signals,
    /// What ends the input, when it has come; lines after it do not count.
    last: Option<Last>,
    /// How many lines were refused.
    refused: u64,
    finished: bool,
}

impl<W: Write> Engine<W> {
    fn run(&mut self, game: Option<String>, inbox: &Inbox) -> io::Result<()> {
        self.follow_dialect();
        if let Some(game) = game
            && let Err(why) = self.state.new_game(&game, &[])
        {
            self.say_error(&why)?;
        }
        while !self.finished {
            let due = self.jobs.running().map(|running| running.feed.due());
            if let Err(e) = match inbox.next(due) {
                Some(event) => self.handle(event),
                None => self.beat(),
            } {
                if let Some(running) = self.jobs.running() {
                    running.control.stop();
                }
                return Err(e);
            }
        }
        Ok(())
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
                for reply in self.jobs.end(last) {
                    match reply {
                        Reply::Error(e) => self.say_error(&e)?,
                        reply => self.say(&reply)?,
                    }
                }
            }
            Event::Line(_) if self.last.is_some() => {}
            Event::Line(line) => self.take(line)?,
            Event::EndOfInput => {
                self.last.get_or_insert(Last::EndOfInput);
                if let Some(running) = self.jobs.running()
                    && running.control.is_endless()
                {
                    running.control.stop();
                }
            }
        }
        while self.jobs.running().is_none() && !self.finished {
            match self.queue.pop() {
                None => {
                    self.finished = self.last.is_some();
                    break;
                }
                Some((waiting, signals)) => {
                    self.signals = signals;
                    self.resume(waiting)?;
                }
            }
        }
        self.out.flush()
    }

    /// Handles a line that has arrived: carries it out, or queues it if it has
    /// to wait for the running job.
    fn take(&mut self, line: Line) -> io::Result<()> {
        let text = match line {
            Line::Text(text) => Ok(text),
            Line::Bytes(text) if self.conversation.reads_any_bytes(&text) => Ok(text),
            Line::Bytes(_) => Err("the line is no valid UTF-8"),
            Line::TooLong => Err("the line is longer than 64 MiB"),
        };
        let (text, read) = match text {
            Ok(line) => {
                log::debug!("> {line}");
                let read = self.conversation.read(&line).transpose();
                (line, read)
            }
            Err(why) => {
                let error = ProtocolError::new(ErrorCode::Syntax, why);
                (String::new(), Some(Err(error)))
            }
        };
        self.follow_dialect();
        let Some(request) = read else { return Ok(()) };
        if self.jobs.running().is_none() {
            self.signals = Signals::default();
            return self.answer(request);
        }
        if self.act_at_once(&request)? {
            return Ok(());
        }
        let starts = match &request {
            Ok(request) if request.ponders() => Starts::Ponder,
            Ok(request) if request.searches() => Starts::Search,
            Ok(Request::Command(Command::IsReady)) => Starts::Preparation,
            _ => Starts::Nothing,
        };
        let waiting = match request {
            Ok(_) => Waiting::Line {
                text: text.into(),
                dialect: self.conversation.last_read(),
            },
            Err(error) => Waiting::Refused(Box::new(error)),
        };
        self.queue.push(waiting, starts);
        Ok(())
    }

    /// Carries out a line that has waited.
    fn resume(&mut self, waiting: Waiting) -> io::Result<()> {
        match waiting {
            Waiting::Line { text, dialect } => {
                let request = self.conversation.read_again(&text, dialect);
                request
                    .transpose()
                    .map_or(Ok(()), |request| self.answer(request))
            }
            Waiting::Refused(error) => self.answer(Err(*error)),
            Waiting::Beyond(count) => (0..count).try_for_each(|_| {
                let text = "too many lines are waiting for the end of a search";
                self.answer(Err(ProtocolError::new(ErrorCode::State, text)))
            }),
        }
    }

    /// Carries out commands that do not wait for the end of the running job.
    /// `false`: the command must be queued.
    fn act_at_once(&mut self, request: &Result<Request, ProtocolError>) -> io::Result<bool> {
        let Some(running) = self.jobs.running() else {
            return Ok(false);
        };
        let Ok(Request::Command(command)) = request else {
            return Ok(false);
        };
        match command {
            // Behind a `stop`, what was asked for before it comes first, unless that
            // takes long.
            Command::IsReady
                if running.work == Work::Search
                    && (!running.control.stopped() || self.queue.searches()) =>
            {
                self.say(&Reply::ReadyOk)?;
                Ok(true)
            }
            // These end every search requested so far, also those that have not
            // started.
            Command::Stop => {
                if running.work != Work::Preparation {
                    running.control.stop();
                }
                self.queue.stop();
                Ok(true)
            }
            Command::Quit => {
                running.control.stop();
                self.queue.stop();
                self.last = Some(Last::Quit);
                Ok(true)
            }
            // One that is stopped has no more to do with it.
            Command::PonderHit if running.control.pondering() && !running.control.stopped() => {
                running.control.ponder_hit();
                Ok(true)
            }
            Command::PonderHit => {
                self.queue.ponder_hit();
                Ok(true)
            }
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
            Ok(Effect::Start(job)) => self.start(job)?,
            Ok(Effect::Greet(greeting)) => {
                self.conversation.greet(&greeting);
                self.follow_dialect();
                self.shake_hands()?;
            }
            Ok(Effect::Quit) => self.finished = true,
        }
        Ok(Ok(()))
    }

    /// Starts a job. What has come behind the line that asked for it applies to
    /// it: `isready` too, if it is a search that goes on.
    fn start(&mut self, job: Job) -> io::Result<()> {
        // From here on its own limits end it, at the end of the input too.
        if self.signals.ponder_hit {
            job.control.ponder_hit();
        }
        let stopped = self.signals.stop && job.work != Work::Preparation;
        let ended = match self.last {
            Some(Last::Quit) => true,
            Some(Last::EndOfInput) => job.control.is_endless(),
            None => false,
        };
        if stopped || ended {
            job.control.stop();
        }
        let goes_on = job.work == Work::Search && !job.control.stopped();
        self.jobs.start(job);
        let ready = if goes_on {
            self.queue.answer_ready()
        } else {
            0
        };
        (0..ready).try_for_each(|_| self.say(&Reply::ReadyOk))
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
        // What that line is to prepare is prepared in its turn all the same.
        if *reply == Reply::ReadyOk && self.signals.answered {
            return Ok(());
        }
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
        log::debug!("< {line}");
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}
