//! Makes `src/games/pentago/slices/opening.bin`, the values of all positions of
//! Pentago with few marbles, from the published slices; a test compares the two.
//! Needs `xz`.
//!
//! `cargo run --release --example pentago_opening -- FOLDER > FILE`

use quintet::internals::games::pentago::slices::{Slices, opening::MOST_MARBLES};
use quintet::internals::weights::{Header, crc32, pack};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn main() -> io::Result<()> {
    let folder = std::env::args().nth(1).expect("the folder of the slices");
    let slices = Slices::open(Path::new(&folder)).unwrap_or_else(|why| panic!("{why}"));
    let mut all = Vec::new();
    let mut payload = Vec::new();
    for marbles in 0..=MOST_MARBLES {
        let entries = slices.entries(marbles).expect("a whole slice");
        let packed = packed(&entries)?;
        payload.extend((packed.len() as u32).to_le_bytes());
        payload.extend(packed);
        all.extend(entries);
    }
    let header = Header {
        command: "cargo run --release --example pentago_opening -- FOLDER".to_string(),
        seeds: "none".to_string(),
        engine: "any".to_string(),
        data: format!(
            "slice-0.pentago to slice-{MOST_MARBLES}.pentago of G. Irving's solution of Pentago \
             (arXiv 1404.0743, public domain); unpacked {} bytes, crc32 {:08x}",
            all.len(),
            crc32(&all)
        ),
        loss: "none: the values are exact".to_string(),
    };
    io::stdout().write_all(&pack(&header, &payload))
}

/// An xz stream of these bytes.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // Two bits a value leave nothing to the context of a byte's bits.
    let mut xz = Command::new("xz")
        .args(["--stdout", "--check=crc64", "--threads=1"])
        .arg("--lzma2=preset=9e,dict=8MiB,lc=0,lp=0,pb=2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut into = xz.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || into.write_all(bytes));
        xz.wait_with_output()
    })
    .map(|output| output.stdout)
}
