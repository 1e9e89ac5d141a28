//! Makes the positions of known value that Pentago's evaluation is fitted
//! to, and fits it.
//!
//! ```text
//! cargo run --release --example pentago_fit -- generate FILE SECONDS SEED [NODES]
//! cargo run --release --example pentago_fit -- fit WEIGHTS EPOCHS FILE…
//! ```
//!
//! `scripts/pentago_fit.sh` is the recipe. `generate` plays games of the engine
//! against itself and appends what it learns of positions to a file, [`Sample`]
//! by sample; with no nodes at all it plays without a search and solves where
//! that is quick. `fit` reads such files and writes the numbers that `src/games/pentago/weights.bin` holds; one
//! position in twenty is kept apart to tell how well they do.

mod fit;
#[path = "../fitting/mod.rs"]
mod fitting;
mod generate;

use std::fs::File;
use std::io::{BufReader, Read, Write};

/// A position without a win at once, and what is known of its value.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Marbles of the side to move, in lanes.
    pub own: u64,
    /// The other side's.
    pub other: u64,
    /// Expected score of the side to move, 0 to 1.
    pub score: f32,
    /// Whether that is proven.
    pub exact: bool,
}

impl Sample {
    /// Bytes of a sample in a file.
    const SIZE: usize = 24;

    /// Appends it to a file, little end first.
    pub fn write(&self, file: &mut impl Write) -> std::io::Result<()> {
        file.write_all(&self.own.to_le_bytes())?;
        file.write_all(&self.other.to_le_bytes())?;
        file.write_all(&self.score.to_le_bytes())?;
        file.write_all(&u32::from(self.exact).to_le_bytes())
    }

    fn read(bytes: &[u8; Sample::SIZE]) -> Sample {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
        let last = word(16);
        Sample {
            own: word(0),
            other: word(8),
            score: f32::from_bits(last as u32),
            exact: last >> 32 != 0,
        }
    }
}

/// All samples of a file.
pub fn read_samples(name: &str) -> Vec<Sample> {
    let mut file = BufReader::new(File::open(name).expect("a readable file"));
    let mut samples = Vec::new();
    let mut bytes = [0; Sample::SIZE];
    while file.read_exact(&mut bytes).is_ok() {
        samples.push(Sample::read(&bytes));
    }
    samples
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().expect("a number");
    match words[..] {
        ["generate", file, seconds, seed] => {
            generate::run(file, number(seconds), number(seed), 2_000);
        }
        ["generate", file, seconds, seed, nodes] => {
            generate::run(file, number(seconds), number(seed), number(nodes));
        }
        ["fit", weights, epochs, ref files @ ..] => {
            fit::run(weights, number(epochs) as usize, files);
        }
        _ => panic!("generate FILE SECONDS SEED [NODES], or fit WEIGHTS EPOCHS FILE…"),
    }
}
