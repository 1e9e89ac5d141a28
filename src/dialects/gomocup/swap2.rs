//! The swap2 opening.

use super::record::Owner;

/// Who places the stones of an opening, in order.
pub(super) const OPENERS: [Owner; 3] = [Owner::Own, Owner::Opponent, Owner::Own];
