//! Quintet: a headless engine for Pente, Pentago, Dag en Nacht, Teeko and
//! Gomoku (m,n,k). `README.md` in this folder maps the code.

#![deny(unsafe_code)]

pub mod game;
pub mod games;
pub mod grid;
pub mod options;
pub mod rows;
pub mod windows;
pub mod zobrist;
