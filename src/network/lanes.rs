//! The numbers of a cell or of a shape: sixteen as the first player sees it,
//! sixteen as the second one does.

use super::weights::LANES;

/// The numbers, with [`ONE`](super::weights::ONE); a cache line of them.
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

    /// Adds by how much `after` is more than `before`, both clipped to 0..`most`.
    #[inline(always)]
    pub fn add_clipped(&mut self, after: &Lanes, before: &Lanes, most: i16) {
        for (sum, (before, after)) in self.0.iter_mut().zip(before.0.iter().zip(&after.0)) {
            *sum += (*after).max(0).min(most) - (*before).max(0).min(most);
        }
    }
}
