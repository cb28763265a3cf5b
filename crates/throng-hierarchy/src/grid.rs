//! The hierarchy over grids.
//!
//! A. Botea, M. Mueller and J. Schaeffer, "Near optimal hierarchical path-finding" (2004):
//! square clusters, entrances between them, distances inside each known beforehand. What
//! differs: an entrance has a crossing every few cells, where crossing is cheapest; the
//! distances of all crossings of a cluster are found together, lane by lane (`lanes`); and
//! the path is made exact within a band around itself (`band`), not pulled along lines of
//! sight, so that terrain counts.

mod band;
mod cluster;
mod crossings;
mod ends;
mod hierarchy;
mod lanes;
mod overlay;
mod plane;
mod queue;
mod refine;
mod regions;
mod search;
mod tile;
mod windows;

pub use hierarchy::GridHierarchy;
pub use regions::{Gate, RegionId, RegionMemory, RegionSearch, Regions};
pub use search::{HierarchyMemory, HierarchySearch};
