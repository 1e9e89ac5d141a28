//! Reads files of Pentago positions with the values of their moves.

use quintet::internals::games::pentago::solver::{Placement, Wdl};

/// A position and its known values.
pub struct Case {
    /// Its text.
    pub fen: String,
    /// Marbles of the side to move, in lanes.
    pub own: u64,
    /// Marbles of the other side.
    pub other: u64,
    /// Value for the side to move, if it is given.
    pub value: Option<Wdl>,
    /// By hole (bit of the lanes) the values of the rotations; `None` if the
    /// placement wins.
    pub moves: Vec<(u64, Option<[Wdl; 8]>)>,
}

/// The bit of a hole, 0..36 left to right, top row first.
pub fn bit(hole: usize) -> u64 {
    let (row, column) = (hole / 6, hole % 6);
    1 << (16 * (row / 3 * 2 + column / 3) + row % 3 * 3 + column % 3)
}

/// The positions of a file.
pub fn cases(text: &str) -> impl Iterator<Item = Case> + '_ {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split(';');
        let fen = fields.next().expect("a FEN");
        let (own, other) = parse(fen);
        let value = fields.next().map(|value| match value {
            "win" => Wdl::Win,
            "draw" => Wdl::Draw,
            "loss" => Wdl::Loss,
            other => panic!("value {other}"),
        });
        let moves = fields.next().unwrap_or("").split_whitespace().map(|m| {
            let (hole, turns) = m.split_once('=').expect("hole=turns");
            let turns: Vec<Wdl> = turns
                .chars()
                .filter(|&c| c != '#')
                .map(|c| match c {
                    'W' => Wdl::Win,
                    'D' => Wdl::Draw,
                    'L' => Wdl::Loss,
                    _ => panic!("turn {c}"),
                })
                .collect();
            let hole = hole.parse::<usize>().expect("a number") - 1;
            (bit(hole), turns.try_into().ok())
        });
        Case {
            fen: fen.to_string(),
            own,
            other,
            value,
            moves: moves.collect(),
        }
    })
}

/// The marbles of the side to move and of the other side in a FEN.
pub fn parse(fen: &str) -> (u64, u64) {
    let (rows, side) = fen.split_once(' ').expect("rows and side");
    let (mut black, mut red, mut hole) = (0, 0, 0);
    for c in rows.chars() {
        match c {
            '/' => {}
            'b' => {
                black |= bit(hole);
                hole += 1;
            }
            'r' => {
                red |= bit(hole);
                hole += 1;
            }
            c => hole += c.to_digit(10).expect("a digit") as usize,
        }
    }
    assert_eq!(hole, 36, "{fen}");
    if side == "b" {
        (black, red)
    } else {
        (red, black)
    }
}

/// Compares a solver's results with the case: the value, and the values of the
/// moves that both have.
///
/// # Errors
/// Says what differs.
pub fn check(case: &Case, value: Option<Wdl>, moves: Option<&[Placement]>) -> Result<(), String> {
    if case.value.is_some() && value != case.value {
        return Err(format!("{}: {value:?}", case.fen));
    }
    let Some(moves) = moves.filter(|_| !case.moves.is_empty()) else {
        return Ok(());
    };
    if moves.len() != case.moves.len() {
        return Err(format!("{}: {} holes", case.fen, moves.len()));
    }
    for &(hole, turns) in &case.moves {
        let found = moves.iter().find(|p| p.hole == hole).map(|p| p.rotations);
        if found != Some(turns) {
            return Err(format!(
                "{}: hole {hole:x}: {found:?}, not {turns:?}",
                case.fen
            ));
        }
    }
    Ok(())
}
