//! Files of fitted numbers: a header that says how they were made, then the
//! numbers.
//!
//! The header has the same fields in all files, one per line:
//!
//! ```text
//! # command: fit teeko --positions 200000 --seed 1
//! # seeds: 1
//! # engine: 02eb54d7
//! # data: 200000 positions, 1600000 bytes, crc32 89abcdef
//! # held-out loss: 0.5013
//! ```
//!
//! A field whose value was not recorded reads `not recorded`. In a text file
//! the numbers follow in rows: a name, then its values. [`integers`] reads them
//! at compile time, so that an error in the file does not compile and nothing
//! is parsed at run time; [`rows`] reads rows of any numbers. A binary file
//! ([`pack`], [`unpack`]) is a magic word, a version, two lengths and a
//! checksum, then the header and the payload.

use std::fmt::{self, Display, Formatter};

/// The names of the header's fields, in order.
pub const FIELDS: [&str; 5] = ["command", "seeds", "engine", "data", "held-out loss"];

/// How the numbers of a file were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The command that was run, as the fitting program reads it: `fit GAME …`.
    pub command: String,
    /// The seeds of all random numbers used.
    pub seeds: String,
    /// The commit of the engine that made the data.
    pub engine: String,
    /// The size of the data and its checksum.
    pub data: String,
    /// The loss on the held-out part of the data.
    pub loss: String,
}

impl Header {
    /// Reads the header at the beginning of a text.
    ///
    /// # Errors
    /// Names the field that is missing, out of order or empty.
    pub fn read(text: &str) -> Result<Header, String> {
        let mut lines = text.lines();
        let mut field = |name: &str| {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix("# ").and_then(|l| l.strip_prefix(name));
            match value.and_then(|v| v.strip_prefix(": ")).map(str::trim) {
                Some(value) if !value.is_empty() => Ok(value.to_string()),
                _ => Err(format!("`# {name}: …` expected, not `{line}`")),
            }
        };
        let [command, seeds, engine, data, loss] = FIELDS;
        Ok(Header {
            command: field(command)?,
            seeds: field(seeds)?,
            engine: field(engine)?,
            data: field(data)?,
            loss: field(loss)?,
        })
    }
}

impl Display for Header {
    /// Writes the header, each line with a line break.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let values = [
            &self.command,
            &self.seeds,
            &self.engine,
            &self.data,
            &self.loss,
        ];
        for (name, value) in FIELDS.iter().zip(values) {
            writeln!(f, "# {name}: {value}")?;
        }
        Ok(())
    }
}

/// The rows of a text file, in order: the name, and the values.
///
/// # Panics
/// If a row has no name or no value, or holds anything but values after its
/// first value. The texts are part of the program, and a test reads them all.
pub fn rows(text: &str) -> impl Iterator<Item = (&str, Vec<f64>)> {
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.map(|line| {
        let is_value = |word: &str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let start = line.split(' ').take_while(|word| !is_value(word));
        let name = line.get(..start.map(|w| w.len() + 1).sum::<usize>());
        let (name, values) = match name {
            Some(name) if !name.is_empty() => (name.trim_end(), &line[name.len()..]),
            _ => panic!("a name and values expected, not `{line}`"),
        };
        let value = |word: &str| match word.parse() {
            Ok(value) => value,
            Err(_) => panic!("`{word}` in `{line}` is no number"),
        };
        (name, values.split(' ').map(value).collect())
    })
}

/// The whole numbers of a text file whose rows have these names, in this order,
/// and these numbers of values; all rows together. Meant for constants.
///
/// # Panics
/// If the rows differ from the layout, a value is not a whole number of up to
/// nine digits, or there are not `N` values. In a constant this is a compile
/// error.
pub const fn integers<const N: usize>(text: &str, layout: &[(&str, usize)]) -> [i32; N] {
    let text = text.as_bytes();
    let mut at = 0;
    while at < text.len() && text[at] == b'#' {
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    let mut numbers = [0; N];
    let mut count = 0;
    let mut row = 0;
    while row < layout.len() {
        at = after_name(text, at, layout[row].0.as_bytes());
        let end = count + layout[row].1;
        while count < end {
            assert!(at < text.len() && text[at] == b' ', "a value is missing");
            (numbers[count], at) = integer(text, at + 1);
            count += 1;
        }
        assert!(at < text.len() && text[at] == b'\n', "a value too many");
        at += 1;
        row += 1;
    }
    assert!(at == text.len(), "a row too many");
    assert!(count == N, "the layout does not fit");
    numbers
}

/// The first row of a text whose rows are a name and a whole number each, after
/// the header if there is one: the name, the number, and the text after it. Meant
/// for constants.
///
/// # Panics
/// If the row is not a name, a space and a whole number of up to nine digits.
pub const fn first_integer(text: &[u8]) -> Option<(&[u8], i32, &[u8])> {
    let mut start = 0;
    while start < text.len() && text[start] == b'#' {
        while start < text.len() && text[start] != b'\n' {
            start += 1;
        }
        start += 1;
    }
    if start >= text.len() {
        return None;
    }
    let mut at = start;
    while at < text.len() && text[at] != b' ' {
        at += 1;
    }
    assert!(
        at < text.len() && at > start,
        "a name and a number expected"
    );
    let name = text.split_at(at).0.split_at(start).1;
    let (number, end) = integer(text, at + 1);
    assert!(end < text.len() && text[end] == b'\n', "a value too many");
    Some((name, number, text.split_at(end + 1).1))
}

/// Whether two names are the same. Meant for constants.
pub const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Where a name ends that must start at `at`.
const fn after_name(text: &[u8], at: usize, name: &[u8]) -> usize {
    let mut i = 0;
    while i < name.len() {
        assert!(
            at + i < text.len() && text[at + i] == name[i],
            "another row than expected"
        );
        i += 1;
    }
    at + i
}

/// The whole number that starts at `at`, and where it ends.
const fn integer(text: &[u8], mut at: usize) -> (i32, usize) {
    let sign = match at < text.len() && text[at] == b'-' {
        true => {
            at += 1;
            -1
        }
        false => 1,
    };
    let first = at;
    let mut number: i32 = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        assert!(at < first + 9, "a number too large");
        number = 10 * number + (text[at] - b'0') as i32;
        at += 1;
    }
    assert!(at > first, "no whole number");
    (sign * number, at)
}

/// Writes rows from which [`integers`] with the same layout reads these
/// numbers.
///
/// # Panics
/// If there are not as many numbers as the layout has places.
pub fn write_integers(layout: &[(&str, usize)], numbers: &[i32]) -> String {
    let mut rest = numbers;
    let mut text = String::new();
    for &(name, length) in layout {
        let (row, after) = rest.split_at(length);
        rest = after;
        text.push_str(name);
        for number in row {
            text.push_str(&format!(" {number}"));
        }
        text.push('\n');
    }
    assert!(rest.is_empty(), "more numbers than places");
    text
}

/// The first bytes of a binary file.
const MAGIC: [u8; 8] = *b"QUINTETW";
/// The version of the format. It is followed by the header's length, the
/// payload's length and its checksum as little-endian 32-bit numbers.
const VERSION: u32 = 1;
/// Bytes before the header.
const PREFIX: usize = MAGIC.len() + 4 * 4;

/// A binary file with this header and payload.
///
/// # Panics
/// If one of them is longer than 4 GiB.
pub fn pack(header: &Header, payload: &[u8]) -> Vec<u8> {
    let header = header.to_string();
    let length = |n: usize| u32::try_from(n).expect("less than 4 GiB");
    let numbers = [
        VERSION,
        length(header.len()),
        length(payload.len()),
        crc32(payload),
    ];
    let mut file = MAGIC.to_vec();
    file.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    file.extend(header.as_bytes());
    file.extend(payload);
    file
}

/// The header and the payload of a binary file.
///
/// # Errors
/// The file is not in this format, has another version, is shorter or longer
/// than it says, or its payload does not match the checksum.
pub fn unpack(file: &[u8]) -> Result<(Header, &[u8]), String> {
    let (prefix, rest) = file.split_at_checked(PREFIX).ok_or("it is too short")?;
    let number = |i: usize| {
        let at = MAGIC.len() + 4 * i;
        u32::from_le_bytes([prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]])
    };
    if prefix[..MAGIC.len()] != MAGIC {
        return Err("it is no file of weights".to_string());
    }
    if number(0) != VERSION {
        return Err(format!("it is of version {}, not {VERSION}", number(0)));
    }
    let [header, payload] = [1, 2].map(|i| number(i) as usize);
    if rest.len() != header + payload {
        return Err(format!(
            "{} bytes of header and payload expected, not {}",
            header + payload,
            rest.len()
        ));
    }
    let (header, payload) = rest.split_at(header);
    if crc32(payload) != number(3) {
        return Err("the checksum is another".to_string());
    }
    let header = std::str::from_utf8(header).map_err(|why| why.to_string())?;
    Ok((Header::read(header)?, payload))
}

/// The checksum CRC-32 (IEEE 802.3), as `cksum -a crc32b` and zlib compute it.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut rest = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                rest = rest >> 1 ^ if rest & 1 == 1 { 0xedb8_8320 } else { 0 };
                bit += 1;
            }
            table[byte] = rest;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        crc >> 8 ^ TABLE[usize::from(crc as u8 ^ byte)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: &[(&str, usize)] = &[("to move", 1), ("row of", 3)];

    fn header() -> Header {
        let field = |i: usize| format!("{} of a test", FIELDS[i]);
        Header {
            command: field(0),
            seeds: field(1),
            engine: field(2),
            data: field(3),
            loss: field(4),
        }
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let text = header().to_string();
        assert_eq!(Header::read(&text), Ok(header()));
        for (i, field) in FIELDS.iter().enumerate() {
            let without: String = text
                .lines()
                .enumerate()
                .filter(|l| l.0 != i)
                .map(|l| format!("{}\n", l.1))
                .collect();
            let error = Header::read(&without).expect_err("a field is missing");
            assert!(error.contains(field), "{error}");
        }
        assert!(Header::read(&text.replace("data of a test", "")).is_err());
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let text = format!("{}{}", header(), write_integers(LAYOUT, &[-7, 0, 12, 3456]));
        assert_eq!(integers::<4>(&text, LAYOUT), [-7, 0, 12, 3456]);
        let read: Vec<_> = rows(&text).collect();
        assert_eq!(
            read,
            [("to move", vec![-7.0]), ("row of", vec![0.0, 12.0, 3456.0])]
        );
        let decimals: Vec<_> = rows("shape 0 1 -0.5\n").collect();
        assert_eq!(decimals, [("shape", vec![0.0, 1.0, -0.5])]);
    }

    #[test]
    fn rows_that_are_not_as_the_layout_says_are_refused() {
        for wrong in [
            "to move 1\nrow of 1 2\n",
            "to move 1\nrow of 1 2 3 4\n",
            "to move 1\nrow of 1 2 3",
            "to move 1\nrow of 1 2 3\nrow of 1 2 3\n",
            "to move 1\n",
            "row of 1 2 3\nto move 1\n",
            "to move 1.5\nrow of 1 2 3\n",
            "to move -\nrow of 1 2 3\n",
            "to move 1\n\nrow of 1 2 3\n",
            "to move 9999999999\nrow of 1 2 3\n",
        ] {
            let read = std::panic::catch_unwind(|| integers::<4>(wrong, LAYOUT));
            assert!(read.is_err(), "{wrong:?}");
        }
        for wrong in ["1 2 3\n", "name\n", "name 1 x\n", "name 1 2 \n", "\n"] {
            let read = std::panic::catch_unwind(|| rows(wrong).count());
            assert!(read.is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_binary_file_is_read_as_it_was_written_and_no_other() {
        let payload: Vec<u8> = (0..=255).collect();
        let file = pack(&header(), &payload);
        assert_eq!(unpack(&file), Ok((header(), &payload[..])));
        for at in (0..file.len()).filter(|at| !(PREFIX..file.len() - 256).contains(at)) {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(unpack(&damaged).is_err(), "byte {at}");
        }
        for length in 0..file.len() {
            assert!(unpack(&file[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn the_checksum_is_crc_32() {
        // The check value from the catalogue of parametrised CRC algorithms.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
