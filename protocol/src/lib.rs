//! The command language of Quintet.
