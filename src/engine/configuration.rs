//! The options as set by the client, and the game in play.

use crate::options::{self, Kind, OptionSpec, OptionValue, OptionValues};
use crate::session::catalogue::{Declared, GameInfo, declared, find_option, full_name};
use crate::session::words::json_text;
use crate::settings;
use quintet_protocol::{ErrorCode, OptionType, ProtocolError, Reply, quoted};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The values of all options, and the game in play.
pub(super) struct Configuration {
    games: &'static [GameInfo],
    settings: OptionValues,
    /// Each game's options as they were set, by the game's name. Foreign rules
    /// are not stored here, so they end with their dialect.
    options: BTreeMap<&'static str, OptionValues>,
    game: &'static GameInfo,
    /// Whether the games' foreign rules are in force.
    foreign: bool,
}

/// A `setoption` that has been read but not yet carried out.
pub(super) struct Assignment {
    /// The option and its game.
    pub option: Declared<'static>,
    /// Its new value; `None`: it is a button to be pressed.
    pub value: Option<OptionValue>,
}

impl Configuration {
    /// Everything at its default; the first game is in play.
    pub fn new(games: &'static [GameInfo]) -> Configuration {
        let defaults = |game: &GameInfo| (game.name, OptionValues::defaults(game.options));
        let game = &games[0];
        let mut settings = OptionValues::defaults(settings::OPTIONS);
        settings.set(game_option(), OptionValue::Combo(game.name));
        Configuration {
            games,
            settings,
            options: games.iter().map(defaults).collect(),
            game,
            foreign: false,
        }
    }

    /// The games to choose from.
    pub fn games(&self) -> &'static [GameInfo] {
        self.games
    }

    /// The game in play.
    pub fn game(&self) -> &'static GameInfo {
        self.game
    }

    /// The engine's own options.
    pub fn settings(&self) -> &OptionValues {
        &self.settings
    }

    /// A game's options as they were set.
    pub fn options(&self, game: &GameInfo) -> &OptionValues {
        &self.options[game.name]
    }

    /// A game's options as they will be if the game is opened now.
    pub fn in_force(&self, game: &GameInfo) -> OptionValues {
        self.with_foreign_rules(game, self.options(game))
    }

    /// The given options of a game with its foreign rules, if these are in
    /// force.
    pub fn with_foreign_rules(&self, game: &GameInfo, options: &OptionValues) -> OptionValues {
        let mut options = options.clone();
        for spec in game.options {
            if let Some(value) = self.forced(game, spec) {
                options.set(spec, value);
            }
        }
        options
    }

    /// Whether the games' foreign rules are in force.
    pub fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// Sets whether the games' foreign rules are in force from now on.
    pub fn set_foreign(&mut self, foreign: bool) {
        self.foreign = foreign;
    }

    /// Sets one of the engine's own options.
    pub fn set_setting(&mut self, spec: &OptionSpec, value: OptionValue) {
        if spec.name == settings::GAME
            && let OptionValue::Combo(name) = value
        {
            self.game = self.find_game(name).expect("the option lists the games");
        }
        self.settings.set(spec, value);
    }

    /// Sets the options of a game.
    pub fn set_options(&mut self, game: &GameInfo, options: OptionValues) {
        self.options.insert(game.name, options);
    }

    /// Chooses a game with these options.
    pub fn choose(&mut self, game: &'static GameInfo, options: OptionValues) {
        self.set_options(game, options);
        self.settings
            .set(game_option(), OptionValue::Combo(game.name));
        self.game = game;
    }

    fn game_called(&self, name: &str) -> Result<&'static GameInfo, ProtocolError> {
        self.find_game(name).ok_or_else(|| {
            let names: Vec<_> = self.games.iter().map(|g| g.name).collect();
            refusal(format!(
                "there is no game {}: expected one of {}",
                quoted(name),
                names.join(" ")
            ))
        })
    }

    fn find_game(&self, name: &str) -> Option<&'static GameInfo> {
        let mut games = self.games.iter();
        games.find(|g| g.name.eq_ignore_ascii_case(name))
    }

    /// The options that can be set.
    fn offered(&self) -> impl Iterator<Item = Declared<'static>> + '_ {
        let can_be_set =
            |&(game, spec): &Declared| game.is_none_or(|g| self.forced(g, spec).is_none());
        declared(self.games).filter(can_be_set)
    }

    /// The options as the handshake lists them.
    pub fn declarations(&self) -> impl Iterator<Item = Reply> + '_ {
        self.offered().map(|option| Reply::OptionDecl {
            name: full_name(option),
            kind: option_type(option.1),
        })
    }

    /// The value of an option; `None` for a button.
    fn value(&self, (game, spec): Declared) -> Option<&OptionValue> {
        let values = game.map_or(&self.settings, |game| self.options(game));
        (spec.kind != Kind::Button).then(|| values.get(spec.name))
    }

    /// Every option that can be set with its value, `NAME=VALUE …`.
    pub fn values(&self) -> String {
        let values = self.offered().filter_map(|option| {
            let value = self.value(option)?.to_string();
            Some(format!("{}={}", bare(&full_name(option)), bare(&value)))
        });
        values.collect::<Vec<_>>().join(" ")
    }

    /// The declaration of the option with this name, or of every one that can
    /// be set if the name is empty.
    ///
    /// # Errors
    /// There is no such option.
    pub fn specs(&self, name: &str) -> Result<String, ProtocolError> {
        if name.is_empty() {
            return Ok(self
                .offered()
                .map(spec_words)
                .collect::<Vec<_>>()
                .join(" ; "));
        }
        self.find(name).map(spec_words)
    }

    /// The values and declarations of the options that can be set, as the
    /// fields of a JSON object.
    pub fn json(&self) -> Map<String, Value> {
        let values = self
            .offered()
            .filter_map(|option| Some((full_name(option), value_json(self.value(option)?))));
        let specs = self.offered().map(spec_json);
        let fields = [
            ("options", Value::Object(values.collect())),
            ("optionspec", specs.collect()),
        ];
        fields
            .map(|(name, value)| (name.to_string(), value))
            .into_iter()
            .collect()
    }

    /// The option with this name.
    ///
    /// # Errors
    /// There is no such option.
    fn find(&self, name: &str) -> Result<Declared<'static>, ProtocolError> {
        find_option(self.games, name)
            .ok_or_else(|| refusal(format!("there is no option {}", quoted(name))))
    }

    /// Reads a `setoption` without changing anything.
    ///
    /// # Errors
    /// There is no such option, or it cannot take that value.
    pub fn read(&self, name: &str, text: Option<&str>) -> Result<Assignment, ProtocolError> {
        let option = self.find(name)?;
        let (game, spec) = option;
        if spec.kind == Kind::Button {
            return match text.filter(|t| !t.is_empty()) {
                None => Ok(Assignment {
                    option,
                    value: None,
                }),
                Some(text) => Err(refusal(format!(
                    "{} is a button and takes no value, found {}",
                    spec.name,
                    quoted(text)
                ))),
            };
        }
        let text = text.ok_or_else(|| {
            let range = spec.kind.range();
            refusal(format!("{} needs a value: {range}", full_name(option)))
        })?;
        // The reason begins with the option's own name.
        let value = spec.read(text).map_err(|why| match game {
            Some(game) => refusal(format!("{}.{why}", game.prefix)),
            None => refusal(why),
        })?;
        match (game, &value) {
            (Some(game), value) => self.check_forced(game, spec, value)?,
            // The option lists all games there are.
            (None, OptionValue::Combo(name)) if spec.name == settings::GAME => {
                self.game_called(name)?;
            }
            (None, _) => (),
        }
        Ok(Assignment {
            option,
            value: Some(value),
        })
    }

    /// Reads a `newgame`: the game, and its options including the rules asked
    /// for. Changes nothing.
    ///
    /// # Errors
    /// There is no such game or rule, or a rule cannot take its value.
    pub fn read_new_game(
        &self,
        name: &str,
        words: &[(String, String)],
    ) -> Result<(&'static GameInfo, OptionValues), ProtocolError> {
        let game = self.game_called(name)?;
        let mut options = self.options(game).clone();
        for spec in game.options.iter().filter(|s| s.rule) {
            if let Some(value) = spec.default() {
                options.set(spec, value);
            }
        }
        let words = words.iter().map(|(name, text)| (&**name, &**text));
        for (spec, value) in options::read_rules(game.name, game.options, words).map_err(refusal)? {
            self.check_forced(game, spec, &value)?;
            options.set(spec, value);
        }
        Ok((game, options))
    }

    /// The one value that a rule option can take at present, if there is only
    /// one.
    fn forced(&self, game: &GameInfo, spec: &OptionSpec) -> Option<OptionValue> {
        match self.foreign {
            true => game.foreign_rule(spec),
            false => None,
        }
    }

    /// Refuses a value that a rule option cannot take at present.
    fn check_forced(
        &self,
        game: &GameInfo,
        spec: &OptionSpec,
        value: &OptionValue,
    ) -> Result<(), ProtocolError> {
        match self.forced(game, spec) {
            Some(only) if only != *value => {
                let text = format!("{} is always {only} in this dialect", spec.name);
                Err(refusal(text))
            }
            _ => Ok(()),
        }
    }
}

fn refusal(text: String) -> ProtocolError {
    ProtocolError::new(ErrorCode::Option, text)
}

/// An option's declaration as the handshake writes it.
fn option_type(spec: &OptionSpec) -> OptionType {
    match spec.kind {
        Kind::Check(default) => OptionType::Check { default },
        Kind::Spin {
            default, min, max, ..
        } => OptionType::Spin { default, min, max },
        Kind::Combo(choices) => OptionType::Combo {
            default: choices[0].to_string(),
            choices: choices.iter().map(|c| c.to_string()).collect(),
        },
        Kind::Text(default) | Kind::Numbers { default, .. } => OptionType::Text {
            default: default.to_string(),
        },
        Kind::Button => OptionType::Button,
    }
}

/// The option that chooses the game.
fn game_option() -> &'static OptionSpec {
    options::find(settings::OPTIONS, settings::GAME).expect("declared")
}

/// A name or a value as one word: a JSON string if it is empty or holds
/// anything that could end it.
fn bare(text: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic() && !"\"\\=;".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_string(),
        false => json_text(&text.into()),
    }
}

/// An option's declaration as `query optionspec` writes it: as in the
/// handshake, and what a client needs to offer only values that are accepted.
fn spec_words(option: Declared) -> String {
    let spec = option.1;
    let more = match spec.kind {
        Kind::Spin { step, .. } => format!(" step {step}"),
        Kind::Numbers { min, max, .. } => format!(" min {min} max {max}"),
        _ => String::new(),
    };
    let (name, kind) = (full_name(option), option_type(spec));
    format!("name {name} rule {} {kind}{more}", spec.rule)
}

fn value_json(value: &OptionValue) -> Value {
    match value {
        OptionValue::Check(on) => (*on).into(),
        OptionValue::Spin(n) => (*n).into(),
        OptionValue::Combo(word) => (*word).into(),
        OptionValue::Text(text) => text.as_str().into(),
    }
}

fn spec_json(option: Declared) -> Value {
    let spec = option.1;
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_string(), value);
    put("name", full_name(option).into());
    put("rule", spec.rule.into());
    put("help", spec.help.into());
    put(
        "default",
        spec.default().as_ref().map_or(Value::Null, value_json),
    );
    let kind = match spec.kind {
        Kind::Check(_) => "check",
        Kind::Spin { min, max, step, .. } => {
            put("min", min.into());
            put("max", max.into());
            put("step", step.into());
            "spin"
        }
        Kind::Combo(choices) => {
            put("var", json!(choices));
            "combo"
        }
        Kind::Text(_) => "string",
        Kind::Numbers { min, max, .. } => {
            put("min", min.into());
            put("max", max.into());
            "string"
        }
        Kind::Button => "button",
    };
    put("type", kind.into());
    Value::Object(fields)
}
