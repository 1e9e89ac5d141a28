//! The swap2 opening.

use super::record::Owner;
use crate::board::Dimensions;
use quintet_protocol::gomocup::Cell;

/// Who places the stones of [`opening`], in order.
pub(super) const OPENERS: [Owner; 3] = [Owner::Own, Owner::Opponent, Owner::Own];

/// Three stones, black, white and black, that give about even chances: a
/// one-second search on 15x15 gives White 6 centipawns.
pub(super) fn opening(dimensions: Dimensions) -> [Cell; 3] {
    let edges = [dimensions.columns, dimensions.rows];
    let at = |from_centre: i64| {
        let [x, y] = edges.map(|n| ((n / 2) as i64 + from_centre).max(0) as u32);
        Cell { x, y }
    };
    [at(0), at(1), at(-4)]
}
