//! The native dialect, UGI: parsers from lines to commands and replies. The
//! printers are the `Display` of [`Command`] and of [`Reply`].
//!
//! A parser reads the first word and then the grammar of that command, in one
//! pass; time and memory are linear in the length of the line.

use nom::Parser;
use nom::combinator::{map, opt};
use nom::multi::{many0, many1};
use nom::sequence::preceded;

use crate::command::{Base, Claim, Command, Go, Opening, Prove, Stones};
use crate::error::{ErrorCode, ProtocolError, quoted};
use crate::reply::{Bound, EMPTY, Info, NO_MOVE, OptionType, Part, Reply, Score, Verdict};
use crate::words::{
    Fault, Parsed, Parts, Whole, fault, first_word, is_blank, keyword, number, optional_word,
    parts, phrase_before, rest_of_line, skip_blanks, some_words_before, whole_line, word, word_as,
    words_before,
};

/// Reads one line of a client, with or without its line end. `Ok(None)` is a
/// blank line, which gets no answer.
///
/// Command words and keywords are read in any case; moves, FENs, names and
/// values are kept as written. A byte order mark before the first word is
/// skipped, because some shells send one through a pipe.
pub fn parse_command(line: &str) -> Result<Option<Command>, ProtocolError> {
    let Parts { line, name, rest } = parts(line);
    if name.is_empty() {
        return Ok(None);
    }
    let parsed = match name.to_ascii_lowercase().as_str() {
        "ugi" => Ok((rest, Command::Ugi)),
        "uci" => Ok((rest, Command::Uci)),
        "isready" => Ok((rest, Command::IsReady)),
        "uginewgame" => Ok((rest, Command::UgiNewGame)),
        "stop" => Ok((rest, Command::Stop)),
        "ponderhit" => Ok((rest, Command::PonderHit)),
        "quit" => Ok((rest, Command::Quit)),
        "setoption" => set_option(rest),
        "newgame" => new_game(rest),
        "position" => position(rest),
        "moves" => moves(rest),
        "undo" => undo(rest),
        "go" => map(go, Command::Go).parse(rest),
        "balance" => balance(rest),
        "opening" => map(opening, Command::Opening).parse(rest),
        "query" => query(rest),
        "threatening" => map(optional_word, Command::Threatening).parse(rest),
        "display" => map(optional_word, Command::Display).parse(rest),
        "eval" => map(
            flag("verbose", "'verbose' or the end of the line"),
            |verbose| Command::Eval { verbose },
        )
        .parse(rest),
        "perft" => perft(rest),
        "prove" => map(prove, Command::Prove).parse(rest),
        "bench" => map(optional_number("bench"), Command::Bench).parse(rest),
        "help" => map(optional_word, Command::Help).parse(rest),
        _ => return Err(unknown(name)),
    };
    whole_line(line, parsed).map(Some)
}

/// The error for a line that does not begin with a command.
fn unknown(name: &str) -> ProtocolError {
    let text = format!("{} is not a command; 'help' lists them", quoted(name));
    ProtocolError::new(ErrorCode::Unknown, text)
}

/// `name NAME [value VALUE]`
fn set_option(input: &str) -> Parsed<'_, Command> {
    let (rest, _) = keyword("name", "'name' and an option")(input)?;
    let (rest, name) = phrase_before(&["value"], "an option after name")(rest)?;
    let (rest, value) = opt(preceded(keyword("value", "'value'"), rest_of_line)).parse(rest)?;
    Ok((rest, Command::SetOption { name, value }))
}

/// `GAME [NAME VALUE]…`
fn new_game(input: &str) -> Parsed<'_, Command> {
    let (mut rest, game) = word_as("a game after newgame")(input)?;
    let mut options = Vec::new();
    while let Ok((after, name)) = word(rest) {
        let (after, value) = word_as(format!("a value for option {}", quoted(name)))(after)?;
        options.push((name.to_owned(), value));
        rest = after;
    }
    Ok((rest, Command::NewGame { game, options }))
}

/// `BASE [moves M…]`
fn position(input: &str) -> Parsed<'_, Command> {
    const EXPECTED: &str = "'startpos', 'fen' or 'stones' after position";
    let (rest, kind) = word_as(EXPECTED)(input)?;
    let (rest, base) = match kind.to_ascii_lowercase().as_str() {
        "startpos" => (rest, Base::StartPos),
        "fen" => map(phrase_before(&["moves"], "a position after fen"), Base::Fen).parse(rest)?,
        "stones" => map(stones, Base::Stones).parse(rest)?,
        _ => return Err(fault(input, EXPECTED)),
    };
    let (rest, moves) =
        opt(preceded(keyword("moves", "'moves'"), words_before(&[]))).parse(rest)?;
    let moves = moves.unwrap_or_default();
    // After a FEN or the stones' extra words only `moves` can follow, so
    // anything left over here was written after `startpos`.
    if !skip_blanks(rest).is_empty() {
        return Err(fault(rest, "'moves' or the end of the line"));
    }
    Ok((rest, Command::Position { base, moves }))
}

/// `[PLAYER CELL…]… turn PLAYER [EXTRA…]`
fn stones(input: &str) -> Parsed<'_, Stones> {
    let (rest, words) = words_before(&["turn", "moves"]).parse(input)?;
    let (rest, _) = keyword("turn", "'turn' and the player to move")(rest)?;
    let (rest, turn) = player_to_move(rest)?;
    let (rest, extra) = words_before(&["moves"]).parse(rest)?;
    Ok((rest, Stones { words, turn, extra }))
}

/// The player after `turn`; the word `moves` there means that the player is
/// missing.
fn player_to_move(input: &str) -> Parsed<'_, String> {
    const EXPECTED: &str = "the player to move after turn";
    let (rest, player) = word_as(EXPECTED)(input)?;
    if player.eq_ignore_ascii_case("moves") {
        return Err(fault(input, EXPECTED));
    }
    Ok((rest, player))
}

/// `M…`
fn moves(input: &str) -> Parsed<'_, Command> {
    map(some_words_before(&[], "a move after moves"), Command::Moves).parse(input)
}

/// `[N]`
fn undo(input: &str) -> Parsed<'_, Command> {
    map(optional_number("undo"), |count| {
        Command::Undo(count.unwrap_or(1))
    })
    .parse(input)
}

/// `WHAT [WORD]…`
fn query(input: &str) -> Parsed<'_, Command> {
    let (rest, what) = word_as("what to ask for after query")(input)?;
    let (rest, words) = words_before(&[]).parse(rest)?;
    Ok((rest, Command::Query(what.to_ascii_lowercase(), words)))
}

/// `DEPTH [divide]`
fn perft(input: &str) -> Parsed<'_, Command> {
    let (rest, depth) = number("perft")(input)?;
    let (rest, divide) = flag("divide", "'divide' or the end of the line")(rest)?;
    Ok((rest, Command::Perft { depth, divide }))
}

/// Whether a keyword follows, which must end the line.
fn flag<'a>(name: &'static str, expected: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, bool> {
    move |input| match skip_blanks(input) {
        "" => Ok((input, false)),
        _ => map(keyword(name, expected), |_| true).parse(input),
    }
}

/// A number, or nothing at the end of the line.
fn optional_number<'a>(after: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, Option<u32>> {
    move |input| {
        if skip_blanks(input).is_empty() {
            return Ok((input, None));
        }
        map(number(after), Some).parse(input)
    }
}

/// The words that end `searchmoves`.
const GO_KEYWORDS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "p1time",
    "wtime",
    "p2time",
    "btime",
    "p1inc",
    "winc",
    "p2inc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];

/// `[LIMIT]…`, in any order, each at most once; `wtime` and `p1time` are one limit.
fn go(input: &str) -> Parsed<'_, Go> {
    let mut go = Go::default();
    let mut rest = input;
    while let Ok((after, name)) = word(rest) {
        let limit = Field { at: rest, after };
        let name = name.to_ascii_lowercase();
        rest = match name.as_str() {
            "depth" => limit.number(&name, &mut go.depth)?,
            "nodes" => limit.number(&name, &mut go.nodes)?,
            "movetime" => limit.number(&name, &mut go.movetime)?,
            "p1time" | "wtime" => limit.number(&name, &mut go.time[0])?,
            "p2time" | "btime" => limit.number(&name, &mut go.time[1])?,
            "p1inc" | "winc" => limit.number(&name, &mut go.inc[0])?,
            "p2inc" | "binc" => limit.number(&name, &mut go.inc[1])?,
            "movestogo" => limit.number(&name, &mut go.movestogo)?,
            "mate" => limit.number(&name, &mut go.mate)?,
            "infinite" => limit.flag(&mut go.infinite)?,
            "ponder" => limit.flag(&mut go.ponder)?,
            "searchmoves" => limit.moves(GO_KEYWORDS, &mut go.searchmoves)?,
            _ => {
                return Err(fault(
                    rest,
                    "depth, nodes, movetime, p1time, p2time, p1inc, p2inc, \
                     movestogo, mate, infinite, ponder or searchmoves",
                ));
            }
        };
    }
    Ok((rest, go))
}

/// `N [bias B] [LIMIT]…`
fn balance(input: &str) -> Parsed<'_, Command> {
    let (rest, stones) = number("balance")(input)?;
    let (rest, bias) = match keyword("bias", "'bias'")(rest) {
        Ok((rest, _)) => number("bias")(rest)?,
        Err(_) => (rest, 0),
    };
    let (rest, go) = go(rest)?;
    Ok((rest, Command::Balance { stones, bias, go }))
}

/// `PROTOCOL propose [LIMIT]…` or `PROTOCOL choose CELL… [LIMIT]…`
fn opening(input: &str) -> Parsed<'_, Opening> {
    const EXPECTED: &str = "'propose' or 'choose'";
    let (rest, protocol) = word_as("a protocol after opening")(input)?;
    let (after, what) = word_as(EXPECTED)(rest)?;
    let (rest, stones) = match what.to_ascii_lowercase().as_str() {
        "propose" => (after, Vec::new()),
        "choose" => some_words_before(GO_KEYWORDS, "a stone after choose")(after)?,
        _ => return Err(fault(rest, EXPECTED)),
    };
    let (rest, go) = go(rest)?;
    Ok((
        rest,
        Opening {
            protocol,
            stones,
            go,
        },
    ))
}

/// The words that end the name of a file in `prove`.
const PROVE_KEYWORDS: &[&str] = &[
    "win",
    "draw",
    "for",
    "nodes",
    "movetime",
    "certificate",
    "resume",
    "guide",
];

/// `[win|draw] [for PLAYER] [nodes N] [movetime MS] [certificate FILE] [resume FILE]
/// [guide FILE]`, in any order, each at most once.
fn prove(input: &str) -> Parsed<'_, Prove> {
    let mut prove = Prove::default();
    let mut rest = input;
    while let Ok((after, name)) = word(rest) {
        let field = Field { at: rest, after };
        let name = name.to_ascii_lowercase();
        rest = match name.as_str() {
            "win" => field.claim(Claim::Win, &mut prove.claim)?,
            "draw" => field.claim(Claim::Draw, &mut prove.claim)?,
            "for" => field.text(word_as("a player after for"), &mut prove.player)?,
            "nodes" => field.number(&name, &mut prove.nodes)?,
            "movetime" => field.number(&name, &mut prove.movetime)?,
            "certificate" => field.file(&mut prove.certificate)?,
            "resume" => field.file(&mut prove.resume)?,
            "guide" => field.file(&mut prove.guide)?,
            _ => {
                return Err(fault(
                    rest,
                    "win, draw, for, nodes, movetime, certificate, resume or guide",
                ));
            }
        };
    }
    Ok((rest, prove))
}

/// A field of a `go`, a `prove` or an `info` whose name has just been read. Each method
/// reads the value into its place and returns the rest of the line. A second
/// value for the same place is a fault, since it would be unclear which one
/// counts.
struct Field<'a> {
    /// The line from the name on.
    at: &'a str,
    /// The line after the name.
    after: &'a str,
}

impl<'a> Field<'a> {
    fn once(&self, taken: bool) -> Result<(), nom::Err<Fault<'a>>> {
        if taken {
            return Err(fault(self.at, "each field at most once"));
        }
        Ok(())
    }

    fn number<T: Whole>(
        self,
        name: &str,
        place: &mut Option<T>,
    ) -> Result<&'a str, nom::Err<Fault<'a>>> {
        self.once(place.is_some())?;
        let (rest, value) = number(name)(self.after)?;
        *place = Some(value);
        Ok(rest)
    }

    fn claim(
        self,
        claim: Claim,
        place: &mut Option<Claim>,
    ) -> Result<&'a str, nom::Err<Fault<'a>>> {
        self.once(place.is_some())?;
        *place = Some(claim);
        Ok(self.after)
    }

    fn text(
        self,
        read: impl FnOnce(&'a str) -> Parsed<'a, String>,
        place: &mut Option<String>,
    ) -> Result<&'a str, nom::Err<Fault<'a>>> {
        self.once(place.is_some())?;
        let (rest, text) = read(self.after)?;
        *place = Some(text);
        Ok(rest)
    }

    fn file(self, place: &mut Option<String>) -> Result<&'a str, nom::Err<Fault<'a>>> {
        self.text(phrase_before(PROVE_KEYWORDS, "the name of a file"), place)
    }

    fn flag(self, place: &mut bool) -> Result<&'a str, nom::Err<Fault<'a>>> {
        self.once(*place)?;
        *place = true;
        Ok(self.after)
    }

    fn moves(
        self,
        stops: &'static [&'static str],
        place: &mut Vec<String>,
    ) -> Result<&'a str, nom::Err<Fault<'a>>> {
        self.once(!place.is_empty())?;
        let (rest, moves) = some_words_before(stops, "at least one move")(self.after)?;
        *place = moves;
        Ok(rest)
    }
}

/// Reads one line of the engine, with or without its line end.
///
/// A line that is not a reply of another kind is a [`Reply::Text`]. This
/// includes a line such as `perft D [divide] …` that begins like a reply but
/// continues differently, if its first word is also the name of a command,
/// because `help` prints such lines. A line that begins with a word that only
/// replies begin with (`id option ugiok readyok info bestmove response error`)
/// and breaks its grammar is an error.
pub fn parse_reply(line: &str) -> Result<Reply, ProtocolError> {
    let text = line.trim_end_matches(['\r', '\n']);
    let line = text.trim_end_matches(is_blank);
    let start = skip_blanks(line);
    let name = first_word(start);
    let rest = &start[name.len()..];
    let parsed = match name {
        "id" => id(rest),
        "option" => option_decl(rest),
        "ugiok" => Ok((rest, Reply::UgiOk)),
        "readyok" => Ok((rest, Reply::ReadyOk)),
        "info" => info(rest),
        "bestmove" => best_move(rest),
        "response" => map(rest_of_line, Reply::Response).parse(rest),
        "error" => error(rest),
        _ => {
            let parsed = match name {
                "threatening" => threatening(rest),
                "eval" => eval(rest),
                "perft" => perft_total(rest),
                "proof" => proof(rest),
                _ => perft_move(start),
            };
            return Ok(whole_line(line, parsed).unwrap_or_else(|_| Reply::Text(text.to_owned())));
        }
    };
    whole_line(line, parsed)
}

/// `KEY VALUE`
fn id(input: &str) -> Parsed<'_, Reply> {
    let (rest, key) = word_as("a key after id")(input)?;
    let (rest, value) = rest_of_line(rest)?;
    Ok((rest, Reply::Id { key, value }))
}

/// `name NAME type TYPE …`
fn option_decl(input: &str) -> Parsed<'_, Reply> {
    let (rest, _) = keyword("name", "'name' and an option")(input)?;
    let (rest, name) = phrase_before(&["type"], "an option after name")(rest)?;
    let (rest, _) = keyword("type", "'type'")(rest)?;
    let (rest, kind) = option_type(rest)?;
    Ok((rest, Reply::OptionDecl { name, kind }))
}

/// `check default D`, `spin default D min A max B`, `combo default D [var V]…`,
/// `string default D` or `button`
fn option_type(input: &str) -> Parsed<'_, OptionType> {
    const EXPECTED: &str = "check, spin, combo, string or button";
    let (rest, name) = word_as(EXPECTED)(input)?;
    if name == "button" {
        return Ok((rest, OptionType::Button));
    }
    let default = |i| keyword("default", "'default'")(i);
    match name.as_str() {
        "check" => {
            let (rest, _) = default(rest)?;
            let (after, word) = word_as("true or false")(rest)?;
            let default = word.parse().map_err(|_| fault(rest, "true or false"))?;
            Ok((after, OptionType::Check { default }))
        }
        "spin" => {
            let (rest, _) = default(rest)?;
            let (rest, default) = number("default")(rest)?;
            let (rest, _) = keyword("min", "'min'")(rest)?;
            let (rest, min) = number("min")(rest)?;
            let (rest, _) = keyword("max", "'max'")(rest)?;
            let (rest, max) = number("max")(rest)?;
            Ok((rest, OptionType::Spin { default, min, max }))
        }
        "combo" => {
            let (rest, _) = default(rest)?;
            let (rest, default) = phrase_before(&["var"], "a default")(rest)?;
            let choice = preceded(keyword("var", "'var'"), phrase_before(&["var"], "a choice"));
            let (rest, choices) = many0(choice).parse(rest)?;
            Ok((rest, OptionType::Combo { default, choices }))
        }
        "string" => {
            let (rest, _) = default(rest)?;
            let (rest, text) = rest_of_line(rest)?;
            let default = if text == EMPTY { String::new() } else { text };
            Ok((rest, OptionType::Text { default }))
        }
        _ => Err(fault(input, EXPECTED)),
    }
}

/// `string TEXT`, or fields in any order, each at most once
fn info(input: &str) -> Parsed<'_, Reply> {
    if let Ok((rest, _)) = keyword("string", "'string'")(input) {
        return map(rest_of_line, Reply::InfoString).parse(rest);
    }
    let mut info = Info::default();
    let mut rest = input;
    while let Ok((after, name)) = word(rest) {
        let field = Field { at: rest, after };
        rest = match name {
            "depth" => field.number(name, &mut info.depth)?,
            "seldepth" => field.number(name, &mut info.seldepth)?,
            "multipv" => field.number(name, &mut info.multipv)?,
            "nodes" => field.number(name, &mut info.nodes)?,
            "nps" => field.number(name, &mut info.nps)?,
            "hashfull" => field.number(name, &mut info.hashfull)?,
            "tbhits" => field.number(name, &mut info.tbhits)?,
            "time" => field.number(name, &mut info.time)?,
            "pv" => field.moves(&[], &mut info.pv)?,
            "currmovenumber" => field.number(name, &mut info.currmovenumber)?,
            "currmove" => {
                field.once(info.currmove.is_some())?;
                let (after, mv) = word(after)?;
                info.currmove = Some(mv.to_string());
                after
            }
            "wdl" => {
                field.once(info.wdl.is_some())?;
                let (after, win) = number("wdl")(after)?;
                let (after, draw) = number("wdl")(after)?;
                let (after, loss) = number("wdl")(after)?;
                info.wdl = Some([win, draw, loss]);
                after
            }
            "score" => {
                field.once(info.score.is_some())?;
                let (after, score) = score(after)?;
                info.score = Some(score);
                let (after, (bound, proven)) = score_marks(after)?;
                (info.bound, info.proven) = (bound, proven);
                after
            }
            _ => return Err(fault(rest, "a field of info")),
        };
    }
    Ok((rest, Reply::Info(info)))
}

/// `cp X` or `mate P`
fn score(input: &str) -> Parsed<'_, Score> {
    match word(input) {
        Ok((rest, "cp")) => map(number("cp"), Score::Cp).parse(rest),
        Ok((rest, "mate")) => map(number("mate"), Score::Mate).parse(rest),
        _ => Err(fault(input, "cp or mate after score")),
    }
}

/// `[lowerbound|upperbound] [proven]`
fn score_marks(input: &str) -> Parsed<'_, (Bound, bool)> {
    let (rest, bound) = match word(input) {
        Ok((rest, "lowerbound")) => (rest, Bound::Lower),
        Ok((rest, "upperbound")) => (rest, Bound::Upper),
        _ => (input, Bound::Exact),
    };
    match word(rest) {
        Ok((rest, "proven")) => Ok((rest, (bound, true))),
        _ => Ok((rest, (bound, false))),
    }
}

/// `M`
fn best_move(input: &str) -> Parsed<'_, Reply> {
    let (rest, best) = word_as("a move after bestmove")(input)?;
    let best = (best != NO_MOVE).then_some(best);
    Ok((rest, Reply::BestMove { best, ponder: None }))
}

/// `N`
fn threatening(input: &str) -> Parsed<'_, Reply> {
    map(number("threatening"), Reply::Threatening).parse(input)
}

/// `cp N [parts NAME OWN OTHER …]`
fn eval(input: &str) -> Parsed<'_, Reply> {
    let (rest, _) = keyword("cp", "'cp'")(input)?;
    let (rest, cp) = number("cp")(rest)?;
    let parts = preceded(keyword("parts", "'parts'"), many1(part));
    let (rest, parts) = opt(parts).parse(rest)?;
    let parts = parts.unwrap_or_default();
    Ok((rest, Reply::Eval { cp, parts }))
}

/// `NAME OWN OTHER`
fn part(input: &str) -> Parsed<'_, Part> {
    let (rest, name) = word_as("a part")(input)?;
    let (rest, own) = number("a part")(rest)?;
    let (rest, other) = number("a part")(rest)?;
    Ok((rest, Part { name, own, other }))
}

/// `D nodes N time MS nps X`
fn perft_total(input: &str) -> Parsed<'_, Reply> {
    let (rest, depth) = number("perft")(input)?;
    let (rest, _) = keyword("nodes", "'nodes'")(rest)?;
    let (rest, nodes) = number("nodes")(rest)?;
    let (rest, _) = keyword("time", "'time'")(rest)?;
    let (rest, time) = number("time")(rest)?;
    let (rest, _) = keyword("nps", "'nps'")(rest)?;
    let (rest, nps) = number("nps")(rest)?;
    let total = Reply::Perft {
        depth,
        nodes,
        time,
        nps,
    };
    Ok((rest, total))
}

/// `VERDICT nodes N positions P time MS`
fn proof(input: &str) -> Parsed<'_, Reply> {
    const EXPECTED: &str = "win, nowin, draw, loss or unknown";
    let (rest, name) = word_as(EXPECTED)(input)?;
    let verdict = Verdict::ALL
        .into_iter()
        .find(|verdict| verdict.as_str() == name)
        .ok_or_else(|| fault(input, EXPECTED))?;
    let (rest, _) = keyword("nodes", "'nodes'")(rest)?;
    let (rest, nodes) = number("nodes")(rest)?;
    let (rest, _) = keyword("positions", "'positions'")(rest)?;
    let (rest, positions) = number("positions")(rest)?;
    let (rest, _) = keyword("time", "'time'")(rest)?;
    let (rest, time) = number("time")(rest)?;
    let found = Reply::Proof {
        verdict,
        nodes,
        positions,
        time,
    };
    Ok((rest, found))
}

/// `M N`
fn perft_move(input: &str) -> Parsed<'_, Reply> {
    let (rest, mv) = word_as("a move")(input)?;
    let (rest, nodes) = number("the move")(rest)?;
    Ok((rest, Reply::PerftMove { mv, nodes }))
}

/// `CODE TEXT`
fn error(input: &str) -> Parsed<'_, Reply> {
    const EXPECTED: &str = "an error code";
    let (rest, name) = word_as(EXPECTED)(input)?;
    let code = ErrorCode::ALL
        .into_iter()
        .find(|code| code.as_str() == name)
        .ok_or_else(|| fault(input, EXPECTED))?;
    let (rest, text) = rest_of_line(rest)?;
    Ok((rest, Reply::Error(ProtocolError::new(code, text))))
}
