//! Quintet: an engine for five board games, [Gomoku] (any m,n,k game), [Pente],
//! [Pentago], [Dag en Nacht](DagEnNacht) and [Teeko].
//!
//! As a program it reads commands on stdin and answers on stdout (see [`run`]);
//! as a library it plays, searches and evaluates positions without a separate
//! process. An [`Engine`] has one game in play:
//!
//! ```
//! use quintet::{Engine, Limits, Outcome, Score, Side};
//!
//! // Open a game under rules of your choice, and play.
//! let mut engine = Engine::open("gomoku", &[("size", "9")])?;
//! engine.play("e5 d4 f5 c3 g5 d7")?;
//! assert_eq!(engine.side_to_move(), Side::First);
//!
//! // Search, and read the result: Black makes a four with both ends open and
//! // wins with the third ply.
//! let analysis = engine.search(&Limits { depth: Some(6), ..Limits::default() })?;
//! assert_eq!((analysis.score(), analysis.is_proven()), (Score::Mate(3), true));
//! println!("the best line is {}", analysis.line().join(" "));
//!
//! // Play to the end.
//! while let Some(best) = engine.search(&Limits { depth: Some(6), ..Limits::default() })?.best {
//!     engine.play(&best)?;
//! }
//! assert_eq!(engine.outcome(), Some(Outcome::Win(Side::First)));
//! # Ok::<(), quintet::Error>(())
//! ```
//!
//! A search can also run in the background and be watched and stopped
//! ([`Engine::start`]), and so can the commands for level positions, opening protocols,
//! proofs and the values of all moves ([`Engine::task`]). Options such as `Threads`, `Hash` (in MiB), `MultiPV`
//! and `Level` are set by [`Engine::set_option`].
//!
//! # Rules alone
//!
//! Each game is a type with its own [`Position`], which plays moves without an
//! engine:
//!
//! ```
//! use quintet::{Game, OptionValues, Pentago, Position, perft};
//!
//! let rules = OptionValues::defaults(Pentago::OPTIONS);
//! let mut position = Pentago::start(&rules)?;
//! let first = Pentago::read_move(&position, "8-cw-br")?;
//! let undo = position.play(first);
//! assert_eq!(position.move_count(), 35 * 8);
//! position.undo(first, undo);
//! assert_eq!(perft(&mut position, 2, &mut |_| false), Some(80_640));
//! # Ok::<(), String>(())
//! ```
//!
//! # Versions
//!
//! The items on this page follow semantic versioning. The engine's protocol is
//! a separate crate, `quintet-protocol`.

#![deny(unsafe_code)]

/// The engine's modules, for this repository's own tests and tools. They may
/// change in any version.
#[doc(hidden)]
#[path = ""] // The files lie beside this one.
pub mod internals {
    pub mod bench;
    pub mod bits;
    pub mod board;
    pub mod control;
    pub mod dialects;
    pub mod engine;
    pub mod evaluator;
    pub mod fault;
    pub mod files;
    pub mod game;
    pub mod games;
    pub mod grade;
    pub mod help;
    pub mod levels;
    pub mod library;
    pub mod limits;
    pub mod lines;
    pub mod manual;
    pub mod memory;
    pub mod network;
    pub mod options;
    pub mod parameters;
    pub mod parts;
    pub mod player;
    pub mod position;
    pub mod prover;
    pub mod quote;
    pub mod random;
    pub mod scale;
    pub mod search;
    pub mod session;
    pub mod settings;
    pub mod specialist;
    pub mod value;
    pub mod weights;
    pub mod zobrist;
}

pub(crate) use internals::*;

// The engine as a library.
pub use internals::library::{Analysis, Engine, Search, Stopper, Task, Variation, close};
pub use quintet_protocol::{Bound, ErrorCode, Go as Limits, Part, ProtocolError as Error, Score};

// The games and their rules.
pub use internals::game::Game;
pub use internals::games::{
    NAMES as GAMES, dagennacht::DagEnNacht, gomoku::Gomoku, pentago::Pentago, pente::Pente,
    teeko::Teeko,
};
pub use internals::options::{Kind, OptionSpec, OptionValue, OptionValues};
pub use internals::position::{Move, Outcome, Position, Side, perft};

// The engine as a program.
pub use internals::dialects;
pub use internals::engine::dialect::Dialect;
pub use internals::engine::{Input, Startup, run};
pub use internals::help::usage;
