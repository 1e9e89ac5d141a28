//! Where lines come from: the command line, or a stream read on its own thread.

use super::event::{Event, Inbox, Line};
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// Longer lines are refused. No position needs a thousandth of this.
const LONGEST_LINE: usize = 64 << 20;

/// Stack size of the reading thread in bytes.
const STACK: usize = 256 << 10;

/// Where the engine's lines come from.
pub enum Input {
    /// These lines only.
    Lines(Vec<String>),
    /// The lines of a stream, normally standard input.
    Stream(Box<dyn BufRead + Send>),
}

impl Input {
    /// Standard input.
    pub fn stdin() -> Input {
        Input::Stream(Box::new(io::BufReader::new(io::stdin())))
    }

    /// Sends all lines and then the end of the input. A stream is read on its
    /// own thread.
    ///
    /// # Errors
    /// The thread could not be started.
    pub(super) fn send(self, inbox: &Arc<Inbox>) -> io::Result<()> {
        match self {
            Input::Lines(lines) => {
                let lines = lines.into_iter().map(|line| Event::Line(Line::Text(line)));
                lines
                    .chain([Event::EndOfInput])
                    .for_each(|event| inbox.put(event));
            }
            Input::Stream(stream) => {
                let inbox = inbox.clone();
                std::thread::Builder::new()
                    .name("input".to_string())
                    .stack_size(STACK)
                    .spawn(move || read_lines(stream, &inbox))?;
            }
        }
        Ok(())
    }
}

/// Sends every line of `input`, then its end. A read error also ends the input.
fn read_lines(mut input: impl BufRead, inbox: &Inbox) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input
            .by_ref()
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut bytes);
        let line = match read {
            Ok(0) | Err(_) => {
                if let Err(why) = read {
                    log::error!("the input ends here: {why}");
                }
                inbox.put(Event::EndOfInput);
                return;
            }
            Ok(_) if bytes.len() > LONGEST_LINE => {
                if bytes.last() != Some(&b'\n') {
                    let _ = input.skip_until(b'\n');
                }
                bytes = Vec::new();
                Line::TooLong
            }
            Ok(_) => {
                while matches!(bytes.last(), Some(b'\n' | b'\r')) {
                    bytes.pop();
                }
                match str::from_utf8(&bytes) {
                    Ok(text) => Line::Text(text.to_string()),
                    Err(_) => Line::Bytes(String::from_utf8_lossy(&bytes).into_owned()),
                }
            }
        };
        if !inbox.put_in_turn(Event::Line(line)) {
            return;
        }
    }
}
