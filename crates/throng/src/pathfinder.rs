//! Path queries on a map that changes, with the right search chosen.

use throng_grid::{AStar, Answer, Ground, Jps, PathSearch, Query, QueryError};
use throng_model::{
    Budget, Cell, Change, Map, MapError, MovementError, MovementProfile, Rect, TerrainId,
};

/// Which search answers a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Jump point search where it can be used, A* elsewhere.
    #[default]
    Auto,
    /// A*, always possible.
    AStar,
    /// Jump point search; queries it cannot answer are refused.
    Jps,
}

/// A map, the ground that one kind of unit sees of it, and the searches, with their memory.
///
/// Clone it for another thread. Where several kinds of unit share one map, keep the map
/// yourself, with a [`Ground`] for each kind that follows its edits by [`Ground::apply`].
///
/// ```
/// use throng::{Cell, Factor, Map, MovementProfile, Pathfinder, TerrainClass, TerrainOverride};
/// let mut map = Map::empty(30, 30)?;
/// let swamp = map.add_class(TerrainClass::passable("swamp", 'S', Factor::new(4)?))?;
/// map.fill(throng::Rect::new(Cell::new(10, 0), 5, 29), swamp)?;
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
    astar: AStar,
    jps: Jps,
    algorithm: Algorithm,
    expanded: u64,
}

impl Pathfinder {
    /// A pathfinder for units that move like this.
    ///
    /// # Errors
    /// When the movement makes no sense.
    pub fn new(map: Map, movement: MovementProfile) -> Result<Self, MovementError> {
        let ground = Ground::new(&map, movement)?;
        let (astar, jps) = (AStar::default(), Jps::default());
        Ok(Self { map, ground, astar, jps, algorithm: Algorithm::Auto, expanded: 0 })
    }

    /// The same with a search chosen by hand.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The best path between two cells.
    ///
    /// # Errors
    /// When a unit cannot stand on one of them.
    pub fn path(&mut self, from: Cell, to: Cell) -> Result<Answer, QueryError> {
        self.find(&Query::new(&[from], &[to]), Budget::unlimited())
    }

    /// Answers any query: many starts, many goals, a weight, a budget.
    ///
    /// # Errors
    /// When the query makes no sense on this map.
    pub fn find(&mut self, query: &Query<'_>, budget: Budget<'_>) -> Result<Answer, QueryError> {
        let search: &mut dyn PathSearch = match self.algorithm {
            Algorithm::Jps => &mut self.jps,
            Algorithm::Auto if Jps::suits(&self.ground) && !query.nearest_if_unreachable => {
                &mut self.jps
            }
            Algorithm::Auto | Algorithm::AStar => &mut self.astar,
        };
        let answer = search.find(&self.ground, query, budget);
        self.expanded = search.expanded();
        answer
    }

    /// Nodes that the last query expanded.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The map as it is now.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What the units can stand on now.
    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The ground, for obstacles that come and go.
    pub fn ground_mut(&mut self) -> &mut Ground {
        &mut self.ground
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
        self.ground.apply(&self.map, &change);
        Ok(change)
    }

    /// Edits any cells.
    ///
    /// # Errors
    /// As [`Map::paint`]; nothing is changed then.
    pub fn paint(&mut self, cells: &[Cell], terrain: TerrainId) -> Result<Change, MapError> {
        let change = self.map.paint(cells, terrain)?;
        self.ground.apply(&self.map, &change);
        Ok(change)
    }
}
