//! Queries over the hierarchy: an abstract path first, then its refinement from the start on.

use throng_grid::{AStar, Ground, Path, PathSearch, Query, QueryError, SearchStatus};
use throng_model::{Budget, Cell, Cost};

use crate::abstract_search::{AbstractPath, AbstractSearch, AbstractStatus};
use crate::hierarchy::GridHierarchy;
use crate::layout::ClusteredGround;
use crate::refinement::{self, LocalSearch};
use crate::section_refiner::SectionRefiner;

/// Paths up to this cost are compared with A*. Transitions lengthen short paths most, and A*
/// with so low a bound is fast.
const SHORT_PATH: Cost = Cost(176 * throng_model::STRAIGHT);
/// A* then looks only for a path that is shorter by more than one part in this many. It proves
/// that there is none in far less time than it would take to find the shortest.
const GAIN_PARTS: u64 = 16;

/// How far a query has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Idle,
    /// The abstract search runs.
    Abstract,
    /// The abstract path is being refined.
    Refining,
    /// A* answers: the query needs an exact answer.
    Exact,
    /// A path is known and short: A* looks for a much shorter one.
    Comparing,
    Done(SearchStatus),
}

/// The memory of searches over hierarchies. Keep one per thread and use it again.
#[derive(Clone, Debug, Default)]
pub struct HierarchyMemory {
    stage: Stage,
    fingerprint: u64,
    abstract_search: AbstractSearch,
    local: LocalSearch,
    sections: SectionRefiner,
    exact: AStar,
    cost_max: Cost,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    abstract_path: AbstractPath,
    /// Parts of the abstract path that were refined to steps: one per transition, and one
    /// from the last transition to the goal.
    refined_parts: usize,
    path: Path,
    /// Nodes that A* expanded to prove that no path is much shorter.
    compared: u64,
    exact_fallbacks: u64,
}

/// A search over a hierarchy.
///
/// Complete; not optimal, but close to it. It ignores [`Query::weight`]. It leaves queries for
/// the nearest cell to A*, and queries for which it finds no path within
/// [`Query::cost_max`].
///
/// With a small budget it stops between sections of the path. A unit can then follow
/// [`steps`](Self::steps) while the rest is still being refined.
#[derive(Debug)]
pub struct HierarchySearch<'a> {
    hierarchy: &'a GridHierarchy,
    memory: &'a mut HierarchyMemory,
}

impl<'a> HierarchySearch<'a> {
    /// A search over this hierarchy. It continues a query that the memory holds of it.
    #[must_use]
    pub fn new(hierarchy: &'a GridHierarchy, memory: &'a mut HierarchyMemory) -> Self {
        Self { hierarchy, memory }
    }

    /// The steps known so far, from the start on. They do not change any more.
    #[must_use]
    pub fn steps(&self) -> &[Cell] {
        match self.memory.stage {
            Stage::Idle | Stage::Exact | Stage::Comparing => &[],
            _ => &self.memory.path.cells,
        }
    }

    /// How many clusters the abstract path visits.
    #[must_use]
    pub fn clusters_on_path(&self) -> usize {
        self.memory.abstract_path.transitions.len() + 1
    }

    fn begin_exact(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.memory.exact.begin(ground, query)?;
        self.memory.stage = Stage::Exact;
        Ok(())
    }

    fn refine(&mut self, ground: &Ground, budget: u64) -> Option<SearchStatus> {
        let ground = ClusteredGround::new(ground);
        let limit = self.memory.sections.expanded().saturating_add(budget);
        while self.memory.stage == Stage::Refining {
            if self.memory.sections.expanded() >= limit {
                return Some(SearchStatus::BudgetSpent);
            }
            self.refine_section(&ground)?;
        }
        Some(SearchStatus::Found)
    }

    /// Refines the next section of the path. `None` cannot happen while the hierarchy
    /// describes the ground.
    fn refine_section(&mut self, ground: &ClusteredGround<'_>) -> Option<()> {
        let Self { hierarchy, memory } = self;
        memory.add_steps(hierarchy, ground)?;
        let is_complete = memory.is_refined();
        if memory.sections.advance(ground, is_complete, &mut memory.path.cells) {
            memory.stage = Stage::Done(SearchStatus::Found);
        }
        Some(())
    }

    /// Adds up the path. If it is short, or costs more than allowed, A* decides.
    fn finish(&mut self, ground: &Ground) -> Result<(), QueryError> {
        let HierarchyMemory { path, starts, goals, exact, cost_max, stage, .. } = self.memory;
        path.cost = path_cost(ground, &path.cells);
        let (bound, next) = if path.cost > *cost_max {
            (*cost_max, Stage::Exact)
        } else if path.cost <= SHORT_PATH {
            (Cost(path.cost.0 - path.cost.0 / GAIN_PARTS), Stage::Comparing)
        } else {
            *stage = Stage::Done(SearchStatus::Found);
            return Ok(());
        };
        exact.begin(ground, &Query::new(starts, goals).with_cost_max(bound))?;
        *stage = next;
        Ok(())
    }

    /// Takes A*'s path if it finds a much shorter one, else keeps the path.
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

impl HierarchyMemory {
    /// How many queries between connected cells found no abstract path, so that A* answered
    /// them. None, as long as paths cost less than 2^30 twelfths of a straight step.
    #[must_use]
    pub fn exact_fallbacks(&self) -> u64 {
        self.exact_fallbacks
    }

    /// Whether the steps lead to the goal.
    fn is_refined(&self) -> bool {
        self.refined_parts > self.abstract_path.transitions.len()
    }

    /// Refines parts of the abstract path until there are steps enough for a section.
    fn add_steps(&mut self, hierarchy: &GridHierarchy, ground: &ClusteredGround<'_>) -> Option<()> {
        while self.sections.needs_steps() && !self.is_refined() {
            let (path, part) = (&self.abstract_path, self.refined_parts);
            let ahead = &mut self.sections.ahead;
            let from = *ahead.last()?;
            let transition = |part: usize| Some(path.transitions.get(part)?.transition(hierarchy));
            let before = part.checked_sub(1).and_then(transition);
            let found = match (before, transition(part)) {
                (None, Some(next)) => {
                    refinement::refine_first(hierarchy, ground, from, next, ahead)
                }
                (Some(before), Some(next)) => {
                    refinement::refine_between(hierarchy, ground, before.to, next, ahead)
                }
                (Some(before), None) => {
                    refinement::refine_last(hierarchy, ground, before.to, path.goal, ahead)
                }
                (None, None) => self.local.find(ground, from, path.goal, ahead).is_some(),
            };
            if !found {
                return None;
            }
            self.refined_parts += 1;
        }
        Some(())
    }

    fn begin_refining(&mut self) {
        self.abstract_search.path_into(&mut self.abstract_path);
        self.refined_parts = 0;
        self.sections.ahead.push(self.abstract_path.start);
        self.path.cells.clear();
        self.path.cells.push(self.abstract_path.start);
        self.path.cost = Cost::ZERO;
        self.stage = Stage::Refining;
    }

    /// Keeps the starts and goals between which there is a path; false if there are none.
    fn set_endpoints(&mut self, ground: &Ground, query: &Query<'_>) -> bool {
        let meets = |cell: &Cell, others: &[Cell]| {
            others.iter().any(|&other| ground.is_connected(*cell, other))
        };
        self.starts.clear();
        self.starts.extend(query.starts.iter().filter(|start| meets(start, query.goals)));
        self.goals.clear();
        self.goals.extend(query.goals.iter().filter(|goal| meets(goal, query.starts)));
        !self.starts.is_empty()
    }

    /// The abstract search found no path, although the endpoints are connected: the path
    /// costs more than the abstract graph can count. A* takes over.
    fn fall_back(&mut self, ground: &Ground) -> Result<(), QueryError> {
        let query = Query::new(&self.starts, &self.goals).with_cost_max(self.cost_max);
        self.exact.begin(ground, &query)?;
        self.stage = Stage::Exact;
        self.exact_fallbacks += 1;
        Ok(())
    }
}

/// The cost of a path of legal steps, in the model's unit.
fn path_cost(ground: &Ground, path: &[Cell]) -> Cost {
    let (straight, diagonal) = ground.movement().step_costs();
    let (factors, width) = (ground.factors(), ground.width() as usize);
    let cost = |step: &[Cell]| {
        let is_diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
        let base = if is_diagonal { diagonal.0 } else { straight.0 };
        base * u64::from(factors[usize::from(step[1].y) * width + usize::from(step[1].x)])
    };
    Cost(path.windows(2).map(cost).sum())
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
        memory.sections.reset();
        memory.abstract_search.expanded = 0;
        memory.compared = 0;
        if !memory.set_endpoints(ground, query) {
            // A* reports what is wrong with the query, or finds the nearest cell.
            return self.begin_exact(ground, query);
        }
        let HierarchyMemory { abstract_search, starts, goals, .. } = memory;
        abstract_search.begin(self.hierarchy, &ClusteredGround::new(ground), starts, goals);
        memory.path.cells.clear();
        memory.stage = Stage::Abstract;
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
        if self.memory.stage == Stage::Abstract {
            match self.memory.abstract_search.run(self.hierarchy, most) {
                AbstractStatus::Running => return Ok(SearchStatus::BudgetSpent),
                AbstractStatus::Found => self.memory.begin_refining(),
                AbstractStatus::Exhausted => self.memory.fall_back(ground)?,
            }
        }
        if self.memory.stage == Stage::Refining {
            let left = most.saturating_sub(self.expanded() - before);
            match self.refine(ground, left) {
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
        self.memory.abstract_search.expanded + self.memory.sections.expanded() + exact
    }
}
