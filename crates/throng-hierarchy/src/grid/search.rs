//! Queries: first the way from cluster to cluster, then its steps, from the start on.

use throng_grid::{AStar, Ground, Path, PathSearch, Query, QueryError, SearchStatus};
use throng_model::{Budget, Cell, Cost};

use super::ends::take_ends;
use super::hierarchy::GridHierarchy;
use super::overlay::{Overlay, Progress, Route};
use super::refine::{self, Inner};
use super::windows::Windows;

/// Paths up to this cost are compared with A*'s: they are the ones that gates spoil most, and
/// a search that knows a bound so low is soon done.
const NEAR: Cost = Cost(176 * throng_model::STRAIGHT);
/// Only a path that is shorter by more than one part in this many is worth looking for: it
/// takes A* far less time to know that there is none.
const WORTHWHILE: u64 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Idle,
    /// From cluster to cluster.
    Routing,
    /// Making steps of the way found.
    Refining,
    /// A* has to say: what was asked needs the exact answer.
    Exact,
    /// The path is there, and near: A* looks for one that is shorter by far.
    Comparing,
    Done(SearchStatus),
}

/// What searches need besides the hierarchy. One for each thread, used again and again.
#[derive(Clone, Debug, Default)]
pub struct HierarchyMemory {
    stage: Stage,
    fingerprint: u64,
    overlay: Overlay,
    inner: Inner,
    windows: Windows,
    exact: AStar,
    cost_max: Cost,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    route: Route,
    /// Exits of the route that steps lead through.
    legs: usize,
    path: Path,
    /// What A* expanded to find no path that is shorter by far.
    compared: u64,
    asked_exact: u64,
}

/// A search over a hierarchy.
///
/// Complete; not optimal, but close to it. A [`Query::weight`] changes nothing. Queries for
/// the nearest cell, and those that find nothing as cheap as was asked for, are left to A*.
///
/// With a small budget it stops after each part: [`steps`](Self::steps) can be walked while
/// the rest is still to be found.
#[derive(Debug)]
pub struct HierarchySearch<'a> {
    hierarchy: &'a GridHierarchy,
    memory: &'a mut HierarchyMemory,
}

impl<'a> HierarchySearch<'a> {
    /// A search over this hierarchy. What the memory holds of a query that was begun over the
    /// same is gone on with.
    #[must_use]
    pub fn new(hierarchy: &'a GridHierarchy, memory: &'a mut HierarchyMemory) -> Self {
        Self { hierarchy, memory }
    }

    /// The steps known so far, from the start on. They stay as they are.
    #[must_use]
    pub fn steps(&self) -> &[Cell] {
        match self.memory.stage {
            Stage::Idle | Stage::Exact | Stage::Comparing => &[],
            _ => &self.memory.path.cells,
        }
    }

    /// How many clusters the way leads through that was found, its refinement left aside.
    #[must_use]
    pub fn clusters_on_route(&self) -> usize {
        self.memory.route.exits.len() + 1
    }

    fn ask_exact(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.memory.exact.begin(ground, query)?;
        self.memory.stage = Stage::Exact;
        Ok(())
    }

    fn refine(&mut self, budget: u64) -> Option<SearchStatus> {
        let limit = self.memory.windows.expanded().saturating_add(budget);
        while self.memory.stage == Stage::Refining {
            if self.memory.windows.expanded() >= limit {
                return Some(SearchStatus::BudgetSpent);
            }
            self.refine_window()?;
        }
        Some(SearchStatus::Found)
    }

    /// Makes the next part of the path exact. `None` cannot happen while the hierarchy shows
    /// the ground.
    fn refine_window(&mut self) -> Option<()> {
        let Self { hierarchy, memory } = self;
        memory.look_ahead(hierarchy)?;
        let is_complete = memory.is_complete();
        let is_last = memory.windows.advance(&hierarchy.plane, is_complete, &mut memory.path.cells);
        if is_last {
            memory.stage = Stage::Done(SearchStatus::Found);
        }
        Some(())
    }
}

impl HierarchyMemory {
    /// How many queries between cells that are joined had no answer from cluster to cluster,
    /// so that A* had to find it, as slow as it is. Never, as long as paths cost less than
    /// 2^30 parts of a step.
    #[must_use]
    pub fn asked_exact(&self) -> u64 {
        self.asked_exact
    }

    /// Whether steps lead to the goal.
    fn is_complete(&self) -> bool {
        self.legs > self.route.exits.len()
    }

    /// Adds steps until there are enough for a window.
    fn look_ahead(&mut self, hierarchy: &GridHierarchy) -> Option<()> {
        while self.windows.wants_more() && !self.is_complete() {
            let (route, legs, ahead) = (&self.route, self.legs, &mut self.windows.ahead);
            let from = *ahead.last()?;
            let crossing = |leg: usize| Some(route.exits.get(leg)?.crossing(hierarchy));
            let before = legs.checked_sub(1).and_then(crossing);
            let found = match (before, crossing(legs)) {
                (None, Some(exit)) => refine::leave(hierarchy, from, exit, ahead),
                (Some(before), Some(exit)) => refine::cross(hierarchy, before.to, exit, ahead),
                (Some(before), None) => refine::enter(hierarchy, before.to, route.goal, ahead),
                (None, None) => {
                    self.inner.find(&hierarchy.plane, from, route.goal, ahead).is_some()
                }
            };
            if !found {
                return None;
            }
            self.legs += 1;
        }
        Some(())
    }

    fn begin_refining(&mut self) {
        self.overlay.route(&mut self.route);
        self.legs = 0;
        self.windows.ahead.push(self.route.start);
        self.path.cells.clear();
        self.path.cells.push(self.route.start);
        self.path.cost = Cost::ZERO;
        self.stage = Stage::Refining;
    }
}

impl PathSearch for HierarchySearch<'_> {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.memory.stage = Stage::Idle;
        if !self.hierarchy.is_current(ground) {
            return Err(QueryError::GroundChanged);
        }
        let memory = &mut *self.memory;
        memory.fingerprint = ground.fingerprint();
        memory.cost_max = query.cost_max;
        memory.windows.reset();
        memory.overlay.expanded = 0;
        memory.compared = 0;
        if !take_ends(ground, query, &mut memory.starts, &mut memory.goals) {
            // What exactly is wrong with the query, and what is nearest, A* knows best.
            return self.ask_exact(ground, query);
        }
        memory.overlay.begin(self.hierarchy, &memory.starts, &memory.goals);
        memory.path.cells.clear();
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
            match self.memory.overlay.run(self.hierarchy, most) {
                Progress::Running => return Ok(SearchStatus::BudgetSpent),
                Progress::Found => self.memory.begin_refining(),
                Progress::Exhausted => {
                    // There is a way, if one dearer than the overlay can count.
                    let HierarchyMemory {
                        starts, goals, cost_max, exact, stage, asked_exact, ..
                    } = self.memory;
                    exact.begin(ground, &Query::new(starts, goals).with_cost_max(*cost_max))?;
                    *stage = Stage::Exact;
                    *asked_exact += 1;
                }
            }
        }
        if self.memory.stage == Stage::Refining {
            let left = most.saturating_sub(self.expanded() - before);
            match self.refine(left) {
                Some(SearchStatus::Found) => self.finish(ground)?,
                Some(status) => return Ok(status),
                None => return Err(QueryError::GroundChanged),
            }
        }
        match self.memory.stage {
            Stage::Exact => self.memory.exact.run(ground, budget),
            Stage::Comparing => self.compare(ground, budget),
            Stage::Done(status) => Ok(status),
            _ => Err(QueryError::GroundChanged),
        }
    }

    fn path_into(&self, ground: &Ground, path: &mut Path) -> bool {
        match self.memory.stage {
            Stage::Exact => self.memory.exact.path_into(ground, path),
            Stage::Done(SearchStatus::Found) => {
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
        path.cells.extend_from_slice(match self.memory.stage {
            Stage::Comparing => &self.memory.path.cells,
            _ => self.steps(),
        });
        path.cost = ground.path_cost(&path.cells).unwrap_or_default();
        !path.cells.is_empty()
    }

    fn expanded(&self) -> u64 {
        let exact = match self.memory.stage {
            Stage::Exact | Stage::Comparing => self.memory.exact.expanded(),
            _ => self.memory.compared,
        };
        self.memory.overlay.expanded + self.memory.windows.expanded() + exact
    }
}

impl HierarchySearch<'_> {
    /// Adds up the path. If it is near, or dearer than was asked for, A* has the last word.
    fn finish(&mut self, ground: &Ground) -> Result<(), QueryError> {
        let HierarchyMemory { path, starts, goals, exact, cost_max, stage, .. } = self.memory;
        path.cost = self.hierarchy.plane.cost(&path.cells);
        let (bound, next) = if path.cost > *cost_max {
            (*cost_max, Stage::Exact)
        } else if path.cost <= NEAR {
            (Cost(path.cost.0 - path.cost.0 / WORTHWHILE), Stage::Comparing)
        } else {
            *stage = Stage::Done(SearchStatus::Found);
            return Ok(());
        };
        exact.begin(ground, &Query::new(starts, goals).with_cost_max(bound))?;
        *stage = next;
        Ok(())
    }

    /// Takes A*'s path if there is one that is shorter by far, else the one that is there.
    fn compare(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<SearchStatus, QueryError> {
        let status = self.memory.exact.run(ground, budget)?;
        match status {
            SearchStatus::BudgetSpent | SearchStatus::Interrupted => return Ok(status),
            SearchStatus::Found => self.memory.stage = Stage::Exact,
            SearchStatus::Exhausted | SearchStatus::CostLimit => {
                self.memory.compared = self.memory.exact.expanded();
                self.memory.stage = Stage::Done(SearchStatus::Found);
            }
        }
        Ok(SearchStatus::Found)
    }
}
