//! What shapes are worth in a game.

use super::shapes::Shape;

/// What shapes are worth.
pub struct Worths {
    /// By shape: the worth to the side to move in the lower half, to the other
    /// side in the upper half, so that both can be summed together.
    values: Box<[i64; Shape::COUNT]>,
    /// By shape: ordering scores of a stone there, for its own side and for the
    /// other side.
    orders: Box<[[i16; 2]; Shape::COUNT]>,
}

impl Worths {
    /// `worth` returns what a shape is worth to the side to move and to the
    /// other side, in the game's own unit; `order` the ordering scores of a
    /// stone that makes the shape and of one that prevents it.
    pub fn new(worth: impl Fn(Shape) -> [i16; 2], order: impl Fn(Shape) -> [i16; 2]) -> Worths {
        let mut values = Box::new([0; Shape::COUNT]);
        let mut orders = Box::new([[0; 2]; Shape::COUNT]);
        for i in 0..Shape::COUNT {
            let [to_move, to_wait] = worth(Shape(i as u16)).map(i64::from);
            values[i] = to_move + (to_wait << 32);
            orders[i] = order(Shape(i as u16));
        }
        Worths { values, orders }
    }

    /// What a shape is worth to the side to move and to the other side, in one
    /// number; [`halves`] splits a sum of such numbers.
    #[inline(always)]
    pub(super) fn of(&self, shape: Shape) -> i64 {
        self.values[shape.0 as usize % Shape::COUNT]
    }

    /// Ordering score of a stone that would make the shape `own` for its side and
    /// `enemy` for the other one.
    #[inline(always)]
    pub(super) fn order(&self, own: Shape, enemy: Shape) -> i32 {
        let [own, _] = self.orders[own.0 as usize];
        let [_, enemy] = self.orders[enemy.0 as usize];
        i32::from(own) + i32::from(enemy)
    }
}

/// The two sums that were added in one number.
#[inline(always)]
pub(super) fn halves(sum: i64) -> [i32; 2] {
    let low = sum as i32;
    [low, ((sum - i64::from(low)) >> 32) as i32]
}
