//! Known lines, good and bad, with what the parser makes of them.

use quintet_protocol::{
    Base, Bound, Claim, Command, ErrorCode, Go, Info, OptionType, Part, ProtocolError, Prove,
    Reply, Score, Stones, Verdict, parse_command, parse_reply,
};
use std::time::{Duration, Instant};

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn command(line: &str) -> Command {
    match parse_command(line) {
        Ok(Some(command)) => command,
        other => panic!("{line:?}: {other:?}"),
    }
}

#[test]
fn good_lines() {
    let set_option = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    let position = |base: Base, moves: &str| Command::Position {
        base,
        moves: words(moves),
    };
    let fen = |fen: &str| Base::Fen(fen.to_owned());
    let cases = [
        ("ugi", Command::Ugi),
        (" \tUGI \r\n", Command::Ugi),
        ("\u{feff}ugi", Command::Ugi),
        ("uci", Command::Uci),
        ("isready", Command::IsReady),
        ("UgiNewGame", Command::UgiNewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("eval", Command::Eval { verbose: false }),
        ("eval VERBOSE", Command::Eval { verbose: true }),
        (
            "setoption name Hash value 64",
            set_option("Hash", Some("64")),
        ),
        (
            "setoption NAME  Move \t Overhead VALUE  10 ",
            set_option("Move Overhead", Some("10")),
        ),
        ("setoption name Clear Hash", set_option("Clear Hash", None)),
        (
            "setoption name Pentago.SlicePath value",
            set_option("Pentago.SlicePath", Some("")),
        ),
        (
            "setoption name P value C:\\my  files\\value x",
            set_option("P", Some("C:\\my  files\\value x")),
        ),
        (
            "newgame pente size 13 Tournament OFF",
            Command::NewGame {
                game: "pente".to_owned(),
                options: vec![
                    ("size".to_owned(), "13".to_owned()),
                    ("Tournament".to_owned(), "OFF".to_owned()),
                ],
            },
        ),
        ("position startpos", position(Base::StartPos, "")),
        ("position startpos moves", position(Base::StartPos, "")),
        (
            "POSITION STARTPOS MOVES H8 g7",
            position(Base::StartPos, "H8 g7"),
        ),
        ("position fen 3/3/3   b", position(fen("3/3/3 b"), "")),
        (
            "position fen 3/3/3 b moves b2",
            position(fen("3/3/3 b"), "b2"),
        ),
        (
            "position stones black 2 4 red 5 turn black",
            position(
                Base::Stones(Stones {
                    words: words("black 2 4 red 5"),
                    turn: "black".to_owned(),
                    extra: vec![],
                }),
                "",
            ),
        ),
        (
            "position stones turn white captures 2 0 moves d4 e5",
            position(
                Base::Stones(Stones {
                    words: vec![],
                    turn: "white".to_owned(),
                    extra: words("captures 2 0"),
                }),
                "d4 e5",
            ),
        ),
        ("moves h8 g7", Command::Moves(words("h8 g7"))),
        ("undo", Command::Undo(1)),
        ("undo 3", Command::Undo(3)),
        ("go", Command::Go(Go::default())),
        (
            "go wtime 1000 btime -20 winc 5 binc 6 movestogo 40",
            Command::Go(Go {
                time: [Some(1000), Some(-20)],
                inc: [Some(5), Some(6)],
                movestogo: Some(40),
                ..Go::default()
            }),
        ),
        (
            "go searchmoves a1 B2 p2time 7 Infinite ponder mate 5 nodes 18446744073709551615",
            Command::Go(Go {
                time: [None, Some(7)],
                infinite: true,
                ponder: true,
                mate: Some(5),
                nodes: Some(u64::MAX),
                searchmoves: words("a1 B2"),
                ..Go::default()
            }),
        ),
        (
            "go movetime -1 depth 0",
            Command::Go(Go {
                movetime: Some(-1),
                depth: Some(0),
                ..Go::default()
            }),
        ),
        ("query FEN", Command::Query("fen".to_owned(), vec![])),
        (
            "query windows Black",
            Command::Query("windows".to_owned(), words("Black")),
        ),
        ("threatening", Command::Threatening(None)),
        (
            "threatening black",
            Command::Threatening(Some("black".to_owned())),
        ),
        ("display", Command::Display(None)),
        ("display svg", Command::Display(Some("svg".to_owned()))),
        (
            "perft 3",
            Command::Perft {
                depth: 3,
                divide: false,
            },
        ),
        (
            "perft 3 DIVIDE",
            Command::Perft {
                depth: 3,
                divide: true,
            },
        ),
        ("prove", Command::Prove(Prove::default())),
        (
            "Prove RESUME my table FOR white draw certificate ./a  file.proof nodes 5 guide other rules.proof movetime -1",
            Command::Prove(Prove {
                claim: Some(Claim::Draw),
                player: Some("white".to_owned()),
                nodes: Some(5),
                movetime: Some(-1),
                certificate: Some("./a file.proof".to_owned()),
                resume: Some("my table".to_owned()),
                guide: Some("other rules.proof".to_owned()),
            }),
        ),
        ("bench", Command::Bench(None)),
        ("bench 8", Command::Bench(Some(8))),
        ("help", Command::Help(None)),
        ("help go", Command::Help(Some("go".to_owned()))),
    ];
    for (line, expected) in cases {
        assert_eq!(command(line), expected, "{line:?}");
    }
    for blank in ["", "  \t ", "\r\n", "\u{feff}"] {
        assert_eq!(parse_command(blank), Ok(None), "{blank:?}");
    }
}

#[test]
fn bad_lines() {
    const LIMITS: &str = "depth, nodes, movetime, p1time, p2time, p1inc, p2inc, \
                          movestogo, mate, infinite, ponder or searchmoves";
    let limit_expected = format!("syntax column 4: expected {LIMITS}, found 'fast'");
    let long_word = format!(
        "unknown '{}…' is not a command; 'help' lists them",
        "é".repeat(60)
    );
    let cases = [
        ("foo", "unknown 'foo' is not a command; 'help' lists them"),
        (
            "a\u{1b}[2J\u{0} b",
            r"unknown 'a\u{1b}[2J\u{0}' is not a command; 'help' lists them",
        ),
        (&"é".repeat(100_000), &long_word),
        (
            "quit now",
            "syntax column 6: expected the end of the line, found 'now'",
        ),
        (
            "  isready   x y",
            "syntax column 13: expected the end of the line, found 'x'",
        ),
        (
            "setoption",
            "syntax column 10: expected 'name' and an option, found the end of the line",
        ),
        (
            "setoption Hash 64",
            "syntax column 11: expected 'name' and an option, found 'Hash'",
        ),
        (
            "setoption name",
            "syntax column 15: expected an option after name, found the end of the line",
        ),
        (
            "setoption name value 3",
            "syntax column 16: expected an option after name, found 'value'",
        ),
        (
            "newgame",
            "syntax column 8: expected a game after newgame, found the end of the line",
        ),
        (
            "newgame pente size 13 tournament",
            "syntax column 33: expected a value for option 'tournament', found the end of the line",
        ),
        (
            "position",
            "syntax column 9: expected 'startpos', 'fen' or 'stones' after position, \
             found the end of the line",
        ),
        (
            "position 3/3/3 b",
            "syntax column 10: expected 'startpos', 'fen' or 'stones' after position, \
             found '3/3/3'",
        ),
        (
            "position startpos h8",
            "syntax column 19: expected 'moves' or the end of the line, found 'h8'",
        ),
        (
            "position fen",
            "syntax column 13: expected a position after fen, found the end of the line",
        ),
        (
            "position fen moves a1",
            "syntax column 14: expected a position after fen, found 'moves'",
        ),
        (
            "position stones black 2 4",
            "syntax column 26: expected 'turn' and the player to move, found the end of the line",
        ),
        (
            "position stones black 2 moves 3",
            "syntax column 25: expected 'turn' and the player to move, found 'moves'",
        ),
        (
            "position stones black 2 turn",
            "syntax column 29: expected the player to move after turn, found the end of the line",
        ),
        (
            "position stones black 2 turn moves 3",
            "syntax column 30: expected the player to move after turn, found 'moves'",
        ),
        (
            "moves",
            "syntax column 6: expected a move after moves, found the end of the line",
        ),
        (
            "undo x",
            "syntax column 6: expected a whole number after undo, found 'x'",
        ),
        (
            "undo 1 2",
            "syntax column 8: expected the end of the line, found '2'",
        ),
        (
            "undo -1",
            "syntax column 6: expected a whole number from 0 to 4294967295 after undo, found '-1'",
        ),
        ("go fast", &limit_expected),
        (
            "go depth",
            "syntax column 9: expected a whole number after depth, found the end of the line",
        ),
        (
            "go depth x",
            "syntax column 10: expected a whole number after depth, found 'x'",
        ),
        (
            "go depth 3.5",
            "syntax column 10: expected a whole number after depth, found '3.5'",
        ),
        (
            "go depth +3",
            "syntax column 10: expected a whole number after depth, found '+3'",
        ),
        (
            "go depth ٣",
            "syntax column 10: expected a whole number after depth, found '٣'",
        ),
        (
            "go depth 4294967296",
            "syntax column 10: expected a whole number from 0 to 4294967295 after depth, \
             found '4294967296'",
        ),
        (
            "go WTIME 9223372036854775808",
            "syntax column 10: expected a whole number from -9223372036854775808 to \
             9223372036854775807 after wtime, found '9223372036854775808'",
        ),
        (
            "go depth 3 depth 4",
            "syntax column 12: expected each field at most once, found 'depth'",
        ),
        (
            "go p1time 3 wtime 4",
            "syntax column 13: expected each field at most once, found 'wtime'",
        ),
        (
            "go infinite infinite",
            "syntax column 13: expected each field at most once, found 'infinite'",
        ),
        (
            "go searchmoves depth 3",
            "syntax column 16: expected at least one move, found 'depth'",
        ),
        (
            "query",
            "syntax column 6: expected what to ask for after query, found the end of the line",
        ),
        (
            "threatening black white",
            "syntax column 19: expected the end of the line, found 'white'",
        ),
        (
            "perft",
            "syntax column 6: expected a whole number after perft, found the end of the line",
        ),
        (
            "perft 3 div",
            "syntax column 9: expected 'divide' or the end of the line, found 'div'",
        ),
        (
            "perft 3 divide 4",
            "syntax column 16: expected the end of the line, found '4'",
        ),
        (
            "bench fast",
            "syntax column 7: expected a whole number after bench, found 'fast'",
        ),
        // Columns count characters, not bytes.
        (
            "setoption\tñame Größe",
            "syntax column 11: expected 'name' and an option, found 'ñame'",
        ),
        (
            "newgame größe é é é",
            "syntax column 20: expected a value for option 'é', found the end of the line",
        ),
    ];
    for (line, expected) in cases {
        match parse_command(line) {
            Err(error) => assert_eq!(error.to_string(), expected, "{line:?}"),
            other => panic!("{line:?}: {other:?}"),
        }
    }
}

#[test]
fn a_search_without_a_limit_is_unlimited() {
    let limited = |line: &str| match command(line) {
        Command::Go(go) => go.is_limited(),
        other => panic!("{other:?}"),
    };
    for line in [
        "go depth 3",
        "go nodes 1",
        "go movetime 0",
        "go p1time 9",
        "go p2time 9",
        "go mate 3",
    ] {
        assert!(limited(line), "{line}");
    }
    for line in [
        "go",
        "go infinite",
        "go ponder",
        "go movestogo 3 p1inc 9",
        "go searchmoves h8",
    ] {
        assert!(!limited(line), "{line}");
    }
}

#[test]
fn replies() {
    let text = |line: &str| Reply::Text(line.to_owned());
    let eval = |cp, parts: &[(&str, i32, i32)]| Reply::Eval {
        cp,
        parts: (parts.iter())
            .map(|&(name, own, other)| Part {
                name: name.to_owned(),
                own,
                other,
            })
            .collect(),
    };
    let option = |name: &str, kind: OptionType| Reply::OptionDecl {
        name: name.to_owned(),
        kind,
    };
    let cases = [
        (
            "id name Quintet 0.1.0",
            Reply::Id {
                key: "name".to_owned(),
                value: "Quintet 0.1.0".to_owned(),
            },
        ),
        (
            "option name Ponder type check default false",
            option("Ponder", OptionType::Check { default: false }),
        ),
        (
            "option name Move Overhead type spin default 10 min 0 max 5000",
            option(
                "Move Overhead",
                OptionType::Spin {
                    default: 10,
                    min: 0,
                    max: 5000,
                },
            ),
        ),
        (
            "option name Level type combo default full var full var classic",
            option(
                "Level",
                OptionType::Combo {
                    default: "full".to_owned(),
                    choices: words("full classic"),
                },
            ),
        ),
        (
            "option name Pentago.SlicePath type string default <empty>",
            option(
                "Pentago.SlicePath",
                OptionType::Text {
                    default: String::new(),
                },
            ),
        ),
        (
            "option name Clear Hash type button",
            option("Clear Hash", OptionType::Button),
        ),
        ("ugiok", Reply::UgiOk),
        ("readyok", Reply::ReadyOk),
        (
            "info depth 3 seldepth 5 multipv 1 score mate -4 upperbound proven wdl 0 0 1000 \
             currmove h8 currmovenumber 2 nodes 10 nps 20 hashfull 30 tbhits 40 time 50 pv h8 g7",
            Reply::Info(Info {
                depth: Some(3),
                seldepth: Some(5),
                multipv: Some(1),
                score: Some(Score::Mate(-4)),
                bound: Bound::Upper,
                proven: true,
                wdl: Some([0, 0, 1000]),
                currmove: Some("h8".to_owned()),
                currmovenumber: Some(2),
                nodes: Some(10),
                nps: Some(20),
                hashfull: Some(30),
                tbhits: Some(40),
                time: Some(50),
                pv: words("h8 g7"),
            }),
        ),
        ("info string  a  b", Reply::InfoString("a  b".to_owned())),
        (
            "bestmove 34-ccw-br",
            Reply::BestMove {
                best: Some("34-ccw-br".to_owned()),
                ponder: None,
            },
        ),
        (
            "bestmove none",
            Reply::BestMove {
                best: None,
                ponder: None,
            },
        ),
        ("response 3/3/3 b", Reply::Response("3/3/3 b".to_owned())),
        ("threatening 7", Reply::Threatening(7)),
        ("eval cp -7", eval(-7, &[])),
        (
            "eval cp 5 parts tempo 7 0 rows 12 -14",
            eval(5, &[("tempo", 7, 0), ("rows", 12, -14)]),
        ),
        (
            "a1 288",
            Reply::PerftMove {
                mv: "a1".to_owned(),
                nodes: 288,
            },
        ),
        (
            "perft 2 nodes 72 time 0 nps 0",
            Reply::Perft {
                depth: 2,
                nodes: 72,
                time: 0,
                nps: 0,
            },
        ),
        (
            "proof nowin nodes 9 positions 7 time 3",
            Reply::Proof {
                verdict: Verdict::NoWin,
                nodes: 9,
                positions: 7,
                time: 3,
            },
        ),
        (
            "error move h8 is occupied",
            Reply::Error(ProtocolError::new(ErrorCode::Move, "h8 is occupied")),
        ),
        ("", text("")),
        ("   a b c ", text("   a b c ")),
        ("  15 · · ● ·\r\n", text("  15 · · ● ·")),
        ("perft D [divide]  count", text("perft D [divide]  count")),
        ("threatening [PLAYER]", text("threatening [PLAYER]")),
        ("eval", text("eval")),
        ("eval cp 7 parts", text("eval cp 7 parts")),
        ("eval cp 7 parts rows 7", text("eval cp 7 parts rows 7")),
    ];
    for (line, expected) in cases {
        assert_eq!(parse_reply(line), Ok(expected), "{line:?}");
    }
    let bad = [
        ("ugiok x", "the end of the line, found 'x'"),
        (
            "bestmove",
            "a move after bestmove, found the end of the line",
        ),
        (
            "bestmove a1 ponder a2",
            "the end of the line, found 'ponder'",
        ),
        ("info depth x", "a whole number after depth, found 'x'"),
        (
            "info depth 1 depth 2",
            "each field at most once, found 'depth'",
        ),
        ("info score 3", "cp or mate after score, found '3'"),
        ("info proven", "a field of info, found 'proven'"),
        ("info wdl 1 2 pv", "a whole number after wdl, found 'pv'"),
        ("error foo bar", "an error code, found 'foo'"),
        (
            "option name type spin",
            "an option after name, found 'type'",
        ),
        (
            "option name A type check default maybe",
            "true or false, found 'maybe'",
        ),
        (
            "option name A type list",
            "check, spin, combo, string or button, found 'list'",
        ),
    ];
    for (line, expected) in bad {
        let error = parse_reply(line).expect_err(line).to_string();
        assert!(
            error.ends_with(&format!("expected {expected}")),
            "{line:?}: {error}"
        );
    }
}

#[test]
fn an_empty_default_is_not_printed_as_nothing() {
    let declared = Reply::OptionDecl {
        name: "Teeko.Cache".to_owned(),
        kind: OptionType::Text {
            default: String::new(),
        },
    };
    assert_eq!(
        declared.to_string(),
        "option name Teeko.Cache type string default <empty>"
    );
}

#[test]
fn ugi_never_prints_the_ponder_move() {
    let reply = Reply::BestMove {
        best: Some("a1".to_owned()),
        ponder: Some("b2".to_owned()),
    };
    assert_eq!(reply.to_string(), "bestmove a1");
}

/// Ten megabytes take less than a second; a quadratic parser would take hours,
/// so the generous limit does not make the test weaker on a busy machine.
#[test]
fn long_lines_take_linear_time() {
    const LENGTH: usize = 10_000_000;
    let repeat = |start: &str, unit: &str| {
        let mut line = start.to_owned();
        line.push_str(&unit.repeat(LENGTH / unit.len()));
        line
    };
    let lines = [
        repeat("position startpos moves", " h8"),
        repeat("position fen", " h8"),
        repeat("position stones", " h8"),
        repeat("newgame pente", " h8"),
        repeat("newgame pente x", " h8 y"),
        repeat("setoption name", " x"),
        repeat("setoption name x value", " \ty"),
        repeat("go searchmoves", " h8"),
        repeat("go depth ", "1"),
        repeat("go", " depth"),
        repeat("", "é"),
        repeat("", " "),
        repeat("quit", " x"),
        repeat("undo ", " "),
    ];
    for line in lines {
        let start = Instant::now();
        let result = parse_command(&line);
        let time = start.elapsed();
        let shown = &line[..20];
        assert!(time < Duration::from_secs(30), "{shown:?}: {time:?}");
        println!("{shown:?} {time:?}");
        if let Err(error) = result {
            assert!(error.text().len() < 1000, "{shown:?}");
        }
    }
}
