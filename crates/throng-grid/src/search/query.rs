//! Queries, answers, and the trait of path searches.

use throng_model::{Budget, Cell, CellIndex, Cost, SearchStatus, Weight};

use crate::Ground;

/// From any of these cells to any of those, in one search.
///
/// Cells on which the unit cannot stand are skipped, as blocked doors are; only when none
/// is left is the query refused.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Where the path may start.
    pub starts: &'a [Cell],
    /// Where it may end.
    pub goals: &'a [Cell],
    /// How many times the cost of the best path the answer may cost.
    pub weight: Weight,
    /// The cost limit: paths that cost more are of no use, and the search ends when it can
    /// find no others.
    pub cost_max: Cost,
    /// Whether to search for the path to the nearest cell when no goal can be reached, also
    /// when the goal itself is blocked. Costs a search of everything that can be reached.
    pub nearest_if_unreachable: bool,
}

impl<'a> Query<'a> {
    /// The best path from any start to any goal.
    #[must_use]
    pub fn new(starts: &'a [Cell], goals: &'a [Cell]) -> Self {
        Self {
            starts,
            goals,
            weight: Weight::ONE,
            cost_max: Cost::MAX,
            nearest_if_unreachable: false,
        }
    }

    /// The same, for paths that cost no more than this.
    #[must_use]
    pub fn with_cost_max(self, cost_max: Cost) -> Self {
        Self { cost_max, ..self }
    }

    /// The same with a weight.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// The same, asking for the path to the nearest cell if no goal can be reached.
    #[must_use]
    pub fn or_nearest(self) -> Self {
        Self { nearest_if_unreachable: true, ..self }
    }
}

/// A path over the grid, one cell per step, and what it costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// From start to goal, both included.
    pub cells: Vec<Cell>,
    /// The sum of its steps.
    pub cost: Cost,
}

impl Path {
    /// Empties it, for the next one.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.cost = Cost::ZERO;
    }

    /// Where it starts.
    #[must_use]
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// Where it ends.
    #[must_use]
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }
}

/// What came of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A path from a start to a goal.
    Found(Path),
    /// There is no path: proven. With the path to the nearest cell, if that was asked for.
    Unreachable {
        /// The path to the cell nearest to a goal by the estimate.
        nearest: Option<Path>,
    },
    /// There is no path within the cost limit: proven. Only for queries with a
    /// [`cost_max`](Query::cost_max).
    CostLimit,
    /// The budget was spent first. With the path to the nearest cell seen so far.
    BudgetSpent {
        /// The path to the cell nearest to a goal by the estimate.
        nearest: Path,
        /// Whether it was the interrupt, so that another run may come further.
        interrupted: bool,
    },
}

impl Answer {
    /// The complete path, if there is one.
    #[must_use]
    pub fn found(self) -> Option<Path> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }
}

/// Why a query cannot be answered at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// No start or no goal was given.
    #[error("no {0} was given; give at least one cell")]
    Missing(&'static str),
    /// The unit cannot stand on any of the starts or goals.
    #[error("{end} {cell} is {what}{more}; choose a cell where the unit can stand")]
    Blocked {
        /// `start` or `goal`.
        end: &'static str,
        /// The first of them.
        cell: Cell,
        /// `blocked` or `off the map`.
        what: &'static str,
        /// ` (and N more)` if there were several.
        more: String,
    },
    /// The search cannot run on this ground.
    #[error("{0}")]
    Unsupported(&'static str),
    /// No query was begun, or the ground has changed since then.
    #[error("no query was begun on this ground, or it has changed since; begin the query again")]
    GroundChanged,
}

/// The cells among `given` on which a unit can stand, into `usable`; if there are none, and
/// blocked ones do too, all that are on the map.
pub(crate) fn usable_cells(
    ground: &Ground,
    end: &'static str,
    given: &[Cell],
    blocked_too: bool,
    usable: &mut Vec<CellIndex>,
) -> Result<(), QueryError> {
    usable.clear();
    let standable = given.iter().filter(|&&cell| ground.can_stand(cell));
    usable.extend(standable.filter_map(|&cell| ground.index(cell)));
    if usable.is_empty() && blocked_too {
        usable.extend(given.iter().filter_map(|&cell| ground.index(cell)));
    }
    match given {
        [] => Err(QueryError::Missing(end)),
        &[cell, ref rest @ ..] if usable.is_empty() => {
            let more = match rest.len() {
                0 => String::new(),
                n => format!(" (and {n} more)"),
            };
            let what = if ground.index(cell).is_some() { "blocked" } else { "off the map" };
            Err(QueryError::Blocked { end, cell, what, more })
        }
        _ => Ok(()),
    }
}

/// A search that owns its memory, can be sliced over frames, limited and cancelled.
///
/// [`find`](Self::find) answers in one call. For slices: [`begin`](Self::begin), then
/// [`run`](Self::run) with a small budget each frame while it says that the budget is spent,
/// then [`path`](Self::path). To cancel, just begin another.
///
/// ```
/// use throng_model::{Budget, Cell, Map, MovementProfile, SearchStatus};
/// use throng_grid::{AStar, Ground, PathSearch, Query};
/// let ground = Ground::new(&Map::empty(300, 200)?, MovementProfile::eight_connected())?;
/// let (start, goal) = ([Cell::new(3, 3)], [Cell::new(290, 150)]);
/// let mut search = AStar::default();
/// search.begin(&ground, &Query::new(&start, &goal))?;
/// let mut frames = 1;
/// while search.run(&ground, Budget::expansions(50))? == SearchStatus::BudgetSpent {
///     frames += 1; // the game goes on
/// }
/// assert!(frames > 3);
/// assert!(search.path(&ground).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PathSearch {
    /// Sets up a query; forgets the one before.
    ///
    /// # Errors
    /// When the query is not valid on this ground.
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError>;

    /// Goes on with the query that was begun, within the budget.
    ///
    /// # Errors
    /// When the ground has changed since.
    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<SearchStatus, QueryError>;

    /// Writes the path found over `path`, whose memory is used again; false, with `path`
    /// emptied, while there is none.
    fn path_into(&self, ground: &Ground, path: &mut Path) -> bool;

    /// The same for the path to the cell nearest to a goal, by the estimate, among all seen
    /// so far.
    fn nearest_into(&self, ground: &Ground, path: &mut Path) -> bool;

    /// The path found, once there is one.
    fn path(&self, ground: &Ground) -> Option<Path> {
        let mut path = Path::default();
        self.path_into(ground, &mut path).then_some(path)
    }

    /// The path to the cell nearest to a goal, by the estimate, among all seen so far.
    fn nearest(&self, ground: &Ground) -> Option<Path> {
        let mut path = Path::default();
        self.nearest_into(ground, &mut path).then_some(path)
    }

    /// Nodes expanded for this query.
    fn expanded(&self) -> u64;

    /// Begins and runs a query.
    ///
    /// # Errors
    /// When the query is not valid on this ground.
    fn find(
        &mut self,
        ground: &Ground,
        query: &Query<'_>,
        budget: Budget<'_>,
    ) -> Result<Answer, QueryError> {
        self.begin(ground, query)?;
        let status = self.run(ground, budget)?;
        Ok(match status {
            SearchStatus::Found => Answer::Found(self.path(ground).unwrap_or_default()),
            SearchStatus::Exhausted => {
                let asked = query.nearest_if_unreachable;
                let nearest = if asked { self.nearest(ground) } else { None };
                Answer::Unreachable { nearest }
            }
            SearchStatus::CostLimit => Answer::CostLimit,
            SearchStatus::BudgetSpent | SearchStatus::Interrupted => Answer::BudgetSpent {
                nearest: self.nearest(ground).unwrap_or_default(),
                interrupted: status == SearchStatus::Interrupted,
            },
        })
    }
}

/// Drops starts and goals that no path joins. Owns its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relevance {
    from: Vec<u32>,
    to: Vec<u32>,
}

impl Relevance {
    /// Drops starts from which no goal can be reached, and goals that no start can reach.
    /// Leaves both alone, and says false, when nothing can be reached at all.
    pub(crate) fn filter(
        &mut self,
        ground: &Ground,
        starts: &mut Vec<CellIndex>,
        goals: &mut Vec<CellIndex>,
    ) -> bool {
        let label = |&cell: &CellIndex| ground.components().label(cell);
        for (labels, cells) in [(&mut self.from, &starts), (&mut self.to, &goals)] {
            labels.clear();
            labels.extend(cells.iter().map(label));
            labels.sort_unstable();
        }
        if !self.from.iter().any(|label| self.to.binary_search(label).is_ok()) {
            return false;
        }
        starts.retain(|start| self.to.binary_search(&label(start)).is_ok());
        goals.retain(|goal| self.from.binary_search(&label(goal)).is_ok());
        true
    }
}
