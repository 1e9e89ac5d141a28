//! The command language of the Quintet engine: a client's commands, the
//! engine's replies, and the parsers and printers of both. It does not depend
//! on any game or search; moves, cells, FENs and names of players are just
//! words here.
//!
//! `README.md` beside this crate is the specification.
//!
//! ```
//! use quintet_protocol::{Command, Reply, Score, parse_command, parse_reply};
//!
//! let command = parse_command("  GO depth 6 searchmoves h8 g7").unwrap().unwrap();
//! let Command::Go(go) = &command else { panic!() };
//! assert_eq!((go.depth, go.searchmoves.len()), (Some(6), 2));
//! assert_eq!(command.to_string(), "go depth 6 searchmoves h8 g7");
//!
//! let error = parse_command("go depth x").unwrap_err();
//! assert_eq!(
//!     Reply::Error(error).to_string(),
//!     "error syntax column 10: expected a whole number after depth, found 'x'",
//! );
//!
//! let Ok(Reply::Info(info)) = parse_reply("info depth 6 score mate 5 proven pv h8") else { panic!() };
//! assert_eq!((info.score, info.proven), (Some(Score::Mate(5)), true));
//! ```

#![forbid(unsafe_code)]

pub mod command;
pub mod error;
pub mod gomocup;
pub mod reply;
pub mod transcript;
pub mod uci;
pub mod ugi;
mod words;

pub use command::{Base, Claim, Command, Go, Opening, Prove, Stones};
pub use error::{ErrorCode, ProtocolError, one_line, quoted};
pub use reply::{Bound, Info, OptionType, Part, Reply, Score, Verdict};
pub use transcript::{Action, Step, Transcript, extract_transcripts};
pub use ugi::{parse_command, parse_reply};
