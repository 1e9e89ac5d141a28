//! Gomocup: keeps the stones that the manager has sent, turns the manager's
//! lines into the engine's commands, and turns the replies into the dialect's
//! answers. Row 0 is the bottom row, so `0,0` is `a1`.

mod list;
mod record;
mod time_control;

use crate::board::Dimensions;
use crate::engine::dialect::{Action, Answer, Dialect, Request};
use crate::session::catalogue::GameInfo;
use crate::settings;
use list::{List, Opening};
use quintet_protocol::gomocup::{self as manager, Cell};
use quintet_protocol::{Command, ErrorCode, Go, Info, ProtocolError, Reply, Score, quoted};
use record::{Owner, Record};
use time_control::TimeControl;

/// The name of the dialect.
pub const NAME: &str = "gomocup";

/// Prefix of the file names of executables that a manager runs.
pub const PROGRAM_PREFIX: &str = "pbrain-";

/// The game that this dialect plays.
const GAME: &str = "gomoku";
/// Its options for the edges of the board, both together and each separately,
/// as in `newgame`.
const SIZE: &str = "size";
const WIDTH: &str = "width";
const HEIGHT: &str = "height";
/// Its option for longer rows, as in `newgame`.
const RULE: &str = "rule";
/// The same option as in `setoption`.
const RULE_OPTION: &str = "Gomoku.Rule";
/// The values of that option by the last bit of `INFO rule`.
const RULES: [&str; 2] = ["freestyle", "standard"];

/// The numbers of columns and rows that managers use.
const SIZES: std::ops::RangeInclusive<usize> = 5..=22;

/// MiB of the transposition table, unless the manager allows less.
const HASH: i64 = 64;
/// MiB that the process needs without a table.
const REST: i64 = 24;

/// What the manager is waiting for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Awaited {
    #[default]
    Nothing,
    /// The end of a preparation.
    Ready,
    Move,
    /// A decision to swap, or a move.
    Swap2,
}

/// The dialect of Piskvork, with the state of a conversation.
#[derive(Debug, Default)]
pub struct Gomocup {
    /// The board, once there is a game.
    record: Option<Record>,
    /// The list of stones that is being received.
    list: Option<List>,
    awaited: Awaited,
    /// Index into [`RULES`].
    rule: usize,
    time: TimeControl,
    /// Whether to send a message for each iteration of a search.
    detail: bool,
    /// The last `info` of the search.
    news: Option<Info>,
}

impl Dialect for Gomocup {
    fn name(&self) -> &'static str {
        NAME
    }

    fn is_opening(&self, line: &str) -> bool {
        manager::is_command(line)
    }

    fn read(&self, line: &str) -> Result<Option<Request>, ProtocolError> {
        use manager::Command as Line;
        Ok(manager::parse_command(line)?.map(|command| match command {
            // These two act on a running search.
            Line::End => Request::Command(Command::Quit),
            Line::YxStop => Request::Command(Command::Stop),
            command => Request::Line {
                text: line.to_string(),
                searches: matches!(command, Line::Begin | Line::Turn(_) | Line::Done),
            },
        }))
    }

    fn plan(&mut self, request: Request, _game: &GameInfo) -> Vec<Action> {
        match request {
            Request::Command(command) => vec![Action::Do(command)],
            Request::Line { text, .. } => match manager::parse_command(&text) {
                Ok(Some(line)) => self.plan_line(line),
                // The line was already parsed when it arrived.
                Ok(None) | Err(_) => Vec::new(),
            },
        }
    }

    /// Lines inside a list get no answer; the list is refused at its end.
    fn misread(&mut self, error: &ProtocolError) -> Vec<Answer> {
        match &mut self.list {
            Some(list) => {
                list.refuse(error.text());
                Vec::new()
            }
            None => vec![answer(refusal(error))],
        }
    }

    /// If a move is awaited, one is sent as long as there is an empty cell,
    /// even after a row of five.
    fn refuse(&mut self, error: &ProtocolError) -> Vec<Answer> {
        match self.awaited {
            Awaited::Move | Awaited::Swap2 => {
                let debug = manager::Reply::Debug(error.text().to_string());
                [debug, self.finish(None)].map(answer).to_vec()
            }
            Awaited::Ready | Awaited::Nothing => {
                self.awaited = Awaited::Nothing;
                self.record = None;
                vec![answer(refusal(error))]
            }
        }
    }

    fn write(&mut self, reply: &Reply, _game: &GameInfo) -> Vec<String> {
        let replies = self.tell(reply);
        replies.iter().map(manager::Reply::to_string).collect()
    }
}

impl Gomocup {
    /// The actions for a line.
    fn plan_line(&mut self, line: manager::Command) -> Vec<Action> {
        use manager::Command as Line;
        // Any command but these two ends a list without `DONE`.
        if !matches!(line, Line::Stone(..) | Line::Done) {
            self.list = None;
        }
        let actions = match line {
            Line::Start(size) => self.start(Dimensions::square(size as usize)),
            Line::RectStart(columns, rows) => {
                self.start(Dimensions::new(columns as usize, rows as usize))
            }
            Line::Restart => self
                .record()
                .map(|record| record.dimensions())
                .and_then(|dimensions| self.start(dimensions)),
            Line::Begin => self.search(Awaited::Move),
            Line::Turn(cell) => self
                .record()
                .and_then(|record| record.put(cell, Owner::Opponent))
                .and_then(|()| self.search(Awaited::Move)),
            Line::Play(cell) => self
                .record()
                .and_then(|record| record.put(cell, Owner::Own))
                .map(|()| vec![say(manager::Reply::Stones(vec![cell]))]),
            Line::TakeBack(cell) => self
                .record()
                .and_then(|record| record.take_back(cell))
                .map(|()| vec![say(manager::Reply::Ok)]),
            Line::Board => self.open_list(Opening::Board),
            Line::YxBoard => self.open_list(Opening::YxBoard),
            Line::Swap2Board => self.open_list(Opening::Swap2Board),
            Line::Stone(cell, who) => match &mut self.list {
                Some(list) => {
                    list.add(cell, who);
                    Ok(Vec::new())
                }
                None => Err("a stone is told of after BOARD alone".to_string()),
            },
            Line::Done => match self.list.take() {
                Some(list) => self.close_list(&list),
                None => Err("DONE without BOARD".to_string()),
            },
            Line::Info(key, value) => self.info(&key, &value),
            Line::About => Ok(vec![say(about())]),
            // `read` has turned these into commands.
            Line::YxStop => Ok(vec![Action::Try(Command::Stop)]),
            Line::End => Ok(vec![Action::Try(Command::Quit)]),
        };
        actions.unwrap_or_else(|why| vec![say(manager::Reply::Error(why))])
    }

    /// The lines to send to the manager for a reply of the engine.
    fn tell(&mut self, reply: &Reply) -> Vec<manager::Reply> {
        let thinking = matches!(self.awaited, Awaited::Move | Awaited::Swap2);
        match reply {
            Reply::ReadyOk if self.awaited == Awaited::Ready => {
                self.awaited = Awaited::Nothing;
                vec![manager::Reply::Ok]
            }
            Reply::Info(info) if thinking => {
                // On a finished board a search has no line to report.
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
            Reply::InfoString(text) if thinking => vec![manager::Reply::Debug(text.clone())],
            Reply::BestMove { best, .. } if thinking => {
                let news = self.news.as_ref().filter(|_| !self.detail);
                let mut replies: Vec<_> = news.map(|news| self.message(news)).into_iter().collect();
                replies.push(self.finish(best.as_deref()));
                replies
            }
            Reply::Error(error) if thinking => {
                vec![manager::Reply::Debug(error.text().to_string())]
            }
            Reply::Error(error) => vec![refusal(error)],
            _ => Vec::new(),
        }
    }

    fn record(&mut self) -> Result<&mut Record, String> {
        self.record
            .as_mut()
            .ok_or_else(|| "there is no board yet: START comes first".to_string())
    }

    /// The actions that start a game on a board of so many columns and rows.
    fn start(&mut self, dimensions: Dimensions) -> Result<Vec<Action>, String> {
        let Dimensions { columns, rows } = dimensions;
        let (least, most) = (SIZES.start(), SIZES.end());
        if let Some(size) = [columns, rows].iter().find(|n| !SIZES.contains(n)) {
            return Err(format!("boards go from {least} to {most}, not {size}"));
        }
        self.record = Some(Record::new(dimensions));
        self.time.reset();
        self.awaited = Awaited::Ready;
        let rule = |name: &str, value: String| (name.to_string(), value);
        let mut options = match dimensions.is_square() {
            true => vec![rule(SIZE, columns.to_string())],
            false => vec![
                rule(WIDTH, columns.to_string()),
                rule(HEIGHT, rows.to_string()),
            ],
        };
        options.push(rule(RULE, RULES[self.rule].to_string()));
        Ok(vec![
            Action::Do(Command::NewGame {
                game: GAME.to_string(),
                options,
            }),
            Action::Do(Command::IsReady),
        ])
    }

    fn open_list(&mut self, opening: Opening) -> Result<Vec<Action>, String> {
        let refusal = self.record().err();
        self.list = Some(List::new(opening, refusal));
        Ok(Vec::new())
    }

    /// Takes over a list of stones and starts what was requested.
    fn close_list(&mut self, list: &List) -> Result<Vec<Action>, String> {
        if let Some(why) = list.refusal() {
            return Err(why.to_string());
        }
        let record = self.record()?;
        *record = list.record(record.dimensions())?;
        match list.opening() {
            Opening::Board => self.search(Awaited::Move),
            Opening::YxBoard => Ok(Vec::new()),
            Opening::Swap2Board if list.is_empty() => {
                let opening = swap2_opening(record.dimensions());
                for (cell, owner) in opening.into_iter().zip(OPENERS) {
                    record.put(cell, owner)?;
                }
                Ok(vec![say(manager::Reply::Stones(opening.to_vec()))])
            }
            Opening::Swap2Board => self.search(Awaited::Swap2),
        }
    }

    fn info(&mut self, key: &str, value: &str) -> Result<Vec<Action>, String> {
        let set = |name: &str, value: String| {
            vec![Action::Try(Command::SetOption {
                name: name.to_string(),
                value: Some(value),
            })]
        };
        Ok(match (key, value.parse::<i64>().ok()) {
            ("max_memory", Some(0)) => set(settings::HASH, HASH.to_string()),
            ("max_memory", Some(bytes)) => {
                let hash = ((bytes >> 20) - REST).clamp(1, HASH);
                set(settings::HASH, hash.to_string())
            }
            ("thread_num", Some(n)) => set(settings::THREADS, n.to_string()),
            // 2 means that the game continues after a row of five: it always
            // does.
            ("rule", Some(n @ 0..=3)) => {
                let rule = n as usize & 1;
                if rule == self.rule {
                    return Ok(Vec::new());
                }
                self.rule = rule;
                set(RULE_OPTION, RULES[rule].to_string())
            }
            ("rule", _) => {
                return Err(format!(
                    "rule {} is not supported, only 0 (five or more) and 1 (exactly five)",
                    quoted(value)
                ));
            }
            ("show_detail", n) => {
                self.detail = n != Some(0);
                Vec::new()
            }
            (key, Some(n)) if self.time.set(key, n) => Vec::new(),
            // Irrelevant or unknown keys: the dialect has no answer to `INFO`.
            _ => {
                log::debug!("not looked at: INFO {key} {value}");
                Vec::new()
            }
        })
    }

    /// The actions that lead to a move of ours.
    fn search(&mut self, awaited: Awaited) -> Result<Vec<Action>, String> {
        let record = self.record()?;
        if record.nearest_empty().is_none() {
            return Err("the board is full".to_string());
        }
        let position = record.position();
        let searchmoves = record.search_moves();
        self.awaited = awaited;
        self.news = None;
        let go = Go {
            searchmoves,
            ..self.time.start()
        };
        Ok(vec![Action::Do(position), Action::Do(Command::Go(go))])
    }

    /// Answers the awaited request with the move found, if there is one.
    fn finish(&mut self, best: Option<&str>) -> manager::Reply {
        let awaited = std::mem::take(&mut self.awaited);
        self.time.stop();
        let found = self.record.as_mut().and_then(|record| {
            let best = best.and_then(|name| record.number(name));
            let free = best.filter(|&n| !record.is_taken(n));
            let number = free.or_else(|| record.nearest_empty())?;
            Some((record.cell(number), record))
        });
        let Some((cell, record)) = found else {
            return manager::Reply::Error("the board is full".to_string());
        };
        // Either colour is as good for us as for the other side: two more
        // stones to balance the position would only pass the choice on.
        let score = self.news.as_ref().and_then(|news| news.score);
        let losing = matches!(score, Some(Score::Cp(n) | Score::Mate(n)) if n < 0);
        if awaited == Awaited::Swap2 && losing {
            record.swap();
            return manager::Reply::Swap;
        }
        match record.put(cell, Owner::Own) {
            Ok(()) => manager::Reply::Stones(vec![cell]),
            Err(why) => manager::Reply::Error(why),
        }
    }

    /// The state of a search, in the format of `info`.
    fn message(&self, info: &Info) -> manager::Reply {
        let foreign = |name: &String| match &self.record {
            Some(record) => match record.number(name) {
                Some(number) => record.cell(number).to_string(),
                None => name.clone(),
            },
            None => name.clone(),
        };
        let line = Info {
            // Managers expect no more than they know.
            wdl: None,
            pv: info.pv.iter().map(foreign).collect(),
            ..info.clone()
        };
        manager::Reply::Message(line.to_string().split_off("info ".len()))
    }
}

fn answer(reply: manager::Reply) -> Answer {
    match reply {
        manager::Reply::Error(_) | manager::Reply::Unknown(_) => Answer::Refusal(reply.to_string()),
        _ => Answer::Line(reply.to_string()),
    }
}

fn say(reply: manager::Reply) -> Action {
    Action::Say(answer(reply))
}

fn refusal(error: &ProtocolError) -> manager::Reply {
    let text = error.text().to_string();
    match error.code() {
        ErrorCode::Unknown => manager::Reply::Unknown(text),
        _ => manager::Reply::Error(text),
    }
}

fn about() -> manager::Reply {
    let pairs = [
        ("name", "Quintet"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("author", env!("CARGO_PKG_AUTHORS")),
        ("country", "International"),
    ];
    manager::Reply::About(pairs.map(|(n, v)| (n.to_string(), v.to_string())).to_vec())
}

/// Who places the stones of [`swap2_opening`], in order.
const OPENERS: [Owner; 3] = [Owner::Own, Owner::Opponent, Owner::Own];

/// Three stones, black, white and black, that give about even chances: a
/// one-second search on 15x15 gives White 6 centipawns.
fn swap2_opening(dimensions: Dimensions) -> [Cell; 3] {
    let edges = [dimensions.columns, dimensions.rows];
    let at = |from_centre: i64| {
        let [x, y] = edges.map(|n| ((n / 2) as i64 + from_centre).max(0) as u32);
        Cell { x, y }
    };
    [at(0), at(1), at(-4)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The actions for the last of these lines.
    fn plan(gomocup: &mut Gomocup, text: &str) -> Vec<String> {
        let mut last = Vec::new();
        for line in text.split(" | ") {
            last = match gomocup.read(line) {
                Ok(line) => gomocup.plan(line.expect("no blank line"), &GameInfo::all()[0]),
                Err(e) => gomocup.misread(&e).into_iter().map(Action::Say).collect(),
            };
        }
        let text = |action| match action {
            Action::Do(command) | Action::Try(command) => command.to_string(),
            Action::Say(Answer::Line(line) | Answer::Refusal(line)) => line,
        };
        last.into_iter().map(text).collect()
    }

    #[test]
    fn lines_become_commands_of_the_engine() {
        for (lines, actions) in [
            (
                "START 20",
                &["newgame gomoku size 20 rule freestyle", "isready"][..],
            ),
            (
                "RECTSTART 20,20",
                &["newgame gomoku size 20 rule freestyle", "isready"],
            ),
            (
                "RECTSTART 20,15",
                &[
                    "newgame gomoku width 20 height 15 rule freestyle",
                    "isready",
                ],
            ),
            (
                "RECTSTART 5,22 | RESTART",
                &["newgame gomoku width 5 height 22 rule freestyle", "isready"],
            ),
            ("RECTSTART 4,22", &["ERROR boards go from 5 to 22, not 4"]),
            ("RECTSTART 22,23", &["ERROR boards go from 5 to 22, not 23"]),
            (
                "RECTSTART 7,6 | TURN 6,5",
                &["position startpos moves g6", "go movetime 29980"],
            ),
            (
                "RECTSTART 7,6 | TURN 5,6",
                &["ERROR 5,6 is not on the board"],
            ),
            (
                "RECTSTART 6,7 | BOARD | 5,6,2 | 0,1,3 | DONE | YXBOARD | 5,6,1 | DONE",
                &[],
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
            let found = plan(&mut Gomocup::default(), lines);
            assert_eq!(found, actions, "{lines}");
        }
    }

    #[test]
    fn a_refused_board_changes_nothing() {
        let mut gomocup = Gomocup::default();
        plan(&mut gomocup, "START 15 | YXBOARD | 3,3,1 | DONE");
        plan(&mut gomocup, "BOARD | 0,0,1 | 0,0,2 | DONE");
        let record = gomocup.record.expect("a board");
        assert_eq!(record.stones(), [(48, Owner::Own)]);
    }

    #[test]
    fn swap2_takes_the_better_colour() {
        for (cp, answer) in [(-1, "SWAP"), (0, "9,9"), (1, "9,9")] {
            let mut gomocup = Gomocup::default();
            plan(
                &mut gomocup,
                "START 15 | SWAP2BOARD | 7,7 | 8,8 | 9,8 | DONE",
            );
            gomocup.tell(&Reply::Info(Info {
                score: Some(Score::Cp(cp)),
                pv: vec!["j10".to_string()],
                ..Info::default()
            }));
            let best = Some("j10".to_string());
            let answers = gomocup.tell(&Reply::BestMove { best, ponder: None });
            let last = answers.last().expect("an answer");
            assert_eq!(last.to_string(), answer);
            // After both it is the other side's turn.
            let next = plan(&mut gomocup, "TURN 0,0");
            let first = if cp < 0 { Owner::Own } else { Owner::Opponent };
            let record = gomocup.record.expect("a board");
            assert_eq!(record.stones()[0].1, first);
            assert!(
                next[0].starts_with("position startpos moves h8 i9 j9"),
                "{next:?}"
            );
        }
        for (columns, rows) in SIZES.flat_map(|n| [(n, n), (n, 5), (22, n)]) {
            let lines = format!("RECTSTART {columns},{rows} | SWAP2BOARD | DONE");
            let actions = plan(&mut Gomocup::default(), &lines);
            assert_eq!(actions.len(), 1);
            assert_eq!(actions[0].split(' ').count(), 3, "{actions:?}");
        }
    }

    #[test]
    fn a_move_is_answered_as_long_as_a_cell_is_empty() {
        let mut gomocup = Gomocup::default();
        let mut lines = "START 5 | BOARD".to_string();
        for n in 0..24 {
            lines += &format!(" | {},{},{}", n % 5, n / 5, 1 + n % 2);
        }
        plan(&mut gomocup, &(lines + " | DONE"));
        let over = ProtocolError::new(ErrorCode::Move, "the game is over");
        let answers = gomocup.refuse(&over);
        assert_eq!(answers.last(), Some(&Answer::Line("4,4".to_string())));
        assert_eq!(plan(&mut gomocup, "BEGIN"), ["ERROR the board is full"]);
    }
}
