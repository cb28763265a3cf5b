//! The live world: units of any size, pace and priority, orders, buildings, a map that
//! changes, ticked with a budget.
//!
//! [`World`] is the whole of it. It plans with WHCA* (D. Silver, "Cooperative pathfinding",
//! 2005 and 2006): units see each other's plans, step aside, wait at a choke, give way after
//! they have arrived. Where planning fails nobody collides all the same.

mod command;
mod edit;
mod envelope;
mod error;
mod event;
mod exchange;
mod groups;
mod guide;
mod hash;
mod hierarchies;
mod making_way;
mod options;
mod order;
mod replay;
mod resident;
mod routing;
mod script;
mod snapshot;
mod why;
mod world;

pub use envelope::FileError;
pub use error::WorldError;
pub use event::Event;
pub use options::WorldOptions;
pub use order::Order;
pub use replay::{Recorder, Replay, ReplayError};
pub use resident::{Heading, Spawn, Step, UnitStatus};
pub use script::{Applied, Command};
pub use snapshot::SnapshotError;
pub use throng_model::BuildingId;
pub use why::Why;
pub use world::{TickReport, World};
