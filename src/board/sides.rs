//! The two sides of a game as named and drawn.

use crate::position::Side;
use crate::quote::quote;

/// The name and signs of a side in one game.
#[derive(Clone, Copy, Debug)]
pub struct SideSpec {
    /// As written in the protocol, such as `black`.
    pub name: &'static str,
    /// As written in a FEN, such as `b`.
    pub letter: char,
    /// In a Unicode diagram.
    pub glyph: char,
    /// Its colour in a picture, as a CSS colour.
    pub colour: &'static str,
}

/// The side called black.
pub const BLACK: SideSpec = SideSpec {
    name: "black",
    letter: 'b',
    glyph: '●',
    colour: "#1c1c1c",
};

/// The side called white.
pub const WHITE: SideSpec = SideSpec {
    name: "white",
    letter: 'w',
    glyph: '○',
    colour: "#ffffff",
};

/// The side called red.
pub const RED: SideSpec = SideSpec {
    name: "red",
    letter: 'r',
    glyph: '○',
    colour: "#d0312d",
};

/// The player with this name (`black`) or letter (`b`), in any case.
///
/// # Errors
/// Says what the players are called.
pub fn read_side(sides: &[SideSpec; 2], text: &str) -> Result<Side, String> {
    find_side(sides, text).ok_or_else(|| {
        format!(
            "expected the player {} or {}, found {}",
            sides[0].name,
            sides[1].name,
            quote(text)
        )
    })
}

pub(super) fn find_side(sides: &[SideSpec; 2], text: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|s| {
        let spec = &sides[s.index()];
        spec.name.eq_ignore_ascii_case(text)
            || (text.len() == 1 && text.eq_ignore_ascii_case(spec.letter.encode_utf8(&mut [0; 4])))
    })
}
