//! The command line: its options, and parsing it.

use crate::contest::USAGE;
use crate::recipe::{Data, Recipe, Request};
use quintet::internals::files::same_place;
use std::path::{Path, PathBuf};

/// What the command line asks for.
pub enum Asked {
    /// To print this text.
    Help(String),
    /// To run a fit.
    Fit(Task),
    /// To play a match of the search against itself, as these words say.
    Duel(Vec<String>),
}

/// A fit to run.
pub struct Task {
    /// The recipe of the fit.
    pub recipe: &'static Recipe,
    /// Its numbers and data.
    pub request: Request,
    /// The file for the results.
    pub out: PathBuf,
}

impl Task {
    /// The command line that produces the same numbers again.
    pub fn command(&self) -> String {
        let mut words = vec![format!("fit {}", self.recipe.name)];
        let data = self.request.data.iter();
        words.extend(data.map(|path| format!("--data {}", path.display())));
        let numbers = self.request.numbers.iter();
        words.extend(numbers.map(|(name, number)| format!("--{name} {number}")));
        words.join(" ")
    }
}

/// Parses the words after the program's name.
///
/// # Errors
/// Says what is wrong with them, for the user.
pub fn read(words: &[String], recipes: &'static [Recipe]) -> Result<Asked, String> {
    if words.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Asked::Help(help(recipes)));
    }
    if let Some(("duel", rest)) = words.split_first().map(|(w, rest)| (w.as_str(), rest)) {
        return Ok(Asked::Duel(rest.to_vec()));
    }
    let named = words.iter().take_while(|word| !word.starts_with("--"));
    let (name, mut rest) = words.split_at(named.count());
    let name = name.join(" ");
    if name.is_empty() {
        return Err("what to fit is missing".to_string());
    }
    let Some(recipe) = recipes.iter().find(|r| r.name == name) else {
        let names: Vec<&str> = recipes.iter().map(|r| r.name).collect();
        let names = names.join(", ");
        return Err(format!("there is no `{name}`, only {names}"));
    };
    let choices = recipe.choices.iter();
    let mut request = Request {
        numbers: choices
            .map(|choice| (choice.name, choice.default))
            .collect(),
        data: Vec::new(),
        save: None,
    };
    let mut out = None;
    let mut seen = Vec::new();
    while let Some((option, after)) = rest.split_first() {
        let Some(name) = option.strip_prefix("--") else {
            return Err(format!("`{option}` is no option"));
        };
        let Some((value, after)) = after.split_first() else {
            return Err(format!("`{option}` needs a value"));
        };
        rest = after;
        if name != "data" && seen.contains(&name) {
            return Err(format!("`{option}` stands there twice"));
        }
        seen.push(name);
        match name {
            "out" => out = Some(PathBuf::from(value)),
            "data" if matches!(recipe.data, Data::Kept(_)) => {
                request.data.push(PathBuf::from(value))
            }
            "save" if recipe.data != Data::Never => request.save = Some(PathBuf::from(value)),
            _ => set(recipe, &mut request, name, value)?,
        }
    }
    let out = out.ok_or("`--out FILE` is missing")?;
    let files = [Some(&out), request.save.as_ref()].into_iter().flatten();
    apart(&files.chain(&request.data).collect::<Vec<_>>())?;
    Ok(Asked::Fit(Task {
        recipe,
        request,
        out,
    }))
}

/// Refuses two names of one file: what is written at the end would take the place of
/// the games, or each of them would count twice.
fn apart(files: &[&PathBuf]) -> Result<(), String> {
    let same = |one: &Path, other: &Path| {
        let real = |path: &Path| path.canonicalize().ok();
        same_place(one, other) || real(one).is_some_and(|one| Some(one) == real(other))
    };
    for (i, one) in files.iter().enumerate() {
        if let Some(other) = files[..i].iter().find(|other| same(one, other)) {
            let [one, other] = [one, other].map(|path| path.display());
            return Err(format!("`{other}` and `{one}` are the same file"));
        }
    }
    Ok(())
}

/// Sets one of the recipe's numbers.
fn set(recipe: &Recipe, request: &mut Request, name: &str, value: &str) -> Result<(), String> {
    let Some(choice) = recipe.choices.iter().find(|c| c.name == name) else {
        return Err(format!("{} has no option `--{name}`", recipe.name));
    };
    let (least, most) = (choice.range.start(), choice.range.end());
    match value.parse() {
        Ok(number) if choice.range.contains(&number) => {
            for (_, old) in request.numbers.iter_mut().filter(|n| n.0 == name) {
                *old = number;
            }
            Ok(())
        }
        _ => Err(format!(
            "`--{name}` is a number from {least} to {most}, not `{value}`"
        )),
    }
}

/// The program's usage.
fn help(recipes: &[Recipe]) -> String {
    let mut text = "\
Fits the numbers of a game's evaluation and writes a file of them that the engine can include.

usage: quintet-fit GAME --out FILE [--OPTION VALUE]...

  --out FILE         where the numbers go; written whole at the end, or not at all
  --data FILE        games or positions that were made before; may be given more than once
  --save FILE        where those that are made now are kept, to be given as --data later;
                     games are appended, positions of Pentago need a new file
"
    .to_string();
    for recipe in recipes {
        text.push_str(&format!("\n{}: {}\n", recipe.name, recipe.about));
        for choice in recipe.choices {
            text.push_str(&format!(
                "  {:<18} {} ({})\n",
                format!("--{} N", choice.name),
                choice.help,
                choice.default
            ));
        }
        let (options, data) = match recipe.data {
            Data::Never => continue,
            Data::Told(data) => ("--save", data),
            Data::Kept(data) => ("--data, --save", data),
        };
        text.push_str(&format!("  {options:<18} of {data}\n"));
    }
    text.push('\n');
    text.push_str(USAGE);
    text + "\nThe same words give the same file as long as the engine is the same. Progress is told on stderr.\n"
}
