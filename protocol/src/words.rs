//! The parts of lines, as nom parsers: words, keywords and whole numbers
//! separated by blanks, and the fault that says what was expected and where.

use std::borrow::Cow;

use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, opt, recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0, many1};
use nom::{IResult, Parser};

use crate::error::{ErrorCode, ProtocolError, quoted};

/// The result of a parser of this crate: the rest of the line and the value.
pub(crate) type Parsed<'a, T> = IResult<&'a str, T, Fault<'a>>;

/// Where a parser failed, and what it expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault<'a> {
    /// The rest of the line from there on, possibly with blanks before the
    /// word.
    at: &'a str,
    expected: Cow<'static, str>,
}

impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        // Every parser below that can fail on a client's line sets its own text
        // here.
        let expected = Cow::Borrowed("something else");
        Fault { at, expected }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl Fault<'_> {
    /// The error for the client. This fault must lie at the end of `line`.
    fn describe(&self, line: &str) -> ProtocolError {
        let at = skip_blanks(self.at);
        let before = &line[..line.len() - at.len()];
        let found = match first_word(at) {
            "" => Cow::Borrowed("the end of the line"),
            word => Cow::Owned(quoted(word)),
        };
        ProtocolError::new(
            ErrorCode::Syntax,
            format!(
                "column {}: expected {}, found {found}",
                before.chars().count() + 1,
                self.expected,
            ),
        )
    }
}

/// The fault that `expected` was not found at `at`.
pub(crate) fn fault<'a>(
    at: &'a str,
    expected: impl Into<Cow<'static, str>>,
) -> nom::Err<Fault<'a>> {
    let expected = expected.into();
    nom::Err::Error(Fault { at, expected })
}

/// The value of a parser that was run on the end of `line` and must have
/// consumed all of it.
pub(crate) fn whole_line<'a, T>(line: &'a str, parsed: Parsed<'a, T>) -> Result<T, ProtocolError> {
    parsed
        .and_then(|(rest, value)| end(rest).map(|_| value))
        .map_err(|error| match error {
            nom::Err::Error(fault) | nom::Err::Failure(fault) => fault.describe(line),
            // The complete parsers never ask for more.
            nom::Err::Incomplete(_) => ProtocolError::new(ErrorCode::Syntax, "incomplete line"),
        })
}

/// A client's line, split into parts.
pub(crate) struct Parts<'a> {
    /// The line without a byte order mark and trailing blanks.
    pub(crate) line: &'a str,
    /// Its first word; empty for a blank line.
    pub(crate) name: &'a str,
    /// What follows that word.
    pub(crate) rest: &'a str,
}

/// Splits a client's line, with or without its line end, into parts.
pub(crate) fn parts(line: &str) -> Parts<'_> {
    let line = line
        .trim_start_matches('\u{feff}')
        .trim_end_matches(is_blank);
    let start = skip_blanks(line);
    let name = first_word(start);
    let rest = &start[name.len()..];
    Parts { line, name, rest }
}

/// Whether `c` ends a word. Line ends do, so that a trailing CR is not part of
/// the last word.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c')
}

/// `text` without leading blanks.
pub(crate) fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// The first word of `text`; empty if it starts with a blank or is empty.
pub(crate) fn first_word(text: &str) -> &str {
    text.split(is_blank).next().unwrap_or_default()
}

/// Whether `word` is one of `keywords`, in any case.
pub(crate) fn is_one_of(word: &str, keywords: &[&str]) -> bool {
    keywords.iter().any(|k| word.eq_ignore_ascii_case(k))
}

/// The end of the line.
fn end(input: &str) -> Parsed<'_, ()> {
    match skip_blanks(input) {
        "" => Ok(("", ())),
        _ => Err(fault(input, "the end of the line")),
    }
}

/// One word, after any blanks.
pub(crate) fn word(input: &str) -> Parsed<'_, &str> {
    take_while1(|c| !is_blank(c)).parse(skip_blanks(input))
}

/// One word; without one, the fault that `expected` is missing.
pub(crate) fn word_as<'a>(
    expected: impl Into<Cow<'static, str>>,
) -> impl FnOnce(&'a str) -> Parsed<'a, String> {
    move |input| match word(input) {
        Ok((rest, word)) => Ok((rest, word.to_owned())),
        Err(_) => Err(fault(input, expected)),
    }
}

/// One word, if there is another.
pub(crate) fn optional_word(input: &str) -> Parsed<'_, Option<String>> {
    opt(word.map(str::to_owned)).parse(input)
}

/// The word `keyword`, in any case; `expected` says in a fault what it is for.
pub(crate) fn keyword<'a>(
    keyword: &'static str,
    expected: &'static str,
) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    move |input| {
        verify(word, |w: &str| w.eq_ignore_ascii_case(keyword))
            .parse(input)
            .map_err(|_: nom::Err<Fault>| fault(input, expected))
    }
}

/// One word that is none of `stops`, in any case.
fn word_before<'a>(
    stops: &'static [&'static str],
) -> impl Parser<&'a str, Output = &'a str, Error = Fault<'a>> {
    verify(word, move |w: &str| !is_one_of(w, stops))
}

/// The words up to the first of `stops`, which is not consumed, or to the end;
/// possibly none.
pub(crate) fn words_before<'a>(
    stops: &'static [&'static str],
) -> impl Parser<&'a str, Output = Vec<String>, Error = Fault<'a>> {
    many0(word_before(stops).map(str::to_owned))
}

/// Like [`words_before`], but at least one: `expected` says in a fault what is missing.
pub(crate) fn some_words_before<'a>(
    stops: &'static [&'static str],
    expected: &'static str,
) -> impl FnMut(&'a str) -> Parsed<'a, Vec<String>> {
    move |input| {
        many1(word_before(stops).map(str::to_owned))
            .parse(input)
            .map_err(|_| fault(input, expected))
    }
}

/// Like [`some_words_before`], but as one text with one blank between the words.
pub(crate) fn phrase_before<'a>(
    stops: &'static [&'static str],
    expected: &'static str,
) -> impl FnMut(&'a str) -> Parsed<'a, String> {
    move |input| {
        let (rest, words) = some_words_before(stops, expected)(input)?;
        Ok((rest, words.join(" ")))
    }
}

/// All that is left of the line, without the blanks around it.
pub(crate) fn rest_of_line(input: &str) -> Parsed<'_, String> {
    Ok(("", input.trim_matches(is_blank).to_owned()))
}

/// A type of whole numbers that a field can have.
pub(crate) trait Whole: std::str::FromStr + std::fmt::Display {
    const MIN: Self;
    const MAX: Self;
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Whole for $number {
            const MIN: Self = <$number>::MIN;
            const MAX: Self = <$number>::MAX;
        }
    )*};
}

whole!(u32, u64, i32, i64);

/// A whole number in decimal digits, with `-` before it where negative numbers
/// fit the type. The fault says which word it should follow, and the range
/// where the number does not fit.
pub(crate) fn number<'a, T: Whole>(after: &str) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        let not_a_number = || fault(input, format!("a whole number after {after}"));
        let (rest, word) = word(input).map_err(|_| not_a_number())?;
        all_consuming(recognize((opt(char('-')), digit1)))
            .parse(word)
            .map_err(|_: nom::Err<Fault>| not_a_number())?;
        match word.parse() {
            Ok(value) => Ok((rest, value)),
            Err(_) => Err(fault(
                input,
                format!("a whole number from {} to {} after {after}", T::MIN, T::MAX),
            )),
        }
    }
}
