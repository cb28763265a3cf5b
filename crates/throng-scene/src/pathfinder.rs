//! Paths through a scene: on the ghost's lattice, over zones and gates, over a roadmap of where
//! players walk, or over Voronoi zones, with a collision cache and a path cache below them.
//!
//! Lanctot, Ng Man Sun, Verbrugge: *Path-finding for Large Scale Multiplayer Computer Games*
//! (2006).
//!
//! Every method walks the same lattice, so all agree on what can be reached. An upper layer only
//! chooses waypoints; where it fails, the search at grid level takes over.

mod bounded_cache;
mod cached_ghost;
mod change_map;
mod collision_cache;
mod edge_builder;
mod finder;
mod ghost_search;
mod lattice;
mod location;
mod metrics;
mod most_visited;
mod node_index;
mod options;
mod partition;
mod path_cache;
mod roadmap;
mod upper_level;
mod voronoi;
mod walk;
mod waypoint_layer;
mod waypoint_search;
mod waypoints;

pub use finder::ScenePathfinder;
pub use location::{Location, LocationError, Sample};
pub use metrics::WalkMetrics;
pub use options::{Method, PathCacheOptions, PathfinderError, PathfinderOptions};
pub use upper_level::{Passage, PassageKind, UpperLevel};
pub use walk::{Stretch, Walk, WalkOutcome};
