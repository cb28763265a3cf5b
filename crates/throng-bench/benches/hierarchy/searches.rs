//! The compared searches over one ground: A*, jump point search and the hierarchy.

use throng_grid::{AStar, Ground, Jps, Path, PathSearch, Query};
use throng_hierarchy::{GridHierarchy, HierarchyMemory, HierarchySearch};
use throng_model::{Budget, Cell, Map, MovementProfile};

/// The searches over one ground. Their memory is reused.
pub(crate) struct Searches {
    pub(crate) ground: Ground,
    pub(crate) hierarchy: GridHierarchy,
    memory: HierarchyMemory,
    astar: AStar,
    jps: Jps,
}

impl Searches {
    pub(crate) fn new(map: &Map, movement: MovementProfile) -> Result<Self, String> {
        let ground = Ground::new(map, movement).map_err(|error| error.to_string())?;
        let hierarchy = GridHierarchy::new(&ground);
        Ok(Self {
            ground,
            hierarchy,
            memory: HierarchyMemory::default(),
            astar: AStar::default(),
            jps: Jps::default(),
        })
    }

    /// The queries that have an answer.
    pub(crate) fn answerable(&self, queries: &[(Cell, Cell)]) -> Vec<(Cell, Cell)> {
        let joined = |&&(from, to): &&(Cell, Cell)| self.ground.is_connected(from, to);
        queries.iter().filter(joined).copied().collect()
    }

    pub(crate) fn over_hierarchy(&mut self, (from, to): (Cell, Cell)) -> Option<Path> {
        let mut search = HierarchySearch::new(&self.hierarchy, &mut self.memory);
        let query = Query::new(std::slice::from_ref(&from), std::slice::from_ref(&to));
        search.find(&self.ground, &query, Budget::unlimited()).ok()?.found()
    }

    /// Searches until the first step is known.
    pub(crate) fn first_steps(&mut self, (from, to): (Cell, Cell)) -> usize {
        let mut search = HierarchySearch::new(&self.hierarchy, &mut self.memory);
        let query = Query::new(std::slice::from_ref(&from), std::slice::from_ref(&to));
        if search.begin(&self.ground, &query).is_err() {
            return 0;
        }
        while search.steps().len() < 2 {
            match search.run(&self.ground, Budget::expansions(64)) {
                Ok(throng_grid::SearchStatus::BudgetSpent) => {}
                _ => break,
            }
        }
        search.steps().len()
    }

    pub(crate) fn exactly(&mut self, (from, to): (Cell, Cell)) -> Option<Path> {
        let query = Query::new(std::slice::from_ref(&from), std::slice::from_ref(&to));
        self.astar.find(&self.ground, &query, Budget::unlimited()).ok()?.found()
    }

    pub(crate) fn by_jumps(&mut self, (from, to): (Cell, Cell)) -> Option<Path> {
        let query = Query::new(std::slice::from_ref(&from), std::slice::from_ref(&to));
        self.jps.find(&self.ground, &query, Budget::unlimited()).ok()?.found()
    }
}
