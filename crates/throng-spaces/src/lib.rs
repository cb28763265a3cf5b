//! Worlds that are not square grids, as spaces for the planners: hexagonal grids and road
//! networks.
//!
//! [`HexSpace`] and [`RoadSpace`] are [`Space`](throng_spacetime::Space)s. Every cooperative
//! planner that takes a space works on them; `cargo run --example any_graph` shows how.

mod hex_space;
mod road_space;

pub use hex_space::{HexError, HexSpace};
pub use road_space::{Road, RoadError, RoadNetwork, RoadSpace, Traffic};
