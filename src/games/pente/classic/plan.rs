//! The size of the tree that the level `classic` builds: the presets of its
//! levels and the options that change them.

use crate::limits::Limits;
use crate::options::OptionValues;

/// Depth, padding and widths of `Difficulty` 1 to 5.
pub const PRESETS: [(u32, usize, &[usize]); 5] = [
    (1, 1, &[1]),
    (2, 1, &[8]),
    (2, 2, &[16]),
    (4, 2, &[8, 6, 4]),
    (6, 2, &[10, 8, 6, 4]),
];
/// The value of the option `Depth` that leaves the depth to the preset.
pub const PRESET_DEPTH: i64 = -1;
/// The value of the option `Padding` that leaves the padding to the preset.
pub const PRESET_PADDING: i64 = 0;

/// The size of the tree to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Depth in plies; at least 1, because the root needs children to choose
    /// from.
    pub depth: u32,
    /// Number of cells around the box of all stones that are considered.
    pub padding: usize,
    /// How many of the best children are searched, at each ply from the root;
    /// the last number holds for all deeper plies.
    widths: Vec<usize>,
}

impl Plan {
    /// The plan set by the options: options set individually override the
    /// preset of `Difficulty`, and a depth limit bounds the depth.
    pub fn new(options: &OptionValues, limits: &Limits) -> Plan {
        let (depth, padding, widths) = PRESETS[options.spin("Difficulty") as usize - 1];
        let depth = match options.spin("Depth") {
            PRESET_DEPTH => depth,
            own => own as u32,
        };
        let padding = match options.spin("Padding") {
            PRESET_PADDING => padding,
            own => own as usize,
        };
        let own: Vec<usize> = (options.numbers("Width").iter())
            .map(|&n| n as usize)
            .collect();
        Plan {
            depth: depth.min(limits.depth.unwrap_or(depth)).max(1),
            padding,
            widths: if own.is_empty() { widths.to_vec() } else { own },
        }
    }

    /// How many children are searched at this ply from the root.
    pub fn width(&self, ply: u32) -> usize {
        self.widths[(ply as usize).min(self.widths.len() - 1)]
    }
}
