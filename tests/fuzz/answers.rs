//! The answers due to lines, and checking them.

/// The answers due to a group of lines, in total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Due {
    /// Kinds of answers that must come, unless the line is refused instead.
    pub answers: Vec<&'static str>,
    /// Answers that must come.
    pub certain: Vec<&'static str>,
    /// Lines that get no answer unless they are refused.
    pub quiet: usize,
    /// Lines that must be refused.
    pub refused: usize,
    /// `readyok`, which may come at any time.
    pub ready: usize,
    /// Lines for people, in any number.
    pub text: bool,
}

/// The kind of an answer, as in [`Due`].
pub fn kind(gomocup: bool, line: &str) -> &'static str {
    let first = line.split([' ', '=']).next().unwrap_or("");
    let kinds: &[&str] = match gomocup {
        true => &[
            "OK", "MESSAGE", "DEBUG", "ERROR", "UNKNOWN", "INFO", "FORBID", "name",
        ],
        false => &[
            "bestmove",
            "info",
            "error",
            "readyok",
            "response",
            "threatening",
            "eval",
            "perft",
            "proof",
            "ugiok",
            "uciok",
        ],
    };
    // Lines of `help` begin with the names of commands.
    let words: Vec<&str> = line.split(' ').take(3).collect();
    let told = match first {
        "perft" => words.get(2) == Some(&"nodes"),
        "threatening" => words.get(1).is_some_and(|w| w.parse::<u32>().is_ok()),
        "eval" => words.get(1) == Some(&"cp"),
        "proof" => words.get(2) == Some(&"nodes"),
        _ => true,
    };
    match kinds.iter().find(|k| told && **k == first) {
        Some(kind) => kind,
        None if gomocup && (first == "SWAP" || first.starts_with(|c: char| c.is_ascii_digit())) => {
            "move"
        }
        None => "text",
    }
}

/// Compares the answers to a group of lines with those due; counts `readyok`.
pub fn judge(
    gomocup: bool,
    due: &Due,
    answers: &[String],
    ready: &mut usize,
) -> Result<(), String> {
    let mut refused = 0;
    let mut came: Vec<&str> = Vec::new();
    for line in answers {
        if line.starts_with("error internal") {
            return Err(format!("it failed: {line}"));
        }
        match kind(gomocup, line) {
            "readyok" => *ready += 1,
            "error" | "ERROR" | "UNKNOWN" => refused += 1,
            "info" | "MESSAGE" | "DEBUG" | "INFO" => {}
            "text" if due.text => {}
            // Lines of `help` and `bench` may begin with a command.
            other if due.text && !["bestmove", "move"].contains(&other) => came.push(other),
            "text" if !gomocup && due.answers.contains(&"perft") => {}
            other => came.push(other),
        }
    }
    let mut missing = due.answers.clone();
    let mut certain = due.certain.clone();
    for kind in &came {
        if let Some(at) = missing.iter().position(|m| m == kind) {
            missing.swap_remove(at);
        } else if let Some(at) = certain.iter().position(|m| m == kind) {
            certain.swap_remove(at);
        } else if !due.text {
            return Err(format!("{kind} without a reason"));
        }
    }
    let least = due.refused + missing.len();
    if !certain.is_empty() || refused < least || refused > least + due.quiet {
        return Err(format!(
            "{refused} lines refused, not {least} to {}; {missing:?} {certain:?} without an answer",
            least + due.quiet
        ));
    }
    Ok(())
}
