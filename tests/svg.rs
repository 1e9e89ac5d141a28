//! `display svg`: one line of well-formed XML for every game, with the last
//! move and the winning row; the pictures in `pictures/` match the output.

mod support;

use quintet::internals::session::catalogue::GameInfo;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use support::Engine;

/// The picture, after these commands.
fn draw(engine: &mut Engine, commands: &[&str]) -> String {
    for command in commands {
        assert_eq!(engine.ask(command), [""; 0], "{command}");
    }
    let lines = engine.ask("display svg");
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0]
        .strip_prefix("svg ")
        .expect("a picture")
        .to_string()
}

/// Parses XML as far as the pictures use it: elements, attributes in double
/// quotes, text. Returns the number of elements of each name.
fn elements(xml: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while !rest.is_empty() {
        let Some(tag) = rest.strip_prefix('<') else {
            let end = rest.find('<').expect("a tag after the text");
            let text = &rest[..end];
            assert!(!open.is_empty() && !text.contains(['>', '&']), "{text}");
            rest = &rest[end..];
            continue;
        };
        let end = tag.find('>').expect("the end of a tag");
        let (tag, after) = (&tag[..end], &tag[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            assert!(!open.is_empty() || rest.is_empty(), "one root element");
            continue;
        }
        let (tag, empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut seen = Vec::new();
        while !attributes.trim_start().is_empty() {
            let (attribute, value) = attributes.split_once("=\"").expect("name=\"value\"");
            let (value, more) = value.split_once('"').expect("the end of a value");
            let attribute = attribute.trim_start();
            assert!(
                attribute
                    .bytes()
                    .all(|b| b.is_ascii_alphabetic() || b == b'-')
            );
            assert!(!seen.contains(&attribute), "{attribute} twice in {tag}");
            assert!(
                !value.contains(['<', '&']) && !value.contains("NaN"),
                "{tag}"
            );
            seen.push(attribute);
            attributes = more;
        }
        *counts.entry(name.to_string()).or_insert(0) += 1;
        if !empty {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    counts
}

#[test]
fn every_game_is_drawn_as_xml_on_one_line() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.ask("setoption name Level value random");
    engine.ask("setoption name Seed value 1");
    for game in GameInfo::all() {
        for flip in ["false", "true"] {
            draw(
                &mut engine,
                &[
                    &format!("setoption name Flip value {flip}"),
                    &format!("newgame {}", game.name),
                ],
            );
            for _ in 0..30 {
                engine.send("go depth 1");
                let said = engine.receive_until("bestmove *");
                let best = said.last().expect("bestmove").replace("bestmove ", "");
                if best == "none" {
                    break;
                }
                let before = draw(&mut engine, &[]);
                let after = draw(&mut engine, &[&format!("moves {best}")]);
                assert!(after != before);
                assert!(after.starts_with("<svg xmlns=") && after.ends_with("</svg>"));
                assert_eq!(elements(&after)["svg"], 1);
            }
        }
    }
}

/// The number of times a colour is drawn.
fn count(svg: &str, colour: &str) -> usize {
    svg.matches(colour).count()
}

#[test]
fn stones_last_moves_and_winning_rows_are_marked() {
    const MOVE: &str = "#1e90ff";
    const WIN: &str = "#17c653";
    let mut engine = Engine::start::<&str>(&[]);
    // Commands, then marks of the last move and of winning stones.
    let cases: [(&[&str], usize, usize); 13] = [
        (&["newgame gomoku"], 0, 0),
        (&["newgame gomoku", "moves h8"], 1, 0),
        // Two rows of three that share a stone.
        (
            &[
                "newgame gomoku size 5 line 3",
                "position fen 5/5/b4/b4/1bb2 w",
            ],
            0,
            0,
        ),
        (
            &[
                "newgame gomoku size 5 line 3",
                "position fen 5/5/b4/b4/1bb2 b moves a1",
            ],
            1,
            6,
        ),
        (
            &[
                "newgame gomoku size 5 line 3 rule standard",
                "position fen bbb2/5/5/5/bbbb1 w",
            ],
            0,
            3,
        ),
        (
            &[
                "newgame gomoku width 7 height 4 line 4",
                "position fen 3b3/4b2/5b1/7 w moves a1 g1",
            ],
            1,
            4,
        ),
        (&["newgame pentago", "moves 1-cw-tl"], 3, 0),
        (
            &["newgame pentago", "position fen bbbb2/6/6/6/6/6 b moves 5"],
            1,
            5,
        ),
        (
            &["newgame pentago", "position fen bbbbb1/6/6/6/6/1rrrrr b"],
            0,
            10,
        ),
        (&["newgame teeko", "position fen bb3/b4/rr3/rr3/5 b"], 0, 4),
        (&["newgame dagennacht", "moves b1 d1 b1-a1"], 3, 0),
        (
            &[
                "newgame dagennacht size 11 restriction on",
                "position fen 11/11/11/11/11/11/11/11/b10/11/bbbbb6 w",
            ],
            0,
            5,
        ),
        (
            &[
                "newgame pente tournament off size 9",
                "position fen 9/9/9/9/2wbb4/9/9/9/9 w 8 0 moves f5",
            ],
            1,
            0,
        ),
    ];
    for (commands, moves, wins) in cases {
        let svg = draw(&mut engine, commands);
        assert_eq!(count(&svg, MOVE), moves, "{commands:?}");
        assert_eq!(count(&svg, WIN), wins, "{commands:?}");
    }
}

/// An oblong board is as wide as its columns and as high as its rows, with a
/// name for each of them on both sides.
#[test]
fn oblong_boards_have_the_names_of_all_columns_and_rows() {
    let mut engine = Engine::start::<&str>(&[]);
    for (game, width, height) in [
        ("newgame gomoku width 7 height 4 line 4", 7, 4),
        ("newgame gomoku width 3 height 16", 3, 16),
    ] {
        for flip in ["false", "true"] {
            let flip = format!("setoption name Flip value {flip}");
            let svg = draw(&mut engine, &[game, &flip, "moves a1"]);
            let extent = |cells: usize, more: usize| cells * 40 + 2 * 32 + more;
            let (across, up) = (extent(width, 0), extent(height, 26));
            assert!(
                svg.contains(&format!("viewBox=\"0 0 {across} {up}\"")),
                "{svg}"
            );
            for column in 0..22 {
                let name = format!(">{}</text>", (b'a' + column as u8) as char);
                assert_eq!(count(&svg, &name), if column < width { 2 } else { 0 });
            }
            for row in 0..22 {
                let name = format!(">{}</text>", row + 1);
                assert_eq!(count(&svg, &name), if row < height { 2 } else { 0 });
            }
        }
    }
}

#[test]
fn the_pictures_of_the_readme_are_what_is_drawn() {
    let folder = "tests/pictures";
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let list = fs::read_to_string(pictures.join("pictures.txt")).expect("the list");
    let readme = fs::read_to_string("README.md").expect("the page");
    let mut drawn = 0;
    for line in list.lines().filter(|l| !l.starts_with('#')) {
        let (file, commands) = line.split_once(' ').expect("a file and its commands");
        let mut commands: Vec<&str> = commands.split(" | ").collect();
        assert_eq!(commands.pop(), Some("display svg"));
        let mut engine = Engine::start::<&str>(&[]);
        let svg = draw(&mut engine, &commands);
        let stored = fs::read_to_string(pictures.join(file)).expect(file);
        assert!(
            stored.trim_end() == svg,
            "{folder}/{file} is not what is drawn now"
        );
        assert!(readme.contains(&format!("{folder}/{file}")), "{file}");
        drawn += 1;
    }
    assert_eq!(drawn, GameInfo::all().len());
}
