//! The engine as a process that is given its input at once, and how it ends.

use super::PATIENCE;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_quintet");

/// A process's output and how it ended.
pub struct End {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

impl End {
    /// The number of `bestmove`s in the output.
    pub fn bestmoves(&self) -> usize {
        self.count("bestmove ")
    }

    /// The number of lines that begin so.
    pub fn count(&self, begin: &str) -> usize {
        self.out.lines().filter(|l| l.starts_with(begin)).count()
    }

    /// The same, which has said nothing on stderr.
    ///
    /// # Panics
    /// If it has.
    pub fn quiet(self) -> End {
        assert_eq!(self.err, "", "{}", self.out);
        self
    }
}

/// The engine with these arguments, its streams piped.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(ENGINE);
    command.args(arguments);
    piped(command)
}

/// The same in a shell, after commands such as `ulimit -v 100000`.
pub fn limited(before: &str, arguments: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("set -e; {before}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, ENGINE]).args(arguments);
    piped(shell)
}

fn piped(mut command: Command) -> Command {
    command
        // A panic would be logged as an error, on stderr.
        .env("RUST_LOG", "error")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for the end of a process, which must come in time.
///
/// # Panics
/// If it does not come.
pub fn end(mut child: Child) -> End {
    let started = Instant::now();
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut stream) = stream {
                stream.read_to_string(&mut text).expect("UTF-8");
            }
            text
        })
    };
    drop(child.stdin.take());
    let out = read(child.stdout.take().map(|s| Box::new(s) as _));
    let err = read(child.stderr.take().map(|s| Box::new(s) as _));
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    End {
        status,
        out: out.join().expect("read"),
        err: err.join().expect("read"),
        took: started.elapsed(),
    }
}

/// Sends these bytes and closes the input.
pub fn converse(mut command: Command, input: &[u8]) -> End {
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // On a thread, as both sides may wait for the other to read. It may have
    // exited already.
    let sent = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let end = end(child);
    sent.join().expect("sent");
    end
}
