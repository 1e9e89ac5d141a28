//! The engine's own options; the games' options are declared in the games.

use crate::options::{Kind, OptionSpec};
use crate::{games, levels};

/// The game to play.
pub const GAME: &str = "Game";
/// Size of the transposition table in MiB.
pub const HASH: &str = "Hash";
/// Number of search threads.
pub const THREADS: &str = "Threads";
/// Number of best moves to report.
pub const MULTI_PV: &str = "MultiPV";
/// Milliseconds lost in communication with the client.
pub const MOVE_OVERHEAD: &str = "Move Overhead";
/// Seed of random choices.
pub const SEED: &str = "Seed";
/// Level of play.
pub const LEVEL: &str = "Level";
/// How strong level `full` is.
pub const STRENGTH: &str = "Strength";
/// Folder of the certificates in use.
pub const PROOF_PATH: &str = "ProofPath";
/// Whether `UCI_Elo` says how strong level `full` is.
pub const UCI_LIMIT_STRENGTH: &str = "UCI_LimitStrength";
/// The same as a rating; see [`levels::strength_of`].
pub const UCI_ELO: &str = "UCI_Elo";
/// Whether scores are told as chances too.
pub const SHOW_WDL: &str = "ShowWDL";
/// Whether diagrams are drawn with plain characters.
pub const ASCII: &str = "Ascii";
/// Whether diagrams are turned for the second player.
pub const FLIP: &str = "Flip";
/// The button that clears everything learned in searches.
pub const CLEAR_HASH: &str = "Clear Hash";

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin {
        default,
        min,
        max,
        step: 1,
    }
}

/// Every option of the engine, in handshake order.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec::setting(GAME, Kind::Combo(games::NAMES), "the game in play"),
    OptionSpec::setting(
        HASH,
        spin(64, 1, 1 << 20),
        "size of the transposition table in MiB; no more than the memory there is",
    ),
    OptionSpec::setting(THREADS, spin(1, 1, 256), "search threads"),
    OptionSpec::setting(
        MULTI_PV,
        spin(1, 1, 500),
        "how many of the best moves to report, each with its own value",
    ),
    OptionSpec::setting(
        SHOW_WDL,
        Kind::Check(true),
        "the chances of a win, a draw and a loss beside every score",
    ),
    OptionSpec::setting(
        MOVE_OVERHEAD,
        spin(10, 0, 5000),
        "milliseconds to keep in reserve for the way to the client",
    ),
    OptionSpec::setting(
        "Ponder",
        Kind::Check(false),
        "for clients that ask; pondering needs no option here",
    ),
    OptionSpec::setting(
        SEED,
        spin(0, 0, u32::MAX as i64),
        "for random choices, which a fixed seed repeats; 0: from the clock",
    ),
    OptionSpec::setting(LEVEL, Kind::Combo(levels::NAMES), "who chooses the moves"),
    OptionSpec::setting(
        STRENGTH,
        spin(levels::STRENGTH as i64, 1, levels::STRENGTH as i64),
        "level full: how strong it plays; 20: as strong as it can",
    ),
    OptionSpec::setting(
        UCI_LIMIT_STRENGTH,
        Kind::Check(false),
        "level full: UCI_Elo says how strong it plays, not Strength",
    ),
    OptionSpec::setting(
        UCI_ELO,
        spin(levels::ELO[1], levels::ELO[0], levels::ELO[1]),
        "a strength as a rating: 600 stands for Strength 1, 2500 for 20",
    ),
    OptionSpec::setting(
        PROOF_PATH,
        Kind::Text(""),
        "folder of NAME.proof files, certificates that `prove` wrote: their positions are answered at once; empty: none",
    ),
    OptionSpec::setting(ASCII, Kind::Check(false), "plain characters in diagrams"),
    OptionSpec::setting(
        FLIP,
        Kind::Check(false),
        "diagrams turned around while the second player is to move",
    ),
    OptionSpec::setting(
        CLEAR_HASH,
        Kind::Button,
        "forgets what earlier searches learned",
    ),
];
