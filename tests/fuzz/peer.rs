//! An engine process with threads that handle its streams.

use super::dialect::Dialect;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A batch not answered within this time never will be.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An engine process with threads that handle its streams.
pub struct Peer {
    pub child: Child,
    pub input: ChildStdin,
    pub lines: Receiver<String>,
    pub errors: Arc<Mutex<Vec<u8>>>,
}

impl Peer {
    pub fn start(dialect: Dialect, folder: &Path) -> Peer {
        let flag = match dialect {
            Dialect::Ugi => "--game=gomoku",
            Dialect::Uci => "--uci",
            Dialect::Gomocup => "--gomocup",
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
            .arg(flag)
            .current_dir(folder)
            // The engine logs its panics as errors.
            .env("RUST_LOG", "error")
            // glibc gives threads separate heaps, up to eight per core, and
            // keeps freed memory below allocations in use; that would hide
            // leaks.
            .env("MALLOC_ARENA_MAX", "1")
            .env("MALLOC_MMAP_THRESHOLD_", "65536")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = Arc::new(Mutex::new(Vec::new()));
        let mut stream = child.stderr.take().expect("piped");
        let store = errors.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                store.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        Peer {
            input: child.stdin.take().expect("piped"),
            child,
            lines,
            errors,
        }
    }

    pub fn send(&mut self, line: &[u8]) -> Result<(), String> {
        let mut bytes = line.to_vec();
        bytes.push(b'\n');
        self.input
            .write_all(&bytes)
            .map_err(|e| format!("the engine does not read any more: {e}"))
    }

    pub fn receive(&self) -> Result<String, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err("no answer: it hangs".to_string()),
            Err(RecvTimeoutError::Disconnected) => Err("its output has ended".to_string()),
        }
    }

    /// The output on stderr, which should be empty.
    pub fn complaint(&self) -> Result<(), String> {
        let errors = self.errors.lock().unwrap();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(format!("on stderr: {}", String::from_utf8_lossy(&errors))),
        }
    }

    /// Resident memory in KiB, if the system reports it.
    pub fn memory(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find(|l| l.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Ends the process by `quit` or `END`; returns its remaining lines.
    pub fn quit(mut self, word: &str) -> Result<Vec<String>, String> {
        self.send(word.as_bytes())?;
        let mut rest = Vec::new();
        let started = Instant::now();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Timeout) => return Err("it does not end".to_string()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                break status;
            }
            if started.elapsed() > PATIENCE {
                return Err("it does not end".to_string());
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        match status.code() {
            Some(0) => Ok(rest),
            other => Err(format!("exit status {other:?}")),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
