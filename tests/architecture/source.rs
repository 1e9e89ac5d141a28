//! A Rust source file, parsed as far as these tests need it.

use std::collections::BTreeSet;

/// A word, a sign or the text of a string. Comments are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word or sign; for a string, its contents.
    pub text: String,
    pub kind: Kind,
    /// From 1.
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Sign,
    String,
}

impl Token {
    fn is(&self, text: &str) -> bool {
        self.kind != Kind::String && self.text == text
    }
}

/// A name imported by a `use`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The path as written, the modules that hold the `use` in this file
    /// (see [`Mention::inside`]) included.
    pub mention: Mention,
    /// Its local name; `*` for all names of the module.
    pub name: String,
}

/// A path in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    pub path: Vec<String>,
    /// The number of modules with braces around it in its file.
    pub inside: usize,
    pub line: usize,
}

/// A function and its length in lines, from `fn` to the closing brace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub line: usize,
    pub length: usize,
}

/// The contents of a file outside its tests.
#[derive(Debug, Default)]
pub struct Source {
    pub tokens: Vec<Token>,
    pub imports: Vec<Import>,
    pub mentions: Vec<Mention>,
    pub functions: Vec<Function>,
    /// Names of the items defined here.
    pub items: BTreeSet<String>,
    /// Modules in separate files that exist only for tests.
    pub test_modules: Vec<String>,
    /// The number of lines, without tests.
    pub lines: usize,
}

impl Source {
    pub fn read(text: &str) -> Source {
        let all = tokens(text);
        let mut source = Source {
            lines: text.lines().count(),
            ..Source::default()
        };
        let mut at = 0;
        while at < all.len() {
            if let Some(end) = test_item(&all[at..]) {
                let item = &all[at..at + end];
                source.lines -= item[end - 1].line + 1 - item[0].line;
                let named = item.iter().position(|t| t.is("mod"));
                if let (Some(named), true) = (named, item[end - 1].is(";")) {
                    source.test_modules.push(item[named + 1].text.clone());
                }
                at += end;
            } else {
                source.tokens.push(all[at].clone());
                at += 1;
            }
        }
        source.take_apart();
        source
    }

    fn take_apart(&mut self) {
        const DEFINES: [&str; 9] = [
            "fn",
            "struct",
            "enum",
            "trait",
            "const",
            "static",
            "type",
            "mod",
            "macro_rules",
        ];
        let tokens = &self.tokens;
        let mut depth = 0;
        // The depths at which modules with braces stand open.
        let mut modules = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            let next = |n: usize| tokens.get(at + n);
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth -= 1;
                if modules.last() == Some(&depth) {
                    modules.pop();
                }
            } else if token.kind == Kind::Word {
                if DEFINES.contains(&token.text.as_str()) {
                    let name = (1..=2).filter_map(next).find(|t| t.kind == Kind::Word);
                    self.items.extend(name.map(|t| t.text.clone()));
                }
                if token.is("mod") && next(2).is_some_and(|t| t.is("{")) {
                    modules.push(depth);
                }
                if token.is("fn") && next(1).is_some_and(|t| t.kind == Kind::Word) {
                    self.functions.extend(function(&tokens[at..]));
                }
                if token.is("use") && !next(1).is_some_and(|t| t.is("<")) {
                    let mut cursor = at + 1;
                    let mut prefix = Vec::new();
                    import(
                        tokens,
                        &mut cursor,
                        &mut prefix,
                        modules.len(),
                        &mut self.imports,
                    );
                    at = cursor;
                    continue;
                }
                let goes_on = |n: usize| next(n).is_some_and(|t| t.is("::"));
                let begins = at == 0 || !tokens[at - 1].is("::") && !tokens[at - 1].is(".");
                if begins && goes_on(1) {
                    let mut path = vec![token.text.clone()];
                    let mut n = 1;
                    while goes_on(n) && next(n + 1).is_some_and(|t| t.kind == Kind::Word) {
                        path.extend(next(n + 1).map(|t| t.text.clone()));
                        n += 2;
                    }
                    self.mentions.push(Mention {
                        path,
                        inside: modules.len(),
                        line: token.line,
                    });
                }
            }
            at += 1;
        }
    }
}

/// Reads a `use` tree up to the sign after it.
fn import(
    tokens: &[Token],
    at: &mut usize,
    prefix: &mut Vec<String>,
    inside: usize,
    imports: &mut Vec<Import>,
) {
    let length = prefix.len();
    let line = tokens.get(*at).map_or(0, |t| t.line);
    let mut name = None;
    while let Some(token) = tokens.get(*at) {
        if token.is("{") {
            *at += 1;
            while tokens.get(*at).is_some_and(|t| !t.is("}")) {
                import(tokens, at, prefix, inside, imports);
                if tokens.get(*at).is_some_and(|t| t.is(",")) {
                    *at += 1;
                }
            }
            *at += 1;
            prefix.truncate(length);
            return;
        }
        if token.is(",") || token.is("}") || token.is(";") {
            break;
        }
        if token.is("as") {
            *at += 1;
            name = tokens.get(*at).map(|t| t.text.clone());
        } else if token.is("*") {
            name = Some("*".to_string());
        } else if token.kind == Kind::Word && (prefix.is_empty() || !token.is("self")) {
            prefix.push(token.text.clone());
        }
        *at += 1;
    }
    if let Some(last) = prefix.last() {
        imports.push(Import {
            name: name.unwrap_or_else(|| last.clone()),
            mention: Mention {
                path: prefix.clone(),
                inside,
                line,
            },
        });
    }
    prefix.truncate(length);
}

/// The function that begins here, if it has a body.
fn function(tokens: &[Token]) -> Option<Function> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.is("(") || token.is("[") {
            depth += 1;
        } else if token.is(")") || token.is("]") {
            depth -= 1;
        } else if token.is(";") && depth == 0 {
            return None;
        } else if token.is("{") && depth == 0 {
            let end = at + closing(&tokens[at..])?;
            return Some(Function {
                name: tokens[1].text.clone(),
                line: tokens[0].line,
                length: tokens[end].line + 1 - tokens[0].line,
            });
        }
    }
    None
}

/// The index of the bracket that closes the one opened here.
fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if ["{", "(", "["].iter().any(|open| token.is(open)) {
            depth += 1;
        } else if ["}", ")", "]"].iter().any(|close| token.is(close)) {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The number of tokens of an item that begins here and exists only for tests,
/// including its attribute.
fn test_item(tokens: &[Token]) -> Option<usize> {
    let begins = |words: &[&str]| {
        let pairs = words.iter().zip(tokens);
        tokens.len() >= words.len() && pairs.into_iter().all(|(word, token)| token.is(word))
    };
    if !begins(&["#", "[", "cfg", "(", "test", ")", "]"]) {
        return None;
    }
    let mut at = 0;
    loop {
        let token = tokens.get(at)?;
        if token.is("#") {
            at += 1 + closing(&tokens[at + 1..])?;
        } else if token.is("(") || token.is("[") {
            at += closing(&tokens[at..])?;
        } else if token.is("{") {
            return Some(at + closing(&tokens[at..])? + 1);
        } else if token.is(";") {
            return Some(at + 1);
        }
        at += 1;
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, kind, skipped) = token_at(rest, first);
        let (head, tail) = rest.split_at(length);
        if let Some(kind) = kind {
            tokens.push(Token {
                text: head[skipped..length - skipped.min(1)].to_string(),
                kind,
                line,
            });
        }
        line += head.matches('\n').count();
        rest = tail;
    }
    tokens
}

/// The length of the token that begins here, its kind (`None`: nothing to
/// keep), and the length before the text of a string.
fn token_at(rest: &str, first: char) -> (usize, Option<Kind>, usize) {
    if first.is_whitespace() {
        return (first.len_utf8(), None, 0);
    }
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), None, 0);
    }
    if rest.starts_with("/*") {
        return (rest.find("*/").map_or(rest.len(), |at| at + 2), None, 0);
    }
    if let Some(string) = ["\"", "b\"", "c\""].iter().find(|s| rest.starts_with(**s)) {
        return (
            quoted(rest, string.len(), '"'),
            Some(Kind::String),
            string.len(),
        );
    }
    let raw = rest.trim_start_matches(['b', 'c']);
    if raw.len() + 1 >= rest.len()
        && (raw.starts_with("r\"") || raw.starts_with("r#\"") || raw.starts_with("r##\""))
    {
        let hashes = raw[1..].chars().take_while(|&c| c == '#').count();
        let head = rest.len() - raw.len() + 2 + hashes;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = rest[head..]
            .find(&end)
            .map_or(rest.len(), |at| head + at + end.len());
        return (length, None, 0);
    }
    if first == '\'' {
        // A character, or the name of a lifetime.
        let second = rest[1..].chars().next().unwrap_or(' ');
        let closes = rest[1 + second.len_utf8()..].starts_with('\'');
        return match second == '\\' || closes {
            true => (quoted(rest, 1, '\''), None, 0),
            false => (1, None, 0),
        };
    }
    if first.is_alphanumeric() || first == '_' {
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        return (length.unwrap_or(rest.len()), Some(Kind::Word), 0);
    }
    let length = if rest.starts_with("::") {
        2
    } else {
        first.len_utf8()
    };
    (length, Some(Kind::Sign), 0)
}

/// The length of a quoted text whose opening takes the first `head` bytes.
fn quoted(rest: &str, head: usize, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest[head..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return head + at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[test]
fn a_file_is_taken_apart() {
    let text = r##"
        //! crate::no
        pub use super::{a::{self, B as C}, d::*};
        mod inner { fn f<'a>(x: &'a str) -> char { super::g("crate::no {", '{', b"\"{"); '\'' } }
        #[cfg(test)]
        mod tests { use crate::no; }
        #[cfg(test)]
        mod more;
        const RAW: &str = r#"crate::no"#;
        impl X { fn h(&self) {
            crate::e::F::new().run::<u8>();
        } }
    "##;
    let source = Source::read(text);
    let imports: Vec<String> = (source.imports.iter())
        .map(|i| format!("{}={}", i.name, i.mention.path.join("::")))
        .collect();
    assert_eq!(imports, ["a=super::a", "C=super::a::B", "*=super::d"]);
    let mentions: Vec<(String, usize)> = (source.mentions.iter())
        .map(|m| (m.path.join("::"), m.inside))
        .collect();
    let expected = [("super::g", 1), ("crate::e::F::new", 0)];
    assert_eq!(
        mentions,
        expected.map(|(path, inside)| (path.to_string(), inside))
    );
    let functions: Vec<(&str, usize)> = (source.functions.iter())
        .map(|f| (f.name.as_str(), f.length))
        .collect();
    assert_eq!(functions, [("f", 1), ("h", 3)]);
    assert_eq!(source.test_modules, ["more"]);
    assert_eq!(source.lines, text.lines().count() - 4);
    assert!(source.items.contains("inner") && source.items.contains("RAW"));
}
