//! The model of the engine, which knows only the grammar.

use super::answers::Due;
use super::dialect::{Dialect, Reader, Request};
use quintet_protocol::{Command as Native, Opening, gomocup};

/// The state of the model.
pub struct Model {
    pub reader: Reader,
    /// Gomocup: the open list of stones; `Some(None)`: one that follows a command
    /// which is not supported.
    pub list: Option<Option<gomocup::List>>,
}

/// Lines that the test must not send: they end the session, take more memory
/// than a test should, or touch files.
pub fn unwanted(request: &Request) -> bool {
    let too_much = |value: &str, most: i64| {
        let n: Option<i64> = value.trim().parse().ok();
        n.is_some_and(|n| (most..1_000_000).contains(&n))
    };
    match request {
        Request::Native(Native::Quit) => true,
        Request::Native(Native::Prove(prove)) => {
            let files = [&prove.certificate, &prove.resume, &prove.guide];
            files.into_iter().any(Option::is_some) || prove.nodes.is_none_or(|nodes| nodes > 500)
        }
        // Without a limit they take seconds.
        Request::Native(Native::Balance { go, .. } | Native::Opening(Opening { go, .. })) => {
            go.nodes.is_none_or(|nodes| nodes > 1_000)
        }
        Request::Native(Native::SetOption { name, value }) => {
            let value = value.as_deref().unwrap_or("");
            match name.to_ascii_lowercase().as_str() {
                "hash" => too_much(value, 17),
                "threads" => too_much(value, 5),
                "pentago.solvermemory" => too_much(value, 65),
                "pentago.slicepath" | "proofpath" | "teeko.cache" => {
                    value.contains(['/', '.', '\\'])
                }
                _ => false,
            }
        }
        Request::Gomocup(gomocup::Command::Info(key, value)) => {
            match key.as_str() {
                "thread_num" => too_much(value, 5),
                "hash_size" => value.trim().parse().is_ok_and(|n: i64| n > 16_384),
                // Without a limit of time only YXSTOP ends a search.
                "timeout_turn" => value.trim().starts_with('-'),
                _ => false,
            }
        }
        _ => false,
    }
}

impl Model {
    pub fn new(dialect: Dialect) -> Model {
        Model {
            reader: Reader { dialect },
            list: None,
        }
    }

    /// Processes a line; `None`: the line must not be sent.
    pub fn take(&mut self, line: &[u8], due: &mut Due) -> Option<()> {
        let text = String::from_utf8_lossy(line);
        if str::from_utf8(line).is_err() && !self.reads_any_bytes(&text) {
            self.misread(due);
            return Some(());
        }
        let request = self.reader.read(text.trim_end_matches('\r'));
        if matches!(&request, Ok(Some(request)) if unwanted(request)) {
            return None;
        }
        match request {
            Ok(None) => {}
            Err(_) => self.misread(due),
            Ok(Some(Request::Native(command))) => self.native(&command, due),
            Ok(Some(Request::Gomocup(line))) => self.gomocup(line, due),
        }
        Some(())
    }

    /// Whether a line that is no valid UTF-8 is read all the same: what a manager tells
    /// in the code page of its system.
    fn reads_any_bytes(&self, text: &str) -> bool {
        let word = text.split_whitespace().next().unwrap_or("");
        let told = self.reader.dialect == Dialect::Gomocup && self.list.is_none();
        told && word.eq_ignore_ascii_case("INFO")
    }

    pub fn native(&mut self, command: &Native, due: &mut Due) {
        match command {
            Native::Ugi => due.certain.push("ugiok"),
            Native::Uci => due.certain.push("uciok"),
            Native::IsReady => due.ready += 1,
            Native::Stop | Native::PonderHit => {}
            Native::Go(_) => due.answers.push("bestmove"),
            Native::Query(..) | Native::Balance { .. } | Native::Opening(_) => {
                due.answers.push("response");
            }
            Native::Threatening(_) => due.answers.push("threatening"),
            Native::Eval { .. } => due.answers.push("eval"),
            Native::Perft { .. } => due.answers.push("perft"),
            Native::Prove(_) => due.answers.push("proof"),
            Native::Bench(_) | Native::Help(_) | Native::Display(_) => {
                due.text = true;
                due.quiet += 1;
            }
            _ => due.quiet += 1,
        }
        if matches!(command, Native::Ugi | Native::Uci) {
            due.text = true;
        }
    }

    /// A line that cannot be read.
    fn misread(&mut self, due: &mut Due) {
        match self.list {
            None => due.refused += 1,
            Some(None) => self.list = None,
            Some(Some(_)) => {}
        }
    }

    pub fn gomocup(&mut self, line: gomocup::Command, due: &mut Due) {
        use gomocup::Command::*;
        use gomocup::List::*;
        match &line {
            Stone(..) if self.list.is_some() => {}
            Done => {
                match self.list.take() {
                    Some(Some(YxBoard)) => due.quiet += 1,
                    Some(Some(Board | Swap2Board)) => due.answers.push("move"),
                    Some(None) => {}
                    None => due.refused += 1,
                };
            }
            Stone(..) => due.refused += 1,
            Start(_) | YxStart(..) | RectStart(..) | Restart | TakeBack(_) => {
                due.answers.push("OK");
            }
            Begin | Turn(_) | Play(_) | YxNBest(_) | YxSearchDefend => due.answers.push("move"),
            YxBalanceOne(_) | YxBalanceTwo(_) => due.answers.push("move"),
            List(Board | Swap2Board, Some(_)) => due.answers.push("move"),
            List(YxBoard, Some(_)) | Info(..) | YxHashClear | YxSwap2Step(_) => due.quiet += 1,
            YxShowForbid => due.answers.push("FORBID"),
            About => due.certain.push("name"),
            Unsupported(..) => due.refused += 1,
            List(_, None) | YxShowInfo | YxQueryDatabaseAll(_) | YxStop | End => {}
        }
        if !matches!(line, Stone(..) | Done) {
            self.list = match line {
                List(list, None) => Some(Some(list)),
                Unsupported(..) | YxQueryDatabaseAll(None) => Some(None),
                _ => None,
            };
        }
    }

    /// Whether a mark would be answered now.
    pub fn can_mark(&self) -> bool {
        self.list.is_none()
    }
}
