//! What error texts repeat of a text that a client sent.

/// The most characters that are repeated, as in the protocol's own errors.
const MOST: usize = 60;

/// `text` in single quotes, cut to 60 characters with `…` where it is longer.
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("'{}…'", &text[..end]),
        None => format!("'{text}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_characters_are_repeated() {
        let most = "é".repeat(60);
        assert_eq!(quote(&most), format!("'{most}'"));
        assert_eq!(quote(&format!("{most}é")), format!("'{most}…'"));
    }
}
