//! Paths on huge grids: HPA*-like clusters, and the choice among all grid searches.
//!
//! [`GridHierarchy`] cuts a `throng_grid::Ground` into clusters and keeps the abstract
//! graph of their transitions. [`HierarchySearch`] searches that graph and refines the result to
//! steps, from the start on. [`PathSearcher`] answers queries by the search that [`Algorithm`]
//! chooses: A*, jump points or the hierarchy. [`Regions`] divides a ground into its rooms and
//! corridors, with the doorways between them.
//!
//! A. Botea, M. Mueller and J. Schaeffer, "Near optimal hierarchical path-finding" (2004), has
//! clusters, entrances, transitions, inter-edges and intra-edges. Three things differ here. An
//! entrance has a transition every few cells, where the ground is cheapest. The distances of all
//! abstract nodes of a cluster are found together. And the path is refined within a corridor
//! around itself instead of along lines of sight, so that terrain counts.
//!
//! Nothing here knows of other units, of time, of files or of clocks.

mod abstract_search;
mod algorithm;
mod border;
mod bucket_list;
mod cluster;
mod cluster_distances;
mod corridor;
mod hierarchy;
mod layout;
mod padded_cluster;
mod refinement;
mod regions;
mod search;
mod searcher;
mod section_refiner;
mod transitions;

pub use algorithm::{Algorithm, PathAnswer};
pub use hierarchy::GridHierarchy;
pub use regions::{Doorway, RegionId, Regions};
pub use search::{HierarchyMemory, HierarchySearch};
pub use searcher::{LazyHierarchy, PathSearcher};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
