//! Gomocup: keeps the stones that the manager has told of and turns its lines
//! into the engine's own commands, and the replies to those into its answers.
//!
//! Row 0 is the lowest one, so `0,0` is `a1`.

use crate::board::{Dimensions, Naming};
use crate::settings;
use quintet_protocol::gomocup::{Cell, Command as Line, Reply as Answer};
use quintet_protocol::{
    Base, Command, ErrorCode, Go, Info, ProtocolError, Reply, Score, Stones, quoted,
};
use std::time::Instant;

/// The game that managers of this dialect play.
const GAME: &str = "gomoku";
/// Its option for the rule about longer rows.
const RULE: &str = "Gomoku.Rule";
/// The values of that option by the last bit of `INFO rule`.
const RULES: [&str; 2] = ["freestyle", "standard"];

/// The sizes that the managers have.
const SIZES: std::ops::RangeInclusive<u32> = 5..=22;

/// Milliseconds for a move until the manager says: the dialect's own default.
const TURN: i64 = 30_000;

/// Milliseconds for a move that is to be made as fast as possible.
const FASTEST: i64 = 50;

/// A limit for a whole match that is none: 2^31 - 1, what managers send where
/// there is no limit, or more.
const NO_LIMIT: i64 = i32::MAX as i64;

/// MiB of the transposition table unless the manager grants too little.
const HASH: i64 = 64;
/// MiB that the process takes without a table.
const REST: i64 = 24;

/// Whose stone it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Own,
    Opponent,
}

impl Owner {
    fn other(self) -> Owner {
        match self {
            Owner::Own => Owner::Opponent,
            Owner::Opponent => Owner::Own,
        }
    }
}

/// What the manager waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Awaited {
    #[default]
    Nothing,
    /// The end of a preparation.
    Ready,
    Move,
    /// Whether to swap, or else a move.
    Swap2,
}

/// The command that opened a list of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    /// A move is asked for at its end.
    Board,
    /// Nothing is asked for.
    YxBoard,
    Swap2Board,
}

/// A list of stones as far as it has come.
#[derive(Debug)]
struct Told {
    list: List,
    stones: Vec<(Cell, Option<u32>)>,
    /// What was wrong with it.
    refusal: Option<String>,
}

/// What the engine is to do for a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Obey; where that is refused, [`Translator::failed`] says what to answer
    /// and no further step is done.
    Do(Command),
    /// Obey, whatever comes of it: the line is one that is never answered.
    Try(Command),
    /// Answer.
    Say(Answer),
}

/// The state of a conversation.
#[derive(Debug, Default)]
pub struct Translator {
    /// The board, once there is a game.
    size: Option<usize>,
    /// The stones in the order in which they were told, by cell.
    stones: Vec<(usize, Owner)>,
    /// Cells that are taken by stones that count for nobody.
    blocked: Vec<usize>,
    told: Option<Told>,
    awaited: Awaited,
    /// Index into [`RULES`].
    rule: usize,
    turn: Option<i64>,
    /// For the whole match, if there is a limit.
    whole: Option<i64>,
    /// What is left of it.
    left: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Whether each step of a search is to be told.
    detail: bool,
    /// The last news from the search.
    news: Option<Info>,
    started: Option<Instant>,
}

impl Translator {
    /// What a line asks of the engine.
    pub fn plan(&mut self, line: Line) -> Vec<Step> {
        // Any command but these two ends a list without its `DONE`.
        if !matches!(line, Line::Stone(..) | Line::Done) {
            self.told = None;
        }
        let steps = match line {
            Line::Start(size) => self.start(size),
            Line::RectStart(width, height) if width == height => self.start(width),
            Line::RectStart(..) => Err("only square boards are supported".to_string()),
            Line::Restart => self.size().and_then(|size| self.start(size as u32)),
            Line::Begin => self.size().and_then(|_| self.search(Awaited::Move)),
            Line::Turn(cell) => self
                .put(cell, Owner::Opponent)
                .and_then(|()| self.search(Awaited::Move)),
            Line::Play(cell) => self
                .put(cell, Owner::Own)
                .map(|()| vec![Step::Say(Answer::Stones(vec![cell]))]),
            Line::TakeBack(cell) => self.take_back(cell),
            Line::Board => self.list(List::Board),
            Line::YxBoard => self.list(List::YxBoard),
            Line::Swap2Board => self.list(List::Swap2Board),
            Line::Stone(cell, who) => match &mut self.told {
                Some(told) => {
                    told.stones.push((cell, who));
                    Ok(Vec::new())
                }
                None => Err("a stone is told of after BOARD alone".to_string()),
            },
            Line::Done => match self.told.take() {
                Some(told) => self.done(&told),
                None => Err("DONE without BOARD".to_string()),
            },
            Line::Info(key, value) => self.info(&key, &value),
            Line::About => Ok(vec![Step::Say(about())]),
            // The reader has made commands of the engine of these.
            Line::YxStop => Ok(vec![Step::Try(Command::Stop)]),
            Line::End => Ok(vec![Step::Try(Command::Quit)]),
        };
        steps.unwrap_or_else(|why| vec![Step::Say(Answer::Error(why))])
    }

    /// The answer to a line that could not be read; none inside a list, which
    /// is refused at its end.
    pub fn misread(&mut self, error: &ProtocolError) -> Vec<Answer> {
        match &mut self.told {
            Some(told) => {
                told.refusal.get_or_insert(error.text().to_string());
                Vec::new()
            }
            None => vec![refusal(error)],
        }
    }

    /// The answer where a step was refused. Where a move is awaited there is
    /// one as long as a cell is empty, after a row of five too.
    pub fn failed(&mut self, error: &ProtocolError) -> Vec<Answer> {
        match self.awaited {
            Awaited::Move | Awaited::Swap2 => {
                let mut answers = vec![Answer::Debug(error.text().to_string())];
                answers.extend(self.finish(None));
                answers
            }
            Awaited::Ready | Awaited::Nothing => {
                self.awaited = Awaited::Nothing;
                self.size = None;
                vec![refusal(error)]
            }
        }
    }

    /// What the manager is told of a reply of the engine.
    pub fn write(&mut self, reply: &Reply) -> Vec<Answer> {
        let thinking = matches!(self.awaited, Awaited::Move | Awaited::Swap2);
        match reply {
            Reply::ReadyOk if self.awaited == Awaited::Ready => {
                self.awaited = Awaited::Nothing;
                vec![Answer::Ok]
            }
            Reply::Info(info) if thinking => {
                // On a finished board a search has nothing to say.
                if info.pv.is_empty() {
                    return Vec::new();
                }
                if info.multipv.unwrap_or(1) == 1 {
                    self.news = Some(info.clone());
                }
                match self.detail {
                    true => vec![self.message(info)],
                    false => Vec::new(),
                }
            }
            Reply::InfoString(text) if thinking => vec![Answer::Debug(text.clone())],
            Reply::BestMove { best, .. } if thinking => {
                let mut answers = Vec::new();
                if let Some(news) = self.news.as_ref().filter(|_| !self.detail) {
                    answers.push(self.message(news));
                }
                answers.extend(self.finish(best.as_deref()));
                answers
            }
            Reply::Error(error) if thinking => vec![Answer::Debug(error.text().to_string())],
            Reply::Error(error) => vec![refusal(error)],
            _ => Vec::new(),
        }
    }

    fn size(&self) -> Result<usize, String> {
        self.size
            .ok_or_else(|| "there is no board yet: START comes first".to_string())
    }

    fn start(&mut self, size: u32) -> Result<Vec<Step>, String> {
        if !SIZES.contains(&size) {
            let (least, most) = (SIZES.start(), SIZES.end());
            return Err(format!("boards go from {least} to {most}, not {size}"));
        }
        self.size = Some(size as usize);
        self.stones.clear();
        self.blocked.clear();
        self.left = self.whole;
        self.awaited = Awaited::Ready;
        let option = |name: &str, value: String| (name.to_string(), value);
        Ok(vec![
            Step::Do(Command::NewGame {
                game: GAME.to_string(),
                options: vec![
                    option("size", size.to_string()),
                    option("rule", RULES[self.rule].to_string()),
                ],
            }),
            Step::Do(Command::IsReady),
        ])
    }

    /// The number of a cell that is empty.
    fn empty(&self, cell: Cell) -> Result<usize, String> {
        let size = self.size()?;
        let (x, y) = (cell.x as usize, cell.y as usize);
        if x >= size || y >= size {
            return Err(format!("{cell} is not on the board"));
        }
        let cell_number = y * size + x;
        if self.is_taken(cell_number) {
            return Err(format!("{cell} is not empty"));
        }
        Ok(cell_number)
    }

    fn is_taken(&self, cell: usize) -> bool {
        self.stones.iter().any(|&(c, _)| c == cell) || self.blocked.contains(&cell)
    }

    fn put(&mut self, cell: Cell, owner: Owner) -> Result<(), String> {
        let cell = self.empty(cell)?;
        self.stones.push((cell, owner));
        Ok(())
    }

    fn take_back(&mut self, cell: Cell) -> Result<Vec<Step>, String> {
        let size = self.size()?;
        let there = |&(c, _): &(usize, Owner)| at(size, c) == cell;
        let place = self.stones.iter().rposition(there);
        let place = place.ok_or_else(|| format!("there is no stone on {cell}"))?;
        self.stones.remove(place);
        Ok(vec![Step::Say(Answer::Ok)])
    }

    fn list(&mut self, list: List) -> Result<Vec<Step>, String> {
        self.told = Some(Told {
            list,
            stones: Vec::new(),
            refusal: self.size().err(),
        });
        Ok(Vec::new())
    }

    /// Takes over a list of stones and begins what was asked for.
    fn done(&mut self, told: &Told) -> Result<Vec<Step>, String> {
        if let Some(why) = &told.refusal {
            return Err(why.clone());
        }
        let before = (
            std::mem::take(&mut self.stones),
            std::mem::take(&mut self.blocked),
        );
        if let Err(why) = self.take_over(told) {
            (self.stones, self.blocked) = before;
            return Err(why);
        }
        match told.list {
            List::Board => self.search(Awaited::Move),
            List::YxBoard => Ok(Vec::new()),
            List::Swap2Board if told.stones.is_empty() => {
                let size = self.size()?;
                let opening = opening(size);
                for (cell, owner) in opening
                    .into_iter()
                    .zip([Owner::Own, Owner::Opponent].into_iter().cycle())
                {
                    self.put(cell, owner)?;
                }
                Ok(vec![Step::Say(Answer::Stones(opening.to_vec()))])
            }
            List::Swap2Board => self.search(Awaited::Swap2),
        }
    }

    fn take_over(&mut self, told: &Told) -> Result<(), String> {
        if told.list == List::Swap2Board && ![0, 3, 5].contains(&told.stones.len()) {
            let n = told.stones.len();
            return Err(format!("a swap2 opening has no, 3 or 5 stones, not {n}"));
        }
        for (i, &(cell, who)) in told.stones.iter().enumerate() {
            match (told.list, who) {
                // White is to choose, so the last stone is the other side's.
                (List::Swap2Board, _) => {
                    let owner = if i % 2 == 0 {
                        Owner::Opponent
                    } else {
                        Owner::Own
                    };
                    self.put(cell, owner)?;
                }
                (_, Some(1)) => self.put(cell, Owner::Own)?,
                (_, Some(2)) => self.put(cell, Owner::Opponent)?,
                (_, Some(3)) => {
                    let cell = self.empty(cell)?;
                    self.blocked.push(cell);
                }
                (_, Some(n)) => return Err(format!("{cell},{n}: a stone is 1, 2 or 3")),
                (_, None) => return Err(format!("{cell}: whose stone is it? 1 or 2")),
            }
        }
        Ok(())
    }

    fn info(&mut self, key: &str, value: &str) -> Result<Vec<Step>, String> {
        let number = value.parse::<i64>().ok();
        let option = |name: &str, value: String| Command::SetOption {
            name: name.to_string(),
            value: Some(value),
        };
        let mut steps = Vec::new();
        match (key, number) {
            ("timeout_turn", Some(n)) => self.turn = Some(n.max(0)),
            ("timeout_match", Some(n)) => {
                self.whole = (n > 0 && n < NO_LIMIT).then_some(n);
                self.left = self.whole;
            }
            // Where there is no limit to the match this number means nothing.
            ("time_left", Some(n)) => self.left = (n < NO_LIMIT).then_some(n),
            ("max_memory", Some(n)) => {
                let hash = match n {
                    0 => HASH,
                    n => ((n >> 20) - REST).clamp(1, HASH),
                };
                steps.push(Step::Try(option(settings::HASH, hash.to_string())));
            }
            ("thread_num", Some(n)) => {
                steps.push(Step::Try(option(settings::THREADS, n.to_string())));
            }
            ("max_depth", Some(n)) => self.depth = u32::try_from(n).ok().filter(|&n| n > 0),
            ("max_node", Some(n)) => self.nodes = u64::try_from(n).ok().filter(|&n| n > 0),
            // 2 is a game that goes on after a row of five: it always does.
            ("rule", Some(n @ 0..=3)) => {
                let rule = n as usize & 1;
                if rule != self.rule {
                    self.rule = rule;
                    steps.push(Step::Try(option(RULE, RULES[rule].to_string())));
                }
            }
            ("rule", _) => {
                return Err(format!(
                    "rule {} is not supported, only 0 (five or more) and 1 (exactly five)",
                    quoted(value)
                ));
            }
            ("show_detail", n) => self.detail = n != Some(0),
            // Nothing that matters here, or nothing that anybody knows: the
            // dialect has no answer to `INFO`.
            _ => log::debug!("not looked at: INFO {key} {value}"),
        }
        Ok(steps)
    }

    /// The steps to a move of our own.
    fn search(&mut self, awaited: Awaited) -> Result<Vec<Step>, String> {
        let size = self.size()?;
        if self.fallback().is_none() {
            return Err("the board is full".to_string());
        }
        self.awaited = awaited;
        self.news = None;
        self.started = Some(Instant::now());
        let name = |cell: usize| Naming::Letters.write(Dimensions::square(size), cell);
        let turn = self.turn.unwrap_or(TURN);
        let searchmoves = match self.blocked.is_empty() {
            true => Vec::new(),
            false => (0..size * size)
                .filter(|&c| !self.is_taken(c))
                .map(name)
                .collect(),
        };
        Ok(vec![
            Step::Do(self.position(size)),
            Step::Do(Command::Go(Go {
                movetime: Some(match turn {
                    0 => FASTEST,
                    // The manager's watch runs a little longer than ours.
                    turn => turn - (turn / 10).min(20),
                }),
                time: [self.left; 2],
                depth: self.depth,
                nodes: self.nodes,
                searchmoves,
                ..Go::default()
            })),
        ])
    }

    /// The stones as a position in which we are to move.
    fn position(&self, size: usize) -> Command {
        let name =
            |&(cell, _): &(usize, Owner)| Naming::Letters.write(Dimensions::square(size), cell);
        let last = self.stones.last().map_or(Owner::Opponent, |s| s.1);
        let alternate = self.stones.windows(2).all(|w| w[0].1 != w[1].1);
        if alternate && last == Owner::Opponent {
            return Command::Position {
                base: Base::StartPos,
                moves: self.stones.iter().map(name).collect(),
            };
        }
        // Who has more stones was first; with as many it is our turn as first.
        let of = |owner| self.stones.iter().filter(move |s| s.1 == owner);
        let first = of(Owner::Own).count() >= of(Owner::Opponent).count();
        let (own, other) = if first {
            ("black", "white")
        } else {
            ("white", "black")
        };
        let mut words = vec![own.to_string()];
        words.extend(of(Owner::Own).map(name));
        words.push(other.to_string());
        words.extend(of(Owner::Opponent).map(name));
        Command::Position {
            base: Base::Stones(Stones {
                words,
                turn: own.to_string(),
                extra: Vec::new(),
            }),
            moves: Vec::new(),
        }
    }

    /// Some empty cell, near the last stone.
    fn fallback(&self) -> Option<usize> {
        let size = self.size?;
        let centre = (size / 2) * size + size / 2;
        let near = self.stones.last().map_or(centre, |s| s.0);
        (0..size * size)
            .filter(|&c| !self.is_taken(c))
            .min_by_key(|c| {
                let dx = (c % size).abs_diff(near % size);
                let dy = (c / size).abs_diff(near / size);
                (dx.max(dy), dx + dy)
            })
    }

    /// Answers what is awaited with the move that was found, if one was.
    fn finish(&mut self, best: Option<&str>) -> Vec<Answer> {
        let awaited = std::mem::take(&mut self.awaited);
        if let (Some(started), Some(left)) = (self.started.take(), &mut self.left) {
            *left -= started.elapsed().as_millis() as i64;
        }
        let found = self.size.and_then(|size| {
            let best =
                best.and_then(|text| Naming::Letters.read(Dimensions::square(size), text).ok());
            let cell = best.filter(|&c| !self.is_taken(c)).or(self.fallback())?;
            Some((cell, at(size, cell)))
        });
        let Some((number, cell)) = found else {
            return vec![Answer::Error("the board is full".to_string())];
        };
        // Either colour is as good for us as for the other side: two more
        // stones to even things out would only hand the choice on.
        let score = self.news.as_ref().and_then(|news| news.score);
        let losing = matches!(score, Some(Score::Cp(n) | Score::Mate(n)) if n < 0);
        if awaited == Awaited::Swap2 && losing {
            for stone in &mut self.stones {
                stone.1 = stone.1.other();
            }
            return vec![Answer::Swap];
        }
        self.stones.push((number, Owner::Own));
        vec![Answer::Stones(vec![cell])]
    }

    /// How a search stands, in the words of `info`.
    fn message(&self, info: &Info) -> Answer {
        let size = self.size.unwrap_or_default();
        let foreign = |text: &String| match Naming::Letters.read(Dimensions::square(size), text) {
            Ok(cell) => at(size, cell).to_string(),
            Err(_) => text.clone(),
        };
        let line = Info {
            pv: info.pv.iter().map(foreign).collect(),
            ..info.clone()
        };
        Answer::Message(line.to_string().split_off("info ".len()))
    }
}

/// The coordinates of a cell on a board of this size.
fn at(size: usize, cell: usize) -> Cell {
    Cell {
        x: (cell % size) as u32,
        y: (cell / size) as u32,
    }
}

fn refusal(error: &ProtocolError) -> Answer {
    let text = error.text().to_string();
    match error.code() {
        ErrorCode::Unknown => Answer::Unknown(text),
        _ => Answer::Error(text),
    }
}

fn about() -> Answer {
    let pairs = [
        ("name", "Quintet"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("author", env!("CARGO_PKG_AUTHORS")),
        ("country", "International"),
    ];
    Answer::About(pairs.map(|(n, v)| (n.to_string(), v.to_string())).to_vec())
}

/// Three stones, black, white and black, that leave about even chances: a
/// search of a second on 15x15 says cp 6 for White.
fn opening(size: usize) -> [Cell; 3] {
    let centre = (size / 2) as u32;
    let far = centre - centre.min(4);
    [centre, centre + 1, far].map(|n| Cell { x: n, y: n })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_protocol::gomocup::parse_command;

    /// The steps of the last of these lines.
    fn plan(translator: &mut Translator, text: &str) -> Vec<Step> {
        let mut last = Vec::new();
        for line in text.split(" | ") {
            last = match parse_command(line) {
                Ok(line) => translator.plan(line.expect("no blank line")),
                Err(e) => translator.misread(&e).into_iter().map(Step::Say).collect(),
            };
        }
        last
    }

    fn commands(steps: &[Step]) -> Vec<String> {
        steps
            .iter()
            .map(|step| match step {
                Step::Do(command) | Step::Try(command) => command.to_string(),
                Step::Say(answer) => answer.to_string(),
            })
            .collect()
    }

    #[test]
    fn lines_become_commands_of_the_engine() {
        for (lines, steps) in [
            (
                "START 20",
                &["newgame gomoku size 20 rule freestyle", "isready"][..],
            ),
            (
                "INFO rule 1 | START 15",
                &["newgame gomoku size 15 rule standard", "isready"],
            ),
            (
                "START 15 | BEGIN",
                &["position startpos", "go movetime 29980"],
            ),
            (
                "START 15 | TURN 0,1",
                &["position startpos moves a2", "go movetime 29980"],
            ),
            (
                "INFO timeout_turn 100 | INFO timeout_match 9000 | START 15 | INFO time_left 500 | BEGIN",
                &["position startpos", "go movetime 90 p1time 500 p2time 500"],
            ),
            (
                "INFO timeout_turn 0 | INFO timeout_match 0 | INFO time_left 2147483647 | START 5 | BEGIN",
                &["position startpos", "go movetime 50"],
            ),
            (
                "START 15 | BOARD | 0,0,1 | 1,0,2 | DONE",
                &["position startpos moves a1 b1", "go movetime 29980"],
            ),
            (
                "START 15 | BOARD | 0,0,1 | 1,0,1 | 0,1,2 | 1,1,2 | 2,2,2 | DONE",
                &[
                    "position stones white a1 b1 black a2 b2 c3 turn white",
                    "go movetime 29980",
                ],
            ),
            ("START 15 | YXBOARD | 0,0,1 | DONE", &[]),
            ("START 15 | YXBOARD | 0,0,1 | DONE | TAKEBACK 0,0", &["OK"]),
            (
                "START 15 | BOARD | 0,0,1 | foo | DONE",
                &["ERROR command 'foo'"],
            ),
            (
                "START 15 | BOARD | 0,0,4 | DONE",
                &["ERROR 0,0,4: a stone is 1, 2 or 3"],
            ),
            (
                "START 15 | BOARD | 0,0 | DONE",
                &["ERROR 0,0: whose stone is it? 1 or 2"],
            ),
            (
                "START 15 | BOARD | 0,0,1 | BEGIN",
                &["position startpos", "go movetime 29980"],
            ),
            ("START 15 | TURN 15,0", &["ERROR 15,0 is not on the board"]),
            (
                "INFO max_memory 83886080",
                &["setoption name Hash value 56"],
            ),
            ("INFO max_memory 1000", &["setoption name Hash value 1"]),
            ("INFO max_memory 0", &["setoption name Hash value 64"]),
            ("INFO max_memory x", &[]),
            ("INFO thread_num 4", &["setoption name Threads value 4"]),
        ] {
            let found = commands(&plan(&mut Translator::default(), lines));
            assert_eq!(found, steps, "{lines}");
        }
    }

    #[test]
    fn a_refused_board_changes_nothing() {
        let mut translator = Translator::default();
        plan(&mut translator, "START 15 | YXBOARD | 3,3,1 | DONE");
        plan(&mut translator, "BOARD | 0,0,1 | 0,0,2 | DONE");
        assert_eq!(translator.stones, [(48, Owner::Own)]);
    }

    #[test]
    fn swap2_takes_the_better_colour() {
        for (cp, answer) in [(-1, "SWAP"), (0, "9,9"), (1, "9,9")] {
            let mut translator = Translator::default();
            plan(
                &mut translator,
                "START 15 | SWAP2BOARD | 7,7 | 8,8 | 9,8 | DONE",
            );
            translator.write(&Reply::Info(Info {
                score: Some(Score::Cp(cp)),
                pv: vec!["j10".to_string()],
                ..Info::default()
            }));
            let best = Some("j10".to_string());
            let answers = translator.write(&Reply::BestMove { best, ponder: None });
            assert_eq!(
                answers.last().map(Answer::to_string),
                Some(answer.to_string())
            );
            // It is the other side's turn after either.
            let next = commands(&plan(&mut translator, "TURN 0,0"));
            let first = if cp < 0 { Owner::Own } else { Owner::Opponent };
            assert_eq!(translator.stones[0].1, first);
            assert!(
                next[0].starts_with("position startpos moves h8 i9 j9"),
                "{next:?}"
            );
        }
        for size in SIZES {
            let mut translator = Translator::default();
            let steps = plan(
                &mut translator,
                &format!("START {size} | SWAP2BOARD | DONE"),
            );
            assert!(matches!(&steps[..], [Step::Say(Answer::Stones(s))] if s.len() == 3));
        }
    }

    #[test]
    fn a_move_is_answered_as_long_as_a_cell_is_empty() {
        let mut translator = Translator::default();
        let mut lines = "START 5 | BOARD".to_string();
        for n in 0..24 {
            lines += &format!(" | {},{},{}", n % 5, n / 5, 1 + n % 2);
        }
        plan(&mut translator, &(lines + " | DONE"));
        let over = ProtocolError::new(ErrorCode::Move, "the game is over");
        let answers = translator.failed(&over);
        assert_eq!(
            answers.last(),
            Some(&Answer::Stones(vec![Cell { x: 4, y: 4 }]))
        );
        assert_eq!(
            commands(&plan(&mut translator, "BEGIN")),
            ["ERROR the board is full"]
        );
    }
}
