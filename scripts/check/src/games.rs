//! The rules of the games, written for clarity and apart from the engine's.
//! The numbers of moves are described in `src/prover/README.md`.

use crate::board::{Board, Cell, DIRECTIONS, EMPTY, End, MOST_EDGE, Window, other};
use crate::pente::Pente;

/// A game with its rules.
pub enum Game {
    /// The m,n,k game.
    Gomoku {
        width: usize,
        height: usize,
        line: usize,
        exact: bool,
        /// Whether only a full board is a tie.
        full: bool,
    },
    Pente(Pente),
    DagEnNacht {
        size: usize,
        restriction: bool,
        back: bool,
    },
    Teeko {
        advanced: bool,
        centre: bool,
    },
    Pentago,
}

/// Words as `size 7 line 5`, each to be taken once.
struct Words<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Words<'a> {
    fn take(&mut self, name: &str) -> Option<&'a str> {
        let at = self.0.iter().position(|(n, _)| *n == name)?;
        Some(self.0.swap_remove(at).1)
    }

    fn number(&mut self, name: &str, default: usize) -> Result<usize, String> {
        match self.take(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("{name}: no number")),
        }
    }

    /// One of two words; whether it is the second.
    fn second(&mut self, name: &str, words: [&str; 2]) -> Result<bool, String> {
        match self.take(name) {
            None => Ok(false),
            Some(word) if word == words[0] => Ok(false),
            Some(word) if word == words[1] => Ok(true),
            Some(word) => Err(format!("{name}: {word} is not known")),
        }
    }
}

impl Game {
    /// Reads the rules as the engine's `newgame` does; what they leave out is
    /// at its default.
    pub fn read(rules: &str) -> Result<Game, String> {
        let mut all = rules.split(' ');
        let name = all.next().unwrap_or("");
        let mut words = Words(Vec::new());
        while let Some(word) = all.next() {
            words.0.push((word, all.next().ok_or("rules cut short")?));
        }
        let game = match name {
            "gomoku" => {
                let size = words.number("size", 15)?;
                let edge = |n: usize| if n == 0 { size } else { n };
                Game::Gomoku {
                    width: edge(words.number("width", 0)?),
                    height: edge(words.number("height", 0)?),
                    line: words.number("line", 5)?,
                    exact: words.second("rule", ["freestyle", "standard"])?,
                    full: words.second("tie", ["dead", "full"])?,
                }
            }
            "pente" => {
                let variant = words.take("variant").unwrap_or("pente");
                let size = words.number("size", 19)?;
                let opening = !words.second("tournament", ["true", "false"])?;
                let rules = Pente::variant(variant, size, opening);
                Game::Pente(rules.ok_or_else(|| format!("variant {variant} is not known"))?)
            }
            "dagennacht" => Game::DagEnNacht {
                size: words.number("size", 15)?,
                restriction: words.second("restriction", ["false", "true"])?,
                back: words.second("back", ["false", "true"])?,
            },
            "teeko" => Game::Teeko {
                advanced: words.second("variant", ["standard", "advanced"])?,
                centre: !words.second("centre", ["true", "false"])?,
            },
            "pentago" => Game::Pentago,
            _ => return Err(format!("the game '{name}' is not known")),
        };
        let (width, height) = game.dimensions();
        let edges = [width, height, game.line()];
        if !words.0.is_empty() || !edges.iter().all(|n| (3..=MOST_EDGE).contains(n)) {
            return Err("rules that are not known".to_string());
        }
        Ok(game)
    }

    /// Stones in a row that win.
    fn line(&self) -> usize {
        match *self {
            Game::Gomoku { line, .. } => line,
            Game::Teeko { .. } => 4,
            _ => 5,
        }
    }

    fn dimensions(&self) -> (usize, usize) {
        match *self {
            Game::Gomoku { width, height, .. } => (width, height),
            Game::DagEnNacht { size, .. } | Game::Pente(Pente { size, .. }) => (size, size),
            Game::Teeko { .. } => (5, 5),
            Game::Pentago => (6, 6),
        }
    }

    /// The names of the players, the first one first.
    fn players(&self) -> [&'static str; 2] {
        match self {
            Game::Gomoku { .. } | Game::DagEnNacht { .. } => ["black", "white"],
            Game::Pente(_) => ["white", "black"],
            Game::Teeko { .. } | Game::Pentago => ["black", "red"],
        }
    }

    /// The player with this name.
    pub fn player(&self, name: &str) -> Option<Cell> {
        let at = self.players().iter().position(|n| *n == name)?;
        Some(at as Cell + 1)
    }

    /// The start of the game.
    pub fn start(&self) -> Board {
        let (width, height) = self.dimensions();
        Board::empty(width, height)
    }

    /// Reads a position; `None` if it is none.
    pub fn position(&self, fen: &str) -> Option<Board> {
        let (width, height) = self.dimensions();
        let letters = self.players().map(|name| name.as_bytes()[0]);
        let mut board = Board::read(width, height, letters, fen)?;
        if let Game::Pente(rules) = self {
            board.end = rules.end(&board)?;
            return Some(board);
        }
        for cell in 0..board.size() {
            let stone = board.cells[cell];
            if stone != EMPTY && self.row_wins(&board, cell) {
                board.end = match board.end {
                    Some(End::Win(winner)) if winner != stone => match self {
                        Game::Pentago => Some(End::Draw),
                        _ => return None,
                    },
                    Some(End::Draw) => Some(End::Draw),
                    _ => Some(End::Win(stone)),
                };
            }
        }
        if board.end.is_none() && board.stones == board.size() {
            board.end = Some(End::Draw);
        }
        Some(board)
    }

    /// How the game has ended, if it has.
    pub fn end(&self, board: &Board) -> Option<End> {
        match *self {
            Game::Gomoku {
                line, full: false, ..
            } if board.end.is_none() => {
                let open = |player| open_windows(board, player, [line; 4]).next().is_some();
                (!open(1) && !open(2)).then_some(End::Draw)
            }
            Game::DagEnNacht { .. } if board.end.is_none() => {
                self.moves(board).is_empty().then_some(End::Draw)
            }
            _ => board.end,
        }
    }

    /// Whether the stone on a cell is part of a winning row.
    fn row_wins(&self, board: &Board, cell: usize) -> bool {
        let rows = [0, 1, 2, 3].map(|direction| board.row(cell, direction));
        let length = |(from, to): (i32, i32)| to - from + 1;
        let white = |c: usize| board.is_like_corner(c);
        match *self {
            Game::Gomoku { line, exact, .. } => {
                let line = line as i32;
                let mut lengths = rows.into_iter().map(length);
                lengths.any(|n| n == line || !exact && n > line)
            }
            Game::Pente(_) | Game::Pentago => rows.into_iter().any(|row| length(row) >= 5),
            Game::DagEnNacht { restriction, .. } => (0..4).any(|d| {
                let (from, to) = rows[d];
                if d >= 2 {
                    return white(cell) && to - from + 1 >= 4;
                }
                let cells = (from..=to).filter_map(|n| board.step(cell, DIRECTIONS[d], n));
                let restricted = restriction && board.cells[cell] == 1;
                to - from + 1 >= 5 && (!restricted || cells.filter(|&c| white(c)).count() >= 3)
            }),
            Game::Teeko { advanced, .. } => {
                rows.into_iter().any(|row| length(row) >= 4)
                    || square(board, board.cells[cell], advanced)
            }
        }
    }

    /// The numbers of all legal moves in ascending order, those of a game that
    /// is over included.
    pub fn moves(&self, board: &Board) -> Vec<u32> {
        let cells = board.size() as u32;
        let legal = |mv: &u32| self.is_legal(board, *mv);
        let all = match self {
            Game::Gomoku { .. } | Game::Pente(_) => 0..cells,
            Game::DagEnNacht { .. } => {
                let kinds = |cell: u32| match board.cells[cell as usize] {
                    EMPTY => 5 * cell..5 * cell + 1,
                    stone if stone == board.turn => 5 * cell + 1..5 * cell + 5,
                    _ => 0..0,
                };
                return (0..cells).flat_map(kinds).filter(legal).collect();
            }
            Game::Teeko { .. } if board.stones < 8 => 0..25,
            Game::Teeko { .. } => 25..25 + 25 * 25,
            Game::Pentago => 0..9 * cells,
        };
        all.filter(legal).collect()
    }

    /// Whether a number is that of a legal move.
    pub fn is_legal(&self, board: &Board, mv: u32) -> bool {
        let number = mv as usize;
        let empty = |cell: usize| cell < board.size() && board.cells[cell] == EMPTY;
        match *self {
            Game::Gomoku { .. } => empty(number),
            Game::Pente(ref rules) => empty(number) && rules.opening_allows(board, number),
            Game::DagEnNacht { back, .. } => {
                let (cell, kind) = (number / 5, number % 5);
                let white = cell < board.size() && board.is_like_corner(cell);
                match kind {
                    0 => empty(cell) && !white,
                    _ => {
                        cell < board.size()
                            && board.cells[cell] == board.turn
                            && (back || !white)
                            && shifted(board, cell, kind).is_some_and(empty)
                    }
                }
            }
            Game::Teeko { centre, .. } => match number.checked_sub(25) {
                None => {
                    let closed = !centre && board.turn == 1 && !board.cells[..25].contains(&1);
                    board.stones < 8 && empty(number) && !(closed && number == 12)
                }
                Some(step) => {
                    let (from, to) = (step / 25, step % 25);
                    board.stones == 8
                        && from < 25
                        && board.cells[from] == board.turn
                        && empty(to)
                        && (from % 5).abs_diff(to % 5).max((from / 5).abs_diff(to / 5)) == 1
                }
            },
            Game::Pentago => {
                let (hole, turn) = (number / 9, number % 9);
                hole < 36 && {
                    let cell = cell_of_hole(hole);
                    empty(cell) && (turn == 8) == self.five_after(board, cell)
                }
            }
        }
    }

    /// Whether the stone of the player to move on an empty cell makes five.
    fn five_after(&self, board: &Board, cell: usize) -> bool {
        let mut after = *board;
        after.cells[cell] = board.turn;
        self.row_wins(&after, cell)
    }

    /// Whether a move only puts a stone on a cell, in a game in which nothing else
    /// happens then: a player's two such moves make the same board either way round.
    pub fn is_drop(&self, mv: u32) -> bool {
        match self {
            Game::Gomoku { .. } => true,
            Game::DagEnNacht { .. } => mv.is_multiple_of(5),
            Game::Pente(_) | Game::Teeko { .. } | Game::Pentago => false,
        }
    }

    /// The position after a legal move.
    pub fn play(&self, board: &Board, mv: u32) -> Board {
        let mut after = *board;
        let number = mv as usize;
        after.turn = other(board.turn);
        match *self {
            Game::Gomoku { .. } => self.put(&mut after, board.turn, number),
            Game::Pente(ref rules) => return rules.play(board, number),
            Game::DagEnNacht { .. } => {
                let (cell, kind) = (number / 5, number % 5);
                let to = match shifted(board, cell, kind) {
                    Some(to) if kind != 0 => {
                        after.cells[cell] = EMPTY;
                        after.stones -= 1;
                        to
                    }
                    _ => cell,
                };
                self.put(&mut after, board.turn, to);
            }
            Game::Teeko { .. } => match number.checked_sub(25) {
                None => self.put(&mut after, board.turn, number),
                Some(step) => {
                    after.cells[step / 25] = EMPTY;
                    after.stones -= 1;
                    self.put(&mut after, board.turn, step % 25);
                }
            },
            Game::Pentago => {
                let (hole, turn) = (number / 9, number % 9);
                self.put(&mut after, board.turn, cell_of_hole(hole));
                if turn != 8 {
                    after.end = None;
                    turn_quadrant(&mut after, turn / 2, turn % 2 == 0);
                    after.end = self.pentago_end(&after);
                }
            }
        }
        after
    }

    /// Puts a stone on a cell and sees whether that ends the game.
    fn put(&self, board: &mut Board, player: Cell, cell: usize) {
        board.cells[cell] = player;
        board.stones += 1;
        if self.row_wins(board, cell) {
            board.end = Some(End::Win(player));
        } else if board.stones == board.size() {
            board.end = Some(End::Draw);
        }
    }

    fn pentago_end(&self, board: &Board) -> Option<End> {
        let has_five = |p: Cell| (0..36).any(|c| board.cells[c] == p && self.row_wins(board, c));
        match (has_five(1), has_five(2)) {
            (true, true) => Some(End::Draw),
            (true, false) => Some(End::Win(1)),
            (false, true) => Some(End::Win(2)),
            (false, false) => (board.stones == 36).then_some(End::Draw),
        }
    }

    /// The windows that the player's opponent can still fill, where that is all
    /// there is to lose by: where stones stay where they are.
    pub fn windows_to_block<'a>(
        &self,
        board: &'a Board,
        player: Cell,
    ) -> Option<impl Iterator<Item = Window> + 'a> {
        let Game::Gomoku { line, .. } = *self else {
            return None;
        };
        Some(open_windows(board, other(player), [line; 4]))
    }

    /// The windows that a player can still fill, in games where he wins by that alone
    /// and no stone comes back to a cell that it left.
    pub fn windows_to_fill<'a>(
        &'a self,
        board: &'a Board,
        player: Cell,
    ) -> Option<impl Iterator<Item = Window> + 'a> {
        let lengths = match *self {
            Game::Gomoku { line, .. } => [line; 4],
            Game::DagEnNacht { back: false, .. } => [5, 5, 4, 4],
            _ => return None,
        };
        let wins = move |window: &Window| match *self {
            Game::DagEnNacht { restriction, .. } => {
                let white = window.cells().filter(|&c| board.is_like_corner(c)).count();
                match window.length() {
                    // The cells of a diagonal have one colour.
                    4 => white == 4,
                    _ => white >= 3 || !(restriction && player == 1),
                }
            }
            _ => true,
        };
        Some(open_windows(board, player, lengths).filter(wins))
    }

    /// The cell to which a move brings a stone.
    pub fn arrival(&self, board: &Board, mv: u32) -> usize {
        let number = mv as usize;
        match self {
            Game::DagEnNacht { .. } => {
                let cell = number / 5;
                shifted(board, cell, number % 5).unwrap_or(cell)
            }
            Game::Teeko { .. } => number % 25,
            Game::Pentago => cell_of_hole(number / 9),
            Game::Gomoku { .. } | Game::Pente(_) => number,
        }
    }

    /// The cells from which a stone could be shifted to this one.
    pub fn leading_to<'a>(
        &self,
        board: &'a Board,
        cell: usize,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let shifts = match *self {
            Game::DagEnNacht { .. } => board.is_like_corner(cell),
            _ => false,
        };
        let kinds = if shifts { 1..5 } else { 0..0 };
        kinds.filter_map(move |kind| shifted(board, cell, kind))
    }

    /// How many stones can be put, at least, until a player has no move, which is a
    /// draw; without end where only a full board ends the game.
    pub fn room(&self, board: &Board) -> usize {
        match self {
            Game::DagEnNacht { .. } => (0..board.size())
                .filter(|&c| board.cells[c] == EMPTY && !board.is_like_corner(c))
                .count(),
            _ => usize::MAX,
        }
    }

    /// Whether each window that the player's opponent can still fill contains
    /// two cells that are partners. Only where stones stay where they are.
    pub fn pairs_hold(&self, board: &Board, player: Cell, partner: &[Option<usize>]) -> bool {
        let Some(mut windows) = self.windows_to_block(board, player) else {
            return false;
        };
        windows.all(|window| {
            let mut partners = window.cells().filter_map(|c| partner[c]);
            partners.any(|c| window.contains(c))
        })
    }
}

/// The windows of so many cells in each direction without a stone of the other player.
fn open_windows(board: &Board, player: Cell, lengths: [usize; 4]) -> impl Iterator<Item = Window> {
    let closed = other(player);
    let open = move |w: &Window| w.cells().all(|c| board.cells[c] != closed);
    board.windows(lengths).filter(open)
}

/// Whether a player's four markers are the corners of a square.
fn square(board: &Board, player: Cell, advanced: bool) -> bool {
    let edges = if advanced { 1..=4 } else { 1..=1 };
    let held = |column: usize, row: usize| board.cells[row * 5 + column] == player;
    edges.into_iter().any(|edge| {
        (0..5 - edge).any(|column| {
            (0..5 - edge).any(|row| {
                held(column, row)
                    && held(column + edge, row)
                    && held(column, row + edge)
                    && held(column + edge, row + edge)
            })
        })
    })
}

/// The cell to which a shift of this kind leads: 1 up, 2 down, 3 left, 4 right.
fn shifted(board: &Board, cell: usize, kind: usize) -> Option<usize> {
    let direction = [(0, 0), (0, 1), (0, -1), (-1, 0), (1, 0)][kind];
    board.step(cell, direction, 1)
}

/// Pentago numbers its holes from the top left.
fn cell_of_hole(hole: usize) -> usize {
    (5 - hole / 6) * 6 + hole % 6
}

/// Turns a quadrant: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
fn turn_quadrant(board: &mut Board, quadrant: usize, clockwise: bool) {
    let before = *board;
    let cell = |row: usize, column: usize| {
        cell_of_hole((quadrant / 2 * 3 + row) * 6 + quadrant % 2 * 3 + column)
    };
    for row in 0..3 {
        for column in 0..3 {
            let to = match clockwise {
                true => cell(column, 2 - row),
                false => cell(2 - column, row),
            };
            board.cells[to] = before.cells[cell(row, column)];
        }
    }
}
