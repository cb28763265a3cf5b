//! throng's laboratory: worlds to experiment on.
//!
//! [`generate`] makes maps and scenarios from a seed.

pub mod generate;
