//! Finding the way through a scene: on the ghost's lattice, over zones and gates, over a
//! roadmap of where players walk, over Voronoi zones, with caches below all of them.
//!
//! Lanctot, Ng Man Sun, Verbrugge: *Path-finding for Large Scale Multiplayer Computer Games*
//! (2006), the whole of it.
//!
//! Every method walks the same lattice, so that all agree on what can be reached: an upper
//! layer only chooses waypoints, and where it fails the layer below takes over.

mod bounded_cache;
mod cells;
mod collision_cache;
mod commonest;
mod crossings;
mod feet;
mod finder;
mod freshness;
mod ghost_search;
mod lattice;
mod layer;
mod metrics;
mod node_index;
mod options;
mod path_cache;
mod place;
mod roadmap;
mod route;
mod voronoi;
mod walk;
mod waypoints;

pub use finder::ScenePathfinder;
pub use metrics::WalkMetrics;
pub use options::{Method, PathCacheOptions, PathfinderError, SceneOptions};
pub use place::{Place, PlaceError, Sample};
pub use walk::{Stretch, Walk, WalkOutcome};
