//! The `quintet` command: a thin door to the library.

use quintet::dialects::Dialect;
use quintet::engine::{self, Input, Setup};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
Quintet, a headless engine for Gomoku, Pente, Pentago, Dag en Nacht and Teeko.

Usage:
  quintet [--game NAME]              read command lines from standard input
  quintet [--game NAME] LINE...      run each argument as a line, then exit

  --game NAME   the game to begin with: gomoku pente pentago dagennacht teeko
  --uci         speak UCI, as after a first line `uci`
  --gomocup     speak the Gomocup protocol, as after a first line `START 15`;
                so does an executable whose name begins with pbrain-
  --help        this text
  --version     name and version

Exit status: 0; with lines as arguments 1 if any was refused; 2 for bad usage.
`quintet help` lists the commands.

Example:
  quintet 'newgame teeko' 'go depth 6'
";

/// What the command line asks for.
#[derive(Default)]
struct Arguments {
    lines: Vec<String>,
    game: Option<String>,
    dialect: Option<Dialect>,
}

fn main() -> ExitCode {
    env_logger::init();
    // Clients may read stderr as if it were stdout: panics go to the log.
    std::panic::set_hook(Box::new(|info| log::error!("{info}")));
    let mut words = std::env::args();
    let program = words.next().unwrap_or_default();
    let arguments = match read_arguments(words) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("quintet: {why}; see quintet --help");
            return ExitCode::from(2);
        }
    };
    let setup = Setup {
        dialect: arguments.dialect.or(dialect_of(&program)),
        game: arguments.game,
    };
    let from_arguments = !arguments.lines.is_empty();
    let input = if from_arguments {
        Input::Lines(arguments.lines)
    } else {
        Input::stdin()
    };
    match engine::run(setup, input, io::stdout().lock()) {
        Ok(false) if from_arguments => ExitCode::FAILURE,
        // Whoever read the output has gone; there is nobody to tell.
        Ok(_) | Err(_) => ExitCode::SUCCESS,
    }
}

/// The dialect that the name of the program asks for: Piskvork runs any file
/// called `pbrain-…`.
fn dialect_of(program: &str) -> Option<Dialect> {
    let name = Path::new(program).file_name()?.to_str()?;
    let brain = name.to_ascii_lowercase().starts_with("pbrain-");
    brain.then_some(Dialect::Gomocup)
}

/// Reads the command line; `None`: it has been answered already.
fn read_arguments(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut arguments = Arguments::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => {
                let _ = io::stdout().write_all(USAGE.as_bytes());
                return Ok(None);
            }
            "--version" | "-V" => {
                let _ = writeln!(io::stdout(), "Quintet {}", env!("CARGO_PKG_VERSION"));
                return Ok(None);
            }
            "--game" => arguments.game = Some(words.next().ok_or("--game needs a name")?),
            "--uci" => arguments.dialect = Some(Dialect::Uci),
            "--gomocup" => arguments.dialect = Some(Dialect::Gomocup),
            _ => match word.strip_prefix("--game=") {
                Some(name) => arguments.game = Some(name.to_string()),
                None if word.starts_with('-') => return Err(format!("unknown option {word}")),
                None => arguments.lines.push(word),
            },
        }
    }
    Ok(Some(arguments))
}
