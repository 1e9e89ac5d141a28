//! Adding a game is one folder and one row in `src/games.rs`. Everything else
//! that names the games is generated from that list or checked against it here:
//! a failure says what is missing, and where.

mod lists;

use quintet::internals::game::Game;
use quintet::internals::games::{self, NAMES, Visitor};
use std::fs;
use std::path::Path;

#[test]
fn every_list_of_games_names_them_all() {
    struct Look(Vec<String>);
    impl Visitor for Look {
        fn visit<G: Game>(&mut self) {
            self.0.extend(lists::gaps::<G>());
        }
    }
    let mut look = Look(Vec::new());
    games::visit(&mut look);
    assert!(look.0.is_empty(), "\n{}\n", look.0.join("\n"));
}

#[test]
fn every_game_has_its_rooms() {
    let folders = NAMES.iter().map(|name| format!("src/games/{name}"));
    let gaps: Vec<String> = folders.flat_map(|f| lists::folder_gaps(&f)).collect();
    assert!(gaps.is_empty(), "\n{}\n", gaps.join("\n"));
}

/// A folder that is not in the list would be dead code.
#[test]
fn every_folder_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let listed = NAMES.contains(&name.as_str()) || !entry.path().is_dir();
        assert!(listed, "src/games.rs has no row for src/games/{name}");
    }
}

/// `bench` skips lines that it cannot read.
#[test]
fn every_line_of_the_bench_is_searched() {
    for line in include_str!("../../src/bench.txt").lines() {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [_, _, depth] = fields[..] else {
            panic!("src/bench.txt: three fields, not `{line}`");
        };
        let game = lists::bench_game(line);
        assert!(NAMES.contains(&game), "src/bench.txt: no game `{game}`");
        let depth: u32 = depth.parse().unwrap_or(0);
        assert!(depth > 0, "src/bench.txt: no depth in `{line}`");
    }
}
