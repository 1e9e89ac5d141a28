//! Pentago: the network of the evaluation, fitted to positions of known value.
//!
//! There are two kinds. The first come from games of random and reasonable
//! moves up to 20-24 marbles, whose last position is solved exactly, with all
//! its moves. The others come from games of short searches, whose values and
//! results are propagated back to earlier positions. One in twenty stretches of
//! 200 positions is held out.

mod generate;
mod network;
mod sample;

use crate::output;
use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request, described};
use std::fs;

/// The recipe of Pentago's numbers.
pub const RECIPE: Recipe = Recipe {
    name: "pentago",
    about: "a network fitted to positions that are solved and to games of short searches",
    choices: &[
        Choice {
            name: "solved",
            default: 370_000,
            range: 0..=100_000_000,
            help: "positions of games without a search, made around solved ones",
        },
        Choice {
            name: "searched",
            default: 180_000,
            range: 0..=100_000_000,
            help: "positions of games of searches",
        },
        Choice::nodes(2_000, "nodes of a search"),
        Choice {
            name: "epochs",
            default: 12,
            range: 1..=1_000,
            help: "passes of the fit through the positions",
        },
        Choice::seed("seed of the positions"),
    ],
    data: Data::Kept("positions"),
    run,
};

fn run(request: &Request) -> Result<Fitted, String> {
    // The positions are written at once, in the place of all that is there.
    if let Some(path) = request
        .save
        .as_deref()
        .filter(|path| output::is_filled(path))
    {
        let path = path.display();
        return Err(format!(
            "{path}: it holds something already; `--save` needs a new file"
        ));
    }
    let mut bytes = Vec::new();
    for path in &request.data {
        let read = fs::read(path).map_err(|why| format!("{}: {why}", path.display()))?;
        sample::read(&read).map_err(|why| format!("{}: {why}", path.display()))?;
        bytes.extend(read);
    }
    let [solved, searched, nodes, seed] =
        ["solved", "searched", "nodes", "seed"].map(|name| request.number(name));
    let made = generate::run(solved, searched, nodes, seed)?;
    let begin = bytes.len();
    sample::append(&made, &mut bytes);
    if let Some(path) = &request.save {
        output::write(path, &bytes[begin..])?;
    }
    let samples = sample::read(&bytes)?;
    let (weights, loss) = network::fit(&samples, request.number("epochs") as usize)?;
    Ok(Fitted {
        data: described(&format!("{} positions", samples.len()), &bytes),
        loss,
        numbers: Numbers::Binary(weights.payload()),
    })
}
