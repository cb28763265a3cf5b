//! A* from many starts to many stop nodes exactly as Xu and Zou print it.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", sections 2 and 3.2: every
//! start enters the open list with G = 0; the open list is a binary heap; H is the Manhattan
//! distance, the least over all stop nodes; "once discovered a stop node, can think path has been
//! found". Nodes on the closed list are not opened again.
//!
//! [`AStar`](crate::AStar) differs in two points: its estimate allows for diagonal steps, and it
//! ends when no open node can lead to a cheaper path.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_model::{Budget, Cell, CellIndex, Cost, Effort, Weight};

use crate::ground::directions::Direction;
use crate::kit::Nodes;
use crate::search::query::{Relevance, usable_cells};
use crate::{Ground, Path, PathSearch, Query, QueryError, SearchStatus};

/// A* that ends at the first stop node it discovers, as Xu and Zou print it.
///
/// - Optimal: no. With diagonal steps the Manhattan distance overestimates, and the first stop
///   node discovered need not be the cheapest.
/// - Complete: yes; unreachable goals are recognised without a search.
/// - Ties: by the order of discovery.
///
/// ```
/// use throng_grid::{FirstDiscovered, Ground, PathSearch, Query};
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// let ground = Ground::new(&Map::empty(40, 40)?, MovementProfile::eight_connected())?;
/// let (exits, entrances) = ([Cell::new(3, 3)], [Cell::new(30, 20), Cell::new(20, 30)]);
/// let query = Query::new(&exits, &entrances);
/// let answer = FirstDiscovered::default().find(&ground, &query, Budget::unlimited())?;
/// assert!(answer.found().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FirstDiscovered {
    /// With each node, the bit of the direction in which its path arrives; none for a start.
    nodes: Nodes<u8>,
    /// F, order of discovery, node.
    open: BinaryHeap<Reverse<(u64, u64, u32)>>,
    starts: Vec<CellIndex>,
    goals: Vec<CellIndex>,
    relevance: Relevance,
    /// The stop node that was discovered.
    discovered: Option<u32>,
    /// Estimate and cell of the node nearest to a goal.
    nearest: (u64, u32),
    begun_for: Option<u64>,
    finished: Option<SearchStatus>,
    generated: u64,
    expanded: u64,
}

impl FirstDiscovered {
    /// Nodes generated for this query, including starts and those that did not improve a cost.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Formula 1, the least over all stop nodes, in units of cost.
    fn manhattan(&self, ground: &Ground, at: Cell) -> u64 {
        let (straight, _) = ground.movement().step_costs();
        let distance = |goal: &CellIndex| {
            let goal = ground.cell(*goal);
            u64::from(goal.x.abs_diff(at.x)) + u64::from(goal.y.abs_diff(at.y))
        };
        self.goals.iter().map(distance).min().unwrap_or(0) * straight.0
    }

    /// Adds a node to the open list; a stop node ends the search.
    fn discover(&mut self, ground: &Ground, node: u32, g: u64, arrival: u8) {
        self.generated += 1;
        if self.nodes.closed_cost(node as usize).is_some() || !self.nodes.improve(node as usize, g)
        {
            return;
        }
        *self.nodes.with_mut(node as usize) = arrival;
        let h = self.manhattan(ground, ground.cell(CellIndex(node)));
        if h < self.nearest.0 {
            self.nearest = (h, node);
        }
        if h == 0 {
            self.discovered = self.discovered.or(Some(node));
        }
        self.open.push(Reverse((g + h, self.generated, node)));
    }

    fn expand(&mut self, ground: &Ground, node: u32, g: u64) {
        let offsets = ground.index_offsets();
        let steps = ground.legal_steps(CellIndex(node));
        for direction in Direction::ALL.into_iter().filter(|d| steps & 1 << d.0 != 0) {
            let next = node.wrapping_add_signed(offsets[usize::from(direction.0)]);
            let factor = u64::from(ground.factors()[next as usize]);
            self.discover(ground, next, g + ground.base_cost(direction) * factor, 1 << direction.0);
            if self.discovered.is_some() {
                return;
            }
        }
    }

    fn search(&mut self, ground: &Ground, effort: &mut Effort<'_>) -> SearchStatus {
        while self.discovered.is_none() {
            let Some(&Reverse((_, _, node))) = self.open.peek() else {
                return SearchStatus::Exhausted;
            };
            if !effort.may_expand() {
                return effort.stopped().unwrap_or(SearchStatus::BudgetSpent);
            }
            self.open.pop();
            let Some(g) = self.nodes.close(node as usize) else { continue };
            self.expanded += 1;
            effort.count();
            self.expand(ground, node, g);
        }
        SearchStatus::Found
    }

    /// Writes the path to a node. Returns false if there is no node.
    fn trace(&self, ground: &Ground, end: Option<u32>, path: &mut Path) -> bool {
        path.clear();
        let Some(mut at) = end.filter(|_| self.begun_for == Some(ground.fingerprint())) else {
            return false;
        };
        let offsets = ground.index_offsets();
        path.cost = Cost(self.nodes.cost(at as usize).unwrap_or(0));
        path.cells.push(ground.cell(CellIndex(at)));
        while self.nodes.with(at as usize) != 0 {
            let direction = self.nodes.with(at as usize).trailing_zeros() as usize;
            at = at.wrapping_add_signed(-offsets[direction]);
            path.cells.push(ground.cell(CellIndex(at)));
        }
        path.cells.reverse();
        true
    }
}

impl PathSearch for FirstDiscovered {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.begun_for = None;
        if query.weight != Weight::ONE || query.cost_max != Cost::MAX {
            return Err(QueryError::Unsupported(
                "the search to the first stop node discovered knows no weight and no cost limit; \
                 use A* here",
            ));
        }
        usable_cells(ground, "start", query.starts, false, &mut self.starts)?;
        let blocked_too = query.nearest_if_unreachable;
        usable_cells(ground, "goal", query.goals, blocked_too, &mut self.goals)?;
        let reachable = self.relevance.filter(ground, &mut self.starts, &mut self.goals);
        let skip = !reachable && !query.nearest_if_unreachable;
        self.finished = skip.then_some(SearchStatus::Exhausted);
        self.begun_for = Some(ground.fingerprint());
        (self.expanded, self.generated) = (0, 0);
        (self.discovered, self.nearest) = (None, (u64::MAX, 0));
        self.open.clear();
        self.nodes.begin(ground.factors().len());
        for at in 0..self.starts.len() {
            self.discover(ground, self.starts[at].0, 0, 0);
        }
        Ok(())
    }

    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<SearchStatus, QueryError> {
        if self.begun_for != Some(ground.fingerprint()) {
            return Err(QueryError::GroundChanged);
        }
        if let Some(status) = self.finished {
            return Ok(status);
        }
        let status = self.search(ground, &mut Effort::new(budget));
        self.finished = (!status.is_stopped()).then_some(status);
        Ok(status)
    }

    fn path_into(&self, ground: &Ground, path: &mut Path) -> bool {
        let is_found = self.finished == Some(SearchStatus::Found);
        self.trace(ground, self.discovered.filter(|_| is_found), path)
    }

    fn nearest_into(&self, ground: &Ground, path: &mut Path) -> bool {
        let (h, node) = self.nearest;
        self.trace(ground, (h < u64::MAX).then_some(node), path)
    }

    fn expanded(&self) -> u64 {
        self.expanded
    }
}
