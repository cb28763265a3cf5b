//! Huge worlds, searched by zones and the gates between them.
//!
//! [`GridHierarchy`] covers a [`Ground`](throng_grid::Ground) with square clusters whose
//! crossings and inner distances are known beforehand. [`HierarchySearch`] finds its way
//! from cluster to cluster first and makes steps of it afterwards, from the start on.
//! [`Regions`] divides a ground into its rooms and corridors instead, with the doors between
//! them, and [`RegionSearch`] goes from door to door.
//!
//! Nothing here knows of other units, of time, of files or of clocks.

mod algorithm;
mod grid;
mod searcher;

pub use algorithm::{Algorithm, PathAnswer};
pub use grid::{Gate, RegionId, RegionMemory, RegionSearch, Regions};
pub use grid::{GridHierarchy, HierarchyMemory, HierarchySearch};
pub use searcher::{LazyHierarchy, PathSearcher};
