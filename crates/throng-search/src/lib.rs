//! One unit's way through the world.

mod bits;
mod compass;
mod components;
mod ground;
mod query;

pub use components::{Components, Connectivity};
pub use ground::Ground;
pub use query::{Answer, Path, PathSearch, Query, QueryError, Status, Weight};
