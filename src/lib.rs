//! Quintet: a headless engine for Pente, Pentago, Dag en Nacht, Teeko and
//! Gomoku (m,n,k). `README.md` in this folder maps the code.

#![deny(unsafe_code)]

/// What the engine is made of, for this repository's own tests and tools. It
/// may change with any version.
#[doc(hidden)]
#[path = ""] // The files lie beside this one.
pub mod internals {
    pub mod bench;
    pub mod bits;
    pub mod board;
    pub mod control;
    pub mod dialects;
    pub mod engine;
    pub mod evaluator;
    pub mod fault;
    pub mod game;
    pub mod games;
    pub mod help;
    pub mod levels;
    pub mod limits;
    pub mod lines;
    pub mod memory;
    pub mod options;
    pub mod player;
    pub mod position;
    pub mod random;
    pub mod search;
    pub mod session;
    pub mod settings;
    pub mod specialist;
    pub mod value;
    pub mod weights;
    pub mod zobrist;
}

pub(crate) use internals::*;
