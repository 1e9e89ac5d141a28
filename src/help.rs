//! `help`: the commands in a few lines.

use crate::engine::declared_options;
use quintet_protocol::{ErrorCode, ProtocolError, quoted};

/// Every command: its name, its grammar, what it does.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("ugi", "ugi", "id, options, ugiok"),
    (
        "uci",
        "uci",
        "the same for clients that speak UCI; from then on in their words",
    ),
    (
        "isready",
        "isready",
        "readyok, when all is prepared; at once during a search",
    ),
    (
        "setoption",
        "setoption name NAME [value VALUE]",
        "sets an option; see `help options`",
    ),
    (
        "uginewgame",
        "uginewgame",
        "start position; forgets what searches learned",
    ),
    (
        "newgame",
        "newgame GAME [RULE VALUE]...",
        "chooses a game and its rules; see `help games`",
    ),
    (
        "position",
        "position startpos|fen F|stones PLAYER CELL... turn PLAYER [moves M...]",
        "puts a position",
    ),
    ("moves", "moves M...", "plays on from the position"),
    ("undo", "undo [N]", "takes back the last move, or N"),
    (
        "go",
        "go [depth N] [nodes N] [movetime MS] [p1time MS p2time MS p1inc MS p2inc MS movestogo N] \
         [infinite] [ponder] [mate N] [searchmoves M...]",
        "searches: info lines, then bestmove; alone: until stop",
    ),
    ("stop", "stop", "ends the search"),
    (
        "ponderhit",
        "ponderhit",
        "the move pondered on was played: the clock runs",
    ),
    ("quit", "quit", "ends the search and the engine"),
    (
        "query",
        "query fen|turn|moves|values|captures|windows|p1turn|gameover|result",
        "asks; the answer is response ...",
    ),
    (
        "threatening",
        "threatening [PLAYER]",
        "how many ways PLAYER's opponent has to win",
    ),
    (
        "eval",
        "eval",
        "static value in centipawns, side to move's view",
    ),
    (
        "display",
        "display [svg]",
        "draws the board, as text or as one line svg <svg ...>",
    ),
    (
        "perft",
        "perft DEPTH [divide]",
        "counts the leaves of the tree of moves",
    ),
    (
        "bench",
        "bench [DEPTH]",
        "fixed searches: signature and speed",
    ),
    ("help", "help [COMMAND|games|options]", "this"),
];

/// The answer to `help`.
///
/// # Errors
/// There is no such command.
pub fn lines(topic: Option<&str>) -> Result<Vec<String>, ProtocolError> {
    let Some(topic) = topic else {
        let width = COMMANDS.iter().map(|c| c.0.len()).max().unwrap_or(0);
        return Ok(COMMANDS
            .iter()
            .map(|(name, _, what)| format!("{name:width$}  {what}"))
            .collect());
    };
    let lower = topic.to_ascii_lowercase();
    if lower == "options" || lower == "games" {
        let rules = lower == "games";
        return Ok(declared_options()
            .filter(|(_, spec)| spec.rule || !rules)
            .map(|(name, spec)| {
                let default = spec.default().map_or(String::new(), |v| {
                    let text = v.to_string();
                    let shown = if text.is_empty() { "<empty>" } else { &text };
                    format!(", default {shown}")
                });
                format!("{name}: {} ({}{default})", spec.help, spec.kind.range())
            })
            .collect());
    }
    let (_, grammar, what) = COMMANDS
        .iter()
        .find(|(name, ..)| *name == lower)
        .ok_or_else(|| {
            ProtocolError::new(
                ErrorCode::Unknown,
                format!(
                    "no help on {}: expected a command, games or options",
                    quoted(topic)
                ),
            )
        })?;
    Ok(vec![grammar.to_string(), format!("  {what}")])
}
