//! The dialects in which clients speak to the engine. Parsing and printing are
//! in `quintet-protocol`.

mod gomocup;
mod uci;
mod ugi;

use crate::engine::dialect::Dialect;

/// Every dialect, in the state at the start of a conversation. The first one is
/// for clients that announce no dialect.
pub fn all() -> Vec<Box<dyn Dialect>> {
    vec![
        Box::new(ugi::Ugi),
        Box::<uci::Uci>::default(),
        Box::new(gomocup::Gomocup::default()),
    ]
}

/// The name of the dialect that an executable's file name asks for, if any.
pub fn of_program(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    name.starts_with(gomocup::PROGRAM_PREFIX)
        .then_some(gomocup::NAME)
}
