//! Worlds that are not square grids, as spaces for the planners: hexagonal grids and road
//! networks.
//!
//! [`HexSpace`] and [`RoadSpace`] are implementations of `throng_spacetime::Space`. Every cooperative
//! planner that takes a space works on them;
//! `cargo run -p throng-spaces --example hexagons_and_roads` shows how.

mod hex_space;
mod road_space;

pub use hex_space::{HexError, HexSpace};
pub use road_space::{Road, RoadError, RoadNetwork, RoadSpace, Traffic};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
