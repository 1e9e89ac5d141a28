//! The numbers of a cell or of a shape: sixteen as the first player sees it,
//! sixteen as the second one does.

use super::weights::{LANES, ONE};

/// The numbers, with [`ONE`]; a cache line of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Lanes(pub [i16; LANES]);

impl Lanes {
    /// These numbers without `before` and with `after`.
    #[inline(always)]
    pub fn exchanged(&self, before: &Lanes, after: &Lanes) -> Lanes {
        let mut lanes = *self;
        for (lane, (before, after)) in lanes.0.iter_mut().zip(before.0.iter().zip(&after.0)) {
            *lane = lane.wrapping_add(after.wrapping_sub(*before));
        }
        lanes
    }

    /// Adds by how much `after`, clipped, is more than `before`, clipped.
    #[inline(always)]
    pub fn add_clipped(&mut self, after: &Lanes, before: &Lanes) {
        for (sum, (before, after)) in self.0.iter_mut().zip(before.0.iter().zip(&after.0)) {
            *sum += clipped(*after) - clipped(*before);
        }
    }
}

/// A number within 0..1.
#[inline(always)]
fn clipped(lane: i16) -> i16 {
    lane.clamp(0, ONE)
}
