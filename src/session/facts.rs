//! The facts of a game in play: the answers to `query` in words, and all of
//! them together as JSON.

use super::query::Fact;
use super::record::{Deed, Record};
use super::words::{error, listed, rules, side_of};
use crate::board::{Diagram, Dimensions, Setup};
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::{Outcome, Side};
use quintet_protocol::{ErrorCode, ProtocolError};
use serde_json::{Map, Value, json};

/// A game in play and its options.
pub(super) struct Facts<'a, G: Game> {
    pub record: &'a Record<G>,
    pub options: &'a OptionValues,
}

impl<G: Game> Facts<'_, G> {
    /// Answers a question, given the words that follow it.
    ///
    /// # Errors
    /// A word is not what it should be, or this game has no such fact.
    pub fn answer(&self, fact: Fact, words: &[String]) -> Result<String, ProtocolError> {
        let record = self.record;
        Ok(match fact {
            Fact::Turn => name::<G>(record.turn()).to_string(),
            Fact::FirstToMove => (record.turn() == Side::First).to_string(),
            Fact::Over => record.outcome().is_some().to_string(),
            Fact::Result => result(record.outcome()).to_string(),
            Fact::Fen => record.setup().write_fen(&G::SIDES, G::EXTRA),
            Fact::Stones => self.stones(),
            Fact::Board => self.board(),
            Fact::Rules => rules::<G>(self.options),
            Fact::Ply => record.plies().to_string(),
            Fact::History => self.history(),
            Fact::Last => match record.last() {
                None => "none".to_string(),
                Some(deed) => {
                    let at = self.cell(deed.effects.trail.end(self.dimensions(), G::DIAGRAM));
                    format!("{} at {at} {}", deed.text, self.effects(&deed))
                }
            },
            Fact::Moves => listed(record.written_moves(), " "),
            Fact::Effects => {
                let deeds = self.deeds(words)?;
                listed(deeds.iter().map(|deed| self.effects(deed)), " ; ")
            }
            Fact::Wins => {
                let side = match words.first() {
                    None => record.turn(),
                    Some(text) => side_of::<G>(text)?,
                };
                listed(record.wins(side), " ")
            }
            Fact::Winning => listed(self.winning(), " "),
            Fact::Captures => {
                let counts = (G::EXTRA == Some("captures")).then(|| record.setup().extra);
                let [first, second] = counts.ok_or_else(|| unknown::<G>("captures"))?;
                let [one, other] = Side::BOTH.map(name::<G>);
                format!("{one} {first} {other} {second}")
            }
            Fact::Windows => {
                let windows = G::windows(record.position());
                let windows = windows.ok_or_else(|| unknown::<G>("windows"))?;
                windows.map(|n| n.to_string()).join(" ")
            }
        })
    }

    fn dimensions(&self) -> Dimensions {
        G::dimensions(self.options)
    }

    fn cell(&self, cell: usize) -> String {
        G::NAMING.write(self.dimensions(), cell)
    }

    fn cells(&self, cells: impl IntoIterator<Item = usize>) -> Vec<String> {
        cells.into_iter().map(|cell| self.cell(cell)).collect()
    }

    /// The cells of the winning rows, each once.
    fn winning(&self) -> Vec<String> {
        let mut cells = G::winning_cells(self.record.position());
        let mut seen = vec![false; self.dimensions().cells()];
        cells.retain(|&cell| !std::mem::replace(&mut seen[cell], true));
        self.cells(cells)
    }

    /// What each of these moves would do, or every legal move if none is named.
    fn deeds(&self, words: &[String]) -> Result<Vec<Deed>, ProtocolError> {
        if words.is_empty() {
            return Ok(self.moves().collect());
        }
        let moves = words.iter().map(|text| self.record.read_move(text));
        let moves = moves.collect::<Result<_, _>>()?;
        Ok(self.record.deeds(moves).collect())
    }

    fn moves(&self) -> impl Iterator<Item = Deed> + '_ {
        self.record.deeds(self.record.legal_moves())
    }

    /// `place white h5 remove f5 g5 win`.
    fn effects(&self, deed: &Deed) -> String {
        let effects = &deed.effects;
        let (mover, trail) = (name::<G>(effects.side), effects.trail);
        let to = self.cell(trail.to);
        let mut text = match trail.from {
            None => format!("place {mover} {to}"),
            Some(from) => format!("move {mover} {} {to}", self.cell(from)),
        };
        if let (Some(turn), Diagram::Blocks(blocks)) = (trail.turn, G::DIAGRAM) {
            text += &format!(" rotate {} {}", blocks.names[turn.block], turn.direction());
        }
        if !effects.removed.is_empty() {
            let removed = self.cells(effects.removed.iter().copied());
            text += &format!(" remove {}", removed.join(" "));
        }
        if let Some(outcome) = deed.outcome {
            text += &format!(" {}", ending(outcome, effects.side));
        }
        text
    }

    /// `black h8 g7 white i9 turn black`, as `position stones` reads it.
    fn stones(&self) -> String {
        let setup = self.record.setup();
        let mut text = String::new();
        for side in Side::BOTH {
            text += name::<G>(side);
            for cell in self.cells(stones_of(&setup, side)) {
                text += &format!(" {cell}");
            }
            text.push(' ');
        }
        text += &format!("turn {}", name::<G>(setup.turn));
        if let Some(what) = G::EXTRA {
            text += &format!(" {what} {} {}", setup.extra[0], setup.extra[1]);
        }
        text
    }

    /// `startpos moves h8 g7`, as `position` reads it.
    fn history(&self) -> String {
        let mut text = self.record.base();
        if self.record.plies() > 0 {
            text += &format!(" moves {}", self.record.moves().join(" "));
        }
        text
    }

    /// The cells in reading order: row by row from the top left.
    fn reading_order(&self) -> impl Iterator<Item = usize> + use<G> {
        let dimensions = self.dimensions();
        let rows = (0..dimensions.rows).rev();
        rows.flat_map(move |row| (0..dimensions.columns).map(move |c| dimensions.cell(c, row)))
    }

    fn shaded(&self) -> Vec<String> {
        let dimensions = self.dimensions();
        let shaded = |&cell: &usize| G::DIAGRAM.is_shaded(dimensions, cell);
        self.cells(self.reading_order().filter(shaded))
    }

    /// The blocks by name, each with its cells.
    fn blocks(&self) -> Vec<(&'static str, Vec<String>)> {
        let Diagram::Blocks(blocks) = G::DIAGRAM else {
            return Vec::new();
        };
        let names = blocks.names.iter().enumerate();
        names
            .map(|(i, &name)| (name, self.cells(blocks.cells(self.dimensions(), i))))
            .collect()
    }

    fn grid(&self) -> &'static str {
        match G::DIAGRAM {
            Diagram::Crossings => "crossings",
            Diagram::Boxes | Diagram::Chequers | Diagram::Blocks(_) => "boxes",
        }
    }

    /// The stones that a side has in hand, if they are counted.
    fn in_hand(&self, side: Side) -> Option<usize> {
        Some(G::SUPPLY? - self.record.setup().stones(side))
    }

    fn board(&self) -> String {
        let Dimensions { columns, rows } = self.dimensions();
        let mut text = format!("columns {columns} rows {rows} grid {}", self.grid());
        for (order, side) in ["first", "second"].into_iter().zip(G::SIDES) {
            text += &format!(" {order} {} {} {}", side.name, side.letter, side.colour);
        }
        if let [Some(first), Some(second)] = Side::BOTH.map(|side| self.in_hand(side)) {
            text += &format!(" hand {first} {second}");
        }
        text += &format!(" cells {}", self.cells(self.reading_order()).join(" "));
        let shaded = self.shaded();
        if !shaded.is_empty() {
            text += &format!(" shaded {}", shaded.join(" "));
        }
        for (name, cells) in self.blocks() {
            text += &format!(" block {name} {}", cells.join(" "));
        }
        text
    }

    /// All of this together, by name.
    pub fn json(&self) -> Map<String, Value> {
        let record = self.record;
        let outcome = record.outcome();
        let fields = json!({
            "game": G::NAME,
            "title": G::TITLE,
            "rules": rules::<G>(self.options),
            "board": self.board_json(),
            "sides": Side::BOTH.map(|side| self.side_json(side)),
            "turn": name::<G>(record.turn()),
            "p1turn": record.turn() == Side::First,
            "gameover": outcome.is_some(),
            "result": result(outcome),
            "fen": record.setup().write_fen(&G::SIDES, G::EXTRA),
            "ply": record.plies(),
            "history": { "base": record.base(), "moves": record.moves() },
            "last": record.last().map(|deed| {
                let at = deed.effects.trail.end(self.dimensions(), G::DIAGRAM);
                let mut fields = self.deed_json(&deed);
                fields.insert("at".to_string(), self.cell(at).into());
                fields
            }),
            "moves": self.moves().map(|deed| self.deed_json(&deed)).collect::<Vec<_>>(),
            "winning": self.winning(),
        });
        match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    fn board_json(&self) -> Value {
        let Dimensions { columns, rows } = self.dimensions();
        let blocks = self.blocks().into_iter();
        json!({
            "columns": columns,
            "rows": rows,
            "grid": self.grid(),
            "cells": self.cells(self.reading_order()),
            "shaded": self.shaded(),
            "blocks": blocks
                .map(|(name, cells)| json!({ "name": name, "cells": cells }))
                .collect::<Vec<_>>(),
        })
    }

    fn side_json(&self, side: Side) -> Value {
        let setup = self.record.setup();
        let spec = &G::SIDES[side.index()];
        let counts: Map<String, Value> = G::EXTRA
            .map(|what| (what.to_string(), setup.extra[side.index()].into()))
            .into_iter()
            .collect();
        json!({
            "name": spec.name,
            "letter": spec.letter,
            "colour": spec.colour,
            "stones": self.cells(stones_of(&setup, side)),
            "hand": self.in_hand(side),
            "counts": counts,
            "wins": self.record.wins(side),
        })
    }

    fn deed_json(&self, deed: &Deed) -> Map<String, Value> {
        let effects = &deed.effects;
        let trail = effects.trail;
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_string(), value);
        put("move", deed.text.as_str().into());
        put("player", name::<G>(effects.side).into());
        put("to", self.cell(trail.to).into());
        if let Some(from) = trail.from {
            put("from", self.cell(from).into());
        }
        if let (Some(turn), Diagram::Blocks(blocks)) = (trail.turn, G::DIAGRAM) {
            let (block, direction) = (blocks.names[turn.block], turn.direction());
            put("rotate", json!({ "block": block, "direction": direction }));
        }
        if !effects.removed.is_empty() {
            put("remove", self.cells(effects.removed.iter().copied()).into());
        }
        if let Some(outcome) = deed.outcome {
            put("end", ending(outcome, effects.side).into());
        }
        fields
    }
}

/// The refusal of a question that this game does not know.
fn unknown<G: Game>(what: &str) -> ProtocolError {
    error(ErrorCode::State, format!("{} knows no {what}", G::TITLE))
}

fn name<G: Game>(side: Side) -> &'static str {
    G::SIDES[side.index()].name
}

fn stones_of(setup: &Setup, side: Side) -> impl Iterator<Item = usize> + '_ {
    let own = setup.occupied().filter(move |&(_, owner)| owner == side);
    own.map(|(cell, _)| cell)
}

fn result(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Side::First)) => "p1win",
        Some(Outcome::Win(Side::Second)) => "p2win",
    }
}

/// How a game ends for the side that made the last move.
fn ending(outcome: Outcome, mover: Side) -> &'static str {
    match outcome {
        Outcome::Draw => "draw",
        Outcome::Win(side) if side == mover => "win",
        Outcome::Win(_) => "loss",
    }
}
