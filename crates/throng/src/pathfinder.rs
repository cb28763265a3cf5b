//! Path queries on a map that changes. The search is chosen by map and query.

use throng_grid::{Ground, Query, QueryError};
use throng_hierarchy::{Algorithm, LazyHierarchy, PathAnswer, PathSearcher};
use throng_model::{
    Budget, Cell, Change, Map, MapError, MovementError, MovementProfile, Rect, TerrainId,
};

/// A map, its ground for one movement profile, and all searches over it.
///
/// Edits of the map reach the ground and the hierarchy at once. [`Algorithm`] chooses the
/// search; the answer says which one it was.
///
/// Clone it for another thread. Where several profiles share one map, keep the map yourself,
/// with a [`Ground`], a [`LazyHierarchy`] and a [`PathSearcher`] for each.
///
/// ```
/// use throng::prelude::*;
/// let mut map = Map::empty(30, 30)?;
/// let swamp = map.add_class(TerrainClass::passable("swamp", 'S', Factor::new(4)?))?;
/// map.fill(Rect::new(Cell::new(10, 0), 5, 29), swamp)?;
/// let hovering = vec![TerrainOverride { terrain: swamp, factor: Some(Factor::ONE) }];
/// let hovercraft = MovementProfile { terrain: hovering, ..MovementProfile::eight_connected() };
/// let (from, to) = (Cell::new(0, 5), Cell::new(29, 5));
///
/// let mut on_foot = Pathfinder::new(map.clone(), MovementProfile::eight_connected())?;
/// let mut on_air = Pathfinder::new(map, hovercraft)?;
/// let cost = |finder: &mut Pathfinder| finder.path(from, to).map(|answer| answer.found());
/// assert!(cost(&mut on_air)?.map(|path| path.cost) < cost(&mut on_foot)?.map(|path| path.cost));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pathfinder {
    map: Map,
    ground: Ground,
    hierarchy: LazyHierarchy,
    searcher: PathSearcher,
    algorithm: Algorithm,
}

impl Pathfinder {
    /// A pathfinder for units with this movement profile.
    ///
    /// # Errors
    /// When the profile is invalid.
    pub fn new(map: Map, movement: MovementProfile) -> Result<Self, MovementError> {
        let ground = Ground::new(&map, movement)?;
        let (hierarchy, searcher, algorithm) = Default::default();
        Ok(Self { map, ground, hierarchy, searcher, algorithm })
    }

    /// The same with another choice of search.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// A path between two cells: the shortest, or nearly so over the hierarchy.
    ///
    /// Choose [`Algorithm::Exact`] if it must be the shortest on every map.
    ///
    /// # Errors
    /// When a unit cannot stand on one of them.
    pub fn path(&mut self, from: Cell, to: Cell) -> Result<PathAnswer, QueryError> {
        self.find(&Query::new(&[from], &[to]), Budget::unlimited())
    }

    /// Answers any query: many starts, many goals, a weight, a budget.
    ///
    /// # Errors
    /// When the query is not valid on this map, for example because a unit cannot stand on any
    /// of its starts.
    pub fn find(
        &mut self,
        query: &Query<'_>,
        budget: Budget<'_>,
    ) -> Result<PathAnswer, QueryError> {
        self.prepare(query);
        let Self { ground, hierarchy, searcher, algorithm, .. } = self;
        searcher.find(ground, hierarchy, *algorithm, query, budget)
    }

    /// Builds the hierarchy now if this query would need it, so that `find` need not.
    pub fn prepare(&mut self, query: &Query<'_>) {
        self.hierarchy.prepare(&self.ground, self.algorithm, query);
    }

    /// The map as it is now.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The ground of the movement profile: where units can stand, and the cost factors.
    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Adds an obstacle that is not part of the map, as [`Ground::add_obstacle`].
    pub fn add_obstacle(&mut self, cell: Cell) {
        self.ground.add_obstacle(cell);
        self.hierarchy.update(&self.ground, [cell]);
    }

    /// Removes one obstacle from a cell, as [`Ground::remove_obstacle`].
    pub fn remove_obstacle(&mut self, cell: Cell) {
        self.ground.remove_obstacle(cell);
        self.hierarchy.update(&self.ground, [cell]);
    }

    /// Adds a terrain class to the map.
    ///
    /// # Errors
    /// When there are too many.
    pub fn add_class(&mut self, class: throng_model::TerrainClass) -> Result<TerrainId, MapError> {
        self.map.add_class(class)
    }

    /// Edits one cell.
    ///
    /// # Errors
    /// As [`Map::set`]; nothing is changed then.
    pub fn set(&mut self, cell: Cell, terrain: TerrainId) -> Result<Change, MapError> {
        self.paint(&[cell], terrain)
    }

    /// Edits a rectangle of cells.
    ///
    /// # Errors
    /// As [`Map::fill`]; nothing is changed then.
    pub fn fill(&mut self, rect: Rect, terrain: TerrainId) -> Result<Change, MapError> {
        let change = self.map.fill(rect, terrain)?;
        self.apply(&change);
        Ok(change)
    }

    /// Edits any cells.
    ///
    /// # Errors
    /// As [`Map::paint`]; nothing is changed then.
    pub fn paint(&mut self, cells: &[Cell], terrain: TerrainId) -> Result<Change, MapError> {
        let change = self.map.paint(cells, terrain)?;
        self.apply(&change);
        Ok(change)
    }

    /// Updates everything that is derived from the map.
    fn apply(&mut self, change: &Change) {
        self.ground.apply(&self.map, change);
        self.hierarchy.apply(&self.ground, change);
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{Factor, TerrainClass};

    use super::*;

    /// A large map with terrain, on which `Auto` takes the hierarchy.
    fn finder() -> (Pathfinder, TerrainId) {
        let mut map = Map::empty(260, 260).unwrap();
        let mud = TerrainClass::passable("mud", 'm', Factor::new(3).unwrap());
        let mud = map.add_class(mud).unwrap();
        map.fill(Rect::new(Cell::new(40, 0), 30, 250), mud).unwrap();
        (Pathfinder::new(map, MovementProfile::eight_connected()).unwrap(), mud)
    }

    /// Answers do not depend on what was asked before, nor on when the hierarchy was built.
    #[test]
    fn answers_depend_on_map_and_query_alone() {
        let (from, to) = (Cell::new(1, 1), Cell::new(250, 9));
        let (mut early, mud) = finder();
        let (mut late, _) = finder();
        early.path(to, from).unwrap();
        for finder in [&mut early, &mut late] {
            finder.fill(Rect::new(Cell::new(100, 0), 1, 200), Map::WALL).unwrap();
            finder.set(Cell::new(101, 220), mud).unwrap();
            finder.add_obstacle(Cell::new(100, 200));
            finder.add_obstacle(Cell::new(100, 230));
            finder.remove_obstacle(Cell::new(100, 230));
        }
        let answer = early.path(from, to).unwrap();
        assert_eq!(answer.algorithm, Algorithm::Hierarchy);
        assert_eq!(answer, late.path(from, to).unwrap());
        let best = late.with_algorithm(Algorithm::Exact).path(from, to).unwrap();
        assert_eq!(best.algorithm, Algorithm::AStar);
        let (path, best) = (answer.found().unwrap(), best.found().unwrap());
        assert!(path.cost >= best.cost && path.cost.0 < best.cost.0 * 11 / 10);
    }
}
