//! What a game needs, for `use throng::prelude::*`.
//!
//! ```
//! use throng::prelude::*;
//!
//! let mut finder = Pathfinder::new(Map::empty(64, 64)?, MovementProfile::eight_connected())?;
//! let (barracks, flag) = (Cell::new(3, 40), Cell::new(60, 8));
//! let path = finder.path(barracks, flag)?.found().ok_or("no path")?;
//! assert_eq!(path.cells.len(), 58);
//!
//! // A wall goes up, with a gap in the south. The same query goes around it.
//! finder.fill(Rect::new(Cell::new(32, 0), 1, 60), Map::WALL)?;
//! let detour = finder.path(barracks, flag)?.found().ok_or("no path")?;
//! assert!(detour.cost > path.cost);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use throng_grid::{Path, Query};
pub use throng_model::{
    Budget, Building, BuildingId, Cell, DiagonalCost, Factor, Map, MovementProfile, Outcome, Plan,
    Problem, Rect, SlowTerrain, TerrainClass, TerrainId, TerrainOverride, Tick, Unit, UnitId,
};
#[cfg(feature = "world")]
pub use throng_world::{
    Event, Facing, Formation, Layer, Link, Order, Relation, Spawn, Step, Team, TickReport,
    UnitStatus, Why, World, WorldOptions,
};

pub use crate::{Pathfinder, Solver, plan};
