//! The eight symmetries of the board: its rotations and reflections.

use super::marbles::Marbles;
use super::moves::{MOVE_CODES, NO_ROTATION, decode, encode};
use crate::position::{Move, Side};
use crate::zobrist;
use std::sync::LazyLock;

/// The number of symmetries, including the identity.
pub const SYMMETRIES: usize = 8;

/// The image of a cell (row by row) of a square of edge `size` under a
/// symmetry: 0 to 3 are quarter turns clockwise, 4 to 7 the same after a
/// reflection.
pub const fn moved(symmetry: usize, size: usize, cell: usize) -> usize {
    let (mut row, mut column) = (cell / size, cell % size);
    if symmetry >= 4 {
        (row, column) = (column, row);
    }
    let mut quarters = symmetry % 4;
    while quarters > 0 {
        (row, column) = (column, size - 1 - row);
        quarters -= 1;
    }
    row * size + column
}

/// The place of a quadrant after a symmetry of the board.
pub const fn place(symmetry: usize, quadrant: usize) -> usize {
    moved(symmetry, 2, quadrant)
}

/// The inverse of a symmetry: the opposite rotation, or the same reflection.
pub const fn inverse(symmetry: usize) -> usize {
    match symmetry {
        0..4 => (4 - symmetry) % 4,
        _ => symmetry,
    }
}

/// The number of patterns of one colour in a quadrant.
const PATTERNS: usize = 512;

/// What a quadrant's marbles of one colour contribute to the board's keys after
/// each symmetry; one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Keys([u64; SYMMETRIES]);

/// By colour, quadrant and pattern.
static KEYS: LazyLock<[[Vec<Keys>; 4]; 2]> = LazyLock::new(|| {
    std::array::from_fn(|colour| {
        std::array::from_fn(|quadrant| {
            let keys = |pattern: usize| {
                Keys(std::array::from_fn(|symmetry| {
                    let cells = (0..9).filter(|cell| pattern >> cell & 1 == 1);
                    let after = cells.fold(0, |all, cell| all | 1 << moved(symmetry, 3, cell));
                    let place = place(symmetry, quadrant);
                    zobrist::key((1 + after + PATTERNS * (place + 4 * colour)) as u64)
                }))
            };
            (0..PATTERNS).map(keys).collect()
        })
    })
});

/// The image of every move under each symmetry, by move code.
static MOVES: LazyLock<[Vec<Move>; SYMMETRIES]> = LazyLock::new(|| {
    std::array::from_fn(|symmetry| {
        let mapped = |code: u16| {
            let (hole, rotation) = decode(Move::new(code));
            let rotation = match rotation {
                NO_ROTATION => NO_ROTATION,
                // A reflection reverses the direction of a rotation.
                _ => 2 * place(symmetry, rotation / 2) + (rotation + symmetry / 4) % 2,
            };
            encode(moved(symmetry, 6, hole), rotation)
        };
        (0..MOVE_CODES as u16).map(mapped).collect()
    })
});

/// The image of a move under a symmetry.
pub fn mapped(m: Move, symmetry: usize) -> Move {
    MOVES[symmetry][usize::from(m.code())]
}

/// The smallest key of the board under all symmetries, without the side to
/// move, and the symmetry that gives it.
pub fn canonical(marbles: &Marbles) -> (u64, usize) {
    let all = &*KEYS;
    let mut keys = [0; SYMMETRIES];
    for side in Side::BOTH {
        for quadrant in 0..4 {
            let more = &all[side.index()][quadrant][marbles.quadrant(side, quadrant)];
            for (key, more) in keys.iter_mut().zip(more.0) {
                *key ^= more;
            }
        }
    }
    let mut best = 0;
    for symmetry in 1..SYMMETRIES {
        if keys[symmetry] < keys[best] {
            best = symmetry;
        }
    }
    (keys[best], best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pentago::board::Board;
    use crate::games::pentago::tables::HOLE;
    use crate::position::Position;

    /// The board after a symmetry.
    fn image(marbles: &Marbles, symmetry: usize) -> Marbles {
        let mut after = Marbles::NONE;
        for (hole, bit) in HOLE.into_iter().enumerate() {
            for side in Side::BOTH {
                if marbles.lanes[side.index()] & bit != 0 {
                    after.place(side, moved(symmetry, 6, hole));
                }
            }
        }
        after
    }

    #[test]
    fn images_of_a_board_share_key_and_moves() {
        let mut board = Board::new();
        let mut random = 1;
        for ply in 0..20 {
            let mut moves = Vec::new();
            board.moves(&mut moves);
            random = zobrist::key(random);
            let m = moves[random as usize % moves.len()];
            let (key, to) = canonical(board.marbles());
            let mut next = board.clone();
            next.play(m);
            for symmetry in 0..SYMMETRIES {
                let mirrored = image(board.marbles(), symmetry);
                let (same, too) = canonical(&mirrored);
                assert_eq!(same, key, "{ply}");
                // Both lead to the same board.
                let forms = [image(board.marbles(), to), image(&mirrored, too)];
                assert_eq!(forms[0].lanes, forms[1].lanes);
                // The image of a move is the move of the image.
                let image_of_m = mapped(m, symmetry);
                assert_eq!(mapped(image_of_m, inverse(symmetry)), m);
                let (hole, rotation) = decode(image_of_m);
                let mut after = mirrored;
                after.place(board.side_to_move(), hole);
                if rotation != NO_ROTATION {
                    after.rotate(rotation);
                }
                assert_eq!(after.lanes, image(next.marbles(), symmetry).lanes);
            }
            if next.outcome().is_none() {
                board = next;
            }
        }
        assert!(board.marbles().empty().count_ones() < 30);
    }

    #[test]
    fn different_boards_differ_in_key() {
        // One marble in each hole: symmetry leaves six classes of holes for
        // each colour.
        let mut keys = Vec::new();
        for side in Side::BOTH {
            for hole in 0..36 {
                let mut marbles = Marbles::NONE;
                marbles.place(side, hole);
                keys.push(canonical(&marbles).0);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 2 * 6);
    }
}
