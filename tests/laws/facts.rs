//! What `query` and `display json` say, held against each other and against
//! play. The client here knows the words of the protocol and no game.

use super::{Law, choose};
use crate::common::moves;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::game::Game;
use quintet::internals::options::{self, OptionValues};
use quintet::internals::position::{Outcome, Position};
use quintet::internals::session::Session;
use quintet::internals::session::catalogue::GameInfo;
use quintet::internals::session::query::{Entry, QUERIES, Query};
use quintet::internals::settings;
use quintet_protocol::{Base, Command, ErrorCode, ProtocolError, parse_command};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A game in play, spoken to in words.
struct Client {
    session: Box<dyn Session>,
    board: Board,
}

/// What `query board` says.
#[derive(Clone, Debug, Default, PartialEq)]
struct Board {
    columns: usize,
    rows: usize,
    grid: String,
    /// Name, letter and colour of the first and of the second player.
    sides: Vec<[String; 3]>,
    hand: Option<[usize; 2]>,
    cells: Vec<String>,
    shaded: Vec<String>,
    blocks: BTreeMap<String, Vec<String>>,
}

/// Whose stone is on which cell.
type Stones = BTreeMap<String, String>;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// A list in an answer, in which `none` is an empty one.
fn listed<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    match text {
        "none" => Vec::new(),
        _ => text.split(separator).collect(),
    }
}

impl Board {
    fn read(text: &str) -> Board {
        const FIELDS: [&str; 9] = [
            "columns", "rows", "grid", "first", "second", "hand", "cells", "shaded", "block",
        ];
        let mut board = Board::default();
        let mut groups: Vec<Vec<String>> = Vec::new();
        for word in words(text) {
            match FIELDS.contains(&word.as_str()) {
                true => groups.push(vec![word]),
                false => groups.last_mut().expect("a field first").push(word),
            }
        }
        for group in groups {
            let number = |i: usize| group[i].parse::<usize>().expect("a number");
            match group[0].as_str() {
                "columns" => board.columns = number(1),
                "rows" => board.rows = number(1),
                "grid" => board.grid = group[1].clone(),
                "first" | "second" => board.sides.push([1, 2, 3].map(|i| group[i].clone())),
                "hand" => board.hand = Some([number(1), number(2)]),
                "cells" => board.cells = group[1..].to_vec(),
                "shaded" => board.shaded = group[1..].to_vec(),
                _ => {
                    board.blocks.insert(group[1].clone(), group[2..].to_vec());
                }
            }
        }
        board
    }

    /// Plays the words of an effect on the stones; returns how the game ends.
    fn apply(&self, effects: &str, stones: &mut Stones) -> Option<String> {
        const STARTS: [&str; 7] = ["place", "move", "rotate", "remove", "win", "draw", "loss"];
        let mut groups: Vec<Vec<String>> = Vec::new();
        for word in words(effects) {
            match STARTS.contains(&word.as_str()) {
                true => groups.push(vec![word]),
                false => groups.last_mut().expect("a verb first").push(word),
            }
        }
        let mut end = None;
        for group in groups {
            match group[0].as_str() {
                "place" => {
                    let before = stones.insert(group[2].clone(), group[1].clone());
                    assert_eq!(before, None, "{effects}");
                }
                "move" => {
                    let moved = stones.remove(&group[2]);
                    assert_eq!(moved.as_ref(), Some(&group[1]), "{effects}");
                    assert_eq!(stones.insert(group[3].clone(), group[1].clone()), None);
                }
                "rotate" => {
                    let (cells, before) = (&self.blocks[&group[1]], stones.clone());
                    let edge = cells.len().isqrt();
                    for (i, cell) in cells.iter().enumerate() {
                        // A clockwise turn brings the left column to the top row.
                        let (row, column) = (i / edge, i % edge);
                        let from = match group[2].as_str() {
                            "cw" => (edge - 1 - column) * edge + row,
                            "ccw" => column * edge + edge - 1 - row,
                            other => panic!("{effects}: {other}"),
                        };
                        stones.remove(cell);
                        if let Some(owner) = before.get(&cells[from]) {
                            stones.insert(cell.clone(), owner.clone());
                        }
                    }
                }
                "remove" => {
                    for cell in &group[1..] {
                        assert!(stones.remove(cell).is_some(), "{effects}: {cell}");
                    }
                }
                other => end = Some(other.to_string()),
            }
        }
        end
    }

    /// The first field of a FEN with these stones.
    fn fen(&self, stones: &Stones) -> String {
        let letter = |owner: &String| {
            let side = self.sides.iter().find(|s| s[0] == *owner);
            side.expect("a side")[1].clone()
        };
        let mut rows = Vec::new();
        for row in self.cells.chunks(self.columns) {
            let (mut text, mut gap) = (String::new(), 0);
            for cell in row {
                match stones.get(cell) {
                    None => gap += 1,
                    Some(owner) => {
                        if gap > 0 {
                            text += &gap.to_string();
                        }
                        text += &letter(owner);
                        gap = 0;
                    }
                }
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            rows.push(text);
        }
        rows.join("/")
    }
}

impl Client {
    fn open(info: &GameInfo, rules: &OptionValues) -> Client {
        let settings = OptionValues::defaults(settings::OPTIONS);
        let session = info.open(rules, &settings);
        let session = session.expect("rules that fit");
        let mut client = Client {
            session,
            board: Board::default(),
        };
        client.board = Board::read(&client.ask("board"));
        client
    }

    fn try_to_ask(&self, question: &str) -> Result<String, ProtocolError> {
        let words = words(question);
        match Entry::find(&words[0], &words[1..])?.query {
            Query::Fact(fact) => self.session.query(fact, &words[1..]),
            other => panic!("{other:?} is none for a session"),
        }
    }

    fn ask(&self, question: &str) -> String {
        self.try_to_ask(question)
            .unwrap_or_else(|e| panic!("{question}: {e}"))
    }

    fn stones(&self) -> Stones {
        let text = self.ask("stones");
        let (lists, _) = text.split_once("turn ").expect("the side to move");
        let mut stones = Stones::new();
        let mut owner = String::new();
        for word in words(lists) {
            match self.board.sides.iter().any(|side| side[0] == word) {
                true => owner = word,
                false => assert_eq!(stones.insert(word, owner.clone()), None, "{text}"),
            }
        }
        stones
    }

    /// `position` with these words.
    fn set_position(&mut self, text: &str) -> Result<(), ProtocolError> {
        match parse_command(&format!("position {text}")) {
            Ok(Some(Command::Position { base, moves })) => self.session.set_position(&base, &moves),
            other => panic!("{text}: {other:?}"),
        }
    }

    /// Every answer about the position in play.
    fn everything(&self) -> Vec<String> {
        let facts = QUERIES.iter().filter(|q| matches!(q.query, Query::Fact(_)));
        let answers = facts.map(|q| match self.try_to_ask(q.name) {
            Ok(answer) => format!("{}: {answer}", q.name),
            Err(e) => {
                assert_eq!(e.code(), ErrorCode::State, "{}", q.name);
                format!("{}: {e}", q.name)
            }
        });
        answers.collect()
    }
}

/// The geometry is whole, and agrees with the FEN.
fn board_laws(client: &Client, start: &Board) -> TestCaseResult {
    let board = Board::read(&client.ask("board"));
    let stones = client.stones();
    prop_assert_eq!(board.cells.len(), board.columns * board.rows);
    let mut cells = board.cells.clone();
    cells.sort();
    cells.dedup();
    prop_assert_eq!(cells.len(), board.cells.len(), "a name twice");
    let known = |cell: &String| board.cells.contains(cell);
    prop_assert!(stones.keys().all(known) && board.shaded.iter().all(known));
    if !board.blocks.is_empty() {
        let mut in_blocks: Vec<String> = board.blocks.values().flatten().cloned().collect();
        in_blocks.sort();
        prop_assert_eq!(&in_blocks, &cells, "each cell is in one block");
    }
    let fen = client.ask("fen");
    prop_assert!(
        fen.starts_with(&format!("{} ", board.fen(&stones))),
        "{}",
        fen
    );
    // What a side has in hand and on the board is always the same.
    for i in 0..2 {
        let on_board = stones.values().filter(|&owner| *owner == board.sides[i][0]);
        let hand = board.hand.map(|hand| hand[i] + on_board.count());
        prop_assert_eq!(hand, start.hand.map(|hand| hand[i]), "{}", fen);
    }
    let same = Board {
        hand: start.hand,
        ..board
    };
    prop_assert_eq!(&same, start, "the board has changed");
    Ok(())
}

/// Each answer that a command reads leads back to this position.
fn round_trips<G: Game>(info: &GameInfo, client: &Client, rules: &OptionValues) -> TestCaseResult {
    let row = words(&client.ask("rules"));
    prop_assert_eq!(&row[0], G::NAME);
    let mut values = rules.clone();
    for spec in G::OPTIONS.iter().filter(|s| s.rule) {
        values.set(spec, spec.default().expect("a rule has a value"));
    }
    for pair in row[1..].chunks(2) {
        let spec = options::find(G::OPTIONS, &pair[0]).expect("an option");
        prop_assert!(spec.rule);
        values.set(spec, spec.read(&pair[1]).expect("a value"));
    }
    prop_assert!(G::same_rules(&values, rules), "{:?} {:?}", values, rules);

    let here = client.everything();
    let mut other = Client::open(info, &values);
    let history = client.ask("history");
    prop_assert!(other.set_position(&history).is_ok(), "{}", history);
    prop_assert_eq!(other.everything(), here);

    let fen = client.ask("fen");
    let base = Base::Fen(fen.clone());
    prop_assert!(other.session.set_position(&base, &[]).is_ok(), "{}", fen);
    let set_up = other.everything();
    let stones = client.ask("stones");
    let read = other.set_position(&format!("stones {stones}"));
    prop_assert!(read.is_ok(), "{}: {:?}", stones, read);
    prop_assert_eq!(other.everything(), set_up);
    Ok(())
}

/// The effects of the moves are what playing them does. Of many moves only
/// some are played, among them all that end the game.
fn effects_laws(client: &mut Client, choice: u16) -> TestCaseResult {
    let (legal, all) = (client.ask("moves"), client.ask("effects"));
    let (legal, all) = (listed(&legal, " "), listed(&all, " ; "));
    prop_assert_eq!(legal.len(), all.len());
    let mover = client.ask("turn");
    let before = client.everything();
    let stones = client.stones();
    let step = 1 + legal.len() / 8;
    let mut wins = Vec::new();
    for (i, (m, effects)) in legal.iter().zip(&all).enumerate() {
        let mut expected = stones.clone();
        let end = client.board.apply(effects, &mut expected);
        if end.as_deref() == Some("win") {
            wins.push(*m);
        }
        if i % step != usize::from(choice) % step && end.is_none() {
            continue;
        }
        prop_assert_eq!(&client.ask(&format!("effects {m}")), effects);
        let played = client.session.play(&[m.to_string()]);
        prop_assert!(played.is_ok(), "{}: {:?}", m, played);
        prop_assert_eq!(&client.stones(), &expected, "{}: {}", m, effects);
        let first = client.board.sides[0][0] == mover;
        let reached = match (client.ask("result").as_str(), first) {
            ("none", _) => None,
            ("draw", _) => Some("draw"),
            ("p1win", true) | ("p2win", false) => Some("win"),
            _ => Some("loss"),
        };
        prop_assert_eq!(end.as_deref(), reached, "{}: {}", m, effects);
        let last = client.ask("last");
        let at = last.split(' ').nth(2).unwrap_or("");
        prop_assert_eq!(&last, &format!("{m} at {at} {effects}"));
        let there = expected.get(at) == Some(&mover);
        let gone = effects.split(" remove ").nth(1).unwrap_or("");
        prop_assert!(there || gone.split(' ').any(|cell| cell == at), "{}", last);
        prop_assert!(client.session.undo(1).is_ok());
        let fen = format!("fen: {}", client.ask("fen"));
        prop_assert!(before.contains(&fen), "{} taken back: {}", m, fen);
    }
    // All that is said of the position, once: it takes as long as playing a hundred moves.
    prop_assert_eq!(client.everything(), before);
    let said = client.ask("wins");
    prop_assert_eq!(listed(&said, " "), wins);
    Ok(())
}

/// The moves that win at once, by brute force.
fn wins_laws<G: Game>(client: &Client, p: &G::Position) -> TestCaseResult {
    for (i, side) in client.board.sides.iter().enumerate() {
        let name = &side[0];
        let said = client.ask(&format!("wins {name}"));
        prop_assert_eq!(
            &client.ask(&format!("wins {}", side[1].to_uppercase())),
            &said
        );
        let mut expected = Vec::new();
        if client.ask("gameover") == "false" {
            let mut p = p.clone();
            if p.side_to_move().index() != i {
                p.pass();
            }
            for m in moves(&p) {
                let mover = p.side_to_move();
                let mut after = p.clone();
                after.play(m);
                if after.outcome() == Some(Outcome::Win(mover)) {
                    expected.push(G::write_move(&p, m));
                }
            }
        }
        prop_assert_eq!(
            listed(&said, " "),
            expected.clone(),
            "{}",
            client.ask("fen")
        );
        // In Pentago `threatening` counts rows.
        if client.board.blocks.is_empty() {
            let other = &client.board.sides[1 - i][0];
            let count = client.session.threatening(Some(other));
            prop_assert_eq!(count.ok(), Some(expected.len() as u32));
        }
    }
    Ok(())
}

/// Winning rows belong to the winner, or to both sides.
fn winning_laws<G: Game>(client: &Client) -> TestCaseResult {
    let (said, stones) = (client.ask("winning"), client.stones());
    let cells = listed(&said, " ");
    let mut distinct = cells.clone();
    distinct.sort_unstable();
    distinct.dedup();
    prop_assert_eq!(distinct.len(), cells.len(), "{}", said);
    let mut owners: Vec<&String> = cells.iter().filter_map(|&cell| stones.get(cell)).collect();
    prop_assert_eq!(owners.len(), cells.len(), "{}: an empty cell", said);
    owners.sort();
    owners.dedup();
    let winner = match client.ask("result").as_str() {
        "p1win" => Some(&client.board.sides[0][0]),
        "p2win" => Some(&client.board.sides[1][0]),
        "draw" => {
            prop_assert!(owners.is_empty() || owners.len() == 2, "{}", said);
            None
        }
        _ => {
            prop_assert_eq!(&said, "none");
            None
        }
    };
    if let Some(winner) = winner {
        // Where numbers are kept beside the board, they may win too.
        let by_row = owners == [winner];
        prop_assert!(
            by_row || G::EXTRA.is_some() && owners.is_empty(),
            "{}",
            said
        );
    }
    Ok(())
}

/// An effect in words as `display json` has it.
fn deed_json(m: &str, effects: &str) -> Value {
    let mut fields = json!({ "move": m });
    let words: Vec<&str> = effects.split(' ').collect();
    let mut at = 0;
    while at < words.len() {
        let take = |n: usize| words[at + n].to_string();
        match words[at] {
            "place" => {
                fields["player"] = take(1).into();
                fields["to"] = take(2).into();
                at += 3;
            }
            "move" => {
                fields["player"] = take(1).into();
                fields["from"] = take(2).into();
                fields["to"] = take(3).into();
                at += 4;
            }
            "rotate" => {
                fields["rotate"] = json!({ "block": take(1), "direction": take(2) });
                at += 3;
            }
            "remove" => {
                let ends = |w: &&&str| ["win", "draw", "loss"].contains(*w);
                let rest = &words[at + 1..];
                let gone: Vec<&&str> = rest.iter().take_while(|w| !ends(w)).collect();
                fields["remove"] = json!(gone);
                at += 1 + gone.len();
            }
            end => {
                fields["end"] = end.into();
                at += 1;
            }
        }
    }
    fields
}

/// `display json` says what the queries say.
fn json_laws<G: Game>(client: &Client) -> TestCaseResult {
    let said = Value::Object(client.session.json());
    let said: Value = serde_json::from_str(&said.to_string()).expect("JSON");
    let ask = |question: &str| client.ask(question);
    for name in ["rules", "turn", "fen", "result"] {
        prop_assert_eq!(&said[name], &json!(ask(name)), "{}", name);
    }
    for name in ["p1turn", "gameover", "ply"] {
        prop_assert_eq!(said[name].to_string(), ask(name), "{}", name);
    }
    prop_assert_eq!(
        (&said["game"], &said["title"]),
        (&G::NAME.into(), &G::TITLE.into())
    );
    let board = Board::read(&ask("board"));
    let blocks = board.blocks.iter();
    let blocks = blocks.map(|(name, cells)| json!({ "name": name, "cells": cells }));
    let mut shown = said["board"].clone();
    if let Some(blocks) = shown["blocks"].as_array_mut() {
        blocks.sort_by_key(|block| block["name"].to_string());
    }
    let due = json!({
        "columns": board.columns, "rows": board.rows, "grid": board.grid,
        "cells": board.cells, "shaded": board.shaded, "blocks": blocks.collect::<Vec<_>>(),
    });
    prop_assert_eq!(shown, due);
    let stones = client.stones();
    let lists = ask("stones");
    let after_lists = lists.split_once("turn ").expect("the side to move").1;
    let extra = words(after_lists);
    for (i, [name, letter, colour]) in board.sides.iter().enumerate() {
        let side = &said["sides"][i];
        let mut counts = json!({});
        if let Some(what) = G::EXTRA {
            counts[what] = extra[2 + i].parse::<u32>().expect("a number").into();
        }
        let due = json!({
            "name": name, "letter": letter, "colour": colour,
            "hand": board.hand.map(|hand| hand[i]),
            "counts": counts,
            "wins": listed(&ask(&format!("wins {name}")), " "),
            "stones": side["stones"],
        });
        prop_assert_eq!(side, &due);
        let mut own: Vec<&str> = stones
            .iter()
            .filter(|(_, owner)| *owner == name)
            .map(|(cell, _)| cell.as_str())
            .collect();
        own.sort_unstable();
        let list = side["stones"].as_array().expect("a list").iter();
        let mut shown: Vec<&str> = list.filter_map(Value::as_str).collect();
        shown.sort_unstable();
        prop_assert_eq!(shown, own);
    }
    let history = &said["history"];
    let mut line = history["base"].as_str().expect("a text").to_string();
    let played = history["moves"].as_array().expect("a list");
    if !played.is_empty() {
        line += " moves";
    }
    for m in played {
        line += &format!(" {}", m.as_str().expect("a text"));
    }
    prop_assert_eq!(line, ask("history"));
    let (legal, effects) = (ask("moves"), ask("effects"));
    let effects = listed(&effects, " ; ").into_iter();
    let due = listed(&legal, " ").into_iter().zip(effects);
    let due: Vec<Value> = due.map(|(m, effects)| deed_json(m, effects)).collect();
    prop_assert_eq!(&said["moves"], &json!(due));
    let last = ask("last");
    let due = match last.splitn(4, ' ').collect::<Vec<_>>()[..] {
        [m, "at", at, effects] => {
            let mut fields = deed_json(m, effects);
            fields["at"] = at.into();
            fields
        }
        _ => Value::Null,
    };
    prop_assert_eq!(&said["last"], &due);
    prop_assert_eq!(&said["winning"], &json!(listed(&ask("winning"), " ")));
    Ok(())
}

/// Whether to check these laws here: at about one position in 32.
fn seldom(choice: u16) -> bool {
    choice & 0x7c00 == 0
}

/// Every law about what a client is told.
pub struct Facts {
    /// A game by its name.
    pub info: fn(&str) -> GameInfo,
}

impl Law for Facts {
    fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult {
        let info = (self.info)(G::NAME);
        let mut client = Client::open(&info, rules);
        let start = client.board.clone();
        let mut p = G::start(rules).expect("rules that fit");
        let mut eval = G::Evaluator::new(&p);
        for &choice in choices {
            let over = client.ask("gameover") == "true";
            if seldom(choice) || over {
                board_laws(&client, &start)?;
                round_trips::<G>(&info, &client, rules)?;
                effects_laws(&mut client, choice)?;
                wins_laws::<G>(&client, &p)?;
                winning_laws::<G>(&client)?;
                json_laws::<G>(&client)?;
            }
            if over || p.outcome().is_some() {
                break;
            }
            let m = choose(&mut eval, &p, choice);
            let text = G::write_move(&p, m);
            let undo = p.play(m);
            eval.play(&p, m, &undo);
            let played = client.session.play(std::slice::from_ref(&text));
            prop_assert!(played.is_ok(), "{}: {:?}", text, played);
        }
        Ok(())
    }
}
