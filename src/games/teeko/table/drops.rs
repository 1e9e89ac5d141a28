//! The layers with fewer than eight markers: each position follows from those
//! with one more marker.

use super::entry::DRAW;
use super::geometry::{Geometry, WIDTH};
use super::parallel::{in_parallel, share_count};
use super::sets::{MARKERS, Set, cells as each_cell, spread};
use super::unsolved::Unsolved;
use crate::games::teeko::shapes::CELLS;

/// Fills `values`, the layers with fewer than eight markers, from the layer
/// with eight.
///
/// # Errors
/// It was stopped.
pub fn solve(
    values: &mut [u8],
    moves: &[u8],
    shapes: &[Set],
    threads: usize,
    progress: &mut dyn FnMut(String),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(), Unsolved> {
    let geometry = Geometry::get();
    progress("going on with the drops".to_owned());
    for markers in (0..2 * MARKERS).rev() {
        let layer = geometry.layers[markers];
        let (values, above) = values.split_at_mut(layer.range().end);
        // The layer with one more marker, and where it starts.
        let (above, start) = if above.is_empty() {
            (moves, geometry.layers[2 * MARKERS].start)
        } else {
            (&*above, layer.range().end)
        };
        let height = layer.rows.div_ceil(share_count(threads));
        let mut shares: Vec<(usize, &mut [u8])> = (values[layer.start..])
            .chunks_mut(height * layer.width)
            .enumerate()
            .map(|(i, rows)| (i * height, rows))
            .collect();
        in_parallel(threads, &mut shares, |(first, rows)| {
            let mut scores = Vec::new();
            for (i, row) in rows.chunks_exact_mut(layer.width).enumerate() {
                if i % 64 == 0 && stop() {
                    return;
                }
                // The side that has just dropped, and is not to move.
                let waiting = geometry.classes[layer.key].chosen[*first + i];
                if shapes.contains(&waiting) {
                    row.fill(0);
                    continue;
                }
                scores.clear();
                if layer.key == MARKERS {
                    // The row with the same key, whose side is to move there.
                    let replies = &above[(*first + i) * WIDTH..][..WIDTH];
                    scores.extend(replies.iter().map(|&value| SCORES[value as usize]));
                } else {
                    let sets = geometry.sets(layer.rest + 1, CELLS - layer.key);
                    scores.extend(sets.iter().map(|&set| {
                        let index = geometry.index(waiting, spread(set, waiting));
                        SCORES[above[index - start] as usize]
                    }));
                }
                drop_markers(geometry, layer.rest, CELLS - layer.key, &scores, row);
            }
        });
        if stop() {
            return Err(Unsolved::Stopped);
        }
    }
    Ok(())
}

/// Values of the positions in which a side drops its marker number `size + 1`
/// on one of `cells` cells, by the rank of its markers on these cells; `scores`
/// are those of the positions after the drop, by the rank of the markers then.
fn drop_markers(geometry: &Geometry, size: usize, cells: usize, scores: &[u8], values: &mut [u8]) {
    let all = (1 << cells) - 1;
    for (value, &set) in values.iter_mut().zip(geometry.sets(size, cells)) {
        let best = each_cell(all & !set)
            .map(|cell| scores[geometry.rank(size + 1, set | cell)])
            .min();
        *value = best.map_or(DRAW, value_before);
    }
}

/// By value: a score that is smaller the better the value is for the side not
/// to move.
static SCORES: [u8; 256] = {
    let mut scores = [128; 256];
    let mut value = 0;
    while value < DRAW {
        scores[value as usize] = if value % 2 == 0 { value } else { 255 - value };
        value += 1;
    }
    scores
};

/// The value of a position whose best move leads to a position with this score.
fn value_before(score: u8) -> u8 {
    match score {
        128 => DRAW,
        loss if loss < 128 => loss + 1,
        win => 255 - win + 1,
    }
}
