//! The phases of a tick, one file each. `tick.rs` calls them in order.

pub(crate) mod arrivals;
pub(crate) mod exchange;
pub(crate) mod exits;
pub(crate) mod routes;
pub(crate) mod yielding;
