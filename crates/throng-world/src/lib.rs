//! The live world: units of any size, pace and priority, orders, buildings, a map that
//! changes, ticked with a budget.
//!
//! [`World`] is the whole of it. It plans with WHCA* (D. Silver, "Cooperative pathfinding",
//! 2005 and 2006): units see each other's plans, step aside, wait at a choke, give way after
//! they have arrived. Where planning fails nobody collides all the same.

mod command;
mod edit;
mod error;
mod event;
mod groups;
mod guide;
mod hash;
mod options;
mod order;
mod resident;
mod routing;
mod why;
mod world;

pub use error::WorldError;
pub use event::Event;
pub use options::WorldOptions;
pub use order::{ContainerId, Order};
pub use resident::{Heading, Spawn, Status, Step};
pub use why::Why;
pub use world::{TickReport, World};
