//! UCI: drops `P@h8`, the boards that cutechess writes, and the names that
//! UCI clients have for the games.

use crate::session::GameInfo;
use quintet_protocol::uci::{self, read_drop, read_fen};
use quintet_protocol::{Base, Command, Go, Info, OptionType, Reply};

/// The option that chooses a game, in this dialect alone.
pub const VARIANT: &str = "UCI_Variant";

/// The declaration of [`VARIANT`].
pub fn variant_option() -> Reply {
    let variants = GameInfo::all().iter().flat_map(|game| game.variants);
    let choices: Vec<String> = variants.map(|v| v.name.to_string()).collect();
    Reply::OptionDecl {
        name: VARIANT.to_string(),
        kind: OptionType::Combo {
            default: choices[0].clone(),
            choices,
        },
    }
}

/// A command in the notation of `game`, the game in play.
pub fn localise(command: Command, game: &GameInfo) -> Command {
    let local = |moves: Vec<String>| -> Vec<String> {
        moves.iter().map(|m| read_drop(m).to_string()).collect()
    };
    match command {
        Command::Moves(moves) => Command::Moves(local(moves)),
        Command::Go(go) => Command::Go(Go {
            searchmoves: local(go.searchmoves),
            // Moves of one side, where the engine counts plies.
            mate: go.mate.map(|n| n.saturating_mul(2).saturating_sub(1)),
            ..go
        }),
        Command::Position { base, moves } => Command::Position {
            base: match base {
                Base::Fen(fen) => Base::Fen(local_fen(&fen, game)),
                base => base,
            },
            moves: local(moves),
        },
        command => command,
    }
}

/// A board in the letters of `game`; its own notation stays as it is.
fn local_fen(text: &str, game: &GameInfo) -> String {
    let Some(fen) = read_fen(text) else {
        return text.to_string();
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
    format!("{rows} {turn}{extra}")
}

/// The lines of a reply while `game` is in play.
pub fn write(reply: &Reply, game: &GameInfo) -> Vec<String> {
    let foreign = |m: &String| match game.drop_prefix {
        // A move from one cell to another has a hyphen.
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
            ..info.clone()
        })),
        reply => uci::write_reply(reply),
    }
}
