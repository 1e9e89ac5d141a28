//! The `quintet` command: reads its arguments and runs the engine.

use quintet::internals::help::Flag;
use quintet::internals::manual::{self, SHELLS};
use quintet::{GAMES, Input, Startup, dialects, usage};
use quintet_protocol::quoted;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// What the command line asks for.
enum Wanted {
    /// A text, and nothing else.
    Text(String),
    Session(Arguments),
}

/// The parsed command line of a session.
#[derive(Default)]
struct Arguments {
    lines: Vec<String>,
    /// Whether any argument was a line, even an empty one.
    given: bool,
    game: Option<String>,
    dialect: Option<String>,
}

fn main() -> ExitCode {
    env_logger::init();
    quintet::internals::memory::settle();
    // Clients may merge stderr into stdout, so panics go to the log.
    std::panic::set_hook(Box::new(|info| log::error!("{info}")));
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    let arguments = match read_arguments(words) {
        Ok(Wanted::Session(arguments)) => arguments,
        Ok(Wanted::Text(text)) => {
            let mut out = io::stdout();
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            return status(written, ExitCode::SUCCESS);
        }
        Err(why) => {
            let _ = writeln!(io::stderr(), "quintet: {why}; see quintet --help");
            return ExitCode::from(BAD_USAGE);
        }
    };
    let startup = Startup {
        dialects: dialects::all(),
        dialect: arguments.dialect.or_else(|| dialect_of(&program)),
        game: arguments.game,
    };
    let from_arguments = arguments.given;
    let input = if from_arguments {
        Input::Lines(arguments.lines)
    } else {
        Input::stdin()
    };
    let answered = quintet::run(startup, input, io::stdout().lock());
    let done = match answered {
        Ok(false) if from_arguments => ExitCode::from(REFUSED),
        _ => ExitCode::SUCCESS,
    };
    status(answered.map(|_| ()), done)
}

/// The exit status after all has been written, `done`, or could not be.
fn status(written: io::Result<()>, done: ExitCode) -> ExitCode {
    match written {
        Ok(()) => done,
        // The reader has closed the output; nobody is left to tell.
        Err(why) if why.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "quintet: cannot write: {why}");
            ExitCode::from(NOT_WRITTEN)
        }
    }
}

/// A line was refused.
const REFUSED: u8 = 1;
/// The command line is not understood.
const BAD_USAGE: u8 = 2;
/// The answers could not be written.
const NOT_WRITTEN: u8 = 3;

/// The dialect that the program's name asks for.
fn dialect_of(program: &OsString) -> Option<String> {
    let name = Path::new(program).file_name()?.to_str()?;
    dialects::of_program(name).map(str::to_string)
}

/// Reads the command line.
fn read_arguments(words: impl Iterator<Item = OsString>) -> Result<Wanted, String> {
    let mut arguments = Arguments::default();
    let mut words = words.map(|word| {
        word.into_string()
            .map_err(|word| format!("{} is no valid UTF-8", quoted(&word.to_string_lossy())))
    });
    let mut only_lines = false;
    while let Some(word) = words.next().transpose()? {
        if only_lines || !word.starts_with('-') {
            // A quoted argument may hold several lines.
            arguments.lines.extend(word.lines().map(str::to_string));
            arguments.given = true;
            continue;
        }
        if word == "--" {
            only_lines = true;
            continue;
        }
        // A value is the next word, or stands behind a sign.
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (word.as_str(), None),
        };
        let flag = Flag::find(name).filter(|flag| value.is_none() || flag.has_value());
        let flag = flag.ok_or_else(|| format!("unknown option {}", quoted(&word)))?;
        let value = match flag.has_value() && value.is_none() {
            true => words.next().transpose()?,
            false => value,
        };
        match flag.name {
            "completions" => {
                let script = manual::completions(&value.unwrap_or_default())
                    .ok_or_else(|| format!("--completions needs {}", SHELLS.join(", ")))?;
                return Ok(Wanted::Text(script));
            }
            "game" => {
                let name = value.ok_or("--game needs a name")?;
                arguments.game = Some(known_game(&name)?);
            }
            "help" => return Ok(Wanted::Text(usage())),
            "version" => {
                let version = format!("Quintet {}\n", env!("CARGO_PKG_VERSION"));
                return Ok(Wanted::Text(version));
            }
            "man" => return Ok(Wanted::Text(manual::page())),
            dialect => arguments.dialect = Some(dialect.to_string()),
        }
    }
    Ok(Wanted::Session(arguments))
}

/// Checks the name of a game.
fn known_game(name: &str) -> Result<String, String> {
    match GAMES.iter().find(|game| game.eq_ignore_ascii_case(name)) {
        Some(game) => Ok(game.to_string()),
        None => Err(format!(
            "there is no game {}, only {}",
            quoted(name),
            GAMES.join(" ")
        )),
    }
}
