//! `display json` and the questions about options, asked of the real process:
//! one line, and what it says is what the other commands say and take.
//! `laws/facts.rs` holds the rest of it against play.

mod support;

use quintet::internals::session::catalogue::GameInfo;
use serde_json::{Map, Value};
use support::Engine;

/// The one line that answers this, without its first word.
fn ask(engine: &mut Engine, line: &str) -> String {
    let lines = engine.ask(line);
    assert_eq!(lines.len(), 1, "{line}: {lines:?}");
    let (_, value) = lines[0].split_once(' ').expect("two words");
    value.to_string()
}

fn json(engine: &mut Engine) -> Value {
    let text = ask(engine, "display json");
    assert!(text.bytes().all(|b| (b' '..=b'~').contains(&b)), "{text}");
    serde_json::from_str(&text).expect("JSON")
}

/// The word or JSON string at the start of a text, and what follows it.
fn word(text: &str, end: char) -> (String, &str) {
    if !text.starts_with('"') {
        let length = text.find(end).unwrap_or(text.len());
        return (text[..length].to_string(), &text[length..]);
    }
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let string = strings.next().expect("a string").expect("JSON");
    (string, &text[strings.byte_offset()..])
}

/// What `query options` answers.
fn options(text: &str) -> Map<String, Value> {
    let mut values = Map::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = word(rest, '=');
        let (value, after) = word(after.strip_prefix('=').expect("a value"), ' ');
        values.insert(name, value.into());
        rest = after.trim_start();
    }
    values
}

#[test]
fn all_that_is_known_is_in_one_line() {
    let mut engine = Engine::start::<&str>(&[]);
    for row in [
        "gomoku width 7 height 5 line 4",
        "gomoku size 9 rule standard tie full",
        "pente size 9 tournament false variant poof",
        "pentago",
        "dagennacht size 11 restriction true back true",
        "teeko variant advanced centre false",
    ] {
        engine.ask(&format!("newgame {row}"));
        assert_eq!(ask(&mut engine, "query rules"), row);
        let mut told = vec![json(&mut engine)];
        for ply in 1..=6 {
            let legal = told[ply - 1]["moves"].as_array().expect("a list");
            let m = legal[legal.len() / 2]["move"].clone();
            engine.ask(&format!("moves {}", m.as_str().expect("a text")));
            told.push(json(&mut engine));
            assert_eq!(
                (&told[ply]["last"]["move"], &told[ply]["ply"]),
                (&m, &ply.into())
            );
        }
        for due in told.iter().rev().skip(1) {
            engine.ask("undo");
            assert_eq!(&json(&mut engine), due, "{row}");
        }
        let fields = told[0].as_object().expect("an object").keys();
        let due = [
            "board",
            "fen",
            "game",
            "gameover",
            "history",
            "last",
            "moves",
            "options",
            "optionspec",
            "p1turn",
            "ply",
            "result",
            "rules",
            "sides",
            "title",
            "turn",
            "winning",
        ];
        assert!(fields.eq(due), "{row}");
    }
    let names: Vec<&str> = GameInfo::all().iter().map(|g| g.name).collect();
    assert_eq!(
        json(&mut engine)["optionspec"][0]["var"],
        Value::from(names)
    );
}

#[test]
fn options_are_told_as_they_are_set() {
    let mut engine = Engine::start::<&str>(&[]);
    let path = "a = \"b\" ; \\ \u{e9}\u{2028}";
    for (name, value) in [
        ("Hash", "2"),
        ("Pente.Width", "8 6  4"),
        ("Teeko.Cache", path),
        ("Level", "CLASSIC"),
        ("Flip", "on"),
    ] {
        let answer = engine.ask(&format!("setoption name {name} value {value}"));
        assert_eq!(answer, [""; 0], "{name}");
    }
    let told = options(&ask(&mut engine, "query options"));
    assert_eq!(
        (&told["Pente.Width"], &told["Teeko.Cache"]),
        (&"8 6 4".into(), &path.into())
    );
    let said = json(&mut engine);
    let typed = said["options"].as_object().expect("an object");
    assert_eq!(
        (&typed["Hash"], &typed["Level"]),
        (&2.into(), &"classic".into())
    );
    assert_eq!(typed["Flip"], true);
    let in_words = typed.iter().map(|(name, value)| {
        let text = value.as_str().map_or(value.to_string(), str::to_string);
        (name.clone(), text.into())
    });
    assert_eq!(in_words.collect::<Map<_, _>>(), told);
}

#[test]
fn declarations_are_those_of_the_handshake() {
    let mut engine = Engine::start::<&str>(&[]);
    let handshake = engine.ask("ugi");
    let offered = handshake.iter().filter_map(|l| l.strip_prefix("option "));
    let offered: Vec<&str> = offered.collect();
    let all = ask(&mut engine, "query optionspec");
    let specs: Vec<&str> = all.split(" ; ").collect();
    let said = json(&mut engine);
    let list = said["optionspec"].as_array().expect("a list");
    assert_eq!((offered.len(), specs.len()), (list.len(), list.len()));
    for ((offered, spec), fields) in offered.iter().zip(specs).zip(list) {
        let rule = fields["rule"].to_string();
        let shorter = spec.replacen(&format!(" rule {rule}"), "", 1);
        assert!(shorter.starts_with(offered), "{spec}: {offered}");
        let name = fields["name"].as_str().expect("a text");
        let kind = fields["type"].as_str().expect("a text");
        assert!(spec.starts_with(&format!("name {name} rule {rule} type {kind}")));
        assert_eq!(ask(&mut engine, &format!("query optionspec {name}")), spec);
        if kind != "spin" {
            continue;
        }
        // A step leads to the next value that is accepted.
        let number = |field: &str| fields[field].as_i64().expect("a number");
        let (least, step) = (number("min"), number("step"));
        assert!(spec.ends_with(&format!(" step {step}")), "{spec}");
        for value in least..=least + step {
            let answer = engine.ask(&format!("setoption name {name} value {value}"));
            let accepted = (value - least) % step == 0;
            assert_eq!(answer.is_empty(), accepted, "{name} {value}: {answer:?}");
        }
        engine.ask(&format!(
            "setoption name {name} value {}",
            number("default")
        ));
    }
}
