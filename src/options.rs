//! Options: each is declared once, as an [`OptionSpec`]; the handshake,
//! `setoption`, `newgame`, the range check, the help and the README's table all
//! use that declaration.

use crate::quote::quote;
use std::collections::BTreeMap;
use std::fmt;

/// The values that an option takes, and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true false on off`.
    Check(bool),
    /// A whole number from `min` to `max` in steps of `step`.
    Spin {
        /// Default value.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// Distance between allowed values, counted from `min`.
        step: i64,
    },
    /// One of a few words; the first one is the default.
    Combo(&'static [&'static str]),
    /// Any text.
    Text(&'static str),
    /// Whole numbers separated by blanks, or none: an [`OptionValue::Text`]
    /// that [`OptionValues::numbers`] parses.
    Numbers {
        /// Default value, such as `8 6 4`.
        default: &'static str,
        /// Least number.
        min: i64,
        /// Greatest number.
        max: i64,
    },
    /// Has no value: setting it carries out an action.
    Button,
}

/// The declaration of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name; read in any case.
    pub name: &'static str,
    /// Type, default and range.
    pub kind: Kind,
    /// Whether it is a rule of the game. `newgame` sets all rules.
    pub rule: bool,
    /// Whether it chooses what static values are made of: what searches have found
    /// by the old ones is forgotten when it changes.
    pub judges: bool,
    /// One line of help.
    pub help: &'static str,
}

impl OptionSpec {
    /// A rule of a game.
    pub const fn rule(name: &'static str, kind: Kind, help: &'static str) -> OptionSpec {
        OptionSpec {
            name,
            kind,
            rule: true,
            judges: false,
            help,
        }
    }

    /// An option that changes how the engine plays or speaks, not the rules.
    pub const fn setting(name: &'static str, kind: Kind, help: &'static str) -> OptionSpec {
        OptionSpec {
            name,
            kind,
            rule: false,
            judges: false,
            help,
        }
    }

    /// One that chooses what static values are made of; the first of these words is
    /// the default.
    pub const fn judging(
        name: &'static str,
        words: &'static [&'static str],
        help: &'static str,
    ) -> OptionSpec {
        OptionSpec {
            judges: true,
            ..OptionSpec::setting(name, Kind::Combo(words), help)
        }
    }

    /// The name of a rule in `newgame`.
    pub fn rule_name(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    /// The default value; `None` for a button.
    pub fn default(&self) -> Option<OptionValue> {
        match self.kind {
            Kind::Check(on) => Some(OptionValue::Check(on)),
            Kind::Spin { default, .. } => Some(OptionValue::Spin(default)),
            Kind::Combo(choices) => Some(OptionValue::Combo(choices[0])),
            Kind::Text(text) | Kind::Numbers { default: text, .. } => {
                Some(OptionValue::Text(text.to_string()))
            }
            Kind::Button => None,
        }
    }

    /// Reads a value of this option.
    ///
    /// # Errors
    /// Says which values are accepted.
    pub fn read(&self, text: &str) -> Result<OptionValue, String> {
        match self.kind {
            Kind::Check(_) => match text.to_ascii_lowercase().as_str() {
                "true" | "on" => Ok(OptionValue::Check(true)),
                "false" | "off" => Ok(OptionValue::Check(false)),
                _ => Err(self.refusal("true, false, on or off", text)),
            },
            Kind::Spin { min, max, step, .. } => match whole_number(text) {
                Some(n) if n >= min && n <= max && (n - min) % step == 0 => {
                    Ok(OptionValue::Spin(n))
                }
                _ => Err(self.refusal(&self.kind.range(), text)),
            },
            Kind::Combo(choices) => choices
                .iter()
                .find(|c| c.eq_ignore_ascii_case(text))
                .map(|c| OptionValue::Combo(c))
                .ok_or_else(|| self.refusal(&self.kind.range(), text)),
            // This is how UCI clients write an empty string.
            Kind::Text(_) | Kind::Numbers { .. } if text == "<empty>" => {
                Ok(OptionValue::Text(String::new()))
            }
            Kind::Numbers { min, max, .. } => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let fits = |word: &&str| {
                    !word.starts_with('-')
                        && whole_number(word).is_some_and(|n| n >= min && n <= max)
                };
                match words.len() <= MOST_NUMBERS && words.iter().all(fits) {
                    true => Ok(OptionValue::Text(words.join(" "))),
                    false => Err(self.refusal(&self.kind.range(), text)),
                }
            }
            Kind::Text(_) => Ok(OptionValue::Text(text.to_string())),
            Kind::Button => Err(format!("{} takes no value", self.name)),
        }
    }

    fn refusal(&self, expected: &str, found: &str) -> String {
        format!("{} takes {expected}, not {}", self.name, quote(found))
    }
}

impl Kind {
    /// The allowed values in words: `7..=19, odd`, `one of on off`.
    pub fn range(&self) -> String {
        match *self {
            Kind::Check(_) => "true or false".to_string(),
            Kind::Spin {
                min, max, step: 1, ..
            } => format!("a whole number from {min} to {max}"),
            Kind::Spin {
                min, max, step: 2, ..
            } if min % 2 == 1 => format!("an odd number from {min} to {max}"),
            Kind::Spin { min, max, step, .. } => {
                format!("a number from {min} to {max} in steps of {step}")
            }
            Kind::Combo(choices) => format!("one of {}", choices.join(" ")),
            Kind::Text(_) => "any text".to_string(),
            Kind::Numbers { min, max, .. } => {
                format!("whole numbers from {min} to {max} with blanks between, or nothing")
            }
            Kind::Button => "no value".to_string(),
        }
    }
}

/// The number in decimal digits, with `-` before them if it is negative: what
/// the protocol calls a whole number. Unlike `str::parse` it takes no `+`.
pub fn whole_number(text: &str) -> Option<i64> {
    match text.starts_with('+') {
        true => None,
        false => text.parse().ok(),
    }
}

/// The maximum length of a [`Kind::Numbers`] list.
const MOST_NUMBERS: usize = 100;

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// The value of a check.
    Check(bool),
    /// The value of a spin.
    Spin(i64),
    /// The value of a combo: one of the declared words.
    Combo(&'static str),
    /// The value of a text or of numbers.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(on) => write!(f, "{on}"),
            OptionValue::Spin(n) => write!(f, "{n}"),
            OptionValue::Combo(word) => write!(f, "{word}"),
            OptionValue::Text(text) => write!(f, "{text}"),
        }
    }
}

/// The values of a list of options. Reading a name or a type that was never
/// declared is a bug and panics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValues {
    values: BTreeMap<&'static str, OptionValue>,
}

impl OptionValues {
    /// Every option at its default.
    pub fn defaults(specs: &[OptionSpec]) -> OptionValues {
        let values = specs
            .iter()
            .filter_map(|s| s.default().map(|v| (s.name, v)))
            .collect();
        OptionValues { values }
    }

    /// Sets the option with this declaration. The value is not looked at:
    /// [`OptionSpec::read`] makes those that are in range, and by others a game's rules may
    /// panic.
    pub fn set(&mut self, spec: &OptionSpec, value: OptionValue) {
        self.values.insert(spec.name, value);
    }

    /// The value of `name`, which must be spelled as declared.
    pub fn get(&self, name: &str) -> &OptionValue {
        self.values
            .get(name)
            .unwrap_or_else(|| panic!("no option {name} is declared here"))
    }

    /// The value of a check.
    pub fn check(&self, name: &str) -> bool {
        match self.get(name) {
            OptionValue::Check(on) => *on,
            other => panic!("option {name} is no check but {other:?}"),
        }
    }

    /// The value of a spin.
    pub fn spin(&self, name: &str) -> i64 {
        match self.get(name) {
            OptionValue::Spin(n) => *n,
            other => panic!("option {name} is no spin but {other:?}"),
        }
    }

    /// The value of a combo.
    pub fn combo(&self, name: &str) -> &'static str {
        match self.get(name) {
            OptionValue::Combo(word) => word,
            other => panic!("option {name} is no combo but {other:?}"),
        }
    }

    /// The value of a text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            OptionValue::Text(text) => text,
            other => panic!("option {name} is no text but {other:?}"),
        }
    }

    /// The value of a list of numbers.
    pub fn numbers(&self, name: &str) -> Vec<i64> {
        let words = self.text(name).split_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    }
}

/// The rules of `game`, which declares `specs`, that names and values name, as in
/// `newgame` (names in any case), in their order.
///
/// # Errors
/// Says which is no rule of the game, is given twice, or cannot take its value.
pub fn read_rules<'a, 's>(
    game: &str,
    specs: &'s [OptionSpec],
    words: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<(&'s OptionSpec, OptionValue)>, String> {
    let mut rules: Vec<(&OptionSpec, OptionValue)> = Vec::new();
    for (name, text) in words {
        let spec = find(specs, name)
            .filter(|spec| spec.rule)
            .ok_or_else(|| format!("{game} has no rule {}", quote(name)))?;
        if rules.iter().any(|(before, _)| before.name == spec.name) {
            return Err(format!("{} is given twice", spec.name));
        }
        rules.push((spec, spec.read(text)?));
    }
    Ok(rules)
}

/// The options of `game` under rules as `newgame` takes them, without its name:
/// what they leave out is at its default, and so is what is no rule.
///
/// # Errors
/// There is no such rule, it is given twice, or it cannot take that value.
pub fn under_rules(game: &str, specs: &[OptionSpec], words: &str) -> Result<OptionValues, String> {
    let mut options = OptionValues::defaults(specs);
    let words: Vec<&str> = words.split_whitespace().collect();
    let pairs = words
        .chunks(2)
        .map(|pair| (pair[0], *pair.get(1).unwrap_or(&"")));
    for (spec, value) in read_rules(game, specs, pairs)? {
        options.set(spec, value);
    }
    Ok(options)
}

/// The declaration called `name`, in any case.
pub fn find<'a>(specs: &'a [OptionSpec], name: &str) -> Option<&'a OptionSpec> {
    specs.iter().find(|s| s.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[OptionSpec] = &[
        OptionSpec::rule(
            "Size",
            Kind::Spin {
                default: 19,
                min: 7,
                max: 19,
                step: 2,
            },
            "",
        ),
        OptionSpec::rule("Tournament", Kind::Check(true), ""),
        OptionSpec::setting("Level", Kind::Combo(&["full", "random"]), ""),
        OptionSpec::setting("Clear", Kind::Button, ""),
        OptionSpec::setting("Path", Kind::Text(""), ""),
        OptionSpec::setting(
            "Width",
            Kind::Numbers {
                default: "8 6",
                min: 1,
                max: 99,
            },
            "",
        ),
    ];

    #[test]
    fn values_are_read_in_range_and_refused_outside() {
        let read = |name: &str, text: &str| find(SPECS, name).expect("declared").read(text);
        assert_eq!(read("size", "7"), Ok(OptionValue::Spin(7)));
        assert_eq!(
            read("SIZE", "8"),
            Err("Size takes an odd number from 7 to 19, not '8'".into())
        );
        assert!(read("size", "99999999999999999999").is_err());
        assert!(read("size", "+7").is_err() && read("size", "-").is_err());
        assert_eq!(read("tournament", "OFF"), Ok(OptionValue::Check(false)));
        assert!(read("tournament", "maybe").is_err());
        assert_eq!(read("level", "Random"), Ok(OptionValue::Combo("random")));
        assert_eq!(
            read("level", "god"),
            Err("Level takes one of full random, not 'god'".into())
        );
        assert!(read("clear", "1").is_err());
        assert_eq!(
            read("path", "<empty>"),
            Ok(OptionValue::Text(String::new()))
        );
        assert_eq!(
            read("width", " 8\t6  4"),
            Ok(OptionValue::Text("8 6 4".into()))
        );
        assert_eq!(read("width", ""), Ok(OptionValue::Text(String::new())));
        assert_eq!(
            read("width", "<empty>"),
            Ok(OptionValue::Text(String::new()))
        );
        for bad in ["0", "100", "8,6", "8 six", "-1", "+1", "1.5"] {
            let why = "Width takes whole numbers from 1 to 99 with blanks between, or nothing";
            assert_eq!(read("width", bad), Err(format!("{why}, not '{bad}'")));
        }
    }

    #[test]
    fn rules_are_read_once_each_and_nothing_else_is() {
        let read = |words: &[(&str, &str)]| {
            let rules = read_rules("pente", SPECS, words.iter().copied())?;
            let words = rules.iter().map(|(spec, v)| format!("{} {v}", spec.name));
            Ok::<_, String>(words.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(read(&[]), Ok(String::new()));
        assert_eq!(
            read(&[("tournament", "off"), ("SIZE", "9")]),
            Ok("Tournament false Size 9".into())
        );
        assert_eq!(
            read(&[("size", "9"), ("Size", "9")]),
            Err("Size is given twice".into())
        );
        assert_eq!(
            read(&[("size", "8")]),
            Err("Size takes an odd number from 7 to 19, not '8'".into())
        );
        for none in ["level", "clear", "Path", "sise", ""] {
            assert_eq!(
                read(&[(none, "full")]),
                Err(format!("pente has no rule '{none}'"))
            );
        }
    }

    #[test]
    fn defaults_are_the_declared_ones() {
        let values = OptionValues::defaults(SPECS);
        assert_eq!(values.spin("Size"), 19);
        assert!(values.check("Tournament"));
        assert_eq!(values.combo("Level"), "full");
        assert_eq!(values.text("Path"), "");
        assert_eq!(values.numbers("Width"), [8, 6]);
        assert_eq!(values.numbers("Path"), [0; 0]);
    }
}
