//! The live world: units of any size, pace and priority, orders, buildings, a map that changes.
//! Planning effort is budgeted per tick; units never collide, even when planning fails.
//!
//! [`World`] is the whole of it. It plans with WHCA* (D. Silver, "Cooperative pathfinding", 2005
//! and 2006): units see each other's plans, step aside, wait at a narrow passage, and yield after
//! they have arrived.
//!
//! A tick is a list of phases: `tick.rs` has the list, `phases/` a file per phase. The state of a
//! unit is one record in one store; `state.rs` has every operation that writes more than one part
//! of the state.

mod capacity;
mod cell_set;
mod command;
mod commands;
mod distances;
mod distant_cells;
mod edits;
mod envelope;
mod error;
mod event;
mod formation;
mod gate_map;
mod group_orders;
mod link;
mod map_commands;
mod matching;
mod memory;
mod options;
mod order;
mod packed_cells;
mod packed_terrain;
mod phases;
mod planes;
mod profile_changes;
mod queries;
mod replay;
mod shares;
mod snapshot;
mod standing;
mod standing_costs;
mod state;
mod step;
mod teams;
mod tick;
mod unit;
mod why;
mod world;

pub use capacity::{Capacity, WhenFull};
pub use command::{Applied, Command};
pub use envelope::FileError;
pub use error::WorldError;
pub use event::Event;
pub use formation::{Facing, Formation, FormedGroup};
pub use link::{Link, LinkId};
pub use map_commands::{Garrison, OnUnits};
pub use memory::MemoryError;
pub use options::WorldOptions;
pub use order::{Order, Track};
pub use queries::CellClaim;
pub use replay::{Recorder, Replay, ReplayError};
pub use snapshot::SnapshotError;
pub use step::{Heading, Progress, Step};
pub use teams::{Layer, Relation, Team};
pub use throng_model::BuildingId;
pub use tick::TickReport;
pub use unit::{Spawn, UnitStatus};
pub use why::Why;
pub use world::World;

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
