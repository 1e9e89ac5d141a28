//! Transcripts: files that show a conversation with the engine and are run as
//! tests: both documentation and conformance test.
//!
//! Each line is one of
//!
//! | line | meaning |
//! |---|---|
//! | `> LINE` | send LINE |
//! | `< PATTERN` | the next line that comes back matches PATTERN |
//! | `< ...` | any number of lines, also none, come back before the next expected one |
//! | `! wait MS` | pause so many milliseconds |
//! | `! eof` | close the engine's input |
//! | `! exit N` | the process ends with status N |
//! | `! args A \| B \| C` | before all else: run the engine with these arguments |
//! | `# …`, blank | ignored |

use std::time::Duration;

/// A conversation with the engine, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// The arguments to start the engine with; none unless the file has `! args`.
    pub args: Vec<String>,
    /// The steps, one per line.
    pub steps: Vec<Step>,
}

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its number in the text, from 1.
    pub line: usize,
    /// The action of the line.
    pub action: Action,
}

/// The action of one line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send this line, without its line end.
    Send(String),
    /// The next line from the engine [`matches()`] this pattern.
    Expect(String),
    /// Skips lines from the engine up to one that matches the next `Expect`; if
    /// there is no further `Expect`, to the end of its output.
    Skip,
    /// Pause before the next step.
    Wait(Duration),
    /// Close the engine's input.
    Eof,
    /// The engine ends, with this status and without a further line.
    Exit(i32),
}

impl Transcript {
    /// Reads a transcript. The error names the line that is not valid.
    pub fn parse(text: &str) -> Result<Transcript, String> {
        let mut transcript = Transcript::default();
        let mut first = true;
        for (index, content) in text.lines().enumerate() {
            let line = index + 1;
            if content.trim().is_empty() || content.starts_with('#') {
                continue;
            }
            let (mark, rest) = content.split_once(' ').unwrap_or((content, ""));
            let action = match mark {
                ">" => Action::Send(rest.to_owned()),
                "<" if rest.trim_end() == "..." => Action::Skip,
                "<" => Action::Expect(rest.to_owned()),
                "!" => match rest.trim().strip_prefix("args ") {
                    Some(args) if first => {
                        transcript.args = args.split('|').map(|a| a.trim().to_owned()).collect();
                        first = false;
                        continue;
                    }
                    Some(_) => return Err(format!("line {line}: '! args' must come first")),
                    None => directive(rest.trim())
                        .ok_or_else(|| format!("line {line}: unknown directive {content:?}"))?,
                },
                _ => {
                    return Err(format!(
                        "line {line}: expected '> ', '< ', '! ' or '#', found {content:?}"
                    ));
                }
            };
            first = false;
            transcript.steps.push(Step { line, action });
        }
        Ok(transcript)
    }
}

/// A directive other than `args`.
fn directive(text: &str) -> Option<Action> {
    let mut words = text.split_whitespace();
    let action = match (words.next()?, words.next()) {
        ("wait", Some(ms)) => Action::Wait(Duration::from_millis(ms.parse().ok()?)),
        ("eof", None) => Action::Eof,
        ("exit", Some(status)) => Action::Exit(status.parse().ok()?),
        _ => return None,
    };
    words.next().is_none().then_some(action)
}

/// Whether `line` matches `pattern`, in which each `*` stands for any number of
/// characters, including none. A literal `*` cannot be required; a `*` in the
/// line is matched by one in the pattern.
pub fn matches(pattern: &str, line: &str) -> bool {
    let Some((prefix, pattern)) = pattern.split_once('*') else {
        return pattern == line;
    };
    let Some(line) = line.strip_prefix(prefix) else {
        return false;
    };
    let (middle, suffix) = pattern.rsplit_once('*').unwrap_or(("", pattern));
    let Some(mut line) = line.strip_suffix(suffix) else {
        return false;
    };
    // Matching each part at its first occurrence leaves the most for the
    // others.
    for part in middle.split('*') {
        match line.find(part) {
            Some(at) => line = &line[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// The blocks of a Markdown text that are fenced by three backquotes and have
/// the info string `transcript`: for each, the number, from 1, of the first
/// line inside the fence, and its text.
pub fn extract_transcripts(markdown: &str) -> Vec<(usize, String)> {
    /// The fenced block that the current line is in.
    enum Block {
        Transcript(usize, String),
        Other,
    }
    let mut found = Vec::new();
    let mut block = None;
    for (index, line) in markdown.lines().enumerate() {
        let fence = line.trim().strip_prefix("```");
        match (&mut block, fence) {
            (None, Some(info)) if info.trim() == "transcript" => {
                block = Some(Block::Transcript(index + 2, String::new()));
            }
            (None, Some(_)) => block = Some(Block::Other),
            (None, None) => {}
            (Some(_), Some("")) => {
                if let Some(Block::Transcript(start, text)) = block.take() {
                    found.push((start, text));
                }
            }
            (Some(Block::Transcript(_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (Some(Block::Other), _) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let text = "# start\n! args newgame teeko | go depth 1\n\n> ugi\n>\n< id name *\n< ...\n\
                    <\n! wait 20\n! eof\n! exit 0\n";
        let transcript = Transcript::parse(text).unwrap();
        assert_eq!(transcript.args, ["newgame teeko", "go depth 1"]);
        let actions = [
            (4, Action::Send("ugi".into())),
            (5, Action::Send(String::new())),
            (6, Action::Expect("id name *".into())),
            (7, Action::Skip),
            (8, Action::Expect(String::new())),
            (9, Action::Wait(Duration::from_millis(20))),
            (10, Action::Eof),
            (11, Action::Exit(0)),
        ];
        let steps = actions.map(|(line, action)| Step { line, action });
        assert_eq!(transcript.steps, steps);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, error) in [
            (
                "> ugi\nugiok",
                "line 2: expected '> ', '< ', '! ' or '#', found \"ugiok\"",
            ),
            (
                ">ugi",
                "line 1: expected '> ', '< ', '! ' or '#', found \">ugi\"",
            ),
            ("! wait", "line 1: unknown directive \"! wait\""),
            ("! wait x", "line 1: unknown directive \"! wait x\""),
            ("! eof now", "line 1: unknown directive \"! eof now\""),
            ("! exit 0 0", "line 1: unknown directive \"! exit 0 0\""),
            ("> ugi\n! args go", "line 2: '! args' must come first"),
        ] {
            assert_eq!(Transcript::parse(text).unwrap_err(), error, "{text:?}");
        }
    }

    #[test]
    fn a_star_matches_any_run() {
        for (pattern, line) in [
            ("ugiok", "ugiok"),
            ("*", ""),
            ("info *score *", "info depth 1 score cp 3"),
            ("info * score *", "info depth 1 score cp 3"),
            ("bestmove *", "bestmove h8"),
            ("a*b*a", "aba"),
            ("a**a", "aa"),
            ("*é*", "caféx"),
            ("* nodes 9 *", "perft 1 nodes 9 time 0 nps 0"),
        ] {
            assert!(matches(pattern, line), "{pattern:?} {line:?}");
        }
        for (pattern, line) in [
            ("ugiok", "ugiok "),
            ("a*a", "a"),
            ("a*b*a", "aa"),
            ("info * score *", "info score cp 3"),
            ("*b", "abc"),
            ("*x*y*", "yx"),
        ] {
            assert!(!matches(pattern, line), "{pattern:?} {line:?}");
        }
    }

    #[test]
    fn fenced_blocks_are_found() {
        let markdown = "a\n```transcript\n> ugi\n< ...\n```\n```sh\n```transcript\n```\n\n\
                        ```transcript\n```\nb\n";
        assert_eq!(
            extract_transcripts(markdown),
            [(3, "> ugi\n< ...\n".to_owned()), (11, String::new())],
        );
    }
}
