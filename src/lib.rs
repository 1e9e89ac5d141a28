//! Quintet: a headless engine for Pente, Pentago, Dag en Nacht, Teeko and
//! Gomoku (m,n,k). `README.md` in this folder maps the code.

#![deny(unsafe_code)]

pub mod bench;
pub mod choice;
pub mod dialects;
pub mod engine;
pub mod fault;
pub mod fours;
pub mod game;
pub mod games;
pub mod grid;
pub mod help;
pub mod levels;
pub mod memory;
pub mod options;
pub mod patterns;
pub mod player;
pub mod rows;
pub mod search;
pub mod session;
pub mod settings;
pub mod specialist;
pub mod svg;
pub mod value;
pub mod windows;
pub mod zobrist;
