//! What holds for every command, every reply and every line.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use quintet_protocol::{
    Base, Bound, Claim, Command, ErrorCode, Go, Info, Opening, OptionType, Part, ProtocolError,
    Prove, Reply, Score, Stones, Verdict, gomocup, parse_command, parse_reply, uci,
};

/// The words that have a meaning somewhere; no generated free word is one of them.
const KEYWORDS: &[&str] = &[
    "ugi",
    "uci",
    "isready",
    "uginewgame",
    "stop",
    "ponderhit",
    "quit",
    "eval",
    "verbose",
    "prove",
    "proof",
    "win",
    "draw",
    "for",
    "certificate",
    "resume",
    "guide",
    "positions",
    "parts",
    "setoption",
    "name",
    "value",
    "newgame",
    "position",
    "startpos",
    "fen",
    "stones",
    "turn",
    "moves",
    "undo",
    "go",
    "depth",
    "nodes",
    "movetime",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
    "balance",
    "bias",
    "opening",
    "propose",
    "choose",
    "query",
    "threatening",
    "display",
    "perft",
    "divide",
    "bench",
    "help",
    "id",
    "option",
    "type",
    "default",
    "min",
    "max",
    "var",
    "check",
    "spin",
    "combo",
    "string",
    "button",
    "ugiok",
    "readyok",
    "info",
    "score",
    "cp",
    "proven",
    "lowerbound",
    "wdl",
    "pv",
    "bestmove",
    "none",
    "response",
    "error",
    "syntax",
    "nps",
    "time",
];

/// A word that is no keyword: what a client may put where the language is free.
fn free_word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][0-9]{1,2}",
        "[0-9]{1,2}-ccw-(tl|br)",
        "[!-~]{1,8}",
        "[^\\s\\p{C}]{1,4}",
    ]
    .prop_filter("keyword", |word: &String| {
        !word.chars().any(|c| c.is_ascii_whitespace())
            && !word.starts_with('\u{feff}')
            && !KEYWORDS.iter().any(|k| word.eq_ignore_ascii_case(k))
    })
}

fn words(least: usize) -> impl Strategy<Value = Vec<String>> {
    vec(free_word(), least..6)
}

/// One or more words with one blank between.
fn phrase() -> impl Strategy<Value = String> {
    words(1).prop_map(|words| words.join(" "))
}

/// The rest of a line: any printable characters, without blanks at the ends.
fn trimmed_text() -> impl Strategy<Value = String> {
    "[^\\p{C}]{0,20}".prop_map(|text| text.trim().to_owned())
}

fn base() -> impl Strategy<Value = Base> {
    prop_oneof![
        Just(Base::StartPos),
        phrase().prop_map(Base::Fen),
        (words(0), free_word(), words(0)).prop_map(|(words, turn, extra)| Base::Stones(Stones {
            words,
            turn,
            extra
        })),
    ]
}

fn go() -> impl Strategy<Value = Go> {
    (
        of(any::<u32>()),
        of(any::<u64>()),
        of(any::<i64>()),
        any::<[Option<i64>; 2]>(),
        any::<[Option<i64>; 2]>(),
        of(any::<u32>()),
        any::<(bool, bool)>(),
        of(any::<u32>()),
        words(0),
    )
        .prop_map(
            |(depth, nodes, movetime, time, inc, movestogo, flags, mate, searchmoves)| Go {
                depth,
                nodes,
                movetime,
                time,
                inc,
                movestogo,
                infinite: flags.0,
                ponder: flags.1,
                mate,
                searchmoves,
            },
        )
}

fn prove() -> impl Strategy<Value = Prove> {
    let claim = of(prop_oneof![Just(Claim::Win), Just(Claim::Draw)]);
    let files = (of(phrase()), of(phrase()), of(phrase()));
    (
        claim,
        of(free_word()),
        any::<(Option<u64>, Option<i64>)>(),
        files,
    )
        .prop_map(
            |(claim, player, (nodes, movetime), (certificate, resume, guide))| Prove {
                claim,
                player,
                nodes,
                movetime,
                certificate,
                resume,
                guide,
            },
        )
}

fn command() -> impl Strategy<Value = Command> {
    let plain = prop_oneof![
        Just(Command::Ugi),
        Just(Command::Uci),
        Just(Command::IsReady),
        Just(Command::UgiNewGame),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
    ];
    prop_oneof![
        plain,
        (phrase(), of(trimmed_text())).prop_map(|(name, value)| Command::SetOption { name, value }),
        (free_word(), vec((free_word(), free_word()), 0..4))
            .prop_map(|(game, options)| Command::NewGame { game, options }),
        (base(), words(0)).prop_map(|(base, moves)| Command::Position { base, moves }),
        words(1).prop_map(Command::Moves),
        any::<u32>().prop_map(Command::Undo),
        go().prop_map(Command::Go),
        (any::<(u32, i32)>(), go()).prop_map(|((stones, bias), go)| Command::Balance {
            stones,
            bias,
            go
        }),
        (free_word(), words(0), go()).prop_map(|(protocol, stones, go)| {
            Command::Opening(Opening {
                protocol,
                stones,
                go,
            })
        }),
        (free_word(), words(0))
            .prop_map(|(what, words)| Command::Query(what.to_ascii_lowercase(), words)),
        of(free_word()).prop_map(Command::Threatening),
        of(free_word()).prop_map(Command::Display),
        any::<bool>().prop_map(|verbose| Command::Eval { verbose }),
        any::<(u32, bool)>().prop_map(|(depth, divide)| Command::Perft { depth, divide }),
        prove().prop_map(Command::Prove),
        of(any::<u32>()).prop_map(Command::Bench),
        of(free_word()).prop_map(Command::Help),
    ]
}

fn option_type() -> impl Strategy<Value = OptionType> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionType::Check { default }),
        any::<(i64, i64, i64)>().prop_map(|(default, min, max)| OptionType::Spin {
            default,
            min,
            max
        }),
        (phrase(), vec(phrase(), 0..4))
            .prop_map(|(default, choices)| OptionType::Combo { default, choices }),
        trimmed_text().prop_map(|default| OptionType::Text { default }),
        Just(OptionType::Button),
    ]
}

fn score() -> impl Strategy<Value = Option<(Score, Bound, bool)>> {
    let value = prop_oneof![
        any::<i32>().prop_map(Score::Cp),
        any::<i32>().prop_map(Score::Mate),
    ];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    of((value, bound, any::<bool>()))
}

fn info() -> impl Strategy<Value = Info> {
    (
        any::<[Option<u32>; 4]>(),
        score(),
        any::<Option<[u32; 3]>>(),
        any::<[Option<u64>; 4]>(),
        words(0),
    )
        .prop_map(
            |([depth, seldepth, multipv, hashfull], score, wdl, counts, pv)| {
                let [nodes, nps, tbhits, time] = counts;
                Info {
                    depth,
                    seldepth,
                    multipv,
                    score: score.map(|s| s.0),
                    bound: score.map(|s| s.1).unwrap_or_default(),
                    proven: score.is_some_and(|s| s.2),
                    wdl,
                    currmove: pv.first().cloned(),
                    currmovenumber: seldepth,
                    nodes,
                    nps,
                    hashfull,
                    tbhits,
                    time,
                    pv,
                }
            },
        )
}

fn error() -> impl Strategy<Value = ProtocolError> {
    let code = proptest::sample::select(ErrorCode::ALL.as_slice());
    (code, any::<String>()).prop_map(|(code, text)| ProtocolError::new(code, text))
}

fn part() -> impl Strategy<Value = Part> {
    let shares = any::<(i32, i32)>();
    (free_word(), shares).prop_map(|(name, (own, other))| Part { name, own, other })
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        Just(Reply::UgiOk),
        Just(Reply::ReadyOk),
        (free_word(), trimmed_text()).prop_map(|(key, value)| Reply::Id { key, value }),
        (phrase(), option_type()).prop_map(|(name, kind)| Reply::OptionDecl { name, kind }),
        info().prop_map(Reply::Info),
        trimmed_text().prop_map(Reply::InfoString),
        of(free_word()).prop_map(|best| Reply::BestMove { best, ponder: None }),
        trimmed_text().prop_map(Reply::Response),
        any::<u32>().prop_map(Reply::Threatening),
        (any::<i32>(), vec(part(), 0..4)).prop_map(|(cp, parts)| Reply::Eval { cp, parts }),
        (free_word(), any::<u64>()).prop_map(|(mv, nodes)| Reply::PerftMove { mv, nodes }),
        any::<(u32, u64, u64, u64)>().prop_map(|(depth, nodes, time, nps)| Reply::Perft {
            depth,
            nodes,
            time,
            nps
        }),
        (
            proptest::sample::select(Verdict::ALL.as_slice()),
            any::<[u64; 3]>()
        )
            .prop_map(|(verdict, [nodes, positions, time])| Reply::Proof {
                verdict,
                nodes,
                positions,
                time
            }),
        error().prop_map(Reply::Error),
        // Three words that are none of the language's are a line of text.
        (" {0,3}", free_word(), free_word(), free_word())
            .prop_map(|(blanks, a, b, c)| Reply::Text(format!("{blanks}{a} {b}  {c}"))),
    ]
}

/// A line made of pieces that lead deep into the grammar.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => proptest::sample::select(KEYWORDS).prop_map(str::to_owned),
        2 => "-?[0-9]{1,25}",
        2 => "[a-z][0-9]",
        1 => "\\PC{0,6}",
        1 => any::<String>(),
    ];
    let blanks = prop_oneof![8 => Just(" "), 1 => Just("\t "), 1 => Just("")];
    vec((piece, blanks), 0..30).prop_map(|pieces| pieces.into_iter().map(|(p, b)| p + b).collect())
}

/// A refused line has one error on one line; an accepted one is read back from
/// its canonical form.
fn check_line(line: &str) -> Result<(), TestCaseError> {
    match parse_command(line) {
        Ok(None) => {}
        Ok(Some(command)) => {
            let canonical = command.to_string();
            prop_assert_eq!(
                parse_command(&canonical),
                Ok(Some(command)),
                "{}",
                canonical
            );
        }
        Err(error) => {
            let shown = Reply::Error(error.clone()).to_string();
            prop_assert!(!shown.chars().any(char::is_control), "{:?}", shown);
            prop_assert!(error.text().len() < 1200, "{:?}", shown);
            prop_assert_eq!(parse_reply(&shown), Ok(Reply::Error(error)));
        }
    }
    match parse_reply(line) {
        Ok(reply) => {
            let canonical = reply.to_string();
            prop_assert_eq!(parse_reply(&canonical), Ok(reply), "{}", canonical);
        }
        Err(error) => prop_assert!(!error.text().chars().any(char::is_control)),
    }
    Ok(())
}

fn gomocup_command() -> impl Strategy<Value = gomocup::Command> {
    use gomocup::{Cell, Command, List, Stone};
    let cell = || any::<(u32, u32)>().prop_map(|(x, y)| Cell { x, y });
    let stone = || (cell(), of(any::<u32>())).prop_map(|(cell, who)| Stone { cell, who });
    let list = proptest::sample::select(vec![List::Board, List::YxBoard, List::Swap2Board]);
    prop_oneof![
        any::<u32>().prop_map(Command::Start),
        any::<(u32, u32)>().prop_map(|(w, h)| Command::YxStart(w, h)),
        any::<(u32, u32)>().prop_map(|(w, h)| Command::RectStart(w, h)),
        cell().prop_map(Command::Turn),
        of(cell()).prop_map(Command::TakeBack),
        cell().prop_map(Command::Play),
        stone().prop_map(Command::Stone),
        (list, of(vec(stone(), 0..6))).prop_map(|(list, stones)| Command::List(list, stones)),
        of(vec(stone(), 0..6)).prop_map(Command::YxQueryDatabaseAll),
        ("[a-z_]{1,12}", trimmed_text()).prop_map(|(key, value)| Command::Info(key, value)),
        any::<u32>().prop_map(Command::YxNBest),
        any::<i32>().prop_map(Command::YxBalanceOne),
        any::<i32>().prop_map(Command::YxBalanceTwo),
        (1u32..4).prop_map(Command::YxSwap2Step),
        ("YXZ[A-Z0-9]{0,9}", trimmed_text())
            .prop_map(|(name, words)| Command::Unsupported(name, words)),
        proptest::sample::select(vec![
            Command::Restart,
            Command::Begin,
            Command::Done,
            Command::About,
            Command::End,
            Command::YxStop,
            Command::YxSearchDefend,
            Command::YxHashClear,
            Command::YxShowInfo,
            Command::YxShowForbid,
        ]),
    ]
}

/// Lines that are nearly ones of Gomocup.
fn gomocup_pieces() -> impl Strategy<Value = String> {
    let pieces = [
        "START",
        "TURN",
        "BOARD",
        "INFO",
        "DONE",
        "PLAY",
        "rule",
        "7",
        ",",
        ",,",
        "-1",
        " ",
        "\t",
        "99999999999",
        "1,2",
        "3,4,1",
        "\u{feff}",
        "é",
        "x",
        "SWAP2BOARD",
        "YXBALANCEONE",
        "YXNBEST",
        "TAKEBACK",
        "yx",
        "begin",
        "\r",
    ];
    vec(proptest::sample::select(pieces.to_vec()), 0..8).prop_map(|words| words.concat())
}

/// A line is read to something that is written and read again, or refused.
fn check_gomocup(line: &str) -> Result<(), TestCaseError> {
    match gomocup::parse_command(line) {
        Ok(None) => {}
        Ok(Some(command)) => {
            let canonical = command.to_string();
            prop_assert_eq!(gomocup::parse_command(&canonical), Ok(Some(command)));
        }
        Err(error) => prop_assert!(!error.text().chars().any(char::is_control)),
    }
    Ok(())
}

/// A failure found here belongs into the tables of `lines.rs`, not into a file
/// of seeds.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn commands_are_read_back(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(parse_command(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn replies_are_read_back(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(parse_reply(&line), Ok(reply), "{}", line);
    }

    #[test]
    fn uci_commands_are_read_back(command in command()) {
        let line = uci::write_command(&command);
        prop_assert_eq!(uci::parse_command(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn uci_replies_are_lines(reply in reply()) {
        let lines = uci::write_reply(&reply);
        prop_assert!(!lines.is_empty());
        prop_assert!(lines.iter().all(|l| !l.contains(['\r', '\n'])), "{:?}", lines);
        prop_assert!(matches!(reply, Reply::Text(_)) || !lines[0].contains(" proven "));
    }

    #[test]
    fn gomocup_commands_are_read_back(command in gomocup_command()) {
        let line = command.to_string();
        prop_assert_eq!(gomocup::parse_command(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn gomocup_lines_of_pieces_never_panic(line in gomocup_pieces()) {
        check_gomocup(&line)?;
    }

    #[test]
    fn lines_of_pieces_never_panic(line in pieces()) {
        check_line(&line)?;
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn any_line_never_panics(line in vec(any::<char>(), 0..3000)) {
        let line = line.into_iter().collect::<String>();
        check_line(&line)?;
        check_gomocup(&line)?;
        let _ = uci::parse_command(&line);
        let _ = uci::read_fen(&line);
        let _ = uci::read_drop(&line);
    }
}
