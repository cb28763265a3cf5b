//! Worlds that are not square grids, as spaces for the planners: hexagonal grids and road
//! networks.
//!
//! [`HexSpace`] and [`RoadSpace`] are implementations of `throng_spacetime::Space`. The cooperative
//! planners and joint A* work on them;
//! `cargo run -p throng-spaces --example hexagons_and_roads` and
//! `cargo run -p throng-optimal --example trains_and_hexagons` show how.

mod hex_space;
mod road_space;

pub use hex_space::{HexError, HexSpace};
pub use road_space::{Road, RoadError, RoadNetwork, RoadSpace, Traffic};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
