//! All grid searches behind one call: the hierarchy that threads share, and the memory of each.

use throng_grid::{AStar, FirstDiscovered, Ground, Jps, PathSearch, Query, QueryError};
use throng_model::{Budget, Cell, Change};

use crate::{Algorithm, GridHierarchy, HierarchyMemory, HierarchySearch, PathAnswer};

/// The hierarchy of one ground, built when a query first needs it and then kept up to date.
///
/// All threads that search this ground share it; each has a [`PathSearcher`] of its own.
#[derive(Clone, Debug, Default)]
pub struct LazyHierarchy {
    built: Option<GridHierarchy>,
}

impl LazyHierarchy {
    /// Builds the hierarchy if this query will use it and it is missing or out of date.
    ///
    /// Call it before [`PathSearcher::find`] with the same arguments.
    pub fn prepare(&mut self, ground: &Ground, algorithm: Algorithm, query: &Query<'_>) {
        let is_needed = algorithm.choose(ground, query) == Algorithm::Hierarchy;
        if is_needed && !self.built.as_ref().is_some_and(|built| built.is_current(ground)) {
            self.built = Some(GridHierarchy::new(ground));
        }
    }

    /// Follows an edit of the map that the ground has already followed.
    pub fn apply(&mut self, ground: &Ground, change: &Change) {
        if let Some(built) = &mut self.built {
            built.apply(ground, change);
        }
    }

    /// Follows changes of some cells of the ground, such as obstacles added or removed.
    /// All changed cells must be among them.
    pub fn update(&mut self, ground: &Ground, cells: impl IntoIterator<Item = Cell>) {
        if let Some(built) = &mut self.built {
            built.update(ground, cells);
        }
    }

    /// The hierarchy, if a query has needed it so far.
    #[must_use]
    pub fn get(&self) -> Option<&GridHierarchy> {
        self.built.as_ref()
    }
}

/// Every search over grids, with the memory of one thread.
///
/// The answer is a function of the ground's content and the query. It does not depend on
/// earlier queries, on the order of edits, or on when the hierarchy was built.
///
/// ```
/// use throng_grid::{Ground, Query};
/// use throng_hierarchy::{Algorithm, LazyHierarchy, PathSearcher};
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// let ground = Ground::new(&Map::empty(300, 300)?, MovementProfile::four_connected())?;
/// let (mut hierarchy, mut searcher) = (LazyHierarchy::default(), PathSearcher::default());
/// let ends = [Cell::new(3, 3), Cell::new(290, 150)];
/// let query = Query::new(&ends[..1], &ends[1..]);
///
/// hierarchy.prepare(&ground, Algorithm::Auto, &query);
/// let answer =
///     searcher.find(&ground, &hierarchy, Algorithm::Auto, &query, Budget::unlimited())?;
/// assert_eq!(answer.algorithm, Algorithm::Hierarchy);
/// assert!(answer.found().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathSearcher {
    astar: AStar,
    jps: Jps,
    first_discovered: FirstDiscovered,
    hierarchy: HierarchyMemory,
}

impl PathSearcher {
    /// Answers a query with the search that [`Algorithm::choose`] names.
    ///
    /// # Errors
    /// When the query is not valid on this ground; [`QueryError::GroundChanged`] when the
    /// hierarchy is needed but was not [prepared](LazyHierarchy::prepare) for this ground.
    pub fn find(
        &mut self,
        ground: &Ground,
        hierarchy: &LazyHierarchy,
        algorithm: Algorithm,
        query: &Query<'_>,
        budget: Budget<'_>,
    ) -> Result<PathAnswer, QueryError> {
        let algorithm = algorithm.choose(ground, query);
        let mut over_clusters;
        let search: &mut dyn PathSearch = match algorithm {
            Algorithm::Hierarchy => {
                let hierarchy = hierarchy.get().ok_or(QueryError::GroundChanged)?;
                over_clusters = HierarchySearch::new(hierarchy, &mut self.hierarchy);
                &mut over_clusters
            }
            Algorithm::Jps => &mut self.jps,
            Algorithm::FirstDiscovered => &mut self.first_discovered,
            Algorithm::AStar | Algorithm::Auto | Algorithm::Exact => &mut self.astar,
        };
        let answer = search.find(ground, query, budget)?;
        Ok(PathAnswer { answer, algorithm, expanded: search.expanded() })
    }
}
