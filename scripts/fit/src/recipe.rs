//! A recipe: how the numbers of one game are fitted to games or positions, and
//! which settings the user may choose.

use quintet::internals::weights::crc32;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// A setting, given as `--NAME N`.
pub struct Choice {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// Its default.
    pub default: u64,
    /// The allowed values.
    pub range: RangeInclusive<u64>,
    /// What it is, in a few words.
    pub help: &'static str,
}

impl Choice {
    /// How many games of the engine against itself are played.
    pub const fn games(default: u64, help: &'static str) -> Choice {
        Choice {
            name: "games",
            default,
            range: 0..=1_000_000,
            help,
        }
    }

    /// The node limit of each search.
    pub const fn nodes(default: u64, help: &'static str) -> Choice {
        Choice {
            name: "nodes",
            default,
            range: 1..=10_000_000,
            help,
        }
    }

    /// How strongly each number is pulled towards the present one.
    pub const PULL: Choice = Choice {
        name: "pull",
        default: 0,
        range: 0..=1_000_000_000,
        help: "positions that each number's pull to the present one is worth; 0: fit from nothing",
    };

    /// The seed of all random choices.
    pub const fn seed(help: &'static str) -> Choice {
        Choice {
            name: "seed",
            default: 1,
            range: 0..=u32::MAX as u64,
            help,
        }
    }
}

/// What a recipe makes on the way to its numbers, and what becomes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// Nothing that could be kept.
    Never,
    /// It can be kept with `--save`, for people to read.
    Told(&'static str),
    /// It can be kept with `--save`, and read again with `--data`.
    Kept(&'static str),
}

/// How the numbers of a game are fitted.
pub struct Recipe {
    /// The words that ask for it: `GAME` or `scale GAME`.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The settings that may be chosen.
    pub choices: &'static [Choice],
    /// What it makes on the way.
    pub data: Data,
    /// Runs the fit.
    ///
    /// # Errors
    /// Says why there are no numbers.
    pub run: fn(&Request) -> Result<Fitted, String>,
}

/// What the user asks of a recipe.
pub struct Request {
    /// All of the recipe's settings by name.
    pub numbers: Vec<(&'static str, u64)>,
    /// Files of existing data.
    pub data: Vec<PathBuf>,
    /// Where to save newly generated data.
    pub save: Option<PathBuf>,
}

impl Request {
    /// The setting of this name.
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

/// The result of a fit.
pub struct Fitted {
    /// The data it was fitted to, for the header.
    pub data: String,
    /// The loss on the held-back part, for the header.
    pub loss: String,
    /// The numbers themselves.
    pub numbers: Numbers,
}

/// The numbers that follow the header.
pub enum Numbers {
    /// Rows of text.
    Text(String),
    /// The payload of a binary file.
    Binary(Vec<u8>),
}

/// A description of the data for the header: its kind, size and checksum.
pub fn described(what: &str, bytes: &[u8]) -> String {
    format!("{what}, {} bytes, crc32 {:08x}", bytes.len(), crc32(bytes))
}
