//! `quintet-fit GAME --out FILE`: fits the numbers of a game's evaluation to
//! games of the engine or to solved positions. `README.md` beside this folder
//! tells how long that takes and what to measure before the numbers are used.

mod adam;
mod arguments;
mod calibration;
mod chance;
mod contest;
mod dagennacht;
mod duel;
mod filling;
mod gomoku;
mod learning;
mod likelihood;
mod openings;
mod output;
mod pentago;
mod pente;
mod progress;
mod recipe;
mod record;
mod self_play;
mod store;
mod teeko;
mod tuning;

use arguments::{Asked, Task};
use quintet::internals::weights::{Header, pack};
use recipe::{Data, Numbers, Recipe};
use std::process::{Command, ExitCode};

/// All recipes: the numbers of each game's evaluation, and its scale.
const RECIPES: &[Recipe] = &[
    gomoku::RECIPE,
    gomoku::network::RECIPE,
    pente::RECIPE,
    pente::network::RECIPE,
    pentago::RECIPE,
    dagennacht::RECIPE,
    dagennacht::network::RECIPE,
    teeko::RECIPE,
    calibration::GOMOKU,
    calibration::PENTE,
    calibration::PENTAGO,
    calibration::DAGENNACHT,
    calibration::TEEKO,
    tuning::GOMOKU,
    tuning::PENTE,
    tuning::PENTAGO,
    tuning::DAGENNACHT,
];

/// The exit status for wrong usage.
const MISUSED: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments::read(&words, RECIPES) {
        Ok(Asked::Help(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Ok(Asked::Fit(task)) => fit(&task),
        Ok(Asked::Duel(words)) => contest::run(&words),
        Err(why) => {
            eprintln!("quintet-fit: {why}\n`quintet-fit --help` tells what there is.");
            return ExitCode::from(MISUSED);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("quintet-fit: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Carries out a fit.
///
/// # Errors
/// Says why it failed; then the file is unchanged.
fn fit(task: &Task) -> Result<(), String> {
    for path in [Some(&task.out), task.request.save.as_ref()] {
        path.map_or(Ok(()), |path| output::check(path))?;
    }
    // Before the work: the tree may change while it lasts, and files grow.
    let engine = engine();
    let saved = task.request.save.as_deref();
    let goes_on = matches!(task.recipe.data, Data::Kept(_)) && saved.is_some_and(output::is_filled);
    let fitted = (task.recipe.run)(&task.request)?;
    let seed = task.request.number("seed");
    let header = Header {
        command: task.command(),
        seeds: match goes_on || !task.request.data.is_empty() {
            false => seed.to_string(),
            true => format!("{seed}; of what was made before not recorded"),
        },
        engine,
        data: fitted.data,
        loss: fitted.loss,
    };
    let file = match fitted.numbers {
        Numbers::Text(rows) => format!("{header}{rows}").into_bytes(),
        Numbers::Binary(payload) => pack(&header, &payload),
    };
    output::write(&task.out, &file)?;
    eprint!("{header}");
    Ok(())
}

/// The commit of the engine compiled into this program, if git knows it.
fn engine() -> String {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-C", env!("CARGO_MANIFEST_DIR")]).args(words);
        let output = git.output().ok().filter(|o| o.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "not recorded".to_string();
    };
    let commit = commit.trim();
    match git(&["status", "--porcelain", "--", ":/src"]) {
        Some(changes) if changes.is_empty() => commit.to_string(),
        _ => format!("{commit} with changes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet::internals::session::catalogue::GameInfo;
    use quintet::internals::weights::unpack;
    use std::fs;
    use std::path::Path;

    /// The header of one of a game's files, if there is such a file.
    fn header(game: &str, file: &str) -> Option<Header> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../src/games")
            .join(game);
        let bytes = fs::read(folder.join(file)).ok()?;
        let header = match file.ends_with(".bin") {
            true => unpack(&bytes).map(|file| file.0),
            false => Header::read(&String::from_utf8_lossy(&bytes)),
        };
        Some(header.unwrap_or_else(|why| panic!("{file} of {game}: {why}")))
    }

    #[test]
    fn every_file_of_a_game_has_a_recipe_and_names_it() {
        let mut recipes: Vec<&str> = RECIPES.iter().map(|recipe| recipe.name).collect();
        let mut without = Vec::new();
        for game in GameInfo::all() {
            let game = game.name;
            let files = [
                (game.to_string(), vec!["weights.txt", "weights.bin"]),
                (format!("scale {game}"), vec!["scale.txt"]),
                (format!("network {game}"), vec!["network.bin"]),
                (format!("search {game}"), vec!["search.txt"]),
            ];
            for (name, files) in files {
                let Some(header) = files.iter().find_map(|file| header(game, file)) else {
                    let may_lack = ["network", "search"].map(|kind| format!("{kind} {game}"));
                    assert!(may_lack.contains(&name), "{name}: a file is missing");
                    without.push(name);
                    continue;
                };
                let words = format!("{} --out new.txt", header.command);
                let words: Vec<String> = words.split(' ').map(str::to_string).collect();
                assert_eq!(words[0], "fit");
                match arguments::read(&words[1..], RECIPES) {
                    Ok(Asked::Fit(task)) => assert_eq!(task.recipe.name, name),
                    _ => panic!("`{}` asks for no fit", header.command),
                }
                recipes.retain(|recipe| *recipe != name);
            }
        }
        recipes.retain(|recipe| {
            !(recipe.starts_with("search") && without.iter().any(|name| name == recipe))
        });
        assert!(recipes.is_empty(), "recipes without a file: {recipes:?}");
    }

    #[test]
    fn the_words_of_a_task_ask_for_it_again() {
        let words = "pente --data a --seed 7 --out b --data c --share 9";
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        let Ok(Asked::Fit(task)) = arguments::read(&words, RECIPES) else {
            panic!("the words ask for a fit");
        };
        assert_eq!(
            task.command(),
            "fit pente --data a --data c --games 2500 --nodes 1000 --seed 7 --share 9"
        );
    }
}
