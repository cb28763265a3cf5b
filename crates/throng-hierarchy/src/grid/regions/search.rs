//! Queries: first the way from region to region, then its steps, from the start on.

use throng_grid::{AStar, Ground, Path, PathSearch, Query, QueryError, SearchStatus};
use throng_model::{Budget, Cell, Cost};

use super::Regions;
use super::route::{Leg, Route, RouteSearch};
use crate::grid::ends::take_ends;
use crate::grid::windows::Windows;

/// Paths up to this cost are left to A*: they are the ones that doors spoil most, and a
/// search that knows a bound so low is soon done.
const NEAR: Cost = Cost(48 * throng_model::STRAIGHT);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Idle,
    /// From region to region.
    Routing,
    /// Making steps of the way found.
    Refining,
    /// A* has to say.
    Exact,
    Found,
}

/// What searches need besides the regions. One for each thread, used again and again.
#[derive(Clone, Debug, Default)]
pub struct RegionMemory {
    stage: Stage,
    fingerprint: u64,
    search: RouteSearch,
    windows: Windows,
    exact: AStar,
    cost_max: Cost,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    route: Route,
    /// Legs of the route of which steps were made.
    legs: usize,
    leg: Vec<Cell>,
    path: Path,
}

/// A search over regions.
///
/// Complete; not optimal, but close to it. A [`Query::weight`] changes nothing. Queries
/// within one region, for the nearest cell, and those that find nothing as cheap as was
/// asked for are left to A*.
///
/// With a small budget it stops after each part: [`steps`](Self::steps) can be walked while
/// the rest is still to be found.
///
/// ```
/// use throng_hierarchy::{RegionMemory, RegionSearch, Regions};
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// use throng_grid::{Ground, PathSearch, Query};
/// let ground = Ground::new(&Map::empty(300, 200)?, MovementProfile::eight_connected())?;
/// let regions = Regions::new(&ground);
/// let mut memory = RegionMemory::default();
/// let mut search = RegionSearch::new(&regions, &mut memory);
/// let ends = [Cell::new(3, 3), Cell::new(290, 150)];
/// let query = Query::new(&ends[..1], &ends[1..]);
/// let path = search.find(&ground, &query, Budget::unlimited())?.found().ok_or("no way")?;
/// assert!(path.cost.in_cells() < 1.05 * 347.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RegionSearch<'a> {
    regions: &'a Regions,
    memory: &'a mut RegionMemory,
}

impl<'a> RegionSearch<'a> {
    /// A search over these regions. What the memory holds of a query that was begun over the
    /// same is gone on with.
    #[must_use]
    pub fn new(regions: &'a Regions, memory: &'a mut RegionMemory) -> Self {
        Self { regions, memory }
    }

    /// The steps known so far, from the start on. They stay as they are, unless A* finds a
    /// shorter way to a near goal.
    #[must_use]
    pub fn steps(&self) -> &[Cell] {
        match self.memory.stage {
            Stage::Idle | Stage::Exact => &[],
            _ => &self.memory.path.cells,
        }
    }

    fn ask_exact(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.memory.exact.begin(ground, query)?;
        self.memory.stage = Stage::Exact;
        Ok(())
    }

    /// Asks A* for the ends between which there is a way.
    fn ask_exact_again(&mut self, ground: &Ground, cost_max: Cost) -> Result<(), QueryError> {
        let RegionMemory { exact, starts, goals, stage, .. } = self.memory;
        exact.begin(ground, &Query::new(starts, goals).with_cost_max(cost_max))?;
        *stage = Stage::Exact;
        Ok(())
    }

    fn begin_refining(&mut self, ground: &Ground) -> Result<(), QueryError> {
        let memory = &mut *self.memory;
        if !memory.search.route(self.regions, &mut memory.route) {
            return self.ask_exact_again(ground, self.memory.cost_max);
        }
        memory.legs = 0;
        memory.windows.ahead.push(memory.route.start);
        memory.path.cells.push(memory.route.start);
        memory.stage = Stage::Refining;
        Ok(())
    }

    /// Makes steps until the path is complete, or so many cells were looked at: then false.
    fn refine(&mut self, ground: &Ground, budget: u64) -> Result<bool, QueryError> {
        let limit = self.memory.windows.expanded().saturating_add(budget);
        while self.memory.stage == Stage::Refining {
            if self.memory.windows.expanded() >= limit {
                return Ok(false);
            }
            self.refine_window().ok_or(QueryError::GroundChanged)?;
        }
        self.finish(ground)?;
        Ok(true)
    }

    /// Makes the next part of the path exact. `None` cannot happen while the regions show
    /// the ground.
    fn refine_window(&mut self) -> Option<()> {
        let Self { regions, memory } = self;
        memory.look_ahead(regions)?;
        let is_complete = memory.is_complete();
        let is_last = memory.windows.advance(&regions.plane, is_complete, &mut memory.path.cells);
        if is_last {
            memory.stage = Stage::Found;
        }
        Some(())
    }

    /// Adds up the path. If it is near, or dearer than was asked for, A* has the last word.
    fn finish(&mut self, ground: &Ground) -> Result<(), QueryError> {
        let RegionMemory { path, cost_max, .. } = self.memory;
        path.cost = self.regions.plane.cost(&path.cells);
        let bound = path.cost.min(*cost_max);
        if path.cost <= NEAR || path.cost > *cost_max {
            self.ask_exact_again(ground, bound)?;
        }
        Ok(())
    }
}

impl RegionMemory {
    /// Whether steps lead to the goal.
    fn is_complete(&self) -> bool {
        self.legs >= self.route.legs.len()
    }

    /// Adds steps until there are enough for a window.
    fn look_ahead(&mut self, regions: &Regions) -> Option<()> {
        while self.windows.wants_more() && !self.is_complete() {
            self.add_leg(regions, self.route.legs[self.legs])?;
            self.legs += 1;
        }
        Some(())
    }

    /// Adds the steps of a leg, after the cell where it begins, which is there already.
    fn add_leg(&mut self, regions: &Regions, leg: Leg) -> Option<()> {
        let region = regions.get(leg.region)?;
        match (leg.from, leg.out) {
            (None, Some((row, _))) => {
                regions.walk(region, row.into(), self.route.start, &mut self.leg)?;
            }
            (Some(from), out) => {
                let end = match out {
                    Some((row, _)) => region.door(row.into())?,
                    None => self.route.goal,
                };
                regions.walk(region, from.into(), end, &mut self.leg)?;
                self.leg.reverse();
            }
            (None, None) => return None,
        }
        self.windows.ahead.extend_from_slice(&self.leg[1..]);
        self.windows.ahead.extend(leg.out.map(|(_, beyond)| beyond));
        Some(())
    }
}

impl PathSearch for RegionSearch<'_> {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.memory.stage = Stage::Idle;
        if !self.regions.is_current(ground) {
            return Err(QueryError::GroundChanged);
        }
        let memory = &mut *self.memory;
        memory.fingerprint = ground.fingerprint();
        memory.cost_max = query.cost_max;
        memory.windows.reset();
        memory.search.expanded = 0;
        memory.path.cells.clear();
        if !take_ends(ground, query, &mut memory.starts, &mut memory.goals) {
            // What exactly is wrong with the query, and what is nearest, A* knows best.
            return self.ask_exact(ground, query);
        }
        if !memory.search.begin(self.regions, &memory.starts, &memory.goals) {
            return self.ask_exact_again(ground, query.cost_max);
        }
        memory.stage = Stage::Routing;
        Ok(())
    }

    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<SearchStatus, QueryError> {
        if self.memory.fingerprint != ground.fingerprint() {
            return Err(QueryError::GroundChanged);
        }
        if budget.is_interrupted() {
            return Ok(SearchStatus::Interrupted);
        }
        let most = budget.expansions.unwrap_or(u64::MAX);
        let before = self.expanded();
        if self.memory.stage == Stage::Routing {
            if !self.memory.search.run(self.regions, most) {
                return Ok(SearchStatus::BudgetSpent);
            }
            self.begin_refining(ground)?;
        }
        if self.memory.stage == Stage::Refining {
            let left = most.saturating_sub(self.expanded() - before);
            if !self.refine(ground, left)? {
                return Ok(SearchStatus::BudgetSpent);
            }
        }
        match self.memory.stage {
            Stage::Exact => self.memory.exact.run(ground, budget),
            Stage::Found => Ok(SearchStatus::Found),
            _ => Err(QueryError::GroundChanged),
        }
    }

    fn path_into(&self, ground: &Ground, path: &mut Path) -> bool {
        match self.memory.stage {
            Stage::Exact => self.memory.exact.path_into(ground, path),
            Stage::Found => {
                path.clone_from(&self.memory.path);
                true
            }
            _ => {
                *path = Path::default();
                false
            }
        }
    }

    fn nearest_into(&self, ground: &Ground, path: &mut Path) -> bool {
        if self.memory.stage == Stage::Exact {
            return self.memory.exact.nearest_into(ground, path);
        }
        path.cells.clear();
        path.cells.extend_from_slice(self.steps());
        path.cost = ground.path_cost(&path.cells).unwrap_or_default();
        !path.cells.is_empty()
    }

    fn expanded(&self) -> u64 {
        let RegionMemory { stage, search, windows, exact, .. } = &*self.memory;
        let exact = if *stage == Stage::Exact { exact.expanded() } else { 0 };
        search.expanded + windows.expanded() + exact
    }
}
