//! What a recipe is: how the numbers of one game are made from games or
//! positions, and which numbers its user may choose.

use quintet::internals::weights::crc32;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// A number that may be chosen, as `--NAME N`.
pub struct Choice {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What it is where it is not stated.
    pub default: u64,
    /// What it may be.
    pub range: RangeInclusive<u64>,
    /// What it is, in a few words.
    pub help: &'static str,
}

/// How the numbers of a game are fitted.
pub struct Recipe {
    /// The game's name in the engine.
    pub game: &'static str,
    /// What is done, in a sentence.
    pub about: &'static str,
    /// The numbers that may be chosen.
    pub choices: &'static [Choice],
    /// What the files of `--data` and `--save` hold; nothing where the data are
    /// made anew each time.
    pub data: Option<&'static str>,
    /// Does it.
    ///
    /// # Errors
    /// Why there are no numbers, in words.
    pub run: fn(&Request) -> Result<Fitted, String>,
}

/// What a recipe is asked for.
pub struct Request {
    /// The chosen numbers by name, all of the recipe's.
    pub numbers: Vec<(&'static str, u64)>,
    /// Files of data that were made before.
    pub data: Vec<PathBuf>,
    /// Where the data that are made now are to be kept.
    pub save: Option<PathBuf>,
}

impl Request {
    /// The chosen number of this name.
    ///
    /// # Panics
    /// The recipe has no such number.
    pub fn number(&self, name: &str) -> u64 {
        match self.numbers.iter().find(|n| n.0 == name) {
            Some(&(_, number)) => number,
            None => panic!("the recipe has no number {name}"),
        }
    }
}

/// What a fit brings.
pub struct Fitted {
    /// What it was made from, for the header.
    pub data: String,
    /// The loss on the part that was held back, for the header.
    pub loss: String,
    /// The numbers themselves.
    pub numbers: Numbers,
}

/// Numbers as they follow the header.
pub enum Numbers {
    /// Rows of text.
    Text(String),
    /// The payload of a binary file.
    Binary(Vec<u8>),
}

/// Data in words for the header: what they are, their size and checksum.
pub fn described(what: &str, bytes: &[u8]) -> String {
    format!("{what}, {} bytes, crc32 {:08x}", bytes.len(), crc32(bytes))
}
