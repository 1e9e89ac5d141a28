//! The file: gzip, and in it one proof after the other, each with lines of text
//! before its strategy.

use crate::games::Game;
use flate2::read::MultiGzDecoder;
use std::fmt::{self, Display, Formatter};
use std::io::Read;

/// What a claim says that its player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// He wins.
    Wins,
    /// He does not lose.
    Holds,
    /// He does not lose, because he closes all windows of the other player.
    Blocks,
}

impl Display for Does {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Does::Wins => "wins",
            Does::Holds => "holds",
            Does::Blocks => "blocks",
        })
    }
}

/// Who does what, as in `black wins`.
pub fn read_claim(game: &Game, claim: &str) -> Result<(u8, Does), String> {
    let (name, does) = claim.split_once(' ').ok_or("no claim")?;
    let player = game.player(name).ok_or("no such player")?;
    let does = match does {
        "wins" => Does::Wins,
        "holds" => Does::Holds,
        "blocks" => Does::Blocks,
        _ => return Err("no such claim".to_string()),
    };
    Ok((player, does))
}

/// A proof, as its file has it.
#[derive(Clone, Copy)]
pub struct Proof<'a> {
    /// The game and its rules, in the words of the engine's `newgame`.
    pub rules: &'a str,
    /// The position, as a FEN.
    pub position: &'a str,
    /// What is claimed, as `black wins` or `white holds`.
    pub claim: &'a str,
    /// The strategy.
    pub strategy: &'a [u8],
}

/// The most bytes that a file may unpack to.
const MOST: u64 = 1 << 32;

/// The contents of a file.
pub fn unpack(path: &str) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|why| why.to_string())?;
    let mut text = Vec::new();
    let mut decoder = MultiGzDecoder::new(file).take(MOST);
    let read = decoder.read_to_end(&mut text);
    read.map_err(|why| format!("it is damaged: {why}"))?;
    Ok(text)
}

/// A line of text that begins with this word: what follows the word, and the
/// rest.
fn line<'a>(text: &'a [u8], word: &str) -> Result<(&'a str, &'a [u8]), String> {
    let damaged = || format!("no line '{word} ...'");
    let end = text.iter().position(|&b| b == b'\n').ok_or_else(damaged)?;
    let line = str::from_utf8(&text[..end]).map_err(|_| damaged())?;
    let value = line.strip_prefix(word).and_then(|l| l.strip_prefix(' '));
    Ok((value.ok_or_else(damaged)?, &text[end + 1..]))
}

/// The first proof of a file, and what follows it.
pub fn split(text: &[u8]) -> Result<(Proof<'_>, &[u8]), String> {
    let (version, text) = line(text, "quintet-proof")?;
    if version != "1" {
        return Err(format!("version {version} is not known"));
    }
    let (rules, text) = line(text, "rules")?;
    let (position, text) = line(text, "position")?;
    let (claim, text) = line(text, "claim")?;
    let (bytes, text) = line(text, "bytes")?;
    let bytes: usize = bytes.parse().map_err(|_| "no number of bytes")?;
    let text = text.strip_prefix(b"\n").ok_or("no empty line")?;
    let (strategy, rest) = text.split_at_checked(bytes).ok_or("it is cut short")?;
    let proof = Proof {
        rules,
        position,
        claim,
        strategy,
    };
    Ok((proof, rest))
}
