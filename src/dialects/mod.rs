//! The dialects in which clients speak to the one engine. The words themselves
//! are read and printed by `quintet-protocol`.

mod gomocup;
mod uci;
mod ugi;

use crate::engine::dialect::Dialect;

/// Every dialect, as at the beginning of a conversation. The first one is that
/// of clients that announce none.
pub fn all() -> Vec<Box<dyn Dialect>> {
    vec![
        Box::new(ugi::Ugi),
        Box::new(uci::Uci),
        Box::new(gomocup::Gomocup::default()),
    ]
}

/// The name of the dialect that the file name of an executable asks for, if it
/// asks for one.
pub fn of_program(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    name.starts_with(gomocup::PROGRAM_PREFIX)
        .then_some(gomocup::NAME)
}
