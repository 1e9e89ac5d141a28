//! What packages of the program need besides it: the page for `man` and the
//! completions for shells, from the declarations that `help` is made of.

use crate::help::{COMMANDS, FLAGS, Flag, game_names, option_line, usage};
use crate::session::catalogue::{GameInfo, declared, full_name};

/// The page for `man`, in roff: [`usage`], all commands and all options.
pub fn page() -> String {
    let mut text = format!(
        ".TH QUINTET 1 \"\" \"Quintet {}\"\n",
        env!("CARGO_PKG_VERSION")
    );
    for section in usage().split("\n\n").map(str::trim_end) {
        section_of_usage(&mut text, section);
    }
    text += ".SH COMMANDS\n";
    for command in COMMANDS {
        let more = [&[command.what], command.more].concat();
        entry(&mut text, command.grammar, &more.join("\n.br\n"));
    }
    text += ".SH OPTIONS OF THE ENGINE\nFor setoption name NAME value VALUE.\n";
    for option in declared(GameInfo::all()) {
        let name = full_name(option);
        let line = option_line(&name, option.1);
        entry(&mut text, &name, &line[name.len() + 2..]);
    }
    text
}

/// A paragraph of [`usage`]; its lines stay as they are, but for running text.
fn section_of_usage(text: &mut String, paragraph: &str) {
    let mut lines = paragraph.lines().peekable();
    let heading = lines.next_if(|line| !line.starts_with(' '));
    match heading {
        Some(heading) => *text += &format!(".SH {heading}\n"),
        None => *text += ".PP\n",
    }
    let filled = matches!(heading, Some("NAME" | "DESCRIPTION")) || !paragraph.contains("     ");
    let body: Vec<String> = lines.map(|line| escaped(line, 4)).collect();
    let body = body.join("\n");
    *text += &match filled {
        true => format!("{body}\n"),
        false => format!(".nf\n{body}\n.fi\n"),
    };
}

/// A term and what it means.
fn entry(text: &mut String, term: &str, meaning: &str) {
    let meaning: Vec<String> = meaning
        .split("\n.br\n")
        .map(|line| escaped(line, 0))
        .collect();
    *text += &format!(
        ".TP\n.B {}\n{}\n",
        escaped(term, 0),
        meaning.join("\n.br\n")
    );
}

/// A line as roff reads it back, without so many blanks at its start.
fn escaped(line: &str, blanks: usize) -> String {
    let line = line.get(blanks..).unwrap_or("");
    let plain = line.replace('\\', "\\e").replace('-', "\\-");
    match plain.starts_with(['.', '\'']) {
        true => format!("\\&{plain}"),
        false => plain,
    }
}

/// The shells that [`completions`] knows.
pub const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The script that completes the options and the first words of commands in
/// this shell; `None`: the shell is not known.
pub fn completions(shell: &str) -> Option<String> {
    match shell {
        "bash" => Some(bash()),
        "zsh" => Some(zsh()),
        "fish" => Some(fish()),
        _ => None,
    }
}

/// The values of an option of the command line; empty where any word is one.
fn values(flag: &Flag) -> String {
    match flag.name {
        "game" => game_names().join(" "),
        "completions" => SHELLS.join(" "),
        _ => String::new(),
    }
}

fn bash() -> String {
    let cases: String = (FLAGS.iter().filter(|flag| flag.has_value()))
        .map(|flag| format!("    --{}) words=\"{}\" ;;\n", flag.name, values(flag)))
        .collect();
    let flags: Vec<String> = FLAGS.iter().map(|f| format!("--{}", f.name)).collect();
    let commands: Vec<&str> = COMMANDS.iter().map(|c| c.name).collect();
    format!(
        "_quintet() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words
  [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD - 2]}}
  [[ $word == = ]] && word=
  case $before in
{cases}    *) words=\"{}\"
       [[ $word == -* ]] && words=\"{}\" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")
}}
complete -F _quintet quintet
",
        commands.join(" "),
        flags.join(" ")
    )
}

fn zsh() -> String {
    let mut text = String::from("#compdef quintet\n_arguments \\\n");
    for flag in FLAGS {
        let what = quoted(&flag.what())
            .replace(['[', ']'], "")
            .replace(':', "\\:");
        let value = match flag.value {
            "" => String::new(),
            value => format!(":{}:({})", value.to_lowercase(), values(flag)),
        };
        let names = match flag.letter {
            Some(letter) => format!("'(-{letter} --{0})'{{-{letter},--{0}}}'", flag.name),
            None if value.is_empty() => format!("'--{}", flag.name),
            // It may stand behind a sign, too.
            None => format!("'--{}=", flag.name),
        };
        text += &format!("  {names}[{what}]{value}' \\\n");
    }
    let commands: Vec<&str> = COMMANDS.iter().map(|c| c.name).collect();
    text + &format!("  '*:command:({})'\n", commands.join(" "))
}

fn fish() -> String {
    let mut text = String::from("complete -c quintet -f\n");
    for flag in FLAGS {
        let letter = flag.letter.map_or(String::new(), |l| format!(" -s {l}"));
        let value = match flag.value {
            "" => String::new(),
            _ => format!(" -x -a '{}'", values(flag)),
        };
        let what = quoted(&flag.what());
        text += &format!(
            "complete -c quintet{letter} -l {}{value} -d '{what}'\n",
            flag.name
        );
    }
    for command in COMMANDS {
        let what = quoted(command.what);
        text += &format!("complete -c quintet -a '{}' -d '{what}'\n", command.name);
    }
    text
}

/// A text between single quotes; quotes of its own become plain signs.
fn quoted(text: &str) -> String {
    text.replace('\'', "\u{2019}")
}
