//! The record of a game: a position, and the moves that led to it.

use super::words::error;
use crate::board::{Effects, Setup};
use crate::game::Game;
use crate::options::OptionValues;
use crate::player::Root;
use crate::position::{self, Move, Outcome, Position, Side};
use quintet_protocol::{ErrorCode, ProtocolError, quoted};

/// A move of the game so far, with its undo information.
struct Past<P: Position> {
    mv: Move,
    undo: P::Undo,
    /// Key of the position before it.
    key: u64,
}

/// A move and what it does.
pub(super) struct Deed {
    /// The move as the game writes it.
    pub text: String,
    /// What it changes on the board.
    pub effects: Effects,
    /// How the game ends with it, if it does.
    pub outcome: Option<Outcome>,
}

/// A game from a first position to the one in play.
pub(super) struct Record<G: Game> {
    first: G::Position,
    /// Whether the first position was set up and so may differ from the start
    /// position.
    set_up: bool,
    position: G::Position,
    past: Vec<Past<G::Position>>,
}

impl<G: Game> Record<G> {
    /// A record without moves. `set_up`: its first position was set up.
    pub fn new(first: G::Position, set_up: bool) -> Self {
        Record {
            position: first.clone(),
            first,
            set_up,
            past: Vec::new(),
        }
    }

    /// The position in play.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The board of the position in play.
    pub fn setup(&self) -> Setup {
        G::setup(&self.position)
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.position.side_to_move()
    }

    /// The first position, as `position` reads it.
    pub fn base(&self) -> String {
        match self.set_up {
            false => "startpos".to_string(),
            true => {
                let setup = G::setup(&self.first);
                format!("fen {}", setup.write_fen(&G::SIDES, G::EXTRA))
            }
        }
    }

    /// The number of moves.
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// Whether the game has not begun: no move has been played and no board set
    /// up.
    pub fn at_start(&self) -> bool {
        !self.set_up && self.past.is_empty()
    }

    /// The keys of the positions before the one in play, the first one first.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.past.iter().map(|past| past.key)
    }

    /// The result, including draws by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        position::outcome_in_game(&self.position, self.keys())
    }

    /// Every legal move; none when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.position.moves(&mut moves);
        }
        moves
    }

    /// They as the game writes them.
    pub fn written_moves(&self) -> Vec<String> {
        let moves = self.legal_moves().into_iter();
        moves.map(|m| G::write_move(&self.position, m)).collect()
    }

    /// The position as players are given it, with all its moves; none where the game is
    /// over. `options` are those of the game.
    pub fn root(&self, options: &OptionValues) -> Root<G::Position> {
        Root {
            history: self.keys().collect(),
            moves: self.legal_moves(),
            ..Root::new(self.position.clone(), options)
        }
    }

    /// Reads a move.
    ///
    /// # Errors
    /// Says why it is not a legal move.
    pub fn read_move(&self, text: &str) -> Result<Move, ProtocolError> {
        let refuse = |why: &str| error(ErrorCode::Move, format!("{}: {why}", quoted(text)));
        if self.outcome().is_some() {
            return Err(refuse("the game is over"));
        }
        G::read_move(&self.position, text).map_err(|why| refuse(&why))
    }

    /// Plays moves: all of them, or none.
    ///
    /// # Errors
    /// Says which is not legal, and why.
    pub fn play(&mut self, moves: &[String]) -> Result<(), ProtocolError> {
        for (i, text) in moves.iter().enumerate() {
            match self.read_move(text) {
                Ok(m) => self.push(m),
                Err(e) => {
                    self.take_back(i);
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, mv: Move) {
        let key = self.position.key();
        let undo = self.position.play(mv);
        self.past.push(Past { mv, undo, key });
    }

    /// Takes the last `n` moves back, or all if there are fewer.
    pub fn take_back(&mut self, n: usize) {
        for _ in 0..n {
            let Some(past) = self.past.pop() else { return };
            self.position.undo(past.mv, past.undo);
        }
    }

    /// The moves as the game writes them.
    pub fn moves(&self) -> Vec<String> {
        let mut position = self.first.clone();
        let write = |past: &Past<G::Position>| {
            let text = G::write_move(&position, past.mv);
            position.play(past.mv);
            text
        };
        self.past.iter().map(write).collect()
    }

    /// The last move.
    pub fn last(&self) -> Option<Deed> {
        let (last, before) = self.past.split_last()?;
        let mut position = self.first.clone();
        for past in before {
            position.play(past.mv);
        }
        let trail = G::trail(&position, last.mv);
        Some(Deed {
            text: G::write_move(&position, last.mv),
            effects: Effects::between(&G::setup(&position), &self.setup(), trail, G::DIAGRAM),
            outcome: self.outcome(),
        })
    }

    /// What legal moves would do.
    pub fn deeds(&self, moves: Vec<Move>) -> impl Iterator<Item = Deed> + '_ {
        let before = self.setup();
        moves.into_iter().map(move |m| {
            let mut after = self.position.clone();
            after.play(m);
            let trail = G::trail(&self.position, m);
            let keys = self.keys().chain([self.position.key()]);
            Deed {
                text: G::write_move(&self.position, m),
                effects: Effects::between(&before, &G::setup(&after), trail, G::DIAGRAM),
                outcome: position::outcome_in_game(&after, keys),
            }
        })
    }

    /// The moves with which a side, if it were its turn, would win at once.
    pub fn wins(&self, side: Side) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let position = position::with_turn(&self.position, side);
        let wins = position::wins(&position).into_iter();
        wins.map(|m| G::write_move(&position, m)).collect()
    }
}
