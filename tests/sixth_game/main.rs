//! A game from outside the list: Connect Four obeys the laws, is evaluated,
//! searched and played like the games of the list, and its missing entries are
//! reported as for a game in the list.

#[path = "../common/mod.rs"]
mod common;
mod connectfour;
#[path = "../laws/laws.rs"]
mod laws;
#[path = "../games_list/lists.rs"]
mod lists;
mod row;
mod solver;
mod talk;

use common::{fen, moves, position};
use connectfour::{Board, ConnectFour};
use quintet::internals::game::Game;
use quintet::internals::games::Visitor;
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Outcome, Position, Side, perft};
use quintet::internals::session::catalogue::GameInfo;
use quintet::internals::zobrist;
use solver::Solver;
use std::process::Command;
use talk::talk;

/// The list that holds this game alone.
struct Sixth;

impl laws::List for Sixth {
    fn visit(visitor: &mut impl Visitor) {
        visitor.visit::<ConnectFour>();
    }

    fn info(_: &str) -> GameInfo {
        GameInfo::of::<ConnectFour>()
    }
}

laws::laws_for!(Sixth);

fn rules() -> OptionValues {
    OptionValues::defaults(ConnectFour::OPTIONS)
}

fn at(fen: &str) -> Result<Board, String> {
    position::<ConnectFour>(&rules(), fen)
}

/// Plays random moves from the start, determined by the seed.
fn random_game(seed: u64, plies: u64) -> Board {
    let mut board = Board::new();
    for ply in 0..plies {
        let legal = moves(&board);
        let Some(n) = zobrist::key(1000 * seed + ply).checked_rem(legal.len() as u64) else {
            break;
        };
        board.play(legal[n as usize]);
    }
    board
}

#[test]
fn its_trees_have_the_known_size() {
    let counts = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, nodes) in (1..).zip(counts) {
        let found = perft(&mut Board::new(), depth, &mut |_| false);
        assert_eq!(found, Some(nodes), "depth {depth}");
    }
}

#[test]
fn what_cannot_be_a_position_is_refused() {
    for (text, why) in [
        ("7/7/7/7/y6/7 r", "a disc has nothing below it"),
        ("7/7/7/7/yyyy3/rrrr3 y", "both sides have four in a row"),
        (
            "7/7/7/7/7/6 y",
            "row 6 from the top: expected 7 cells, found 6",
        ),
        ("7/7/7/7/7 y", "expected 6 rows of 7 cells, found 5"),
    ] {
        assert_eq!(at(text).map(|_| ()), Err(why.to_string()), "{text}");
    }
}

#[test]
fn moves_are_the_cells_where_discs_come_to_lie() {
    let board = at("3y3/3r3/3y3/3r3/3y3/3r2y y").expect("a position");
    let read = |text| ConnectFour::read_move(&board, text);
    assert_eq!(read("G2").map(|m| m.code()), Ok(13));
    for (text, why) in [
        ("g1", "a disc in this column comes to lie on g2"),
        ("g3", "a disc in this column comes to lie on g2"),
        ("d7", "outside the board: cells go from a1 to g6"),
        ("d6", "the column is full"),
    ] {
        assert_eq!(read(text), Err(why.to_string()), "{text}");
    }
}

#[test]
fn rows_win_in_every_direction_and_a_full_board_draws() {
    for (text, played, outcome) in [
        ("7/7/7/7/7/yyy4 y", "d1", Some(Outcome::Win(Side::First))),
        ("7/7/7/r6/r6/r6 r", "a4", Some(Outcome::Win(Side::Second))),
        (
            "7/7/7/2yr3/1yrr3/yrry3 y",
            "d4",
            Some(Outcome::Win(Side::First)),
        ),
        (
            "7/7/y6/ry5/rry4/ryr4 y",
            "d1",
            Some(Outcome::Win(Side::First)),
        ),
        // A line does not continue from the top of one column into the next.
        ("7/y6/y6/y6/r6/r6 y", "b1", None),
        (
            "yryryr1/yryryry/ryryryr/yryryry/yryryry/ryryryr y",
            "g6",
            Some(Outcome::Draw),
        ),
    ] {
        let mut board = at(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(board.outcome(), None, "{text}");
        let m = ConnectFour::read_move(&board, played).expect(played);
        board.play(m);
        assert_eq!(board.outcome(), outcome, "{text} {played}");
    }
}

/// The session's own search, in words.
#[test]
fn it_is_played_through_the_engine() {
    let said = talk(&[
        "position startpos moves d1 d2 d3",
        "query fen",
        "query moves",
        "moves d5",
        "moves d4 e1",
        "undo 2",
        "query turn",
        "threatening",
        "position fen 7/7/7/7/1rr4/1yyy3 r moves a1",
        "threatening",
        "query result",
        "go depth 6",
        "moves e1",
        "query result",
        "go depth 6",
        "perft 2",
        "display",
    ]);
    let due = [
        "response 7/7/7/3y3/3r3/3y3 r",
        "response a1 b1 c1 d4 e1 f1 g1",
        "error move 'd5': a disc in this column comes to lie on d4",
        "response red",
        "threatening 0",
        "threatening 0",
        "response none",
        "info depth * score mate 1 proven *",
        "bestmove e1",
        "response p1win",
        "info depth 0 score mate 0 proven*",
        "bestmove none",
        "perft 2 nodes 0 *",
        "     a   b   c   d   e   f   g",
        "   ┌───┬───┬───┬───┬───┬───┬───┐",
        " 6 │   │   │   │   │   │   │   │ 6",
        "   ├───┼───┼───┼───┼───┼───┼───┤",
        " 5 │   │   │   │   │   │   │   │ 5",
        "   ├───┼───┼───┼───┼───┼───┼───┤",
        " 4 │   │   │   │   │   │   │   │ 4",
        "   ├───┼───┼───┼───┼───┼───┼───┤",
        " 3 │   │   │   │   │   │   │   │ 3",
        "   ├───┼───┼───┼───┼───┼───┼───┤",
        " 2 │   │ ○ │ ○ │   │   │   │   │ 2",
        "   ├───┼───┼───┼───┼───┼───┼───┤",
        " 1 │ ○ │ ● │ ● │ ● │ ● │   │   │ 1",
        "   └───┴───┴───┴───┴───┴───┴───┘",
        "     a   b   c   d   e   f   g",
        "game: connectfour",
        "result: yellow wins",
        "fen: 7/7/7/7/1rr4/ryyyy2 r",
    ];
    let mut left = said.iter();
    for pattern in due {
        let found = left.find(|line| quintet_protocol::transcript::matches(pattern, line));
        assert!(found.is_some(), "{pattern:?} in {said:#?}");
    }
}

/// The option `Game` lists the engine's own games; those that are not in the list of this
/// process cannot be chosen.
#[test]
fn a_game_that_is_not_in_the_list_is_refused() {
    let said = talk(&[
        "setoption name Game value pente",
        "query options",
        "query fen",
    ]);
    let refused = "error option there is no game 'pente': expected one of connectfour";
    assert_eq!(said[0], refused);
    assert!(said[1].contains(" Game=connectfour "), "{}", said[1]);
    assert_eq!(said[2], "response 7/7/7/7/7/7 y");
}

/// The examples on its page.
#[test]
fn its_page_is_true() {
    let blocks = quintet_protocol::extract_transcripts(ConnectFour::PAGE);
    assert_eq!(blocks.len(), 3);
    for (line, block) in blocks {
        let begun = |mark: &'static str| block.lines().filter_map(move |l| l.strip_prefix(mark));
        let said = talk(&begun("> ").collect::<Vec<_>>());
        let due: Vec<&str> = begun("< ").collect();
        assert_eq!(said.len(), due.len(), "block at {line}: {said:#?}");
        for (said, due) in said.iter().zip(due) {
            assert!(
                quintet_protocol::transcript::matches(due, said),
                "{due}: {said}"
            );
        }
    }
    let page = talk(&["help connectfour"]);
    assert_eq!(page[0], "Connect Four");
    assert_eq!(
        page.last().map(String::as_str),
        Some("  no rules to choose")
    );
}

/// Positions late enough for plain negamax: the search gives the same value,
/// and a mate distance that is at most the true limit.
#[test]
fn the_search_finds_what_is_there() {
    let mut solver = Solver::default();
    let mut decided = 0;
    for seed in 0..60 {
        let mut board = random_game(seed, 24);
        if board.outcome().is_some() {
            continue;
        }
        let value = solver.value(&mut board);
        let put = format!("position fen {}", fen::<ConnectFour>(&board));
        let said = talk(&[&put, "go depth 18"]);
        let last = score(&said);
        let words: Vec<&str> = last.split(' ').collect();
        let plies = match words[0] {
            "mate" => words[1].parse().expect("a number"),
            _ => 0,
        };
        assert_eq!(i32::signum(plies), value.signum(), "{put}: {value}, {last}");
        assert_eq!(words[2], "proven", "{put}: {last}");
        // A value is the number of plies left when the game is over.
        let left = board.plies_left().expect("bounded") as i32;
        let exact = left + 1 - value.abs();
        assert!(plies == 0 || plies.abs() >= exact, "{put}: {exact}, {last}");
        decided += i32::from(value != 0);
    }
    assert!(decided > 15, "{decided}");
}

#[test]
fn the_first_move_is_in_the_centre() {
    for depth in [12, 15, 18] {
        let said = talk(&[&format!("go depth {depth}")]);
        let last = said.last().map(String::as_str);
        assert_eq!(last, Some("bestmove d1"), "{said:#?}");
    }
}

/// The last value of a search, without the line.
fn score(said: &[String]) -> &str {
    let last = said.iter().rfind(|line| line.contains(" score "));
    let (_, score) = last
        .and_then(|line| line.split_once(" score "))
        .expect("one");
    score.split(" wdl ").next().unwrap_or(score)
}

/// Twenty-eight plies before the board is full.
#[test]
fn the_win_is_proven_from_the_middle_of_the_game() {
    let line = "moves d1 d2 d3 d4 d5 d6 c1 e1 e2 e3 e4 b1 f1 c2";
    let said = talk(&[line, "go depth 28"]);
    let score = score(&said);
    assert!(
        score.starts_with("mate ") && score.ends_with(" proven"),
        "{score}"
    );
    assert!(!score.contains('-'), "{score}");
}

/// The win that J. D. Allen and L. V. Allis found in 1988, with four plies
/// played: a hundred million nodes. From the empty board seven hundred million
/// nodes lead to depth 41 without a proof.
#[test]
#[ignore = "minutes: cargo test --release --test sixth_game -- --ignored first_player"]
fn the_first_player_wins_with_his_last_disc() {
    let said = talk(&[
        "setoption name Hash value 1024",
        "moves d1 d2 d3 d4",
        "go depth 38",
    ]);
    assert_eq!(score(&said), "mate 37 proven", "{said:#?}");
}

/// With its row in the list it is available on the command line, in all
/// dialects and for all commands.
#[test]
#[ignore = "builds the engine anew: cargo test --test sixth_game -- --ignored row"]
fn a_folder_and_a_row_are_enough() {
    let engine = row::build();
    let said = |arguments: &[&str]| {
        let output = Command::new(&engine).args(arguments).output();
        let output = output.expect("the engine starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for (arguments, due) in [
        (&["--help"][..], "connectfour"),
        (
            &["--game", "connectfour", "query fen"],
            "response 7/7/7/7/7/7 y",
        ),
        (&["ugi"], " var teeko var connectfour\n"),
        (&["newgame connectfour", "perft 6"], "perft 6 nodes 117649 "),
        (&["newgame connectfour", "go depth 6"], "bestmove d1"),
        (
            &[
                "newgame connectfour",
                "setoption name Level value random",
                "go",
            ],
            "bestmove ",
        ),
        (
            &[
                "newgame connectfour",
                "setoption name Level value classic",
                "go",
            ],
            "error option Connect Four has no level classic",
        ),
        (
            &[
                "--uci",
                "setoption name UCI_Variant value connectfour",
                "go depth 6",
            ],
            "bestmove d1",
        ),
        (
            &["newgame connectfour", "moves d1", "display svg"],
            "Connect Four: red to move",
        ),
    ] {
        let found = said(arguments);
        assert!(found.contains(due), "{arguments:?}: {found}");
    }
    // The front end of scripts/, which knows no game, plays this one too.
    let page = Command::new("python3")
        .args(["-m", "unittest", "-q", "test_page.py"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("QUINTET", &engine)
        .status();
    assert!(page.expect("python3").success());
}

/// The row that this game would have in the list asks for just this.
#[test]
fn the_lists_say_what_they_lack() {
    let gaps = lists::gaps::<ConnectFour>();
    let due = [
        "quintet --help: does not name Connect Four",
        "quintet --help: --game does not name `connectfour`",
        "src/bench.txt: no position of `connectfour`",
        "README.md: the introduction does not name **Connect Four**",
        "README.md: the table of games has no row `| Connect Four | `newgame connectfour …`",
        "README.md: there is no picture ![Connect Four](…/connectfour.svg)",
        "Cargo.toml: the description does not name Connect Four",
        "protocol/README.md: UCI_Variant does not name `connectfour`",
        "tests/pictures/pictures.txt: no line `connectfour.svg newgame connectfour …`",
        "tests/data/traces.jsonl: no recorded game of `connectfour`",
        "scripts/quintet/rules.py: GAMES has no `connectfour`",
        "scripts/soak.py: RULES has no `connectfour`",
    ];
    assert_eq!(gaps, due);
    assert_eq!(lists::folder_gaps("tests/sixth_game/connectfour"), [""; 0]);
}
