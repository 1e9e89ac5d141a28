//! The command line of the programs that play games, fit a value to them and
//! fit an ordering to them.

use super::record::{Record, read};

/// Does what the command line says: `play FILE GAMES NODES SEED`,
/// `fit FILE…` or `order FILE…`; the games of the files are read for the latter
/// two. Anything else is answered with the usage of `program`.
pub fn run(
    program: &str,
    play: impl FnOnce(&str, u64, u64, u64),
    fit: impl FnOnce(&[Record]),
    order: impl FnOnce(&[Record]),
) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["play", file, games, nodes, seed] => {
            play(file, number(games), number(nodes), number(seed));
        }
        ["fit", ref files @ ..] => fit(&read(files)),
        ["order", ref files @ ..] => order(&read(files)),
        _ => eprintln!("usage: {program} play FILE GAMES NODES SEED | fit FILE… | order FILE…"),
    }
}

/// The number that an argument is. Panics where it is none.
pub fn number(text: &str) -> u64 {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is no number"))
}
