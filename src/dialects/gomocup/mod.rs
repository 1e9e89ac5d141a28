//! Gomocup, with Yixin's extension: keeps the stones that the manager has sent,
//! turns the manager's lines into the engine's commands, and turns the replies
//! into the dialect's answers. Row 0 is the bottom row, so `0,0` is `a1`.

mod list;
mod record;
mod report;
mod time_control;

use crate::board::Dimensions;
use crate::engine::dialect::{Action, Answer, Dialect, Request};
use crate::memory;
use crate::options::{Kind, whole_number};
use crate::session::catalogue::GameInfo;
use crate::settings;
use list::List;
use quintet_protocol::gomocup as manager;
use quintet_protocol::{
    Command, ErrorCode, Go, Info, Opening, ProtocolError, Reply, Score, quoted,
};
use record::{Owner, Record, SWAP2_OPENERS};
use report::{Detail, message};
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

/// The most lines that a search reports, more than a board has cells.
const MOST_LINES: usize = 500;

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
    /// A decision to swap, the first or the second of Yixin's.
    YxSwap2(u32),
    /// So many balanced stones, and then by turns.
    Balance(usize),
    /// The stones of a swap2 opening.
    Opening,
    /// The same, as Yixin tells them.
    YxOpening,
}

impl Awaited {
    /// Whether stones are searched for that leave the position level.
    fn is_balance(self) -> bool {
        matches!(
            self,
            Awaited::Balance(_) | Awaited::Opening | Awaited::YxOpening
        )
    }

    /// Who places these stones, in order.
    fn owners(self) -> &'static [Owner] {
        match self {
            Awaited::Balance(stones) => &SWAP2_OPENERS[..stones.min(2)],
            Awaited::Opening | Awaited::YxOpening => &SWAP2_OPENERS,
            _ => &[],
        }
    }
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
    /// The rule that was asked for, supported or not.
    rule_asked: Option<i64>,
    /// Whether the client has shown that it speaks Yixin's extension.
    yixin: bool,
    time: TimeControl,
    /// What to report of a search before its end.
    detail: Detail,
    /// How many lines a search reports beside the first.
    more_lines: usize,
    /// The last `info` of the search.
    news: Option<Info>,
}

impl Dialect for Gomocup {
    fn name(&self) -> &'static str {
        NAME
    }

    fn is_opening(&self, line: &str) -> bool {
        manager::is_opening(line)
    }

    fn read(&self, line: &str) -> Result<Option<Request>, ProtocolError> {
        use manager::Command as Line;
        Ok(manager::parse_command(line)?.map(|command| match command {
            // These two act on a running search.
            Line::End => Request::Command(Command::Quit),
            Line::YxStop => Request::Command(Command::Stop),
            command => Request::Line {
                text: line.to_string(),
                searches: matches!(
                    command,
                    Line::Begin
                        | Line::Turn(_)
                        | Line::Done
                        | Line::List(_, Some(_))
                        | Line::YxNBest(_)
                        | Line::YxSearchDefend
                        | Line::YxBalanceOne(_)
                        | Line::YxBalanceTwo(_)
                        | Line::YxSwap2Step(_)
                ),
            },
        }))
    }

    fn plan(&mut self, request: Request, _game: &GameInfo) -> Vec<Action> {
        match request {
            // They act at once, before lines that wait, so a list stays as it is.
            Request::Command(command) => vec![Action::Do(command)],
            Request::Line { text, .. } => match manager::parse_command(&text) {
                Ok(Some(line)) => self.plan_line(line),
                // The line was already parsed when it arrived.
                Ok(None) | Err(_) => Vec::new(),
            },
        }
    }

    /// What `INFO` says, most of which is ignored: Piskvork tells a path in the code page
    /// of its system, and takes an `ERROR` for the answer to the next command.
    fn reads_any_bytes(&self, text: &str) -> bool {
        let word = text.split_whitespace().next().unwrap_or("");
        word.eq_ignore_ascii_case("INFO")
    }

    /// Lines inside a list get no answer; the list is refused at its end.
    fn misread(&mut self, error: &ProtocolError) -> Vec<Answer> {
        match &mut self.list {
            // What follows a command that is not supported is a list or one line
            // of text.
            Some(list) if list.kind().is_none() => {
                self.list = None;
                Vec::new()
            }
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
        let debug = || manager::Reply::Debug(error.text().to_string());
        match self.awaited {
            Awaited::Move | Awaited::Swap2 | Awaited::YxSwap2(_) => {
                [debug(), self.finish(None)].map(answer).to_vec()
            }
            Awaited::Balance(_) | Awaited::Opening | Awaited::YxOpening => {
                let replies = [debug()].into_iter().chain(self.finish_balance(""));
                replies.map(answer).collect()
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
            Line::Begin => self.search(Awaited::Move, 1),
            Line::Turn(cell) => self
                .record()
                .and_then(|record| record.put(cell, Owner::Opponent))
                .and_then(|()| self.search(Awaited::Move, 1)),
            Line::Play(cell) => self
                .record()
                .and_then(|record| record.put(cell, Owner::Own))
                .map(|()| vec![say(manager::Reply::Stones(vec![cell]))]),
            Line::TakeBack(cell) => self
                .record()
                .and_then(|record| match cell {
                    Some(cell) => record.take_back(cell),
                    None => record.take_back_last(),
                })
                .map(|()| vec![say(manager::Reply::Ok)]),
            Line::List(kind, stones) => self.open_list(kind, stones),
            Line::Stone(stone) => match &mut self.list {
                Some(list) => {
                    list.add(stone);
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
            line => self.plan_yixin(line),
        };
        actions.unwrap_or_else(|why| vec![say(manager::Reply::Error(why))])
    }

    /// The actions for a line of Yixin's extension.
    fn plan_yixin(&mut self, line: manager::Command) -> Result<Vec<Action>, String> {
        use manager::Command as Line;
        self.yixin = true;
        match line {
            // Its cells are told as row and column.
            Line::YxStart(columns, rows) => {
                self.start(Dimensions::new(rows as usize, columns as usize))
            }
            Line::YxNBest(lines) => self.search(Awaited::Move, lines as usize),
            Line::YxSearchDefend => self.search(Awaited::Move, MOST_LINES),
            Line::YxBalanceOne(bias) => self.balance(1, bias),
            Line::YxBalanceTwo(bias) => self.balance(2, bias),
            Line::YxSwap2Step(1) => {
                let dimensions = self.record()?.dimensions();
                self.record = Some(Record::new(dimensions));
                self.open_swap2(Awaited::YxOpening)
            }
            Line::YxSwap2Step(step) => {
                let (placed, due) = (self.record()?.stones().len(), 2 * step as usize - 1);
                match placed == due {
                    true => self.search(Awaited::YxSwap2(step - 1), 1),
                    false => Err(format!(
                        "YXSWAP2STEP{step} is for {due} stones, there are {placed}"
                    )),
                }
            }
            Line::YxHashClear => Ok(vec![Action::Do(Command::SetOption {
                name: settings::CLEAR_HASH.to_string(),
                value: None,
            })]),
            Line::YxShowInfo => Ok(capabilities().map(say).to_vec()),
            Line::YxShowForbid if matches!(self.rule_asked, Some(2 | 4)) => {
                Err("renju is not supported".to_string())
            }
            Line::YxShowForbid => Ok(vec![say(manager::Reply::NoneForbidden)]),
            // There is no database: to every position the answer is an empty one.
            Line::YxQueryDatabaseAll(stones) => {
                self.list = stones.is_none().then(|| List::new(None, None));
                let lines = ["DATABASE REFRESH", "DATABASE DONE"];
                let say_line = |line: &str| say(manager::Reply::Message(line.to_string()));
                Ok(lines.map(say_line).to_vec())
            }
            other => {
                self.list = Some(List::new(None, None));
                let name = other.to_string();
                let name = name.split(' ').next().unwrap_or_default();
                Err(format!("{} is not supported", quoted(name)))
            }
        }
    }

    /// The lines to send to the manager for a reply of the engine.
    fn tell(&mut self, reply: &Reply) -> Vec<manager::Reply> {
        let thinking = !matches!(self.awaited, Awaited::Nothing | Awaited::Ready);
        match reply {
            Reply::ReadyOk if self.awaited == Awaited::Ready => {
                self.awaited = Awaited::Nothing;
                vec![manager::Reply::Ok]
            }
            Reply::Info(info) if thinking => self.report(info),
            Reply::InfoString(text) if thinking => vec![manager::Reply::Debug(text.clone())],
            Reply::Response(stones) if self.awaited.is_balance() => self.finish_balance(stones),
            Reply::BestMove { best, .. } if thinking => {
                let mut replies = match self.detail.wanted() {
                    true => Vec::new(),
                    false => self.last_message(),
                };
                replies.push(self.finish(best.as_deref()));
                replies
            }
            Reply::Error(error) if thinking => {
                let mut replies = vec![manager::Reply::Debug(error.text().to_string())];
                if self.awaited.is_balance() {
                    replies.extend(self.finish_balance(""));
                }
                replies
            }
            Reply::Error(error) => vec![refusal(error)],
            _ => Vec::new(),
        }
    }

    /// Takes over a line of the search; the replies for it.
    fn report(&mut self, info: &Info) -> Vec<manager::Reply> {
        // Between its lines a search tells its progress; on a finished board it
        // has nothing else to report.
        if info.pv.is_empty() {
            let board = self.record.as_ref();
            return board.map_or(Vec::new(), |board| self.detail.progress(info, board));
        }
        if info.multipv.unwrap_or(1) == 1 {
            self.news = Some(info.clone());
        }
        if self.awaited.is_balance() {
            return Vec::new();
        }
        match &self.record {
            Some(record) if self.detail.wanted() => {
                let lines = (1 + self.more_lines).min(record.empty_cells());
                self.detail.report(info, record, lines)
            }
            _ => Vec::new(),
        }
    }

    /// The message at the end of a search.
    fn last_message(&self) -> Vec<manager::Reply> {
        let both = self.news.as_ref().zip(self.record.as_ref());
        both.map(|(news, record)| message(news, record))
            .into_iter()
            .collect()
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

    fn open_list(
        &mut self,
        kind: manager::List,
        stones: Option<Vec<manager::Stone>>,
    ) -> Result<Vec<Action>, String> {
        self.yixin |= kind == manager::List::YxBoard;
        let refusal = self.record().err();
        let mut list = List::new(Some(kind), refusal);
        let Some(stones) = stones else {
            self.list = Some(list);
            return Ok(Vec::new());
        };
        stones.into_iter().for_each(|stone| list.add(stone));
        self.close_list(&list)
    }

    /// Takes over a list of stones and starts what was requested.
    fn close_list(&mut self, list: &List) -> Result<Vec<Action>, String> {
        let Some(kind) = list.kind() else {
            return Ok(Vec::new());
        };
        if let Some(why) = list.refusal() {
            return Err(why.to_string());
        }
        let record = list.record(self.record()?.dimensions())?;
        if kind != manager::List::YxBoard {
            expect_empty_cells(&record, 1)?;
        }
        self.record = Some(record);
        match kind {
            manager::List::Board => self.search(Awaited::Move, 1),
            manager::List::YxBoard => Ok(Vec::new()),
            manager::List::Swap2Board if list.is_empty() => self.open_swap2(Awaited::Opening),
            manager::List::Swap2Board => self.search(Awaited::Swap2, 1),
        }
    }

    /// The actions that lead to the three stones of a swap2 opening on the empty
    /// board, told as `awaited` says.
    fn open_swap2(&mut self, awaited: Awaited) -> Result<Vec<Action>, String> {
        let (position, go) = self.request(awaited)?;
        let opening = Command::Opening(Opening {
            protocol: "swap2".to_string(),
            go,
            ..Opening::default()
        });
        Ok(vec![Action::Do(position), Action::Do(opening)])
    }

    fn info(&mut self, key: &str, value: &str) -> Result<Vec<Action>, String> {
        let set = |name: &str, value: String| {
            vec![Action::Try(Command::SetOption {
                name: name.to_string(),
                value: Some(value),
            })]
        };
        let number = whole_number(value);
        match key {
            "show_detail" | "hash_size" => self.yixin = true,
            "rule" => self.rule_asked = number,
            _ => {}
        }
        Ok(match (key, number) {
            // Piskvork counts in 32 bits, so 2 GiB come as a negative number.
            ("max_memory", Some(..=0)) => set(settings::HASH, HASH.to_string()),
            ("max_memory", Some(bytes)) => {
                let hash = ((bytes >> 20) - REST).clamp(1, HASH);
                set(settings::HASH, hash.to_string())
            }
            ("hash_size", Some(kib)) => set(settings::HASH, (kib >> 10).max(1).to_string()),
            ("thread_num", Some(n)) => set(settings::THREADS, n.to_string()),
            // Yixin's number of renju.
            ("rule", Some(2)) if self.yixin => return Err(no_rule(value)),
            ("rule", Some(n @ 0..=3)) => {
                let rule = n as usize & 1;
                if rule == self.rule {
                    return Ok(Vec::new());
                }
                self.rule = rule;
                set(RULE_OPTION, RULES[rule].to_string())
            }
            ("rule", _) => return Err(no_rule(value)),
            ("show_detail", n) => {
                self.detail = Detail::of(n);
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

    /// The actions that lead to a move of ours; `lines`: how many the search
    /// reports.
    fn search(&mut self, awaited: Awaited, lines: usize) -> Result<Vec<Action>, String> {
        expect_empty_cells(self.record()?, 1)?;
        let (position, go) = self.request(awaited)?;
        Ok(self.go(position, lines, go))
    }

    /// The actions that lead to so many balanced stones.
    fn balance(&mut self, stones: usize, bias: i32) -> Result<Vec<Action>, String> {
        expect_empty_cells(self.record()?, stones)?;
        let (position, go) = self.request(Awaited::Balance(stones))?;
        let balance = Command::Balance {
            stones: stones as u32,
            bias,
            go,
        };
        Ok(vec![Action::Do(position), Action::Do(balance)])
    }

    /// Begins to wait for this answer: the command that sets the position, and
    /// the limits of the work on it.
    fn request(&mut self, awaited: Awaited) -> Result<(Command, Go), String> {
        let record = self.record()?;
        let (position, searchmoves) = (record.position(), record.search_moves());
        self.awaited = awaited;
        self.news = None;
        let go = Go {
            searchmoves,
            ..self.time.start(self.yixin)
        };
        Ok((position, go))
    }

    /// The actions of a search that reports so many lines.
    fn go(&mut self, position: Command, lines: usize, go: Go) -> Vec<Action> {
        let more = lines.clamp(1, MOST_LINES) - 1;
        let mut actions = Vec::new();
        if std::mem::replace(&mut self.more_lines, more) != more {
            actions.push(Action::Try(Command::SetOption {
                name: settings::MULTI_PV.to_string(),
                value: Some((more + 1).to_string()),
            }));
        }
        actions.extend([Action::Do(position), Action::Do(Command::Go(go))]);
        actions
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
        if let Awaited::YxSwap2(choice) = awaited {
            // The manager sets up the board anew for the move that follows.
            let choice = format!("SWAP2 SWAP{choice} {}", if losing { "YES" } else { "NO" });
            return manager::Reply::Message(choice);
        }
        if awaited == Awaited::Swap2 && losing {
            record.swap();
            return manager::Reply::Swap;
        }
        match record.put(cell, Owner::Own) {
            Ok(()) => manager::Reply::Stones(vec![cell]),
            Err(why) => manager::Reply::Error(why),
        }
    }

    /// Puts the balanced stones on the board, with these names, and others in the
    /// place of those that are missing; the replies that tell of them.
    fn finish_balance(&mut self, names: &str) -> Vec<manager::Reply> {
        let awaited = std::mem::take(&mut self.awaited);
        self.time.stop();
        let Some(record) = &mut self.record else {
            return Vec::new();
        };
        let line = self.news.take();
        let mut replies = line.map_or(Vec::new(), |line| self.detail.report(&line, record, 1));
        let mut names = names.split(' ');
        let mut found = Vec::new();
        for &owner in awaited.owners() {
            let named = names.next().and_then(|name| record.number(name));
            let free = named.filter(|&n| !record.is_taken(n));
            if let Some(number) = free.or_else(|| record.nearest_empty()) {
                let cell = record.cell(number);
                if let Err(why) = record.put(cell, owner) {
                    log::error!("{why}");
                }
                found.push(cell);
            }
        }
        if awaited == Awaited::YxOpening {
            replies.extend(found.iter().zip(1..).map(|(manager::Cell { x, y }, n)| {
                manager::Reply::Message(format!("SWAP2 MOVE{n} {x} {y}"))
            }));
        } else {
            replies.push(manager::Reply::Stones(found));
        }
        replies
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

fn no_rule(value: &str) -> String {
    format!(
        "rule {} is not supported, only 0 (five or more) and 1 (exactly five)",
        quoted(value)
    )
}

/// How far the options for threads and memory go; the memory as a power of two,
/// in KiB.
fn capabilities() -> [manager::Reply; 2] {
    let most = |name: &str| {
        let spec = settings::OPTIONS.iter().find(|spec| spec.name == name);
        match spec.map(|spec| &spec.kind) {
            Some(&Kind::Spin { max, .. }) => max,
            _ => 1,
        }
    };
    let hash = most(settings::HASH);
    let free = memory::available_mib().and_then(|mib| i64::try_from(mib).ok());
    let hash = free.unwrap_or(hash).clamp(1, hash);
    let lines = [
        format!("INFO MAX_THREAD_NUM {}", most(settings::THREADS)),
        format!("INFO MAX_HASH_SIZE {}", hash.ilog2() + 10),
    ];
    lines.map(manager::Reply::Message)
}

/// Refuses a board with fewer empty cells than these.
fn expect_empty_cells(record: &Record, cells: usize) -> Result<(), String> {
    match record.empty_cells() < cells {
        true => Err("the board is full".to_string()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::Gomoku;

    /// The actions for the last of these lines.
    fn plan(gomocup: &mut Gomocup, text: &str) -> Vec<String> {
        let mut last = Vec::new();
        let game = GameInfo::unopened::<Gomoku>();
        for line in text.split(" | ") {
            last = match gomocup.read(line) {
                Ok(line) => gomocup.plan(line.expect("no blank line"), &game),
                Err(e) => gomocup.misread(&e).into_iter().map(Action::Say).collect(),
            };
        }
        last.into_iter().map(written).collect()
    }

    fn written(action: Action) -> String {
        match action {
            Action::Do(command) | Action::Try(command) => command.to_string(),
            Action::Say(Answer::Line(line) | Answer::Refusal(line)) => line,
        }
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
            (
                "INFO max_memory -2147483648",
                &["setoption name Hash value 64"],
            ),
            ("INFO max_memory x", &[]),
            ("INFO thread_num 4", &["setoption name Threads value 4"]),
            // Yixin's extension.
            ("INFO hash_size 131072", &["setoption name Hash value 128"]),
            ("INFO hash_size 0", &["setoption name Hash value 1"]),
            // Its cells are row and column.
            (
                "START 20 15",
                &[
                    "newgame gomoku width 15 height 20 rule freestyle",
                    "isready",
                ],
            ),
            (
                "START 15 | YXBOARD 0,0,1 1,0,2 DONE | YXNBEST 3",
                &[
                    "setoption name MultiPV value 3",
                    "position startpos moves a1 b1",
                    "go movetime 29980",
                ],
            ),
            (
                "START 15 | YXNBEST 3 | BOARD DONE",
                &[
                    "setoption name MultiPV value 1",
                    "position startpos",
                    "go movetime 29980",
                ],
            ),
            (
                "INFO timeout_turn -1 | INFO timeout_match -1 | INFO max_depth 100 | START 15 | INFO time_left 1 | BEGIN",
                &["position startpos", "go depth 100"],
            ),
            (
                "INFO timeout_turn 2000000 | INFO timeout_match 100000000 | INFO time_left 100000000 | START 15 15 | BEGIN",
                &["position startpos", "go"],
            ),
            (
                "INFO timeout_turn 2000000 | INFO timeout_match 100000000 | START 15 | BEGIN",
                &[
                    "position startpos",
                    "go movetime 1999980 p1time 100000000 p2time 100000000",
                ],
            ),
            (
                "INFO timeout_match 60000 | INFO time_increment 100 | START 15 | BEGIN",
                &[
                    "position startpos",
                    "go movetime 29980 p1time 60000 p2time 60000 p1inc 100 p2inc 100",
                ],
            ),
            ("YXSHOWFORBID", &["FORBID ."]),
            (
                "INFO rule 4 | YXSHOWFORBID",
                &["ERROR renju is not supported"],
            ),
            (
                "INFO rule 2 | YXSHOWFORBID",
                &["ERROR renju is not supported"],
            ),
            (
                "INFO show_detail 3 | INFO rule 2",
                &["ERROR rule '2' is not supported, only 0 (five or more) and 1 (exactly five)"],
            ),
            (
                "START 15 | YXBOARD DONE | INFO rule 2",
                &["ERROR rule '2' is not supported, only 0 (five or more) and 1 (exactly five)"],
            ),
            ("INFO rule 2 | INFO rule 0 | YXSHOWFORBID", &["FORBID ."]),
            (
                "INFO rule 3",
                &["setoption name Gomoku.Rule value standard"],
            ),
            (
                "START 15 | YXBOARD | 7,7,2 | 6,8,1 | DONE | YXSWAP2STEP2",
                &["ERROR YXSWAP2STEP2 is for 3 stones, there are 2"],
            ),
            (
                "START 15 | YXSWAP2STEP3",
                &["ERROR YXSWAP2STEP3 is for 5 stones, there are 0"],
            ),
            ("YXHASHCLEAR", &["setoption name Clear Hash"]),
            ("START 15 | PLAY 1,2 | TAKEBACK", &["OK"]),
            ("START 15 | TAKEBACK", &["ERROR the board is empty"]),
            // What follows a command that is not supported is passed over: a list …
            ("START 15 | YXBLOCK | 7,7 | DONE", &[]),
            (
                "START 15 | YXBLOCK | 7,7 | DONE | DONE",
                &["ERROR DONE without BOARD"],
            ),
            // … or one line of text.
            ("YXHASHDUMP | /tmp/hash", &[]),
            ("YXHASHDUMP | /tmp/hash | foo", &["UNKNOWN command 'foo'"]),
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
    }

    #[test]
    fn a_swap2_opening_is_searched_for() {
        let mut gomocup = Gomocup::default();
        assert_eq!(
            plan(
                &mut gomocup,
                "INFO timeout_turn 8020 | START 15 | SWAP2BOARD | DONE"
            ),
            ["position startpos", "opening swap2 propose movetime 8000"]
        );
        let answers = gomocup.tell(&Reply::Response("h8 i9 g7".to_string()));
        let last = answers.last().expect("an answer");
        assert_eq!(last.to_string(), "7,7 8,8 6,6");
        let record = gomocup.record.expect("a board");
        let owners: Vec<Owner> = record.stones().iter().map(|stone| stone.1).collect();
        assert_eq!(owners, SWAP2_OPENERS);
    }

    #[test]
    fn balanced_stones_are_put_on_the_board() {
        let mut gomocup = Gomocup::default();
        let lines = "INFO timeout_turn 8020 | START 15 | YXBOARD 7,7,2 DONE | YXBALANCETWO 30";
        assert_eq!(
            plan(&mut gomocup, lines),
            [
                "position startpos moves h8",
                "balance 2 bias 30 movetime 8000"
            ]
        );
        let line = Info {
            score: Some(Score::Cp(30)),
            pv: vec!["b1".to_string(), "d1".to_string()],
            ..Info::default()
        };
        assert_eq!(gomocup.tell(&Reply::Info(line)), []);
        let answers = gomocup.tell(&Reply::Response("b1 d1".to_string()));
        let answers: Vec<String> = answers.iter().map(manager::Reply::to_string).collect();
        assert!(answers[0].contains("score cp 30 pv 1,0 3,0"), "{answers:?}");
        assert_eq!(answers.last().map(String::as_str), Some("1,0 3,0"));
        let stones = gomocup.record.as_ref().expect("a board");
        let owners: Vec<Owner> = stones.stones().iter().map(|s| s.1).collect();
        assert_eq!(owners, [Owner::Opponent, Owner::Own, Owner::Opponent]);
        // A search that fails is answered all the same.
        plan(&mut gomocup, "YXBALANCEONE");
        let why = ProtocolError::new(ErrorCode::Internal, "failed");
        let answers = gomocup.tell(&Reply::Error(why));
        assert_eq!(answers.len(), 2);
        assert!(matches!(&answers[1], manager::Reply::Stones(cells) if cells.len() == 1));
    }

    #[test]
    fn a_line_is_told_field_by_field_and_drawn() {
        let mut gomocup = Gomocup::default();
        let mut told = |detail: &str| {
            plan(
                &mut gomocup,
                &format!("START 15 | INFO show_detail {detail} | YXNBEST 2"),
            );
            let replies = gomocup.tell(&Reply::Info(Info {
                depth: Some(7),
                seldepth: Some(9),
                multipv: Some(2),
                score: Some(Score::Mate(-4)),
                nodes: Some(1000),
                time: Some(20),
                pv: vec!["h8".to_string(), "i9".to_string()],
                ..Info::default()
            }));
            let lines: Vec<String> = replies.iter().map(manager::Reply::to_string).collect();
            lines
        };
        let message =
            "MESSAGE depth 7 seldepth 9 multipv 2 score mate -4 nodes 1000 time 20 pv 7,7 8,8";
        assert_eq!(told("0"), [""; 0]);
        assert_eq!(told("1"), ["MESSAGE REALTIME LOST 7,7", message]);
        let fields = told("2");
        let expected = [
            "PV 1",
            "NUMPV 2",
            "DEPTH 7",
            "SELDEPTH 9",
            "NODES 1000",
            "TOTALNODES 1000",
            "TOTALTIME 20",
            "EVAL -M4",
            "WINRATE 0.0000",
            "BESTLINE 7,7 8,8",
            "PV DONE",
        ];
        let expected: Vec<String> = expected.iter().map(|f| format!("INFO {f}")).collect();
        assert_eq!(fields[..fields.len() - 1], expected);
        assert_eq!(fields.last().map(String::as_str), Some(message));
        assert_eq!(told("3").len(), fields.len() + 1);
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
