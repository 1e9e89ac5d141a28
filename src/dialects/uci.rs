//! UCI: drops as `P@h8`, boards as cutechess writes them, and the names that
//! UCI clients use for the games.

use crate::engine::dialect::{Action, Answer, Dialect, Request};
use crate::options::{Kind, OptionSpec, OptionValue};
use crate::session::catalogue::GameInfo;
use crate::settings;
use quintet_protocol::uci::{self, read_drop, read_fen};
use quintet_protocol::{
    Base, Command, ErrorCode, Go, Info, Opening, OptionType, ProtocolError, Reply, quoted,
};

/// The option that chooses a game, in this dialect only.
const VARIANT: &str = "UCI_Variant";

/// The option by which clients ask for the chances beside each score; in other
/// dialects it is [`settings::SHOW_WDL`].
const SHOW_WDL: OptionSpec = OptionSpec::setting(
    "UCI_ShowWDL",
    Kind::Check(false),
    "the chances of a win, a draw and a loss beside every score",
);

/// The dialect of chess engines.
#[derive(Default)]
pub struct Uci {
    /// The value of [`SHOW_WDL`].
    shows_wdl: bool,
}

impl Dialect for Uci {
    fn name(&self) -> &'static str {
        "uci"
    }

    fn greeting(&self) -> Option<Command> {
        Some(Command::Uci)
    }

    fn options(&self) -> Vec<Reply> {
        let variants = GameInfo::all().iter().flat_map(|game| game.variants);
        let choices: Vec<String> = variants.map(|v| v.name.to_string()).collect();
        let variant = OptionType::Combo {
            default: choices[0].clone(),
            choices,
        };
        [
            (VARIANT, variant),
            (SHOW_WDL.name, OptionType::Check { default: false }),
        ]
        .map(|(name, kind)| Reply::OptionDecl {
            name: name.to_string(),
            kind,
        })
        .to_vec()
    }

    fn read(&self, line: &str) -> Result<Option<Request>, ProtocolError> {
        Ok(uci::parse_command(line)?.map(Request::Command))
    }

    fn plan(&mut self, request: Request, game: &GameInfo) -> Vec<Action> {
        match request {
            Request::Command(Command::SetOption { name, value })
                if name.eq_ignore_ascii_case(VARIANT) =>
            {
                match choose_variant(value.as_deref().unwrap_or("")) {
                    Ok(commands) => commands.into_iter().map(Action::Do).collect(),
                    Err(error) => self.refused(&error),
                }
            }
            Request::Command(Command::SetOption { name, value })
                if name.eq_ignore_ascii_case(SHOW_WDL.name) =>
            {
                match SHOW_WDL.read(value.as_deref().unwrap_or("")) {
                    Ok(value) => {
                        self.shows_wdl = value == OptionValue::Check(true);
                        let value = if self.shows_wdl { "on" } else { "off" };
                        vec![Action::Do(set(settings::SHOW_WDL.to_string(), value))]
                    }
                    Err(why) => {
                        let error = ProtocolError::new(ErrorCode::Option, why);
                        self.refused(&error)
                    }
                }
            }
            Request::Command(command) => match localise(command, game) {
                Ok(command) => vec![Action::Do(command)],
                Err(error) => self.refused(&error),
            },
            // This dialect has no such requests: every line is a command.
            Request::Line { .. } => Vec::new(),
        }
    }

    fn refuse(&mut self, error: &ProtocolError) -> Vec<Answer> {
        let lines = uci::write_reply(&Reply::Error(error.clone()));
        lines.into_iter().map(Answer::Refusal).collect()
    }

    fn write(&mut self, reply: &Reply, game: &GameInfo) -> Vec<String> {
        match reply {
            // Here it has another name.
            Reply::OptionDecl { name, .. } if name == settings::SHOW_WDL => Vec::new(),
            Reply::Info(info) if !self.shows_wdl => write(
                &Reply::Info(Info {
                    wdl: None,
                    ..info.clone()
                }),
                game,
            ),
            reply => write(reply, game),
        }
    }
}

impl Uci {
    /// The answer to a line that this dialect itself refuses.
    fn refused(&mut self, error: &ProtocolError) -> Vec<Action> {
        self.refuse(error).into_iter().map(Action::Say).collect()
    }
}

fn set(name: String, value: &str) -> Command {
    Command::SetOption {
        name,
        value: Some(value.to_string()),
    }
}

/// The commands that choose the game and the rules that a client means by this
/// name.
fn choose_variant(name: &str) -> Result<Vec<Command>, ProtocolError> {
    let games = GameInfo::all().iter();
    let mut variants = games.flat_map(|g| g.variants.iter().map(move |v| (g, v)));
    let Some((game, variant)) = variants.find(|(_, v)| v.name.eq_ignore_ascii_case(name)) else {
        let text = format!("there is no variant {}", quoted(name));
        return Err(ProtocolError::new(ErrorCode::Option, text));
    };
    let rules = variant.rules.iter();
    let mut commands: Vec<Command> = rules
        .map(|(rule, value)| set(format!("{}.{rule}", game.prefix), value))
        .collect();
    commands.push(set(settings::GAME.to_string(), game.name));
    Ok(commands)
}

/// Converts a command to the notation of `game`, the game in play.
///
/// # Errors
/// A board is not as clients write it, nor in the game's own notation.
fn localise(command: Command, game: &GameInfo) -> Result<Command, ProtocolError> {
    let local = |moves: Vec<String>| -> Vec<String> {
        moves.iter().map(|m| read_drop(m).to_string()).collect()
    };
    Ok(match command {
        Command::Moves(moves) => Command::Moves(local(moves)),
        Command::Query(what, words) => Command::Query(what, local(words)),
        Command::Go(go) => Command::Go(Go {
            searchmoves: local(go.searchmoves),
            // UCI counts moves of one side, the engine counts plies.
            mate: go.mate.map(|n| n.saturating_mul(2).saturating_sub(1)),
            ..go
        }),
        Command::Balance { stones, bias, go } => Command::Balance {
            stones,
            bias,
            go: Go {
                searchmoves: local(go.searchmoves),
                ..go
            },
        },
        Command::Opening(opening) => Command::Opening(Opening {
            stones: local(opening.stones),
            ..opening
        }),
        Command::Position { base, moves } => Command::Position {
            base: match base {
                Base::Fen(fen) => Base::Fen(local_fen(&fen, game)?),
                base => base,
            },
            moves: local(moves),
        },
        command => command,
    })
}

/// Converts a board to the letters of `game`; its own notation is unchanged.
fn local_fen(text: &str, game: &GameInfo) -> Result<String, ProtocolError> {
    let read = read_fen(text);
    let Some(fen) = read.map_err(|why| ProtocolError::new(ErrorCode::Position, why))? else {
        return Ok(text.to_string());
    };
    let [first, second] = game.sides.map(|side| side.letter);
    let rows: String = (fen.rows.chars())
        .map(|c| match c {
            'P' => first,
            'p' => second,
            c => c,
        })
        .collect();
    let turn = if fen.first_to_move { first } else { second };
    let extra = if game.counts_extra { " 0 0" } else { "" };
    Ok(format!("{rows} {turn}{extra}"))
}

/// The lines of a reply while `game` is in play.
fn write(reply: &Reply, game: &GameInfo) -> Vec<String> {
    let foreign = |m: &String| match game.drop_prefix {
        // A move from one cell to another contains a hyphen.
        Some(prefix) if !m.contains('-') => format!("{prefix}{m}"),
        _ => m.clone(),
    };
    match reply {
        Reply::BestMove { best, ponder } => uci::write_reply(&Reply::BestMove {
            best: best.as_ref().map(foreign),
            ponder: ponder.as_ref().map(foreign),
        }),
        Reply::Info(info) => uci::write_reply(&Reply::Info(Info {
            pv: info.pv.iter().map(foreign).collect(),
            currmove: info.currmove.as_ref().map(foreign),
            ..info.clone()
        })),
        reply => uci::write_reply(reply),
    }
}
