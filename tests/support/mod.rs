//! A client for tests: runs the engine as a process and talks to it.

#![allow(dead_code)] // Each test file uses a part of it.

pub mod folder;
pub mod gzip;
pub mod process;
pub mod proofs;

use quintet_protocol::transcript::matches;
use quintet_protocol::{Action, Transcript};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than any answer takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// An engine under test.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts the engine with these arguments.
    pub fn start<S: AsRef<str>>(arguments: &[S]) -> Engine {
        let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        Self::start_with(&arguments, &[])
    }

    /// The same with environment variables.
    pub fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
            .args(arguments)
            .env_remove("RUST_LOG")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    /// Resident memory of the process in KiB, if the system reports it.
    ///
    /// # Panics
    /// If the system does not report it.
    pub fn resident_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).expect("the system tells");
        let line = text.lines().find(|l| l.starts_with("VmRSS:"));
        let number = line.and_then(|l| l.split_whitespace().nth(1));
        number.and_then(|n| n.parse().ok()).expect("a number")
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    /// Sends bytes unchanged.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // The engine may have exited already; its output will show why.
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Closes the engine's input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// The next line; `None` at the end of the output.
    pub fn receive(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer within {PATIENCE:?}"),
        }
    }

    /// The lines up to and including the first that matches the pattern.
    pub fn receive_until(&mut self, pattern: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.receive() {
                Some(line) => {
                    lines.push(line);
                    if matches(pattern, lines.last().expect("just pushed")) {
                        return lines;
                    }
                }
                None => panic!("the output ended before {pattern:?}: {lines:#?}"),
            }
        }
    }

    /// Sends a line and returns the answer to it: all lines before `readyok`,
    /// except what `isready` reports of its own preparations.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        let mut lines = self.prepare(line);
        lines.retain(|l| !l.starts_with("info string "));
        lines
    }

    /// Sends a line and then `isready`; all lines before `readyok`.
    pub fn prepare(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.receive_until("readyok");
        lines.pop();
        lines
    }

    /// The next line that does not only tell the progress of a search: on a busy
    /// machine any search may take the second after which that comes.
    pub fn receive_but_progress(&mut self) -> Option<String> {
        loop {
            let line = self.receive()?;
            let progress = line.starts_with("info ")
                && !line.starts_with("info string")
                && !line.contains(" score ");
            if !progress {
                return Some(line);
            }
        }
    }

    /// Waits for the end of the process; returns its exit status.
    pub fn wait(&mut self) -> i32 {
        self.input = None;
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code().unwrap_or(-1);
            }
            assert!(started.elapsed() < PATIENCE, "the engine does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a transcript with a new engine.
///
/// # Panics
/// If the engine answers anything else; the message names the place.
pub fn run_transcript(name: &str, text: &str) {
    let transcript = Transcript::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut engine = Engine::start(&transcript.args);
    let mut steps = transcript.steps.iter().peekable();
    while let Some(step) = steps.next() {
        let place = format!("{name}, line {}", step.line);
        // Shown only if the test fails, even if the engine hangs.
        println!("{place}");
        match &step.action {
            Action::Send(line) => engine.send(line),
            Action::Wait(time) => std::thread::sleep(*time),
            Action::Eof => engine.end_input(),
            Action::Expect(pattern) => match engine.receive_but_progress() {
                Some(line) => assert!(
                    matches(pattern, &line),
                    "{place}: expected {pattern:?}, received {line:?}"
                ),
                None => panic!("{place}: expected {pattern:?}, the output ended"),
            },
            Action::Skip => match steps.next().map(|s| &s.action) {
                Some(Action::Expect(pattern)) => {
                    engine.receive_until(pattern);
                }
                Some(other) => panic!("{place}: nothing can be awaited by {other:?}"),
                None => while engine.receive().is_some() {},
            },
            Action::Exit(expected) => {
                let status = engine.wait();
                assert_eq!(status, *expected, "{place}: exit status");
                let rest: Vec<String> = engine.lines.iter().collect();
                assert!(rest.is_empty(), "{place}: lines too many: {rest:?}");
            }
        }
    }
}
