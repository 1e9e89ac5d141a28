//! The terms for lines: what a stone makes of one line through its cell
//! ([`Class`]), of all four ([`Shape`]), and what that threatens ([`Threat`]).

use super::geometry::DIRECTIONS;
use crate::position::Side;
use std::sync::OnceLock;

/// What a stone placed on a cell makes of one line, from the point of view of
/// its side. Only rows that contain this stone count. The terms are those of
/// players, here for a row of five: an open four can be completed in two ways,
/// a three can become an open four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// No row is possible, or none that few stones could complete.
    None = 0,
    /// Could become a [`Class::Three`] in one or two ways.
    Two,
    /// Could become a [`Class::Three`] in more ways.
    RichTwo,
    /// Could become a [`Class::Four`].
    ClosedThree,
    /// Could become a [`Class::OpenFour`].
    Three,
    /// One stone completes the row.
    Four,
    /// Any of two or more stones completes the row.
    OpenFour,
    /// The row is complete.
    Five,
}

/// How many classes there are.
pub const CLASSES: usize = 8;

impl Class {
    /// All of them, by their numbers.
    pub const ALL: [Class; CLASSES] = [
        Class::None,
        Class::Two,
        Class::RichTwo,
        Class::ClosedThree,
        Class::Three,
        Class::Four,
        Class::OpenFour,
        Class::Five,
    ];

    /// The class of a line in which the next stone can make these classes.
    pub(super) fn of_next(ways: &[u8; CLASSES]) -> Class {
        let n = |c: Class| ways[c as usize];
        match () {
            _ if n(Class::Five) > 1 => Class::OpenFour,
            _ if n(Class::Five) == 1 => Class::Four,
            _ if n(Class::OpenFour) > 0 => Class::Three,
            _ if n(Class::Four) > 0 => Class::ClosedThree,
            _ if n(Class::Three) > 2 => Class::RichTwo,
            _ if n(Class::Three) > 0 => Class::Two,
            _ => Class::None,
        }
    }
}

/// The classes of the four lines through a cell, a few bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Shape(pub u16);

/// Bits of one class in a shape.
pub(super) const CLASS_BITS: usize = 3;

impl Shape {
    /// How many shapes there are.
    pub const COUNT: usize = 1 << (CLASS_BITS * DIRECTIONS);

    /// The shape with these classes.
    pub fn new(classes: [Class; DIRECTIONS]) -> Shape {
        let parts = classes.iter().enumerate();
        Shape(
            parts
                .map(|(d, &class)| (class as u16) << (CLASS_BITS * d))
                .sum(),
        )
    }

    /// The class in a direction.
    #[inline]
    pub fn class(self, direction: usize) -> Class {
        Class::ALL[usize::from(self.0) >> (CLASS_BITS * direction) & (CLASSES - 1)]
    }

    /// The classes, direction by direction.
    pub fn classes(self) -> [Class; DIRECTIONS] {
        [0, 1, 2, 3].map(|d| self.class(d))
    }

    /// The same classes in ascending order: shapes that differ only in
    /// direction have the same sorted shape.
    pub fn sorted(self) -> Shape {
        let mut classes = self.classes();
        classes.sort();
        Shape::new(classes)
    }

    /// The threat that a stone there would make.
    pub fn threat(self) -> Threat {
        let (mut four, mut three, mut closed, mut two) = (0, 0, 0, 0);
        let mut best = Class::None;
        for class in self.classes() {
            best = best.max(class);
            four += u32::from(class == Class::Four);
            three += u32::from(class == Class::Three);
            closed += u32::from(class == Class::ClosedThree);
            two += u32::from(class >= Class::Two && class < Class::Four);
        }
        match best {
            Class::Five => Threat::Win,
            Class::OpenFour => Threat::OpenFour,
            _ if four > 1 => Threat::OpenFour,
            _ if four == 1 && three > 0 => Threat::FourThree,
            _ if four == 1 && two > 0 => Threat::BuildingFour,
            _ if four == 1 => Threat::Four,
            _ if three > 1 => Threat::DoubleThree,
            _ if three == 1 => Threat::Three,
            _ if closed > 1 => Threat::ClosedThrees,
            _ => Threat::None,
        }
    }
}

/// The shapes of both sides on a cell; meaningless where there is a stone.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Shapes(u32);

/// Bits of a shape.
const SHAPE_BITS: usize = CLASS_BITS * DIRECTIONS;

impl Shapes {
    /// The shape of one side.
    #[inline(always)]
    pub(super) fn of(self, side: Side) -> Shape {
        Shape((self.0 >> (SHAPE_BITS * side.index())) as u16 & (Shape::COUNT as u16 - 1))
    }

    /// The same with other classes in one direction, given as a pair from the
    /// table.
    #[inline(always)]
    pub(super) fn with(self, direction: usize, pair: u8) -> Shapes {
        const LOW: u32 = CLASSES as u32 - 1;
        let low = CLASS_BITS * direction;
        let pair = u32::from(pair);
        let both = pair & LOW | pair >> CLASS_BITS << SHAPE_BITS;
        Shapes(self.0 & !((LOW | LOW << SHAPE_BITS) << low) | both << low)
    }
}

/// What a stone on a cell makes in all, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Threat {
    /// No threat.
    None = 0,
    /// Two or more threes, none of them open.
    ClosedThrees,
    /// An open three.
    Three,
    /// Two or more open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four, with something to build on in another direction.
    BuildingFour,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours.
    OpenFour,
    /// A winning row.
    Win,
}

/// How many threats there are.
pub const THREATS: usize = 9;

impl Threat {
    /// All of them, by their numbers.
    pub const ALL: [Threat; THREATS] = [
        Threat::None,
        Threat::ClosedThrees,
        Threat::Three,
        Threat::DoubleThree,
        Threat::Four,
        Threat::BuildingFour,
        Threat::FourThree,
        Threat::OpenFour,
        Threat::Win,
    ];
}

/// The threat of every shape.
pub(super) fn threats() -> &'static [Threat; Shape::COUNT] {
    static THREATS: OnceLock<Box<[Threat; Shape::COUNT]>> = OnceLock::new();
    THREATS.get_or_init(|| {
        let mut threats = Box::new([Threat::None; Shape::COUNT]);
        for (shape, threat) in threats.iter_mut().enumerate() {
            *threat = Shape(shape as u16).threat();
        }
        threats
    })
}
