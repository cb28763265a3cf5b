//! The phases of a tick, one file each. `tick.rs` calls them in order.

pub(crate) mod arrivals;
pub(crate) mod attention;
pub(crate) mod bypasses;
pub(crate) mod crossings;
pub(crate) mod crowd;
pub(crate) mod density;
pub(crate) mod detours;
pub(crate) mod exchange;
pub(crate) mod exits;
pub(crate) mod gates;
mod jam_group;
pub(crate) mod jam_planning;
pub(crate) mod jams;
mod link_routes;
pub(crate) mod marches;
pub(crate) mod passages;
pub(crate) mod routes;
pub(crate) mod sides;
pub(crate) mod yielding;
