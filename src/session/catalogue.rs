//! The list of games and options, for code that does not know the games' types.

use super::Session;
use super::played::Played;
use crate::board::SideSpec;
use crate::game::{Game, Variant};
use crate::games::{self, Visitor};
use crate::options::{self, OptionSpec, OptionValues};
use crate::prover::{Books, Claimed};
use crate::settings;
use crate::specialist::Specialist;
use quintet_protocol::{Base, ErrorCode, ProtocolError, quoted};
use std::sync::OnceLock;

/// What the engine needs to know of a game before it is played.
#[derive(Clone)]
pub struct GameInfo {
    /// Name in the protocol.
    pub name: &'static str,
    /// Name shown to people.
    pub title: &'static str,
    /// Prefix of its option names in `setoption`.
    pub prefix: String,
    /// Its options, without the prefix.
    pub options: &'static [OptionSpec],
    /// Its page, see [`Game::PAGE`].
    pub page: &'static str,
    /// First and second player.
    pub sides: [SideSpec; 2],
    /// The names that other clients use for it.
    pub variants: &'static [Variant],
    /// Rule options that have a fixed value for other clients.
    pub foreign_rules: &'static [(&'static str, &'static str)],
    /// What other clients write before the cell of a drop.
    pub drop_prefix: Option<&'static str>,
    /// Whether its FEN ends with two numbers.
    pub counts_extra: bool,
    /// See [`GameInfo::open`].
    pub(crate) open: Open,
    /// See [`GameInfo::accept`].
    pub(crate) accept: fn(&str, &OptionValues) -> Result<(), String>,
    /// See [`GameInfo::release`].
    pub(crate) release: fn(),
    /// See [`GameInfo::close`].
    pub(crate) close: fn(),
}

/// Opens a game with its options and the engine's settings.
pub(crate) type Open = fn(&OptionValues, &OptionValues) -> Result<Box<dyn Session>, String>;

impl GameInfo {
    /// The description of this game type.
    pub fn of<G: Game>() -> GameInfo {
        GameInfo {
            open: |options, settings| Ok(Box::new(Played::<G>::new(options, settings)?)),
            accept: G::Specialist::accept,
            release: G::Specialist::release,
            close: G::Specialist::close,
            ..GameInfo::unopened::<G>()
        }
    }

    /// The description of this game type, without what it takes to play it: where
    /// that is enough, no search has to be compiled for it.
    pub(crate) fn unopened<G: Game>() -> GameInfo {
        GameInfo {
            name: G::NAME,
            title: G::TITLE,
            prefix: prefix(G::TITLE),
            options: G::OPTIONS,
            page: G::PAGE,
            sides: G::SIDES,
            variants: G::VARIANTS,
            foreign_rules: G::FOREIGN_RULES,
            drop_prefix: G::DROP_PREFIX,
            counts_extra: G::EXTRA.is_some(),
            open: |_, _| Err(format!("{} cannot be opened", G::NAME)),
            accept: |_, _| Ok(()),
            release: || (),
            close: || (),
        }
    }

    /// All games, in the order of the list.
    pub fn all() -> &'static [GameInfo] {
        struct Collect(Vec<GameInfo>);
        impl Visitor for Collect {
            fn visit<G: Game>(&mut self) {
                self.0.push(GameInfo::of::<G>());
            }
        }
        static ALL: OnceLock<Vec<GameInfo>> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut collect = Collect(Vec::new());
            games::visit(&mut collect);
            collect.0
        })
    }

    /// The game with this name, in any case.
    pub fn find(name: &str) -> Option<&'static GameInfo> {
        let mut games = Self::all().iter();
        games.find(|g| g.name.eq_ignore_ascii_case(name))
    }

    /// Opens the game at its start position with these options of the game,
    /// including its rules, and these settings of the engine.
    ///
    /// # Errors
    /// Says why the rules do not fit together.
    pub fn open(
        &self,
        options: &OptionValues,
        settings: &OptionValues,
    ) -> Result<Box<dyn Session>, ProtocolError> {
        (self.open)(options, settings).map_err(|why| ProtocolError::new(ErrorCode::Option, why))
    }

    /// Called before the game's option `name`, which is not a rule, takes its
    /// value among `options`: loads what the value refers to. If the option is
    /// a button, presses it.
    ///
    /// # Errors
    /// Says why that is not possible.
    pub fn accept(&self, name: &str, options: &OptionValues) -> Result<(), ProtocolError> {
        (self.accept)(name, options).map_err(|why| ProtocolError::new(ErrorCode::Option, why))
    }

    /// What a proof claims, of this game under these rules and this position, in
    /// the words of its file: `size 7`, `7/7/7/7/7/7/7 b`, `black wins`.
    ///
    /// # Errors
    /// Says which of them is none.
    fn claimed(
        &self,
        rules: &str,
        position: &str,
        claim: &str,
        settings: &OptionValues,
    ) -> Result<Claimed, String> {
        let rules = options::under_rules(self.name, self.options, rules)?;
        let no_position =
            |why: ProtocolError| format!("{} is no position: {}", quoted(position), why.text());
        let mut session = self
            .open(&rules, settings)
            .map_err(|why| why.text().to_string())?;
        let fen = Base::Fen(position.to_string());
        session.set_position(&fen, &[]).map_err(no_position)?;
        Claimed::read(claim, &self.sides)
    }

    /// Frees what takes much memory and is not needed until this game is played again.
    pub fn release(&self) {
        (self.release)();
    }

    /// Ends this game's background work before the process exits.
    pub fn close(&self) {
        (self.close)();
    }

    /// The fixed value of a rule option for other clients; `None` if it can
    /// take any value.
    pub fn foreign_rule(&self, spec: &OptionSpec) -> Option<options::OptionValue> {
        let (_, text) = self.foreign_rules.iter().find(|(n, _)| *n == spec.name)?;
        let value = spec.read(text);
        Some(value.expect("a game declares values of its own options"))
    }
}

/// The certificates of a folder, for these games and settings; an empty name means none.
///
/// # Errors
/// Says why the folder or a file cannot be used.
pub(crate) fn open_proofs(
    games: &[GameInfo],
    settings: &OptionValues,
    folder: &str,
) -> Result<Books, ProtocolError> {
    if folder.is_empty() {
        return Ok(Books::default());
    }
    let claimed = |rules: &str, position: &str, claim: &str| {
        let (name, rules) = rules.split_once(' ').unwrap_or((rules, ""));
        let game = games.iter().find(|game| game.name == name);
        let game = game.ok_or_else(|| format!("there is no game {}", quoted(name)))?;
        game.claimed(rules, position, claim, settings)
    };
    let refuse = |why| {
        let text = format!("{}: {why}", settings::PROOF_PATH);
        ProtocolError::new(ErrorCode::Option, text)
    };
    Books::open(folder, &claimed).map_err(refuse)
}

/// `Dag en Nacht` -> `DagEnNacht`.
fn prefix(title: &str) -> String {
    title
        .split(' ')
        .flat_map(|word| {
            let (head, tail) = word.split_at(1);
            [head.to_ascii_uppercase(), tail.to_string()]
        })
        .collect()
}

/// A declared option and its game; `None`: it is an option of the engine
/// itself.
pub type Declared<'a> = (Option<&'a GameInfo>, &'static OptionSpec);

/// Every option of the engine and of these games, in handshake order.
pub fn declared(games: &[GameInfo]) -> impl Iterator<Item = Declared<'_>> {
    let own = settings::OPTIONS.iter().map(|spec| (None, spec));
    let of_games = games
        .iter()
        .flat_map(|game| game.options.iter().map(move |spec| (Some(game), spec)));
    own.chain(of_games)
}

/// The name of an option in `setoption`: the options of a game have the game's
/// prefix.
pub fn full_name((game, spec): Declared) -> String {
    match game {
        None => spec.name.to_string(),
        Some(game) => format!("{}.{}", game.prefix, spec.name),
    }
}

/// Every option with its full name, in handshake order.
pub fn declared_options() -> impl Iterator<Item = (String, &'static OptionSpec)> {
    declared(GameInfo::all()).map(|declared| (full_name(declared), declared.1))
}

/// The option of the engine or of one of these games with this full name.
pub fn find_option<'a>(games: &'a [GameInfo], name: &str) -> Option<Declared<'a>> {
    if let Some(spec) = options::find(settings::OPTIONS, name) {
        return Some((None, spec));
    }
    let (prefix, name) = name.split_once('.')?;
    let game = games
        .iter()
        .find(|g| g.prefix.eq_ignore_ascii_case(prefix))?;
    Some((Some(game), options::find(game.options, name)?))
}
