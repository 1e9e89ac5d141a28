//! Numbers alone: what each feature of a Pente position is worth.

use super::features::FEATURES;

/// Weights of the features in tenths of a centipawn, from
/// `cargo run --release --example pente_fit -- 2500 1000 1 50` and the real games;
/// those that hardly ever count rounded, and none below nothing among the threes.
pub const WEIGHTS: [i32; FEATURES] = [
    353, // to move
    -7, 56, // windows of one and two stones
    559, 676, 373, 167, 42, 214, 0, 0, // of three, the mover's
    363, 509, 395, 424, 276, 0, 113, 0, // and the enemy's
    4316, 1221, 1945, // of four
    1031, 1645, 2342, 3533, 6086, // captured stones
    666, 460, 461, 798, 800, // a capture that could be made, the mover's
    618, 411, 462, 673, 948, // and the enemy's
    502, 408, // further ones
    209, 46, // brackets to be made
    393, 155, // captures that break rows
    3294, 754, // the last capture
];
