//! Maps and scenarios from a seed: the same ones on every machine.
//!
//! | map | like |
//! |---|---|
//! | [`random`] | Silver's experiments: scattered obstacles |
//! | [`maze`] | one path between any two cells, or a few |
//! | [`rooms`] | square rooms with doors |
//! | [`caves`] | winding halls with ragged walls |
//! | [`warehouse`] | rows of shelves with narrow aisles |
//! | [`town`] | terrain of every kind: a river with bridges, roads, houses |
//!
//! On every map all passable cells are connected, by straight steps alone. [`scenario`]
//! puts units on any map.
//!
//! ```
//! use throng_lab::generate;
//! use throng_model::{MovementProfile, Problem};
//! let map = generate::random(32, 32, 20, 1)?;
//! let movement = MovementProfile::four_connected();
//! let units = generate::scenario(&map, &movement, 100, 0, 1)?;
//! assert!(Problem::new(map, movement, units).validate().is_ok());
//! # Ok::<(), generate::GenerateError>(())
//! ```

mod caves;
mod components;
mod error;
mod grid;
mod lattice;
mod lorr;
mod maze;
mod random;
mod rooms;
mod scenario;
mod town;
mod warehouse;

pub use caves::caves;
pub use error::GenerateError;
pub use lorr::lorr;
pub use maze::maze;
pub use random::random;
pub use rooms::rooms;
pub use scenario::scenario;
pub use town::{TOWN_SIDE_MIN, town};
pub use warehouse::{Warehouse, warehouse};
